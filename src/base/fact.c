/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "base/fact.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/json_read.h"
#include "base/str.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const void *place(const struct fact *f, const void *of)
{
	return (const char *)of + f->offset;
}

static const char *text_of(const struct fact *f, const void *of)
{
	return *(const char *const *)place(f, of);
}

static uint64_t count_of(const struct fact *f, const void *of)
{
	return *(const uint64_t *)place(f, of);
}

static double real_of(const struct fact *f, const void *of)
{
	return *(const double *)place(f, of);
}

void facts_forget(const struct fact_table *t, void *of)
{
	for (size_t i = 0; i < t->count; i++) {
		void *at = (char *)of + t->rows[i].offset;
		if (t->rows[i].kind == FACT_TEXT)
			*(const char **)at = NULL;
		else if (t->rows[i].kind == FACT_REAL)
			*(double *)at = NAN;
		else
			*(uint64_t *)at = FACT_UNKNOWN;
	}
}

bool fact_known(const struct fact *f, const void *of)
{
	if (f->kind == FACT_TEXT)
		return text_of(f, of);
	return f->kind == FACT_REAL ? !isnan(real_of(f, of)) : count_of(f, of) != FACT_UNKNOWN;
}

bool facts_any(const struct fact_table *t, const void *of)
{
	for (size_t i = 0; i < t->count; i++)
		if (fact_known(&t->rows[i], of))
			return true;
	return false;
}

const char *fact_show(const struct fact *f, const void *of, char *buf, size_t size)
{
	if (!fact_known(f, of))
		snprintf(buf, size, "%s", "");
	else if (f->kind == FACT_TEXT)
		snprintf(buf, size, "%s", text_of(f, of));
	else if (f->kind == FACT_REAL)
		snprintf(buf, size, "%.2f", real_of(f, of));
	else if (f->kind == FACT_FLAG)
		snprintf(buf, size, "%s", count_of(f, of) ? "yes" : "no");
	else
		snprintf(buf, size, "%" PRIu64, count_of(f, of));
	return buf;
}

bool fact_same(const struct fact *f, const void *a, const void *b)
{
	if (fact_known(f, a) != fact_known(f, b))
		return false;
	if (!fact_known(f, a))
		return true;
	if (f->kind == FACT_TEXT)
		return strcmp(text_of(f, a), text_of(f, b)) == 0;
	if (f->kind == FACT_REAL)
		return fabs(real_of(f, a) - real_of(f, b)) < 1e-9;
	return count_of(f, a) == count_of(f, b);
}

void facts_write(struct json *j, const struct fact_table *t, const void *of)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct fact *f = &t->rows[i];
		if (!fact_known(f, of))
			continue;
		if (f->kind == FACT_TEXT)
			json_text(j, f->key, text_of(f, of));
		else if (f->kind == FACT_REAL)
			json_double(j, f->key, real_of(f, of));
		else if (f->kind == FACT_FLAG)
			json_bool(j, f->key, count_of(f, of));
		else
			json_uint(j, f->key, count_of(f, of));
	}
}

static void read_one(const struct fact *f, void *to, const struct json_value *v,
	struct arena *a)
{
	void *at = (char *)to + f->offset;

	if (f->kind == FACT_TEXT && v->kind == JSON_STRING)
		*(const char **)at = arena_text(a, v->text);
	else if (f->kind == FACT_FLAG && v->kind == JSON_BOOL)
		*(uint64_t *)at = v->is_true;
	else if (f->kind == FACT_COUNT && v->kind == JSON_NUMBER && v->is_whole && v->real >= 0)
		*(uint64_t *)at = v->whole;
	else if (f->kind == FACT_REAL && v->kind == JSON_NUMBER)
		*(double *)at = v->real;
}

int facts_read(const struct fact_table *t, void *to, const struct json_value *of,
	struct arena *a)
{
	bool failed = false;

	facts_forget(t, to);
	for (size_t i = 0; i < t->count; i++) {
		const struct json_value *v = json_get(of, t->rows[i].key);
		if (!v)
			continue;
		read_one(&t->rows[i], to, v, a);
		failed |= t->rows[i].kind == FACT_TEXT && v->kind == JSON_STRING &&
			  !fact_known(&t->rows[i], to);
	}
	return failed ? -ENOMEM : 0;
}

/* Letters, digits and '-' around a host name make it another word; a dot doesn't. */
static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '-' || c == '_';
}

const char *fact_mask_text(const char *text, const char *host, struct arena *a)
{
	size_t len = host ? strlen(host) : 0;
	struct str out = {0};
	const char *at = text, *found;
	bool any = false;

	if (len < 3 || !strstr(text, host))
		return text;
	while ((found = strstr(at, host))) {
		bool whole = !(found > text && in_word(found[-1])) && !in_word(found[len]);
		str_add_bytes(&out, at, (size_t)(found - at));
		str_add(&out, whole ? "(host)" : host);
		any |= whole;
		at = found + len;
	}
	str_add(&out, at);
	const char *copy = any ? arena_text(a, str_text(&out)) : text;
	str_done(&out);
	return copy;
}

int facts_mask(const struct fact_table *t, void *of, const char *host, struct arena *a)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct fact *f = &t->rows[i];
		if (f->kind != FACT_TEXT || !fact_known(f, of))
			continue;
		const char **at = (const char **)((char *)of + f->offset);
		const char *text = f->secret ? FACT_MASKED : fact_mask_text(*at, host, a);
		if (!text)
			return -ENOMEM;
		*at = text;
	}
	return 0;
}

const char *fact_hide_text(const char *text, const char *secret, struct arena *a)
{
	struct str out = {0};
	const char *at = text, *found;

	if (!strstr(text, secret))
		return text;
	for (; (found = strstr(at, secret)); at = found + strlen(secret)) {
		str_add_bytes(&out, at, (size_t)(found - at));
		str_add(&out, FACT_MASKED);
	}
	str_add(&out, at);
	const char *copy = arena_text(a, str_text(&out));
	str_done(&out);
	return copy;
}

int facts_hide(const struct fact_table *t, void *of, const char *secret, struct arena *a)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct fact *f = &t->rows[i];
		if (f->kind != FACT_TEXT || !fact_known(f, of))
			continue;
		const char **at = (const char **)((char *)of + f->offset);
		const char *text = fact_hide_text(*at, secret, a);
		if (!text)
			return -ENOMEM;
		*at = text;
	}
	return 0;
}
