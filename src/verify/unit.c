/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT. */
#include "verify/unit_parts.h"

#include <endian.h>
#include <string.h>

#include "base/bits.h"
#include "base/rng.h"
#include "verify/cells.h"
#include "verify/crc.h"

_Static_assert(UNIT_FIELDS + 8 == UNIT_HEADER, "a header has 64 bytes");

static inline bool unit_has_header(const struct unit_spec *s)
{
	return s->kind != UNIT_NONE && s->kind != UNIT_PATTERN && s->bytes;
}

uint32_t unit_sum_room(const struct unit_spec *s)
{
	if (s->kind != UNIT_CHECKSUM)
		return 8;
	return MAX_OF((uint32_t)checksum_bytes(s->checksum), 8u);
}

uint32_t unit_header_bytes(const struct unit_spec *s)
{
	return unit_has_header(s) ? (uint32_t)UNIT_FIELDS + unit_sum_room(s) : 0;
}

uint32_t unit_bytes_min(const struct unit_spec *s)
{
	return unit_has_header(s) ? s->header_at + unit_header_bytes(s) : 1;
}

bool unit_is_zero(const void *unit, size_t n)
{
	const uint8_t *p = unit;
	return !n || (!p[0] && !memcmp(p, p + 1, n - 1));
}

/* ---- payload ---- */

void unit_data_init(const struct unit_spec *s, struct data *d, uint32_t worker)
{
	struct data_spec spec = s->data;

	spec.seed = rng_mix(s->run + rng_mix(worker));
	data_init(d, &spec);
}

/* From PHASE bytes behind the pattern's beginning on. */
static void pattern_from(const struct filler *f, size_t phase, uint64_t offset, uint8_t *buf,
	size_t n)
{
	size_t first = MIN_OF(f->count - phase, n);

	memcpy(buf, f->bytes + phase, first);
	for (uint32_t i = 0; i < f->holes_count; i++) {
		for (unsigned k = 0; k < FILLER_OFFSET_BYTES; k++) {
			size_t at = f->holes[i] + k - phase;
			if (at < first)
				buf[at] = (uint8_t)(offset >> (8 * k));
		}
	}
	if (n > first)
		filler_fill(f, buf + first, n - first, offset);
}

void unit_pattern(const struct unit_spec *s, uint64_t base, uint64_t offset, void *buf,
	size_t n)
{
	const uint64_t interval = s->pattern_interval ? s->pattern_interval : s->bytes;
	uint8_t *p = buf;

	while (n) {
		uint64_t start = interval ? round_down(offset, interval) : base;
		uint64_t left = interval ? interval - (offset - start) : n;
		size_t part = MIN_OF(left, (uint64_t)n);
		size_t phase = (offset - start) % s->pattern.count;
		if (likely(phase == 0))
			filler_fill(&s->pattern, p, part, start);
		else
			pattern_from(&s->pattern, phase, start, p, part);
		p += part;
		offset += part;
		n -= part;
	}
}

static inline bool unit_is_pattern(const struct unit_spec *s)
{
	return s->kind == UNIT_PATTERN || s->kind == UNIT_PATTERN_HDR;
}

void unit_remake(const struct unit_spec *s, const struct data *d,
	const struct unit_stamp *stamp, void *unit, size_t n)
{
	if (unit_is_pattern(s))
		unit_pattern(s, stamp->offset, stamp->offset, unit, n);
	else
		data_fill_as(d, rng_mix(stamp->serial) + stamp->offset, unit, n);
}

/* Equal writes have equal payload: it can't depend on where they are. */
static void payload_repeated(const struct unit_spec *s, struct data *d, uint8_t *buf, size_t n)
{
	const size_t unit = s->bytes ? s->bytes : n;
	uint64_t number = rng_mix(dedupe_next(&d->dedupe));

	for (size_t at = 0; at < n; at += unit)
		data_fill_as(d, number + at, buf + at, MIN_OF(unit, n - at));
}

void unit_payload(const struct unit_spec *s, struct data *d, const struct unit_stamp *stamp,
	void *buf, size_t n)
{
	const size_t unit = s->bytes ? s->bytes : n;
	struct unit_stamp each = *stamp;
	uint8_t *p = buf;

	if (unit_is_pattern(s)) {
		unit_pattern(s, stamp->offset, stamp->offset, buf, n);
		return;
	}
	if (unlikely(d->spec.dedupe.percent)) {
		payload_repeated(s, d, buf, n);
		return;
	}
	for (size_t at = 0; at < n; at += unit, each.offset += unit)
		unit_remake(s, d, &each, p + at, MIN_OF(unit, n - at));
}

/* ---- header ---- */

void unit_sum(const struct unit_spec *s, const struct unit_wire *wire, const uint8_t *unit,
	size_t n, uint8_t sum[CHECKSUM_MAX])
{
	const size_t end = s->header_at + unit_header_bytes(s);
	const struct checksum_piece pieces[] = {
		{wire, UNIT_FIELDS},
		{unit + end, n - end},
		{unit, s->header_at},
	};

	memset(sum, 0, 8);
	if (s->kind == UNIT_CHECKSUM) {
		checksum_make_of(s->checksum, pieces, s->header_at ? 3 : 2, sum);
	} else {
		uint64_t crc = htole64(crc64_more(0, wire, UNIT_FIELDS));
		memcpy(sum, &crc, sizeof(crc));
	}
}

static inline uint8_t unit_checksum(const struct unit_spec *s)
{
	return (uint8_t)(s->kind == UNIT_CHECKSUM ? s->checksum : CHECKSUM_NONE);
}

