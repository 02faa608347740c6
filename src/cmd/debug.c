/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/debug.h"

#include "base/bits.h"
#include "base/log.h"
#include "base/str.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* What fio's areas are here; 0: a script may name it, and there is nothing to say. */
static const struct {
	const char *name;
	unsigned areas;
} of_fio[] = {
	{"process", LOG_RUN},
	{"file", LOG_RUN},
	{"mem", LOG_PLAN},
	{"blktrace", 0},
	{"verify", LOG_RUN},
	{"random", LOG_PLAN},
	{"parse", LOG_JOB},
	{"diskutil", LOG_SYS},
	{"mutex", LOG_RUN},
	{"profile", 0},
	{"time", LOG_RUN},
	{"net", 0},
	{"rate", LOG_PLAN},
	{"compress", 0},
	{"steadystate", 0},
	{"helperthread", LOG_RUN},
	{"zbd", 0},
	{"sprandom", 0},
};

static int area_of(const char *word, unsigned *ret)
{
	const char *bad;

	if (str_starts(word, "job:")) { /* of job N only: lines name their job */
		*ret = 0;
		return 0;
	}
	if (log_parse_areas(word, ret, &bad) == 0)
		return 0;
	for (size_t i = 0; i < COUNT_OF(of_fio); i++) {
		if (strcmp(of_fio[i].name, word) == 0) {
			*ret = of_fio[i].areas;
			return 0;
		}
	}
	return -EINVAL;
}

bool debug_asks(const char *text)
{
	return text && (strcmp(text, "help") == 0 || strcmp(text, "?") == 0);
}

void debug_list(struct str *out)
{
	str_add(out, "areas: " DEBUG_AREAS "; fio's names for them:");
	for (size_t i = 0; i < COUNT_OF(of_fio); i++)
		str_addf(out, " %s", of_fio[i].name);
	str_add_char(out, '\n');
}

unsigned debug_areas(const char *text, void (*unknown)(void *ctx, const char *word), void *ctx)
{
	unsigned all = 0;
	while (*text) {
		char word[32];
		size_t len = strcspn(text, ",");
		unsigned areas = 0;
		snprintf(word, sizeof(word), "%.*s", (int)MIN_OF(len, sizeof(word)), text);
		if (len && area_of(word, &areas) < 0)
			unknown(ctx, word);
		all |= areas;
		text += len + (text[len] == ',');
	}
	return all;
}
