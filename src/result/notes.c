/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What a reader must know before believing a figure, in words: the evidence with
 * its numbers, then what to do about it.  One function a note, one table of them;
 * a function sees one row and adds nothing when all is well. */
#include "result/result.h"
#include "result/style.h"

#include "base/bits.h"
#include "result/words.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define SHORT_NS NS_PER_S /* a window below this proves little */

/* ---- the schedule ---- */

/* As many as asked in all, but not when they were due. */
static bool rate_on_average(const struct result_dir *d, double got)
{
	return got >= 0.99 * d->asked_per_s;
}

static const char *rate_reason(const struct result_dir *d, double got)
{
	if (rate_on_average(d, got))
		return "the load stalled and caught up, so look at the response time, not at the "
		       "service time";
	return "the target can't serve it at this depth; ask for less, or raise iodepth or numjobs";
}

static int note_rate(struct result *r, const struct result_row *row, enum dir dir)
{
	const struct result_dir *d = &row->dir[dir];
	uint64_t behind = d->late + d->missed;

	if (!d->due || behind <= d->due / 100)
		return 0;
	double got = d->asked_bytes ? result_bw(d) : result_iops(d);
	uint64_t most = d->lateness && d->lateness->moments.count ? d->lateness->moments.max
								  : 0;
	char missed[80] = "";
	if (d->missed)
		snprintf(missed, sizeof(missed), ", %" PRIu64 " never issued", d->missed);
	return result_note_add(r, "rate-not-reached", NOTE_INVALID, row->name,
		"rate not %s: asked %s, got %s%s (%s); %" PRIu64 " of %" PRIu64
		" arrivals (%s) came late, by up to %s%s: %s",
		rate_on_average(d, got) ? "kept" : "reached",
		words_rate(d->asked_per_s, d->asked_bytes, 0).text,
		words_rate(got, d->asked_bytes, 1).text,
		rate_on_average(d, got) ? " on average" : "", dir_name(dir), d->late, d->due,
		words_share(d->late, d->due).text, words_time(most).text, missed,
		rate_reason(d, got));
}

static int note_rates(struct result *r, const struct result_row *row)
{
	int failed = 0;
	for (int dir = 0; dir < DIRS; dir++)
		failed |= note_rate(r, row, (enum dir)dir);
	return failed;
}

/* ---- how it ended ---- */

static int note_end(struct result *r, const struct result_row *row)
{
	const char *name = row->name;

	switch (row->end) {
	case END_DONE:
		return 0;
	case END_ERROR:
		return result_note_add(r, "job-failed", NOTE_INVALID, name,
			"ended by error %d (%s) after %s: its figures go only so far",
			row->error, strerror(row->error), words_time(row->runtime_ns).text);
	case END_KILLED:
		return result_note_add(r, "killed", NOTE_INVALID, name,
			"pid %d was killed after %s: its figures are what was known by then; "
			"dmesg says whether memory ran out",
			row->pid, words_time(row->runtime_ns).text);
	case END_STUCK:
		return result_note_add(r, "stuck", NOTE_INVALID, name,
			"pid %d hangs in the kernel: requests never came back and are missing "
			"here; dmesg and the device's log say why",
			row->pid);
	case END_NOT_RUN:
		return result_note_add(r, "not-run", NOTE_INVALID, name,
			"never started: nothing of it was measured");
	case END_STOPPED:
		if (r->stop_signal)
			return 0; /* said once, for the whole run */
		return result_note_add(r, "stopped", NOTE_DOUBTFUL, name,
			"was stopped after %s, before its own end",
			words_time(row->runtime_ns).text);
	}
	return 0;
}

static int note_error(struct result *r, const struct result_row *row,
	const struct result_error *e)
{
	uint64_t issued = e->dir < DIRS ? row->dir[e->dir].issued : row->syncs;
	bool wrong_data = e->code == EILSEQ;

	if (!e->code)
		return result_note_add(r, "errors", NOTE_DOUBTFUL, row->name,
			"%" PRIu64 " requests failed with further kinds of errors", e->count);
	return result_note_add(r, wrong_data ? "wrong-data" : "errors",
		wrong_data ? NOTE_INVALID : NOTE_DOUBTFUL, row->name,
		"%" PRIu64 " %s request%s failed, %s of those issued: %s (errno %d)", e->count,
		dir_name(e->dir), e->count == 1 ? "" : "s", words_share(e->count, issued).text,
		wrong_data ? "the data read back is wrong" : strerror(e->code), e->code);
}

