/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Types of the form LO-HI. */
#include "opt/opt.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "opt/number.h"
#include "opt/triple.h"

#include <errno.h>
#include <inttypes.h>

/* LO-HI or LO:HI, in any order; a lone value is a range of one when SINGLE. */
static int read_range(const struct opt *o, struct span text, const struct number_how *how,
	bool single, struct opt_range *ret, struct err *reterr)
{
	struct span rest = text;
	struct opt_range out;
	char first, second = 0;

	int rc = number_read_unsigned(o, span_cut(&rest, "-:", &first), how, &out.lo, reterr);
	if (rc < 0)
		return rc;
	out.hi = out.lo;
	if (!first && !single)
		return err_set(reterr, -EINVAL, "'%.*s' is no range: write it as LOW-HIGH",
			SPAN_ARG(text));
	if (first)
		rc = number_read_unsigned(o, span_cut(&rest, "-:", &second), how, &out.hi,
			reterr);
	if (rc == 0 && second)
		rc = err_set(reterr, -EINVAL, "'%.*s' is no range: write it as LOW-HIGH",
			SPAN_ARG(text));
	if (rc < 0)
		return rc;
	*ret = (struct opt_range){MIN_OF(out.lo, out.hi), MAX_OF(out.lo, out.hi)};
	return 0;
}

static int parse_range(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	struct number_how how = number_bytes(ctx);
	return read_range(o, span_of(text), &how, true, dst, reterr);
}

static int parse_time_range(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	struct number_how how = number_time(NS_PER_S);
	(void)ctx;
	return read_range(o, span_of(text), &how, true, dst, reterr);
}

static void print_range(const struct opt *o, const void *src, struct str *out)
{
	const struct opt_range *r = src;
	(void)o;
	str_addf(out, "%" PRIu64 "-%" PRIu64, r->lo, r->hi);
}

static void print_time_range(const struct opt *o, const void *src, struct str *out)
{
	const struct opt_range *r = src;
	(void)o;
	number_show_time(out, r->lo);
	str_add_char(out, '-');
	number_show_time(out, r->hi);
}

const struct opt_type opt_range_type = {
	"size or range", sizeof(struct opt_range), false, parse_range, print_range};
const struct opt_type opt_time_range_s = {"time or range (s)", sizeof(struct opt_range), false,
	parse_time_range, print_time_range};

/* ---- one per direction ---- */

static int parse_range3(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	struct number_how how = number_bytes(ctx);
	struct opt_range3 out = *(struct opt_range3 *)dst;
	struct triple triple;

	int rc = triple_cut(text, ",", &triple, reterr);
	for (unsigned i = 0; i < 3 && rc == 0; i++) {
		if (!triple.given[i])
			continue;
		rc = read_range(o, triple.part[i], &how, false, &out.v[i], reterr);
		out.given[i] = true;
	}
	if (rc == 0)
		*(struct opt_range3 *)dst = out;
	return rc;
}

static void print_range3_at(const void *src, unsigned i, struct str *out)
{
	print_range(NULL, &((const struct opt_range3 *)src)->v[i], out);
}

static void print_range3(const struct opt *o, const void *src, struct str *out)
{
	(void)o;
	triple_print(((const struct opt_range3 *)src)->given, src, print_range3_at, out);
}

const struct opt_type opt_range3_type = {
	"ranges for r,w,t", sizeof(struct opt_range3), false, parse_range3, print_range3};
