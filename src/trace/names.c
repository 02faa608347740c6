/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "trace/names.h"

#include "base/limits.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a, 64 bits, folded. */
static uint32_t names_hash(const char *text, size_t len)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return (uint32_t)(h ^ h >> 32);
}

/* The slot that holds it, or the free one where it belongs. */
static uint32_t *names_slot(const struct trace_names *t, const char *text, size_t len)
{
	uint32_t mask = 2 * t->room - 1;
	uint32_t at = names_hash(text, len) & mask;

	for (; t->slots[at]; at = (at + 1) & mask) {
		const char *name = t->v[t->slots[at] - 1];
		if (strncmp(name, text, len) == 0 && !name[len])
			break;
	}
	return &t->slots[at];
}

static bool names_grow(struct trace_names *t)
{
	uint32_t room = t->room ? t->room * 2 : 16;
	char **v = realloc(t->v, room * sizeof(*v));
	if (!v)
		return false;
	t->v = v;
	uint32_t *slots = calloc((size_t)room * 2, sizeof(*slots));
	if (!slots)
		return false;
	free(t->slots);
	t->slots = slots;
	t->room = room;
	for (uint32_t i = 0; i < t->count; i++)
		*names_slot(t, t->v[i], strlen(t->v[i])) = i + 1;
	return true;
}

int64_t trace_names_find(const struct trace_names *t, const char *text, size_t len)
{
	uint32_t slot = t->room ? *names_slot(t, text, len) : 0;
	return slot ? (int64_t)slot - 1 : -ENOENT;
}

int64_t trace_names_add(struct trace_names *t, const char *text, size_t len)
{
	int64_t found = trace_names_find(t, text, len);

	if (found >= 0)
		return found;
	if (t->count >= LIMIT_FILES)
		return -E2BIG;
	if (t->count == t->room && !names_grow(t))
		return -ENOMEM;
	char *name = strndup(text, len);
	if (!name)
		return -ENOMEM;
	t->v[t->count] = name;
	*names_slot(t, text, len) = t->count + 1;
	return t->count++;
}

void trace_names_done(struct trace_names *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		free(t->v[i]);
	free(t->v);
	free(t->slots);
	*t = (struct trace_names){0};
}
