/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Looks at workers while they run, without touching them.
 *
 * Counters lie in shared memory, current at any moment.  Latencies do in two places: what
 * was collected (collect.c) and the sets that workers hold.  Reading a set that is being
 * filled may miss the last I/Os; they are in the next look.  So a worker that hangs
 * in a call has all of its figures in the stream although it can't hand them over. */
#include "base/bits.h"
#include "base/err.h"
#include "result/pulse.h"
#include "result/style.h"
#include "run/supervisor.h"

#include <errno.h>

/* Latencies of a row and direction: now, and when the news were last taken. */
struct pulse_hist {
	struct histogram *now, *seen;
};

/* What only this file knows of a row. */
struct pulse_memory {
	uint64_t from_ns; /* when the news were taken, or the window opened; 0: not yet */
	bool over;        /* its last news were taken                                  */
	struct pulse_counts seen[DIRS];
	struct pulse_hist lat[DIRS], response[DIRS];
};

struct pulses {
	struct pulse_row *rows;
	struct pulse_memory *memory;
	struct arena news; /* of one pulse */
	uint64_t due_ns;
	bool aligned; /* due_ns counts from the first window of the wave */
};

/* Pulses come so long after whole intervals of the window, and a job that runs for whole
 * intervals is over by then: else its last line would be of a few ms, and all chance. */
#define PULSE_SLACK_NS(interval_ns) MIN_OF((interval_ns) / 100, 5 * NS_PER_MS)

/* Of the workers of a row together. */
struct pulse_span {
	bool all_over;
	uint64_t start_ns, end_ns; /* of their windows; 0: none opened */
};

static int pulse_hist_make(struct supervisor *s, struct pulse_hist *h, bool used)
{
	if (!used)
		return 0;
	h->now = arena_alloc(&s->arena, sizeof(*h->now));
	h->seen = arena_alloc(&s->arena, sizeof(*h->seen));
	return h->now && h->seen ? 0 : -ENOMEM;
}

static int pulse_row_make(struct supervisor *s, uint32_t r)
{
	const struct plan_row *pr = &s->plan->rows[r];
	const struct plan_worker *first = &s->plan->workers[pr->first_worker];
	struct pulse_row *row = &s->pulses->rows[r];
	struct pulse_memory *m = &s->pulses->memory[r];
	bool response = false;
	int rc = 0;

	*row = (struct pulse_row){
		.name = first->name,
		.number = r + 1,
		.group = pr->group,
		.workers = pr->workers,
		.hidden = first->measure.style->hidden,
	};
	for (uint32_t i = pr->first_worker; i < pr->first_worker + pr->workers; i++) {
		for (int d = 0; d < DIRS; d++)
			row->dir[d].used |= plan_moves(&s->plan->workers[i], d);
		response |= s->plan->workers[i].measure.response;
	}
	for (int d = 0; d < DIRS && rc == 0; d++) {
		rc = pulse_hist_make(s, &m->lat[d], row->dir[d].used && first->measure.lat);
		if (rc == 0)
			rc = pulse_hist_make(s, &m->response[d], row->dir[d].used && response);
	}
	return rc;
}

int pulse_begin(struct supervisor *s, struct err *reterr)
{
	uint32_t rows = s->plan->rows_count;

	if (!s->how->pulse_ns || !s->how->sink || !s->how->sink->pulse)
		return 0;
	s->pulses = arena_alloc(&s->arena, sizeof(*s->pulses));
	int rc = s->pulses ? 0 : -ENOMEM;
	if (rc == 0) {
		s->pulses->rows = arena_array(&s->arena, rows + 1, sizeof(struct pulse_row));
		s->pulses->memory = arena_array(&s->arena, rows + 1,
			sizeof(struct pulse_memory));
		rc = s->pulses->rows && s->pulses->memory ? 0 : -ENOMEM;
	}
	for (uint32_t r = 0; r < rows && rc == 0; r++)
		rc = pulse_row_make(s, r);
	return rc == 0 ? 0
		       : err_set(reterr, rc, "out of memory for the stream of %u rows", rows);
}