static int note_errors(struct result *r, const struct result_row *row)
{
	int failed = 0;
	for (uint32_t i = 0; i < row->errors_count; i++)
		failed |= note_error(r, row, &row->errors[i]);
	return failed;
}

/* ---- what the figures don't show ---- */

static int note_suspended(struct result *r, const struct result_row *row)
{
	if (!row->stopped_ns)
		return 0;
	return result_note_add(r, "suspended",
		row->stopped_ns > row->runtime_ns / 100 ? NOTE_INVALID : NOTE_DOUBTFUL,
		row->name,
		"was stopped or suspended for %s of its %s: that time is in the rates and in the "
		"response times; run it again undisturbed",
		words_time(row->stopped_ns).text, words_time(row->runtime_ns).text);
}

static int note_depth(struct result *r, const struct result_row *row)
{
	const char *engine = row->engine ? row->engine : "its engine";

	if (row->depth_asked <= 1 || !result_row_did_io(row))
		return 0;
	if (row->submit_synchronous)
		return result_note_add(r, "depth-no-effect", NOTE_DOUBTFUL, row->name,
			"iodepth=%" PRIu32
			" has no effect: the kernel finished each request before "
			"%s's submit returned; use direct=1 or io_uring for depth, numjobs for "
			"parallelism",
			row->depth_asked, engine);
	if (row->depth == 1)
		return result_note_add(r, "depth-no-effect", NOTE_DOUBTFUL, row->name,
			"iodepth=%" PRIu32 " has no effect: %s does one request at a time; use "
			"io_uring or libaio for depth, numjobs for parallelism",
			row->depth_asked, engine);
	return 0;
}

static int note_submit(struct result *r, const struct result_row *row)
{
	if (!row->submit_synchronous || row->depth_asked > 1)
		return 0;
	return result_note_add(r, "submit-synchronous", NOTE_INFO, row->name,
		"the kernel finished each request before submit returned: its time is in slat, and "
		"clat is almost nothing");
}

static int note_ramp_only(struct result *r, const struct result_row *row)
{
	if (!row->ramp_only)
		return 0;
	return result_note_add(r, "ramp-only", NOTE_DOUBTFUL, row->name,
		"ended within its ramp: these are the ramp's figures; give it more to do, or a "
		"shorter ramp");
}

static int note_goal(struct result *r, const struct result_row *row)
{
	uint64_t ios = row->goal_ios, over = row->goal_over;

	if (!row->goal_depth)
		return 0;
	if (row->goal_missed)
		return result_note_add(r, "latency-target-missed", NOTE_DOUBTFUL, row->name,
			"latency_target=%s was not kept even with one request in flight: these are "
			"the figures of depth 1",
			words_time(row->style->goal_ns).text);
	if (row->ramp_only)
		return result_note_add(r, "latency-target-open", NOTE_DOUBTFUL, row->name,
			"the search for the depth had no answer when the job ended (it was at depth "
			"%" PRIu32 "); give it more time, or a shorter latency_window",
			row->goal_depth);
	if (ios && (double)(ios - over) * 100 < row->style->goal_percent * (double)ios)
		return result_note_add(r, "latency-target-lost", NOTE_DOUBTFUL, row->name,
			"depth %" PRIu32
			" kept latency_target when it was found, but %s of the "
			"requests measured afterwards were slower",
			row->goal_depth, words_share(over, ios).text);
	return result_note_add(r, "latency-target", NOTE_INFO, row->name,
		"depth %" PRIu32 " is the largest that keeps latency_target=%s",
		row->goal_depth, words_time(row->style->goal_ns).text);
}

static int note_steady(struct result *r, const struct result_row *row)
{
	const struct result_steady *s = row->steady;

	if (!s)
		return 0;
	if (s->attained)
		return result_note_add(r, "steady", NOTE_INFO, row->name,
			"steady by %s over %s: ended there", s->text,
			words_time(s->window_ns).text);
	return result_note_add(r, "not-steady", NOTE_DOUBTFUL, row->name,
		s->full ? "never became steady by %s over %s"
			: "ended before it was measured long enough to judge %s over %s",
		s->text, words_time(s->window_ns).text);
}

static int note_short_ios(struct result *r, const struct result_row *row)
{
	uint64_t count = 0, issued = 0;
	for (int dir = 0; dir < DIRS; dir++) {
		count += row->dir[dir].short_ios;
		issued += row->dir[dir].issued;
	}
	if (!count)
		return 0;
	return result_note_add(r, "short-requests", NOTE_INFO, row->name,
		"%" PRIu64 " requests (%s) moved fewer bytes than asked", count,
		words_share(count, issued).text);
}

