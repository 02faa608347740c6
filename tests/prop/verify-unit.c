/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Units: what was stamped is right, and damage of each kind at a random place is found,
 * at the right byte, and called by its name. */
#include <stdbool.h>
#include <string.h>

#include "base/bits.h"
#include "base/rng.h"
#include "law.h"
#include "verify/cells.h"
#include "verify/unit.h"

#define UNIT_MAX 16384
#define UNITS    4 /* of a write */
#define SECTOR   512

static const uint8_t letters[] = "abcdefghijklmnopqrstuvwxyz";
static const uint32_t holes[] = {3};
static uint8_t write_new[UNITS * UNIT_MAX], write_old[UNITS * UNIT_MAX], scratch[UNIT_MAX],
	found[UNIT_MAX];

/* A job, two of its writes of one place, and what must be there. */
struct scene {
	struct unit_spec spec;
	struct unit_stamp stamp, old;
	struct unit_expect expect;
	struct data data;
	uint32_t at; /* the unit that is damaged, of UNITS */
};

static void scene_write(struct scene *s, const struct unit_stamp *stamp, uint8_t *buf)
{
	const uint32_t bytes = s->spec.bytes;
	unit_payload(&s->spec, &s->data, stamp, buf, UNITS * bytes);
	for (unsigned i = 0; i < UNITS; i++) {
		struct unit_stamp each = *stamp;
		each.offset += i * bytes;
		unit_stamp(&s->spec, &each, buf + i * bytes, bytes);
	}
}

static void pick_payload(struct data_spec *d, struct rng *rng)
{
	*d = (struct data_spec){.kind = rng_below(rng, 2) ? DATA_FRESH : DATA_CONSTANT};
	if (rng_below(rng, 3) == 0) {
		d->compress_percent = (uint32_t)rng_below(rng, 60);
		d->compress_chunk = 512;
	}
}

static void pick_spec(struct unit_spec *s, struct rng *rng)
{
	*s = (struct unit_spec){
		.kind = UNIT_CHECKSUM,
		.checksum = 1 + (enum checksum_kind)rng_below(rng, CHECKSUM_KINDS - 1),
		.bytes = SECTOR << rng_below(rng, 6),
		.run = rng_next(rng),
	};
	if (checksum_missing(s->checksum))
		s->checksum = CHECKSUM_CRC32C;
	pick_payload(&s->data, rng);
	if (rng_below(rng, 4) == 0)
		s->header_at = (uint32_t)rng_below(rng, s->bytes - unit_header_bytes(s) + 1);
}

static void make_scene(struct scene *s, struct rng *rng)
{
	s->at = (uint32_t)rng_below(rng, UNITS);
	unit_data_init(&s->spec, &s->data, 7);
	s->old = (struct unit_stamp){
		.offset = rng_below(rng, 1 << 20) * s->spec.bytes,
		.target = rng_next(rng),
		.serial = rng_below(rng, 1000),
		.time_ns = rng_next(rng),
		.worker = 7,
		.generation = (uint8_t)(1 + rng_below(rng, CELL_GENERATIONS)),
	};
	scene_write(s, &s->old, write_old);
	s->stamp = s->old;
	s->stamp.serial += 1 + rng_below(rng, 1000);
	s->stamp.time_ns++;
	s->stamp.generation = cells_next(s->old.generation);
	scene_write(s, &s->stamp, write_new);
	s->expect = (struct unit_expect){
		.offset = s->stamp.offset + s->at * s->spec.bytes,
		.target = s->stamp.target,
		.generation = s->stamp.generation,
	};
	memcpy(found, write_new + s->at * s->spec.bytes, s->spec.bytes);
}

static enum unit_verdict verdict_of(const struct scene *s)
{
	return unit_check(&s->spec, &s->expect, found, s->spec.bytes);
}

static const uint8_t *right_of(const struct scene *s)
{
	return write_new + s->at * s->spec.bytes;
}

