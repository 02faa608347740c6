/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "stat/series.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/limits.h"
#include "base/scope.h"
#include "stat/histogram.h"

/* ---- sparse histograms ---- */

/* The used bins of H, which has some, as a list; NULL without memory. */
static struct series_bin *sparse_from(const struct histogram *h, uint32_t *ret_count)
{
	size_t need = 0;
	for (uint32_t bin = h->lo; bin <= h->hi; bin++)
		need += div_up(h->bins[bin], UINT32_MAX);
	struct series_bin *list = calloc(need, sizeof(*list));
	if (!list)
		return NULL;

	uint32_t n = 0;
	for (uint32_t bin = h->lo; bin <= h->hi; bin++) {
		for (uint64_t left = h->bins[bin]; left; left -= list[n++].count) {
			list[n].bin = bin;
			list[n].count = (uint32_t)MIN_OF(left, (uint64_t)UINT32_MAX);
		}
	}
	*ret_count = n;
	return list;
}

static void sparse_put(struct series_bin *out, uint32_t *n, struct series_bin next)
{
	if (*n && out[*n - 1].bin == next.bin && out[*n - 1].count <= UINT32_MAX - next.count)
		out[*n - 1].count += next.count;
	else
		out[(*n)++] = next;
}

/* Returns false, and leaves TO as it was, when there is no memory. */
static bool sparse_merge(struct series_sparse *to, const struct series_bin *from,
	uint32_t count)
{
	if (!count)
		return true;
	struct series_bin *out = calloc((size_t)to->count + count, sizeof(*out));
	if (!out)
		return false;
	uint32_t n = 0, a = 0, b = 0;
	while (a < to->count || b < count) {
		bool mine = b == count || (a < to->count && to->bins[a].bin <= from[b].bin);
		sparse_put(out, &n, mine ? to->bins[a++] : from[b++]);
	}
	struct series_bin *fit = realloc(out, n * sizeof(*out));
	free(to->bins);
	to->bins = fit ? fit : out;
	to->count = n;
	return true;
}

static bool sparse_add(struct series_sparse *to, const struct histogram *h)
{
	if (!h || !h->count)
		return true;
	uint32_t count = 0;
	scope_mem struct series_bin *list = sparse_from(h, &count);
	return list && sparse_merge(to, list, count);
}

/* ---- records ---- */

static void record_done(struct series_record *r)
{
	for (unsigned d = 0; d < DIRS; d++) {
		free(r->lat[d].bins);
		free(r->response[d].bins);
	}
}

static bool record_merge(struct series_record *to, const struct series_record *from)
{
	bool ok = true;
	for (unsigned d = 0; d < DIRS; d++) {
		to->ios[d] += from->ios[d];
		to->bytes[d] += from->bytes[d];
		ok &= sparse_merge(&to->lat[d], from->lat[d].bins, from->lat[d].count);
		ok &= sparse_merge(&to->response[d], from->response[d].bins,
			from->response[d].count);
	}
	return ok;
}

/* Twice the interval, half the records. */
static void series_coarsen(struct series *s)
{
	for (uint32_t i = 0; i < s->count; i += 2) {
		struct series_record merged = s->records[i];
		if (i + 1 < s->count) {
			s->failed |= !record_merge(&merged, &s->records[i + 1]);
			record_done(&s->records[i + 1]);
		}
		s->records[i / 2] = merged;
	}
	s->count = (s->count + 1) / 2;
	s->interval_ns *= 2;
}

static uint32_t series_most(const struct series *s)
{
	return s->most ? s->most : LIMIT_INTERVALS;
}

static bool series_reserve(struct series *s, uint32_t count)
{
	if (count <= s->room)
		return true;
	uint32_t room = s->room ? 2 * s->room : 16;
	room = MIN_OF(MAX_OF(room, count), series_most(s));
	struct series_record *records = realloc(s->records, room * sizeof(*records));
	if (!records) {
		s->failed = true;
		return false;
	}
	s->records = records;
	s->room = room;
	return true;
}

