/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Memory with one lifetime: allocate many, free once.
 *
 * An arena grows by chunks that never move.  Everything it returns is zeroed
 * and aligned to 16 bytes.  One thread at a time.  A zeroed struct is a valid
 * empty arena.  Running out of memory returns NULL; callers check.
 *
 * An arena that is SHARED (set it before the first allocation) is the same memory
 * in all processes forked later.  A fork then has no page tables of it to copy:
 * for what thousands of children only read, that is the cost of a fork. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct arena_chunk;

/* The one who frees it embeds it, and what it hands out points nowhere back: a thing may hold
 * its own arena (struct plan does). */
struct arena {
	struct arena_chunk *chunks; /* the newest first */
	size_t used;                /* bytes handed out, for reports */
	bool shared;
};

/* 0 bytes are a valid request, for a pointer that isn't NULL. */
void *arena_alloc(struct arena *a, size_t bytes);

/* Let the empty arena A use BYTES at MEM first; zeroed, aligned to 16, and the
 * caller's: arena_done() leaves it.  Too small for anything is no error. */
void arena_lend(struct arena *a, void *mem, size_t bytes);

/* COUNT things of SIZE bytes; NULL when the product overflows. */
void *arena_array(struct arena *a, size_t count, size_t size);

/* LIST with room for one more behind its COUNT things of SIZE bytes: the same, or a copy in a
 * place twice as large.  NULL when memory is out; LIST is untouched then.  How much room there
 * is follows from COUNT, so a list that begins with count 0 must grow only in this way. */
void *arena_longer(struct arena *a, void *list, size_t count, size_t size);

/* Copies, with a NUL behind: of a text, of LEN bytes (which may hold NULs), of what
 * printf(3) would print. */
char *arena_text(struct arena *a, const char *text);
char *arena_bytes(struct arena *a, const char *text, size_t len);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Make all of it read-only: a later write is a crash, not a mystery.
 * arena_done() still works. */
void arena_seal(struct arena *a);

/* Give everything back; the arena is empty and usable again. */
void arena_done(struct arena *a);
