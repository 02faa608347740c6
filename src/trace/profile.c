/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "trace/profile.h"

#include "base/bits.h"
#include "base/rng.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_SIZES  4096  /* different sizes of a kind; more are counted by their mean only */
#define LOOK_ENDS   8     /* streams that are followed at a time, of a kind on a file */
#define LOOK_FLIGHT 65536 /* requests in flight; a power of two */
#define LOOK_DEPTHS 4096
#define LOOK_BINS   256 /* of offsets, while the range is not known yet */
#define LOOK_BIN    (UINT64_C(64) << 10)
#define LOOK_PART   (100 * NS_PER_MS)

/* One file or device. */
struct look_place {
	uint64_t ends[PROFILE_KINDS][LOOK_ENDS];
	uint8_t next[PROFILE_KINDS];
	bool any;
	uint64_t end;
};

/* What is in flight, by where it ends: parts of one that come back before the last don't. */
struct look_flight {
	uint64_t keys[LOOK_FLIGHT]; /* 0: free */
	uint32_t count;
};

struct profile_look {
	struct trace_profile p;
	struct profile_size sizes[PROFILE_KINDS][LOOK_SIZES];
	struct look_place *places;
	uint32_t places_count;
	struct look_flight flight, queued; /* of devices that issue; of those that don't */
	bool issues, dones;
	uint64_t depths[LOOK_DEPTHS], queued_depths[LOOK_DEPTHS];
	uint64_t bins[LOOK_BINS], bin_bytes;
	uint64_t first_ns, last_ns;
	uint64_t gaps;
	double gap_mean, gap_squares; /* Welford's */
};

struct profile_look *profile_look_new(void)
{
	struct profile_look *l = calloc(1, sizeof(*l));

	if (l) {
		l->bin_bytes = LOOK_BIN;
		l->p.part_ns = LOOK_PART;
	}
	return l;
}

void profile_look_free(struct profile_look *l)
{
	if (l)
		free(l->places);
	free(l);
}

static struct look_place *look_place(struct profile_look *l, uint32_t name)
{
	if (name >= l->places_count) {
		uint32_t count = MAX_OF(l->places_count * 2, name + 16);
		struct look_place *more = realloc(l->places, count * sizeof(*more));
		if (!more)
			return NULL;
		memset(more + l->places_count, 0, (count - l->places_count) * sizeof(*more));
		l->places = more;
		l->places_count = count;
	}
	return &l->places[name];
}

/* ---- in flight ---- */

static uint64_t flight_key(const struct trace_record *r)
{
	return rng_mix((r->offset + r->bytes) / 512 ^ (uint64_t)r->name << 56) | 1;
}

static void flight_add(struct look_flight *f, uint64_t key)
{
	uint64_t at = key;

	if (f->count >= LOOK_FLIGHT / 2)
		return;
	while (f->keys[at % LOOK_FLIGHT] && f->keys[at % LOOK_FLIGHT] != key)
		at++;
	f->count += !f->keys[at % LOOK_FLIGHT];
	f->keys[at % LOOK_FLIGHT] = key;
}

/* Those behind the gap move up where that brings them nearer to their place. */
static void flight_close(struct look_flight *f, uint64_t gap)
{
	for (uint64_t at = gap + 1; f->keys[at % LOOK_FLIGHT]; at++) {
		uint64_t home = f->keys[at % LOOK_FLIGHT];
		if ((at - home) % LOOK_FLIGHT < (at - gap) % LOOK_FLIGHT)
			continue;
		f->keys[gap % LOOK_FLIGHT] = home;
		gap = at;
	}
	f->keys[gap % LOOK_FLIGHT] = 0;
}

static void flight_remove(struct look_flight *f, uint64_t key)
{
	uint64_t at = key;

	while (f->keys[at % LOOK_FLIGHT] && f->keys[at % LOOK_FLIGHT] != key)
		at++;
	if (!f->keys[at % LOOK_FLIGHT])
		return;
	f->count--;
	flight_close(f, at);
}

