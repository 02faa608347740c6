/* HOT: what is recorded of each I/O, inlined into both loops.
 *
 * SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors
 *
 * The rule: rates count completions inside the window; latencies count what was
 * issued (on a schedule: due) inside it, whenever it completes.  The total latency
 * goes into the interval's histogram only: the supervisor adds the intervals up,
 * so a request costs one histogram less.
 *
 * A ramp is recorded like everything else, and forgotten when the window opens: so a
 * job that ends within its ramp has figures.
 *
 * T0 prepared_ns, T1 submitted_ns, T2 reaped (docs/internals/time.md): slat = T1 - T0,
 * clat = T2 - T1, lat = T2 - T0, on a schedule response = T2 - due.  One writer, the worker;
 * the supervisor reads counters while they grow. */
#pragma once

#include "base/bits.h"
#include "run/worker.h"

/* V, TIMES times.  The sum of squares has 128 bits: exact, so that merging is. */
static inline void account_moments(struct moments *m, uint64_t v, uint64_t times)
{
	/* New extremes are rare: a branch is cheaper than a conditional move. */
	if (unlikely(v < m->min || !m->count))
		m->min = v;
	if (unlikely(v > m->max))
		m->max = v;
	m->count += times;
	m->sum += v * times;
	m->sum_squares += (uint128)v * v * times;
}

/* The same with its bin; L NULL: this kind isn't measured.  A batch is one call with its
 * size as TIMES, since its stamps are the same. */
static inline void account_latency(struct latency *l, uint64_t v, uint64_t times)
{
	if (!l)
		return;
	account_moments(&l->moments, v, times);
	histogram_record_bin(&l->histogram, histogram_bin(v), times);
}

/* BYTES in all of TIMES requests of direction D completed at T_NS. */
static inline void account_rate(struct worker *w, enum dir d, uint64_t times, uint64_t bytes,
	uint64_t t_ns)
{
	struct shared_counts *c = &w->sh->count[d];

	c->live_ios += times;
	c->live_bytes += bytes;
	w->last_ns = t_ns;
	c->issued += times;
	if (unlikely(t_ns > w->window_end_ns))
		return;
	if (unlikely(t_ns >= w->set_end_ns))
		worker_turn_set(w, t_ns);
	struct shared_set *set = w->filling;
	set->used = 1;
	set->ios[d] += times;
	set->bytes[d] += bytes;
	c->ios += times;
	c->bytes += bytes;
}

/* TIMES requests of direction D with a total latency of LAT. */
static inline void account_lat(struct worker *w, enum dir d, uint64_t lat, uint64_t times)
{
	struct histogram *h = w->filling_lat[d];
	if (!h)
		return;
	account_moments(&w->sh->lat[d], lat, times);
	histogram_record_bin(h, histogram_bin(lat), times);
	w->filling->used = 1;
}

/* IO had a due time: response time and lateness. */
static inline void account_schedule(struct worker *w, enum dir d, const struct io *io,
	uint64_t done_ns)
{
	struct histogram *h = w->filling_response[d];
	uint64_t late = io->prepared_ns > io->due_ns ? io->prepared_ns - io->due_ns : 0;

	w->sh->count[d].due++;
	w->sh->count[d].late += late > w->late_ns;
	account_latency(w->at->lateness[d], late, 1);
	if (h) {
		account_moments(&w->sh->response[d], done_ns - io->due_ns, 1);
		histogram_record(h, done_ns - io->due_ns);
	}
}

/* Does IO's latency count: was it due, or issued, after the window opened? */
static inline bool account_in_window(const struct worker *w, const struct io *io)
{
	uint64_t from = io->due_ns ? io->due_ns : io->prepared_ns;
	return from >= w->window_start_ns;
}

/* N requests with the same stamps, direction and size, complete at T2, to the logs. */
static inline void account_log(struct worker *w, struct io *const *ios, unsigned n, uint64_t t2)
{
	const struct io *io = ios[0];
	unsigned counts = t2 <= w->window_end_ns ? LOG_RATE : 0;

	if (io->kind > IO_TRIM || !w->sh->window_start_ns || w->sh->ramp_only)
		return; /* a ramp is in no log */
	if (account_in_window(w, io))
		counts |= LOG_LATENCY;
	if (counts)
		log_feed_ios(w->log, ios, n, t2, counts);
}

/* Where a queue of depth D stands in the seven buckets 1 2 4 8 16 32 >=64. */
static inline unsigned account_depth_bucket(unsigned depth)
{
	return MIN_OF(bits_top(depth | 1), 6u);
}

/* N requests were issued when BEFORE were in flight. */
static inline void account_depths(struct shared_worker *sh, unsigned before, unsigned n)
{
	unsigned lo = before + 1, hi = before + n;
	for (unsigned b = account_depth_bucket(lo); b <= account_depth_bucket(hi); b++) {
		unsigned from = MAX_OF(lo, 1u << b);
		unsigned to = b == 6 ? hi : MIN_OF(hi, (2u << b) - 1);
		sh->depths[b] += to - from + 1;
	}
}

/* Buckets of requests per call: 0, 1-4, 5-8, 9-16, 17-32, 33-64, more. */
static inline unsigned account_call_bucket(unsigned n)
{
	if (n <= 4)
		return n > 0;
	return MIN_OF(bits_top(n - 1), 6u);
}
