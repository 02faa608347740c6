/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What a file's bytes are on its file system: written, reserved but never written, holes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct extents {
	uint64_t bytes; /* size of the file                                 */
	uint64_t count; /* extents                                          */
	uint64_t written, unwritten, holes; /* bytes of the file; they add up to it */
	uint64_t shared;  /* bytes of the written that other files share (reflinks) */
	uint64_t encoded; /* bytes that are compressed or encrypted           */
	bool delayed;     /* some have no place yet                           */
	bool complete;    /* false: the time was over, the rest is in none of them */
};

/* One extent as FIEMAP gives it. */
struct extent {
	uint64_t at, bytes;
	uint32_t flags; /* FIEMAP_EXTENT_* */
};

/* Account extents in order; *POSITION is where the last one ended.  Pure. */
void extents_add(struct extents *e, const struct extent *v, uint32_t count, uint64_t *position);

/* The rest of the file up to its size is a hole. */
void extents_end(struct extents *e, uint64_t position);

/* Ask the kernel, for at most MAX_NS.  It flushes nothing: what is only in the page
 * cache is `delayed` and counts as written.  0 or a negative errno: -EOPNOTSUPP where the file
 * system can't tell.  May wait for the device. */
int extents_find(const char *path, uint64_t max_ns, struct extents *ret);

/* The same of the bytes from FROM to END (or the file's end, if that is nearer) only. */
int extents_find_range(const char *path, uint64_t from, uint64_t end, uint64_t max_ns,
	struct extents *ret);
