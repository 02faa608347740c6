/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The verb `quick`: what does this disk do?  A few short measurements and a sentence.
 *
 * A target that is there is only read, unless --destroy names it.  In a directory, or
 * under a name that isn't there, a file is made, written, read and removed. */
#include "cmd/cmd.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/json.h"
#include "base/log.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/face.h"
#include "cmd/gathered.h"
#include "cmd/measure.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "cmd/trial.h"
#include "engine/engine.h"
#include "job/job.h"
#include "opt/opt.h"
#include "report/checks.h"
#include "report/report.h"
#include "report/watch.h"
#include "result/known.h"
#include "result/result.h"
#include "run/run.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RUNTIME_PRESET (5 * NS_PER_S)
#define NEW_BYTES_MAX  (UINT64_C(1) << 30)
#define NEW_BYTES_MIN  (UINT64_C(16) << 20)
#define DEPTH          32u
#define DEPTH_TEXT     "32"

enum part_id {
	PART_RANDOM_ONE,
	PART_RANDOM_MANY,
	PART_SEQUENTIAL,
	PART_WRITE_RANDOM,
	PART_WRITE_SEQUENTIAL,
	PARTS,
};

struct part {
	const char *label, *key, *rw, *bs, *depth;
	bool writes;
};

static const struct part parts[PARTS] = {
	[PART_RANDOM_ONE] = {"random read 4 KiB, one at a time", "random_read_1", "randread",
		"4k", "1", false},
	[PART_RANDOM_MANY] = {"random read 4 KiB, 32 in flight", "random_read_32", "randread",
		"4k", DEPTH_TEXT, false},
	[PART_SEQUENTIAL] = {"sequential read 1 MiB, 8 in flight", "sequential_read", "read",
		"1m", "8", false},
	[PART_WRITE_RANDOM] = {"random write 4 KiB, 32 in flight", "random_write_32",
		"randwrite", "4k", DEPTH_TEXT, true},
	[PART_WRITE_SEQUENTIAL] = {"sequential write 1 MiB, 8 in flight", "sequential_write",
		"write", "1m", "8", true},
};

struct quick_part {
	struct measure run; /* its result has what was watched */
	bool done;
	double iops, bytes_per_s, mean_ns, cpu_share;
	double iops_error, bytes_error, p50_error, p99_error; /* standard errors */
	uint64_t bytes, p50_ns, p99_ns;
	bool tail; /* enough samples for p99 */
	uint64_t samples;
};

struct quick {
	const struct cmd_call *call;
	const char *target, *destroy;
	uint64_t runtime_ns;
	bool json, writes;
	struct measure_told told;
	struct measure_how how[PARTS]; /* of the parts' runs */
	const char *destroys;          /* the trial's path   */
	struct gathered gathered;
	struct trial trial;
	uint64_t span; /* bytes that are read and written */
	const char *engine;
	struct quick_part part[PARTS];
	struct str limit;
	int stopped;
};

const char quick_usage[] =
	"usage: weir quick TARGET     a file, a device, a directory, or a name that isn't there\n"
	"  --json\n"
	"  --runtime=5s               of each part\n"
	"  --destroy=TARGET           it may be overwritten, too; else it is only read\n"
	"  --env=masked|full|none     what JSON says of the machine; none: nothing is looked at\n"
	"  --no-notes                 show none\n"
	"  --strict                   status 125 when a note says that a figure is invalid\n"
	"In a directory and under a new name a file is made, and removed afterwards.\n";

static int put(const struct quick *q, struct str *text)
{
	int rc = q->json ? 0 : output_write(STDOUT_FILENO, str_text(text), text->len);
	str_reset(text);
	return rc;
}

/* ---- words ---- */

static int word_read(struct quick *q, const char *word, struct err *reterr)
{
	if (strcmp(word, "--json") == 0 || strcmp(word, "--output-format=json") == 0) {
		q->json = true;
		return 0;
	}
	if (measure_word(word, &q->told))
		return 0;
	if (strcmp(word, "--destroy") == 0) {
		q->destroy = "";
		return 0;
	}
	if (str_starts(word, "--destroy=")) {
		q->destroy = word + strlen("--destroy=");
		return 0;
	}
	if (str_starts(word, "--runtime=")) {
		if (opt_read_time(word + strlen("--runtime="), NS_PER_S, &q->runtime_ns,
			    reterr) < 0)
			return err_within(reterr, "--runtime");
		return q->runtime_ns >= 100 * NS_PER_MS && q->runtime_ns <= 3600 * NS_PER_S
			       ? 0
			       : err_set(reterr, -ERANGE, "--runtime: 100ms to 1h");
	}
	if (word[0] == '-')
		return err_set(reterr, -EINVAL,
			"quick: unknown flag '%s'; it has --json, --destroy=TARGET, --runtime=TIME, "
			"--env=masked|full|none, --no-notes and --strict",
			word);
	if (q->target)
		return err_set(reterr, -EINVAL, "quick: one target, not '%s' and '%s'",
			q->target, word);
	q->target = word;
	return 0;
}