/* The interval of T_NS; it and all before it exist. NULL without memory. */
static struct series_record *series_at(struct series *s, uint64_t t_ns)
{
	assert(s->interval_ns);
	uint64_t since = t_ns > s->start_ns ? t_ns - s->start_ns : 0;
	while (since / s->interval_ns >= series_most(s))
		series_coarsen(s);
	uint32_t index = (uint32_t)(since / s->interval_ns);
	if (index >= s->count) {
		if (!series_reserve(s, index + 1))
			return NULL;
		memset(&s->records[s->count], 0, (index + 1 - s->count) * sizeof(*s->records));
		s->count = index + 1;
	}
	return &s->records[index];
}

void series_add(struct series *s, uint64_t t_ns, enum dir dir, uint64_t ios, uint64_t bytes,
	const struct histogram *lat, const struct histogram *response)
{
	struct series_record *r = series_at(s, t_ns);
	if (!r)
		return;
	r->ios[dir] += ios;
	r->bytes[dir] += bytes;
	s->failed |= !sparse_add(&r->lat[dir], lat);
	s->failed |= !sparse_add(&r->response[dir], response);
}

void series_merge(struct series *s, const struct series *from)
{
	while (s->interval_ns < from->interval_ns)
		series_coarsen(s);
	for (uint32_t i = 0; i < from->count; i++) {
		uint64_t t_ns = from->start_ns + i * from->interval_ns;
		struct series_record *r = series_at(s, t_ns);
		s->failed |= !r || !record_merge(r, &from->records[i]);
	}
	s->failed |= from->failed;
}

void series_extend(struct series *s, uint64_t t_ns)
{
	if (t_ns > s->start_ns)
		series_at(s, t_ns - 1);
}

void series_done(struct series *s)
{
	for (uint32_t i = 0; i < s->count; i++)
		record_done(&s->records[i]);
	free(s->records);
	s->records = NULL;
	s->count = 0;
	s->room = 0;
}

/* ---- samples ---- */

/* TIMES more samples of VALUE (Welford's update for equal values). STDDEV holds
 * the sum of squared deviations until series_samples() ends. */
static void samples_add(struct samples *sum, double value, uint64_t times)
{
	if (!times)
		return;
	sum->min = sum->count ? fmin(sum->min, value) : value;
	sum->max = sum->count ? fmax(sum->max, value) : value;
	double before = (double)sum->count, added = (double)times;
	double off = value - sum->mean;
	sum->mean += off * added / (before + added);
	sum->stddev += off * off * before * added / (before + added);
	sum->count += times;
}

static double series_sum(const struct series *s, unsigned dirs, enum series_rate what,
	uint64_t first, uint64_t count)
{
	uint64_t sum = 0;
	for (uint64_t i = first; i < MIN_OF(first + count, (uint64_t)s->count); i++) {
		const struct series_record *r = &s->records[i];
		for (int dir = 0; dir < DIRS; dir++)
			if (dirs >> dir & 1)
				sum += what == SERIES_BYTES ? r->bytes[dir] : r->ios[dir];
	}
	return (double)sum;
}

struct samples series_samples(const struct series *s, unsigned dirs, enum series_rate what,
	uint64_t step_ns, uint64_t end_ns)
{
	struct samples sum = {0};
	if (end_ns <= s->start_ns || !s->interval_ns)
		return sum;
	uint64_t per_step = MAX_OF(step_ns / s->interval_ns, UINT64_C(1));
	uint64_t step = per_step * s->interval_ns;
	uint64_t whole = (end_ns - s->start_ns) / step;
	uint64_t rest_ns = (end_ns - s->start_ns) % step;
	double scale = (double)NS_PER_S;

	uint64_t written = MIN_OF(whole, div_up(s->count, per_step));
	for (uint64_t i = 0; i < written; i++) {
		double value = series_sum(s, dirs, what, i * per_step, per_step);
		samples_add(&sum, value * scale / (double)step, 1);
	}
	samples_add(&sum, 0, whole - written);
	if (rest_ns >= step - rest_ns) {
		double value = series_sum(s, dirs, what, whole * per_step, per_step);
		samples_add(&sum, value * scale / (double)rest_ns, 1);
	}
	sum.stddev = sum.count > 1 ? sqrt(sum.stddev / (double)(sum.count - 1)) : 0;
	return sum;
}
