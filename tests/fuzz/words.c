/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Fuzzing of command lines, with the real flags and rows: an input is the words of
 * one, a line each; a line "#fail SEED RATE" before them makes allocations fail.
 * Nothing is opened: words that are job files are left out before jobs are read. */
#include "fuzz.h"

#include "base/err.h"
#include "cmd/cmd.h"
#include "cmd/command_line.h"
#include "cmd/face.h"
#include "job/job.h"

#include <string.h>

#define WORDS_MAX 64

static void hear(void *ctx, const char *text)
{
	MUST(ctx && *text, "an empty warning");
}

static void read_jobs(struct command_line *line, bool native)
{
	struct job_set *set;
	struct err e = {0};
	size_t kept = 0;
	const struct job_env env = {
		.native = native,
		.cpus = 4,
		.page_bytes = 4096,
		.memory_mb = 16000,
		.sections = line->flags.sections.v,
		.sections_count = line->flags.sections.count,
		.sections_at = line->sections_at,
		.warn = hear,
		.warn_ctx = line,
	};
	for (size_t i = 0; i < line->count; i++)
		if (line->words[i].name)
			line->words[kept++] = line->words[i];
	int rc = job_read(line->words, kept, &env, &set, &e);
	MUST(rc <= 0 && rc == e.code, "rc %d, code %d", rc, e.code);
	MUST(rc == 0 || e.text[0], "an error without text");
	if (rc == 0)
		job_set_free(set);
}

static void try_face(const char *program, char **words, int count)
{
	char name[8], *argv[] = {name, NULL};
	struct command_line line;
	struct err e = {0};

	snprintf(name, sizeof(name), "%s", program);
	struct cmd_call call = {.face = face_choose(1, argv), .argc = count, .argv = words};
	int rc = command_line_read(&call, &line, &e);
	MUST(rc <= 0 && rc == e.code, "rc %d, code %d", rc, e.code);
	MUST(rc == 0 || e.text[0], "an error without text");
	if (rc == 0 && !flags_ask(&line.flags))
		read_jobs(&line, strcmp(program, "weir") == 0);
	command_line_done(&line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char text[1 << 16];
	char *words[WORDS_MAX];
	uint32_t seed, rate;
	int count = 0;

	memory_fails_as_said(&data, &size, &seed, &rate);
	if (size >= sizeof(text) || memchr(data, 0, size))
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	for (char *rest = text, *word; count < WORDS_MAX && (word = strsep(&rest, "\n"));)
		if (*word)
			words[count++] = word;
	memory_fails(seed, rate);
	try_face("weir", words, count);
	try_face("fio", words, count);
	memory_fails(0, 0);
	return 0;
}