static uint64_t row_median_ns(const struct result_row *row)
{
	const struct latency *busiest = NULL;
	for (int dir = 0; dir < DIRS; dir++) {
		const struct result_dir *d = &row->dir[dir];
		const struct latency *l = d->lat ? d->lat : d->clat;
		if (l && (!busiest || l->moments.count > busiest->moments.count))
			busiest = l;
	}
	return busiest ? latency_quantile(busiest, 0.5) : 0;
}

static int note_clock(struct result *r, const struct result_row *row)
{
	uint64_t median = row_median_ns(row);

	if (!median || r->stamp_cost_ns < 0.2 * (double)median)
		return 0;
	return result_note_add(r, "clock-cost", NOTE_INFO, row->name,
		"one time stamp costs %.0f ns here (%s), %.0f %% of the median latency: most of "
		"what is measured is the measuring",
		r->stamp_cost_ns, r->clock ? r->clock : "clock",
		100.0 * r->stamp_cost_ns / (double)median);
}

/* Only for loops that never slept: on a schedule the rest is waiting. */
static int note_generator(struct result *r, const struct result_row *row)
{
	double ran_ns = row->cpu_runtime_ms * (double)NS_PER_MS;
	double busy_ns = (row->cpu.user_ms + row->cpu.system_ms) * (double)NS_PER_MS;
	double mine_ns = (double)row->generator_ns;

	for (int dir = 0; dir < DIRS; dir++)
		if (row->dir[dir].asked_per_s > 0)
			return 0;
	if (ran_ns <= 0 || mine_ns < 0.5 * ran_ns || busy_ns < 0.9 * ran_ns)
		return 0;
	return result_note_add(r, "generator-bound", NOTE_INFO, row->name,
		"weir itself took %.0f %% of the time and the engine the rest: the target may be "
		"faster than this",
		100.0 * mine_ns / ran_ns);
}

/* The load stood still while its logs were written. */
static int note_log_wait(struct result *r, const struct result_row *row)
{
	uint64_t ran_ns = (uint64_t)(row->cpu_runtime_ms * (double)NS_PER_MS);

	if (row->log_wait_ns * 1000 <= ran_ns)
		return 0;
	return result_note_add(r, "log-wait",
		row->log_wait_ns * 100 > ran_ns ? NOTE_DOUBTFUL : NOTE_INFO, row->name,
		"stood still for %s (%s of the time) because its logs could not follow: use "
		"log_avg_msec or write_binary_log, or a faster disk for them",
		words_time(row->log_wait_ns).text, words_share(row->log_wait_ns, ran_ns).text);
}

static int note_log_lost(struct result *r, const struct result_row *row)
{
	if (!row->log_lost)
		return 0;
	return result_note_add(r, "log-incomplete", NOTE_DOUBTFUL, row->name,
		"%" PRIu64 " lines or records are missing in its logs", row->log_lost);
}

static int (*const row_notes[])(struct result *r, const struct result_row *row) = {
	note_rates,
	note_end,
	note_errors,
	note_suspended,
	note_depth,
	note_submit,
	note_short_ios,
	note_ramp_only,
	note_goal,
	note_steady,
	note_clock,
	note_generator,
	note_log_wait,
	note_log_lost,
};

/* ---- about the run as a whole ---- */

/* One note however many jobs: a file of twenty smoke jobs says it once. */
static int note_short_runs(struct result *r)
{
	uint64_t least = UINT64_MAX, most = 0;
	uint32_t count = 0;
	const char *first = NULL;

	for (uint32_t i = 0; i < r->rows_count; i++) {
		const struct result_row *row = &r->rows[i];
		if (result_row_hidden(row) || !result_row_did_io(row) ||
			row->runtime_ns >= SHORT_NS)
			continue;
		first = count++ ? NULL : row->name;
		least = MIN_OF(least, row->runtime_ns);
		most = MAX_OF(most, row->runtime_ns);
	}
	if (!count)
		return 0;
	const char *remedy = "chance and start-up rule such a figure; measure longer "
			     "(time_based with runtime=30)";
	if (count == 1)
		return result_note_add(r, "short-run", NOTE_DOUBTFUL, first,
			"was measured for only %s: %s", words_time(most).text, remedy);
	return result_note_add(r, "short-run", NOTE_DOUBTFUL, NULL,
		"%" PRIu32 " jobs were measured for less than a second (%s to %s): %s", count,
		words_time(least).text, words_time(most).text, remedy);
}

