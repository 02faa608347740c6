/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "trace/summary.h"

#include "base/bits.h"
#include "base/rng.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct trace_place *summary_place(struct trace_summary *s, uint32_t name)
{
	if (name >= s->places_room) {
		uint32_t room = MAX_OF(s->places_room * 2, name + 16);
		struct trace_place *places = realloc(s->places, room * sizeof(*places));
		if (!places)
			return NULL;
		memset(places + s->places_room, 0, (room - s->places_room) * sizeof(*places));
		s->places = places;
		s->places_room = room;
	}
	s->places_count = MAX_OF(s->places_count, name + 1);
	return &s->places[name];
}

/* ---- a deep look ---- */

#define SUMMARY_BLOCKS 16384 /* of one request: 64 MiB */

static void summary_block(struct trace_summary *s, uint32_t name, uint64_t block)
{
	uint64_t hash = rng_mix(rng_mix(block) ^ name);
	unsigned at = (unsigned)(hash % TRACE_REGISTERS);
	unsigned zeros = (unsigned)__builtin_clzll(hash | TRACE_REGISTERS) + 1;

	if (zeros > s->registers[at])
		s->registers[at] = (unsigned char)zeros;
}

static void summary_blocks(struct trace_summary *s, const struct trace_record *r)
{
	uint64_t from = r->offset / TRACE_BLOCK;
	uint64_t count = (r->offset + r->bytes - 1) / TRACE_BLOCK - from + 1;

	if (count > SUMMARY_BLOCKS) {
		s->more_blocks += count - SUMMARY_BLOCKS;
		count = SUMMARY_BLOCKS;
	}
	for (uint64_t i = 0; i < count; i++)
		summary_block(s, r->name, from + i);
}

static void summary_time(struct trace_summary *s, const struct trace_record *r)
{
	uint64_t second = (r->time_ns - s->first_ns) / NS_PER_S;

	if (s->records > 1)
		latency_record(&s->gaps, r->time_ns - s->last_ns);
	if (second != s->second)
		s->second_ios = 0;
	s->second = second;
	if (++s->second_ios > s->peak_ios) {
		s->peak_ios = s->second_ios;
		s->peak_second = second;
	}
}

static void summary_deep(struct trace_summary *s, const struct trace_record *r)
{
	summary_time(s, r);
	if (r->action > TRACE_TRIM)
		return;
	s->sizes[r->action][bits_top(r->bytes)]++;
	if (r->action != TRACE_TRIM)
		summary_blocks(s, r);
}

/* ---- all ---- */

static void summary_data(struct trace_summary *s, struct trace_place *p,
	const struct trace_record *r)
{
	enum trace_action a = r->action;
	uint64_t end = r->offset + r->bytes;
	bool first = !p->bytes[TRACE_READ] && !p->bytes[TRACE_WRITE] && !p->bytes[TRACE_TRIM];

	if (!s->bytes[a] || r->bytes < s->bytes_min[a])
		s->bytes_min[a] = r->bytes;
	s->bytes_max[a] = MAX_OF(s->bytes_max[a], r->bytes);
	s->bytes[a] += r->bytes;
	s->sequential[a] += p->bytes[a] && p->next[a] == r->offset;
	if (a != TRACE_TRIM)
		s->all_bits |= r->offset | r->bytes;
	if (first || r->offset < p->low)
		p->low = r->offset;
	if (end > p->end) {
		p->end = end;
		p->end_number = r->number;
	}
	p->bytes[a] += r->bytes;
	p->next[a] = end;
}

int trace_summary_add(struct trace_summary *s, const struct trace_record *r)
{
	struct trace_place *p = summary_place(s, r->name);

	if (!p)
		return -ENOMEM;
	if (r->action >= TRACE_IO_ACTIONS)
		return 0;
	if (!s->records++)
		s->first_ns = s->last_ns = r->time_ns;
	if (s->deep)
		summary_deep(s, r);
	s->last_ns = r->time_ns;
	s->ios[r->action]++;
	p->ios[r->action]++;
	if (r->action <= TRACE_TRIM)
		summary_data(s, p, r);
	return 0;
}

void trace_summary_done(struct trace_summary *s)
{
	free(s->places);
	s->places = NULL;
}

double trace_summary_iops(const struct trace_summary *s)
{
	uint64_t ns = s->last_ns - s->first_ns;
	return ns ? (double)(s->records - 1) * 1e9 / (double)ns : 0;
}

uint64_t trace_summary_working_set(const struct trace_summary *s)
{
	const double m = TRACE_REGISTERS;
	double sum = 0;
	unsigned empty = 0;

	for (unsigned i = 0; i < TRACE_REGISTERS; i++) {
		sum += ldexp(1, -s->registers[i]);
		empty += !s->registers[i];
	}
	double count = 0.7213 / (1 + 1.079 / m) * m * m / sum;
	if (count < 2.5 * m && empty)
		count = m * log(m / empty); /* few: count the registers that were hit */
	return ((uint64_t)(count + 0.5) + s->more_blocks) * TRACE_BLOCK;
}

#define DOUBT_NS   (600 * NS_PER_S)
#define DOUBT_IOPS 20.0

const char *trace_summary_doubt(const struct trace_summary *s, char *buf, size_t size)
{
	uint64_t ns = s->last_ns - s->first_ns;
	double iops = trace_summary_iops(s);

	if (s->records < 1000 || ns < DOUBT_NS || iops > DOUBT_IOPS)
		return NULL;
	snprintf(buf, size,
		"it lasts %.1f h at %.1f IOPS: if that is not what was recorded, its times are not "
		"in the unit of its format (ns written as us are 1000 times too long)",
		(double)ns / 3.6e12, iops);
	return buf;
}