/* Its window ended, or its process: from then on nothing is measured. */
static uint64_t pulse_window_end(const struct supervisor *s, uint32_t i)
{
	const struct shared_worker *sh = &s->shared.workers[i];
	return sh->window_end_ns ? sh->window_end_ns : s->workers[i].died_ns;
}

/* When worker I's window opened; 0: it has no figures.  A worker counts in its ramp, too,
 * and forgets that before it publishes the next phase. */
static uint64_t pulse_opened(const struct supervisor *s, uint32_t i)
{
	const struct shared_worker *sh = &s->shared.workers[i];
	return shared_phase(sh) >= WORKER_RUNNING ? shared_opened(sh) : 0;
}

/* The row's totals and what its workers do. */
static struct pulse_span pulse_sum(const struct supervisor *s, uint32_t r)
{
	const struct plan_row *pr = &s->plan->rows[r];
	struct pulse_row *row = &s->pulses->rows[r];
	struct pulse_span span = {.all_over = true};

	row->running = 0;
	row->in_flight = 0;
	for (int d = 0; d < DIRS; d++) {
		row->dir[d].total = (struct pulse_counts){0};
		row->dir[d].lat.sum_ns = 0;
		row->dir[d].response.sum_ns = 0;
	}
	for (uint32_t i = pr->first_worker; i < pr->first_worker + pr->workers; i++) {
		const struct shared_worker *sh = &s->shared.workers[i];
		enum worker_phase phase = shared_phase(sh);
		if (phase >= WORKER_RAMP && phase <= WORKER_SYNCING && !s->workers[i].gone) {
			row->running++;
			row->in_flight += sh->in_flight;
		}
		span.all_over &= s->workers[i].ended;
		uint64_t opened = pulse_opened(s, i);
		if (!opened)
			continue;
		if (!span.start_ns || opened < span.start_ns)
			span.start_ns = opened;
		span.end_ns = MAX_OF(span.end_ns, pulse_window_end(s, i));
		for (int d = 0; d < DIRS; d++) {
			struct pulse_dir *to = &row->dir[d];
			to->total.ios += sh->count[d].ios;
			to->total.bytes += sh->count[d].bytes;
			to->total.errors += sh->count[d].errors;
			to->lat.sum_ns += sh->lat[d].sum;
			to->response.sum_ns += sh->response[d].sum;
		}
	}
	return span;
}

/* A set that its worker may be filling at this moment: what is seen of it is true, if
 * not all of it. */
static void pulse_peek(struct histogram *to, const struct histogram *set)
{
	if (!to || !set || !__atomic_load_n(&set->count, __ATOMIC_RELAXED))
		return;
	uint32_t lo = __atomic_load_n(&set->lo, __ATOMIC_RELAXED);
	uint32_t hi = __atomic_load_n(&set->hi, __ATOMIC_RELAXED);
	for (uint32_t bin = lo; bin <= hi; bin++) {
		uint64_t times = __atomic_load_n(&set->bins[bin], __ATOMIC_RELAXED);
		if (times)
			histogram_record_bin(to, bin, times);
	}
}

static void pulse_collected(struct histogram *now, const struct histogram *collected)
{
	if (!now)
		return;
	histogram_reset(now);
	if (collected)
		histogram_merge(now, collected);
}

/* What was collected and what workers hold. */
static void pulse_latencies(const struct supervisor *s, uint32_t r, int d)
{
	const struct plan_row *pr = &s->plan->rows[r];
	const struct supervised_row *from = &s->rows[r];
	struct histogram *lat = s->pulses->memory[r].lat[d].now;
	struct histogram *response = s->pulses->memory[r].response[d].now;

	pulse_collected(lat, from->lat[d]);
	pulse_collected(response, from->response[d]);
	for (uint32_t i = pr->first_worker; i < pr->first_worker + pr->workers; i++) {
		const struct shared_places *at = &s->shared.places[i];
		if (s->workers[i].ended || !s->workers[i].started || !pulse_opened(s, i))
			continue;
		for (int which = 0; which < 2; which++) {
			pulse_peek(lat, at->set_lat[which][d]);
			pulse_peek(response, at->set_response[which][d]);
		}
	}
}

