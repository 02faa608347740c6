/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/follow.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/flags.h"
#include "cmd/output.h"
#include "config.h"
#include "plan/plan.h"
#include "report/metrics.h"
#include "report/report.h"
#include "report/stream.h"
#include "result/pulse.h"
#include "result/result.h"
#include "result/style.h"
#include "sys/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLLOW_PATIENCE_NS (10 * NS_PER_S)

static const char *const phases[] = {
	[RUN_LAYOUT] = "layout",
	[RUN_START] = "start",
	[RUN_RUNNING] = "running",
	[RUN_DONE] = "done",
};

static uint64_t elapsed_ns(const struct follow *f)
{
	return clock_kernel_ns() - f->started_ns;
}

/* ---- opening ---- */

/* Its own file, not another's. */
static int check_streams_apart(const struct follow *f, struct err *reterr)
{
	struct stat st;

	if (f->stream.path && f->stream.file >= 0 && fstat(f->stream.file, &st) == 0 &&
		courier_is(&f->metrics, st.st_dev, st.st_ino))
		return err_set(reterr, -EINVAL,
			"--metrics-file: %s is the file of --stream; name another",
			f->metrics.path);
	if (f->out->path && fstat(f->out->fd, &st) == 0)
		return follow_check_apart(f, "the file of --output", st.st_dev, st.st_ino,
			reterr);
	return 0;
}

int follow_open(struct follow *f, const struct flags *flags, struct output *out,
	uint64_t started_ns, struct err *reterr)
{
	*f = (struct follow){
		.out = out,
		.started_ns = started_ns,
		.interval_ns = flags->stream_interval_ns ? flags->stream_interval_ns : NS_PER_S,
		.phase = phases[RUN_START],
		.stream = {.file = -1, .socket = -1},
		.metrics = {.file = -1, .socket = -1},
	};
	int rc = courier_open(&f->stream, COURIER_ADD, flags->stream, reterr);
	if (rc == 0)
		rc = courier_open(&f->metrics, COURIER_REPLACE, flags->metrics, reterr);
	return rc < 0 ? rc : check_streams_apart(f, reterr);
}

int follow_check_apart(const struct follow *f, const char *path, dev_t dev, ino_t inode,
	struct err *reterr)
{
	if (courier_is(&f->stream, dev, inode))
		return err_set(reterr, -EINVAL,
			"--stream: %s would overwrite %s; name another file", f->stream.path,
			path);
	if (courier_is(&f->metrics, dev, inode))
		return err_set(reterr, -EINVAL,
			"--metrics-file: %s would replace %s; name another file",
			f->metrics.path, path);
	return 0;
}

/* ---- saying ---- */

bool follow_any(const struct follow *f)
{
	return courier_works(&f->stream) || courier_works(&f->metrics);
}

static const char *reason(const struct courier *c)
{
	return c->killed               ? "its writer was killed"
	       : c->error == ETIMEDOUT ? "nothing was written for too long"
				       : strerror(c->error);
}

/* What went wrong, once. */
static void look(struct follow *f)
{
	if (f->stream.error && !f->stream_said) {
		f->stream_said = true;
		output_sayf(f->out, SAY_ERROR,
			"--stream: %s: %s; it ends there, the run goes on", f->stream.path,
			reason(&f->stream));
	}
	if (f->metrics.error && !f->metrics_said) {
		f->metrics_said = true;
		output_sayf(f->out, SAY_ERROR,
			"--metrics-file: %s: %s; it is not up to date, the run goes on",
			f->metrics.path, reason(&f->metrics));
	}
}

static void say(struct follow *f, struct str *line)
{
	courier_send(&f->stream, line);
	str_done(line);
	look(f);
}

/* R is there at the end, else NULL. */
static void write_metrics(struct follow *f, bool ended, const struct result *r)
{
	scope_with(str_done) struct str text = {0};
	double now_s = (double)clock_wall_ms() / 1e3;
	uint64_t elapsed = elapsed_ns(f);
	struct metrics m = {
		.version = "weir " WEIR_VERSION,
		.phase = f->phase,
		.start_s = now_s - (double)elapsed / (double)NS_PER_S,
		.updated_s = now_s,
		.elapsed_ns = elapsed,
		.layout_bytes = f->layout_bytes,
		.layout_total = f->layout_total,
		.ended = ended,
		.complete = r && !r->partial && !r->failed,
		.failed = r ? r->failed : 0,
	};

	if (!courier_works(&f->metrics) || (courier_busy(&f->metrics) && !ended))
		return;
	metrics_print(&m, str_text(&f->rows), &text);
	text.failed |= f->rows.failed;
	courier_send(&f->metrics, &text);
	look(f);
}

