/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "verify/pieces_leaf.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/mman.h>

#include "base/bits.h"

static void *reserve(uint64_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes))
		return NULL;
	void *mem = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return mem == MAP_FAILED ? NULL : mem;
}

int pieces_init(struct pieces *x, uint64_t max, struct err *reterr)
{
	/* Two that are neighbours have half a leaf together, or they'd be one. */
	const uint64_t leaves = max / (EXTENTS_LEAF / 4) + 2;

	*x = (struct pieces){.room = (uint32_t)leaves};
	if (leaves > UINT32_MAX)
		return err_set(reterr, -E2BIG, "%" PRIu64 " writes can't be remembered", max);
	x->leaf = reserve(leaves, sizeof(*x->leaf));
	x->order = reserve(leaves, sizeof(*x->order));
	if (x->leaf && x->order)
		return 0;
	pieces_done(x);
	return err_set(reterr, -ENOMEM, "no memory to remember %" PRIu64 " writes", max);
}

void pieces_done(struct pieces *x)
{
	if (x->leaf)
		munmap(x->leaf, x->room * sizeof(*x->leaf));
	if (x->order)
		munmap(x->order, x->room * sizeof(*x->order));
	*x = (struct pieces){0};
}
