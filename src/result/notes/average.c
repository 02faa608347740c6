/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Does the mean of a latency stand for anything that happened? */
#include "result/notes/notes.h"

#include "base/bits.h"
#include "base/plain.h"
#include "result/watch.h"
#include "result/words.h"
#include "stat/shape.h"

#include <math.h>

static const struct latency *latency_of(const struct note_case *c)
{
	const struct latency *l = result_latency(&c->row->dir[c->dir]);
	return latency_any(l) ? l : NULL;
}

/* A worker that waits for a CPU makes two humps of any latency: its own slices, and those of
 * others.  Of 150 runs on loop devices with both CPUs taken by others half were such; of
 * those with less waiting than this, 2. */
#define CPU_WAIT_PERCENT 5.0

static bool for_want_of_cpu(const struct note_case *c)
{
	const struct watch_job *j = note_watch_job(c);
	return j && j->cpu_wait_percent >= CPU_WAIT_PERCENT;
}

static struct words words_of(double ns)
{
	return words_time((uint64_t)llround(ns));
}

static bool say_shape(const struct note_case *c, const struct latency *l, struct note_found *f)
{
	const struct shape s = shape_of(&l->histogram);
	double mean = latency_mean(l);
	uint64_t p50, p90;

	if (!shape_misses_mean(&s) || for_want_of_cpu(c) || !latency_find(l, 0.5, &p50) ||
		!latency_find(l, 0.9, &p90))
		return false;
	note_number(f, "mean_ns", mean);
	note_number(f, "p50_ns", (double)p50);
	note_number(f, "p90_ns", (double)p90);
	note_number(f, "near_mean_percent", 100 * s.near);
	note_number(f, "slower_percent", 100 * s.slower);
	note_number(f, "slower_time_percent", 100 * s.slower_time);
	note_number(f, "slowest_percent_time_percent", 100 * s.slowest_time);
	if (shape_has_humps(&s))
		return note_say(f,
			"hardly any %s took about as long as their mean, %s: most took less (p50 is %s), "
			"and %s %% clearly more, which had %s %% of the time",
			dir_name(c->dir), words_of(mean).text, words_time(p50).text,
			plain_number(100 * s.slower, 2).text,
			plain_number(100 * s.slower_time, 2).text);
	return note_say(f,
		"few and slow %ss make their mean, %s: p90 is %s, and the slowest 1 %% had %s %% of "
		"the time",
		dir_name(c->dir), words_of(mean).text, words_time(p90).text,
		plain_number(100 * s.slowest_time, 2).text);
}

/* Somebody else's percentiles: between them nothing is known. */
static bool say_told(const struct note_case *c, const struct latency *l, struct note_found *f)
{
	double mean = latency_mean(l);
	uint64_t p50, p90;

	if (!latency_find(l, 0.5, &p50) || !latency_find(l, 0.9, &p90) || !p90 ||
		mean < SHAPE_NEAR * (double)p90)
		return false;
	note_number(f, "mean_ns", mean);
	note_number(f, "p50_ns", (double)p50);
	note_number(f, "p90_ns", (double)p90);
	return note_say(f, "few and slow %ss make their mean, %s: p50 is %s and p90 %s",
		dir_name(c->dir), words_of(mean).text, words_time(p50).text,
		words_time(p90).text);
}

static bool mean_misleads(const struct note_case *c, struct note_found *f)
{
	const struct latency *l = latency_of(c);
	uint64_t n = l && l->told && l->told->counted ? l->moments.count
						      : c->row->dir[c->dir].ios;

	if (!l || (l->told && n && n < SHAPE_LEAST))
		return false;
	return l->histogram.count ? say_shape(c, l, f) : say_told(c, l, f);
}

/* A mean alone: a report of somebody else, whose job had switched percentiles off. */
static bool only_means(const struct note_case *c, struct note_found *f)
{
	const struct latency *l = latency_of(c);
	uint64_t ns;

	if (!l || !l->told || c->row->told == NULL || latency_mean(l) <= 0 ||
		latency_find(l, 0.5, &ns) || latency_find(l, 0.99, &ns))
		return false;
	note_number(f, "mean_ns", latency_mean(l));
	return note_say(f,
		"only a mean is known of how long a %s took (%s), and no percentile: neither what is "
		"usual nor how slow the slow ones are",
		dir_name(c->dir), words_of(latency_mean(l)).text);
}

static const struct note_rule rules[] = {
	{.id = "mean-misleads",
		.weight = NOTE_INFO,
		.scope = NOTE_OF_DIR,
		.remedy = "quote p50 and p99, not the mean",
		.check = mean_misleads},
	{.id = "only-means",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_DIR,
		.remedy = "run it with clat_percentiles=1, the default",
		.check = only_means},
};

NOTE_TABLE(notes_average, rules);
