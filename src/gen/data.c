/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT: data_fill() runs before each write. */
#include "gen/data.h"

#include <string.h>

#include "base/rng.h"

#define DATA_SECTOR 512

void data_init(struct data *d, const struct data_spec *spec)
{
	struct rng rng;
	*d = (struct data){.kind = spec->kind, .key = rng_mix(spec->seed)};
	rng_init(&rng, spec->seed);
	for (unsigned i = 0; i < DATA_LANES; i++) {
		d->lanes.a[i] = rng_next(&rng);
		d->lanes.b[i] = rng_next(&rng);
	}
}

/* One step of xorshift128+ (Vigna, 2014) in each lane: only shifts, xors and
 * additions, so that the compiler makes vectors of them on any machine. */
static inline void data_lanes_next(struct data_lanes *l, uint64_t out[DATA_LANES])
{
	for (unsigned i = 0; i < DATA_LANES; i++) {
		uint64_t x = l->a[i], y = l->b[i];
		out[i] = x + y;
		x ^= x << 23;
		l->a[i] = y;
		l->b[i] = x ^ y ^ (x >> 17) ^ (y >> 26);
	}
}

static void data_random(struct data *d, unsigned char *buf, size_t bytes)
{
	struct data_lanes lanes = d->lanes; /* lives in registers */
	uint64_t out[DATA_LANES];
	for (; bytes >= sizeof(out); bytes -= sizeof(out), buf += sizeof(out)) {
		data_lanes_next(&lanes, out);
		memcpy(buf, out, sizeof(out));
	}
	data_lanes_next(&lanes, out);
	memcpy(buf, out, bytes);
	d->lanes = lanes;
}

/* Each sector begins with two words: the first is a different one for each sector
 * of this write, and from both follows `write`, which is a different one for each
 * write.  So the pair is unique in the run. */
static void data_stamp(struct data *d, unsigned char *buf, size_t bytes, uint64_t offset)
{
	uint64_t write = rng_mix(d->key + d->serial++);
	uint64_t place = rng_mix(write ^ offset);
	for (size_t at = 0; at < bytes; at += DATA_SECTOR) {
		uint64_t first = (place ^ at) * UINT64_C(0xd6e8feb86659fd93);
		first ^= first >> 32;
		uint64_t stamp[2] = {first, write ^ first * UINT64_C(0xcf1bbcdcb7a56463)};
		size_t left = bytes - at;
		memcpy(buf + at, stamp, left < sizeof(stamp) ? left : sizeof(stamp));
	}
}

void data_prepare(struct data *d, void *buf, size_t bytes)
{
	if (d->kind == DATA_ZERO)
		memset(buf, 0, bytes);
	else
		data_random(d, buf, bytes);
}

void data_fill(struct data *d, void *buf, size_t bytes, uint64_t offset)
{
	switch (d->kind) {
	case DATA_SCRAMBLE:
		data_stamp(d, buf, bytes, offset);
		break;
	case DATA_REFILL:
		data_random(d, buf, bytes);
		break;
	case DATA_ZERO:
		memset(buf, 0, bytes);
		break;
	case DATA_CONSTANT:
		break;
	}
}
