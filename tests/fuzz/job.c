/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Fuzzing of everything a user writes: job files and job options, with the real
 * rows.  An input is a job file; when its first line begins with "#words ", the
 * rest of that line are words of the command line ("#words --bs=4k --name=a").  A
 * line "#fail SEED RATE" before it makes one allocation in RATE fail.
 *
 * Whatever the input, reading ends with jobs or with an error that has a text;
 * and the command lines that --showcmd writes for the jobs mean the same jobs.
 *
 *	libFuzzer: clang -fsanitize=fuzzer,address -DWEIR_LIBFUZZER ... (make fuzz T=job)
 *	replay:    fuzz-job FILE|FOLDER...    (what the tests do with the corpus) */
#include "fuzz.h"

#include "base/err.h"
#include "base/str.h"
#include "job/job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define WORDS_MAX 64

struct words {
	struct job_word v[WORDS_MAX];
	size_t count;
};

static void hear(void *ctx, const char *text)
{
	MUST(ctx && *text, "an empty warning");
}

static int read_jobs(const struct words *words, bool native, struct job_set **ret)
{
	struct err e = {0};
	const struct job_env env = {
		.native = native,
		.cpus = 4,
		.page_bytes = 4096,
		.memory_mb = 16000,
		.warn = hear,
		.warn_ctx = ret,
	};
	int rc = job_read(words->v, words->count, &env, ret, &e);
	MUST(rc <= 0 && rc == e.code, "rc %d, code %d", rc, e.code);
	MUST(rc == 0 || e.text[0], "an error without text");
	return rc;
}

static void add_word(struct words *w, char *text)
{
	bool option = str_starts(text, "--");
	char *equals = option ? strchr(text, '=') : NULL;
	if (w->count == WORDS_MAX)
		return;
	if (equals)
		*equals++ = '\0';
	w->v[w->count] = (struct job_word){
		.name = option ? text + 2 : NULL,
		.value = option ? equals : text,
		.index = (unsigned)w->count,
	};
	w->count++;
}

/* ---- --showcmd means the same ---- */

/* Take a command line apart as a shell does; the text is written over. */
static void split(char *text, struct words *ret)
{
	char *out = text;
	while (*text == ' ')
		text++;
	while (*text) {
		char *begin = out, quote = 0;
		for (; *text && (quote || *text != ' '); text++) {
			if (*text == '"')
				quote = (char)(quote ^ '"');
			else if (quote && *text == '\\')
				*out++ = *++text;
			else
				*out++ = *text;
		}
		bool last = !*text;
		*out++ = '\0';
		add_word(ret, begin);
		if (last)
			break;
		text += strspn(text, " ");
	}
}

/* Names of options apart, all that a job says must be the same. */
static void expect_same(const struct job *a, const struct job *b, const char *line)
{
	struct str left = {0}, right = {0};
	MUST(strcmp(a->name, b->name) == 0, "'%s' became '%s' in %s", a->name, b->name, line);
	for (size_t g = 0; g < opt_groups_count; g++) {
		for (size_t i = 0; i < opt_groups[g]->count; i++) {
			const struct opt *row = &opt_groups[g]->rows[i];
			if (row->refused || row->no_effect || str_starts(row->name, "name") ||
				strcmp(row->name, "filename_format") == 0)
				continue;
			str_reset(&left);
			str_reset(&right);
			row->type->print(row, (char *)a->blocks[g] + row->offset, &left);
			row->type->print(row, (char *)b->blocks[g] + row->offset, &right);
			MUST(strcmp(str_text(&left), str_text(&right)) == 0,
				"%s=%s became %s in %s", row->name, str_text(&left),
				str_text(&right), line);
		}
	}
	str_done(&left);
	str_done(&right);
}

/* fio has no --name= without a value: such a job can't be shown. */
static bool can_be_shown(const struct job_set *set)
{
	size_t words = 0;
	for (size_t i = 0; i < set->count; i++) {
		words += 2 + set->jobs[i].given_count + set->jobs[i].globals_count;
		if (!*set->jobs[i].name || str_starts(set->jobs[i].name, "global"))
			return false;
	}
	return words < WORDS_MAX && set->jobs[set->count - 1].file_index <= 1;
}

static void expect_showcmd_means_the_same(const struct job_set *set, bool native)
{
	struct str shown = {0}, copy = {0};
	struct words words = {.count = 0};
	struct job_set *again;

	job_show_command(set, "", &shown);
	if (can_be_shown(set)) {
		str_add_bytes(&copy, str_text(&shown), shown.len - 1);
		split(copy.text, &words);
		MUST(read_jobs(&words, native, &again) == 0, "%s", str_text(&shown));
		MUST(again->count == set->count, "%zu jobs became %zu in %s", set->count,
			again->count, str_text(&shown));
		for (size_t i = 0; i < set->count; i++)
			expect_same(&set->jobs[i], &again->jobs[i], str_text(&shown));
		job_set_free(again);
	}
	str_done(&copy);
	str_done(&shown);
}

/* ---- one input ---- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char mark[] = "#words ";
	char path[64], line[4096] = "";
	struct words words = {.count = 0};
	uint32_t seed, rate;

	memory_fails_as_said(&data, &size, &seed, &rate);
	int fd = memfd_create("job", MFD_CLOEXEC);
	MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size, "no memory for the input");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (size > sizeof(mark) && memcmp(data, mark, sizeof(mark) - 1) == 0) {
		size_t len = 0;
		for (size_t at = sizeof(mark) - 1;
			at < size && len + 1 < sizeof(line) && data[at] && data[at] != '\n';
			at++)
			line[len++] = (char)data[at];
		for (char *rest = line, *word; (word = strsep(&rest, " "));)
			if (str_starts(word, "--")) /* files of the machine are no input */
				add_word(&words, word);
	}
	add_word(&words, path);
	for (int native = 0; native < 2; native++) {
		struct job_set *set;
		memory_fails(seed, rate);
		int rc = read_jobs(&words, native, &set);
		memory_fails(0, 0);
		MUST(rate != 1 || rc == -ENOMEM, "no allocation works, and still %d", rc);
		if (rc < 0)
			continue;
		expect_showcmd_means_the_same(set, native);
		job_set_free(set);
	}
	close(fd);
	return 0;
}
