/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "plan/spread.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "job/job.h"
#include "plan/plan.h"

#define SPREAD_TEXT      4096
#define SPREAD_SEQUENCED 64

/* What a normal without a number has in fio: the deviation of the mean of twelve
 * uniform numbers, in percent of the region. */
#define SPREAD_NORMAL_PRESET (100.0 / 12)

enum spread_word {
	WORD_RANDOM,
	WORD_ZIPF,
	WORD_PARETO,
	WORD_NORMAL,
	WORD_ZONED,
	WORD_ZONED_ABS,
	WORD_SEQUENCE,
	WORDS,
};

static const char *const spread_words[WORDS] = {
	"random", "zipf", "pareto", "normal", "zoned", "zoned_abs", "sequence"};

/* The part of *REST before one of SEPARATORS; *REST moves behind it, or becomes
 * NULL when nothing follows. */
static char *spread_cut(char **rest, const char *separators)
{
	char *part = *rest;
	char *end = part + strcspn(part, separators);

	*rest = *end ? end + 1 : NULL;
	*end = '\0';
	return part;
}

/* ---- zipf, pareto, normal ---- */

static const struct {
	double preset, low, high; /* low and high themselves are outside */
	const char *name, *range;
} spread_ranges[] = {
	[SPREAD_ZIPF] = {1.1, -1e-9, 1e6, "zipf's theta", "it is 0 or more and not 1, 1.1 say"},
	[SPREAD_PARETO] = {0.2, 0, 1, "pareto's h", "it is above 0 and below 1, 0.2 say"},
	[SPREAD_NORMAL] = {0, -1e-9, 100, "normal's deviation", "it is from 0 to below 100"},
};

static int spread_number(const char *text, const char *what, double *ret, struct err *reterr)
{
	struct err e;

	if (opt_read_double(text, ret, &e) < 0)
		return err_set(reterr, -EINVAL, "\"%.100s\" is no number (%s)", text, what);
	return 0;
}

int spread_read(enum spread_kind kind, const char *arg, struct spread_spec *ret,
	struct err *reterr)
{
	struct spread_spec s = {.kind = kind, .a = spread_ranges[kind].preset, .center = -1};
	const char *name = spread_ranges[kind].name;
	char text[SPREAD_TEXT], *rest = text;

	snprintf(text, sizeof(text), "%s", arg ? arg : "");
	if (*text) {
		const char *first = spread_cut(&rest, ":");
		int rc = *first ? spread_number(first, name, &s.a, reterr) : 0;
		if (rc == 0 && rest)
			rc = spread_number(rest, "a centre from 0 to 1", &s.center, reterr);
		if (rc < 0)
			return rc;
		if (rest && !(s.center >= 0 && s.center <= 1))
			return err_set(reterr, -ERANGE,
				"the centre %.100s is no number from 0 to 1", rest);
	}
	if (!(s.a > spread_ranges[kind].low && s.a < spread_ranges[kind].high) ||
		(kind == SPREAD_ZIPF && s.a == 1.0))
		return err_set(reterr, -ERANGE, "%s can't be %g; %s", name, s.a,
			spread_ranges[kind].range);
	if (kind == SPREAD_NORMAL && s.a == 0)
		s.a = SPREAD_NORMAL_PRESET;
	*ret = s;
	return 0;
}

/* ---- zones ---- */

struct zone_entry {
	uint64_t access; /* percent */
	uint64_t size;   /* percent or bytes */
	bool blank;      /* shares what the others leave */
};

/* "60/10", "60/" or "60". */
static int zone_read(char *text, bool bytes, const struct opt_ctx *ctx, struct zone_entry *ret,
	struct err *reterr)
{
	char *size = text;
	const char *access = spread_cut(&size, "/");
	struct err e;

	*ret = (struct zone_entry){.blank = !size || !*size};
	if (opt_read_u64(access, &ret->access, &e) < 0 || ret->access > 100)
		return err_set(reterr, -EINVAL,
			"\"%.100s\" is no percentage of the accesses (ACCESSES/SIZE:...)",
			access);
	if (ret->blank)
		return 0;
	if (bytes)
		return opt_read_bytes(size, ctx, &ret->size, reterr);
	if (opt_read_u64(size, &ret->size, &e) < 0 || ret->size > 100)
		return err_set(reterr, -EINVAL,
			"\"%.100s\" is no percentage of the region (ACCESSES/SIZE:...)", size);
	return 0;
}

