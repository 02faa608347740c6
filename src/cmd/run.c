/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The verb `run`: the pipeline, from the words that were typed to the report. */
#include "cmd/ceiling.h"
#include "cmd/cmd.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/json.h"
#include "base/log.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/check/expect.h"
#include "cmd/collate.h"
#include "cmd/command_line.h"
#include "cmd/crctest.h"
#include "cmd/debug.h"
#include "cmd/face.h"
#include "cmd/facts.h"
#include "cmd/follow.h"
#include "cmd/head.h"
#include "cmd/help.h"
#include "cmd/inflate.h"
#include "cmd/output.h"
#include "cmd/outputs.h"
#include "cmd/resume.h"
#include "cmd/sink.h"
#include "cmd/trace_like.h"
#include "engine/engine.h"
#include "job/job.h"
#include "plan/plan.h"
#include "report/report.h"
#include "result/checks.h"
#include "result/result.h"
#include "result/work.h"
#include "sys/look.h"
#include "sys/idle.h"
#include "sys/machine.h"

#include <errno.h>
#include <string.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define HANG_NS  (30 * NS_PER_S)
#define DRAIN_NS (10 * NS_PER_S)

/* Everything of one call, in the order of the pipeline. */
struct session {
	const struct cmd_call *call;
	struct command_line line;
	uint32_t formats; /* asked for, or the face's */
	struct report_units units;
	struct output out;
	struct follow follow;
	struct machine machine;
	struct job_set *jobs;
	struct plan *plan;
	struct result *result;
	struct collate collate; /* warnings of jobs, until all are there */
	bool warned;
	struct work like;
};

static void session_done(struct session *s)
{
	result_free(s->result);
	plan_free(s->plan);
	job_set_free(s->jobs);
	collate_done(&s->collate);
	follow_done(&s->follow);
	output_close(&s->out);
	command_line_done(&s->line);
}

static int refuse(struct session *s, const struct err *err)
{
	output_release(&s->out);
	output_sayf(&s->out, SAY_ERROR, "%s", err->text);
	output_begin(&s->out);
	return STATUS_REFUSED;
}

static int refuse_no_jobs(struct session *s)
{
	(void)help_usage(s->call);
	struct err err;
	err_set(&err, -EINVAL, "No job(s) defined: name a job file, or give --name=JOB");
	return refuse(s, &err);
}

/* ---- text ---- */

/* What a piece of work takes, as fio prints it. */
static int answer_idle(const struct session *s)
{
	double mean_us, stddev_us;

	(void)s;
	idle_calibrate(&mean_us, &stddev_us);
	printf("CPU idleness:\n  unit work: mean=%.2fus, stddev=%.2f\n", mean_us, stddev_us);
	return fflush(stdout) ? STATUS_REFUSED : STATUS_OK;
}

static int answer(struct session *s)
{
	const struct flags *f = &s->line.flags;
	if (f->option_help)
		return help_option(s->call, f->option_help);
	if (f->engine_help)
		return help_engine(f->engine_help);
	if (debug_asks(f->debug))
		return help_debug();
	if (f->idle == IDLE_CALIBRATE)
		return answer_idle(s);
	if (f->crctest)
		return crctest(&s->out, f->crctest);
	if (f->inflate)
		return inflate_log(&s->out, f->inflate);
	return f->version ? cmd_version(s->call) : help_usage(s->call);
}

struct bad_area {
	const struct session *s;
	struct output *out;
	struct err *err;
	int rc;
};

/* What only another version of fio knows is no reason to refuse a script. */
static void on_bad_area(void *ctx, const char *word)
{
	struct bad_area *bad = ctx;
	if (bad->s->call->face->native)
		bad->rc = err_set(bad->err, -EINVAL,
			"--debug: unknown area '%s'; areas are " DEBUG_AREAS, word);
	else
		output_sayf(bad->out, SAY_WARNING, "--debug: there is no area '%s'", word);
}

static int set_debug(struct session *s, struct err *reterr)
{
	struct bad_area bad = {.s = s, .out = &s->out, .err = reterr};
	if (s->line.flags.debug)
		log_areas = debug_areas(s->line.flags.debug, on_bad_area, &bad);
	return bad.rc;
}

/* PATH, which has this identity, is read or written by the run: results go elsewhere. */
static int check_apart(struct session *s, const char *path, dev_t dev, ino_t inode,
	struct err *reterr)
{
	int rc = output_check_apart(&s->out, path, dev, inode, reterr);
	return rc < 0 ? rc : follow_check_apart(&s->follow, path, dev, inode, reterr);
}

