/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The supervisor's part in wrong data: says the first faults of each worker in full, and
 * how many there were; puts them into the result. */
#include "base/bits.h"
#include "base/str.h"
#include "run/supervisor.h"
#include "run/verify/fault.h"
#include "verify/state.h"
#include "verify/unit_says.h"

#include <errno.h>

/* Each of fio's lines and of weir's is a line of its own. */
static void faults_say_lines(struct supervisor *s, char *text)
{
	char *rest = text;

	for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n"))
		if (*line)
			supervisor_say(s, RUN_DATA, "%s", line);
}

/* Texts are those of F. */
static struct result_fault faults_made(const struct supervisor *s, const struct shared_fault *f)
{
	return (struct result_fault){
		.target = s->plan->targets[f->target].path,
		.read_offset = f->offset,
		.read_bytes = f->bytes,
		.expected_run = f->run,
		.expect = f->expect,
		.fault = f->fault,
		.verdict = unit_verdict_name(f->fault.verdict),
		.guess = unit_guess_name(f->fault.guess),
		.guess_text = unit_guess_words(f->fault.guess),
		.received_file = f->dump[0],
		.expected_file = f->dump[1],
	};
}

static void faults_say_one(struct supervisor *s, uint32_t i, const struct shared_fault *f)
{
	const struct run_sink *sink = s->how->sink;
	const struct plan_worker *pw = &s->plan->workers[i];
	const struct result_fault made = faults_made(s, f);
	struct str text = {0};

	if (sink && sink->fault)
		sink->fault(sink->ctx, pw->row, pw->name, &made, pw->verify.unit.bytes);
	fault_text(s->plan, &s->plan->workers[i], f, &text);
	if (!text.failed && text.len)
		faults_say_lines(s, text.text);
	str_done(&text);
}

void faults_say(struct supervisor *s, uint32_t i, bool last)
{
	const struct shared_verify *sv = s->shared.places[i].verify;
	struct supervised *sw = &s->workers[i];

	if (!sv)
		return;
	while (sw->faults_said < SHARED_FAULTS) {
		const struct shared_fault *f = &sv->faults[sw->faults_said];
		if (!__atomic_load_n(&f->ready, __ATOMIC_ACQUIRE))
			break;
		faults_say_one(s, i, f);
		sw->faults_said++;
	}
	if (!last)
		return;
	if (sv->wrong > sw->faults_said)
		supervisor_say(s, RUN_DATA, "%s: %llu more wrong units, not shown",
			s->plan->workers[i].name,
			(unsigned long long)(sv->wrong - sw->faults_said));
	if (sv->skipped && !s->shared.workers[i].error)
		supervisor_say(s, RUN_WARNING,
			s->plan->workers[i].state.resume
				? "%s: it was stopped before all was read back"
				: "%s: it was stopped, so what it wrote last was not read back",
			s->plan->workers[i].name);
}

/* What the job read by itself, and what was read back, apart. */
static void faults_reads(const struct supervisor *s, uint32_t i, const struct result_row *row,
	struct result_verify *v)
{
	const struct shared_verify *sv = s->shared.places[i].verify;
	const struct result_dir *all = &row->dir[DIR_READ];
	const bool apart = !s->plan->workers[i].verify.backlog;

	if (!sv->ios)
		return;
	v->again.ios = v->again.issued = sv->ios;
	v->again.bytes = sv->reread_bytes;
	v->again.runtime_ns = apart ? sv->ns : row->runtime_ns;
	v->again.lat = s->shared.places[i].reread;
	v->own.ios = all->ios - MIN_OF(all->ios, sv->ios);
	v->own.bytes = all->bytes - MIN_OF(all->bytes, sv->reread_bytes);
	v->own.issued = all->issued - MIN_OF(all->issued, sv->ios);
	v->own.errors = all->errors;
	v->own.runtime_ns = apart && sv->main_ns ? sv->main_ns : row->runtime_ns;
	v->own.lat = s->shared.places[i].own_reads;
}

static struct result_resume *faults_resume(const struct supervisor *s, struct result *r,
	uint32_t i)
{
	const struct shared_verify *sv = s->shared.places[i].verify;
	const struct state *st = s->shared.states.loaded[i];
	struct result_resume *to = arena_alloc(&r->arena, sizeof(*to));

	if (!to)
		return NULL;
	*to = (struct result_resume){
		.state = arena_text(&r->arena, st->path),
		.completed = st->completed,
		.ended = st->finished >= st->tellers,
		.synced = sv->age[STATE_SYNCED],
		.newer = sv->age[STATE_NEWER],
		.older = sv->age[STATE_OLDER],
		.later = sv->later,
		.unread = sv->unread,
		.writes = st->writes,
		.trims = st->trims,
		.syncs = st->syncs,
		.in_flight = st->in_flight,
		.tail_bytes = st->tail_bytes,
		.end_ns = st->end_ns,
	};
	return to;
}

int faults_gather(const struct supervisor *s, struct result *r, uint32_t i,
	struct result_row *row)
{
	const struct plan_verify *pv = &s->plan->workers[i].verify;
	const struct shared_verify *sv = s->shared.places[i].verify;

	if (!sv)
		return 0;
	struct result_verify *v = arena_alloc(&r->arena, sizeof(*v));
	struct result_fault *faults = arena_array(&r->arena, SHARED_FAULTS, sizeof(*faults));
	if (!v || !faults)
		return -ENOMEM;
	*v = (struct result_verify){
		.run_id = s->plan->run_id,
		.kind = pv->unit.kind == UNIT_CHECKSUM ? checksum_name(pv->unit.checksum)
						       : unit_kind_name(pv->unit.kind),
		.unit_bytes = pv->unit.bytes,
		.stamped = pv->stamps && !pv->phantom,
		.checked = pv->checks || pv->rereads,
		.units = sv->units,
		.wrong = sv->wrong,
		.bytes = sv->bytes,
		.unjudged = sv->unjudged,
		.skipped = sv->skipped,
		.faults = faults,
	};
	faults_reads(s, i, row, v);
	if (s->shared.states.loaded && s->shared.states.loaded[i] &&
		!(v->resume = faults_resume(s, r, i)))
		return -ENOMEM;
	for (; v->faults_count < SHARED_FAULTS; v->faults_count++) {
		const struct shared_fault *f = &sv->faults[v->faults_count];
		if (!__atomic_load_n(&f->ready, __ATOMIC_ACQUIRE))
			break;
		struct result_fault *to = &faults[v->faults_count];
		*to = faults_made(s, f);
		to->received_file = arena_text(&r->arena, f->dump[0]);
		to->expected_file = arena_text(&r->arena, f->dump[1]);
	}
	row->verify = v;
	return 0;
}
