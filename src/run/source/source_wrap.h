/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A source around another: what both need that only change what comes through. */
#pragma once

#include "run/source/source.h"

struct source_wrap {
	struct source source; /* first */
	struct source *inner;
};

/* Members of source_ops that hand on. */
void wrap_done(struct source *s, struct io *const *ios, unsigned n, uint64_t now_ns);
void wrap_rewind(struct source *s);
void wrap_start(struct source *s, uint64_t start_ns);
void wrap_opened(struct source *s, uint64_t now_ns);
void wrap_missed(struct source *s, uint64_t end_ns,
	void (*seen)(void *ctx, enum dir dir, uint64_t due_ns), void *ctx);

/* next() of the inner one, and why it gave fewer. */
unsigned wrap_next(struct source *s, uint64_t now_ns, struct io **ios, unsigned n,
	unsigned in_flight);
