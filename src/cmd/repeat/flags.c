/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/repeat/flags.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/ratio.h"
#include "opt/opt.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TIME_S 600

const char repeat_usage[] =
	"usage: weir repeat [FLAG...] JOB...      JOB: words of weir run\n"
	"  -n N               runs (5); with --until at most so many\n"
	"  --until=2%         until the 95 % interval of each job's figure is ±2 %\n"
	"  --metric=FIGURE    which figure: " COMPARE_METRICS "\n"
	"                     (iops; response_p99 of jobs with a rate)\n"
	"  --max-time=TIME    begin no run that would end later (with --until: 10m)\n"
	"  --output-dir=DIR   keep each result: DIR/001.json, ...\n"
	"  --output=FILE      keep all results in one file, a line each\n"
	"  --append           add to what is there\n"
	"  --interleave       job files take turns, in random order: DIR/JOBFILE/001.json\n"
	"  --seed=N           of that order\n"
	"  --format=text      or json\n";

static int runs_read(struct repeat_flags *f, const char *text, struct err *reterr)
{
	char *end;
	unsigned long n = strtoul(text ? text : "", &end, 10);

	if (!text || end == text || *end || !n || n > REPEAT_RUNS_MAX || *text == '-')
		return err_set(reterr, -EINVAL, "repeat: -n: '%s' is no number from 1 to %d",
			text ? text : "", REPEAT_RUNS_MAX);
	f->runs = (uint32_t)n;
	return 0;
}

static int seed_read(struct repeat_flags *f, const char *text, struct err *reterr)
{
	char *end;

	f->seed = strtoull(text, &end, 0);
	f->seeded = true;
	if (end == text || *end || *text == '-')
		return err_set(reterr, -EINVAL, "repeat: --seed: '%s' is no number", text);
	return 0;
}

static int time_read(struct repeat_flags *f, const char *text, struct err *reterr)
{
	const struct opt row = {.name = "max-time"};
	int rc = opt_time_s.parse(&row, text, &f->max_time_ns,
		&(struct opt_ctx){.native = true}, reterr);
	return rc < 0 ? err_within(reterr, "repeat: --max-time") : 0;
}

static int metric_read(struct repeat_flags *f, const char *text, struct err *reterr)
{
	f->metric = compare_figure_named(text);
	if (f->metric != COMPARE_BY_JOB && !compare_figures[f->metric].no_verdict)
		return 0;
	return err_set(reterr, -EINVAL,
		"repeat: --metric: '%s' can't decide; figures that can are " COMPARE_METRICS,
		text);
}

static int format_read(struct repeat_flags *f, const char *text, struct err *reterr)
{
	f->json = !strcmp(text, "json");
	if (f->json || !strcmp(text, "text"))
		return 0;
	return err_set(reterr, -EINVAL,
		"repeat: --format: '%s' is none; formats are text and json", text);
}

static int until_read(struct repeat_flags *f, const char *text, struct err *reterr)
{
	return ratio_read("repeat: --until", text, &f->until, reterr);
}

static int dir_read(struct repeat_flags *f, const char *text, struct err *reterr)
{
	(void)reterr;
	f->dir = text;
	return 0;
}

static int output_read(struct repeat_flags *f, const char *text, struct err *reterr)
{
	(void)reterr;
	f->output = text;
	return 0;
}

/* Flags of `run` that make no sense here. */
static int refused(const char *word, struct err *reterr)
{
	static const char *const words[] = {"--output-format", "--minimal", "--append-terse",
		"--status-interval", "--parse-only", "--plan", "--showcmd", "--summary"};

	for (size_t i = 0; i < COUNT_OF(words); i++) {
		size_t len = strlen(words[i]);
		if (!strncmp(word, words[i], len) && (!word[len] || word[len] == '='))
			return err_set(reterr, -EINVAL,
				"repeat: %s: results are JSON here, kept by --output-dir=DIR or "
				"--output=FILE; weir show prints them in any format",
				words[i]);
	}
	return 0;
}

/* 1: WORD belongs to the run. */
static int flag_read(struct repeat_flags *f, const char *word, struct err *reterr)
{
	static const struct {
		const char *lead;
		int (*read)(struct repeat_flags *f, const char *text, struct err *reterr);
	} values[] = {{"--until=", until_read}, {"--metric=", metric_read},
		{"--max-time=", time_read}, {"--output-dir=", dir_read},
		{"--output=", output_read}, {"--seed=", seed_read}, {"--format=", format_read},
		{"-n=", runs_read}, {"--runs=", runs_read}};

	for (size_t i = 0; i < COUNT_OF(values); i++)
		if (str_starts(word, values[i].lead))
			return values[i].read(f, word + strlen(values[i].lead), reterr);
	if (str_starts(word, "-n") && isdigit((unsigned char)word[2]))
		return runs_read(f, word + 2, reterr); /* -n5, as of other tools */
	if (!strcmp(word, "--interleave"))
		f->interleave = true;
	else if (!strcmp(word, "--append"))
		f->append = true;
	else
		return refused(word, reterr) < 0 ? -EINVAL : 1;
	return 0;
}

/* With --interleave options are one word each, so that what has no dash is a job file. */
static int word_take(struct repeat_flags *f, char *word, struct err *reterr)
{
	if (!strcmp(word, "-"))
		return err_set(reterr, -EINVAL,
			"repeat: '-': a job on stdin can be read only once; put it into a file");
	if (!f->interleave || word[0] == '-') {
		f->words[f->count++] = word;
		return 0;
	}
	if (f->variants_count == REPEAT_VARIANTS)
		return err_set(reterr, -E2BIG, "repeat: more than %d job files take turns",
			REPEAT_VARIANTS);
	f->variants[f->variants_count++] = word;
	return 0;
}

static int flags_check(struct repeat_flags *f, struct err *reterr)
{
	if (f->interleave && f->variants_count < 2)
		return err_set(reterr, -EINVAL,
			"repeat: --interleave: %s; name the job files that take turns (options as "
			"--NAME=VALUE)",
			f->variants_count ? "only one job file" : "no job file");
	if (f->interleave && f->output)
		return err_set(reterr, -EINVAL,
			"repeat: --interleave keeps its results apart: --output-dir=DIR");
	if (f->dir && f->output)
		return err_set(reterr, -EINVAL,
			"repeat: --output-dir and --output: results are kept in one of them");
	if (!f->count && !f->variants_count)
		return err_set(reterr, -EINVAL,
			"repeat: no job: name a job file, or --name=JOB");
	if (f->until > 0 && !f->max_time_ns)
		f->max_time_ns = MAX_TIME_S * NS_PER_S;
	if (!f->runs)
		f->runs = f->until > 0 ? REPEAT_RUNS_MAX : 5;
	return 0;
}

int repeat_flags_read(struct repeat_flags *f, int argc, char **argv, struct err *reterr)
{
	f->metric = COMPARE_BY_JOB;
	f->words = calloc((size_t)argc + 1, sizeof(*f->words));
	if (!f->words)
		return err_set(reterr, -ENOMEM, "out of memory");
	for (int i = 0; i < argc; i++)
		f->interleave |= !strcmp(argv[i], "--interleave");
	for (int i = 0; i < argc; i++) {
		bool runs = !strcmp(argv[i], "-n") || !strcmp(argv[i], "--runs");
		int rc = runs ? runs_read(f, i + 1 < argc ? argv[++i] : NULL, reterr)
			      : flag_read(f, argv[i], reterr);
		if (rc == 1)
			rc = word_take(f, argv[i], reterr);
		if (rc < 0)
			return rc;
	}
	return flags_check(f, reterr);
}