static int zones_check(const struct zone_entry *v, uint32_t count, bool bytes,
	uint32_t *ret_blank, uint64_t *ret_size, struct err *reterr)
{
	uint64_t access = 0, size = 0;
	uint32_t blank = 0;

	for (uint32_t i = 0; i < count; i++) {
		access += v[i].access;
		blank += v[i].blank;
		if (__builtin_add_overflow(size, v[i].size, &size))
			size = UINT64_MAX;
	}
	if (access != 100)
		return err_set(reterr, -EINVAL,
			"the accesses add up to %" PRIu64 " percent, not to 100", access);
	if (size > (bytes ? UINT64_MAX / 2 : 100))
		return err_set(reterr, -EINVAL, "the sizes add up to more than %s",
			bytes ? "any file has" : "100 percent");
	*ret_blank = blank;
	*ret_size = size;
	return 0;
}

/* In bytes, only the last may be blank: it ends where the region does. */
static int zones_make(const struct zone_entry *v, uint32_t count, bool bytes,
	struct spread_zones *z, struct err *reterr)
{
	uint32_t blank = 0;
	uint64_t size = 0, end = 0;
	int rc = zones_check(v, count, bytes, &blank, &size, reterr);

	if (rc < 0)
		return rc;
	if (bytes && blank && (blank > 1 || !v[count - 1].blank))
		return err_set(reterr, -EINVAL,
			"only the last zone may be without a size: it is the rest");
	*z = (struct spread_zones){.count = count, .bytes = bytes};
	for (uint32_t i = 0, filled = 0; i < count; i++) {
		uint64_t own = v[i].size;
		if (v[i].blank) {
			own = (100 - MIN_OF(size, UINT64_C(100))) / blank--;
			size += own;
		}
		end += own;
		z->end[i] = bytes && v[i].blank ? UINT64_MAX : end;
		memset(z->pick + filled, (int)i, v[i].access);
		filled += (uint32_t)v[i].access;
	}
	return 0;
}

static int spread_zoned(char *text, bool bytes, const struct opt_ctx *ctx,
	struct spread_spec *ret, struct err *reterr)
{
	struct zone_entry v[SPREAD_ZONES];
	uint32_t count = 0;
	char *rest = text;

	while (rest) {
		char *entry = spread_cut(&rest, ":");
		if (!*entry)
			continue;
		if (count == SPREAD_ZONES)
			return err_set(reterr, -E2BIG, "there can't be more than %d zones",
				SPREAD_ZONES);
		int rc = zone_read(entry, bytes, ctx, &v[count], reterr);
		if (rc < 0)
			return rc;
		count++;
	}
	if (!count)
		return err_set(reterr, -EINVAL, "its zones are missing: %s, say",
			bytes ? "zoned_abs:60/1g:40/9g" : "zoned:60/10:40/90");
	struct spread_zones *z = arena_alloc(ctx->arena, sizeof(*z));
	if (!z)
		return err_set(reterr, -ENOMEM, "out of memory");
	*ret = (struct spread_spec){.kind = SPREAD_ZONED, .center = -1, .zones = z};
	return zones_make(v, count, bytes, z, reterr);
}

/* ---- sequence ---- */

static int spread_sequence(char *text, const struct opt_ctx *ctx, struct spread_spec *ret,
	struct err *reterr)
{
	uint64_t *list = arena_array(ctx->arena, SPREAD_SEQUENCED, sizeof(*list));
	uint32_t count = 0;
	char *rest = *text ? text : NULL;
	struct err e;

	if (!list)
		return err_set(reterr, -ENOMEM, "out of memory");
	while (rest) {
		const char *entry = spread_cut(&rest, ",");
		if (count == SPREAD_SEQUENCED)
			return err_set(reterr, -E2BIG, "there can't be more than %d blocks",
				SPREAD_SEQUENCED);
		if (opt_read_u64(entry, &list[count], &e) < 0)
			return err_set(reterr, -EINVAL,
				"\"%.100s\" is no number of a block (sequence:0,4,2)", entry);
		count++;
	}
	if (!count)
		return err_set(reterr, -EINVAL, "its blocks are missing: sequence:0,4,2, say");
	*ret = (struct spread_spec){.kind = SPREAD_SEQUENCE,
		.center = -1,
		.sequence = list,
		.sequence_count = count};
	return 0;
}

/* ---- all of them ---- */

