/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The verb `knee`: how much load does it take before latency misses a goal?
 *
 * Load is offered by rate, at random times (poisson) that don't wait for completions, as
 * many independent users make it; a curve over depth would hide what waiting costs.
 * First the job as it is, as fast as it goes: its rate is the capacity.  Then rates
 * below it, each a run of its own. */
#include "cmd/knee.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/log.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/command_line.h"
#include "cmd/face.h"
#include "cmd/measure.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "job/job.h"
#include "opt/opt.h"
#include "plan/plan.h"
#include "report/digits.h"
#include "report/report.h"
#include "result/result.h"
#include "sys/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define POINT_PRESET  (5 * NS_PER_S)
#define TIME_PRESET   (300 * NS_PER_S)
#define SERIES_STEP   100 /* intervals of a point's series, at least        */
#define LENGTHS       3   /* a point that doesn't decide: twice, four times */
#define RATIO_PRESET  0.05
#define DEFAULT_WORDS 8

struct knee_call {
	const struct cmd_call *call;
	struct command_line line;
	struct knee knee;
	uint64_t point_ns, time_ns, began_ns;
	const char *keep; /* folder of results, or NULL */
	bool json;
	struct measure_how how;
	struct measure runs[KNEE_POINTS]; /* of the points */
};

const char knee_usage[] =
	"usage: weir knee --goal=ASSERTION JOB...    e.g. --goal='read.lat.p99 < 1ms' job.fio\n"
	"  --point=5s         time of each rate; twice and four times that where it is close\n"
	"  --within=5%        the answer is known to within so much\n"
	"  --max-time=5m      of all\n"
	"  --keep=FOLDER      the result of each point, as JSON\n"
	"  --json\n"
	"  --strict           status 125 when a note of a point says that a figure is invalid\n"
	"JOB is what `weir run` takes, without rate or rate_iops.\n"
	"Exit status: 0 found, 1 no rate meets the goal, 3 not finished, 4 nothing was found out.\n";

/* ---- words ---- */

static int goal_read(struct knee *k, const char *text, struct err *reterr)
{
	struct assertion_list list;
	int rc = assertion_read(&k->arena, text, &list, reterr);

	if (rc < 0)
		return err_within(reterr, "--goal");
	if (list.count != 1)
		return err_set(reterr, -EINVAL,
			"--goal: one assertion, as in read.lat.p99 < 1ms");
	k->goal = list.v[0];
	k->goal_text = k->goal.text;
	return 0;
}

static int share_read(const char *text, double *ret, struct err *reterr)
{
	char copy[16];
	snprintf(copy, sizeof(copy), "%.*s", (int)strcspn(text, "%"), text);
	if (opt_read_double(copy, ret, reterr) < 0)
		return -EINVAL;
	if (*ret < 0.5 || *ret > 50)
		return err_set(reterr, -ERANGE, "0.5%% to 50%%");
	*ret /= 100;
	return 0;
}

/* 1: WORD is none of knee's own. */
static int flag_read(struct knee_call *c, const char *word, struct err *reterr)
{
	const char *value = strchr(word, '=');
	double share;

	value = value ? value + 1 : "";
	if (str_starts(word, "--goal="))
		return goal_read(&c->knee, value, reterr);
	if (str_starts(word, "--point="))
		return opt_read_time(value, NS_PER_S, &c->point_ns, reterr) < 0
			       ? err_within(reterr, "--point")
			       : 0;
	if (str_starts(word, "--max-time="))
		return opt_read_time(value, NS_PER_S, &c->time_ns, reterr) < 0
			       ? err_within(reterr, "--max-time")
			       : 0;
	if (str_starts(word, "--within=")) {
		if (share_read(value, &share, reterr) < 0)
			return err_within(reterr, "--within");
		c->knee.search.ratio = 1 + share;
		return 0;
	}
	if (str_starts(word, "--keep=")) {
		c->keep = value;
		return 0;
	}
	if (strcmp(word, "--json") == 0 || strcmp(word, "--output-format=json") == 0) {
		c->json = true;
		return 0;
	}
	return 1;
}

