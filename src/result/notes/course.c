/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* How a job went on: did its rate or its p99 change, was it steady, did it stand still?
 *
 * Judged by the seconds of its series; of long runs, by at most POINTS equal parts. */
#include "result/notes/notes.h"

#include "base/bits.h"
#include "base/plain.h"
#include "result/watch.h"
#include "result/words.h"
#include "stat/change.h"
#include "stat/histogram.h"
#include "stat/steady.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define POINTS 1000

struct course {
	double rate[POINTS];  /* I/Os per second                                 */
	double p99[POINTS];   /* ns; 0: too few I/Os                            */
	double bytes[POINTS]; /* written                                        */
	uint32_t count;
	double step_s;
	uint64_t step_ns, start_ns;
	bool p99_known;
};

#define P99_LEAST 200 /* I/Os a point: two of them are above it */

/* Of all directions together, records FROM to END: bins stand in order in each list. */
static double p99_of(const struct series *s, uint32_t from, uint32_t end, uint64_t ios)
{
	uint64_t beyond = ios / 100, above = 0;
	uint32_t limit = UINT32_MAX;

	/* From the top: the highest bin below the last one taken. */
	for (;;) {
		uint32_t bin = 0;
		uint64_t count = 0;
		for (uint32_t i = from; i < end; i++)
			for (int d = 0; d < DIRS; d++) {
				const struct series_sparse *l = &s->records[i].lat[d];
				for (uint32_t k = l->count; k && l->bins[k - 1].bin >= bin;
					k--) {
					if (l->bins[k - 1].bin >= limit)
						continue;
					count = l->bins[k - 1].bin > bin ? 0 : count;
					bin = l->bins[k - 1].bin;
					count += l->bins[k - 1].count;
				}
			}
		above += count;
		if (!count || above > beyond)
			return count ? (double)histogram_bin_mid(bin) : 0;
		limit = bin;
	}
}

static void course_point(const struct series *s, uint32_t from, uint32_t end,
	struct course *ret)
{
	uint64_t ios = 0, bytes = 0;

	for (uint32_t i = from; i < end; i++) {
		for (int d = 0; d < DIRS; d++)
			ios += s->records[i].ios[d];
		bytes += s->records[i].bytes[DIR_WRITE];
	}
	ret->rate[ret->count] = (double)ios / ret->step_s;
	ret->bytes[ret->count] = (double)bytes;
	ret->p99[ret->count] = ios >= P99_LEAST ? p99_of(s, from, end, ios) : 0;
	ret->p99_known &= ret->p99[ret->count] > 0;
	ret->count++;
}

/* The last part, which the job may not have filled, counts for nothing. */
static bool course_make(const struct result_row *row, struct course *ret)
{
	const struct series *s = &row->series;

	ret->count = 0;
	if (!s->interval_ns || !s->count || row->ramp_only || !s->records)
		return false;
	uint64_t every = div_up(NS_PER_S, s->interval_ns);
	every = MAX_OF(every, div_up((uint64_t)s->count, (uint64_t)POINTS));
	ret->step_ns = every * s->interval_ns;
	ret->step_s = (double)ret->step_ns / 1e9;
	ret->start_ns = s->start_ns;
	ret->p99_known = true;
	for (uint64_t i = 0; i + every < s->count && ret->count < POINTS; i += every)
		course_point(s, (uint32_t)i, (uint32_t)(i + every), ret);
	/* A log of bytes has no I/Os. */
	return steady_mean(ret->rate, ret->count) > 0;
}

/* ---- changes of the rate ---- */

/* Another job began or ended then: that explains it. */
static bool explained(const struct note_case *c, const struct course *k, uint32_t at)
{
	uint64_t t = k->start_ns + at * k->step_ns, near = 2 * k->step_ns;

	for (uint32_t i = 0; i < c->result->rows_count; i++) {
		const struct result_row *row = &c->result->rows[i];
		uint64_t begin = row->window_start_ns, end = row->window_end_ns;
		if (row == c->row || !begin)
			continue;
		if ((t + near > begin && t < begin + near) ||
			(t + near > end && t < end + near))
			return true;
	}
	return false;
}

/* Where the answer lies in what was watched. */
static const char *by_heat(const struct note_case *c)
{
	const struct watch *w = c->result->watch;
	bool drive = false;

	for (uint32_t i = 0; w && i < w->drives_count; i++)
		drive |= w->drives[i].throttled != FACT_UNKNOWN && w->drives[i].throttled;
	if (drive)
		return "the drive slowed itself down because of its heat";
	return w && w->run.heat_throttled != FACT_UNKNOWN && w->run.heat_throttled
		       ? "CPUs were slowed down by heat meanwhile"
		       : NULL;
}

