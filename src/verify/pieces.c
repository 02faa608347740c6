/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT.
 *
 *	order  │ 4 │ 0 │ 7 │ ...          leaves by what is in them; never an empty one
 *	leaf   │ 12 ext. │ 127 ext. │ ...
 *
 * A leaf that is full becomes two, and two that have half of one together become one; so
 * order is moved once in 60 changes at most. */
#include "verify/pieces.h"

#include <string.h>

#include "base/bits.h"
#include "verify/pieces_leaf.h"

static inline struct pieces_leaf *leaf_at(const struct pieces *x, uint32_t i)
{
	return &x->leaf[x->order[i]];
}

static inline uint64_t extent_end(const struct piece *e)
{
	return e->start + e->bytes;
}

/* ---- leaves ---- */

/* A leaf that isn't used yet, as number I of the order. */
static bool leaf_insert(struct pieces *x, uint32_t i)
{
	uint32_t number;

	if (x->spare) {
		number = x->spare - 1;
		x->spare = x->leaf[number].spare;
	} else if (x->touched < x->room) {
		number = x->touched++;
	} else {
		return false;
	}
	memmove(&x->order[i + 1], &x->order[i], (x->used - i) * sizeof(*x->order));
	x->order[i] = number;
	x->used++;
	x->leaf[number].count = 0;
	return true;
}

static void leaf_remove(struct pieces *x, uint32_t i)
{
	x->leaf[x->order[i]].spare = x->spare;
	x->spare = x->order[i] + 1;
	x->used--;
	memmove(&x->order[i], &x->order[i + 1], (x->used - i) * sizeof(*x->order));
}

/* ---- pieces ---- */

/* The last leaf that begins at or before BYTE, else the first. */
static uint32_t leaf_find(const struct pieces *x, uint64_t byte)
{
	uint32_t low = 0, high = x->used;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (leaf_at(x, middle)->v[0].start <= byte)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static struct piece *extent_find(const struct pieces *x, uint64_t byte, struct pieces_at *at)
{
	*at = (struct pieces_at){x->used, 0};
	if (!x->used)
		return NULL;
	at->leaf = leaf_find(x, byte);
	struct pieces_leaf *leaf = leaf_at(x, at->leaf);
	uint32_t low = 0, high = leaf->count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (extent_end(&leaf->v[middle]) <= byte)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < leaf->count) {
		at->i = low;
		return &leaf->v[low];
	}
	at->leaf++;
	return at->leaf < x->used ? &leaf_at(x, at->leaf)->v[0] : NULL;
}

/* Leaf I and the next one, if there is and if they are small. */
static void leaf_join(struct pieces *x, uint32_t i)
{
	if (i + 1 >= x->used)
		return;
	struct pieces_leaf *low = leaf_at(x, i), *high = leaf_at(x, i + 1);
	if (low->count + high->count > EXTENTS_LEAF / 2)
		return;
	memcpy(low->v + low->count, high->v, high->count * sizeof(high->v[0]));
	low->count += high->count;
	leaf_remove(x, i + 1);
}

static void extent_delete(struct pieces *x, struct pieces_at at)
{
	struct pieces_leaf *leaf = leaf_at(x, at.leaf);

	leaf->count--;
	x->count--;
	memmove(&leaf->v[at.i], &leaf->v[at.i + 1], (leaf->count - at.i) * sizeof(leaf->v[0]));
	if (!leaf->count) {
		leaf_remove(x, at.leaf);
	} else if (leaf->count < EXTENTS_LEAF / 2) {
		leaf_join(x, at.leaf);
		if (at.leaf)
			leaf_join(x, at.leaf - 1);
	}
}

/* The upper half to a new leaf; *AT goes with it. */
static bool leaf_split(struct pieces *x, struct pieces_at *at)
{
	const uint32_t half = EXTENTS_LEAF / 2;

	if (!leaf_insert(x, at->leaf + 1))
		return false;
	struct pieces_leaf *low = leaf_at(x, at->leaf), *high = leaf_at(x, at->leaf + 1);
	high->count = low->count - half;
	low->count = half;
	memcpy(high->v, low->v + half, high->count * sizeof(high->v[0]));
	if (at->i > half) {
		at->leaf++;
		at->i -= half;
	}
	return true;
}

/* Before what is AT; at the end of a leaf rather than at the beginning of the next. */
static bool extent_put(struct pieces *x, struct pieces_at at, const struct piece *e)
{
	if (!x->used && !leaf_insert(x, 0))
		return false;
	if (at.i == 0 && at.leaf > 0) {
		at.leaf--;
		at.i = leaf_at(x, at.leaf)->count;
	}
	if (leaf_at(x, at.leaf)->count == EXTENTS_LEAF && !leaf_split(x, &at))
		return false;
	struct pieces_leaf *leaf = leaf_at(x, at.leaf);
	memmove(&leaf->v[at.i + 1], &leaf->v[at.i], (leaf->count - at.i) * sizeof(leaf->v[0]));
	leaf->v[at.i] = *e;
	leaf->count++;
	x->count++;
	return true;
}

static void extent_cut_head(struct piece *e, uint64_t to)
{
	const uint32_t gone = (uint32_t)(to - e->start);

	e->start += gone;
	e->into += gone;
	e->bytes -= gone;
}

/* [START, END) is within E, and something of it stays on both sides. */
static bool extent_cut_middle(struct pieces *x, struct pieces_at at, struct piece *e,
	uint64_t start, uint64_t end)
{
	struct piece rest = *e;

	extent_cut_head(&rest, end);
	e->bytes = (uint32_t)(start - e->start);
	at.i++;
	return extent_put(x, at, &rest);
}

bool pieces_remove(struct pieces *x, uint64_t start, uint64_t bytes)
{
	const uint64_t end = start + bytes;
	struct pieces_at at;
	struct piece *e;

	while ((e = extent_find(x, start, &at)) && e->start < end) {
		if (e->start >= start && extent_end(e) <= end) {
			extent_delete(x, at);
		} else if (e->start >= start) {
			extent_cut_head(e, end);
			return true;
		} else if (extent_end(e) > end) {
			return extent_cut_middle(x, at, e, start, end);
		} else {
			e->bytes = (uint32_t)(start - e->start);
		}
	}
	return true;
}

bool pieces_insert(struct pieces *x, uint64_t start, uint32_t bytes, uint64_t serial)
{
	const struct piece e = {
		.start = start, .serial = serial, .bytes = bytes, .length = bytes};
	struct pieces_at at;

	if (!pieces_remove(x, start, bytes))
		return false;
	extent_find(x, start, &at);
	return extent_put(x, at, &e);
}

const struct piece *pieces_find(const struct pieces *x, uint64_t byte, struct pieces_at *ret_at)
{
	return extent_find(x, byte, ret_at);
}

const struct piece *pieces_next(const struct pieces *x, struct pieces_at *at)
{
	if (++at->i == leaf_at(x, at->leaf)->count)
		*at = (struct pieces_at){at->leaf + 1, 0};
	return at->leaf < x->used ? &leaf_at(x, at->leaf)->v[at->i] : NULL;
}
