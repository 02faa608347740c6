/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The verb `repeat`: one run is an anecdote. */
#include "cmd/cmd.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/rng.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/output.h"
#include "cmd/again.h"
#include "cmd/repeat/flags.h"
#include "cmd/repeat/keep.h"
#include "cmd/report_file.h"
#include "cmd/say.h"
#include "report/compare.h"
#include "report/json_parts.h"
#include "report/repeated.h"
#include "report/report.h"
#include "report/text.h"
#include "result/import.h"
#include "result/repeated.h"
#include "result/result.h"
#include "sys/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define REPEAT_VERSION 1
#define TOLERANCE      0.02

/* What is repeated: the words, or one of the job files that take turns. */
struct variant {
	char *job;      /* NULL: the words are all */
	char name[256]; /* "" without --interleave */
	struct keep_dir dir;
	struct result **runs;
	uint32_t count;
	struct repeated *known;
};

struct repeat {
	struct repeat_flags flags;
	struct report_how how;
	struct variant variants[REPEAT_VARIANTS];
	uint32_t variants_count;
	struct rng rng;
	uint64_t began_ns, longest_ns;
	int status;     /* of the first run that wasn't fine  */
	bool timed_out; /* the next run would have taken too long */
	bool reached;
	bool unwritten; /* a result could not be kept         */
};

static const char *name_of(const struct variant *v)
{
	return *v->name ? v->name : NULL;
}

static struct compare_side side_of(const struct variant *v)
{
	return (struct compare_side){
		.name = *v->name ? v->name : "runs",
		.runs = (const struct result *const *)v->runs,
		.count = v->count,
	};
}

static void repeat_done(struct repeat *r)
{
	for (uint32_t i = 0; i < r->variants_count; i++) {
		struct variant *v = &r->variants[i];
		for (uint32_t k = 0; k < v->count; k++)
			result_free(v->runs[k]);
		free(v->runs);
		repeated_free(v->known);
	}
	free(r->flags.words);
}

/* ---- set-up ---- */

/* The job file's name without folders and its last ending; of equal ones, with a number. */
static void variant_name(struct repeat *r, struct variant *v)
{
	const char *base = strrchr(v->job, '/');
	base = base ? base + 1 : v->job;
	const char *dot = strrchr(base, '.');
	int len = (int)(dot && dot > base ? (size_t)(dot - base) : strlen(base));

	snprintf(v->name, sizeof(v->name), "%.*s", MIN_OF(len, 200), base);
	for (struct variant *other = r->variants; other < v; other++)
		if (!strcmp(other->name, v->name))
			snprintf(v->name, sizeof(v->name), "%.*s-%d", MIN_OF(len, 200), base,
				(int)(v - r->variants) + 1);
}

static int variants_make(struct repeat *r, struct err *reterr)
{
	const struct repeat_flags *f = &r->flags;
	int rc = 0;

	r->variants_count = MAX_OF(f->variants_count, 1u);
	for (uint32_t i = 0; i < r->variants_count && rc == 0; i++) {
		struct variant *v = &r->variants[i];
		v->job = f->variants_count ? f->variants[i] : NULL;
		if (v->job && access(v->job, R_OK) < 0)
			return err_sys(reterr, -errno, "%s", v->job);
		if (v->job)
			variant_name(r, v);
		if (f->dir)
			rc = keep_dir_open(&v->dir, f->dir, name_of(v), f->append, reterr);
	}
	if (rc == 0 && f->output)
		rc = keep_file_open(f->output, f->append, reterr);
	return rc;
}

/* What was asked for, and the seed that gives the order again. */
static int about_keep(const struct repeat *r, const struct cmd_call *call, struct err *reterr)
{
	scope_with(str_done) struct str text = {0};

	if (!r->flags.dir)
		return 0;
	str_add(&text, "weir repeat");
	for (int i = 0; i < call->argc; i++)
		str_addf(&text, " %s", call->argv[i]);
	str_addf(&text, "\nseed %" PRIu64 "\n", r->flags.seed);
	return keep_about(r->flags.dir, &text, reterr);
}

static void seed_choose(struct repeat *r)
{
	if (!r->flags.seeded &&
		getrandom(&r->flags.seed, sizeof(r->flags.seed), 0) != sizeof(r->flags.seed))
		r->flags.seed = clock_wall_ms();
	if (!r->flags.seeded)
		r->flags.seed &= UINT32_MAX; /* short enough to be typed */
	rng_init(&r->rng, r->flags.seed);
}

/* ---- one run ---- */

static int result_take(struct variant *v, const char *file, enum compare_figure metric,
	struct err *reterr)
{
	scope_with(import_done) struct import_list list = {0};
	int rc = report_file_read(file, &list, reterr);

