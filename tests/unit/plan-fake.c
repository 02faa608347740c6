/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "plan-fake.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

const struct fake_path fake_paths[] = {
	{"/dev/disk", LOOK_BLOCK, GIB, 512, false},
	{"/dev/big", LOOK_BLOCK, GIB, 4096, false},
	{"/dev/zoned", LOOK_BLOCK, GIB, 512, true},
	{"/dev/zero", LOOK_CHAR, 0, 0, false},
	{"there", LOOK_FILE, MIB, 0, false},
	{"empty", LOOK_FILE, 0, 0, false},
	{"dir", LOOK_DIRECTORY, 0, 0, false},
	{NULL, LOOK_NOTHING, 0, 0, false},
};

static void fake_look(void *ctx, const char *path, struct look *ret)
{
	struct fake *f = ctx;
	const struct fake_path *p = fake_paths;

	f->looks++;
	while (p->path && strcmp(p->path, path))
		p++;
	*ret = (struct look){
		.kind = p->kind,
		.bytes = p->bytes,
		.logical_block = p->logical_block,
		.zoned = p->zoned,
		.error = strcmp(path, "denied") ? 0 : -EACCES,
	};
}

/* LINE's words as those of a command line; returns how many. */
static size_t fake_words(char *line, struct job_word *words, size_t room)
{
	size_t n = 0;

	for (char *rest = line, *word; (word = strsep(&rest, " ")) != NULL;) {
		if (!*word)
			continue;
		if (n == room) {
			fprintf(stderr, "too many words in a test\n");
			abort();
		}
		char *value = strchr(word, '=');
		if (value)
			*value++ = '\0';
		words[n] = (struct job_word){
			.name = word, .value = value, .index = (unsigned)n};
		n++;
	}
	return n;
}

void fake_plan(struct fake *f, const char *line, const struct plan_facts *facts)
{
	struct job_word words[64];
	char *copy = strdup(line);
	struct job_env env = {.native = true, .cpus = 4, .page_bytes = 4096, .memory_mb = 1024};
	struct plan_facts own = {.cpus = 4, .page_bytes = 4096, .native = true};

	*f = (struct fake){0};
	if (facts)
		own = *facts;
	env.native = own.native;
	own.look = fake_look;
	own.look_ctx = f;
	if (!copy)
		abort();
	size_t n = fake_words(copy, words, 64);
	if (job_read(words, n, &env, &f->jobs, &f->err) == 0)
		(void)plan_make(f->jobs, &own, &f->plan, &f->err);
	free(copy);
}

void fake_done(struct fake *f)
{
	plan_free(f->plan);
	job_set_free(f->jobs);
	*f = (struct fake){0};
}