static int words_read(struct knee_call *c, struct err *reterr)
{
	struct knee *k = &c->knee;
	struct cmd_call rest = *c->call;
	int count = 0;

	rest.argv = arena_array(&k->arena, (size_t)c->call->argc + 1, sizeof(*rest.argv));
	if (!rest.argv)
		return err_set(reterr, -ENOMEM, "out of memory");
	for (int i = 0; i < c->call->argc; i++) {
		int rc = flag_read(c, c->call->argv[i], reterr);
		if (rc < 0)
			return rc;
		if (rc)
			rest.argv[count++] = c->call->argv[i];
	}
	rest.argc = count;
	if (!k->goal_text || !count)
		return err_set(reterr, -EINVAL,
			"knee: a goal and a job are needed: weir knee --goal='read.lat.p99 < 1ms' "
			"JOB; weir help knee tells more");
	if (c->point_ns < 100 * NS_PER_MS || c->point_ns > 3600 * NS_PER_S)
		return err_set(reterr, -ERANGE, "--point: 100ms to 1h");
	int rc = command_line_read(&rest, &c->line, reterr);
	if (rc == 0 && c->line.flags.like)
		return err_set(reterr, -EINVAL,
			"knee: --like: the search asks for many rates, and that of a trace is one; run "
			"the job with --like=%s",
			c->line.flags.like);
	if (rc == 0 && flags_ask(&c->line.flags))
		return err_set(reterr, -EINVAL, "knee runs jobs; weir help knee tells more");
	return rc;
}

/* ---- a run at one rate ---- */

static char *rate_text(struct knee *k, double rate)
{
	scope_with(str_done) struct str text = {0};

	for (int d = 0; d < DIRS; d++) {
		double each = k->users[d] ? rate * k->share[d] / k->users[d] : 0;
		str_addf(&text, "%s%.0f", d ? "," : "", k->users[d] ? MAX_OF(each, 1.0) : 1.0);
	}
	return arena_text(&k->arena, str_text(&text));
}

/* Defaults of the job first: what the job says itself counts more. */
static int point_plan(struct knee_call *c, double rate, uint64_t length_ns, struct measure *m,
	struct err *reterr)
{
	struct knee *k = &c->knee;
	struct job_word *words = arena_array(&k->arena, c->line.count + DEFAULT_WORDS,
		sizeof(*words));
	const char *runtime = arena_printf(&k->arena, "%" PRIu64 "ms", length_ns / NS_PER_MS);
	const char *step = arena_printf(&k->arena, "%" PRIu64,
		MIN_OF(MAX_OF(length_ns / NS_PER_MS / SERIES_STEP, UINT64_C(10)),
			UINT64_C(1000)));
	const char *rates = rate_text(k, rate);
	size_t count = 0;

	if (!words || !runtime || !step || !rates)
		return err_set(reterr, -ENOMEM, "out of memory");
	words[count++] = (struct job_word){.name = "runtime", .value = runtime};
	words[count++] = (struct job_word){.name = "time_based"};
	words[count++] = (struct job_word){.name = "group_reporting"};
	words[count++] = (struct job_word){.name = "iopsavgtime", .value = step};
	words[count++] = (struct job_word){.name = "bwavgtime", .value = step};
	if (rate > 0) {
		words[count++] = (struct job_word){.name = "rate_process", .value = "poisson"};
		words[count++] = (struct job_word){.name = "rate_iops", .value = rates};
	}
	if (c->line.count)
		memcpy(words + count, c->line.words, c->line.count * sizeof(*words));
	return measure_plan(m, &c->how, words, count + c->line.count, reterr);
}

/* Is there a job that the goal can be about?  A run is a long time to find out. */
static int goal_fits(const struct path *goal, const struct plan *plan, struct err *reterr)
{
	static const char *const does[] = {"reads", "writes", "trims"};
	bool named = false;

	for (uint32_t i = 0; i < plan->workers_count; i++) {
		const struct plan_worker *w = &plan->workers[i];
		if (goal->job && strcmp(goal->job, w->name))
			continue;
		named = true;
		if (goal->dir < 0 || goal->dir >= DIRS || w->pattern.use[goal->dir])
			return 0;
	}
	if (!named)
		return err_set(reterr, -EINVAL, "--goal: no job is called '%s'", goal->job);
	return err_set(reterr, -EINVAL, "--goal: no job of it %s", does[goal->dir]);
}

/* What the jobs are; the same for all points. */
static int plan_take(struct knee *k, const struct plan *plan, struct err *reterr)
{
	if (plan->waves_count != 1)
		return err_set(reterr, -EINVAL,
			"knee needs jobs that run together: these run one after the other; take "
			"stonewall out, or name one with --section");
	for (uint32_t i = 0; i < plan->workers_count; i++) {
		const struct plan_worker *w = &plan->workers[i];
		if (w->rate.any)
			return job_fail(w->job, job_gave(w->job, "rate") ? "rate" : "rate_iops",
				reterr, -EINVAL, "knee sets the rate itself; take this out");
		k->depth += w->queue.depth;
		for (int d = 0; d < DIRS; d++)
			k->users[d] += w->pattern.use[d];
	}
	return goal_fits(&k->goal.path, plan, reterr);
}