static const uint8_t *old_of(const struct scene *s)
{
	return write_old + s->at * s->spec.bytes;
}

/* ---- damage ---- */

struct damage {
	const char *name;
	/* False: not possible in this scene.  *guess is what it shall be called. */
	bool (*do_it)(struct scene *s, struct rng *rng, enum unit_guess *guess);
	bool difference; /* the right bytes must be found again */
};

static bool damage_flip(struct scene *s, struct rng *rng, enum unit_guess *guess)
{
	found[rng_below(rng, s->spec.bytes)] ^= (uint8_t)(1u << rng_below(rng, 8));
	*guess = GUESS_BIT_FLIP;
	return true;
}

static bool damage_zero(struct scene *s, struct rng *rng, enum unit_guess *guess)
{
	(void)rng;
	memset(found, 0, s->spec.bytes);
	*guess = GUESS_ZEROES;
	return true;
}

static bool damage_stale(struct scene *s, struct rng *rng, enum unit_guess *guess)
{
	(void)rng;
	memcpy(found, old_of(s), s->spec.bytes);
	*guess = GUESS_STALE;
	return true;
}

static bool damage_misplaced(struct scene *s, struct rng *rng, enum unit_guess *guess)
{
	uint32_t other = (s->at + 1 + (uint32_t)rng_below(rng, UNITS - 1)) % UNITS;
	memcpy(found, write_new + other * s->spec.bytes, s->spec.bytes);
	*guess = GUESS_MISPLACED;
	return true;
}

static bool damage_other_target(struct scene *s, struct rng *rng, enum unit_guess *guess)
{
	struct unit_stamp stamp = s->stamp;
	stamp.target = rng_next(rng);
	stamp.offset = s->expect.offset;
	unit_stamp(&s->spec, &stamp, found, s->spec.bytes);
	*guess = GUESS_MISPLACED;
	return true;
}

/* Sectors [0, N) of the new write, the rest of the old one, or the other way round. */
static bool damage_torn(struct scene *s, struct rng *rng, enum unit_guess *guess)
{
	const uint32_t sectors = s->spec.bytes / SECTOR;
	if (sectors < 2 || s->spec.data.kind == DATA_CONSTANT)
		return false;
	size_t cut = SECTOR * (1 + rng_below(rng, sectors - 1));
	bool head = rng_below(rng, 2);
	memcpy(found + (head ? 0 : cut), old_of(s) + (head ? 0 : cut),
		head ? cut : s->spec.bytes - cut);
	/* a header of which the cut goes through is of neither */
	size_t end = s->spec.header_at + unit_header_bytes(&s->spec);
	if (cut > s->spec.header_at && cut < end)
		return false;
	*guess = GUESS_TORN;
	return true;
}

/* Sectors that were never written. */
static bool damage_torn_zero(struct scene *s, struct rng *rng, enum unit_guess *guess)
{
	const uint32_t sectors = s->spec.bytes / SECTOR;
	size_t at = SECTOR * rng_below(rng, sectors), end = s->spec.header_at;
	if (sectors < 2 || (end + unit_header_bytes(&s->spec) > at && end < at + SECTOR))
		return false;
	memset(found + at, 0, SECTOR);
	*guess = GUESS_TORN;
	return true;
}

static bool damage_earlier_run(struct scene *s, struct rng *rng, enum unit_guess *guess)
{
	struct unit_spec other = s->spec;
	struct unit_stamp stamp = s->stamp;
	other.run = rng_next(rng);
	stamp.offset = s->expect.offset;
	unit_stamp(&other, &stamp, found, s->spec.bytes);
	*guess = GUESS_EARLIER_RUN;
	return true;
}

static bool damage_foreign(struct scene *s, struct rng *rng, enum unit_guess *guess)
{
	for (uint32_t i = 0; i < s->spec.bytes; i++)
		found[i] = (uint8_t)rng_next(rng);
	*guess = GUESS_FOREIGN;
	return true;
}

