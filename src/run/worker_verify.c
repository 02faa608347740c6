/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* How a worker reads back what it wrote: the same loop once more, with another source and
 * a clock of its own. */
#include "run/worker.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "run/source/verify.h"
#include "run/verify/checkers.h"
#include "run/verify/tell.h"
#include "run/verify/verify.h"

int worker_verify_setup(struct worker *w, const struct plan *plan, struct overlap *overlap,
	struct err *reterr)
{
	const struct plan_verify *pv = &w->plan->verify;

	if (pv->unit.kind == UNIT_NULL && !pv->stamps)
		return 0;
	w->verify = verify_new(&w->arena, plan, w->plan, w->shared, w->clock, w->ios, w->depth,
		reterr);
	if (!w->verify)
		return reterr->code;
	w->verify->targets = w->files.targets;
	if (pv->threads) {
		unsigned char *spare = w->buffers.first;
		spare += (size_t)w->buffer_stride * (w->depth + w->plan->queue.write_apart);
		w->verify->checkers = checkers_new(&w->arena, w->verify, spare,
			w->plan->queue.spare, w->buffer_stride, w->verify->cells_max, reterr);
		if (!w->verify->checkers)
			return reterr->code;
	}
	if (w->verify->resume) {
		w->source = resume_source(&w->arena, w->plan, w->verify, &w->files, reterr);
		return w->source ? 0 : reterr->code;
	}
	w->stamped = stamp_source(&w->arena, w->plan, w->verify, w->source, overlap, &w->files,
		w->at, reterr);
	if (!w->stamped)
		return reterr->code;
	w->source = w->stamped;
	if (!pv->rereads)
		return 0;
	w->reread = reread_source(&w->arena, w->plan, w->verify, &w->files, w->at, reterr);
	if (!w->reread)
		return reterr->code;
	if (pv->backlog)
		stamp_backlog(w->stamped, w->reread);
	return 0;
}

/* What the loop changes and the pass goes on with. */
struct worker_pass {
	struct source *source;
	uint64_t deadline_ns, window_end_ns, open_at_ns;
	enum worker_why why;
	uint32_t why_told;
	enum worker_phase phase;
	struct submit_probe submit;
	bool synchronous;
};

static void worker_pass_save(const struct worker *w, struct worker_pass *p)
{
	*p = (struct worker_pass){
		.source = w->source,
		.deadline_ns = w->deadline_ns,
		.window_end_ns = w->window_end_ns,
		.open_at_ns = w->open_at_ns,
		.why = w->why,
		.why_told = w->sh->why,
		.phase = shared_phase(w->sh),
		.submit = w->submit,
		.synchronous = w->sh->synchronous_submit,
	};
}

/* An error or a stop in the verification ends the job, too. */
static void worker_pass_restore(struct worker *w, const struct worker_pass *p)
{
	w->source = p->source;
	w->deadline_ns = p->deadline_ns;
	w->window_end_ns = p->window_end_ns;
	w->open_at_ns = p->open_at_ns;
	w->submit = p->submit;
	w->sh->synchronous_submit = p->synchronous;
	shared_set_phase(w->sh, p->phase);
	if (w->why == WHY_ERROR)
		return;
	w->why = p->why;
	w->sh->why = p->why_told;
}

static bool worker_stopped(const struct worker *w)
{
	return __atomic_load_n(&w->sh->stop, __ATOMIC_RELAXED) != 0;
}

/* Read from the storage, not from what is still on its way there. */
static void worker_settle_writes(struct worker *w)
{
	if (w->plan->queue.direct || w->plan->verify.phantom || !w->plan->files.how.invalidate)
		return;
	worker_sync_data(w);
	fileset_invalidate(&w->files);
}

void worker_reread(struct worker *w)
{
	struct worker_pass pass;

	stamp_pause(w->stamped);
	if (!w->verify->dirty)
		return;
	if (worker_stopped(w) || w->why == WHY_ERROR) {
		w->verify->sh->skipped = true;
		return;
	}
	worker_pass_save(w, &pass);
	shared_set_phase(w->sh, WORKER_VERIFY);
	worker_settle_writes(w);
	w->source = w->reread;
	w->reread->ops->rewind(w->reread);
	w->verify->dirty = false;
	w->why = WHY_NONE;
	w->deadline_ns = UINT64_MAX;
	w->window_end_ns = UINT64_MAX;
	w->open_at_ns = UINT64_MAX;
	const uint64_t from = clock_now(w->clock);
	if (w->plan->queue.use_perform)
		loop_perform(w);
	else
		loop_queue(w);
	if (w->verify->checkers)
		checkers_drain(w->verify->checkers);
	if (w->verify->failed) {
		w->why = WHY_ERROR;
		w->sh->why = WHY_ERROR;
	}
	w->verify->sh->ns += clock_now(w->clock) - from;
	w->verify->sh->skipped |= w->why == WHY_STOPPED;
	worker_pass_restore(w, &pass);
}

void worker_reread_pass(struct worker *w)
{
	const uint64_t from = clock_now(w->clock);

	worker_reread(w);
	w->nested_end_ns = clock_now(w->clock);
	w->nested_ns += w->nested_end_ns - from;
}

static void worker_forget_latency(struct latency *l)
{
	if (l && l->moments.count)
		latency_reset(l);
}

void worker_verify_forget(struct worker *w)
{
	struct shared_verify *sv = w->verify->sh;

	sv->ios = 0;
	sv->reread_bytes = 0;
	sv->ns = 0;
	/* Of a read-back that the window opened in, neither reads nor time count. */
	w->nested_ns = MAX_OF(w->nested_end_ns, w->open_at_ns) - w->open_at_ns;
	worker_forget_latency(w->at->reread);
	worker_forget_latency(w->at->own_reads);
}

void worker_reread_last(struct worker *w)
{
	struct shared_verify *sv = w->verify->sh;
	const uint64_t end = w->window_end_ns;

	sv->main_ns = end - MIN_OF(w->window_start_ns + w->nested_ns, end);
	const uint64_t ns = sv->ns;
	worker_reread(w);
	if (sv->ns > ns) /* the row's window is all of it */
		w->window_end_ns = MAX_OF(end, w->last_ns);
}

static void worker_state_end(struct worker *w)
{
	char text[320];

	tell_finish(w->verify->tell);
	const int rc = tell_error(w->verify->tell);
	if (!rc)
		return;
	snprintf(text, sizeof(text),
		"verify_state: %.200s can't be written, so it doesn't say all: %s",
		w->plan->state.path, strerror(-rc));
	worker_fail(w, rc, "verify_state", text);
}

void worker_verify_end(struct worker *w)
{
	const struct shared_verify *sv = w->verify->sh;
	char text[160];

	if (w->verify->checkers)
		checkers_drain(w->verify->checkers);
	if (w->verify->tell)
		worker_state_end(w);
	if (!sv->wrong)
		return;
	worker_count_wrong(w, sv->wrong);
	snprintf(text, sizeof(text),
		"wrong data: %llu of %llu units that were checked; the job %s",
		(unsigned long long)sv->wrong, (unsigned long long)sv->units,
		w->plan->verify.go_on ? "went on" : "ended there");
	worker_fail(w, EILSEQ, w->plan->verify.go_on ? "" : "verify", text);
}