/* No job file is written over. */
static int check_job_files(struct session *s, struct err *reterr)
{
	for (size_t i = 0; i < s->line.count; i++) {
		const struct job_word *w = &s->line.words[i];
		struct stat st;
		if (w->name || stat(w->value, &st) < 0)
			continue;
		int rc = check_apart(s, w->value, st.st_dev, st.st_ino, reterr);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static void choose_formats(struct session *s)
{
	const struct flags *f = &s->line.flags;
	s->formats = f->formats ? f->formats : flags_format_bit(s->call->face->format);
	if (f->append_terse)
		s->formats |= FORMAT_TERSE;
	if (s->formats & FORMAT_CSV && !s->call->face->native)
		s->formats = (s->formats & ~(uint32_t)FORMAT_CSV) | FORMAT_TERSE;
}

/* A stream on stdout is alone there: its last line is the result. */
static int share_stdout(struct session *s, struct err *reterr)
{
	const struct flags *f = &s->line.flags;
	if (!f->stream || strcmp(f->stream, "-") != 0 || f->output)
		return 0;
	if (f->formats || f->append_terse)
		return err_set(reterr, -EINVAL,
			"--stream=-: stdout can't be the stream and the report as well; give "
			"--output=FILE for the report, or no format (the result is the stream's "
			"last line)");
	s->formats = 0;
	return 0;
}

static int open_output(struct session *s, struct err *reterr)
{
	const struct flags *f = &s->line.flags;
	bool one_document = f->plan || f->show_command;
	bool runs = !one_document && !f->parse_only;

	choose_formats(s);
	if (f->units && report_units_read(f->units, &s->units, reterr) < 0)
		return err_within(reterr, "--units");
	if (runs && share_stdout(s, reterr) < 0)
		return -EINVAL;
	int rc = output_open(&s->out, s->call->face, f->output, one_document ? 0 : s->formats,
		reterr);
	if (rc == 0 && runs)
		rc = follow_open(&s->follow, f, &s->out, s->call->started_ns, reterr);
	if (rc == 0 && runs && f->stream_interval_ns && !f->stream && !f->metrics)
		output_say(&s->out, SAY_WARNING,
			"--stream-interval: has no effect without --stream or --metrics-file");
	if (rc == 0)
		rc = check_job_files(s, reterr);
	if (rc == 0)
		rc = set_debug(s, reterr);
	return rc;
}

/* ---- job ---- */

static void on_job_warning(void *ctx, const char *text)
{
	struct session *s = ctx;
	s->warned = true;
	collate_add(&s->collate, SAY_WARNING, text);
}

static void on_job_note(void *ctx, const char *text)
{
	struct session *s = ctx;
	collate_add(&s->collate, SAY_NOTE, text);
}

static int read_jobs(struct session *s, struct err *reterr)
{
	const struct flags *f = &s->line.flags;
	const struct job_word *overrides = command_line_overrides(&s->line);
	if (!overrides)
		return err_set(reterr, -ENOMEM, "out of memory");
	machine_look(&s->machine);
	struct job_env env = {
		.native = s->call->face->native,
		.cpus = s->machine.cpus_configured,
		.page_bytes = s->machine.page_bytes,
		.memory_mb = s->machine.memory_bytes >> 20,
		.sections = f->sections.v,
		.sections_count = f->sections.count,
		.sections_at = s->line.sections_at,
		.overrides = overrides,
		.overrides_count = f->overrides.count,
		.warn = on_job_warning,
		.note = on_job_note,
		.warn_ctx = s,
	};
	int rc = job_read(s->line.words, s->line.count, &env, &s->jobs, reterr);
	collate_say(&s->collate, &s->out);
	return rc;
}

static bool has_jobs(const struct command_line *line)
{
	for (size_t i = 0; i < line->count; i++)
		if (!line->words[i].name || strcmp(line->words[i].name, "name") == 0)
			return true;
	return false;
}

/* --parse-only without any job: programs ask so what this build can do. */
static int probe(struct session *s)
{
	struct err err;
	struct engine_chain chain;
	struct command_line *line = &s->line;

	line->words[line->count++] = (struct job_word){.name = "name", .value = "probe"};
	if (read_jobs(s, &err) < 0)
		return refuse(s, &err);
	for (size_t i = 0; i < line->count; i++) {
		const struct job_word *w = &line->words[i];
		if (strcmp(w->name, "ioengine") != 0 ||
			engine_chain_parse(w->value, &chain, &err) == 0)
			continue;
		err_within(&err, "command line: --ioengine");
		return refuse(s, &err);
	}
	return STATUS_OK;
}

static int show_command(struct session *s)
{
	scope_with(str_done) struct str text = {0};
	job_show_command(s->jobs, s->call->face->program, &text);
	output_document(&s->out, &text);
	return STATUS_OK;
}

/* ---- plan ---- */

/* Results are written neither to a target nor to one another's files.  An --output file
 * that is a log, say, stays as it was. */
static int check_plan_files(struct session *s, struct err *reterr)
{
	int rc = 0;
	for (uint32_t i = 0; rc == 0 && i < s->plan->targets_count; i++) {
		const struct plan_target *t = &s->plan->targets[i];
		if (t->found.kind == LOOK_FILE)
			rc = check_apart(s, t->path, t->found.dev, t->found.inode, reterr);
	}
	if (rc < 0 || s->line.flags.plan || s->line.flags.parse_only)
		return rc;
	rc = outputs_check(s->plan, &s->line.flags, reterr);
	if (rc == -EEXIST)
		output_let_go(&s->out);
	return rc;
}

static int make_plan(struct session *s, struct err *reterr)
{
	const struct flags *f = &s->line.flags;
	struct plan_facts facts = {
		.read_only = f->read_only,
		.native = s->call->face->native,
		.traces = !f->parse_only,
		.trace_io = log_wants(LOG_IO),
		.aux_path = f->aux_path,
	};
	facts_fill(&facts, &s->machine, f->parse_only);
	int rc = plan_make(s->jobs, &facts, &s->plan, reterr);
	return rc < 0 ? rc : check_plan_files(s, reterr);
}

static void say_warnings(struct session *s)
{
	for (uint32_t i = 0; i < s->plan->notes_count; i++) {
		if (!s->plan->notes[i].warning)
			continue;
		s->warned = true;
		collate_add(&s->collate, SAY_WARNING, s->plan->notes[i].text);
	}
	collate_say(&s->collate, &s->out);
}

/* The lines of classic text that come before a run. */
static void say_heads(struct session *s)
{
	scope_with(str_done) struct str heads = {0};
	head_add_jobs(s->plan, &heads);
	str_add(&heads, s->call->face->version);
	output_say(&s->out, SAY_FORM, str_text(&heads));
}

static int show_notes(struct session *s)
{
	sink_say_notes(&s->out, s->plan);
	return STATUS_OK;
}

static int show_plan(struct session *s)
{
	scope_with(str_done) struct str text = {0};
	struct json json;
	json_init(&json, &text, JSON_FIO);
	plan_show(s->plan, &json);
	output_document(&s->out, &text);
	return STATUS_OK;
}

/* ---- run, result, report ---- */

static int run(struct session *s, struct sink *sink, struct err *reterr)
{
	const struct flags *f = &s->line.flags;
	struct run_how how = {
		.sink = &sink->run,
		.idle = f->idle == IDLE_PERCPU   ? RUN_IDLE_PERCPU
			: f->idle == IDLE_SYSTEM ? RUN_IDLE_SYSTEM
						 : RUN_IDLE_NONE,
		.environment = s->call->face->native ? (enum run_environment)f->environment
						     : RUN_ENV_NONE,
		.native = s->call->face->native,
		.read_only = f->read_only,
		.no_notes = f->no_notes,
		.like = f->like ? &s->like : NULL,
		.ceiling_ios_per_s = s->call->face->native
					     ? ceiling_known(s->call->face->version)
					     : 0,
		.destroy = f->destroy.v,
		.destroy_count = (uint32_t)f->destroy.count,
		.bandwidth_log = f->bandwidth_log,
		.tick_ns = sink->live.fd >= 0       ? f->eta_interval_ns
			   : follow_any(&s->follow) ? s->follow.interval_ns
						    : 0,
		.partial_ns = f->status_interval_ns,
		.pulse_ns = follow_any(&s->follow) ? s->follow.interval_ns : 0,
		.hang_ns = HANG_NS,
		.drain_ns = DRAIN_NS,
		.started_ns = s->call->started_ns,
	};
	int rc = run_signals_install(reterr);
	return rc < 0 ? rc : run_plan(s->plan, &how, &s->result, reterr);
}

static int result_status(const struct result *r, bool strict)
{
	if (r->stop_signal)
		return STATUS_SIGNAL;
	if (!r->failed && r->logs_failed)
		return STATUS_REFUSED; /* results could not be written */
	if (!r->failed && strict && r->notes_invalid)
		return STATUS_INVALID;
	if (!r->failed && r->checks_count)
		return expect_status(r->checks, r->checks_count);
	return (int)MIN_OF(r->failed, (uint32_t)STATUS_FAILED_MAX);
}

/* Where no format shows verdicts, words tell those that are no pass. */
static void say_checks(struct session *s)
{
	const struct result *r = s->result;

	if (s->formats & (FORMAT_TABLE | FORMAT_MARKDOWN) ||
		(s->formats & FORMAT_JSON && s->call->face->native))
		return;
	for (uint32_t i = 0; i < r->checks_count; i++)
		if (r->checks[i].verdict != CHECK_PASS)
			output_sayf(&s->out, SAY_ERROR, "%s: %s: expected %s: %s%s%s",
				r->checks[i].place, r->checks[i].job ? r->checks[i].job : "?",
				r->checks[i].text, check_verdict_name(r->checks[i].verdict),
				*r->checks[i].reason ? ": " : "", r->checks[i].reason);
}

/* The result's messages are the lines as they were said: with the program's name,
 * as programs search for them, and with what came before the run. */
static void keep_messages(struct session *s)
{
	s->result->messages_count = 0;
	for (size_t i = 0; i < s->out.said_count; i++)
		result_message_add(s->result, s->out.said[i]);
}

/* The stream and the metrics get their end; what of them could not be written is an
 * error of the output.  A result that went nowhere else comes out on stderr. */
static void end_follow(struct session *s, struct sink *sink, const char *why)
{
	int error = follow_end(&s->follow, s->result, why);
	if (!error)
		return;
	if (!s->out.error)
		s->out.error = error;
	if (s->formats || !s->result)
		return;
	s->out.fd = STDERR_FILENO;
	sink->formats = flags_format_bit(s->call->face->format);
	sink_report(sink, s->result);
}

static int measure(struct session *s)
{
	struct err err;
	struct sink sink;
	if (follow_begin(&s->follow, s->plan, &err) < 0)
		return refuse(s, &err);
	sink_init(&sink, &s->out, &s->follow, s->plan, &s->line.flags, s->formats);
	sink.units = s->units;
	int rc = run(s, &sink, &err);
	sink_end(&sink);
	if (rc < 0) {
		end_follow(s, &sink, err.text);
		return refuse(s, &err);
	}

	head_fill_result(s->plan, s->result);
	if (expect_judge(s->plan, s->result) < 0) {
		err_set(&err, -ENOMEM, "expect: out of memory");
		return refuse(s, &err);
	}
	say_checks(s);
	keep_messages(s);
	if (!result_is_clean(s->result))
		output_release(&s->out);
	sink_report(&sink, s->result);
	end_follow(s, &sink, "");
	return result_status(s->result, s->line.flags.strict);
}

/* The pipeline.  Returns the exit status, if only everything gets written. */
static int session_run(struct session *s)
{
	struct err err;

	if (command_line_read(s->call, &s->line, &err) < 0)
		return refuse(s, &err);
	if (flags_ask(&s->line.flags))
		return answer(s);
	if (resume_words(&s->line, &err) < 0)
		return refuse(s, &err);
	if (!s->line.count && !s->line.flags.parse_only)
		return refuse_no_jobs(s);
	if (open_output(s, &err) < 0)
		return refuse(s, &err);
	if (s->line.flags.parse_only && !has_jobs(&s->line))
		return probe(s);

	if (read_jobs(s, &err) < 0)
		return refuse(s, &err);
	if (s->line.flags.show_command)
		return show_command(s);

	if (make_plan(s, &err) < 0)
		return refuse(s, &err);
	if (s->line.flags.plan)
		return show_plan(s);
	say_warnings(s);
	if (s->warned && s->line.flags.warnings_fatal)
		return STATUS_REFUSED;
	if (s->line.flags.parse_only)
		return show_notes(s);
	if (s->line.flags.like && trace_like_read(s->line.flags.like, &s->like, &err) < 0) {
		err_within(&err, "--like");
		return refuse(s, &err);
	}
	say_heads(s);

	return measure(s);
}

int cmd_run(const struct cmd_call *call)
{
	scope_with(session_done) struct session s = {
		.call = call,
		.out = {.face = call->face, .fd = STDOUT_FILENO},
	};

	int status = session_run(&s);
	output_close(&s.out);
	return status == STATUS_OK && s.out.error ? STATUS_REFUSED : status;
}
