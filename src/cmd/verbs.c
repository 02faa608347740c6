/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/cmd.h"

#include "base/bits.h"
#include "base/str.h"
#include "cmd/face.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const struct verb verbs[] = {
	{"run", "do what job files and options say, and report (the default)", cmd_run},
	{"show", "a report of weir or fio in any format, or a binary log: weir show FILE",
		cmd_show},
	{"compare", "which results are better, and can that be said: weir compare OLD NEW",
		cmd_compare},
	{"repeat", "run a job several times, or until it is known well: weir repeat -n 10 JOB",
		cmd_repeat},
	{"study", "an experiment: variants, workloads, sweeps, and which is better: weir study FILE",
		cmd_study},
	{"describe", "what a file or device lies on, down to the hardware: weir describe TARGET",
		cmd_describe},
	{"doctor", "what would spoil a measurement here: weir doctor [TARGET]", cmd_doctor},
	{"check", "do results keep what a spec claims, or a target what a profile wants? weir check RESULT SPEC",
		cmd_check},
	{"quick", "what does this disk do? a minute, a few lines: weir quick FILE|DIRECTORY|DEVICE",
		cmd_quick},
	{"knee", "how much load before latency misses a goal? weir knee --goal=GOAL JOB", cmd_knee},
	{"trace", "what is in a trace of fio or blktrace: weir trace FILE...", cmd_trace},
	{"help", "about an option, an engine, a verb: weir help NAME", cmd_help},
	{"version", "of weir, what it was built with, what this kernel can do", cmd_version},
	{0},
};

const char *verb_usage(const struct verb *verb)
{
	const struct {
		int (*main)(const struct cmd_call *call);
		const char *usage;
	} usages[] = {{cmd_compare, compare_usage}, {cmd_repeat, repeat_usage},
		{cmd_study, study_usage}, {cmd_check, check_usage}, {cmd_quick, quick_usage}, {cmd_knee, knee_usage}, {cmd_trace, trace_usage}};

	for (size_t i = 0; i < COUNT_OF(usages); i++)
		if (verb->main == usages[i].main)
			return usages[i].usage;
	return "";
}

/* A verb that was probably meant by WORD, which is no file: at most a third of it
 * is wrong. */
static const struct verb *verb_meant(const char *word)
{
	const struct verb *best = NULL;
	unsigned best_distance = (unsigned)strlen(word) / 3 + 1;
	if (*word == '-' || strpbrk(word, "./") || access(word, F_OK) == 0)
		return NULL;
	for (const struct verb *v = verbs; v->name; v++) {
		unsigned distance = str_distance(word, v->name);
		if (distance < best_distance) {
			best = v;
			best_distance = distance;
		}
	}
	return best;
}

const struct verb *verb_choose(struct cmd_call *call)
{
	if (!call->face->verbs || call->argc < 1)
		return &verbs[0];
	for (const struct verb *v = verbs; v->name; v++) {
		if (strcmp(call->argv[0], v->name) != 0)
			continue;
		call->argc--;
		call->argv++;
		return v;
	}
	const struct verb *meant = verb_meant(call->argv[0]);
	if (meant) {
		fprintf(stderr,
			"weir: '%s' is neither a verb nor a file; did you mean 'weir %s'?\n",
			call->argv[0], meant->name);
		return NULL;
	}
	return &verbs[0];
}