/* FOLDER/point-NN.json */
static int point_keep(struct knee_call *c, struct knee_point *p, const struct result *r,
	struct err *reterr)
{
	scope_with(str_done) struct str doc = {0};
	struct knee *k = &c->knee;
	const struct report_how how = {.native = true, .version = k->version, .bins = true};

	if (!c->keep)
		return 0;
	p->kept = arena_printf(&k->arena, "%s/point-%02u.json", c->keep, k->count);
	if (!p->kept)
		return err_set(reterr, -ENOMEM, "out of memory");
	report_json.print(r, &how, &doc);
	scope_fd int fd = open(p->kept, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	int rc = fd < 0 ? -errno : output_write(fd, str_text(&doc), doc.len);
	return rc < 0 ? err_sys(reterr, rc, "%s", p->kept) : 0;
}

static int result_fault(const struct result *r, struct err *reterr)
{
	for (uint32_t i = 0; i < r->rows_count; i++)
		if (r->rows[i].error && !r->stop_signal)
			return err_set(reterr, -EIO, "[%s] failed: %s", r->rows[i].name,
				strerror(r->rows[i].error));
	return 0;
}

/* One run at RATE (0: the closed loop) of LENGTH_NS. */
static int point_run(struct knee_call *c, double rate, uint64_t length_ns, struct knee_point *p,
	struct err *reterr)
{
	struct knee *k = &c->knee;
	struct measure *m = &c->runs[p - k->points];

