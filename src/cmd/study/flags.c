/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/study/flags.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/ratio.h"
#include "cmd/study/study.h"
#include "opt/opt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char study_usage[] =
	"usage: weir study [FLAG...] FILE        FILE: variants, workloads, sweeps\n"
	"  again              goes on where it was stopped; what failed is tried again\n"
	"  --dry-run          print the order and how long it takes\n"
	"  --report           only compare what is there\n"
	"  --fresh            begin anew: results of earlier are removed\n"
	"  --variant=NAME     only this variant now (repeatable)\n"
	"  --output-dir=DIR   where results are (FILE without .weir, with .study)\n"
	"  --repeats=N        so many of each, --seed=N of the order: instead of the file's\n"
	"  --metric=FIGURE    --tolerance=2%: of the comparison, instead of the file's\n"
	"  --brief, --full    only the figure that decides (of sweeps), all figures (else)\n"
	"  --format=text      or md, json\n"
	"  --destroy=TARGET   --readonly: as of weir run, for each run\n";

static int number_read(const char *what, const char *text, uint64_t *ret, struct err *reterr)
{
	int rc = opt_read_u64(text, ret, reterr);
	return rc < 0 ? err_within(reterr, "study: %s", what) : 0;
}

static int repeats_read(struct study_flags *f, const char *text, struct err *reterr)
{
	uint64_t n;
	if (number_read("--repeats", text, &n, reterr) < 0)
		return -EINVAL;
	if (!n || n > STUDY_RUNS_MOST)
		return err_set(reterr, -ERANGE, "study: --repeats: 1 to %d", STUDY_RUNS_MOST);
	f->repeats = (uint32_t)n;
	return 0;
}

static int seed_read(struct study_flags *f, const char *text, struct err *reterr)
{
	f->seeded = true;
	return number_read("--seed", text, &f->seed, reterr);
}

static int metric_read(struct study_flags *f, const char *text, struct err *reterr)
{
	enum compare_figure figure = compare_figure_named(text);

	f->metric = text;
	if (figure != COMPARE_BY_JOB && !compare_figures[figure].no_verdict)
		return 0;
	return err_set(reterr, -EINVAL,
		"study: --metric: '%s' can't decide; figures that can are " COMPARE_METRICS,
		text);
}

static int tolerance_read(struct study_flags *f, const char *text, struct err *reterr)
{
	double ignored;
	f->tolerance = text;
	return ratio_read("study: --tolerance", text, &ignored, reterr);
}

static int format_read(struct study_flags *f, const char *text, struct err *reterr)
{
	static const char *const names[] = {
		[STUDY_TEXT] = "text", [STUDY_MD] = "md", [STUDY_JSON] = "json"};

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		if (strcmp(text, names[i]) != 0)
			continue;
		f->format = (enum study_format)i;
		return 0;
	}
	return err_set(reterr, -EINVAL,
		"study: --format: '%s' is none; formats are text, md and json", text);
}

static int dir_read(struct study_flags *f, const char *text, struct err *reterr)
{
	if (*text && snprintf(f->dir, sizeof(f->dir), "%s", text) < PATH_MAX)
		return 0;
	return err_set(reterr, -EINVAL, "study: --output-dir: no name, or too long a one");
}

static int variant_read(struct study_flags *f, const char *text, struct err *reterr)
{
	(void)reterr;
	f->variants[f->variants_count++] = text;
	return 0;
}

static bool switch_read(struct study_flags *f, const char *word)
{
	const struct {
		const char *word;
		bool *to;
	} switches[] = {{"--dry-run", &f->dry_run}, {"--report", &f->report},
		{"--fresh", &f->fresh}, {"--full", &f->full}, {"--brief", &f->brief}};

	for (size_t i = 0; i < COUNT_OF(switches); i++) {
		if (strcmp(word, switches[i].word) != 0)
			continue;
		*switches[i].to = true;
		return true;
	}
	return false;
}

static int flag_read(struct study_flags *f, char *word, struct err *reterr)
{
	static const struct {
		const char *lead;
		int (*read)(struct study_flags *f, const char *text, struct err *reterr);
	} values[] = {{"--output-dir=", dir_read}, {"--variant=", variant_read},
		{"--repeats=", repeats_read}, {"--seed=", seed_read},
		{"--metric=", metric_read}, {"--tolerance=", tolerance_read},
		{"--format=", format_read}};

	for (size_t i = 0; i < COUNT_OF(values); i++)
		if (str_starts(word, values[i].lead))
			return values[i].read(f, word + strlen(values[i].lead), reterr);
	if (switch_read(f, word))
		return 0;
	if (!word[1])
		return err_set(reterr, -EINVAL,
			"study: '-': what goes on where it was stopped is a file, not stdin");
	if (!str_starts(word, "--destroy=") && strcmp(word, "--readonly") != 0)
		return err_set(reterr, -EINVAL,
			"study: unknown flag '%s' (values as --NAME=VALUE); job options stand in "
			"the file; weir help study tells more",
			word);
	f->pass[f->pass_count++] = word;
	return 0;
}

/* "a/study-x.weir" to "study-x.study" */
static int dir_preset(struct study_flags *f, struct err *reterr)
{
	const char *base = strrchr(f->file, '/');
	base = base ? base + 1 : f->file;
	const char *dot = strrchr(base, '.');
	size_t len = dot && dot > base ? (size_t)(dot - base) : strlen(base);

	if (snprintf(f->dir, sizeof(f->dir), "%.*s.study", (int)len, base) < PATH_MAX)
		return 0;
	return err_set(reterr, -ENAMETOOLONG, "%s: is too long a name", f->file);
}

static int flags_check(struct study_flags *f, struct err *reterr)
{
	if (!f->file)
		return err_set(reterr, -EINVAL, "study: no file: weir study FILE");
	if (f->dry_run + f->report + f->fresh > 1)
		return err_set(reterr, -EINVAL,
			"study: --dry-run, --report, --fresh: one of them at a time");
	if (f->full && f->brief)
		return err_set(reterr, -EINVAL, "study: --full, --brief: one of them");
	return *f->dir ? 0 : dir_preset(f, reterr);
}

int study_flags_read(struct study_flags *f, int argc, char **argv, struct err *reterr)
{
	int rc = 0;

	f->variants = calloc((size_t)argc + 1, sizeof(*f->variants));
	f->pass = calloc((size_t)argc + 1, sizeof(*f->pass));
	if (!f->variants || !f->pass)
		return err_set(reterr, -ENOMEM, "out of memory");
	for (int i = 0; i < argc && rc == 0; i++) {
		if (argv[i][0] == '-')
			rc = flag_read(f, argv[i], reterr);
		else if (f->file)
			rc = err_set(reterr, -EINVAL,
				"study: '%s' and '%s': one file at a time", f->file, argv[i]);
		else
			f->file = argv[i];
	}
	return rc < 0 ? rc : flags_check(f, reterr);
}

void study_flags_done(struct study_flags *f)
{
	free(f->variants);
	free(f->pass);
}

int study_flags_apply(const struct study_flags *f, struct study *s, struct err *reterr)
{
	if (f->repeats)
		s->repeats = f->repeats;
	if (f->metric)
		s->metric = compare_figure_named(f->metric);
	if (f->tolerance)
		return ratio_read("study: --tolerance", f->tolerance, &s->tolerance, reterr);
	return 0;
}
