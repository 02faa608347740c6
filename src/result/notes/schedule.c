/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Was the load the one that was asked for, at the time it was asked for? */
#include "result/notes/notes.h"

#include "base/bits.h"
#include "result/watch.h"
#include "result/words.h"

#include <inttypes.h>
#include <stdio.h>

/* As many as asked in all, but not when they were due. */
static bool on_average(const struct result_dir *d, double got)
{
	return got >= 0.99 * d->asked_per_s;
}

static void say_rate(const struct result_dir *d, enum dir dir, double got, uint64_t latest_ns,
	struct note_found *f)
{
	char missed[80] = "";

	if (d->missed)
		snprintf(missed, sizeof(missed), ", %" PRIu64 " never issued", d->missed);
	note_say(f,
		"rate not %s: asked %s, got %s%s (%s); %" PRIu64 " of %" PRIu64
		" arrivals (%s) came late, by up to %s%s",
		on_average(d, got) ? "kept" : "reached",
		words_rate(d->asked_per_s, d->asked_bytes, 0).text,
		words_rate(got, d->asked_bytes, 1).text,
		on_average(d, got) ? " on average" : "", dir_name(dir), d->late, d->due,
		words_share(d->late, d->due).text, words_time(latest_ns).text, missed);
}

/* The generator's own lag: the target had nothing to do for most of the time, but workers
 * waited for a CPU. */
#define TARGET_IDLE  0.3
#define WAIT_PERCENT 1.0

static bool had_no_cpu(const struct note_case *c, const struct result_dir *d)
{
	const struct watch_job *j = note_watch_job(c);
	const struct latency *l = result_latency(d);
	double depth = MAX_OF(result_depth(c->row), 1u) * (double)MAX_OF(c->row->members, 1u);

	return j && j->cpu_wait_percent >= WAIT_PERCENT && latency_any(l) &&
	       result_iops(d) * latency_mean(l) / 1e9 < TARGET_IDLE * depth;
}

/* A few late ones of few arrivals: where each is late with a chance of 1 %, as many as
 * these come more often than in one of 20 runs (Poisson's law; the limits are where it
 * says 5 %). */
static bool by_chance(uint64_t late, uint64_t due)
{
	static const uint64_t limits[] = {0, 5, 35, 81, 136};
	return late < COUNT_OF(limits) && due > limits[late];
}

static bool rate_not_reached(const struct note_case *c, struct note_found *f)
{
	const struct result_dir *d = &c->row->dir[c->dir];

	if (!d->due || d->late + d->missed <= d->due / 100 ||
		by_chance(d->late + d->missed, d->due) || c->row->replay.on)
		return false; /* of a replay: see replay.c */
	double got = d->asked_bytes ? result_bw(d) : result_iops(d);
	uint64_t latest_ns = d->lateness && d->lateness->moments.count
				     ? d->lateness->moments.max
				     : 0;
	say_rate(d, c->dir, got, latest_ns, f);
	note_remedy(f, "%s",
		had_no_cpu(c, d)
			? "the target was idle, but weir's workers had no CPU when I/Os "
			  "were due: stop other programs"
		: on_average(d, got)
			? "the load stalled and caught up, so look at the response time, not at "
			  "the service time"
			: "the target can't serve it at this depth; ask for less, or raise iodepth "
			  "or numjobs");
	note_number(f, d->asked_bytes ? "asked_bytes_per_s" : "asked_ios_per_s",
		d->asked_per_s);
	note_number(f, d->asked_bytes ? "got_bytes_per_s" : "got_ios_per_s", got);
	note_number(f, "due", (double)d->due);
	note_number(f, "late", (double)d->late);
	note_number(f, "missed", (double)d->missed);
	note_number(f, "lateness_max_ns", (double)latest_ns);
	return true;
}

static const struct note_rule rules[] = {
	{.id = "rate-not-reached",
		.weight = NOTE_INVALID,
		.scope = NOTE_OF_DIR,
		.check = rate_not_reached},
};

NOTE_TABLE(notes_schedule, rules);
