/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Control groups, version 2: making one, joining it, removing it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct err;
struct sysroot;

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
