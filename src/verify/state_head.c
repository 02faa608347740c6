/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The head of a state file: whose it is. */
#include "verify/state_parts.h"

#include <string.h>

#include "base/bits.h"
#include "base/limits.h"
#include "base/str.h"

/* ---- making ---- */

static void put(struct str *out, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		str_add_char(out, (char)(value | 0x80));
	str_add_char(out, (char)value);
}

static void put_bytes(struct str *out, const void *bytes, size_t n)
{
	put(out, n);
	str_add_bytes(out, bytes, n);
}

static void put_filler(struct str *out, const struct filler *f)
{
	put_bytes(out, f->bytes, f->count);
	put(out, f->holes_count);
	for (uint32_t i = 0; i < f->holes_count; i++)
		put(out, f->holes[i]);
}

static void put_spec(struct str *out, const struct unit_spec *s)
{
	put(out, s->kind);
	put(out, s->checksum);
	put(out, s->bytes);
	put(out, s->header_at);
	put(out, s->pattern_interval);
	put_filler(out, &s->pattern);
	put(out, s->data.kind);
	put(out, s->data.compress_percent);
	put(out, s->data.compress_chunk);
	put(out, s->data.dedupe.percent);
	put_filler(out, &s->data.filler);
}

void state_head_make(const struct state_head *head, struct str *out)
{
	put(out, STATE_FORMAT);
	put(out, head->run);
	put(out, head->start_ns);
	put(out, head->atomic);
	put(out, head->targets_count);
	for (uint32_t i = 0; i < head->targets_count; i++) {
		const struct state_target *t = &head->targets[i];
		put_bytes(out, t->name, strlen(t->name));
		put(out, t->identity);
		put(out, t->bytes);
		put(out, t->unit_bytes);
	}
	put(out, head->specs_count);
	for (uint32_t i = 0; i < head->specs_count; i++)
		put_spec(out, &head->specs[i]);
	put(out, head->workers_count);
	for (uint32_t i = 0; i < head->workers_count; i++)
		put(out, head->spec_of[i]);
}

/* ---- reading ---- */

static uint32_t take_up_to(struct state_bytes *b, uint64_t max)
{
	uint64_t value = state_take(b);

	b->failed |= value > max;
	return b->failed ? 0 : (uint32_t)value;
}

/* How many follow: each takes at least a byte. */
static uint32_t take_count(struct state_bytes *b, uint64_t max)
{
	return take_up_to(b, MIN_OF(max, (uint64_t)(b->end - b->at)));
}

static void *take_room(struct state_bytes *b, struct arena *arena, size_t count, size_t size)
{
	void *room = arena_array(arena, count + 1, size);

	b->failed |= !room;
	return room;
}

static void take_filler(struct state_bytes *b, struct arena *arena, struct filler *ret)
{
	ret->count = take_count(b, LIMIT_FILLER);
	const uint8_t *bytes = state_take_bytes(b, ret->count);
	ret->holes_count = take_count(b, LIMIT_FILLER);
	uint32_t *holes = take_room(b, arena, ret->holes_count, sizeof(*holes));
	for (uint32_t i = 0; !b->failed && i < ret->holes_count; i++)
		holes[i] = take_up_to(b, ret->count);
	ret->holes = holes;
	ret->bytes = b->failed ? NULL
			       : (uint8_t *)arena_bytes(arena, (const char *)bytes, ret->count);
	b->failed |= !ret->bytes;
}

static void take_spec(struct state_bytes *b, struct arena *arena, struct unit_spec *ret)
{
	ret->kind = (enum unit_kind)take_up_to(b, UNIT_NULL);
	ret->checksum = (enum checksum_kind)take_up_to(b, CHECKSUM_KINDS - 1);
	ret->bytes = take_up_to(b, LIMIT_BLOCK);
	ret->header_at = take_up_to(b, LIMIT_BLOCK);
	ret->pattern_interval = take_up_to(b, UINT32_MAX);
	take_filler(b, arena, &ret->pattern);
	ret->data.kind = (enum data_kind)take_up_to(b, DATA_CORPUS);
	ret->data.compress_percent = take_up_to(b, 100);
	ret->data.compress_chunk = take_up_to(b, LIMIT_BLOCK);
	ret->data.dedupe.percent = take_up_to(b, 100);
	take_filler(b, arena, &ret->data.filler);
	b->failed |= ret->bytes && unit_bytes_min(ret) > ret->bytes;
	b->failed |= !ret->pattern.count &&
		     (ret->kind == UNIT_PATTERN || ret->kind == UNIT_PATTERN_HDR);
	b->failed |= !ret->data.filler.count && ret->data.kind == DATA_PATTERN;
	/* Its file isn't here: as with dedupe nothing can be made again. */
	if (ret->data.kind == DATA_CORPUS)
		ret->data = (struct data_spec){.dedupe = {.percent = 100}};
}

static void take_target(struct state_bytes *b, struct arena *arena, struct state_target *ret)
{
	size_t n = take_count(b, LIMIT_LINE);
	const uint8_t *name = state_take_bytes(b, n);

	ret->name = name ? arena_bytes(arena, (const char *)name, n) : NULL;
	ret->identity = state_take(b);
	ret->bytes = state_take(b);
	ret->unit_bytes = take_up_to(b, LIMIT_BLOCK);
	b->failed |= !ret->name || !ret->unit_bytes || ret->bytes > INT64_MAX;
}

static void take_targets(struct state_bytes *b, struct arena *arena, struct state_head *ret)
{
	ret->targets_count = take_count(b, (uint64_t)LIMIT_FILES * LIMIT_JOBS);
	struct state_target *targets = take_room(b, arena, ret->targets_count,
		sizeof(*targets));
	for (uint32_t i = 0; !b->failed && i < ret->targets_count; i++)
		take_target(b, arena, &targets[i]);
	ret->targets = targets;
}

static void take_workers(struct state_bytes *b, struct arena *arena, struct state_head *ret)
{
	ret->specs_count = take_count(b, LIMIT_JOBS);
	struct unit_spec *specs = take_room(b, arena, ret->specs_count, sizeof(*specs));
	for (uint32_t i = 0; !b->failed && i < ret->specs_count; i++) {
		take_spec(b, arena, &specs[i]);
		specs[i].run = ret->run;
	}
	ret->workers_count = take_count(b, LIMIT_JOBS);
	uint32_t *spec_of = take_room(b, arena, ret->workers_count, sizeof(*spec_of));
	for (uint32_t i = 0; !b->failed && i < ret->workers_count; i++) {
		spec_of[i] = take_up_to(b, UINT32_MAX);
		b->failed |= spec_of[i] >= ret->specs_count;
	}
	ret->specs = specs;
	ret->spec_of = spec_of;
}

bool state_head_read(struct arena *arena, const uint8_t *data, size_t n, struct state_head *ret)
{
	struct state_bytes b = {.at = data, .end = data + n};

	if (state_take(&b) != STATE_FORMAT)
		return false;
	ret->run = state_take(&b);
	ret->start_ns = state_take(&b);
	ret->atomic = take_up_to(&b, UINT32_MAX);
	b.failed |= ret->atomic < 2; /* a piece is at least that */
	take_targets(&b, arena, ret);
	if (!b.failed)
		take_workers(&b, arena, ret);
	return !b.failed && b.at == b.end;
}
