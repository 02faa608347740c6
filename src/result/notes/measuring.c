/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* weir's own share in what was measured: the clock, the generator, the logs. */
#include "result/environment.h"
#include "result/notes/notes.h"

#include "base/bits.h"
#include "result/words.h"

#include <inttypes.h>
#include <math.h>

/* The kernel slews its clock by up to 500 ppm; more than that is an accident. */
#define DRIFT_MAX 0.001

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

static bool clock_drift(const struct note_case *c, struct note_found *f)
{
	const struct result *r = c->result;
	double elapsed_ns = (double)r->elapsed_s * (double)NS_PER_S;

	if (!r->final || fabs(r->clock_drift_ns) <= elapsed_ns * DRIFT_MAX + 1e6)
		return false;
	note_number(f, "drift_ns", r->clock_drift_ns);
	note_number(f, "elapsed_s", (double)r->elapsed_s);
	return note_say(f,
		"the time stamp counter went %.3f ms off the kernel's clock during the run: a "
		"virtual machine that moved?",
		r->clock_drift_ns / 1e6);
}

static bool clock_cost(const struct note_case *c, struct note_found *f)
{
	const struct result *r = c->result;
	uint64_t median = row_median_ns(c->row);

	if (!median || r->stamp_cost_ns < 0.2 * (double)median)
		return false;
	note_number(f, "stamp_cost_ns", r->stamp_cost_ns);
	note_number(f, "median_ns", (double)median);
	return note_say(f,
		"one time stamp costs %.0f ns here (%s), %.0f %% of the median latency: most of "
		"what is measured is the measuring",
		r->stamp_cost_ns, r->clock ? r->clock : "clock",
		100.0 * r->stamp_cost_ns / (double)median);
}

#define STEP_SHARE 0.05 /* of the median */

/* A counter of arm64 may go at 25 MHz: a latency is then so many steps of 40 ns. */
static bool clock_step(const struct note_case *c, struct note_found *f)
{
	const uint64_t median = row_median_ns(c->row);
	const struct environment *env = c->result->environment;
	const double step = env ? env->clock.step_ns : 0;

	if (!median || isnan(step) || step < 2 || step < STEP_SHARE * (double)median)
		return false;
	note_number(f, "step_ns", step);
	note_number(f, "median_ns", (double)median);
	return note_say(f,
		"the clock of this machine goes in steps of %.0f ns, %.0f %% of the median latency: "
		"small differences of it are the clock's",
		step, 100.0 * step / (double)median);
}

/* Only for loops that never slept: on a schedule the rest is waiting. */
static bool generator_bound(const struct note_case *c, struct note_found *f)
{
	const struct result_row *row = c->row;
	double ran_ns = row->cpu_runtime_ms * (double)NS_PER_MS;
	double busy_ns = (row->cpu.user_ms + row->cpu.system_ms) * (double)NS_PER_MS;
	double mine_ns = (double)row->generator_ns;

	for (int dir = 0; dir < DIRS; dir++)
		if (row->dir[dir].asked_per_s > 0)
			return false;
	if (ran_ns <= 0 || mine_ns < 0.5 * ran_ns || busy_ns < 0.9 * ran_ns)
		return false;
	f->weight = mine_ns >= 0.8 * ran_ns ? NOTE_DOUBTFUL : NOTE_INFO;
	note_number(f, "generator_ns", mine_ns);
	note_number(f, "ran_ns", ran_ns);
	return note_say(f,
		"limited by the generator: weir itself took %.0f %% of the time and the engine the rest: the target may be "
		"faster than this",
		100.0 * mine_ns / ran_ns);
}

/* By what a worker of this machine could do without a device (weir doctor). */
#define CEILING_SHARE 0.8

static bool near_ceiling(const struct note_case *c, struct note_found *f)
{
	const struct result_row *row = c->row;
	double ceiling = c->result->ceiling_ios_per_s, rate = 0;

	for (int dir = 0; dir < DIRS; dir++) {
		double iops = result_iops(&row->dir[dir]);
		rate += iops > 0 ? iops : 0;
	}
	rate /= MAX_OF(row->members, 1u);
	if (!(ceiling > 0) || row->told || rate < CEILING_SHARE * ceiling ||
		(double)row->generator_ns >= 0.5 * row->cpu_runtime_ms * (double)NS_PER_MS)
		return false;
	note_number(f, "worker_ios_per_s", rate);
	note_number(f, "ceiling_ios_per_s", ceiling);
	return note_say(f,
		"limited by the generator: %.3g million I/Os a second and worker are %.0f %% of what "
		"weir can make here without a device",
		rate / 1e6, 100 * rate / ceiling);
}

/* The load stood still while its logs were written. */
static bool log_wait(const struct note_case *c, struct note_found *f)
{
	const struct result_row *row = c->row;
	uint64_t ran_ns = (uint64_t)(row->cpu_runtime_ms * (double)NS_PER_MS);

	if (row->log_wait_ns * 1000 <= ran_ns)
		return false;
	f->weight = row->log_wait_ns * 100 > ran_ns ? NOTE_DOUBTFUL : NOTE_INFO;
	note_number(f, "waited_ns", (double)row->log_wait_ns);
	note_number(f, "ran_ns", (double)ran_ns);
	return note_say(f,
		"stood still for %s (%s of the time) because its logs could not follow",
		words_time(row->log_wait_ns).text, words_share(row->log_wait_ns, ran_ns).text);
}

static bool log_incomplete(const struct note_case *c, struct note_found *f)
{
	if (!c->row->log_lost)
		return false;
	note_number(f, "lost", (double)c->row->log_lost);
	return note_say(f, "%" PRIu64 " lines or records are missing in its logs",
		c->row->log_lost);
}

static const struct note_rule rules[] = {
	{.id = "clock-drift",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_RUN,
		.remedy = "use clocksource=clock_gettime",
		.check = clock_drift},
	{.id = "clock-cost", .weight = NOTE_INFO, .scope = NOTE_OF_ROW, .check = clock_cost},
	{.id = "clock-step", .weight = NOTE_INFO, .scope = NOTE_OF_ROW, .check = clock_step},
	{.id = "generator-bound",
		.weight = NOTE_INFO,
		.scope = NOTE_OF_ROW,
		.check = generator_bound},
	{.id = "generator-bound",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_ROW,
		.check = near_ceiling},
	{.id = "log-wait",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_ROW,
		.remedy = "use log_avg_msec or write_binary_log, or a faster disk for them",
		.check = log_wait},
	{.id = "log-incomplete",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_ROW,
		.check = log_incomplete},
};

NOTE_TABLE(notes_measuring, rules);
