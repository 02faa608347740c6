/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What a line of a job file may say indirectly: the environment and facts of the
 * machine. */
#include "job/reader.h"

#include "base/bits.h"
#include "base/err.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define EXPAND_DEPTH 8 /* ${A:-${B:-...}} */

/* The '}' that closes a "${" which stands just before AT; NULL: none. */
static const char *closing_brace(const char *at)
{
	unsigned depth = 1;
	for (; *at; at++) {
		if (at[0] == '$' && at[1] == '{')
			depth++;
		else if (*at == '}' && --depth == 0)
			return at;
	}
	return NULL;
}

static int expand_env(const char *at, size_t len, unsigned depth, struct str *out,
	struct err *reterr);

/* One "${...}", of which INNER is what stands between the braces. */
static int expand_variable(const char *inner, size_t len, unsigned depth, struct str *out,
	struct err *reterr)
{
	char name[256];
	const char *fallback = memmem(inner, len, ":-", 2);
	size_t name_len = fallback ? (size_t)(fallback - inner) : len;

	if (!name_len || name_len >= sizeof(name))
		return err_set(reterr, -EINVAL, "'${%.*s}' names no variable",
			(int)MIN_OF(len, sizeof(name)), inner);
	memcpy(name, inner, name_len);
	name[name_len] = '\0';

	const char *value = getenv(name);
	if (value && (*value || !fallback))
		str_add(out, value);
	else if (fallback)
		return expand_env(fallback + 2, len - name_len - 2, depth + 1, out, reterr);
	return 0;
}

static int expand_env(const char *at, size_t len, unsigned depth, struct str *out,
	struct err *reterr)
{
	const char *end = at + len;
	int rc = 0;

	if (depth > EXPAND_DEPTH)
		return err_set(reterr, -E2BIG, "'${' within '${' more than %d deep",
			EXPAND_DEPTH);
	while (at < end && rc == 0) {
		const char *open = memmem(at, (size_t)(end - at), "${", 2);
		str_add_bytes(out, at, (size_t)((open ? open : end) - at));
		if (!open)
			break;
		const char *close = closing_brace(open + 2);
		if (!close || close >= end)
			return err_set(reterr, -EINVAL, "'${' without '}'");
		rc = expand_variable(open + 2, (size_t)(close - open - 2), depth, out, reterr);
		if (rc == 0 && out->len > LIMIT_LINE)
			rc = err_set(reterr, -E2BIG,
				"the line is longer than %d bytes when expanded", LIMIT_LINE);
		at = close + 1;
	}
	return rc;
}

/* Replace the words of the machine; true when there was one. */
static bool expand_keywords(const struct job_env *env, const char *at, struct str *out)
{
	const struct {
		const char *word;
		uint64_t value;
	} keywords[] = {
		{"$pagesize", env->page_bytes},
		{"$mb_memory", env->memory_mb},
		{"$ncpus", env->cpus},
	};
	bool any = false;

	while (*at) {
		const char *dollar = strchrnul(at, '$');
		str_add_bytes(out, at, (size_t)(dollar - at));
		at = dollar;
		size_t k = 0;
		while (k < COUNT_OF(keywords) && !str_starts(at, keywords[k].word))
			k++;
		if (k < COUNT_OF(keywords)) {
			str_addf(out, "%" PRIu64, keywords[k].value);
			at += strlen(keywords[k].word);
			any = true;
		} else if (*at) {
			str_add_char(out, *at++);
		}
	}
	return any;
}

/* NAME=ARITHMETIC to NAME=RESULT; what is no arithmetic stays. */
static void expand_arithmetic(struct str *line)
{
	const char *equals = strchr(str_text(line), '=');
	int64_t v;

	if (!equals || !strpbrk(equals + 1, "+-*/") || opt_read_arithmetic(equals + 1, &v) < 0)
		return;
	line->len = (size_t)(equals + 1 - line->text);
	str_addf(line, "%" PRId64, v);
}

int job_expand_line(const struct job_env *env, const char *line, struct str *out,
	struct err *reterr)
{
	struct str text = {0};

	str_reset(out);
	if (!strchr(line, '$')) {
		str_add(out, line);
		return out->failed ? err_set(reterr, -ENOMEM, "out of memory") : 0;
	}
	int rc = expand_env(line, strlen(line), 0, &text, reterr);
	if (rc == 0 && expand_keywords(env, str_text(&text), out))
		expand_arithmetic(out);
	if (rc == 0 && (text.failed || out->failed))
		rc = err_set(reterr, -ENOMEM, "out of memory");
	str_done(&text);
	return rc;
}
