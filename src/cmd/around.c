/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/around.h"

#include "base/bits.h"
#include "cmd/cmd.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "result/environment.h"
#include "run/prepare/environment.h"
#include "sys/clock.h"
#include "sys/sysroot.h"

#include <string.h>
#include <unistd.h>

#define PATIENCE_NS (10 * NS_PER_S)

/* Flags anywhere, then all that is left in front. */
static bool read_words(const struct cmd_call *call, const char *verb, struct around *a)
{
	uint32_t count = 0;
	bool only_paths = false;

	for (int i = 0; i < call->argc; i++) {
		char *word = call->argv[i];
		if (only_paths || word[0] != '-' || !word[1]) {
			call->argv[count++] = word;
		} else if (!strcmp(word, "--")) {
			only_paths = true;
		} else if (!strcmp(word, "--json")) {
			a->json = true;
		} else if (!strcmp(word, "--env=full")) {
			a->full = true;
		} else if (strcmp(word, "--env=masked") != 0) {
			say_line("%s: unknown flag '%s'; it has --json and --env=masked|full",
				verb, word);
			return false;
		}
	}
	a->paths = (const char *const *)call->argv;
	a->paths_count = count;
	if (count > ENVIRONMENT_TARGETS)
		say_line("%s: %u targets; the first %u are looked at", verb, count,
			ENVIRONMENT_TARGETS);
	return true;
}

bool around_look(const struct cmd_call *call, const char *verb, bool danger, struct around *ret)
{
	struct clock clock;

	*ret = (struct around){0};
	if (!read_words(call, verb, ret))
		return false;
	bool has_clock = clock_init(&clock, CLOCK_AUTO, NULL) == 0;
	const struct environment_how how = {
		.root = &sysroot_real,
		.paths = ret->paths,
		.paths_count = ret->paths_count,
		.clock = has_clock ? &clock : NULL,
		.danger = danger,
		.health = true,
		.full = ret->full,
		.patience_ns = PATIENCE_NS,
	};
	ret->environment = environment_capture(&how);
	if (!ret->environment)
		say_line("%s: out of memory", verb);
	return ret->environment;
}

void around_done(struct around *a)
{
	environment_free(a->environment);
}

int around_print(const struct str *text, int status)
{
	if (text->failed || output_write(STDOUT_FILENO, str_text(text), text->len) < 0) {
		say_line("%s",
			text->failed ? "out of memory" : "standard output can't be written");
		return STATUS_REFUSED;
	}
	return status;
}
