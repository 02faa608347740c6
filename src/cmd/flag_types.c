/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/flag_types.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "cmd/flags.h"

#include <errno.h>
#include <string.h>

static int no_memory(struct err *reterr)
{
	return err_set(reterr, -ENOMEM, "out of memory");
}

static int switch_parse(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	(void)o, (void)ctx;
	if (text)
		return err_set(reterr, -EINVAL, "takes no value");
	*(bool *)dst = true;
	return 0;
}

static void switch_print(const struct opt *o, const void *src, struct str *out)
{
	(void)o;
	str_add_char(out, *(const bool *)src ? '1' : '0');
}

const struct opt_type flag_switch = {
	.name = "",
	.size = sizeof(bool),
	.bare = true,
	.parse = switch_parse,
	.print = switch_print,
};

int flag_text_parse(const struct opt *o, const char *text, void *dst, const struct opt_ctx *ctx,
	struct err *reterr)
{
	(void)o;
	char *copy = arena_text(ctx->arena, text ? text : "");
	if (!copy)
		return no_memory(reterr);
	*(const char **)dst = copy;
	return 0;
}

void flag_text_print(const struct opt *o, const void *src, struct str *out)
{
	(void)o;
	const char *text = *(const char *const *)src;
	str_add(out, text ? text : "");
}

int flag_list_parse(const struct opt *o, const char *text, void *dst, const struct opt_ctx *ctx,
	struct err *reterr)
{
	(void)o;
	struct opt_names *list = dst;
	const char **longer = arena_array(ctx->arena, list->count + 1, sizeof(*longer));
	char *copy = arena_text(ctx->arena, text);
	if (!longer || !copy)
		return no_memory(reterr);
	for (size_t i = 0; i < list->count; i++)
		longer[i] = list->v[i];
	longer[list->count] = copy;
	*list = (struct opt_names){longer, list->count + 1};
	return 0;
}

void flag_list_print(const struct opt *o, const void *src, struct str *out)
{
	(void)o;
	const struct opt_names *list = src;
	for (size_t i = 0; i < list->count; i++) {
		str_add(out, i ? " " : "");
		str_add(out, list->v[i]);
	}
}

static int formats_parse(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	(void)ctx;
	uint32_t bits = 0;
	do {
		size_t len = strcspn(text, ",");
		const struct opt_word *w = o->words;
		while (w->word && !(strlen(w->word) == len && memcmp(w->word, text, len) == 0))
			w++;
		if (!w->word)
			return err_set(reterr, -EINVAL,
				"unknown format '%.*s'; formats are normal, json, json+, terse, "
				"table, markdown, csv and summary",
				(int)len, text);
		bits |= (uint32_t)w->value;
		text += len;
	} while (*text++);
	*(uint32_t *)dst = bits;
	return 0;
}

static void formats_print(const struct opt *o, const void *src, struct str *out)
{
	uint32_t bits = *(const uint32_t *)src;
	const char *comma = "";
	for (const struct opt_word *w = o->words; w->word; w++) {
		uint32_t mine = (uint32_t)w->value;
		if ((bits & mine) != mine)
			continue;
		bits &= ~mine;
		str_addf(out, "%s%s", comma, w->word);
		comma = ",";
	}
}

static int one_format(const char *text, uint32_t format, void *dst, struct err *reterr)
{
	if (text)
		return err_set(reterr, -EINVAL, "takes no value");
	*(uint32_t *)dst = format;
	return 0;
}

static int minimal_parse(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	(void)o, (void)ctx;
	return one_format(text, FORMAT_TERSE, dst, reterr);
}

static int summary_parse(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	(void)o, (void)ctx;
	return one_format(text, FORMAT_SUMMARY, dst, reterr);
}

#define FORMAT_TYPE(function)                                                                  \
	{                                                                                      \
		.name = "", .size = sizeof(uint32_t), .bare = true, .parse = (function),       \
		.print = formats_print                                                         \
	}

const struct opt_type flag_minimal = FORMAT_TYPE(minimal_parse);
const struct opt_type flag_summary = FORMAT_TYPE(summary_parse);

static int anyhow_parse(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	(void)o, (void)text, (void)ctx, (void)reterr;
	*(bool *)dst = true;
	return 0;
}

const struct opt_type flag_anyhow = {
	.name = "",
	.size = sizeof(bool),
	.bare = true,
	.parse = anyhow_parse,
	.print = switch_print,
};

const struct opt_type flag_formats = {
	.name = "FORMAT,...",
	.size = sizeof(uint32_t),
	.parse = formats_parse,
	.print = formats_print,
};
