/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/verify/by_pieces.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "run/verify/fault.h"
#include "run/verify/verify.h"
#include "verify/pieces.h"

int by_pieces_init(struct verify *v, struct arena *arena, struct err *reterr)
{
	const struct pattern_spec *p = &v->worker->pattern;
	int rc = 0;

	v->pieces = arena_array(arena, p->regions_count + 1, sizeof(*v->pieces));
	if (!v->pieces)
		return err_set(reterr, -ENOMEM, "out of memory for %u files", p->regions_count);
	for (uint32_t i = 0; i < p->regions_count && rc == 0; i++)
		rc = pieces_init(&v->pieces[i], v->plan->pieces_max, reterr);
	return rc;
}

void by_pieces_done(struct verify *v)
{
	for (uint32_t i = 0; v->pieces && i < v->worker->pattern.regions_count; i++)
		pieces_done(&v->pieces[i]);
}

static bool by_pieces_free(const struct verify *v, const struct verify_slot *s)
{
	for (uint32_t i = 0; i < v->worker->queue.depth; i++) {
		const struct verify_slot *o = &v->slots[i];
		if (o != s && o->out && o->kind != IO_READ && o->file == s->file &&
			o->offset < s->offset + s->bytes && s->offset < o->offset + o->bytes)
			return false;
	}
	return true;
}

bool by_pieces_begin(struct verify *v, const struct verify_slot *s, uint64_t serial)
{
	if (!by_pieces_free(v, s))
		return false;
	bool known = s->kind == IO_TRIM
			     ? pieces_remove(&v->pieces[s->file], s->offset, s->bytes)
			     : pieces_insert(&v->pieces[s->file], s->offset, s->bytes, serial);
	v->sh->unjudged += !known;
	return true;
}

void by_pieces_undo(struct verify *v, const struct verify_slot *s)
{
	(void)pieces_remove(&v->pieces[s->file], s->offset, s->bytes);
}

uint32_t by_pieces_next(const struct verify *v, uint32_t file, uint64_t at, uint64_t end,
	uint32_t max, uint64_t *ret_at)
{
	struct pieces_at place;
	const struct piece *x = pieces_find(&v->pieces[file], at, &place);

	if (!x || x->start >= end)
		return 0;
	*ret_at = MAX_OF(at, x->start);
	const uint64_t last = MIN_OF(*ret_at + max, end);
	uint64_t to = x->start + x->bytes;
	while (to < last && (x = pieces_next(&v->pieces[file], &place)) && x->start == to)
		to += x->bytes;
	return (uint32_t)(MIN_OF(to, last) - *ret_at);
}

static void by_pieces_fault(struct verify *v, const struct verify_slot *s, uint64_t offset,
	const unsigned char *found, const unsigned char *right, uint32_t n)
{
	struct unit_fault f = {
		.verdict = UNIT_WRONG_DATA,
		.offset = offset,
		.bytes = n,
		.has_difference = true,
		.first_difference = n,
	};
	const struct unit_expect e = {.offset = offset};
	bool zero = true;

	for (uint32_t i = 0; i < n; i++) {
		zero &= !found[i];
		if (found[i] == right[i])
			continue;
		f.first_difference = MIN_OF(f.first_difference, i);
		f.different_bytes++;
		f.different_bits += (uint32_t)__builtin_popcount(found[i] ^ right[i]);
	}
	f.guess = zero ? GUESS_ZEROES : f.different_bits <= 8 ? GUESS_BIT_FLIP : GUESS_UNKNOWN;
	f.around_at = f.first_difference & ~15u;
	memcpy(f.around_found, found + f.around_at, MIN_OF(16u, n - f.around_at));
	memcpy(f.around_expected, right + f.around_at, MIN_OF(16u, n - f.around_at));
	fault_tell_known(v, s, &e, &f, found, right);
}

/* The bytes that X has in the read of S. */
static bool by_pieces_one(struct verify *v, const struct verify_slot *s, const struct piece *x,
	const unsigned char *buf, unsigned char *scratch, uint64_t *bytes)
{
	const uint64_t from = MAX_OF(x->start, s->offset);
	const uint64_t to = MIN_OF(x->start + x->bytes, s->offset + s->bytes);
	const uint64_t begin = x->start - x->into;
	const struct unit_stamp stamp = {
		.offset = begin,
		.target = v->identity[s->file],
		.serial = x->serial,
		.worker = v->worker->index,
	};
	const unsigned char *found = buf + (from - s->offset);
	const unsigned char *right = scratch + (from - begin);

	*bytes += to - from;
	unit_payload(&v->spec, &v->data, &stamp, scratch, x->length);
	if (!memcmp(found, right, to - from))
		return true;
	by_pieces_fault(v, s, from, found, right, (uint32_t)(to - from));
	return false;
}

uint64_t by_pieces_check(struct verify *v, const struct verify_slot *s,
	const unsigned char *buf, uint64_t *writes, uint64_t *bytes)
{
	struct pieces_at place;
	unsigned char *scratch = malloc(v->worker->queue.buffer_bytes);
	const struct piece *x = pieces_find(&v->pieces[s->file], s->offset, &place);
	uint64_t wrong = 0;

	for (; scratch && x && x->start < s->offset + s->bytes;
		x = pieces_next(&v->pieces[s->file], &place)) {
		*writes += 1;
		wrong += !by_pieces_one(v, s, x, buf, scratch, bytes);
	}
	free(scratch);
	return wrong;
}
