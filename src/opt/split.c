/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Sizes with their shares: 4k/60:64k/40, a set for each direction. */
#include "opt/opt.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "opt/number.h"
#include "opt/triple.h"

#include <errno.h>
#include <inttypes.h>

struct split_set {
	struct opt_split v[LIMIT_SPLITS];
	uint32_t count;
	uint64_t percent; /* sum of those that were written */
	uint32_t blanks;
};

/* "4k/60", "4k/" or "4k". */
static int read_entry(const struct opt *o, struct span text, const struct opt_ctx *ctx,
	struct split_set *set, struct err *reterr)
{
	struct number_how bytes = number_bytes(ctx), plain = number_plain(ctx);
	const struct opt percents = {.max = 100};
	struct span rest = text;
	struct opt_split *entry = &set->v[set->count];
	uint64_t percent;
	char slash, more;

	if (set->count == LIMIT_SPLITS)
		return err_set(reterr, -E2BIG, "more than %d sizes in a set", LIMIT_SPLITS);
	if (!text.len)
		return err_set(reterr, -EINVAL,
			"an entry is empty (SIZE/PERCENT:SIZE/PERCENT)");
	int rc = number_read_unsigned(o, span_cut(&rest, "/", &slash), &bytes, &entry->bytes,
		reterr);
	if (rc < 0)
		return rc;
	struct span share = span_cut(&rest, "/", &more);
	if (more)
		return err_set(reterr, -EINVAL, "'%.*s' is not SIZE/PERCENT", SPAN_ARG(text));
	set->count++;
	entry->percent = -1;
	if (!share.len) {
		set->blanks++;
		return 0;
	}
	rc = number_read_unsigned(&percents, share, &plain, &percent, reterr);
	if (rc < 0)
		return err_within(reterr, "the percentage of %.*s", SPAN_ARG(text));
	entry->percent = (int32_t)percent;
	set->percent += percent;
	return 0;
}

/* fio lets a sum above 100 pass unless two or more entries are left blank. */
static int check_sum(const struct split_set *set, const struct opt_ctx *ctx, struct err *reterr)
{
	if (set->percent <= 100)
		return 0;
	if (ctx->native || set->blanks > 1)
		return err_set(reterr, -EINVAL,
			"the percentages add up to %" PRIu64 ", not to 100", set->percent);
	if (ctx->warning)
		str_addf(ctx->warning, "the percentages add up to %" PRIu64 ", not to 100",
			set->percent);
	return 0;
}

static int read_set(const struct opt *o, struct span text, const struct opt_ctx *ctx,
	const struct opt_split **ret, uint32_t *ret_count, struct err *reterr)
{
	struct split_set set = {.count = 0};
	char separator;
	int rc;

	do
		rc = read_entry(o, span_cut(&text, ":", &separator), ctx, &set, reterr);
	while (rc == 0 && separator);
	if (rc == 0)
		rc = check_sum(&set, ctx, reterr);
	if (rc < 0)
		return rc;
	struct opt_split *copy = arena_array(ctx->arena, set.count, sizeof(*copy));
	if (!copy)
		return err_set(reterr, -ENOMEM, "out of memory");
	memcpy(copy, set.v, set.count * sizeof(*copy));
	*ret = copy;
	*ret_count = set.count;
	return 0;
}

static int parse_split3(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	struct opt_split3 out = *(struct opt_split3 *)dst;
	struct triple triple;

	int rc = triple_cut(text, ",", &triple, reterr);
	for (unsigned i = 0; i < 3 && rc == 0; i++) {
		if (i && triple.given[i] && triple.part[i].at == triple.part[i - 1].at) {
			out.v[i] = out.v[i - 1];
			out.count[i] = out.count[i - 1];
		} else if (triple.given[i]) {
			rc = read_set(o, triple.part[i], ctx, &out.v[i], &out.count[i], reterr);
		}
	}
	if (rc == 0)
		*(struct opt_split3 *)dst = out;
	return rc;
}

static void print_set_at(const void *src, unsigned i, struct str *out)
{
	const struct opt_split3 *s = src;
	for (uint32_t k = 0; k < s->count[i]; k++) {
		str_addf(out, "%s%" PRIu64 "/", k ? ":" : "", s->v[i][k].bytes);
		if (s->v[i][k].percent >= 0)
			str_addf(out, "%" PRId32, s->v[i][k].percent);
	}
}

static void print_split3(const struct opt *o, const void *src, struct str *out)
{
	const struct opt_split3 *s = src;
	bool given[3] = {s->count[0] > 0, s->count[1] > 0, s->count[2] > 0};
	(void)o;
	triple_print(given, src, print_set_at, out);
}

const struct opt_type opt_split3_type = {"SIZE/PERCENT:... for r,w,t",
	sizeof(struct opt_split3), false, parse_split3, print_split3};
