/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Sources of verifying jobs: stamp.c stands around the plain source, reread.c takes its
 * place while what was written is read back. */
#pragma once

#include "base/bits.h"
#include "run/source/source.h"
#include "run/verify/verify.h"

struct arena;
struct fileset;
struct overlap;
struct shared_places;

/* Around INNER: stamps what is written, checks what is read.  NULL and *reterr on failure, as
 * the others below. */
struct source *stamp_source(struct arena *arena, const struct plan_worker *pw, struct verify *v,
	struct source *inner, struct overlap *overlap, struct fileset *files,
	const struct shared_places *at, struct err *reterr);

/* Nothing is in flight, and the source is left alone for a while: what was held back is
 * given back to the inner one. */
void stamp_pause(struct source *s);

/* verify_backlog: REREAD reads what STAMPED has written, between its writes. */
void stamp_backlog(struct source *stamped, struct source *reread);

/* The oldest write that was not read back yet, as IO.  False: there is none. */
bool reread_oldest(struct source *s, struct io *io);

/* Instead of the plain source: what V->resume says. */
struct source *resume_source(struct arena *arena, const struct plan_worker *pw,
	struct verify *v, struct fileset *files, struct err *reterr);

/* Reads back what this run wrote, by V's map; it stands beside the job's own source. */
struct source *reread_source(struct arena *arena, const struct plan_worker *pw,
	struct verify *v, struct fileset *files, const struct shared_places *at,
	struct err *reterr);

/* next() of what only reads back: MORE makes one request, or says that there is none.  Inlined,
 * so that MORE is no call through a pointer. */
static inline unsigned verify_next(struct source *s, const struct verify *v, struct io **ios,
	unsigned n, bool (*more)(struct source *s, struct io *io))
{
	unsigned got = 0;

	if (unlikely(v->failed)) {
		s->say = SOURCE_FAIL;
		return 0;
	}
	while (got < n && more(s, ios[got]))
		got++;
	s->say = got < n ? SOURCE_END : SOURCE_MORE;
	return got;
}
