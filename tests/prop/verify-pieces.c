/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Extents against an array that has, for each byte, the write and the place in it; and what
 * they are for: bytes made again by serial are those that were written. */
#include <string.h>

#include "base/bits.h"
#include "base/rng.h"
#include "law.h"
#include "verify/pieces.h"
#include "verify/unit.h"

#define BYTES 30000

static uint64_t serial_of[BYTES]; /* 0: nothing */
static uint32_t into_of[BYTES];

static void law_same(const struct pieces *x)
{
	struct pieces_at at;
	uint64_t byte = 0, count = 0;
	for (const struct piece *e = pieces_find(x, 0, &at); e; e = pieces_next(x, &at)) {
		LAW(e->bytes && e->start >= byte, "out of order");
		for (; byte < e->start; byte++)
			LAW(!serial_of[byte], "byte %" PRIu64 " is missing", byte);
		for (uint32_t i = 0; i < e->bytes; i++, byte++)
			LAW(serial_of[byte] == e->serial && into_of[byte] == e->into + i,
				"byte %" PRIu64 " is of another write", byte);
		count++;
	}
	for (; byte < BYTES; byte++)
		LAW(!serial_of[byte], "byte %" PRIu64 " is missing", byte);
	LAW(count == x->count, "%" PRIu64 " pieces, not %" PRIu64, count, x->count);
}

static void law_find(const struct pieces *x, struct rng *rng)
{
	struct pieces_at at;
	uint64_t byte = rng_below(rng, BYTES);
	const struct piece *e = pieces_find(x, byte, &at);
	uint64_t first = byte;
	while (first < BYTES && !serial_of[first])
		first++;
	LAW((first == BYTES) == !e, "found at %" PRIu64, byte);
	LAW(!e || (e->start <= first && first < e->start + e->bytes), "another than the first");
}

static void law_model(struct rng *rng)
{
	struct pieces x;
	const uint64_t longest = 1 + rng_below(rng, rng_below(rng, 2) ? 40 : 3000);
	memset(serial_of, 0, sizeof(serial_of));
	LAW(pieces_init(&x, BYTES, NULL) == 0, "no memory");
	for (uint64_t serial = 1; serial < 5000; serial++) {
		uint32_t n = 1 + (uint32_t)rng_below(rng, longest);
		uint64_t start = rng_below(rng, BYTES - n + 1);
		bool remove = rng_below(rng, 10) == 0;
		LAW(remove ? pieces_remove(&x, start, n) : pieces_insert(&x, start, n, serial),
			"no room");
		for (uint32_t i = 0; i < n; i++) {
			serial_of[start + i] = remove ? 0 : serial;
			into_of[start + i] = i;
		}
		law_find(&x, rng);
		if (serial % 500 == 0)
			law_same(&x);
	}
	pieces_done(&x);
}

/* The worst that may come to lie there: as many as there is room for. */
static void law_room(void)
{
	struct pieces x;
	memset(serial_of, 0, sizeof(serial_of));
	LAW(pieces_init(&x, BYTES, NULL) == 0, "no memory");
	for (unsigned round = 0; round < 2; round++)
		for (uint32_t i = 0; i < BYTES; i++)
			LAW(pieces_insert(&x, round ? BYTES - 1 - i : i, 1, i + 1), "no room");
	LAW(x.count == BYTES, "%" PRIu64, x.count);
	LAW(pieces_insert(&x, 0, BYTES, 1) && x.count == 1, "one covers all");
	for (uint32_t i = 1; i < BYTES; i += 2)
		LAW(pieces_insert(&x, i, 1, 2), "no room");
	LAW(x.count == BYTES, "%" PRIu64, x.count);
	LAW(pieces_remove(&x, 0, BYTES) && x.count == 0 && x.used == 0, "nothing");
	pieces_done(&x);
}

static void law_remade(struct rng *rng)
{
	static uint8_t disk[BYTES], made[BYTES];
	struct unit_spec spec = {.kind = UNIT_META, .run = rng_next(rng)};
	struct pieces x;
	struct pieces_at at;
	struct data d, other;
	spec.data.compress_percent = (uint32_t)rng_below(rng, 60);
	spec.data.compress_chunk = 100;
	LAW(pieces_init(&x, BYTES, NULL) == 0, "no memory");
	unit_data_init(&spec, &d, 3);
	unit_data_init(&spec, &other, 3);
	for (uint64_t serial = 1; serial < 300; serial++) {
		size_t n = 1 + rng_below(rng, 2000);
		struct unit_stamp stamp = {
			.offset = rng_below(rng, BYTES - n + 1), .serial = serial};
		unit_payload(&spec, &d, &stamp, disk + stamp.offset, n);
		LAW(pieces_insert(&x, stamp.offset, (uint32_t)n, serial), "no room");
		for (const struct piece *e = pieces_find(&x, 0, &at); e && serial % 50 == 0;
			e = pieces_next(&x, &at)) {
			stamp = (struct unit_stamp){
				.offset = e->start - e->into, .serial = e->serial};
			unit_payload(&spec, &other, &stamp, made, e->length);
			LAW(!memcmp(disk + e->start, made + e->into, e->bytes), "other bytes");
		}
	}
	pieces_done(&x);
}

/* Leaves that are nearly empty don't use up the room: pieces are put in a row and all but a
 * few of them taken out, again and again behind each other. */
static void law_thin(void)
{
	struct pieces x;
	LAW(pieces_init(&x, BYTES, NULL) == 0, "no memory");
	for (uint64_t at = 0; x.count < BYTES - 2000; at += 1000) {
		for (uint32_t i = 0; i < 1000; i++)
			LAW(pieces_insert(&x, at + i, 1, 1),
				"no room at %" PRIu64 " for %" PRIu64, at + i, x.count);
		for (uint32_t i = 0; i < 1000; i++)
			LAW(i % 50 == 0 || pieces_remove(&x, at + i, 1), "no room");
	}
	pieces_done(&x);
}

int main(void)
{
	struct rng rng;
	rng_init(&rng, law_seed());
	for (unsigned i = 0; i < 40; i++) {
		law_model(&rng);
		law_remade(&rng);
	}
	law_room();
	law_thin();
	return 0;
}
