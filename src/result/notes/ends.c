/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* How jobs ended, what failed in them, what stopped them. */
#include "result/notes/notes.h"

#include "base/bits.h"
#include "result/words.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static bool job_failed(const struct note_case *c, struct note_found *f)
{
	const struct result_row *row = c->row;

	if (row->end != END_ERROR || note_data_is_wrong(row))
		return false;
	note_number(f, "errno", row->error);
	note_number(f, "measured_ns", (double)row->runtime_ns);
	if (!row->runtime_ns)
		return note_say(f,
			"ended by error %d (%s) before its first request: nothing of it was "
			"measured",
			row->error, result_error_text(row->error));
	return note_say(f, "ended by error %d (%s) after %s: its figures go only so far",
		row->error, result_error_text(row->error), words_time(row->runtime_ns).text);
}

static bool killed(const struct note_case *c, struct note_found *f)
{
	const struct result_row *row = c->row;

	if (row->end != END_KILLED)
		return false;
	note_number(f, "pid", row->pid);
	note_number(f, "measured_ns", (double)row->runtime_ns);
	if (row->killed_by_weir) {
		note_remedy(f, "what weir said of it before names the call that it waited in");
		return note_say(f,
			"pid %d didn't stop when it should have, and weir killed it after %s: its "
			"figures are what was known by then",
			row->pid, words_time(row->runtime_ns).text);
	}
	return note_say(f, "pid %d was killed after %s: its figures are what was known by then",
		row->pid, words_time(row->runtime_ns).text);
}

static bool stuck(const struct note_case *c, struct note_found *f)
{
	if (c->row->end != END_STUCK)
		return false;
	note_number(f, "pid", c->row->pid);
	return note_say(f,
		"pid %d hangs in the kernel: requests never came back and are missing here",
		c->row->pid);
}

static bool not_run(const struct note_case *c, struct note_found *f)
{
	return c->row->end == END_NOT_RUN &&
	       note_say(f, "never started: nothing of it was measured");
}

/* A signal is told once, for the whole run. */
static bool job_stopped(const struct note_case *c, struct note_found *f)
{
	if (c->row->end != END_STOPPED || c->result->stop_signal)
		return false;
	note_number(f, "measured_ns", (double)c->row->runtime_ns);
	return note_say(f, "was stopped after %s, before its own end",
		words_time(c->row->runtime_ns).text);
}

static bool run_stopped(const struct note_case *c, struct note_found *f)
{
	const struct result *r = c->result;

	if (!r->stop_signal)
		return false;
	note_number(f, "signal", r->stop_signal);
	note_number(f, "elapsed_s", (double)r->elapsed_s);
	return note_say(f,
		"signal %d (%s) ended the run %" PRIu64
		" s after its start: the figures cover the time until then",
		r->stop_signal, strsignal(r->stop_signal), r->elapsed_s);
}

static bool interim(const struct note_case *c, struct note_found *f)
{
	const struct result *r = c->result;

	if (r->stop_signal || r->final)
		return false;
	note_number(f, "elapsed_s", (double)r->elapsed_s);
	return note_say(f, "the run goes on: these are the figures of its first %" PRIu64 " s",
		r->elapsed_s);
}

/* ---- errors ---- */

static bool say_errors(const struct note_case *c, struct note_found *f, const char *what)
{
	const struct result_error *e = c->error;
	uint64_t issued = e->dir < DIRS ? c->row->dir[e->dir].issued : c->row->syncs;

	note_number(f, "errno", e->code);
	note_number(f, "count", (double)e->count);
	note_number(f, "issued", (double)issued);
	return note_say(f, "%" PRIu64 " %s request%s failed, %s of those issued: %s (errno %d)",
		e->count, dir_name(e->dir), e->count == 1 ? "" : "s",
		words_share(e->count, issued).text, what, e->code);
}