	if (rc < 0)
		return rc;
	if (result_join_clones(list.results[list.count - 1]) < 0)
		return err_set(reterr, -ENOMEM, "out of memory");
	struct result **more = reallocarray(v->runs, v->count + 1, sizeof(*more));
	if (!more)
		return err_set(reterr, -ENOMEM, "out of memory");
	v->runs = more;
	more[v->count++] = list.results[list.count - 1];
	list.results[list.count - 1] = NULL;
	struct compare_side side = side_of(v);
	repeated_free(v->known);
	v->known = repeated_make(&side, metric);
	return v->known ? 0 : err_set(reterr, -ENOMEM, "out of memory");
}

static void say_run(const struct repeat *r, const struct variant *v)
{
	scope_with(str_done) struct str line = {0};

	if (r->flags.json)
		return;
	repeated_run(v->known, v->count, name_of(v), &line);
	(void)output_write(STDOUT_FILENO, str_text(&line), line.len);
}

/* One line more in the file of all results. */
static int result_keep(struct repeat *r, const char *file, struct err *reterr)
{
	scope_with(str_done) struct str text = {0};

	if (!r->flags.output)
		return 0;
	int rc = report_file_text(file, LIMIT_REPORT_FILE, &text, reterr);
	if (rc == 0)
		rc = keep_file_add(r->flags.output, &text, reterr);
	r->unwritten |= rc < 0;
	return rc;
}

static bool is_empty(const char *file)
{
	scope_with(str_done) struct str text = {0};
	return report_file_text(file, LIMIT_REPORT_FILE, &text, NULL) == 0 && !text.len;
}

/* The words of a run of V: all others, and its job file. */
static int start(struct repeat *r, const struct variant *v, const char *file,
	struct err *reterr)
{
	size_t count = r->flags.count;
	scope_mem char **words = calloc(count + 1, sizeof(*words));

	if (!words)
		return err_set(reterr, -ENOMEM, "out of memory");
	if (count)
		memcpy(words, r->flags.words, count * sizeof(*words));
	if (v->job)
		words[count++] = v->job;
	return again_run(words, count, file, -1, &r->status, reterr);
}

/* 0, or -errno: no further run. */
static int run_once(struct repeat *r, struct variant *v, struct err *reterr)
{
	char file[PATH_MAX];
	uint64_t before_ns = clock_kernel_ns();

	if (r->flags.dir)
		keep_dir_next(&v->dir, file);
	else if (keep_none_next(file, reterr) < 0)
		return -EIO;
	int rc = start(r, v, file, reterr);
	bool nothing = rc < 0 || is_empty(file);
	if (!nothing)
		rc = result_take(v, file, r->flags.metric, reterr);
	if (!nothing && rc == 0)
		rc = result_keep(r, file, reterr);
	if (nothing || !r->flags.dir)
		unlink(file);
	r->longest_ns = MAX_OF(r->longest_ns, clock_kernel_ns() - before_ns);
	if (nothing && rc == 0)
		return err_set(reterr, -ECANCELED, "repeat: there is no result of this run");
	if (rc == 0)
		say_run(r, v);
	return rc;
}

/* ---- all ---- */

static bool time_is_up(struct repeat *r)
{
	uint64_t most_ns = r->flags.max_time_ns;
	uint64_t ns = clock_kernel_ns() - r->began_ns;

	r->timed_out = most_ns && r->longest_ns && ns + r->longest_ns > most_ns;
	return r->timed_out;
}

static void shuffle(struct repeat *r, uint32_t *order)
{
	for (uint32_t i = 0; i < r->variants_count; i++)
		order[i] = i;
	for (uint32_t i = r->variants_count; i > 1; i--) {
		uint32_t k = (uint32_t)rng_below(&r->rng, i), last = order[i - 1];
		order[i - 1] = order[k];
		order[k] = last;
	}
}

/* The figures that decide, of all variants. */
static int known_anew(struct repeat *r)
{
	for (uint32_t i = 0; i < r->variants_count; i++) {
		struct variant *v = &r->variants[i];
		struct compare_side side = side_of(v);
		if (!v->count)
			continue;
		repeated_free(v->known);
		v->known = repeated_make(&side, r->flags.metric);
		if (!v->known)
			return -ENOMEM;
	}
	return 0;
}

static bool reached(struct repeat *r)
{
	for (uint32_t i = 0; i < r->variants_count; i++)
		if (!r->variants[i].known ||
			!repeated_reached(r->variants[i].known, r->flags.until))
			return false;
	return true;
}

