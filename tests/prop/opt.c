/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Laws of option values:
 *	any value, printed and read back in any face, is the same value;
 *	any text is either refused, and then nothing was written, or means a value
 *	that prints and reads back to the same;
 *	a number with a unit is what 128-bit arithmetic says;
 *	integer arithmetic is what the same tree gives when it is computed directly. */
#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/str.h"
#include "law.h"
#include "opt/opt.h"

#include <errno.h>
#include <string.h>

struct all {
	bool flag, yes;
	uint32_t u32;
	int32_t i32;
	uint64_t u64, bytes, time_s, time_us, time_ms;
	double fraction;
	struct opt_range delay, filesize;
	struct opt_size size;
	struct opt_u64x3 percent, bs;
	struct opt_range3 bsrange;
	struct opt_split3 bssplit;
	int word;
	struct opt_word_arg rw;
	const char *text;
	struct opt_names names;
	struct opt_floats floats;
	struct opt_cpus cpus;
	struct filler filler;
};

static const struct opt_word formats[] = {{"%o", 0, NULL}, {0}};
static const struct opt_word words[] = {
	{"red", 3, NULL}, {"green", 0, NULL}, {"blue", 7, NULL}, {"1", 1, NULL}, {0}};

static struct rng rng;

static uint64_t below(uint64_t n)
{
	return rng_below(&rng, n);
}

/* Every magnitude is equally likely. */
static uint64_t some_u64(void)
{
	return rng_next(&rng) >> below(64);
}

static bool coin(void)
{
	return below(2);
}

/* ---- a random value and equality, for each type ---- */

static void some_flag(void *v, struct arena *a)
{
	(void)a;
	*(bool *)v = coin();
}

static bool same_flag(const void *a, const void *b)
{
	return *(const bool *)a == *(const bool *)b;
}

static void some_32(void *v, struct arena *a)
{
	(void)a;
	*(uint32_t *)v = (uint32_t)some_u64();
}

static bool same_32(const void *a, const void *b)
{
	return memcmp(a, b, 4) == 0;
}

static void some_64(void *v, struct arena *a)
{
	(void)a;
	*(uint64_t *)v = some_u64();
}

static bool same_64(const void *a, const void *b)
{
	return memcmp(a, b, 8) == 0;
}

static void some_double(void *v, struct arena *a)
{
	(void)a;
	*(double *)v = ((double)some_u64() - (double)some_u64()) / (double)(some_u64() | 1);
}

static void some_range(void *v, struct arena *a)
{
	uint64_t x = some_u64(), y = some_u64();
	(void)a;
	*(struct opt_range *)v = (struct opt_range){MIN_OF(x, y), MAX_OF(x, y)};
}

static bool same_range(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct opt_range)) == 0;
}

static void some_size(void *v, struct arena *a)
{
	struct opt_size *s = v;
	(void)a;
	*s = (struct opt_size){0};
	switch (below(3)) {
	case 0:
		s->percent = (uint32_t)below(101);
		break;
	case 1:
		s->zones = (uint32_t)some_u64();
		break;
	default:
		s->bytes = some_u64();
	}
}

static bool same_size(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct opt_size)) == 0;
}

static void some_u64x3(void *v, struct arena *a)
{
	struct opt_u64x3 *t = v;
	(void)a;
	for (unsigned i = 0; i < 3; i++) {
		t->given[i] = coin();
		t->v[i] = t->given[i] ? some_u64() : 0;
	}
}

static bool same_u64x3(const void *a, const void *b)
{
	const struct opt_u64x3 *x = a, *y = b;
	return memcmp(x->v, y->v, sizeof(x->v)) == 0 &&
	       memcmp(x->given, y->given, sizeof(x->given)) == 0;
}

static void some_range3(void *v, struct arena *a)
{
	struct opt_range3 *t = v;
	for (unsigned i = 0; i < 3; i++) {
		t->given[i] = coin();
		t->v[i] = (struct opt_range){0};
		if (t->given[i])
			some_range(&t->v[i], a);
	}
}

static bool same_range3(const void *a, const void *b)
{
	const struct opt_range3 *x = a, *y = b;
	return memcmp(x->v, y->v, sizeof(x->v)) == 0 &&
	       memcmp(x->given, y->given, sizeof(x->given)) == 0;
}

static void some_split3(void *v, struct arena *a)
{
	struct opt_split3 *t = v;
	*t = (struct opt_split3){0};
	for (unsigned i = 0; i < 3; i++) {
		if (coin())
			continue;
		uint32_t count = 1 + (uint32_t)below(LIMIT_SPLITS);
		struct opt_split *s = arena_array(a, count, sizeof(*s));
		for (uint32_t k = 0, left = 100; k < count; k++) {
			s[k].bytes = some_u64();
			s[k].percent = coin() ? -1 : (int32_t)below(left + 1);
			left -= s[k].percent > 0 ? (uint32_t)s[k].percent : 0;
		}
		t->v[i] = s;
		t->count[i] = count;
	}
}