static void pulse_news(struct supervisor *s, struct pulse_latency *to, struct pulse_hist *h)
{
	to->total = h->now;
	to->news = (struct growth){0};
	if (!h->now || !h->now->count)
		return;
	struct growth_bin *bins = arena_array(&s->pulses->news, growth_room(h->now),
		sizeof(*bins));
	if (!bins)
		return; /* they are still unseen */
	to->news.count = growth_take(h->seen, h->now, bins);
	to->news.bins = bins;
}

/* LISTENS: the news will be taken. */
static void pulse_row(struct supervisor *s, uint32_t r, uint64_t now, bool listens, bool last)
{
	struct pulse_row *row = &s->pulses->rows[r];
	struct pulse_memory *m = &s->pulses->memory[r];
	struct pulse_span span = pulse_sum(s, r);

	row->fresh = span.start_ns && !m->over && listens;
	if (m->over)
		return; /* the totals stay */
	uint64_t began = s->how->started_ns;
	uint64_t from = m->from_ns ? m->from_ns : span.start_ns;
	uint64_t to = span.all_over && span.end_ns ? span.end_ns : now;
	to = MAX_OF(from, to);
	row->from_ns = from - MIN_OF(began, from);
	row->to_ns = to - MIN_OF(began, to);
	for (int d = 0; d < DIRS; d++) {
		struct pulse_dir *dir = &row->dir[d];
		if (!dir->used)
			continue;
		pulse_latencies(s, r, d);
		dir->lat.total = m->lat[d].now;
		dir->response.total = m->response[d].now;
		if (!row->fresh)
			continue;
		dir->news = (struct pulse_counts){
			.ios = dir->total.ios - m->seen[d].ios,
			.bytes = dir->total.bytes - m->seen[d].bytes,
			.errors = dir->total.errors - m->seen[d].errors,
		};
		m->seen[d] = dir->total;
		pulse_news(s, &dir->lat, &m->lat[d]);
		pulse_news(s, &dir->response, &m->response[d]);
	}
	if (row->fresh) {
		m->from_ns = to;
		m->over = span.all_over || last;
	}
}

void pulse_start(struct supervisor *s)
{
	struct pulses *p = s->pulses;

	if (!p)
		return;
	p->aligned = false;
	if (!p->due_ns)
		p->due_ns = clock_now(&s->clock) + s->how->pulse_ns;
}

static void pulse_align(struct supervisor *s)
{
	struct pulses *p = s->pulses;
	uint64_t first = UINT64_MAX;

	for (uint32_t i = s->first; i < s->end; i++) {
		uint64_t opened = pulse_opened(s, i);
		if (opened)
			first = MIN_OF(first, opened);
	}
	if (first == UINT64_MAX)
		return;
	p->aligned = true;
	p->due_ns = first + s->how->pulse_ns + PULSE_SLACK_NS(s->how->pulse_ns);
}

uint64_t pulse_wait(const struct supervisor *s)
{
	if (!s->pulses)
		return UINT64_MAX;
	uint64_t now = clock_now(&s->clock);
	return s->pulses->due_ns - MIN_OF(now, s->pulses->due_ns);
}

void pulse_give(struct supervisor *s, bool last)
{
	struct pulses *p = s->pulses;
	const struct run_sink *sink = s->how->sink;

	if (!p)
		return;
	if (!p->aligned)
		pulse_align(s);
	uint64_t now = clock_now(&s->clock);
	if (!last && now < p->due_ns)
		return;
	bool listens = last || !sink->listens || sink->listens(sink->ctx);
	for (uint32_t r = 0; r < s->plan->rows_count; r++)
		pulse_row(s, r, now, listens, last);
	struct pulse pulse = {
		.elapsed_ns = now - s->how->started_ns,
		.last = last,
		.rows = p->rows,
		.rows_count = s->plan->rows_count,
	};
	sink->pulse(sink->ctx, &pulse);
	arena_done(&p->news);
	if (now >= p->due_ns) /* one that came late does not shift the others */
		p->due_ns += ((now - p->due_ns) / s->how->pulse_ns + 1) * s->how->pulse_ns;
}
