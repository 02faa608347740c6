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
	{"run", "do what job files and options say, and report (the default)", cmd_run, NULL},
	{"show", "a report of weir or fio in any format, or a binary log: weir show FILE",
		cmd_show, show_usage},
	{"compare", "which results are better, and can that be said: weir compare OLD NEW",
		cmd_compare, compare_usage},
	{"repeat", "run a job several times, or until it is known well: weir repeat -n 10 JOB",
		cmd_repeat, repeat_usage},
	{"study",
		"an experiment: variants, workloads, sweeps, and which is better: weir study FILE",
		cmd_study, study_usage},
	{"describe",
		"what a file or device lies on, down to the hardware: weir describe TARGET",
		cmd_describe, describe_usage},
	{"doctor", "what would spoil a measurement here: weir doctor [TARGET]", cmd_doctor,
		doctor_usage},
	{"check",
		"do results keep what a spec claims, or a target what a profile wants? weir check RESULT SPEC",
		cmd_check, check_usage},
	{"quick",
		"what does this disk do? a minute, a few lines: weir quick FILE|DIRECTORY|DEVICE",
		cmd_quick, quick_usage},
	{"knee", "how much load before latency misses a goal? weir knee --goal=GOAL JOB",
		cmd_knee, knee_usage},
	{"trace", "what is in a trace, a job like it, or record one: weir trace FILE...",
		cmd_trace, trace_usage},
	{"help", "about an option, an engine, a verb: weir help NAME", cmd_help,
		help_verb_usage},
	{"version", "of weir, what it was built with, what this kernel can do", cmd_version,
		""},
	{0},
};

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

static bool asks_for_help(const struct cmd_call *call)
{
	for (int i = 1; i < call->argc && strcmp(call->argv[i], "--") != 0; i++)
		if (!strcmp(call->argv[i], "--help") || !strcmp(call->argv[i], "-h"))
			return true;
	return false;
}

const struct verb *verb_find(const char *name)
{
	for (const struct verb *v = verbs; v->name; v++)
		if (strcmp(v->name, name) == 0)
			return v;
	return NULL;
}

const struct verb *verb_choose(struct cmd_call *call)
{
	if (!call->face->verbs || call->argc < 1)
		return &verbs[0];
	const struct verb *named = verb_find(call->argv[0]);
	if (named && named->usage && asks_for_help(call)) {
		call->argc = 1; /* `weir VERB --help` is `weir help VERB` */
		return verb_find("help");
	}
	if (named) {
		call->argc--;
		call->argv++;
		return named;
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