static bool same_split3(const void *a, const void *b)
{
	const struct opt_split3 *x = a, *y = b;
	for (unsigned i = 0; i < 3; i++) {
		if (x->count[i] != y->count[i])
			return false;
		for (uint32_t k = 0; k < x->count[i]; k++)
			if (x->v[i][k].bytes != y->v[i][k].bytes ||
				x->v[i][k].percent != y->v[i][k].percent)
				return false;
	}
	return true;
}

static void some_word(void *v, struct arena *a)
{
	(void)a;
	*(int *)v = words[below(4)].value;
}

/* Of letters that mean something somewhere; not empty, no blanks at the ends. */
static char *some_text(struct arena *a)
{
	static const char letters[] = "ab:\\,-/ .9%";
	char text[40];
	size_t len = 1 + below(sizeof(text) - 2);
	for (size_t i = 0; i < len; i++)
		text[i] = letters[below(sizeof(letters) - 1)];
	text[len] = '\0';
	text[0] = 'x';
	if (text[len - 1] == ' ')
		text[len - 1] = 'y';
	return arena_text(a, text);
}

static void some_word_arg(void *v, struct arena *a)
{
	struct opt_word_arg *w = v;
	some_word(&w->word, a);
	w->arg = coin() ? some_text(a) : NULL;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_word_arg(const void *a, const void *b)
{
	const struct opt_word_arg *x = a, *y = b;
	return x->word == y->word && same_text(x->arg, y->arg);
}

static void some_string(void *v, struct arena *a)
{
	*(const char **)v = some_text(a);
}

static bool same_string(const void *a, const void *b)
{
	return same_text(*(const char *const *)a, *(const char *const *)b);
}

static void some_names(void *v, struct arena *a)
{
	struct opt_names *n = v;
	n->count = below(6);
	const char **names = arena_array(a, n->count, sizeof(*names));
	for (size_t i = 0; i < n->count; i++)
		names[i] = some_text(a);
	n->v = names;
}

static bool same_names(const void *a, const void *b)
{
	const struct opt_names *x = a, *y = b;
	if (x->count != y->count)
		return false;
	for (size_t i = 0; i < x->count; i++)
		if (strcmp(x->v[i], y->v[i]) != 0)
			return false;
	return true;
}

/* What a person types: so many decimals. */
static void some_floats(void *v, struct arena *a)
{
	struct opt_floats *f = v;
	(void)a;
	*f = (struct opt_floats){.count = (uint32_t)below(LIMIT_PERCENTILES + 1)};
	f->decimals = f->count ? (uint32_t)below(10) : 0;
	for (uint32_t i = 0; i < f->count; i++) {
		char text[32];
		snprintf(text, sizeof(text), "%.*f", (int)f->decimals, rng_unit(&rng) * 100);
		f->v[i] = strtod(text, NULL);
	}
}

static bool same_floats(const void *a, const void *b)
{
	const struct opt_floats *x = a, *y = b;
	return x->count == y->count && x->decimals == y->decimals &&
	       memcmp(x->v, y->v, sizeof(x->v)) == 0;
}

static void some_cpus(void *v, struct arena *a)
{
	struct opt_cpus *c = v;
	(void)a;
	*c = (struct opt_cpus){.count = 0};
	for (uint64_t n = below(40); n; n--) {
		uint64_t cpu = below(LIMIT_CPUS);
		c->count += !(c->bits[cpu / 64] >> cpu % 64 & 1);
		c->bits[cpu / 64] |= UINT64_C(1) << cpu % 64;
	}
}

static bool same_cpus(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct opt_cpus)) == 0;
}

static void some_filler(void *v, struct arena *a)
{
	struct filler *f = v;
	uint8_t *bytes = arena_array(a, 100, 1);
	uint32_t *holes = arena_array(a, 4, sizeof(*holes));
	*f = (struct filler){.bytes = bytes, .holes = holes};
	for (uint64_t parts = 1 + below(4); parts; parts--) {
		if (coin()) {
			holes[f->holes_count++] = f->count;
			f->count += FILLER_OFFSET_BYTES;
		}
		for (uint64_t n = below(10) + !f->count; n; n--)
			bytes[f->count++] = (uint8_t)below(256);
	}
}

static bool same_filler(const void *a, const void *b)
{
	const struct filler *x = a, *y = b;
	return x->count == y->count && x->holes_count == y->holes_count &&
	       !memcmp(x->bytes, y->bytes, x->count) &&
	       !memcmp(x->holes, y->holes, x->holes_count * sizeof(*x->holes));
}

