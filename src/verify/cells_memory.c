/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The memory of cells: how it is made, and how what was written is found in it without
 * touching the rest.  Even reading a page of shared memory takes one, so holes are
 * asked of the memfd. */
#include "verify/cells.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/bits.h"

#define CHANGES_BYTES (CELLS_CHANGES * sizeof(uint32_t))

static void *cells_map(uint64_t bytes, int fd)
{
	int flags = MAP_SHARED | MAP_NORESERVE | (fd < 0 ? MAP_ANONYMOUS : 0);
	void *mem = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
	return mem == MAP_FAILED ? NULL : mem;
}

int cells_open(struct cells *c, uint64_t count, uint32_t unit_bytes, bool exclusive,
	struct err *reterr)
{
	*c = (struct cells){.count = count, .unit_bytes = unit_bytes, .exclusive = exclusive};
	c->fd = memfd_create("weir-cells", MFD_CLOEXEC);
	if (c->fd >= 0 && ftruncate(c->fd, (off_t)MAX_OF(count, UINT64_C(1))) == 0)
		c->cell = cells_map(MAX_OF(count, UINT64_C(1)), c->fd);
	if (c->cell)
		c->changes = cells_map(CHANGES_BYTES, -1);
	if (c->changes)
		return 0;
	int rc = -errno;
	cells_close(c);
	return err_sys(reterr, rc, "a map of %" PRIu64 " units, a byte each", count);
}

void cells_close(struct cells *c)
{
	if (c->cell)
		munmap(c->cell, MAX_OF(c->count, UINT64_C(1)));
	if (c->changes)
		munmap(c->changes, CHANGES_BYTES);
	if (c->fd > 0)
		close(c->fd);
	*c = (struct cells){0};
}

/* ---- what was written ---- */

/* The part of the map with memory that holds I or is behind it: [*at, *end).  False:
 * none. */
static bool cells_extent(const struct cells *c, uint64_t i, uint64_t *at, uint64_t *end)
{
	*at = i;
	*end = c->count;
	if (i >= c->count)
		return false;
	if (c->fd <= 0)
		return true;
	off_t data = lseek(c->fd, (off_t)i, SEEK_DATA);
	if (data < 0)
		return errno != ENXIO;
	off_t hole = lseek(c->fd, data, SEEK_HOLE);
	*at = (uint64_t)data;
	if (hole > data)
		*end = MIN_OF((uint64_t)hole, c->count);
	return true;
}

static inline uint64_t cells_eight(const struct cells *c, uint64_t at)
{
	return __atomic_load_n((const uint64_t *)(const void *)&c->cell[at], __ATOMIC_RELAXED);
}

/* Has a word a byte that is zero?  What is borrowed byte by byte reaches the top bit of one
 * that hadn't it set only from zero. */
static inline bool has_zero(uint64_t eight)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
	return ((eight - ones) & ~eight & tops) != 0;
}

/* The first of [AT, END) that was written, else END. */
static uint64_t cells_skip_unwritten(const struct cells *c, uint64_t at, uint64_t end)
{
	for (; at < end; at++) {
		while (at % 8 == 0 && at + 8 < end && !cells_eight(c, at))
			at += 8;
		if (cells_look(c, at))
			break;
	}
	return at;
}

/* The first of [AT, END) that was not. */
static uint64_t cells_skip_written(const struct cells *c, uint64_t at, uint64_t end)
{
	for (; at < end; at++) {
		while (at % 8 == 0 && at + 8 < end && !has_zero(cells_eight(c, at)))
			at += 8;
		if (!cells_look(c, at))
			break;
	}
	return at;
}

uint64_t cells_written(const struct cells *c, uint64_t i, uint64_t max, uint64_t *ret_first)
{
	uint64_t at = i, end;

	while (cells_extent(c, at, &at, &end)) {
		at = cells_skip_unwritten(c, at, end);
		if (at == end)
			continue;
		/* A run may go on where another extent begins; then the caller asks again. */
		*ret_first = at;
		return cells_skip_written(c, at, MIN_OF(end, at + MIN_OF(max, end - at))) - at;
	}
	return 0;
}