static int words_read(struct quick *q, struct err *reterr)
{
	for (int i = 0; i < q->call->argc; i++) {
		int rc = word_read(q, q->call->argv[i], reterr);
		if (rc < 0)
			return rc;
	}
	if (!q->target)
		return err_set(reterr, -EINVAL, "quick: name a target: weir help quick");
	/* Consent names what is meant, so that a forgotten word destroys nothing. */
	if (q->destroy && strcmp(q->destroy, q->target) != 0)
		return err_set(reterr, -EINVAL,
			"--destroy names what may be overwritten: --destroy=%s", q->target);
	return 0;
}

/* ---- one measurement ---- */

static const char *engine_choose(void)
{
	static const char *const wanted[] = {"io_uring", "libaio"};

	for (size_t i = 0; i < COUNT_OF(wanted); i++) {
		const struct engine *e = engine_find(wanted[i]);
		if (e && (!e->probe || e->probe(NULL) == 0))
			return wanted[i];
	}
	return "posixaio";
}

static void part_take(struct quick_part *p, const struct result *r, int dir)
{
	const struct result_row *row = &r->rows[0];
	const struct result_dir *d = &row->dir[dir];
	const struct latency *l = result_latency(d);

	p->done = d->ios > 0;
	p->iops = result_iops(d);
	p->bytes_per_s = result_bw(d);
	p->iops_error = p->iops * known_rate(row, d, SERIES_IOS);
	p->bytes_error = p->bytes_per_s * known_rate(row, d, SERIES_BYTES);
	p->bytes = d->bytes;
	if (row->runtime_ns)
		p->cpu_share = (row->cpu.user_ms + row->cpu.system_ms) * (double)NS_PER_MS /
			       (double)row->runtime_ns;
	if (!latency_any(l))
		return;
	p->mean_ns = latency_mean(l);
	p->samples = l->moments.count;
	p->tail = p->samples >= 500;
	p->p50_ns = latency_quantile(l, 0.5);
	p->p99_ns = latency_quantile(l, 0.99);
	p->p50_error = known_quantile(row, l, 0.5);
	p->p99_error = known_quantile(row, l, 0.99);
}

/* LOOP: until the time is over, else the span once at most. */
static int part_run(struct quick *q, enum part_id id, bool loop, struct err *reterr)
{
	/* What is meant to be: 32 in flight fill it, and the sentence about the limit says what
	 * came of that; a new file is written once. */
	static const struct gathered_but but[] = {{"saturated", NULL}, {"ended-early", NULL},
		{"short-run", "give it more time (--runtime), or a job a larger file"},
		{NULL, NULL}};
	const struct part *p = &parts[id];
	struct measure *m = &q->part[id].run;
	char size[32], runtime[32];
	snprintf(size, sizeof(size), "%" PRIu64, q->span);
	snprintf(runtime, sizeof(runtime), "%" PRIu64 "ms", q->runtime_ns / NS_PER_MS);
	const struct job_word words[] = {
		{.name = "name", .value = p->key},
		{.name = "filename", .value = q->trial.name},
		{.name = "ioengine", .value = q->engine},
		{.name = "rw", .value = p->rw},
		{.name = "bs", .value = q->span < (1u << 20) && *p->bs == '1' ? "4k" : p->bs},
		{.name = "iodepth", .value = p->depth},
		{.name = "direct", .value = q->trial.direct ? "1" : "0"},
		{.name = "norandommap"},
		{.name = "size", .value = size},
		{.name = "runtime", .value = runtime},
		{.name = "end_fsync", .value = p->writes ? "1" : "0"},
		{.name = "time_based", .value = loop ? "1" : "0"},
	};
	q->destroys = q->trial.path;
	q->how[id] = (struct measure_how){
		.call = q->call,
		.destroy = &q->destroys,
		.destroy_count = p->writes ? 1 : 0,
		.read_only = !p->writes,
		.told = q->told,
		.quiet = true,
	};
	int rc = measure_plan(m, &q->how[id], words, COUNT_OF(words), reterr);
	if (rc == 0)
		rc = measure_run(m, NULL, reterr);
	if (rc < 0)
		return rc;
	q->stopped = m->result->stop_signal;
	const struct result_row *row = &m->result->rows[0];
	if (row->error && !q->stopped)
		return err_set(reterr, -EIO, "%s: %s failed: %s", q->trial.path, p->label,
			strerror(row->error));
	part_take(&q->part[id], m->result, p->writes ? DIR_WRITE : DIR_READ);
	gathered_add(&q->gathered, m->result, p->key, but);
	return 0;
}