static void depth_count(uint64_t *depths, uint32_t depth)
{
	depths[MIN_OF(depth, LOOK_DEPTHS - 1u)]++;
}

static void look_issued(struct profile_look *l, const struct trace_record *r)
{
	l->issues = true;
	flight_add(&l->flight, flight_key(r));
	depth_count(l->depths, l->flight.count);
}

static void look_done(struct profile_look *l, const struct trace_record *r)
{
	l->dones = true;
	flight_remove(&l->flight, flight_key(r));
	if (!l->issues)
		flight_remove(&l->queued, flight_key(r));
}

/* ---- where ---- */

static bool place_follows(struct look_place *p, const struct trace_record *r)
{
	uint64_t *ends = p->ends[r->action];

	for (unsigned i = 0; i < LOOK_ENDS; i++)
		if (ends[i] && ends[i] == r->offset) {
			ends[i] = r->offset + r->bytes;
			return true;
		}
	ends[p->next[r->action]++ % LOOK_ENDS] = r->offset + r->bytes;
	return false;
}

/* The range is as large as it turns out to be: two bins become one when it is more. */
static void look_bin(struct profile_look *l, uint64_t offset)
{
	while (offset / l->bin_bytes >= LOOK_BINS) {
		for (unsigned i = 0; i < LOOK_BINS / 2; i++)
			l->bins[i] = l->bins[2 * i] + l->bins[2 * i + 1];
		memset(l->bins + LOOK_BINS / 2, 0, sizeof(l->bins) / 2);
		l->bin_bytes *= 2;
	}
	l->bins[offset / l->bin_bytes]++;
}

static int look_where(struct profile_look *l, const struct trace_record *r)
{
	struct look_place *p = look_place(l, r->name);

	if (!p)
		return -ENOMEM;
	if (!place_follows(p, r)) {
		l->p.random[r->action]++;
		look_bin(l, r->offset);
	}
	p->end = MAX_OF(p->end, r->offset + r->bytes);
	p->any = true;
	return 0;
}

/* ---- how large, when ---- */

static void look_size(struct profile_look *l, const struct trace_record *r)
{
	struct profile_size *sizes = l->sizes[r->action];
	uint64_t at = rng_mix(r->bytes);

	for (unsigned i = 0; i < LOOK_SIZES; i++) {
		struct profile_size *s = &sizes[(at + i) % LOOK_SIZES];
		if (s->bytes && s->bytes != r->bytes)
			continue;
		s->bytes = r->bytes;
		s->ios++;
		return;
	}
}

static void look_time(struct profile_look *l, const struct trace_record *r)
{
	struct trace_profile *p = &l->p;

	if (!profile_ios(p)) {
		l->first_ns = r->time_ns;
	} else {
		double gap = (double)(r->time_ns - l->last_ns), off = gap - l->gap_mean;
		l->gap_mean += off / (double)++l->gaps;
		l->gap_squares += off * (gap - l->gap_mean);
	}
	l->last_ns = r->time_ns;
	uint64_t since = r->time_ns - l->first_ns;
	while (since / p->part_ns >= PROFILE_PARTS) {
		for (unsigned i = 0; i < PROFILE_PARTS / 2; i++)
			p->parts[i] = p->parts[2 * i] + p->parts[2 * i + 1];
		memset(p->parts + PROFILE_PARTS / 2, 0, sizeof(p->parts) / 2);
		p->part_ns *= 2;
	}
	p->parts[since / p->part_ns]++;
}

int profile_look_add(struct profile_look *l, const struct trace_record *r)
{
	if (r->action == TRACE_ISSUED)
		look_issued(l, r);
	if (r->action == TRACE_DONE)
		look_done(l, r);
	if (r->action == TRACE_SYNC || r->action == TRACE_DATASYNC)
		l->p.ios[r->action]++;
	if (r->action > TRACE_TRIM)
		return 0;
	look_time(l, r);
	look_size(l, r);
	if (!l->issues) {
		flight_add(&l->queued, flight_key(r));
		depth_count(l->queued_depths, l->queued.count);
	}
	l->p.ios[r->action]++;
	l->p.bytes[r->action] += r->bytes;
	return look_where(l, r);
}

