/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Where something was said, in words. */
#include "job/reader.h"

#include "base/err.h"

#define NAME_SHOWN 100 /* of a long name */

/* "jobs.ini:12: [db] bs: " */
static void place_print(const struct place *p, struct str *out)
{
	if (p->where.file)
		str_addf(out, "%s:%u: ", p->where.file, p->where.line);
	else
		str_add(out, "command line: ");
	if (p->section)
		str_addf(out, "[%.*s] ", NAME_SHOWN, p->section);
	if (p->option)
		str_addf(out, "%s%.*s: ", p->where.file ? "" : "--", NAME_SHOWN, p->option);
}

int place_failv(const struct place *p, struct err *e, int code, const char *fmt, va_list ap)
{
	struct str text = {0};
	va_list again;

	va_copy(again, ap);
	place_print(p, &text);
	str_addv(&text, fmt, ap);
	if (text.failed) /* out of memory: the sentence alone needs none */
		err_setv(e, code, fmt, again);
	else
		err_set(e, code, "%s", str_text(&text));
	va_end(again);
	str_done(&text);
	return code;
}

int place_fail(const struct place *p, struct err *e, int code, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	place_failv(p, e, code, fmt, ap);
	va_end(ap);
	return code;
}

static void hand_over(const struct place *p, void (*hear)(void *ctx, const char *text),
	void *ctx, const char *fmt, va_list ap) __attribute__((format(printf, 4, 0)));

static void hand_over(const struct place *p, void (*hear)(void *ctx, const char *text),
	void *ctx, const char *fmt, va_list ap)
{
	if (!hear)
		return;
	struct str text = {0};
	place_print(p, &text);
	str_addv(&text, fmt, ap);
	if (!text.failed)
		hear(ctx, str_text(&text));
	str_done(&text);
}

void place_warn(const struct place *p, const struct job_env *env, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	hand_over(p, env->warn, env->warn_ctx, fmt, ap);
	va_end(ap);
}

void place_note(const struct place *p, const struct job_env *env, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	hand_over(p, env->note ? env->note : env->warn, env->warn_ctx, fmt, ap);
	va_end(ap);
}