static void say_begin(struct follow *f, const struct plan *plan)
{
	uint64_t t_ns = elapsed_ns(f);
	scope_mem struct stream_job *jobs = calloc(plan->rows_count + 1, sizeof(*jobs));
	uint32_t count = 0;
	struct str text = {0};

	for (uint32_t r = 0; r < plan->rows_count && jobs; r++) {
		const struct plan_row *pr = &plan->rows[r];
		const struct plan_worker *first = &plan->workers[pr->first_worker];
		if (first->measure.style->hidden)
			continue;
		struct stream_job *job = &jobs[count++];
		*job = (struct stream_job){
			.name = first->name,
			.number = r + 1,
			.group = pr->group,
			.workers = pr->workers,
			.engine = first->queue.engine,
			.rw = first->rw,
		};
		for (uint32_t i = 0; i < pr->workers; i++)
			for (int d = 0; d < DIRS; d++)
				job->dirs |= (unsigned)plan_moves(&first[i], d) << d;
	}
	const struct stream_begin begin = {
		.version = "weir " WEIR_VERSION,
		.time_ms = clock_wall_ms() - t_ns / NS_PER_MS,
		.interval_ns = f->interval_ns,
		.jobs = jobs,
		.jobs_count = count,
	};
	stream_begin(&begin, &text);
	for (size_t i = 0; i < f->out->said_count; i++) /* before there was a stream */
		stream_words(t_ns, "message", "warning", f->out->said[i], &text);
	for (uint32_t i = 0; i < plan->notes_count; i++)
		if (!plan->notes[i].warning)
			stream_words(t_ns, "note", "info", plan->notes[i].text, &text);
	say(f, &text);
}

int follow_begin(struct follow *f, const struct plan *plan, struct err *reterr)
{
	int rc = courier_start(&f->stream, reterr);
	if (rc == 0)
		rc = courier_start(&f->metrics, reterr);
	if (rc == 0 && courier_works(&f->stream))
		say_begin(f, plan);
	if (rc == 0)
		write_metrics(f, false, NULL);
	return rc;
}

void follow_phase(struct follow *f, enum run_phase phase, const char *text)
{
	struct str line = {0};

	f->phase = phases[phase];
	stream_phase(elapsed_ns(f), f->phase, text ? text : "", &line);
	say(f, &line);
	write_metrics(f, false, NULL);
}

void follow_layout(struct follow *f, uint64_t bytes, uint64_t total)
{
	struct str line = {0};

	f->layout_bytes = bytes;
	f->layout_total = total;
	stream_layout(elapsed_ns(f), bytes, total, &line);
	say(f, &line);
	write_metrics(f, false, NULL);
}

void follow_message(struct follow *f, enum run_weight weight, const char *text)
{
	static const char *const weights[] = {[RUN_INFO] = "info",
		[RUN_WARNING] = "warning",
		[RUN_ERROR] = "error",
		[RUN_DATA] = "error"};
	struct str line = {0};

	stream_words(elapsed_ns(f), "message", weights[weight], text, &line);
	say(f, &line);
}

void follow_fault(struct follow *f, uint32_t row, const char *job,
	const struct result_fault *fault, uint32_t unit_bytes)
{
	struct str line = {0};

	stream_fault(elapsed_ns(f), row + 1, job, fault, unit_bytes, &line);
	say(f, &line);
}

bool follow_listens(struct follow *f)
{
	return courier_works(&f->stream) && !courier_busy(&f->stream);
}

void follow_pulse(struct follow *f, const struct pulse *pulse)
{
	struct str lines = {0};

	if (courier_works(&f->stream))
		stream_pulse(pulse, &lines);
	say(f, &lines);
	if (!courier_works(&f->metrics))
		return;
	str_reset(&f->rows);
	metrics_rows(pulse, &f->rows);
	write_metrics(f, false, NULL);
}

static void say_result(struct follow *f, const struct result *r)
{
	const struct report_how how = {.native = true, .version = "weir " WEIR_VERSION};
	struct str line = {0};

	stream_result(elapsed_ns(f), r, &how, &line);
	say(f, &line);
}

void follow_partial(struct follow *f, const struct result *so_far)
{
	if (follow_listens(f))
		say_result(f, so_far);
}

/* ---- the end ---- */

int follow_end(struct follow *f, const struct result *r, const char *why)
{
	struct str line = {0};

	if (r && courier_works(&f->stream))
		say_result(f, r);
	if (!r)
		stream_refused(elapsed_ns(f), why, &line);
	say(f, &line);
	write_metrics(f, true, r);
	courier_end(&f->stream, FOLLOW_PATIENCE_NS);
	courier_end(&f->metrics, FOLLOW_PATIENCE_NS);
	courier_close(&f->stream);
	courier_close(&f->metrics);
	look(f);
	return f->stream.error ? f->stream.error : f->metrics.error;
}

void follow_done(struct follow *f)
{
	courier_close(&f->stream);
	courier_close(&f->metrics);
	str_done(&f->rows);
	f->rows = (struct str){0};
}