static int note_stop(struct result *r)
{
	if (r->stop_signal)
		return result_note_add(r, "stopped", NOTE_DOUBTFUL, NULL,
			"signal %d (%s) ended the run %" PRIu64
			" s after its start: the figures cover the time until then",
			r->stop_signal, strsignal(r->stop_signal), r->elapsed_s);
	if (!r->final)
		return result_note_add(r, "interim", NOTE_INFO, NULL,
			"the run goes on: these are the figures of its first %" PRIu64 " s",
			r->elapsed_s);
	return 0;
}

static int note_uneven_dir(struct result *r, const struct result_group *g, enum dir dir)
{
	const struct result_group_dir *d = &g->dir[dir];
	struct result_together t;
	char together[96] = "";

	if (d->run_max_ms < 1000 || d->run_min_ms >= d->run_max_ms - d->run_max_ms / 10)
		return 0;
	if (result_together(r, g->id, dir, &t))
		snprintf(together, sizeof(together), "; while all ran it was %s",
			words_rate(t.bytes_per_s, 1, 0).text);
	return result_note_add(r, "uneven-ends", NOTE_DOUBTFUL, NULL,
		"jobs of group %" PRIu32
		" ran between %s and %s (%s), and the group's %s divides by "
		"the longest%s",
		g->id, words_time(d->run_min_ms * NS_PER_MS).text,
		words_time(d->run_max_ms * NS_PER_MS).text, dir_name(dir),
		words_rate((double)d->bw, 1, 0).text, together);
}

static int note_uneven(struct result *r)
{
	int failed = 0;
	for (uint32_t i = 0; i < r->groups_count; i++)
		for (int dir = 0; dir < DIRS; dir++)
			failed |= note_uneven_dir(r, &r->groups[i], (enum dir)dir);
	return failed;
}

/* A partial result always says so, also when no note above knew why. */
static int note_partial(struct result *r)
{
	if (!r->partial)
		return 0;
	for (uint32_t i = 0; i < r->notes_count; i++)
		if (r->notes[i].weight == NOTE_INVALID || !strcmp(r->notes[i].id, "stopped"))
			return 0;
	return result_note_add(r, "partial", NOTE_INVALID, NULL,
		"something of this run is missing: the figures are what was known at the end");
}

/* ---- order ---- */

static bool note_before(const struct result_note *a, const struct result_note *b)
{
	if (a->weight != b->weight)
		return a->weight > b->weight;
	bool a_rate = !strcmp(a->id, "rate-not-reached");
	bool b_rate = !strcmp(b->id, "rate-not-reached");
	return a_rate && !b_rate;
}

static void notes_sort(struct result *r)
{
	/* Insertion: stable, and the list is short and almost in order. */
	for (uint32_t i = 1; i < r->notes_count; i++) {
		struct result_note note = r->notes[i];
		uint32_t at = i;
		while (at && note_before(&note, &r->notes[at - 1])) {
			r->notes[at] = r->notes[at - 1];
			at--;
		}
		r->notes[at] = note;
	}
}

static bool note_same(const struct result_note *a, const struct result_note *b)
{
	return a->weight == b->weight && !strcmp(a->id, b->id) && !strcmp(a->text, b->text);
}

/* Equal sentences about several jobs become one: "NAME and 3 more". */
static int notes_fold(struct result *r)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < r->notes_count;) {
		struct result_note note = r->notes[i];
		uint32_t next = i + 1;
		while (next < r->notes_count && note_same(&note, &r->notes[next]))
			next++;
		if (note.job && next - i > 1)
			note.job = arena_printf(&r->arena, "%s and %" PRIu32 " more", note.job,
				next - i - 1);
		if (!note.job && r->notes[i].job)
			return -ENOMEM;
		r->notes[kept++] = note;
		i = next;
	}
	r->notes_count = kept;
	return 0;
}

/* How busy the machine was is told where somebody asked for it. */
static int note_idle(struct result *r)
{
	if (!r->idle.given)
		return 0;
	return result_note_add(r, "idle", NOTE_INFO, NULL,
		"the CPUs were %.1f %% idle (--idle-prof; the JSON and classic forms have each of "
		"them)",
		r->idle.system);
}

int result_notes_make(struct result *r)
{
	int failed = 0;

	for (size_t n = 0; n < COUNT_OF(row_notes); n++)
		for (uint32_t i = 0; i < r->rows_count; i++)
			if (!result_row_hidden(&r->rows[i]))
				failed |= row_notes[n](r, &r->rows[i]);
	failed |= note_stop(r);
	failed |= note_short_runs(r);
	failed |= note_uneven(r);
	failed |= note_idle(r);
	failed |= note_partial(r);
	notes_sort(r);
	failed |= notes_fold(r);
	return failed ? -ENOMEM : 0;
}
