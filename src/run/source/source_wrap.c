/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/source/source_wrap.h"

static struct source *wrap_inner(struct source *s)
{
	return ((struct source_wrap *)s)->inner;
}

unsigned wrap_next(struct source *s, uint64_t now_ns, struct io **ios, unsigned n,
	unsigned in_flight)
{
	struct source *inner = wrap_inner(s);

	inner->buffers_moved |= s->buffers_moved;
	unsigned got = inner->ops->next(inner, now_ns, ios, n, in_flight);
	s->say = inner->say;
	s->not_before_ns = inner->not_before_ns;
	return got;
}

void wrap_done(struct source *s, struct io *const *ios, unsigned n, uint64_t now_ns)
{
	struct source *inner = wrap_inner(s);
	if (inner->ops->done)
		inner->ops->done(inner, ios, n, now_ns);
}

void wrap_rewind(struct source *s)
{
	wrap_inner(s)->ops->rewind(wrap_inner(s));
}

void wrap_start(struct source *s, uint64_t start_ns)
{
	wrap_inner(s)->ops->start(wrap_inner(s), start_ns);
}

void wrap_opened(struct source *s, uint64_t now_ns)
{
	wrap_inner(s)->ops->opened(wrap_inner(s), now_ns);
}

void wrap_missed(struct source *s, uint64_t end_ns,
	void (*seen)(void *ctx, enum dir dir, uint64_t due_ns), void *ctx)
{
	struct source *inner = wrap_inner(s);
	if (inner->ops->missed)
		inner->ops->missed(inner, end_ns, seen, ctx);
}
