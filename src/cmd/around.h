/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What the verbs that look at a machine share: their words, the look itself, the end. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cmd_call;
struct environment;
struct json;
struct str;

struct around {
	bool json, full;
	const char *const *paths; /* into argv */
	uint32_t paths_count;
	struct environment *environment; /* to be freed by around_done() */
};

/* Read CALL's words (--json, --env=masked|full, TARGET...) and look: VERB is for messages;
 * DANGER: also at who uses a target and what it holds.  False: what is wrong was said. */
bool around_look(const struct cmd_call *call, const char *verb, bool danger,
	struct around *ret);
void around_done(struct around *a);

/* Print TEXT on stdout.  Returns STATUS, or STATUS_REFUSED when that failed. */
int around_print(const struct str *text, int status);