/* ---- words about it ---- */

static void add_part(struct str *out, enum part_id id, const struct quick_part *p)
{
	scope_with(str_done) struct str iops = {0}, bw = {0};

	checks_known(&iops, QUANTITY_RATE, p->iops, p->iops_error);
	checks_known(&bw, QUANTITY_BANDWIDTH, p->bytes_per_s, p->bytes_error);
	str_addf(out, "  %-36s %7s IOPS %11s   p50 ", parts[id].label, str_text(&iops),
		str_text(&bw));
	checks_known(out, QUANTITY_TIME, (double)p->p50_ns, p->p50_error);
	if (p->tail) {
		str_add(out, ", p99 ");
		checks_known(out, QUANTITY_TIME, (double)p->p99_ns, p->p99_error);
	}
	str_add_char(out, '\n');
}

static void add_head(struct str *out, const struct quick *q)
{
	scope_with(str_done) struct str size = {0};

	checks_value(&size, QUANTITY_BYTES, (double)(q->trial.made ? q->span : q->trial.bytes));
	str_addf(out, "%s   ", q->target);
	if (q->trial.made)
		str_addf(out, "a new file of %s, removed afterwards", str_text(&size));
	else
		str_addf(out, "%s of %s, %s", q->trial.kind == TRIAL_DEVICE ? "device" : "file",
			str_text(&size), q->writes ? "overwritten" : "read only");
	str_addf(out, ", %s, %s\n",
		q->trial.direct ? "past the page cache" : "through the page cache", q->engine);
}

/* The one sentence.  With 32 in flight the rate is at most 32 over the latency of one
 * (Little's law): how near it comes says whether the disk works in parallel. */
static void limit_make(struct quick *q)
{
	const struct quick_part *one = &q->part[PART_RANDOM_ONE],
				*many = &q->part[PART_RANDOM_MANY];
	struct str *out = &q->limit;

	if (!one->done || !many->done || one->iops <= 0)
		return;
	double gain = many->iops / one->iops;
	if (!q->trial.direct)
		str_add(out, "the page cache answers: there is no way past it here, so this is "
			     "memory more than the disk");
	else if (many->cpu_share > 0.9)
		str_addf(out,
			"one CPU is the limit at 32 in flight (%.1f \xc2\xb5s a request): several jobs "
			"would reach more",
			many->cpu_share * 1e6 / many->iops);
	else if (gain < 1.5)
		str_addf(out,
			"it does one request at a time: 32 in flight gain %.2g times, and each "
			"waits longer",
			gain);
	else if (gain > 0.75 * DEPTH)
		str_addf(out,
			"32 in flight don't fill it: the rate is %.0f times that of one, "
			"and more in flight would reach more",
			gain);
	else
		str_addf(out,
			"random reads end at about %.0f in parallel: 32 in flight reach %.2g "
			"times the rate of one",
			ceil(gain), gain);
}

/* ---- JSON ---- */

static void write_part(struct json *j, enum part_id id, const struct quick_part *p)
{
	if (!p->done)
		return;
	json_object(j, parts[id].key);
	json_text(j, "what", parts[id].label);
	json_double(j, "ios_per_s", p->iops);
	json_double(j, "bytes_per_s", p->bytes_per_s);
	json_uint(j, "lat_samples", p->samples);
	json_double(j, "lat_mean_ns", p->mean_ns);
	json_uint(j, "lat_p50_ns", p->p50_ns);
	if (p->tail)
		json_uint(j, "lat_p99_ns", p->p99_ns);
	if (p->run.result->watch)
		report_json_watch(j, p->run.result->watch);
	json_object_end(j);
}

static int json_print(const struct quick *q)
{
	static const char *const kinds[] = {
		[TRIAL_FILE] = "file", [TRIAL_DEVICE] = "device", [TRIAL_NEW] = "new file"};
	scope_with(str_done) struct str doc = {0};
	struct json j;

	json_init(&j, &doc, JSON_FIO);
	json_object(&j, NULL);
	json_text(&j, "version", q->call->face->version);
	json_text(&j, "target", q->target);
	json_text(&j, "kind", kinds[q->trial.kind]);
	json_uint(&j, "bytes", q->trial.made ? q->span : q->trial.bytes);
	json_bool(&j, "direct", q->trial.direct);
	json_bool(&j, "written", q->writes);
	json_text(&j, "engine", q->engine);
	json_bool(&j, "partial", q->stopped != 0);
	for (int i = 0; i < PARTS; i++)
		write_part(&j, (enum part_id)i, &q->part[i]);
	json_text(&j, "limit", str_text(&q->limit));
	gathered_json(&q->gathered, &j);
	json_object_end(&j);
	return doc.failed ? -ENOMEM : output_write(STDOUT_FILENO, str_text(&doc), doc.len);
}

