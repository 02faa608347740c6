/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Control groups: which ones are ours; of version 2: making one, joining it, removing
 * it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct sysroot;

/* Is WORD one of the comma-separated words of LIST (LEN bytes)? */
bool cgroup_lists(const char *list, size_t len, const char *word);

/* Our folder below the hierarchy's mount, into BUF: a line "4:memory:/path" of LINES, which
 * is /proc/self/cgroup; or "0::/path" of version 2, where CONTROLLER is NULL. */
bool cgroup_own(const char *lines, const char *controller, char *buf, size_t size);

/* The folder of group NAME ("weir/fast"), below the mount of the version 2
 * hierarchy: into BUF.  -ENOTSUP and *reterr where there is none. */
int cgroup_path(const struct sysroot *r, const char *name, char *buf, size_t size,
	struct err *reterr);

/* How many letters of PATH, an absolute path, are there already. */
size_t cgroup_there(const char *path);

/* Make PATH with the groups above it, give it WEIGHT (0: leave it) and move the
 * calling process into it. */
int cgroup_join(const char *path, uint32_t weight, struct err *reterr);

/* Remove PATH and the groups above it, down to its first KEEP letters.  A group whose
 * last process is just ending is tried again for a moment. */
void cgroup_remove(const char *path, size_t keep);
