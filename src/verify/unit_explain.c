/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What is wrong with a unit: first the right bytes are looked for, then a guess is made
 * from what differs.
 *
 * The right bytes are known when something proves them, and that is always the checksum in the
 * header: the payload is made again from what the header says, and if the checksum of that is
 * the header's, then this is what was written.  Else the header itself is suspected: with any
 * one bit turned, or with what it should say, does the checksum fit?  At last, any bit of
 * a short unit.  A checksum of less than 4 bytes proves nothing after so many attempts. */
#include "verify/unit_parts.h"

#include <endian.h>
#include <string.h>

#include "base/bits.h"

#define SECTOR     512
#define FEW_BITS   8    /* different: they were flipped                     */
#define FLIP_MAX   8192 /* bytes of a unit in which each bit is tried       */
#define PROOF_MIN  4    /* bytes of a checksum that proves something        */
#define EDGE_BYTES 8    /* at a sector's start, of which one differs if all were replaced */

struct explain {
	const struct unit_spec *s;
	const struct unit_expect *e;
	const uint8_t *unit;
	size_t n;
	uint8_t *right; /* the right bytes, N of them */
	struct unit_wire wire;
	struct unit_fault *fault;
};

/* ---- what can be read ---- */

static void read_header(struct explain *x)
{
	struct unit_fault *f = x->fault;
	const struct unit_wire *w = &x->wire;

	if (x->s->kind == UNIT_PATTERN || x->n < unit_bytes_min(x->s))
		return;
	memcpy(&x->wire, x->unit + x->s->header_at, unit_header_bytes(x->s));
	if (w->magic != htole32(UNIT_MAGIC))
		return;
	f->has_header = true;
	f->found_run = le64toh(w->run);
	f->found_offset = le64toh(w->offset);
	f->found_target = le64toh(w->target);
	f->found_serial = le64toh(w->serial);
	f->found_time_ns = le64toh(w->time_ns);
	f->found_worker = le32toh(w->worker);
	f->found_bytes = le32toh(w->bytes);
	f->found_generation = w->generation;
	f->sum_bytes = (uint8_t)(x->s->kind == UNIT_CHECKSUM ? checksum_bytes(x->s->checksum)
							     : 8);
	memcpy(f->expected_sum, w->sum, f->sum_bytes);
	unit_sum(x->s, w, x->unit, x->n, f->found_sum);
}

/* ---- the right bytes ---- */

static bool sum_fits(const struct explain *x, const struct unit_wire *wire, const uint8_t *unit)
{
	uint8_t sum[CHECKSUM_MAX];

	unit_sum(x->s, wire, unit, x->n, sum);
	return !memcmp(sum, wire->sum, unit_sum_room(x->s));
}

static void put_header(struct explain *x, const struct unit_wire *wire)
{
	memcpy(x->right + x->s->header_at, wire, unit_header_bytes(x->s));
}

static bool proves(const struct explain *x)
{
	return x->s->kind != UNIT_CHECKSUM || checksum_bytes(x->s->checksum) >= PROOF_MIN;
}

static bool same_but_sum(const struct explain *x)
{
	const size_t sum = x->s->header_at + UNIT_FIELDS, end = sum + unit_sum_room(x->s);

	return !memcmp(x->right, x->unit, sum) &&
	       !memcmp(x->right + end, x->unit + end, x->n - end);
}

/* The payload once more, with the header that came. */
static bool remake(struct explain *x)
{
	struct unit_spec as_found = *x->s;
	const struct unit_stamp stamp = {
		.offset = le64toh(x->wire.offset), .serial = le64toh(x->wire.serial)};
	struct data d;

	if (x->s->kind != UNIT_PATTERN_HDR && !(x->wire.flags & UNIT_REMAKE))
		return false;
	as_found.run = le64toh(x->wire.run);
	as_found.data.dedupe.percent = 0;
	unit_data_init(&as_found, &d, le32toh(x->wire.worker));
	unit_remake(&as_found, &d, &stamp, x->right, x->n);
	put_header(x, &x->wire);
	return true;
}

static bool remade(struct explain *x)
{
	return x->s->kind == UNIT_CHECKSUM && remake(x) && sum_fits(x, &x->wire, x->right);
}

/* All that differs is the checksum. */
static bool remade_but_sum(struct explain *x)
{
	struct unit_wire wire = x->wire;

	if (!remake(x))
		return false;
	unit_sum(x->s, &wire, x->right, x->n, wire.sum);
	put_header(x, &wire);
	return same_but_sum(x);
}