/* ---- all ---- */

/* A new file is made by the sequential write: what it reached is the span. */
static int file_make(struct quick *q, struct err *reterr)
{
	q->span = MIN_OF(NEW_BYTES_MAX, q->trial.bytes / 4) & ~(uint64_t)((1 << 20) - 1);
	if (q->span < NEW_BYTES_MIN)
		return err_set(reterr, -ENOSPC,
			"%s: there is not enough room: a file of 16 MiB needs 64 MiB free",
			q->trial.path);
	int rc = part_run(q, PART_WRITE_SEQUENTIAL, false, reterr);
	uint64_t written = q->part[PART_WRITE_SEQUENTIAL].bytes;
	/* Cut by time: what was under way then was written, too. */
	if (rc == 0 && written < q->span)
		q->span = MAX_OF(written & ~(uint64_t)0xfffff, UINT64_C(1) << 20);
	return rc;
}

static int span_choose(struct quick *q, struct err *reterr)
{
	q->span = q->trial.bytes & ~(uint64_t)4095;
	if (!q->span)
		return err_set(reterr, -EINVAL,
			"%s: is smaller than 4096 bytes: there is nothing to read",
			q->trial.path);
	return 0;
}

static int show_part(struct quick *q, enum part_id id)
{
	scope_with(str_done) struct str text = {0};

	if (!q->part[id].done)
		return 0;
	add_part(&text, id, &q->part[id]);
	return put(q, &text);
}

/* The sentence, and what spoils all of it. */
static void add_end(struct quick *q, struct str *out)
{
	struct report_how how = {.native = true, .colour = output_coloured(STDOUT_FILENO)};

	how.columns = output_columns(STDOUT_FILENO);
	if (q->limit.len)
		str_addf(out, "  limit: %s\n", str_text(&q->limit));
	gathered_text(&q->gathered, &how, out);
}

static int measure_all(struct quick *q, struct err *reterr)
{
	static const enum part_id order[] = {PART_RANDOM_ONE, PART_RANDOM_MANY, PART_SEQUENTIAL,
		PART_WRITE_RANDOM, PART_WRITE_SEQUENTIAL};
	scope_with(str_done) struct str text = {0};
	int rc = q->trial.made ? file_make(q, reterr) : span_choose(q, reterr);

	if (rc < 0)
		return rc;
	add_head(&text, q);
	rc = put(q, &text);
	for (size_t i = 0; i < COUNT_OF(order) && rc == 0; i++) {
		enum part_id id = order[i];
		bool made = id == PART_WRITE_SEQUENTIAL && q->trial.made;
		if (q->stopped && !made)
			continue;
		if (!made && (!parts[id].writes || q->writes))
			rc = part_run(q, id, true, reterr);
		if (rc < 0)
			return rc;
		rc = show_part(q, id);
	}
	if (rc == 0) {
		limit_make(q);
		add_end(q, &text);
		rc = q->json ? json_print(q) : put(q, &text);
	}
	return rc < 0 ? err_sys(reterr, rc, "standard output") : 0;
}

static void quick_done(struct quick *q)
{
	for (int i = 0; i < PARTS; i++)
		measure_done(&q->part[i].run);
	gathered_done(&q->gathered);
	trial_close(&q->trial);
	str_done(&q->limit);
}

int cmd_quick(const struct cmd_call *call)
{
	scope_with(quick_done) struct quick q = {
		.call = call, .told.environment = RUN_ENV_MASKED, .runtime_ns = RUNTIME_PRESET};
	struct err err;

	if (words_read(&q, &err) < 0 || trial_open(&q.trial, q.target, &err) < 0)
		return say_status(STATUS_REFUSED, "%s", err.text);
	q.writes = q.trial.made || q.destroy;
	q.engine = engine_choose();
	if (measure_all(&q, &err) < 0)
		return say_status(STATUS_REFUSED, "%s", err.text);
	if (q.stopped)
		return STATUS_SIGNAL;
	return q.told.strict && q.gathered.invalid ? STATUS_INVALID : STATUS_OK;
}