/* The same byte over some others, not in the header. */
static bool damage_foreign_part(struct scene *s, struct rng *rng, enum unit_guess *guess)
{
	size_t n = 16 + rng_below(rng, s->spec.bytes / 2);
	size_t at = rng_below(rng, s->spec.bytes - n + 1), end = s->spec.header_at;
	if (at < end + unit_header_bytes(&s->spec) && end < at + n)
		return false;
	memset(found + at, 0xe5, n);
	*guess = GUESS_FOREIGN;
	return true;
}

static const struct damage damages[] = {
	{"flip", damage_flip, true},
	{"zero", damage_zero, false},
	{"stale", damage_stale, false},
	{"misplaced", damage_misplaced, false},
	{"other target", damage_other_target, false},
	{"torn", damage_torn, true},
	{"torn, never written", damage_torn_zero, true},
	{"earlier run", damage_earlier_run, false},
	{"foreign", damage_foreign, false},
	{"foreign part", damage_foreign_part, true},
};

/* Against what the header that came belongs to: a torn unit with the old header is an old
 * one with sectors of the new. */
static void law_difference(const struct scene *s, const struct unit_fault *f, const char *name)
{
	const uint8_t *right = f->has_header && f->found_serial == s->old.serial ? old_of(s)
										 : right_of(s);
	uint32_t first = UINT32_MAX, bytes = 0, bits = 0;
	for (uint32_t i = 0; i < s->spec.bytes; i++) {
		if (found[i] == right[i])
			continue;
		first = MIN_OF(first, i);
		bytes++;
		bits += (uint32_t)__builtin_popcount(found[i] ^ right[i]);
	}
	LAW(f->has_difference, "%s: the right bytes weren't found", name);
	LAW(f->first_difference == first, "%s: first byte %u, not %u", name,
		f->first_difference, first);
	LAW(f->different_bytes == bytes && f->different_bits == bits,
		"%s: %u bytes and %u bits, not %u and %u", name, f->different_bytes,
		f->different_bits, bytes, bits);
	for (unsigned i = 0; i < 16 && f->around_at + i < s->spec.bytes; i++) {
		LAW(f->around_found[i] == found[f->around_at + i], "%s: around", name);
		LAW(f->around_expected[i] == right[f->around_at + i], "%s: around", name);
	}
	LAW(first - f->around_at < 16, "%s: around another place", name);
}

static void law_damage(const struct damage *d, struct rng *rng, unsigned done[])
{
	static struct scene s;
	struct unit_fault f;
	enum unit_guess guess = GUESS_UNKNOWN;
	pick_spec(&s.spec, rng);
	make_scene(&s, rng);
	LAW(verdict_of(&s) == UNIT_RIGHT, "verdict %d of what was stamped", verdict_of(&s));
	if (!d->do_it(&s, rng, &guess) || !memcmp(found, right_of(&s), s.spec.bytes))
		return;
	/* one in 128 and one in 65536 go unseen by so short sums */
	const size_t sum = checksum_bytes(s.spec.checksum);
	if (verdict_of(&s) == UNIT_RIGHT && sum < 4)
		return;
	LAW(verdict_of(&s) != UNIT_RIGHT, "%s: not found, %s", d->name,
		checksum_name(s.spec.checksum));
	memset(scratch, 0xaa, sizeof(scratch));
	unit_explain(&s.spec, &s.expect, found, s.spec.bytes, scratch, &f);
	LAW(f.offset == s.expect.offset && f.bytes == s.spec.bytes, "%s: offset", d->name);
	/* a short sum proves nothing where the header is damaged */
	const uint32_t end = s.spec.header_at + unit_header_bytes(&s.spec);
	bool header = memcmp(found + s.spec.header_at, right_of(&s) + s.spec.header_at,
			      end - s.spec.header_at) != 0;
	if (sum < 4 && header && d->difference)
		return;
	LAW(f.guess == guess, "%s: guessed %s; %s, unit %u, header at %u, %s, first %u of %u",
		d->name, unit_guess_name(f.guess), checksum_name(s.spec.checksum), s.spec.bytes,
		s.spec.header_at, f.has_difference ? "found" : "not found", f.first_difference,
		f.different_bytes);
	if (d->difference)
		law_difference(&s, &f, d->name);
	done[d - damages]++;
}