struct kind {
	struct opt row;
	void (*some)(void *v, struct arena *a);
	bool (*same)(const void *a, const void *b);
};

static const struct kind kinds[] = {
	{{.name = "flag", OPT_FLAG(struct all, flag)}, some_flag, same_flag},
	{{.name = "yes", OPT_BOOL(struct all, yes)}, some_flag, same_flag},
	{{.name = "u32", OPT_U32(struct all, u32)}, some_32, same_32},
	{{.name = "i32", OPT_I32(struct all, i32)}, some_32, same_32},
	{{.name = "u64", OPT_U64(struct all, u64)}, some_64, same_64},
	{{.name = "double", OPT_DOUBLE(struct all, fraction)}, some_double, same_64},
	{{.name = "bytes", OPT_BYTES(struct all, bytes)}, some_64, same_64},
	{{.name = "time_s", OPT_TIME_S(struct all, time_s)}, some_64, same_64},
	{{.name = "time_us", OPT_TIME_US(struct all, time_us)}, some_64, same_64},
	{{.name = "time_ms", OPT_TIME_MS(struct all, time_ms)}, some_64, same_64},
	{{.name = "delay", OPT_TIME_RANGE_S(struct all, delay)}, some_range, same_range},
	{{.name = "filesize", OPT_RANGE(struct all, filesize)}, some_range, same_range},
	{{.name = "size", OPT_SIZE(struct all, size)}, some_size, same_size},
	{{.name = "percent", OPT_U64X3(struct all, percent)}, some_u64x3, same_u64x3},
	{{.name = "bs", OPT_BYTES3(struct all, bs)}, some_u64x3, same_u64x3},
	{{.name = "bsrange", OPT_RANGE3(struct all, bsrange)}, some_range3, same_range3},
	{{.name = "bssplit", OPT_SPLIT3(struct all, bssplit)}, some_split3, same_split3},
	{{.name = "word", OPT_WORD(struct all, word), .words = words}, some_word, same_32},
	{{.name = "rw", OPT_WORD_ARG(struct all, rw), .words = words}, some_word_arg,
		same_word_arg},
	{{.name = "text", OPT_TEXT(struct all, text)}, some_string, same_string},
	{{.name = "names", OPT_NAMES(struct all, names)}, some_names, same_names},
	{{.name = "floats", OPT_FLOATS(struct all, floats)}, some_floats, same_floats},
	{{.name = "cpus", OPT_CPUS(struct all, cpus)}, some_cpus, same_cpus},
	{{.name = "pattern", OPT_FILLER(struct all, filler), .words = formats}, some_filler,
		same_filler},
};

/* No registry is needed here. */
const struct opt_group *const opt_groups[] = {NULL};
const size_t opt_groups_count = 0;

/* One arena for many values: mapping it costs more than a law. */
static struct arena *some_arena(struct arena *a)
{
	if (a->used > 48 * 1024)
		arena_done(a);
	return a;
}

static struct opt_ctx face(unsigned n, struct arena *a)
{
	return (struct opt_ctx){.arena = a, .native = n & 1, .kb_base = n & 2 ? 1000 : 1024};
}

/* ---- the laws ---- */

static const void *at(const struct all *v, const struct opt *row)
{
	return (const char *)v + row->offset;
}

/* VALUE prints to a text that is VALUE again, in all faces. */
static void expect_round_trip(const struct kind *k, const struct all *value, const char *origin)
{
	static struct arena arena;
	struct str text = {0};
	k->row.type->print(&k->row, at(value, &k->row), &text);
	for (unsigned n = 0; n < 4 && text.len; n++) {
		struct opt_ctx ctx = face(n, some_arena(&arena));
		struct all again = {0};
		struct err e = {0};
		int rc = opt_parse(&k->row, str_text(&text), &again, &ctx, &e);
		/* more than 100 % is refused by one face only */
		bool refused = rc < 0 && strstr(e.text, "add up");
		LAW(rc == 0 || (refused && origin), "%s=%s: %s", k->row.name, str_text(&text),
			e.text);
		LAW(refused || k->same(at(value, &k->row), at(&again, &k->row)),
			"%s: '%s' (from '%s') is read back as something else", k->row.name,
			str_text(&text), origin ? origin : "a value");
	}
	str_done(&text);
}

static void law_values(const struct kind *k)
{
	struct arena arena = {0};
	for (unsigned i = 0; i < 1000; i++) {
		struct all value = {0};
		k->some((char *)&value + k->row.offset, some_arena(&arena));
		expect_round_trip(k, &value, NULL);
	}
	arena_done(&arena);
}

