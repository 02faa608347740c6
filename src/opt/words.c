/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Types that are words: enumerations and plain text. */
#include "opt/opt.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "opt/span.h"

#include <errno.h>

static const struct opt_word *find_word(const struct opt *o, struct span text)
{
	for (const struct opt_word *w = o->words; w && w->word; w++)
		if (span_is(text, w->word))
			return w;
	return NULL;
}

static const char *nearest_word(const struct opt *o, const char *text)
{
	const char *best = NULL;
	unsigned best_distance = (unsigned)strlen(text) / 2 + 1;
	for (const struct opt_word *w = o->words; w && w->word; w++) {
		unsigned distance = str_distance(text, w->word);
		if (distance < best_distance) {
			best_distance = distance;
			best = w->word;
		}
	}
	return best;
}

static int unknown_word(const struct opt *o, struct span text, struct err *reterr)
{
	char typed[64];
	struct str known = {0};

	snprintf(typed, sizeof(typed), "%.*s", SPAN_ARG(text));
	for (const struct opt_word *w = o->words; w && w->word; w++)
		str_addf(&known, "%s%s", w == o->words ? "" : ", ", w->word);
	const char *near = nearest_word(o, typed);
	int rc = err_set(reterr, -EINVAL, "'%s' is not one of: %s%s%s%s", typed,
		str_text(&known), near ? "; did you mean '" : "", near ? near : "",
		near ? "'?" : "");
	str_done(&known);
	return rc;
}

static const char *word_of(const struct opt *o, int value)
{
	for (const struct opt_word *w = o->words; w && w->word; w++)
		if (w->value == value)
			return w->word;
	return "";
}

static int parse_word(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	struct span s = span_trim(span_of(text));
	const struct opt_word *w = find_word(o, s);
	(void)ctx;
	if (!w)
		return unknown_word(o, s, reterr);
	*(int *)dst = w->value;
	return 0;
}

static void print_word(const struct opt *o, const void *src, struct str *out)
{
	str_add(out, word_of(o, *(const int *)src));
}

const struct opt_type opt_word = {"word", sizeof(int), false, parse_word, print_word};

/* ---- WORD:ARGUMENT ---- */

static int parse_word_arg(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	struct span rest = span_of(text);
	char colon;
	struct span word = span_cut(&rest, ":", &colon);
	const struct opt_word *w = find_word(o, word);
	struct opt_word_arg out = {0};

	if (!w)
		return unknown_word(o, word, reterr);
	out.word = w->value;
	rest = span_trim(rest);
	if (colon && !rest.len)
		return err_set(reterr, -EINVAL,
			"'%s' ends in ':': what follows it is missing, or "
			"leave it out",
			text);
	if (rest.len) {
		out.arg = arena_bytes(ctx->arena, rest.at, rest.len);
		if (!out.arg)
			return err_set(reterr, -ENOMEM, "out of memory");
	}
	*(struct opt_word_arg *)dst = out;
	return 0;
}

static void print_word_arg(const struct opt *o, const void *src, struct str *out)
{
	const struct opt_word_arg *w = src;
	str_add(out, word_of(o, w->word));
	if (w->arg)
		str_addf(out, ":%s", w->arg);
}

const struct opt_type opt_word_arg_type = {"word, or word:argument",
	sizeof(struct opt_word_arg), false, parse_word_arg, print_word_arg};

/* ---- text ---- */

static int parse_text(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	const char *copy = arena_text(ctx->arena, text);
	(void)o;
	if (!copy)
		return err_set(reterr, -ENOMEM, "out of memory");
	*(const char **)dst = copy;
	return 0;
}

static void print_text(const struct opt *o, const void *src, struct str *out)
{
	const char *text = *(const char *const *)src;
	(void)o;
	str_add(out, text ? text : "");
}

const struct opt_type opt_text = {"text", sizeof(const char *), false, parse_text, print_text};