/* ---- what is right ---- */

/* A generation is right if it's one of the span, and only then. */
static void law_generations(struct rng *rng)
{
	static struct scene s;
	uint8_t g = 1;
	pick_spec(&s.spec, rng);
	make_scene(&s, rng);
	for (unsigned i = 0; i < 60; i++, g = cells_next(g)) {
		uint8_t back = s.stamp.generation;
		bool right = g == back;
		s.expect.span = (uint8_t)rng_below(rng, 4);
		for (unsigned k = 0; k < s.expect.span; k++) {
			back = back == 1 ? CELL_GENERATIONS : (uint8_t)(back - 1);
			right |= g == back;
		}
		struct unit_stamp stamp = s.stamp;
		stamp.generation = g;
		stamp.offset = s.expect.offset;
		unit_stamp(&s.spec, &stamp, found, s.spec.bytes);
		LAW(verdict_of(&s) == (right ? UNIT_RIGHT : UNIT_STALE),
			"generation %u, expected %u and %u before", g, s.stamp.generation,
			s.expect.span);
		s.expect.any_generation = true;
		LAW(verdict_of(&s) == UNIT_RIGHT, "any generation");
		s.expect.any_generation = false;
	}
}

static void law_zeroes(struct rng *rng)
{
	static struct scene s;
	struct unit_fault f;
	pick_spec(&s.spec, rng);
	make_scene(&s, rng);
	s.expect.zeroes = true;
	LAW(verdict_of(&s) == UNIT_NOT_ZERO, "data that was trimmed");
	unit_explain(&s.spec, &s.expect, found, s.spec.bytes, scratch, &f);
	LAW(f.guess == GUESS_STALE, "guessed %s", unit_guess_name(f.guess));
	memset(found, 0, s.spec.bytes);
	LAW(verdict_of(&s) == UNIT_RIGHT, "zeroes that were trimmed");
	size_t at = rng_below(rng, s.spec.bytes);
	found[at] = 1;
	LAW(verdict_of(&s) == UNIT_NOT_ZERO, "a bit in zeroes");
	unit_explain(&s.spec, &s.expect, found, s.spec.bytes, scratch, &f);
	LAW(f.guess == GUESS_BIT_FLIP && f.has_difference && f.first_difference == at,
		"guessed %s at %u", unit_guess_name(f.guess), f.first_difference);
	s.expect.zeroes = false;
	found[at] = 0;
	LAW(verdict_of(&s) == UNIT_NO_MAGIC, "zeroes that weren't");
	s.expect.zeroes_too = true;
	LAW(verdict_of(&s) == UNIT_RIGHT, "zeroes that may be");
}

/* Meta: damage of the header is found, of the payload isn't looked for.  Null: nothing is. */
static void law_meta(struct rng *rng)
{
	static struct scene s;
	pick_spec(&s.spec, rng);
	s.spec.kind = rng_below(rng, 2) ? UNIT_META : UNIT_NULL;
	s.spec.header_at = (uint32_t)rng_below(rng, s.spec.bytes - UNIT_HEADER + 1);
	make_scene(&s, rng);
	LAW(verdict_of(&s) == UNIT_RIGHT, "not right");
	size_t at = rng_below(rng, s.spec.bytes);
	bool header = at >= s.spec.header_at && at < s.spec.header_at + UNIT_HEADER;
	found[at] ^= (uint8_t)(1u << rng_below(rng, 8));
	bool wrong = verdict_of(&s) != UNIT_RIGHT;
	LAW(wrong == (header && s.spec.kind == UNIT_META), "byte %zu, header at %u", at,
		s.spec.header_at);
	if (!wrong)
		return;
	struct unit_fault f;
	unit_explain(&s.spec, &s.expect, found, s.spec.bytes, scratch, &f);
	LAW(f.guess == GUESS_BIT_FLIP && f.first_difference == at, "guessed %s at %u, not %zu",
		unit_guess_name(f.guess), f.first_difference, at);
}