/* Pieces of values, in any order. */
static void some_line(char *text, size_t size)
{
	static const char *const pieces[] = {"4", "1", "0", "100", "18446744073709551615", "k",
		"m", "kib", "b", "s", "ms", "us", "%", "z", ",", ":", "-", "/", "(", ")", "*",
		"+", "^", ".", "5", " ", "0x", "ff", "%o", "\"", "red", "\\", "\\:", "x", "-1",
		"99.9", "sec", "1023"};
	struct str line = {0};
	for (uint64_t n = 1 + below(8); n; n--)
		str_add(&line, pieces[below(COUNT_OF(pieces))]);
	snprintf(text, size, "%s", str_text(&line));
	str_done(&line);
}

static void law_texts(const struct kind *k)
{
	struct arena arena = {0};
	unsigned taken = 0;
	for (unsigned i = 0; i < 4000; i++) {
		struct opt_ctx ctx = face((unsigned)below(4), some_arena(&arena));
		struct all value = {0};
		const struct all nothing = {0};
		struct err e = {0};
		char text[256];

		some_line(text, sizeof(text));
		int rc = opt_parse(&k->row, text, &value, &ctx, &e);
		LAW(rc <= 0 && rc == e.code && (rc < 0) == (e.text[0] != '\0'),
			"%s=%s: rc %d, '%s'", k->row.name, text, rc, e.text);
		if (rc == 0) {
			expect_round_trip(k, &value, text);
			taken++;
		} else {
			LAW(memcmp(&value, &nothing, sizeof(value)) == 0,
				"%s=%s: refused, and written to", k->row.name, text);
		}
	}
	arena_done(&arena);
	LAW(taken > 0, "%s takes nothing of all this: the law says nothing", k->row.name);
}

/* NUMBER and UNIT by the table of units in fio(1), PARAMETER TYPES, in 128 bits. */
static void law_units(void)
{
	static const char letters[] = "kmgtp";
	static const char *const tails[] = {"", "b", "i", "ib"};
	for (unsigned i = 0; i < 20000; i++) {
		uint64_t n = some_u64(), got = 0;
		unsigned power = (unsigned)below(6), tail = (unsigned)below(4);
		struct opt_ctx ctx = face(coin() ? 2 : 0, NULL);
		char text[64];

		if (power)
			snprintf(text, sizeof(text), "%" PRIu64 "%c%s", n,
				letters[power - 1] ^ (coin() ? 0x20 : 0), tails[tail]);
		else
			snprintf(text, sizeof(text), "%" PRIu64 "%s", n, coin() ? "b" : "");
		bool other = power && tail == 3;
		unsigned base = (ctx.kb_base == 1000) != other ? 1000 : 1024;
		__extension__ unsigned __int128 want = n;
		for (; power; power--)
			want *= base;
		int rc = opt_read_bytes(text, &ctx, &got, NULL);
		LAW(want > UINT64_MAX ? rc == -ERANGE : rc == 0 && got == want,
			"%s with kb_base=%u: rc %d, %" PRIu64, text, ctx.kb_base, rc, got);
	}
}

/* A random tree: its text, and its value where that fits comfortably. */
static bool some_tree(struct str *text, unsigned depth, int64_t *ret)
{
	static const char ops[] = "+-*/%";
	int64_t a, b;
	if (!depth || below(4) == 0) {
		*ret = (int64_t)below(100);
		str_addf(text, "%" PRId64, *ret);
		return true;
	}
	char op = ops[below(5)];
	str_add_char(text, '(');
	bool fits = some_tree(text, depth - 1, &a);
	str_addf(text, "%s%c%s", coin() ? " " : "", op, coin() ? " " : "");
	fits = some_tree(text, depth - 1, &b) && fits;
	str_add_char(text, ')');
	if (!fits || ((op == '/' || op == '%') && b == 0))
		return false;
	*ret = op == '+'   ? a + b
	       : op == '-' ? a - b
	       : op == '*' ? a * b
	       : op == '/' ? a / b
			   : a % b;
	return llabs(*ret) < INT64_C(1) << 31;
}

static void law_arithmetic(void)
{
	unsigned compared = 0;
	for (unsigned i = 0; i < 20000; i++) {
		struct str text = {0};
		int64_t want, got;
		if (some_tree(&text, 5, &want)) {
			int rc = opt_read_arithmetic(str_text(&text), &got);
			LAW(rc == 0 && got == want, "%s: rc %d, %" PRId64 ", not %" PRId64,
				str_text(&text), rc, got, want);
			compared++;
		}
		str_done(&text);
	}
	LAW(compared > 5000, "only %u of 20000 trees were compared", compared);
}

int main(void)
{
	rng_init(&rng, law_seed());
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		law_values(&kinds[i]);
		law_texts(&kinds[i]);
	}
	law_units();
	law_arithmetic();
	return 0;
}