static int spread_word_of(const char *text)
{
	for (int i = 0; i < WORDS; i++)
		if (strcmp(text, spread_words[i]) == 0)
			return i;
	return -1;
}

static int spread_unknown(const char *text, struct err *reterr)
{
	return err_set(reterr, -EINVAL,
		"'%.100s' is not one of: random, zipf, pareto, normal, zoned, zoned_abs, sequence",
		text);
}

/* One of TEXT, WORD and its numbers.  *WORD is the one before on the way in: numbers
 * alone have the same. */
static int spread_one(char *text, int *word, const struct opt_ctx *ctx, struct spread_spec *ret,
	struct err *reterr)
{
	char *arg = text;

	if (*word < 0 || strchr("0123456789.", *text) == NULL) {
		const char *name = spread_cut(&arg, ":");
		*word = spread_word_of(name);
		if (*word < 0)
			return spread_unknown(name, reterr);
	}
	switch (*word) {
	case WORD_RANDOM:
		if (arg && *arg && ctx->warning)
			str_addf(ctx->warning,
				"random takes no number: '%.100s' changes nothing", arg);
		*ret = (struct spread_spec){.center = -1};
		return 0;
	case WORD_ZIPF:
		return spread_read(SPREAD_ZIPF, arg, ret, reterr);
	case WORD_PARETO:
		return spread_read(SPREAD_PARETO, arg, ret, reterr);
	case WORD_NORMAL:
		return spread_read(SPREAD_NORMAL, arg, ret, reterr);
	case WORD_SEQUENCE:
		return spread_sequence(arg ? arg : text + strlen(text), ctx, ret, reterr);
	default:
		return spread_zoned(arg ? arg : text + strlen(text), *word == WORD_ZONED_ABS,
			ctx, ret, reterr);
	}
}

static int spread_parse(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	struct spread3 *out = dst, all = {0};
	char copy[SPREAD_TEXT], *rest = copy;
	int word = -1, rc = 0;
	unsigned d = 0;

	(void)o;
	all.text = arena_text(ctx->arena, text);
	if (!all.text)
		return err_set(reterr, -ENOMEM, "out of memory");
	if (strlen(text) >= sizeof(copy))
		return err_set(reterr, -E2BIG, "it is longer than %d letters", SPREAD_TEXT - 1);
	memcpy(copy, text, strlen(text) + 1);
	if (str_starts(copy, "sequence")) { /* its commas are its own */
		rc = spread_one(copy, &word, ctx, &all.v[d++], reterr);
		rest = NULL;
	}
	while (rest && rc == 0) {
		if (d == DIRS)
			return err_set(reterr, -EINVAL,
				"there are more than three (reads, writes, trims)");
		char *one = spread_cut(&rest, ",");
		if (d && !*one)
			all.v[d] = all.v[d - 1];
		else
			rc = spread_one(one, &word, ctx, &all.v[d], reterr);
		d++;
	}
	if (rc < 0)
		return rc;
	for (; d < DIRS; d++)
		all.v[d] = all.v[d - 1];
	*out = all;
	return 0;
}

static void spread_print(const struct opt *o, const void *src, struct str *out)
{
	const struct spread3 *s = src;

	(void)o;
	if (s->text)
		str_add(out, s->text);
}

const struct opt_type spread_type = {
	.name = "distributions for r,w,t",
	.size = sizeof(struct spread3),
	.parse = spread_parse,
	.print = spread_print,
};

int spread_check_zones(const struct plan_worker *w, struct err *reterr)
{
	const struct pattern_spec *p = &w->pattern;

	for (int i = 0; i < DIRS; i++) {
		const struct spread_zones *z = p->spread[i].zones;
		if (!p->use[i] || !p->random || p->spread[i].kind != SPREAD_ZONED || !z->bytes)
			continue;
		uint64_t end = z->end[z->count - 1];
		if (end == UINT64_MAX)
			end = z->count > 1 ? z->end[z->count - 2] : 0;
		for (uint32_t k = 0; k < p->regions_count; k++) {
			if (end <= p->regions[k].bytes)
				continue;
			return job_fail(w->job, "random_distribution", reterr, -EINVAL,
				"zoned_abs sizes exceed file size: the zones end at %" PRIu64
				", and each file has %" PRIu64
				" bytes to use; make them smaller or raise size",
				end, p->regions[k].bytes);
		}
	}
	return 0;
}