	measure_done(m); /* a shorter one that didn't decide */
	int rc = point_plan(c, rate, length_ns, m, reterr);
	*p = (struct knee_point){.offered = rate};
	if (rc == 0 && !k->depth)
		rc = plan_take(k, m->plan, reterr);
	c->how.quiet = true; /* what there is to say of the jobs is said once */
	if (rc == 0)
		rc = measure_run(m, NULL, reterr);
	if (rc == 0)
		rc = result_fault(m->result, reterr);
	if (rc < 0)
		return rc;
	k->stopped = m->result->stop_signal;
	if (k->stopped)
		return 0;
	p->watch = m->result->watch;
	knee_point_take(k, p, m->result);
	if (rate > 0)
		knee_point_judge(k, p, m->result);
	else
		for (int d = 0; d < DIRS; d++)
			for (uint32_t i = 0; i < m->result->rows_count && p->achieved > 0; i++)
				k->share[d] += MAX_OF(result_iops(&m->result->rows[i].dir[d]),
						       0.0) /
					       p->achieved;
	return point_keep(c, p, m->result, reterr);
}

/* ---- the search ---- */

static bool time_left(struct knee_call *c, uint64_t need_ns)
{
	if (clock_kernel_ns() + need_ns <= c->began_ns + c->time_ns)
		return true;
	c->knee.timed_out = true;
	return false;
}

/* To somebody who watches. */
static void tell(const struct knee *k, const struct knee_point *p)
{
	scope_with(str_done) struct str taken = {0};

	if (!isatty(STDERR_FILENO))
		return;
	digits_add(&taken, p->achieved, p->achieved_error);
	say_line("point %u: %.0f a second offered, %s taken: %s", k->count, p->offered,
		str_text(&taken), knee_word(p));
}

/* What the search means to do, or says itself, isn't what spoils it. */
static void point_gather(struct knee *k, const struct knee_point *p, const struct result *r)
{
	static const struct gathered_but but[] = {{"saturated", NULL},
		{"rate-not-reached", NULL},
		{"short-run", "give each point more time (--point)"}, {NULL, NULL}};
	char label[32];

	if (p->offered > 0)
		snprintf(label, sizeof(label), "%.0f/s", p->offered);
	else
		snprintf(label, sizeof(label), "full speed");
	gathered_add(&k->gathered, r, label, but);
}

/* A point that its interval doesn't decide is measured again, longer. */
static int point_decide(struct knee_call *c, double rate, struct err *reterr)
{
	struct knee *k = &c->knee;
	struct knee_point *p = &k->points[k->count];
	uint64_t length_ns = c->point_ns;

	for (int i = 0; i < LENGTHS; i++, length_ns *= 2) {
		if (i && !time_left(c, length_ns))
			break;
		int rc = point_run(c, rate, length_ns, p, reterr);
		if (rc < 0 || k->stopped)
			return rc;
		if (p->sure || (p->goal.known && !p->goal.interval))
			break;
	}
	point_gather(k, p, c->runs[k->count].result);
	k->count++;
	if (p->sure || p->goal.known)
		knee_search_tell(&k->search, rate, p->met, p->sure);
	else
		k->unknown = p->goal.why;
	tell(k, p);
	return 0;
}

/* On a schedule the latency of a goal is the one from when a request was due. */
static void goal_on_response(struct knee *k)
{
	if (strcmp(k->goal.path.row->name, "lat") && strcmp(k->goal.path.row->name, "clat"))
		return;
	for (size_t i = 0; i < path_rows_count; i++)
		if (strcmp(path_rows[i].name, "response") == 0)
			k->goal.path.row = &path_rows[i];
	k->on_response = true;
}

static int search_run(struct knee_call *c, struct err *reterr)
{
	struct knee *k = &c->knee;
	struct knee_point *closed = &k->points[0];
	int rc = point_run(c, 0, c->point_ns, closed, reterr);

	if (rc < 0 || k->stopped)
		return rc;
	point_gather(k, closed, c->runs[0].result);
	k->count = 1;
	k->search.capacity = closed->achieved;
	if (closed->achieved <= 0)
		return err_set(reterr, -EIO, "the job did no I/O");
	goal_on_response(k);
	while (k->count < KNEE_POINTS && !k->unknown) {
		double rate = knee_search_next(&k->search);
		if (rate <= 0 || !time_left(c, c->point_ns))
			return 0;
		rc = point_decide(c, rate, reterr);
		if (rc < 0 || k->stopped)
			return rc;
	}
	return 0;
}

static int keep_begin(struct knee_call *c, struct err *reterr)
{
	if (!c->keep || mkdir(c->keep, 0755) == 0 || errno == EEXIST)
		return 0;
	return err_sys(reterr, -errno, "--keep: %s", c->keep);
}

static int report(struct knee_call *c)
{
	scope_with(str_done) struct str doc = {0};
	struct err err;

	if (!c->how.told.no_notes)
		knee_notes(&c->knee);
	if (c->json)
		knee_json(&c->knee, &doc);
	else
		knee_table(&c->knee, output_coloured(STDOUT_FILENO),
			output_columns(STDOUT_FILENO), &doc);
	int rc = doc.failed ? -ENOMEM : output_write(STDOUT_FILENO, str_text(&doc), doc.len);
	if (rc < 0) {
		err_sys(&err, rc, "standard output");
		return say_status(STATUS_CHECK_ERROR, "%s", err.text);
	}
	if (c->knee.stopped)
		return STATUS_SIGNAL;
	if (c->how.told.strict && c->knee.gathered.invalid)
		return STATUS_INVALID;
	if (c->knee.timed_out || c->knee.unknown)
		return STATUS_UNDECIDED;
	return knee_found(&c->knee) > 0 ? STATUS_OK : STATUS_CHECK_FAILED;
}

static void knee_done(struct knee_call *c)
{
	for (uint32_t i = 0; i < KNEE_POINTS; i++)
		measure_done(&c->runs[i]);
	gathered_done(&c->knee.gathered);
	command_line_done(&c->line);
	arena_done(&c->knee.arena);
}

int cmd_knee(const struct cmd_call *call)
{
	scope_with(knee_done) struct knee_call c = {
		.call = call,
		.knee = {.version = call->face->version, .search = {.ratio = 1 + RATIO_PRESET}},
		.point_ns = POINT_PRESET,
		.time_ns = TIME_PRESET,
		.began_ns = clock_kernel_ns(),
	};
	struct err err;

	if (words_read(&c, &err) < 0 || keep_begin(&c, &err) < 0)
		return say_status(STATUS_CHECK_ERROR, "%s", err.text);
	c.how = (struct measure_how){
		.call = call,
		.destroy = c.line.flags.destroy.v,
		.destroy_count = (uint32_t)c.line.flags.destroy.count,
		.read_only = c.line.flags.read_only,
		.told = {.environment = c.line.flags.environment,
			.no_notes = c.line.flags.no_notes,
			.strict = c.line.flags.strict},
	};
	if (search_run(&c, &err) < 0)
		return say_status(STATUS_CHECK_ERROR, "%s", err.text);
	return report(&c);
}
