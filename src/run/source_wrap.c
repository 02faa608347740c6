/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/source_wrap.h"

static struct source *wrap_inner(struct source *s)
{
	return ((struct source_wrap *)s)->inner;
}

void wrap_done(struct source *s, struct io *const *ios, unsigned n)
{
	struct source *inner = wrap_inner(s);
	if (inner->ops->done)
		inner->ops->done(inner, ios, n);
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