/* Byte I of the target, spelled out. */
static uint8_t pattern_byte(const struct unit_spec *s, uint64_t i)
{
	uint64_t interval = s->pattern_interval ? s->pattern_interval : s->bytes;
	uint64_t start = i - i % interval, in = i % interval % s->pattern.count;
	for (uint32_t h = 0; h < s->pattern.holes_count; h++)
		if (in >= s->pattern.holes[h] && in < s->pattern.holes[h] + 8)
			return (uint8_t)(start >> (8 * (in - s->pattern.holes[h])));
	return s->pattern.bytes[in];
}

static void law_pattern(struct rng *rng)
{
	static struct scene s;
	struct unit_fault f;
	bool holed = rng_below(rng, 2);
	s.spec = (struct unit_spec){
		.kind = rng_below(rng, 2) ? UNIT_PATTERN : UNIT_PATTERN_HDR,
		.bytes = SECTOR << rng_below(rng, 6),
		.run = rng_next(rng),
		.pattern = {.bytes = letters,
			.count = (uint32_t)(12 + rng_below(rng, 14)),
			.holes = holes,
			.holes_count = holed},
		.pattern_interval = rng_below(rng, 2) ? (uint32_t)(100 + rng_below(rng, 9000))
						      : 0,
	};
	if (s.spec.kind == UNIT_PATTERN_HDR)
		s.spec.header_at = (uint32_t)rng_below(rng, s.spec.bytes - UNIT_HEADER + 1);
	make_scene(&s, rng);
	for (uint32_t i = 0; i < s.spec.bytes; i++)
		LAW(found[i] == pattern_byte(&s.spec, s.expect.offset + i) ||
				(s.spec.kind == UNIT_PATTERN_HDR && i >= s.spec.header_at &&
					i < s.spec.header_at + UNIT_HEADER),
			"byte %u of %u", i, s.spec.bytes);
	LAW(verdict_of(&s) == UNIT_RIGHT, "the pattern isn't right");
	size_t at = rng_below(rng, s.spec.bytes);
	found[at] ^= 4;
	LAW(verdict_of(&s) != UNIT_RIGHT, "byte %zu isn't looked at", at);
	unit_explain(&s.spec, &s.expect, found, s.spec.bytes, scratch, &f);
	LAW(f.guess == GUESS_BIT_FLIP && f.first_difference == at, "guessed %s at %u, not %zu",
		unit_guess_name(f.guess), f.first_difference, at);
	if (s.spec.kind != UNIT_PATTERN || !holed || s.spec.pattern_interval)
		return;
	enum unit_guess guess;
	damage_misplaced(&s, rng, &guess);
	unit_explain(&s.spec, &s.expect, found, s.spec.bytes, scratch, &f);
	LAW(f.verdict == UNIT_WRONG_PATTERN && f.guess == guess, "guessed %s",
		unit_guess_name(f.guess));
}

/* Whatever comes: no crash, and nothing is read beyond it (the sanitizers see that); a
 * dedupe payload is right, and its difference is known only where the sum finds it. */
static void law_dedupe(struct rng *rng)
{
	static struct scene s;
	struct unit_fault f;
	pick_spec(&s.spec, rng);
	s.spec.bytes = MIN_OF(s.spec.bytes, 4096u);
	s.spec.checksum = CHECKSUM_CRC32C;
	s.spec.header_at = 0;
	s.spec.data = (struct data_spec){.dedupe = {.percent = 50, .seed = 3}};
	make_scene(&s, rng);
	LAW(verdict_of(&s) == UNIT_RIGHT, "dedupe");
	size_t at = rng_below(rng, s.spec.bytes);
	found[at] ^= 0x10;
	unit_explain(&s.spec, &s.expect, found, s.spec.bytes, scratch, &f);
	if (at < 56 || at >= UNIT_HEADER)
		LAW(f.guess == GUESS_BIT_FLIP && f.first_difference == at, "%s at %u, not %zu",
			unit_guess_name(f.guess), f.first_difference, at);
	for (unsigned i = 0; i < 100; i++)
		found[rng_below(rng, s.spec.bytes)] ^= (uint8_t)(1 + rng_below(rng, 255));
	unit_explain(&s.spec, &s.expect, found, s.spec.bytes, scratch, &f);
	LAW(!f.has_difference, "nobody can know the right bytes");
}

