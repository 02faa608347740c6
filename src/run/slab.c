/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/slab.h"

#include "base/bits.h"
#include "base/err.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

#define SLAB_MARK       0x5a
#define SLAB_MARK_BYTES 64

static size_t slab_page(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static unsigned char *slab_guard(const struct slab *s, uint32_t k)
{
	return s->base + k * s->stride;
}

/* The first guard that fails turns all others to marks: one kind for all. */
static void slab_protect(struct slab *s)
{
	size_t page = slab_page();
	bool light = true, heavy = s->count <= SLAB_GUARDS;

	for (uint32_t k = 0; k < s->count && !s->marks; k++) {
		light = light && madvise(slab_guard(s, k), page, MADV_GUARD_INSTALL) == 0;
		if (!light)
			s->marks = !heavy || mprotect(slab_guard(s, k), page, PROT_NONE) < 0;
	}
	if (!s->marks)
		return;
	mprotect(s->base, s->bytes, PROT_READ | PROT_WRITE);
	for (uint32_t k = 0; k < s->count; k++)
		memset(slab_guard(s, k) + page, SLAB_MARK, SLAB_MARK_BYTES);
}

int slab_make(struct slab *s, uint32_t count, size_t room, struct err *reterr)
{
	size_t page = slab_page();

	*s = (struct slab){.count = count};
	s->stride = page + SLAB_STACK + round_up(room, page);
	s->bytes = s->stride * count + page;
	void *map = mmap(NULL, s->bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (map == MAP_FAILED) {
		int code = -errno;
		size_t bytes = s->bytes;
		*s = (struct slab){0};
		return err_sys(reterr, code,
			"%zu MiB of address space for the stacks of %u threads", bytes >> 20,
			count);
	}
	s->base = map;
	/* A huge page would be touched as a whole for the few pages that are used. */
	madvise(s->base, s->bytes, MADV_NOHUGEPAGE);
	slab_protect(s);
	return 0;
}

void slab_done(struct slab *s)
{
	if (s->base)
		munmap(s->base, s->bytes);
	*s = (struct slab){0};
}

void *slab_stack(const struct slab *s, uint32_t k, size_t *ret_bytes)
{
	*ret_bytes = SLAB_STACK;
	return slab_guard(s, k) + slab_page();
}

struct slab_room slab_room(const struct slab *s, uint32_t k)
{
	size_t before = slab_page() + SLAB_STACK;
	return (struct slab_room){
		.base = slab_guard(s, k) + before,
		.bytes = s->stride - before,
	};
}

bool slab_intact(const struct slab *s, uint32_t k)
{
	const unsigned char *mark = slab_guard(s, k) + slab_page();

	for (size_t i = 0; s->marks && i < SLAB_MARK_BYTES; i++)
		if (mark[i] != SLAB_MARK)
			return false;
	return true;
}
