/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "opt/triple.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "opt/number.h"
#include "opt/opt.h"

#include <errno.h>
#include <inttypes.h>

int triple_cut(const char *text, const char *separators, struct triple *ret, struct err *reterr)
{
	struct triple out = {0};
	struct span rest = span_of(text);
	unsigned count = 0;
	bool any = false;
	char separator;

	do {
		struct span part = span_cut(&rest, separators, &separator);
		if (count == 3)
			return err_set(reterr, -EINVAL,
				"'%s' has more than three values (reads, writes, trims)", text);
		out.part[count] = part;
		out.given[count] = part.len > 0;
		any = any || part.len;
		if (separator && separator != ',')
			out.odd = separator;
		count++;
	} while (separator);
	if (!any)
		return err_set(reterr, -EINVAL, "a value is missing");

	/* The last one spreads, unless a comma says that nothing follows. */
	for (unsigned i = count; i < 3; i++) {
		out.part[i] = out.part[i - 1];
		out.given[i] = out.given[i - 1];
	}
	*ret = out;
	return 0;
}

void triple_print(const bool given[3], const void *src,
	void (*print_at)(const void *src, unsigned i, struct str *out), struct str *out)
{
	unsigned count = given[2] ? 3 : given[1] ? 2 : given[0] ? 1 : 0;
	for (unsigned i = 0; i < count; i++) {
		if (i)
			str_add_char(out, ',');
		if (given[i])
			print_at(src, i, out);
	}
	if (count && count < 3)
		str_add_char(out, ',');
}

/* ---- numbers ---- */

/* fio takes ':' and '-' for commas here, which surprises who meant a range. */
static void warn_separator(const struct opt *o, const char *text, const struct triple *t,
	const struct opt_ctx *ctx)
{
	if (!ctx || !ctx->warning || !t->odd)
		return;
	str_addf(ctx->warning,
		"'%.200s' means %.*s for reads and %.*s for writes; write %.*s,%.*s", text,
		SPAN_ARG(t->part[0]), SPAN_ARG(t->part[1]), SPAN_ARG(t->part[0]),
		SPAN_ARG(t->part[1]));
	if (o->name && strcmp(o->name, "bs") == 0)
		str_addf(ctx->warning, " (a range is bsrange=%.*s-%.*s)", SPAN_ARG(t->part[0]),
			SPAN_ARG(t->part[1]));
}

static int parse_numbers3(const struct opt *o, const char *text, void *dst,
	const struct number_how *how, const struct opt_ctx *ctx, struct err *reterr)
{
	struct opt_u64x3 out = *(struct opt_u64x3 *)dst;
	struct triple triple;

	if (how->kind == NUMBER_BYTES && strchr(text, '/') && !strchr(text, '('))
		return err_set(reterr, -EINVAL,
			"'%.200s' is a list of sizes with percentages: that is bssplit", text);
	int rc = triple_cut(text, ",:-", &triple, reterr);
	for (unsigned i = 0; i < 3 && rc == 0; i++) {
		if (!triple.given[i])
			continue;
		rc = number_read_unsigned(o, triple.part[i], how, &out.v[i], reterr);
		out.given[i] = true;
	}
	if (rc < 0)
		return rc;
	*(struct opt_u64x3 *)dst = out;
	warn_separator(o, text, &triple, ctx);
	return 0;
}

static int parse_u64x3(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	struct number_how how = number_plain(ctx);
	return parse_numbers3(o, text, dst, &how, ctx, reterr);
}

static int parse_bytes3(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	struct number_how how = number_bytes(ctx);
	return parse_numbers3(o, text, dst, &how, ctx, reterr);
}

static int parse_time_us3(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	struct number_how how = number_time(NS_PER_US);
	return parse_numbers3(o, text, dst, &how, ctx, reterr);
}

static void print_time_at(const void *src, unsigned i, struct str *out)
{
	number_show_time(out, ((const struct opt_u64x3 *)src)->v[i]);
}

static void print_time3(const struct opt *o, const void *src, struct str *out)
{
	(void)o;
	triple_print(((const struct opt_u64x3 *)src)->given, src, print_time_at, out);
}

static void print_u64_at(const void *src, unsigned i, struct str *out)
{
	str_addf(out, "%" PRIu64, ((const struct opt_u64x3 *)src)->v[i]);
}

static void print_u64x3(const struct opt *o, const void *src, struct str *out)
{
	(void)o;
	triple_print(((const struct opt_u64x3 *)src)->given, src, print_u64_at, out);
}

const struct opt_type opt_u64x3_type = {
	"numbers for r,w,t", sizeof(struct opt_u64x3), false, parse_u64x3, print_u64x3};
const struct opt_type opt_time_us3 = {
	"times (us) for r,w,t", sizeof(struct opt_u64x3), false, parse_time_us3, print_time3};
const struct opt_type opt_bytes3 = {
	"sizes for r,w,t", sizeof(struct opt_u64x3), false, parse_bytes3, print_u64x3};
