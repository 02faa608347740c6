/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What others did while it ran: other programs, the host, the kernel, heat. */
#include "result/notes/notes.h"

#include "base/bits.h"
#include "base/plain.h"
#include "result/watch.h"
#include "result/words.h"

#include <math.h>

#define MIB (UINT64_C(1) << 20)

static const struct watch_run *run_of(const struct note_case *c)
{
	return c->result->watch ? &c->result->watch->run : NULL;
}

#define FOREIGN_LEAST 0.01

static struct plain mib(uint64_t bytes)
{
	return plain_number((double)bytes / MIB, 2);
}

static bool foreign_io(const struct note_case *c, struct note_found *f)
{
	const struct watch_run *w = run_of(c);
	double share = w ? watch_foreign_share(w) : -1;
	uint64_t read = w ? count_or_0(w->foreign_read_bytes) : 0;
	uint64_t written = w ? count_or_0(w->foreign_written_bytes) : 0;

	if (share < FOREIGN_LEAST || read + written < MIB)
		return false;
	note_number(f, "foreign_percent", 100 * share);
	note_number(f, "foreign_read_bytes", (double)read);
	note_number(f, "foreign_written_bytes", (double)written);
	/* written by whomever before the run, and only now on its way to a disk */
	uint64_t waited = MIN_OF(written, count_or_0(w->dirty_before_bytes));
	if (waited < MIB || waited < (read + written) / 2)
		return note_say(f,
			"%.3g %% of what the devices moved was not weir's: others read %s MiB and "
			"wrote %s MiB meanwhile",
			100 * share, mib(read).text, mib(written).text);
	note_number(f, "dirty_before_bytes", (double)w->dirty_before_bytes);
	note_remedy(f, "run sync before it");
	return note_say(f,
		"%.3g %% of what the devices moved was not this run's: read %s MiB, "
		"written %s MiB, of which %s MiB may be what was in memory, not yet written, when it began",
		100 * share, mib(read).text, mib(written).text, mib(waited).text);
}

#define STEAL_PERCENT 1.0

static bool stolen(const struct note_case *c, struct note_found *f)
{
	const struct watch_run *w = run_of(c);

	if (!w || !(w->steal_percent >= STEAL_PERCENT))
		return false;
	note_number(f, "steal_percent", w->steal_percent);
	return note_say(f, "the host took %.1f %% of the CPUs' time meanwhile, for others",
		w->steal_percent);
}

static bool group_throttled(const struct note_case *c, struct note_found *f)
{
	const struct watch_run *w = run_of(c);

	if (!w || !count_known(w->group_throttled_us) || !count_known(w->watched_ns) ||
		w->group_throttled_us * 1000 * 100 < w->watched_ns)
		return false;
	note_number(f, "throttled_us", (double)w->group_throttled_us);
	return note_say(f, "the control group's CPU limit held it for %s",
		words_time(w->group_throttled_us * 1000).text);
}

static bool heat(const struct note_case *c, struct note_found *f)
{
	const struct watch_run *w = run_of(c);

	if (!w || !count_or_0(w->heat_throttled))
		return false;
	note_number(f, "times", (double)w->heat_throttled);
	if (count_known(w->cpu_temperature_max_c))
		note_number(f, "cpu_temperature_max_c", (double)w->cpu_temperature_max_c);
	return note_say(f, "CPUs were slowed down by heat %s meanwhile",
		words_count(w->heat_throttled, "time").text);
}

static bool frequency(const struct note_case *c, struct note_found *f)
{
	const struct watch_run *w = run_of(c);

	if (!w || !count_known(w->frequency_min_khz) || !count_known(w->frequency_max_khz) ||
		(double)w->frequency_min_khz >= 0.7 * (double)w->frequency_max_khz)
		return false;
	note_number(f, "frequency_min_khz", (double)w->frequency_min_khz);
	note_number(f, "frequency_max_khz", (double)w->frequency_max_khz);
	return note_say(f,
		"the CPUs' frequency went between %.1f and %.1f GHz: latencies at low rates "
		"depend on it",
		(double)w->frequency_min_khz / 1e6, (double)w->frequency_max_khz / 1e6);
}

static bool kernel_says(const struct note_case *c, struct note_found *f)
{
	const struct watch *w = c->result->watch;

	if (!w || !w->kernel_count)
		return false;
	note_number(f, "messages", (double)w->kernel_count + (double)w->kernel_more);
	return note_say(f, "the kernel complained about these devices meanwhile: \"%s\"%s",
		w->kernel[0], w->kernel_count + w->kernel_more > 1 ? " and more" : "");
}

/* ---- CPUs for the workers ---- */

#define WAIT_PERCENT 10.0

static bool cpu_wait(const struct note_case *c, struct note_found *f)
{
	const struct watch_job *j = note_watch_job(c);

	if (!j || !(j->cpu_wait_percent >= WAIT_PERCENT) || c->row->runtime_ns < NS_PER_S)
		return false;
	note_number(f, "cpu_wait_percent", j->cpu_wait_percent);
	return note_say(f,
		"its workers were ready, but had no CPU, for %.0f %% of their time: that is in the "
		"latencies",
		j->cpu_wait_percent);
}

#define FULL_PERCENT 97.0

/* A loop that polls is always at 100 %; one that waits and yet is, has no CPU left. */
static bool cpu_bound(const struct note_case *c, struct note_found *f)
{
	const struct watch_job *j = note_watch_job(c);

	if (!j || !(j->cpu_max_percent >= FULL_PERCENT) || c->row->runtime_ns < NS_PER_S)
		return false;
	if ((double)c->row->generator_ns > 0.5 * c->row->cpu_runtime_ms * (double)NS_PER_MS)
		return false; /* generator-bound says more */
	note_number(f, "cpu_max_percent", j->cpu_max_percent);
	return note_say(f,
		"a worker used %.0f %% of its CPU, so one CPU was measured: the target may be "
		"faster",
		j->cpu_max_percent);
}

#define RUN(name, w, fn, todo)                                                                 \
	{                                                                                      \
		.id = name, .weight = w, .scope = NOTE_OF_RUN, .check = fn, .remedy = todo     \
	}

static const struct note_rule rules[] = {
	RUN("foreign-io", NOTE_DOUBTFUL, foreign_io, "stop the others, or wait for them"),
	RUN("stolen", NOTE_DOUBTFUL, stolen, "measure when the host is idle, and repeat"),
	RUN("cgroup-throttled", NOTE_DOUBTFUL, group_throttled, "raise cpu.max for the test"),
	RUN("heat", NOTE_DOUBTFUL, heat, "cool it, and begin anew"),
	RUN("kernel-messages", NOTE_DOUBTFUL, kernel_says, "dmesg has all of them"),
	RUN("cpu-frequency", NOTE_INFO, frequency, "cpupower frequency-set -g performance"),
	{.id = "cpu-wait",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_ROW,
		.remedy = "stop other programs, or ask for fewer workers than there are CPUs",
		.check = cpu_wait},
	{.id = "cpu-bound",
		.weight = NOTE_INFO,
		.scope = NOTE_OF_ROW,
		.remedy = "use more workers (numjobs), larger blocks or batches",
		.check = cpu_bound},
};

NOTE_TABLE(notes_around, rules);
