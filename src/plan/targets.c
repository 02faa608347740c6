/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The targets of a run, unique by path: a growing array and an open hash table of
 * indices into it, so that a million files cost no more than a million looks. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "plan/draft.h"

struct targets {
	struct plan_target *v;
	bool *looked;
	uint32_t count, room;
	uint32_t *slots;      /* index + 1; 0: free */
	uint32_t slots_count; /* a power of two, at least twice `count` */
};

struct targets *targets_new(void)
{
	return calloc(1, sizeof(struct targets));
}

void targets_free(struct targets *t)
{
	if (!t)
		return;
	free(t->v);
	free(t->looked);
	free(t->slots);
	free(t);
}

/* FNV-1a, 64 bits, folded. */
static uint32_t targets_hash(const char *path)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	for (const unsigned char *p = (const unsigned char *)path; *p; p++)
		h = (h ^ *p) * UINT64_C(0x100000001b3);
	return (uint32_t)(h ^ h >> 32);
}

/* The slot that holds PATH, or the free one where it belongs. */
static uint32_t *targets_slot(const struct targets *t, const char *path)
{
	uint32_t mask = t->slots_count - 1;
	uint32_t at = targets_hash(path) & mask;
	while (t->slots[at] && strcmp(t->v[t->slots[at] - 1].path, path))
		at = (at + 1) & mask;
	return &t->slots[at];
}

static bool targets_grow(struct targets *t)
{
	uint32_t room = t->room ? t->room * 2 : 64;
	struct plan_target *v = realloc(t->v, room * sizeof(*v));
	if (!v)
		return false;
	t->v = v;
	bool *looked = realloc(t->looked, room * sizeof(*looked));
	if (!looked)
		return false;
	t->looked = looked;
	uint32_t *slots = calloc((size_t)room * 2, sizeof(*slots));
	if (!slots)
		return false;
	free(t->slots);
	t->slots = slots;
	t->slots_count = room * 2;
	t->room = room;
	for (uint32_t i = 0; i < t->count; i++)
		*targets_slot(t, t->v[i].path) = i + 1;
	return true;
}

int64_t targets_add(struct targets *t, const char *path, bool look,
	const struct plan_facts *facts)
{
	if (t->count == t->room && !targets_grow(t))
		return -ENOMEM;
	uint32_t *slot = targets_slot(t, path);
	if (!*slot) {
		t->v[t->count] = (struct plan_target){.path = path, .no_layout = true};
		t->looked[t->count] = false;
		*slot = ++t->count;
	}
	uint32_t index = *slot - 1;
	if (look && !t->looked[index]) {
		facts->look(facts->look_ctx, path, &t->v[index].found);
		t->looked[index] = true;
	}
	return index;
}

struct plan_target *targets_at(const struct targets *t, uint32_t index)
{
	return &t->v[index];
}

int targets_keep(const struct targets *t, struct plan *plan, struct err *reterr)
{
	if (!t->count)
		return 0;
	plan->targets = arena_array(&plan->arena, t->count, sizeof(*t->v));
	if (!plan->targets)
		return err_set(reterr, -ENOMEM, "out of memory for %u targets", t->count);
	memcpy(plan->targets, t->v, t->count * sizeof(*t->v));
	plan->targets_count = t->count;
	return 0;
}
