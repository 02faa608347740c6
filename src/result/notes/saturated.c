/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Is a latency that of the device, or that of the queue in front of it?
 *
 * In a closed loop depth = rate * latency, always (Little's law): so a latency that is several
 * times the one of a request that found nobody before it is mostly waiting, and says as much
 * about the depth as about the device.  Two signs of that one request:
 *
 *   the fastest hundredth, where the queue is short now and then;
 *   the first ones, where it never is: a device that takes one after the other (a disk, a
 *   volume with a limit) finds D requests at once, and each that follows is the last of D.
 *
 *   latency                  the first D wait for 0, 1, 2 ... others
 *     ^      . . . . . . .   all later ones for D - 1
 *     |    .
 *     |  .
 *     |.                     Fast ones may also be hits of a cache in the device: those come
 *     +-------------> t      later, too. */
#include "result/notes/notes.h"

#include "base/bits.h"
#include "base/plain.h"
#include "result/words.h"
#include "stat/histogram.h"

#define QUEUE_DEPTH 8
#define QUEUE_RATIO 4.0

/* The bin in which request number RANK from the fastest is, of all directions, records FROM
 * to END; UINT32_MAX: there are fewer. */
static uint32_t low_bin(const struct series *s, uint32_t from, uint32_t end, uint64_t rank)
{
	uint64_t count = 0;
	uint32_t bin = 0;

	/* From below: the lowest bin not counted yet. */
	for (bool first = true; count < rank; first = false) {
		uint32_t next = UINT32_MAX;
		uint64_t in_next = 0;
		for (uint32_t i = from; i < end; i++)
			for (int d = 0; d < DIRS; d++) {
				const struct series_sparse *l = &s->records[i].lat[d];
				for (uint32_t k = 0; k < l->count && l->bins[k].bin <= next;
					k++) {
					if (!first && l->bins[k].bin <= bin)
						continue;
					in_next = l->bins[k].bin < next ? 0 : in_next;
					next = l->bins[k].bin;
					in_next += l->bins[k].count;
				}
			}
		if (next == UINT32_MAX)
			return next;
		bin = next;
		count += in_next;
	}
	return bin;
}

static double ios_per_interval(const struct series *s, uint32_t from, uint32_t end)
{
	uint64_t ios = 0;

	for (uint32_t i = from; i < end; i++)
		for (int d = 0; d < DIRS; d++)
			ios += s->records[i].ios[d];
	return (double)ios / (end - from);
}

/* Were the first of FLIGHT requests that much faster than any later one, though the device did
 * no more of them then?  Of the first an eighth, so that it isn't chance. */
static bool queue_builds(const struct series *s, double flight, uint64_t median,
	uint64_t *ret_first, uint64_t *ret_later)
{
	if (!s->records || !s->interval_ns || median / s->interval_ns >= s->count)
		return false;
	uint32_t begin = (uint32_t)(median / s->interval_ns) + 1;
	if (s->count < 2 * begin + 1)
		return false;
	uint32_t first = low_bin(s, 0, begin, MAX_OF((uint64_t)(flight / 8), UINT64_C(1)));
	uint32_t later = low_bin(s, begin, s->count, 1);
	if (first == UINT32_MAX || later == UINT32_MAX)
		return false;
	*ret_first = histogram_bin_mid(first);
	*ret_later = histogram_bin_mid(later);
	/* the last interval may be a part of one */
	return (double)*ret_later >= QUEUE_RATIO * (double)*ret_first &&
	       ios_per_interval(s, 0, begin) <= 1.5 * ios_per_interval(s, begin, s->count - 1);
}

static const struct result_dir *busiest_of(const struct result_row *row, double *ret_flight)
{
	const struct result_dir *busiest = NULL;

	*ret_flight = 0;
	for (int d = 0; d < DIRS; d++) {
		const struct result_dir *dir = &row->dir[d];
		const struct latency *l = result_latency(dir);
		if (dir->asked_per_s > 0)
			return NULL;
		if (!latency_any(l))
			continue;
		*ret_flight += result_iops(dir) * latency_mean(l) / 1e9;
		busiest = !busiest || dir->ios > busiest->ios ? dir : busiest;
	}
	return busiest;
}

static bool saturated(const struct note_case *c, struct note_found *f)
{
	const struct result_row *row = c->row;
	uint64_t fastest, median, first, later;
	double flight;
	const struct result_dir *busiest = busiest_of(row, &flight);
	const struct latency *l = busiest ? result_latency(busiest) : NULL;

	if (!l || result_depth(row) < QUEUE_DEPTH || row->submit_synchronous ||
		!latency_find(l, 0.01, &fastest) || !latency_find(l, 0.5, &median) || !fastest)
		return false;
	/* By rate and mean, each with its error: never more than there can be. */
	flight = MIN_OF(flight, (double)result_depth(row) * (double)MAX_OF(row->members, 1u));
	note_number(f, "depth", result_depth(row));
	note_number(f, "in_flight_mean", flight);
	note_number(f, "median_ns", (double)median);
	if (l->moments.count >= 1000 && (double)median >= QUEUE_RATIO * (double)fastest) {
		note_number(f, "fastest_percent_ns", (double)fastest);
		return note_say(f,
			"saturated: the median latency (%s) is %s times that of the fastest "
			"requests; %s were in flight on average, and most of a latency is "
			"waiting for the others",
			words_time(median).text,
			plain_number((double)median / (double)fastest, 2).text,
			plain_number(flight, 3).text);
	}
	if (!queue_builds(&row->series, flight, median, &first, &later))
		return false;
	note_number(f, "first_ns", (double)first);
	note_number(f, "later_least_ns", (double)later);
	return note_say(f,
		"saturated: the first requests took %s, and none after the start less than %s; %s "
		"were in flight on average, and most of a latency is waiting for the others",
		words_time(first).text, words_time(later).text, plain_number(flight, 3).text);
}

static const struct note_rule rules[] = {
	{.id = "saturated",
		.weight = NOTE_INFO,
		.scope = NOTE_OF_ROW,
		.remedy = "for latencies, use a lower depth or rate_iops",
		.check = saturated},
};

NOTE_TABLE(notes_saturated, rules);
