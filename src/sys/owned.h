/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Files that should not outlive the run that made them: marked by the extended attribute
 * "user.weir.trial", and locked as long as anybody of that run lives.  The kernel lets the lock
 * go when the last process that has the descriptor is gone, however it ended; so a file that is
 * marked and not locked was left by a run that died.  A process number could be another's by
 * now.
 *
 * Attributes go along with a copy (cp -a, rsync -X, tar, a backup) and with a new name.  So the
 * mark says which file it is on: inode number, time of birth (no copy has it, nor who got the
 * number later) and name.  A file with somebody else's mark is somebody's file.  What no mark
 * can tell is who wrote into the file since: so remove only names that nobody else would use.
 *
 * The lock is one of the open file description (fcntl(2)): workers inherit it, and it doesn't
 * meet the flock() by which those who lay out a file wait for each other.  Where a server makes
 * the same of both kinds (NFS, SMB), and where files have no time of birth, none is marked. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* FD is a new file at PATH, open for writing: lock it, then mark it, also as a file that weir
 * made (mark.h).  0 or a negative errno where one of both can't be done; then it isn't marked.
 */
int owned_begin(int fd, const char *path);

/* Is PATH such a file of our own user, and nobody has it? */
bool owned_is_left(const char *path);

/* Remove it from FOLDER (a descriptor): true, with its size.  Never anything else: not without
 * its own mark, not through a link of either kind, not when it was replaced meanwhile. */
bool owned_remove_left(int folder, const char *name, uint64_t *ret_bytes);