static uint32_t turns(const struct changes *found)
{
	uint32_t count = 0;
	for (uint32_t i = 1; i < found->count; i++)
		count += (found->v[i].after > found->v[i].before) !=
			 (found->v[i - 1].after > found->v[i - 1].before);
	return count;
}

static void say_once(const struct note_case *c, const struct course *k,
	const struct change *one, struct note_found *f)
{
	double at_s = one->at * k->step_s, written = 0;
	const struct watch_job *j = note_watch_job(c);
	const char *heat = by_heat(c), *why = NULL;
	char after[64] = "";

	for (uint32_t i = 0; i < one->at; i++)
		written += k->bytes[i];
	note_number(f, "at_s", at_s);
	note_number(f, "before_ios_per_s", one->before);
	note_number(f, "after_ios_per_s", one->after);
	if (written > 0) {
		note_number(f, "written_bytes", written);
		snprintf(after, sizeof(after), ", when %s GB were written",
			plain_number(written / 1e9, 3).text);
	}
	if (one->after > one->before && one->at * 4 <= k->count) {
		note_remedy(f, "leave it out with ramp_time=%.0f", ceil(at_s));
		why = "it warmed up, and that is in the means";
	} else if (one->after < one->before && heat) {
		why = heat;
	} else if (one->after < 0.8 * one->before && written > 0 && j && j->buffered == 1) {
		why = "memory was full then, and only the later part is the device's speed";
	} else if (one->after < 0.8 * one->before && written > 0) {
		why = "a write cache (SLC, say) was full then, or space had to be cleaned first";
	}
	note_say(f, "went from %s to %s after %.0f s%s%s%s", words_rate(one->before, 0, 1).text,
		words_rate(one->after, 0, 0).text, at_s, after, why ? ": " : "",
		why ? why : "");
}

static void say_many(const struct course *k, const struct changes *found, struct note_found *f)
{
	double least = INFINITY, most = 0;

	for (uint32_t i = 0; i < found->count; i++) {
		least = fmin(least, fmin(found->v[i].before, found->v[i].after));
		most = fmax(most, fmax(found->v[i].before, found->v[i].after));
	}
	note_number(f, "changes", found->count);
	note_number(f, "first_at_s", found->v[0].at * k->step_s);
	note_number(f, "least_ios_per_s", least);
	note_number(f, "most_ios_per_s", most);
	bool waves = found->count >= 4 && turns(found) + 1 >= found->count / 2 + 1;
	note_say(f, "changed %" PRIu32 " times between %s and %s, first after %.0f s%s",
		found->count, words_rate(least, 0, 1).text, words_rate(most, 0, 0).text,
		found->v[0].at * k->step_s,
		waves ? ": garbage collection, write-back or another user come and go" : "");
}

static bool rate_changed(const struct note_case *c, struct note_found *f)
{
	struct changes found;
	struct course k;

	if (!course_make(c->row, &k) || changes_find(k.rate, k.count, &found) < 0)
		return false;
	for (uint32_t i = 0; i < found.count; i++)
		if (explained(c, &k, found.v[i].at))
			return false;
	if (found.trend) {
		note_number(f, "from_ios_per_s", found.from);
		note_number(f, "to_ios_per_s", found.to);
		return note_say(f,
			"went steadily from %s to %s: there is no rate that its mean stands for",
			words_rate(found.from, 0, 1).text, words_rate(found.to, 0, 0).text);
	}
	if (found.turns) {
		note_number(f, "turns", found.turns);
		note_number(f, "least_ios_per_s", found.low);
		note_number(f, "most_ios_per_s", found.high);
		return note_say(f,
			"went to and fro between %s and %s, %" PRIu32
			" times: garbage collection, write-back or another user come and go",
			words_rate(found.low, 0, 1).text, words_rate(found.high, 0, 0).text,
			found.turns);
	}
	if (found.count == 1)
		say_once(c, &k, &found.v[0], f);
	else if (found.count)
		say_many(&k, &found, f);
	return found.count > 0;
}

/* A p99 of a second moves by a tenth as it likes. */
#define P99_RATIO 1.5