/* Pieces of three writes are a mixture of them; not one of a fourth, nor flipped, nor of the
 * right write with another header. */
static void law_mixture(struct rng *rng)
{
	static uint8_t made[4][UNIT_MAX], both[2 * UNIT_MAX];
	struct unit_stamp stamps[4];
	struct scene s;
	pick_spec(&s.spec, rng);
	s.spec.bytes = MAX_OF(s.spec.bytes, 2048u);
	s.spec.data = (struct data_spec){.kind = DATA_FRESH};
	make_scene(&s, rng);
	const uint32_t n = s.spec.bytes, atomic = SECTOR << rng_below(rng, 2);
	const uint32_t end = s.spec.header_at + unit_header_bytes(&s.spec);
	bool cut = s.spec.header_at / atomic != (end - 1) / atomic;
	for (unsigned i = 0; i < 4; i++) {
		stamps[i] = s.stamp;
		stamps[i].offset = s.expect.offset;
		stamps[i].serial += i;
		unit_payload(&s.spec, &s.data, &stamps[i], made[i], n);
		unit_stamp(&s.spec, &stamps[i], made[i], n);
	}
	for (uint32_t at = 0; at < n; at += atomic)
		memcpy(found + at, made[rng_below(rng, 3)] + at, atomic);
	LAW(unit_is_mixture(&s.spec, &s.expect, stamps, 3, atomic, found, n, both),
		"a mixture");
	uint32_t bad = (uint32_t)rng_below(rng, n);
	if (!cut || bad < s.spec.header_at || bad >= end) {
		found[bad] ^= 1;
		LAW(!unit_is_mixture(&s.spec, &s.expect, stamps, 3, atomic, found, n, both),
			"a flipped bit at %u", bad);
		found[bad] ^= 1;
	}
	bad -= bad % atomic;
	memset(found + bad, 0, atomic);
	LAW(!unit_is_mixture(&s.spec, &s.expect, stamps, 3, atomic, found, n, both), "zeroes");
	s.expect.zeroes_too = true;
	LAW(unit_is_mixture(&s.spec, &s.expect, stamps, 3, atomic, found, n, both), "zeroes");
	if (cut)
		return;
	memcpy(found + bad, made[3] + bad, atomic);
	LAW(!unit_is_mixture(&s.spec, &s.expect, stamps, 3, atomic, found, n, both),
		"a write that can't be there, at %u", bad);
	LAW(unit_is_mixture(&s.spec, &s.expect, stamps, 4, atomic, found, n, both), "of four");
}

int main(void)
{
	unsigned done[COUNT_OF(damages)] = {0};
	struct rng rng;
	rng_init(&rng, law_seed());
	for (unsigned i = 0; i < 1200; i++)
		for (size_t k = 0; k < COUNT_OF(damages); k++)
			law_damage(&damages[k], &rng, done);
	for (size_t k = 0; k < COUNT_OF(damages); k++)
		LAW(done[k] > 300, "%s: only %u cases", damages[k].name, done[k]);
	for (unsigned i = 0; i < 1000; i++) {
		law_zeroes(&rng);
		law_meta(&rng);
		law_pattern(&rng);
		law_mixture(&rng);
	}
	for (unsigned i = 0; i < 50; i++) {
		law_generations(&rng);
		law_dedupe(&rng);
	}
	return 0;
}