static bool errors(const struct note_case *c, struct note_found *f)
{
	const struct result_error *e = c->error;

	if (e->code == EILSEQ)
		return false;
	if (e->code)
		return say_errors(c, f, strerror(e->code));
	note_number(f, "count", (double)e->count);
	return note_say(f, "%" PRIu64 " requests failed with further kinds of errors",
		e->count);
}

static bool wrong_data(const struct note_case *c, struct note_found *f)
{
	return c->error->code == EILSEQ && !note_data_is_wrong(c->row) &&
	       say_errors(c, f, "the data read back is wrong");
}

/* ---- stopped and gone on ---- */

static bool job_suspended(const struct note_case *c, struct note_found *f)
{
	const struct result_row *row = c->row;

	if (!row->stopped_ns)
		return false;
	f->weight = row->stopped_ns > row->runtime_ns / 100 ? NOTE_INVALID : NOTE_DOUBTFUL;
	note_number(f, "stopped_ns", (double)row->stopped_ns);
	note_number(f, "measured_ns", (double)row->runtime_ns);
	return note_say(f,
		"was stopped or suspended for %s of its %s: that time is in the rates and in the "
		"response times",
		words_time(row->stopped_ns).text, words_time(row->runtime_ns).text);
}

static bool machine_suspended(const struct note_case *c, struct note_found *f)
{
	if (c->result->suspended_ns <= 100 * NS_PER_MS)
		return false;
	note_number(f, "suspended_ns", (double)c->result->suspended_ns);
	return note_say(f,
		"the machine was suspended for %.1f s during the run: the figures cover that "
		"time, too",
		(double)c->result->suspended_ns / 1e9);
}

#define AGAIN "run it again undisturbed"

static const struct note_rule rules[] = {
	{.id = "suspended",
		.weight = NOTE_INVALID,
		.scope = NOTE_OF_RUN,
		.remedy = AGAIN,
		.check = machine_suspended},
	{.id = "suspended",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_ROW,
		.remedy = AGAIN,
		.check = job_suspended},
	{.id = "job-failed", .weight = NOTE_INVALID, .scope = NOTE_OF_ROW, .check = job_failed},
	{.id = "killed",
		.weight = NOTE_INVALID,
		.scope = NOTE_OF_ROW,
		.remedy = "dmesg says whether memory ran out",
		.check = killed},
	{.id = "stuck",
		.weight = NOTE_INVALID,
		.scope = NOTE_OF_ROW,
		.remedy = "dmesg and the device's log say why",
		.check = stuck},
	{.id = "not-run", .weight = NOTE_INVALID, .scope = NOTE_OF_ROW, .check = not_run},
	{.id = "stopped", .weight = NOTE_DOUBTFUL, .scope = NOTE_OF_ROW, .check = job_stopped},
	{.id = "stopped", .weight = NOTE_DOUBTFUL, .scope = NOTE_OF_RUN, .check = run_stopped},
	{.id = "wrong-data",
		.weight = NOTE_INVALID,
		.scope = NOTE_OF_ERROR,
		.check = wrong_data},
	{.id = "errors", .weight = NOTE_DOUBTFUL, .scope = NOTE_OF_ERROR, .check = errors},
	{.id = "interim", .weight = NOTE_INFO, .scope = NOTE_OF_RUN, .check = interim},
};

NOTE_TABLE(notes_ends, rules);

/* A partial result always says so, also when no note knew why. */
static bool partial(const struct note_case *c, struct note_found *f)
{
	const struct result *r = c->result;

	if (!r->partial || notes_count(r, NOTE_INVALID))
		return false;
	for (uint32_t i = 0; i < r->notes_count; i++)
		if (!strcmp(r->notes[i].id, "stopped"))
			return false;
	return note_say(f,
		"something of this run is missing: the figures are what was known at the "
		"end");
}

static const struct note_rule partial_rules[] = {
	{.id = "partial", .weight = NOTE_INVALID, .scope = NOTE_OF_RUN, .check = partial},
};

NOTE_TABLE(notes_partial, partial_rules);
