/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Files that should not outlive the run that made them: marked by the extended attribute
 * "user.weir.trial", and locked as long as anybody of that run lives.  The kernel lets the lock
 * go when the last process that has the descriptor is gone, however it ended; so a file that is
 * marked and not locked was left by a run that died.  A process number could be another's by
 * now.
 *
 * The lock is one of the open file description (fcntl(2)): workers inherit it, and it doesn't
 * meet the flock() by which those who lay out a file wait for each other.  Where a server makes
 * the same of both kinds (NFS, SMB), no file is marked. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* FD is a new file, open for writing: lock it, then mark it, also as a file that weir made
 * (mark.h).  0 or a negative errno where one of both can't be done; then it isn't marked. */
int owned_begin(int fd);

/* Remove PATH if it is such a file, and nobody has it: true, with its size.  Never anything
 * else: not without the mark, not through a symbolic link, not when it was replaced meanwhile.
 */
bool owned_remove_left(const char *path, uint64_t *ret_bytes);
