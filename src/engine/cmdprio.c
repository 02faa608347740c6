/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "engine/cmdprio.h"

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CMDPRIO_FIELD 64 /* letters of one number */

/* The next number of an entry, up to '/', into BUF; false: there is none. */
static bool cmdprio_field(const char **p, char *buf)
{
	size_t len = strcspn(*p, "/:,");

	if (!len || len >= CMDPRIO_FIELD)
		return false;
	memcpy(buf, *p, len);
	buf[len] = '\0';
	*p += len;
	return true;
}

static int cmdprio_number(const char **p, uint64_t min, uint64_t max, int32_t *ret,
	struct err *reterr)
{
	char text[CMDPRIO_FIELD] = "";
	uint64_t v;

	if (**p != '/')
		return 0;
	++*p;
	if (!cmdprio_field(p, text) || opt_read_u64(text, &v, reterr) < 0 || v < min || v > max)
		return err_set(reterr, -EINVAL,
			"'%s' is no number from %" PRIu64 " to %" PRIu64
			"; write 4k/20/1/0, say: size, percent, class (1 to 3), level (0 to 7)",
			text, min, max);
	*ret = (int32_t)v;
	return 0;
}

static int cmdprio_entry_read(const char **p, struct cmdprio_entry *e,
	const struct opt_ctx *ctx, struct err *reterr)
{
	char text[CMDPRIO_FIELD];
	const char *start = *p;
	int32_t percent = -1;

	*e = (struct cmdprio_entry){.class = -1, .level = -1, .hint = -1};
	if (!cmdprio_field(p, text) || opt_read_bytes(text, ctx, &e->bytes, reterr) < 0 ||
		!e->bytes || e->bytes > UINT32_MAX)
		return err_set(reterr, -EINVAL,
			"\"%.40s\" begins with no size; write 4k/20:64k/50/2/0, say", start);
	int rc = cmdprio_number(p, 0, 100, &percent, reterr);
	if (rc == 0 && percent < 0)
		return err_set(reterr, -EINVAL, "\"%.40s\" has no percent; write 4k/20, say",
			start);
	e->percent = (uint32_t)percent;
	if (rc == 0)
		rc = cmdprio_number(p, 1, 3, &e->class, reterr);
	if (rc == 0)
		rc = cmdprio_number(p, 0, 7, &e->level, reterr);
	if (rc == 0)
		rc = cmdprio_number(p, 0, 1023, &e->hint, reterr);
	if (rc == 0 && **p && **p != ':' && **p != ',')
		return err_set(reterr, -EINVAL, "\"%.40s\" has too many numbers", start);
	return rc;
}

/* Shares of one size are of one whole. */
static int cmdprio_check(const struct cmdprio_entry *v, uint32_t n, struct err *reterr)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t sum = 0;
		for (uint32_t k = 0; k < n; k++)
			sum += v[k].bytes == v[i].bytes ? v[k].percent : 0;
		if (sum > 100)
			return err_set(reterr, -EINVAL,
				"the percents of size %" PRIu64
				" add up to %u; 100 is all of them",
				v[i].bytes, sum);
	}
	return 0;
}

static int cmdprio_parse(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	struct cmdprio_split out = {0};
	const char *p = text;
	unsigned dir = 0;

	(void)o;
	for (;;) {
		struct cmdprio_entry *v = arena_array(ctx->arena, LIMIT_SPLITS, sizeof(*v));
		uint32_t n = 0;
		int rc = v ? 0 : err_set(reterr, -ENOMEM, "out of memory");
		do {
			if (rc == 0 && n == LIMIT_SPLITS)
				rc = err_set(reterr, -E2BIG, "more than %d entries",
					LIMIT_SPLITS);
			p += n != 0; /* the colon */
			if (rc == 0)
				rc = cmdprio_entry_read(&p, &v[n], ctx, reterr);
			if (rc == 0)
				n++;
		} while (rc == 0 && *p == ':');
		if (rc == 0)
			rc = cmdprio_check(v, n, reterr);
		if (rc < 0)
			return rc;
		out.v[dir] = v;
		out.count[dir++] = n;
		if (*p != ',')
			break;
		if (dir == 2)
			return err_set(reterr, -EINVAL,
				"there are two lists at most: one for reads, one for writes");
		p++;
	}
	if (dir == 1) {
		out.v[1] = out.v[0];
		out.count[1] = out.count[0];
	}
	*(struct cmdprio_split *)dst = out;
	return 0;
}

static void cmdprio_print(const struct opt *o, const void *src, struct str *out)
{
	const struct cmdprio_split *s = src;

	(void)o;
	for (unsigned d = 0; d < 2 && s->v[d] && (d == 0 || s->v[1] != s->v[0]); d++) {
		str_add(out, d ? "," : "");
		for (uint32_t i = 0; i < s->count[d]; i++) {
			const struct cmdprio_entry *e = &s->v[d][i];
			const int32_t more[] = {e->class, e->level, e->hint};
			str_addf(out, "%s%" PRIu64 "/%u", i ? ":" : "", e->bytes, e->percent);
			for (size_t k = 0; k < COUNT_OF(more) && more[k] >= 0; k++)
				str_addf(out, "/%d", more[k]);
		}
	}
}

const struct opt_type cmdprio_split_type = {
	.name = "SIZE/PERCENT[/CLASS/LEVEL[/HINT]]:...",
	.size = sizeof(struct cmdprio_split),
	.parse = cmdprio_parse,
	.print = cmdprio_print,
};
