/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/meet.h"

#include "base/arena.h"
#include "base/scope.h"
#include "sys/device.h"
#include "sys/mounts.h"
#include "sys/stack.h"
#include "sys/survey.h"
#include "sys/sysroot.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* PATH, or the folder that it will be in. */
static int find_place(const struct sysroot *r, const char *path, struct place *ret)
{
	char folder[PATH_MAX];
	int rc = sysroot_place(r, path, ret);

	if (rc != -ENOENT || snprintf(folder, sizeof(folder), "%s", path) >= PATH_MAX)
		return rc;
	char *slash = strrchr(folder, '/');
	if (!slash)
		return sysroot_place(r, ".", ret);
	slash[slash == folder] = '\0';
	return sysroot_place(r, folder, ret);
}

/* Everything below AT, itself included. */
static void mark_below(const struct stack *st, uint32_t at, bool seen[STACK_LAYERS])
{
	if (at >= st->count || seen[at])
		return;
	seen[at] = true;
	for (uint32_t i = 0; i < st->v[at].on_count; i++)
		mark_below(st, st->v[at].on[i], seen);
}

static enum meet compare(const struct stack *st, uint32_t path, uint32_t other, bool device,
	char name[MEET_NAME])
{
	bool mine[STACK_LAYERS] = {false}, theirs[STACK_LAYERS] = {false};

	mark_below(st, path, mine);
	mark_below(st, other, theirs);
	for (uint32_t i = 0; i < st->count; i++) {
		const struct layer *l = &st->v[i];
		bool itself = device && i == other;
		if (!mine[i] || !theirs[i] || !l->block || (!itself && l->on_count))
			continue;
		snprintf(name, MEET_NAME, "%s", l->id);
		return itself ? MEET_ITSELF : MEET_DISK;
	}
	return MEET_NOWHERE;
}

enum meet meet_find(const struct sysroot *r, const char *path, const char *other,
	char name[MEET_NAME])
{
	scope_with(arena_done) struct arena arena = {0};
	scope_with(mounts_done) struct mounts mounts = {0};
	struct survey s = {.root = r, .arena = &arena};
	struct place here, there;
	struct stack st = {0};

	if (find_place(r, path, &here) < 0 || find_place(r, other, &there) < 0 ||
		mounts_load(r, &mounts) < 0)
		return MEET_NOWHERE;
	/* A stack has each layer once, so that both meet where they share one. */
	uint32_t at = stack_add(&s, &mounts, &st, &here);
	uint32_t to = stack_add(&s, &mounts, &st, &there);
	return compare(&st, at, to, there.block, name);
}