static bool tail_changed(const struct note_case *c, struct note_found *f)
{
	struct changes rate, p99;
	struct course k;

	if (!course_make(c->row, &k) || !k.p99_known ||
		changes_find(k.rate, k.count, &rate) < 0 || rate.count || rate.trend ||
		rate.turns || changes_find(k.p99, k.count, &p99) < 0 || p99.count != 1)
		return false;
	const struct change *one = &p99.v[0];
	double least = fmin(one->before, one->after), most = fmax(one->before, one->after);
	if (most < P99_RATIO * least || explained(c, &k, one->at))
		return false;
	note_number(f, "at_s", one->at * k.step_s);
	note_number(f, "before_ns", one->before);
	note_number(f, "after_ns", one->after);
	return note_say(f, "its p99 latency went from %s to %s after %.0f s, at the same rate",
		words_time((uint64_t)one->before).text, words_time((uint64_t)one->after).text,
		one->at * k.step_s);
}

/* ---- steadiness ---- */

#define ROUNDS       5
#define STEADY_LEAST 20 /* seconds: five rounds of two */

static bool unsteady(const struct note_case *c, struct note_found *f)
{
	double rounds[ROUNDS];
	struct changes found;
	struct course k;

	if (c->row->steady || !course_make(c->row, &k) || k.count < STEADY_LEAST ||
		changes_find(k.rate, k.count, &found) < 0 || found.count || found.trend ||
		found.turns)
		return false;
	uint32_t each = k.count / 2 / ROUNDS, from = k.count - each * ROUNDS;
	double least = INFINITY, most = 0;
	for (uint32_t i = 0; i < ROUNDS; i++) {
		rounds[i] = steady_mean(k.rate + from + i * each, each);
		least = fmin(least, rounds[i]);
		most = fmax(most, rounds[i]);
	}
	if (change_steady(rounds, ROUNDS) || most <= 0)
		return false;
	double mean = steady_mean(rounds, ROUNDS);
	note_number(f, "range_percent", 100 * (most - least) / mean);
	note_number(f, "slope_percent",
		100 * steady_slope(rounds, ROUNDS) * (ROUNDS - 1) / mean);
	return note_say(f,
		"not steady by SNIA's rule: in five rounds of its second half it went between %s "
		"and %s",
		words_rate(least, 0, 1).text, words_rate(most, 0, 0).text);
}

/* ---- nothing at all ---- */

static bool paced(const struct result_row *row)
{
	for (uint32_t i = 0; i < row->options_count; i++) {
		const char *name = row->options[i].name;
		if (name && (!strncmp(name, "thinktime", 9) || !strcmp(name, "flow")))
			return true;
	}
	for (int d = 0; d < DIRS; d++)
		if (row->dir[d].asked_per_s > 0)
			return true; /* rate-not-reached says it */
	return false;
}

/* What was issued came back when the window was over, so it has no course. */
static bool nothing_at_all(const struct result_row *row)
{
	for (int d = 0; d < DIRS; d++)
		if (row->dir[d].ios || row->dir[d].bytes)
			return false;
	return row->runtime_ns >= NS_PER_S;
}

static bool no_io(const struct note_case *c, struct note_found *f)
{
	struct course k;
	uint32_t none = 0, first = 0;

	if (paced(c->row) || !result_row_did_io(c->row))
		return false;
	if (nothing_at_all(c->row)) {
		double all_s = (double)c->row->runtime_ns / (double)NS_PER_S;
		note_number(f, "nothing_s", all_s);
		note_number(f, "first_at_s", 0);
		return note_say(f, "nothing came back in all of its %.1f s, only afterwards",
			all_s);
	}
	if (!course_make(c->row, &k))
		return false;
	for (uint32_t i = 0; i < k.count; i++) {
		if (k.rate[i] > 0)
			continue;
		first = none ? first : i;
		none++;
	}
	if (!none || c->row->stopped_ns >= none * k.step_ns)
		return false;
	note_number(f, "nothing_s", none * k.step_s);
	note_number(f, "first_at_s", first * k.step_s);
	return note_say(f, "nothing came back for %.0f s in all, first %.0f s after its start",
		none * k.step_s, first * k.step_s);
}

#define COURSE(name, w, fn, todo)                                                              \
	{                                                                                      \
		.id = name, .weight = w, .scope = NOTE_OF_ROW, .check = fn, .remedy = todo     \
	}

static const struct note_rule rules[] = {
	COURSE("rate-changed", NOTE_DOUBTFUL, rate_changed,
		"measure the part that you mean, longer"),
	COURSE("tail-changed", NOTE_INFO, tail_changed, NULL),
	COURSE("unsteady", NOTE_DOUBTFUL, unsteady, "measure longer, or with steadystate"),
	COURSE("no-io", NOTE_DOUBTFUL, no_io, "the device's log and dmesg may say why"),
};

NOTE_TABLE(notes_course, rules);
