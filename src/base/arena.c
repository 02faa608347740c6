/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "base/arena.h"

#include "base/bits.h"
#include "base/poison.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* Chunks are mapped, so that they can be sealed page by page. */
struct arena_chunk {
	struct arena_chunk *next;
	size_t size; /* of the mapping, this header included */
	size_t used;
	size_t lent; /* not ours to unmap */
	unsigned char bytes[];
};

#ifndef ARENA_CHUNK /* 1: tests let each request be one of the kernel, that can fail */
#define ARENA_CHUNK (64 * 1024)
#endif
#define ARENA_CHUNK_MAX (16 * 1024 * 1024)

static struct arena_chunk *arena_grow(struct arena *a, size_t bytes)
{
	size_t want = sizeof(struct arena_chunk) + bytes;
	if (want < bytes || want > SIZE_MAX - ARENA_CHUNK)
		return NULL;
	if (a->shared) /* the kernel doesn't join such mappings: few and large */
		want = MAX_OF(want, MIN_OF(a->used, (size_t)ARENA_CHUNK_MAX));
	size_t size = round_up(want, ARENA_CHUNK);
	void *mem = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_ANONYMOUS | (a->shared ? MAP_SHARED | MAP_NORESERVE : MAP_PRIVATE), -1, 0);
	if (mem == MAP_FAILED)
		return NULL;
	struct arena_chunk *chunk = mem;
	chunk->size = size;
	chunk->next = a->chunks;
	a->chunks = chunk;
	roots_add(chunk, size);
	poison(chunk->bytes, size - sizeof(*chunk));
	return chunk;
}

void arena_lend(struct arena *a, void *mem, size_t bytes)
{
	if (bytes < sizeof(struct arena_chunk))
		return;
	struct arena_chunk *chunk = mem;
	chunk->size = bytes;
	chunk->lent = 1;
	chunk->next = a->chunks;
	a->chunks = chunk;
	roots_add(chunk, bytes);
	poison(chunk->bytes, bytes - sizeof(*chunk));
}

void *arena_alloc(struct arena *a, size_t bytes)
{
	if (bytes > SIZE_MAX - 15 - POISON_GAP)
		return NULL;
	size_t need = ((bytes + 15) & ~(size_t)15) + POISON_GAP;
	if (!need)
		need = 16;
	struct arena_chunk *chunk = a->chunks;
	if (!chunk || chunk->size - sizeof(*chunk) - chunk->used < need)
		chunk = arena_grow(a, need);
	if (!chunk)
		return NULL;
	void *out = chunk->bytes + chunk->used;
	chunk->used += need;
	a->used += need;
	unpoison(out, bytes);
	return out;
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes))
		return NULL;
	return arena_alloc(a, bytes);
}

char *arena_bytes(struct arena *a, const char *text, size_t len)
{
	if (len == SIZE_MAX)
		return NULL;
	char *out = arena_alloc(a, len + 1);
	if (out && len)
		memcpy(out, text, len);
	return out;
}

void *arena_longer(struct arena *a, void *list, size_t count, size_t size)
{
	if (count && !bits_is_power_of_2(count))
		return list;
	void *longer = arena_array(a, count ? count * 2 : 1, size);
	if (longer && count)
		memcpy(longer, list, count * size);
	return longer;
}

char *arena_text(struct arena *a, const char *text)
{
	return arena_bytes(a, text, strlen(text));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	int len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (len < 0)
		return NULL;
	char *out = arena_alloc(a, (size_t)len + 1);
	if (!out)
		return NULL;
	va_start(ap, fmt);
	vsnprintf(out, (size_t)len + 1, fmt, ap);
	va_end(ap);
	return out;
}

void arena_seal(struct arena *a)
{
	for (struct arena_chunk *c = a->chunks; c; c = c->next)
		mprotect(c, c->size, PROT_READ);
}

void arena_done(struct arena *a)
{
	for (struct arena_chunk *c = a->chunks; c;) {
		struct arena_chunk *next = c->next;
		roots_drop(c, c->size);
		unpoison(c, c->size);
		if (!c->lent)
			munmap(c, c->size);
		c = next;
	}
	*a = (struct arena){.shared = a->shared};
}