void unit_stamp(const struct unit_spec *s, const struct unit_stamp *stamp, void *unit, size_t n)
{
	if (!unit_has_header(s) || n < unit_bytes_min(s))
		return;
	struct unit_wire wire;
	wire.magic = htole32(UNIT_MAGIC);
	wire.format = UNIT_FORMAT;
	wire.checksum = unit_checksum(s);
	wire.generation = stamp->generation;
	wire.flags = s->data.dedupe.percent ? 0 : UNIT_REMAKE;
	wire.bytes = htole32((uint32_t)n);
	wire.worker = htole32(stamp->worker);
	wire.run = htole64(s->run);
	wire.offset = htole64(stamp->offset);
	wire.serial = htole64(stamp->serial);
	wire.time_ns = htole64(stamp->time_ns);
	wire.target = htole64(stamp->target);
	unit_sum(s, &wire, unit, n, wire.sum);
	memcpy((uint8_t *)unit + s->header_at, &wire, unit_header_bytes(s));
}

/* ---- judgement ---- */

/* Is BYTES [FROM, TO) of a unit other than the pattern? */
static bool pattern_differs(const struct unit_spec *s, uint64_t offset, const uint8_t *unit,
	size_t from, size_t to)
{
	uint8_t right[4096];

	while (from < to) {
		size_t part = MIN_OF(to - from, sizeof(right));
		unit_pattern(s, offset, offset + from, right, part);
		if (memcmp(unit + from, right, part))
			return true;
		from += part;
	}
	return false;
}

static enum unit_verdict check_pattern(const struct unit_spec *s, const struct unit_expect *e,
	const uint8_t *unit, size_t n)
{
	bool differs;

	if (s->kind == UNIT_PATTERN)
		differs = pattern_differs(s, e->offset, unit, 0, n);
	else
		differs = pattern_differs(s, e->offset, unit, 0, s->header_at) ||
			  pattern_differs(s, e->offset, unit, s->header_at + UNIT_HEADER, n);
	if (likely(!differs) || (e->before_too && s->kind == UNIT_PATTERN) ||
		(e->zeroes_too && unit_is_zero(unit, n)))
		return UNIT_RIGHT;
	return UNIT_WRONG_PATTERN;
}

static bool generation_right(const struct unit_expect *e, uint8_t found)
{
	uint8_t right = e->generation;

	for (unsigned i = 0; found != right; i++) {
		if (i == e->span)
			return false;
		right = right <= 1 ? CELL_GENERATIONS : (uint8_t)(right - 1);
	}
	return true;
}

/* A whole unit: is it the one that shall be there? */
static enum unit_verdict check_identity(const struct unit_spec *s, const struct unit_expect *e,
	const struct unit_wire *wire)
{
	const bool own = le64toh(wire->run) == s->run;

	if (unlikely(!own && !e->any_run))
		return UNIT_OTHER_RUN;
	if (unlikely(le64toh(wire->offset) != e->offset || le64toh(wire->target) != e->target))
		return UNIT_MISPLACED;
	if (own && !e->any_generation && unlikely(!generation_right(e, wire->generation)))
		return UNIT_STALE;
	if (own && unlikely(le64toh(wire->time_ns) < e->since_ns))
		return UNIT_STALE;
	return UNIT_RIGHT;
}

static enum unit_verdict unit_without_header(const struct unit_expect *e, const void *unit,
	size_t n)
{
	return e->before_too || (e->zeroes_too && unit_is_zero(unit, n)) ? UNIT_RIGHT
									 : UNIT_NO_MAGIC;
}

static enum unit_verdict check_header(const struct unit_spec *s, const struct unit_expect *e,
	const uint8_t *unit, size_t n)
{
	struct unit_wire wire;
	uint8_t sum[CHECKSUM_MAX];

	memcpy(&wire, unit + s->header_at, unit_header_bytes(s));
	if (unlikely(wire.magic != htole32(UNIT_MAGIC)))
		return unit_without_header(e, unit, n);
	if (unlikely(e->before_too && le64toh(wire.run) != s->run))
		return UNIT_RIGHT;
	if (unlikely(wire.format != UNIT_FORMAT || wire.checksum != unit_checksum(s) ||
		     le32toh(wire.bytes) != n))
		return UNIT_BAD_HEADER;
	unit_sum(s, &wire, unit, n, sum);
	if (unlikely(memcmp(sum, wire.sum, unit_sum_room(s))))
		return s->kind == UNIT_CHECKSUM ? UNIT_WRONG_DATA : UNIT_BAD_HEADER;
	return check_identity(s, e, &wire);
}

enum unit_verdict unit_check(const struct unit_spec *s, const struct unit_expect *e,
	const void *unit, size_t n)
{
	if (s->kind == UNIT_NONE || s->kind == UNIT_NULL || unlikely(n < unit_bytes_min(s)))
		return UNIT_RIGHT;
	if (unlikely(e->zeroes))
		return unit_is_zero(unit, n) ? UNIT_RIGHT : UNIT_NOT_ZERO;
	if (s->kind == UNIT_PATTERN)
		return check_pattern(s, e, unit, n);
	enum unit_verdict verdict = check_header(s, e, unit, n);
	if (s->kind == UNIT_PATTERN_HDR && verdict == UNIT_RIGHT)
		return check_pattern(s, e, unit, n);
	return verdict;
}

bool unit_author(const struct unit_spec *s, const void *unit, size_t n, uint32_t *ret_worker,
	uint64_t *ret_serial)
{
	struct unit_wire wire;

	if (!unit_has_header(s) || n < unit_bytes_min(s))
		return false;
	memcpy(&wire, (const uint8_t *)unit + s->header_at, UNIT_HEADER);
	*ret_worker = le32toh(wire.worker);
	*ret_serial = le64toh(wire.serial);
	return wire.magic == htole32(UNIT_MAGIC) && le64toh(wire.run) == s->run;
}