/* ---- the end ---- */

static int size_order(const void *left, const void *right)
{
	const struct profile_size *a = left, *b = right;

	if (a->ios != b->ios)
		return a->ios > b->ios ? -1 : 1;
	return a->bytes < b->bytes ? -1 : a->bytes > b->bytes;
}

static uint32_t depth_quantile(const uint64_t *depths, double q)
{
	uint64_t all = 0, sum = 0;

	for (unsigned i = 0; i < LOOK_DEPTHS; i++)
		all += depths[i];
	for (uint32_t i = 0; i < LOOK_DEPTHS && all; i++) {
		sum += depths[i];
		if (depths[i] && (double)sum >= q * (double)all)
			return i;
	}
	return 0;
}

/* Of devices that give nothing back in the trace (an iolog) nothing is known. */
static void end_depth(struct profile_look *l)
{
	const uint64_t *depths = l->issues ? l->depths : l->queued_depths;

	if (!l->dones)
		return;
	l->p.depth_median = depth_quantile(depths, 0.5);
	l->p.depth_p95 = depth_quantile(depths, 0.95);
	l->p.depth_max = depth_quantile(depths, 1);
}

static void end_places(struct profile_look *l)
{
	struct trace_profile *p = &l->p;

	for (uint32_t i = 0; i < l->places_count; i++) {
		if (!l->places[i].any)
			continue;
		p->places++;
		p->range_bytes += l->places[i].end;
		p->end = l->places[i].end;
	}
	for (unsigned i = 0; i < LOOK_BINS && p->places == 1; i++) {
		double middle = ((double)i + 0.5) * (double)l->bin_bytes;
		unsigned zone = (unsigned)(middle * PROFILE_ZONES / (double)p->end);
		p->zones[MIN_OF(zone, PROFILE_ZONES - 1u)] += l->bins[i];
	}
}

void profile_look_end(struct profile_look *l, struct trace_profile *ret)
{
	struct trace_profile *p = &l->p;

	for (int k = 0; k < PROFILE_KINDS; k++) {
		qsort(l->sizes[k], LOOK_SIZES, sizeof(l->sizes[k][0]), size_order);
		for (unsigned i = 0; i < PROFILE_SIZES && l->sizes[k][i].ios; i++)
			p->sizes[k][p->sizes_count[k]++] = l->sizes[k][i];
	}
	if (profile_ios(p)) {
		p->span_ns = l->last_ns - l->first_ns;
		p->parts_count = (uint32_t)(p->span_ns / p->part_ns) + 1;
	}
	if (l->gaps > 1 && l->gap_mean > 0)
		p->gap_variation = sqrt(l->gap_squares / (double)l->gaps) / l->gap_mean;
	end_depth(l);
	end_places(l);
	*ret = *p;
}

uint64_t profile_ios(const struct trace_profile *p)
{
	return p->ios[TRACE_READ] + p->ios[TRACE_WRITE] + p->ios[TRACE_TRIM];
}

double profile_iops(const struct trace_profile *p)
{
	uint64_t ios = profile_ios(p);
	return p->span_ns ? (double)(ios - 1) * 1e9 / (double)p->span_ns : 0;
}

double profile_share(const struct trace_profile *p, enum trace_action kind)
{
	uint64_t ios = profile_ios(p);
	return ios ? (double)p->ios[kind] / (double)ios : -1;
}

double profile_random(const struct trace_profile *p, enum trace_action kind)
{
	return p->ios[kind] ? (double)p->random[kind] / (double)p->ios[kind] : -1;
}

double profile_size(const struct trace_profile *p, enum trace_action kind)
{
	return p->ios[kind] ? (double)p->bytes[kind] / (double)p->ios[kind] : 0;
}