/* One run of each variant, in random order. */
static int block(struct repeat *r, struct err *reterr)
{
	uint32_t order[REPEAT_VARIANTS];

	shuffle(r, order);
	for (uint32_t i = 0; i < r->variants_count; i++) {
		if (again_stopped() || time_is_up(r))
			return -ECANCELED;
		int rc = run_once(r, &r->variants[order[i]], reterr);
		if (rc < 0 || r->status)
			return rc < 0 ? rc : -ECANCELED;
	}
	return 0;
}

static int repeat_runs(struct repeat *r, struct err *reterr)
{
	int rc = 0;

	r->began_ns = clock_kernel_ns();
	for (uint32_t i = 0; i < r->flags.runs && rc == 0 && !r->reached; i++) {
		rc = block(r, reterr);
		if (known_anew(r) < 0)
			return err_set(reterr, -ENOMEM, "out of memory");
		r->reached = r->flags.until > 0 && reached(r);
	}
	return rc == -ECANCELED ? 0 : rc;
}

/* ---- the end ---- */

static void add_end(const struct repeat *r, struct str *out)
{
	double seconds = (double)(clock_kernel_ns() - r->began_ns) / (double)NS_PER_S;
	double percent = 100 * r->flags.until;

	str_add_char(out, '\n');
	if (again_stopped())
		str_addf(out, "stopped%s\n", r->unwritten ? "" : "; what was done is kept");
	else if (r->status)
		str_addf(out, "a run ended with status %d: stopped\n", r->status);
	if (r->reached)
		str_addf(out, "reached: \xc2\xb1%.3g %% in %.0f s\n", percent, seconds);
	else if (r->flags.until > 0)
		str_addf(out, "not reached: \xc2\xb1%.3g %%, in %.0f s%s\n", percent, seconds,
			r->timed_out ? "; a further run would pass --max-time" : "");
	if (r->variants_count > 1)
		str_addf(out, "order: --seed=%" PRIu64 "\n", r->flags.seed);
	if (r->unwritten) /* which has been said */
		str_addf(out, "not all of it is kept: what is in %s ends before the last run\n",
			r->flags.output);
	else if (r->flags.dir && r->variants_count == 1)
		str_addf(out, "kept in %s: weir compare OTHER %s\n", r->flags.dir,
			r->flags.dir);
	else if (r->flags.output)
		str_addf(out, "kept in %s: weir compare OTHER %s\n", r->flags.output,
			r->flags.output);
	else if (r->flags.dir)
		str_addf(out, "kept in %s\n", r->flags.dir);
	else
		str_add(out, "results were not kept; --output-dir=DIR does that\n");
}

/* Of the variants, when each has a run; NULL: of nothing, or *RET_RC is -ENOMEM.  SIDES, of
 * REPEAT_VARIANTS, is the caller's, for as long as what is returned. */
static struct compare *compared(const struct repeat *r, struct compare_side *sides, int *ret_rc)
{
	*ret_rc = 0;
	if (r->variants_count < 2)
		return NULL;
	for (uint32_t i = 0; i < r->variants_count; i++) {
		sides[i] = side_of(&r->variants[i]);
		if (!sides[i].count)
			return NULL;
	}
	struct compare *c = compare_make(sides, r->variants_count, r->flags.metric, TOLERANCE);
	*ret_rc = c ? 0 : -ENOMEM;
	return c;
}

static int compare_add(const struct repeat *r, struct str *out)
{
	struct compare_side sides[REPEAT_VARIANTS];
	int rc;
	struct compare *c = compared(r, sides, &rc);

	if (!c)
		return rc;
	str_add_char(out, '\n');
	compare_table(c, &r->how, out);
	compare_free(c);
	return 0;
}

/* Of --like: the load is that of the job, so the last run speaks for all.  The next one from
 * *AT on; NULL: there is no more. */
static const struct result_note *unlike_next(const struct variant *v, uint32_t *at)
{
	const struct result *last = v->count ? v->runs[v->count - 1] : NULL;

	while (last && last->like && *at < last->notes_count) {
		const struct result_note *n = &last->notes[(*at)++];
		if (!strcmp(n->id, "unlike-work"))
			return n;
	}
	return NULL;
}

static void add_unlike(const struct repeat *r, const struct variant *v, struct str *out)
{
	const struct result_note *n;

	for (uint32_t at = 0; (n = unlike_next(v, &at));) {
		scope_with(str_done) struct str text = {0};
		str_addf(&text, "%s%s%s%s%s", v->name, *v->name ? ": " : "", n->text,
			n->remedy ? "; " : "", n->remedy ? n->remedy : "");
		str_add_char(out, '\n');
		text_wrap(out, str_text(&text), 0, 2, r->how.columns ? r->how.columns : 100);
		out->failed |= text.failed;
		str_add_char(out, '\n');
	}
}

