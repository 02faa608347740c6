/* HOT: done() runs once per batch. No option is read here.
 *
 * SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors
 *
 * A source whose measured window opens when the workers of its report row have
 * moved so many bytes, around another one. */
#include "run/source/source_wrap.h"

#include "base/arena.h"
#include "base/err.h"
#include "plan/plan.h"
#include "run/shared.h"

#include <errno.h>

struct ramp {
	struct source_wrap wrap;
	struct source_word *word;
	const struct shared_worker *first; /* of the row */
	uint32_t count;
	uint64_t bytes;
	bool open;
};

static inline struct ramp *ramp_of(struct source *s)
{
	return (struct ramp *)s;
}

static __attribute__((noinline)) void ramp_look(struct ramp *r, uint64_t now_ns)
{
	uint64_t moved = 0;

	for (uint32_t i = 0; i < r->count; i++)
		for (int d = 0; d < DIRS; d++)
			moved += __atomic_load_n(&r->first[i].count[d].live_bytes,
				__ATOMIC_RELAXED);
	if (moved < r->bytes)
		return;
	r->open = true;
	*r->word->open_at_ns = now_ns;
}

static void ramp_done(struct source *s, struct io *const *ios, unsigned n, uint64_t now_ns)
{
	struct ramp *r = ramp_of(s);

	if (!r->open)
		ramp_look(r, now_ns);
	wrap_done(s, ios, n, now_ns);
}

static const struct source_ops ramp_ops = {
	.next = wrap_next,
	.done = ramp_done,
	.rewind = wrap_rewind,
	.start = wrap_start,
	.opened = wrap_opened,
	.missed = wrap_missed,
};

struct source *source_ramp_new(struct arena *arena, const struct plan *plan,
	const struct plan_worker *pw, const struct shared_worker *workers, struct source *inner,
	struct source_word *word, struct err *reterr)
{
	const struct plan_row *row = &plan->rows[pw->row];
	struct ramp *r = arena_alloc(arena, sizeof(*r));

	if (!r) {
		err_set(reterr, -ENOMEM, "out of memory for the ramp");
		return NULL;
	}
	*r = (struct ramp){
		.wrap = {.source = {.ops = &ramp_ops, .bytes_total = inner->bytes_total},
			.inner = inner},
		.word = word,
		.first = &workers[row->first_worker],
		.count = row->workers,
		.bytes = pw->time.ramp_bytes,
	};
	return &r->wrap.source;
}