static bool header_flipped(struct explain *x)
{
	struct unit_wire wire = x->wire;
	uint8_t *bytes = (uint8_t *)&wire;

	for (unsigned bit = 0; bit < UNIT_FIELDS * 8 && proves(x); bit++) {
		bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		if (sum_fits(x, &wire, x->unit)) {
			memcpy(x->right, x->unit, x->n);
			put_header(x, &wire);
			return true;
		}
		bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	return false;
}

/* With all that is known of what must be there; who wrote when isn't. */
static bool header_overwritten(struct explain *x)
{
	struct unit_wire wire = x->wire;

	wire.magic = htole32(UNIT_MAGIC);
	wire.format = UNIT_FORMAT;
	wire.checksum = (uint8_t)(x->s->kind == UNIT_CHECKSUM ? x->s->checksum : CHECKSUM_NONE);
	wire.bytes = htole32((uint32_t)x->n);
	wire.offset = htole64(x->e->offset);
	wire.target = htole64(x->e->target);
	if (!x->e->any_run)
		wire.run = htole64(x->s->run);
	if (!x->e->any_generation)
		wire.generation = x->e->generation;
	if (!proves(x) || !sum_fits(x, &wire, x->unit))
		return false;
	memcpy(x->right, x->unit, x->n);
	put_header(x, &wire);
	return true;
}

static bool any_flipped(struct explain *x)
{
	const size_t end = x->s->header_at + unit_header_bytes(x->s);

	if (x->s->kind != UNIT_CHECKSUM || !proves(x) || x->n > FLIP_MAX)
		return false;
	memcpy(x->right, x->unit, x->n);
	for (size_t at = 0; at < x->n; at = at + 1 == x->s->header_at ? end : at + 1) {
		for (unsigned bit = 0; bit < 8; bit++) {
			x->right[at] ^= (uint8_t)(1u << bit);
			if (sum_fits(x, &x->wire, x->right))
				return true;
			x->right[at] ^= (uint8_t)(1u << bit);
		}
	}
	return false;
}

static bool find_right(struct explain *x)
{
	switch (x->fault->verdict) {
	case UNIT_WRONG_PATTERN:
		unit_pattern(x->s, x->e->offset, x->e->offset, x->right, x->n);
		if (x->s->kind == UNIT_PATTERN_HDR)
			put_header(x, &x->wire);
		return true;
	case UNIT_NOT_ZERO:
		memset(x->right, 0, x->n);
		return true;
	case UNIT_NO_MAGIC:
		return header_flipped(x) || header_overwritten(x);
	case UNIT_BAD_HEADER:
	case UNIT_WRONG_DATA:
		return remade(x) || header_flipped(x) || header_overwritten(x) ||
		       remade_but_sum(x) || any_flipped(x);
	default:
		return false;
	}
}

/* ---- what differs ---- */

static void measure_difference(struct explain *x)
{
	struct unit_fault *f = x->fault;
	bool first = true;

	for (size_t i = 0; i < x->n; i++) {
		unsigned bits = x->unit[i] ^ x->right[i];
		if (!bits)
			continue;
		if (first)
			f->first_difference = (uint32_t)i;
		first = false;
		f->different_bytes++;
		f->different_bits += (uint32_t)__builtin_popcount(bits);
	}
	f->has_difference = !first;
}

static void show_around(struct explain *x)
{
	struct unit_fault *f = x->fault;
	size_t at = f->has_difference ? f->first_difference / 16 * 16
		    : f->has_header   ? x->s->header_at
				      : 0;
	size_t part = MIN_OF(sizeof(f->around_found), x->n - at);

	f->around_at = (uint32_t)at;
	memcpy(f->around_found, x->unit + at, part);
	if (f->has_difference)
		memcpy(f->around_expected, x->right + at, part);
}

/* ---- guesses ---- */

/* The first different byte of [FROM, TO), else TO. */
static size_t differs_at(const struct explain *x, size_t from, size_t to)
{
	while (from < to && x->unit[from] == x->right[from])
		from++;
	return from;
}

/* Are the differences whole sectors of the target?  Of each row of such, one of the first
 * bytes differs, unless they happen to be equal. */
static bool differs_by_sectors(const struct explain *x)
{
	const size_t shift = x->e->offset % SECTOR;
	bool before = false;

	if (x->n <= SECTOR)
		return false;
	for (size_t at = 0, end; at < x->n; at = end) {
		end = MIN_OF(round_down(at + shift, SECTOR) + SECTOR - shift, x->n);
		size_t first = differs_at(x, at, end);
		if (first < end && !before && first - at >= EDGE_BYTES)
			return false;
		before = first < end;
	}
	return true;
}

/* All that differs came as one byte again and again; *ret_zero: as zeroes. */
static bool differs_uniformly(const struct explain *x, bool *ret_zero)
{
	const uint8_t byte = x->unit[x->fault->first_difference];

	for (size_t i = 0; i < x->n; i++)
		if (x->unit[i] != x->right[i] && x->unit[i] != byte)
			return false;
	*ret_zero = byte == 0;
	return true;
}

static enum unit_guess guess_by_difference(const struct explain *x)
{
	bool zero = false;

	if (x->fault->different_bits <= FEW_BITS)
		return GUESS_BIT_FLIP;
	if (differs_uniformly(x, &zero) && !zero)
		return GUESS_FOREIGN;
	if (differs_by_sectors(x))
		return GUESS_TORN;
	return zero ? GUESS_ZEROES : GUESS_FOREIGN;
}

/* Nothing is known but what came.  A sector of zeroes may have been lost by itself. */
static enum unit_guess guess_by_content(const struct explain *x)
{
	const size_t shift = x->e->offset % SECTOR;

	if (x->s->data.kind == DATA_ZERO || x->s->data.compress_percent)
		return x->fault->has_header ? GUESS_UNKNOWN : GUESS_FOREIGN;
	for (size_t at = (SECTOR - shift) % SECTOR; at + SECTOR <= x->n; at += SECTOR)
		if (unit_is_zero(x->unit + at, SECTOR))
			return GUESS_TORN;
	return x->fault->has_header ? GUESS_UNKNOWN : GUESS_FOREIGN;
}

/* A pattern with the offset in it says where it belongs. */
static bool pattern_of_elsewhere(struct explain *x)
{
	const struct filler *p = &x->s->pattern;
	uint64_t base = x->s->pattern_interval ? x->s->pattern_interval : x->s->bytes, there;

	if (x->s->kind != UNIT_PATTERN || !p->holes_count || x->e->offset % base ||
		p->holes[0] + sizeof(there) > x->n)
		return false;
	memcpy(&there, x->unit + p->holes[0], sizeof(there));
	there = le64toh(there);
	if (there % base || there == x->e->offset)
		return false;
	unit_pattern(x->s, there, there, x->right, x->n);
	bool same = !memcmp(x->right, x->unit, x->n);
	if (same)
		x->fault->found_offset = there;
	unit_pattern(x->s, x->e->offset, x->e->offset, x->right, x->n);
	return same;
}

/* What isn't zero though it was trimmed: whole units of weir are what was there before. */
static enum unit_guess guess_not_zero(const struct explain *x)
{
	const struct unit_fault *f = x->fault;

	if (f->different_bits <= FEW_BITS)
		return GUESS_BIT_FLIP;
	if (!f->has_header || memcmp(f->found_sum, f->expected_sum, f->sum_bytes))
		return differs_by_sectors(x) && f->different_bytes <= x->n - SECTOR / 2
			       ? GUESS_TORN
			       : GUESS_FOREIGN;
	if (f->found_run != x->s->run)
		return GUESS_EARLIER_RUN;
	if (f->found_offset != x->e->offset || f->found_target != x->e->target)
		return GUESS_MISPLACED;
	return GUESS_STALE;
}

static enum unit_guess guess(struct explain *x)
{
	switch (x->fault->verdict) {
	case UNIT_RIGHT:
		return GUESS_UNKNOWN;
	case UNIT_MISPLACED:
		return GUESS_MISPLACED;
	case UNIT_STALE:
		return GUESS_STALE;
	case UNIT_OTHER_RUN:
		return GUESS_EARLIER_RUN;
	case UNIT_NOT_ZERO:
		return guess_not_zero(x);
	default:
		break;
	}
	if (unit_is_zero(x->unit, x->n))
		return GUESS_ZEROES;
	if (pattern_of_elsewhere(x))
		return GUESS_MISPLACED;
	return x->fault->has_difference ? guess_by_difference(x) : guess_by_content(x);
}

void unit_explain(const struct unit_spec *s, const struct unit_expect *e, const void *unit,
	size_t n, void *scratch, struct unit_fault *ret)
{
	struct explain x = {
		.s = s, .e = e, .unit = unit, .n = n, .right = scratch, .fault = ret};

	*ret = (struct unit_fault){
		.verdict = unit_check(s, e, unit, n),
		.offset = e->offset,
		.bytes = (uint32_t)n,
	};
	read_header(&x);
	if (find_right(&x))
		measure_difference(&x);
	ret->guess = guess(&x);
	show_around(&x);
}

static const struct {
	const char *name, *words;
} guesses[GUESS_GUESSES] = {
	[GUESS_UNKNOWN] = {"unknown", "the data is wrong, no more can be said"},
	[GUESS_ZEROES] = {"zeroes", "zeroes instead of data: the write was lost, or trimmed"},
	[GUESS_STALE] = {"stale", "an earlier write of the same place: the last one was lost"},
	[GUESS_EARLIER_RUN] = {"earlier-run", "data of an earlier run: the write was lost"},
	[GUESS_TORN] = {"torn", "some sectors are of another write"},
	[GUESS_MISPLACED] = {"misplaced", "data that belongs elsewhere"},
	[GUESS_BIT_FLIP] = {"bit-flip", "a few bits were flipped"},
	[GUESS_FOREIGN] = {"foreign", "data that weir did not write"},
};

const char *unit_guess_name(enum unit_guess g)
{
	return guesses[g].name;
}

const char *unit_guess_words(enum unit_guess g)
{
	return guesses[g].words;
}