/* Its job is the variant. */
static void write_unlike(struct json *j, const struct variant *v)
{
	const struct result_note *n;

	for (uint32_t at = 0; (n = unlike_next(v, &at));) {
		struct result_note mine = *n;
		mine.job = name_of(v);
		weir_json_note(j, &mine);
	}
}

static int add_json(const struct repeat *r, struct str *out)
{
	struct compare_side sides[REPEAT_VARIANTS];
	struct json j;
	int rc;
	struct compare *c = compared(r, sides, &rc);

	json_init(&j, out, JSON_FIO);
	json_object(&j, NULL);
	json_uint(&j, "weir_repeat", REPEAT_VERSION);
	json_double(&j, "seconds",
		(double)(clock_kernel_ns() - r->began_ns) / (double)NS_PER_S);
	if (r->flags.until > 0) {
		json_double(&j, "until", r->flags.until);
		json_bool(&j, "reached", r->reached);
	}
	json_bool(&j, "stopped", again_stopped());
	json_int(&j, "status", r->status);
	if (r->variants_count > 1)
		json_uint(&j, "seed", r->flags.seed);
	json_array(&j, "variants");
	for (uint32_t i = 0; i < r->variants_count; i++)
		if (r->variants[i].known)
			repeated_json(&j, r->variants[i].known, name_of(&r->variants[i]));
	json_array_end(&j);
	if (c) {
		json_object(&j, "comparison");
		compare_json_keys(c, &j);
		json_object_end(&j);
	}
	json_array(&j, "notes");
	for (uint32_t i = 0; i < r->variants_count; i++)
		write_unlike(&j, &r->variants[i]);
	json_array_end(&j);
	json_object_end(&j);
	compare_free(c);
	return rc;
}

static int summary(const struct repeat *r)
{
	scope_with(str_done) struct str out = {0};
	int rc = 0;

	if (r->flags.json) {
		rc = add_json(r, &out);
	} else {
		for (uint32_t i = 0; i < r->variants_count; i++)
			if (r->variants[i].known)
				repeated_table(r->variants[i].known, name_of(&r->variants[i]),
					&r->how, &out);
		rc = compare_add(r, &out);
		for (uint32_t i = 0; i < r->variants_count; i++)
			add_unlike(r, &r->variants[i], &out);
		add_end(r, &out);
	}
	if (rc == 0 && out.failed)
		rc = -ENOMEM;
	return rc < 0 ? rc : output_write(STDOUT_FILENO, str_text(&out), out.len);
}

static int status_of(const struct repeat *r, int rc)
{
	if (again_stopped() || r->status >= STATUS_SIGNAL)
		return STATUS_SIGNAL;
	if (r->status)
		return r->status;
	if (rc < 0 || r->unwritten)
		return STATUS_REFUSED;
	return r->flags.until > 0 && !r->reached ? STATUS_UNDECIDED : STATUS_OK;
}

static bool any_run(const struct repeat *r)
{
	for (uint32_t i = 0; i < r->variants_count; i++)
		if (r->variants[i].count)
			return true;
	return false;
}

static int repeat_all(struct repeat *r, const struct cmd_call *call)
{
	struct err err;

	if (repeat_flags_read(&r->flags, call->argc, call->argv, &err) < 0 ||
		variants_make(r, &err) < 0) {
		say_line("%s", err.text);
		return STATUS_REFUSED;
	}
	seed_choose(r);
	if (about_keep(r, call, &err) < 0) {
		say_line("%s", err.text);
		return STATUS_REFUSED;
	}
	again_begin();
	int rc = repeat_runs(r, &err);
	if (rc < 0 && !(r->status && !any_run(r)))
		say_line("%s", err.text);
	int written = any_run(r) ? summary(r) : 0;
	if (written < 0) {
		err_sys(&err, written, "standard output");
		say_line("%s", err.text);
	}
	return status_of(r, written < 0 ? written : rc);
}

int cmd_repeat(const struct cmd_call *call)
{
	struct repeat *r = calloc(1, sizeof(*r));

	if (!r || call->argc < 1) {
		(void)output_write(STDERR_FILENO, repeat_usage, strlen(repeat_usage));
		free(r);
		return STATUS_REFUSED;
	}
	r->how.colour = output_coloured(STDOUT_FILENO);
	r->how.columns = output_columns(STDOUT_FILENO);
	int status = repeat_all(r, call);
	repeat_done(r);
	free(r);
	return status;
}
