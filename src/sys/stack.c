/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/stack.h"

#include "base/arena.h"
#include "base/bits.h"
#include "base/str.h"
#include "sys/device.h"
#include "sys/mounts.h"
#include "sys/survey.h"
#include "sys/sysroot.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#define DEPTH_MAX 16

static const struct fact filesystem_rows[] = {
	TEXT_FACT(struct filesystem_facts, type),
	TEXT_FACT(struct filesystem_facts, point),
	TEXT_FACT(struct filesystem_facts, source),
	TEXT_FACT(struct filesystem_facts, flags),
	TEXT_FACT(struct filesystem_facts, options),
	COUNT_FACT(struct filesystem_facts, block_bytes),
	COUNT_FACT(struct filesystem_facts, size_bytes),
	COUNT_FACT(struct filesystem_facts, free_bytes),
	COUNT_FACT(struct filesystem_facts, available_bytes),
	COUNT_FACT(struct filesystem_facts, inodes),
	COUNT_FACT(struct filesystem_facts, inodes_free),
	FLAG_FACT(struct filesystem_facts, remote),
	COUNT_FACT(struct filesystem_facts, errors),
	COUNT_FACT(struct filesystem_facts, lifetime_write_bytes),
};

FACT_TABLE(filesystem_table, filesystem_rows);

struct walk {
	struct survey *s;
	const struct mounts *mounts;
	struct stack *st;
	unsigned depth;
};

static uint32_t add_device(struct walk *w, dev_t rdev);
static uint32_t add_place(struct walk *w, const struct place *place);

/* ---- the list ---- */

static uint32_t find(const struct walk *w, const char *id)
{
	for (uint32_t i = 0; i < w->st->count; i++)
		if (strcmp(w->st->v[i].id, id) == 0)
			return i;
	return STACK_NOTHING;
}

static uint32_t push(struct walk *w, const char *id, const char *kind)
{
	struct stack *st = w->st;

	if (!st->v)
		st->v = arena_array(w->s->arena, STACK_LAYERS, sizeof(*st->v));
	if (!st->v || !id || st->count == STACK_LAYERS) {
		st->truncated = true;
		return STACK_NOTHING;
	}
	st->v[st->count] = (struct layer){.id = id, .kind = kind};
	return st->count++;
}

static void put_on(struct walk *w, uint32_t at, uint32_t below)
{
	struct layer *l = &w->st->v[at];

	if (below == STACK_NOTHING)
		return;
	for (uint32_t i = 0; i < l->on_count; i++)
		if (l->on[i] == below)
			return;
	if (l->on_count == STACK_BELOW)
		l->on_more = true;
	else
		l->on[l->on_count++] = below;
}

static void *room_for(struct walk *w, size_t bytes)
{
	void *room = arena_alloc(w->s->arena, bytes);
	w->s->failed |= !room;
	return room;
}

static bool put_path(struct walk *w, uint32_t at, const char *path)
{
	struct place place;
	if (*path != '/' || sysroot_place(w->s->root, path, &place) < 0)
		return false;
	put_on(w, at, add_place(w, &place));
	return true;
}

/* ---- block devices ---- */

static bool has_number(const char *name, const char *prefix)
{
	size_t len = strlen(prefix);
	return strncmp(name, prefix, len) == 0 && name[len] >= '0' && name[len] <= '9';
}

static const char *device_kind(struct survey *s, dev_t rdev, const struct block_facts *b)
{
	static const char *const names[] = {"loop", "zram", "nbd", "ram", "bcache"};

	if (device_is_partition(s->root, rdev))
		return "partition";
	if (b->map_kind)
		return b->map_kind;
	if (b->md_level)
		return "md";
	for (size_t i = 0; b->name && i < COUNT_OF(names); i++)
		if (has_number(b->name, names[i]))
			return names[i];
	return "disk";
}

static void below_device(struct walk *w, uint32_t at, dev_t rdev)
{
	const struct block_facts *b = w->st->v[at].block;
	struct device_list slaves = {0};
	struct device disk;

	if (!strcmp(w->st->v[at].kind, "partition")) {
		if (device_whole(w->s->root, rdev, &disk) == 0)
			put_on(w, at, add_device(w, disk.rdev));
		return;
	}
	if (b->backing_file)
		put_path(w, at, b->backing_file);
	device_related(w->s->root, rdev, DEVICE_SLAVES, &slaves);
	for (size_t i = 0; i < slaves.count; i++)
		put_on(w, at, add_device(w, slaves.v[i].rdev));
	device_list_done(&slaves);
	const char *backing = survey_text(w->s, "/sys/dev/block/%u:%u/backing_dev", major(rdev),
		minor(rdev));
	if (backing && *backing == '/')
		put_path(w, at, backing);
}

static uint32_t add_device(struct walk *w, dev_t rdev)
{
	struct block_facts *b;
	struct device self;

	if (device_find(w->s->root, rdev, &self) < 0)
		return STACK_NOTHING;
	uint32_t at = find(w, self.name);
	if (at != STACK_NOTHING || w->depth >= DEPTH_MAX)
		return at;
	b = room_for(w, sizeof(*b));
	if (!b)
		return STACK_NOTHING;
	block_find(w->s, rdev, b);
	at = push(w, b->name, device_kind(w->s, rdev, b));
	if (at == STACK_NOTHING)
		return at;
	w->st->v[at].block = b;
	if (strcmp(w->st->v[at].kind, "partition") != 0) {
		w->st->v[at].queue = room_for(w, sizeof(struct queue_facts));
		if (w->st->v[at].queue)
			queue_find(w->s, rdev, w->st->v[at].queue);
	}
	if (!strcmp(w->st->v[at].kind, "disk")) {
		struct controller_facts c;
		controller_find(w->s, rdev, &c);
		struct controller_facts *keep = facts_any(&controller_table, &c)
							? room_for(w, sizeof(c))
							: NULL;
		if (keep)
			*keep = c;
		w->st->v[at].controller = keep;
	}
	w->depth++;
	below_device(w, at, rdev);
	w->depth--;
	return at;
}

/* ---- file systems ---- */

static bool is_remote(const char *type)
{
	static const char *const types[] = {"nfs", "nfs4", "cifs", "smb3", "9p", "afs", "ceph",
		"glusterfs", "lustre", "gpfs", "beegfs", "fuse.sshfs", "fuse.glusterfs",
		"fuse.s3fs", "virtiofs", "ocfs2", "orangefs"};
	for (size_t i = 0; i < COUNT_OF(types); i++)
		if (strcmp(type, types[i]) == 0)
			return true;
	return false;
}

static void own_counters(struct survey *s, const struct mount *m, const struct place *source,
	struct filesystem_facts *f)
{
	struct device d;

	if (device_find(s->root, major(m->dev) ? m->dev : source->rdev, &d) < 0)
		return;
	f->errors = survey_count(s, "/sys/fs/%s/%s/errors_count", m->type, d.name);
	uint64_t kib = survey_count(s, "/sys/fs/%s/%s/lifetime_write_kbytes", m->type, d.name);
	if (kib < UINT64_MAX / 1024)
		f->lifetime_write_bytes = kib * 1024;
}

static void fill_filesystem(struct walk *w, const struct mount *m, const struct place *source,
	struct filesystem_facts *f)
{
	struct room room;

	facts_forget(&filesystem_table, f);
	f->type = survey_copy(w->s, m->type);
	f->point = survey_copy(w->s, m->point);
	f->source = survey_copy(w->s, m->source);
	f->flags = survey_copy(w->s, m->flags);
	f->options = survey_copy(w->s, m->options);
	f->remote = is_remote(m->type);
	if (f->remote) {
		survey_gap_text(w->s, m->point, "its server was not asked for free space");
		return;
	}
	int rc = sysroot_room(w->s->root, m->point, &room);
	if (rc < 0) {
		survey_gap(w->s, m->point, rc);
	} else {
		f->block_bytes = room.block_bytes;
		f->size_bytes = room.bytes;
		f->free_bytes = room.free_bytes;
		f->available_bytes = room.available_bytes;
		f->inodes = room.inodes;
		f->inodes_free = room.inodes_free;
	}
	own_counters(w->s, m, source, f);
}

/* The folders of an overlay: the upper one is written to, the lower ones are read.  From inside
 * a container they aren't seen, and relative ones are those of whoever mounted it: when the one
 * that counts most isn't found, that is told. */
static void below_overlay(struct walk *w, uint32_t at, const struct mount *m)
{
	char upper[PATH_MAX] = "", lower[PATH_MAX] = "";
	bool has_upper = mount_option(m, "upperdir", upper, sizeof(upper)) == 0;
	bool found = has_upper && put_path(w, at, upper);

	if (mount_option(m, "lowerdir", lower, sizeof(lower)) == 0)
		for (char *rest = lower, *one; (one = strsep(&rest, ":"));)
			if (*one)
				found |= put_path(w, at, one) && !has_upper;
	const char *why =
		found ? NULL
		      : survey_printf(w->s,
				"the overlay at %s lies on it, and it can't be seen from here",
				m->point);
	if (why)
		survey_gap_text(w->s, has_upper ? upper : lower, why);
}

static void below_btrfs(struct walk *w, uint32_t at, dev_t member)
{
	struct device d;
	bool found = false;
	const char *uuid, *name;

	if (device_find(w->s->root, member, &d) < 0)
		return;
	DIR *dir = sysroot_dir(w->s->root, "/sys/fs/btrfs");
	while (dir && !found && (uuid = sysroot_next(dir))) {
		found = sysroot_has(w->s->root, "/sys/fs/btrfs/%s/devices/%s", uuid, d.name);
		DIR *members = found ? sysroot_dir(w->s->root, "/sys/fs/btrfs/%s/devices", uuid)
				     : NULL;
		while (members && (name = sysroot_next(members)))
			if (device_find_name(w->s->root, name, &d) == 0)
				put_on(w, at, add_device(w, d.rdev));
		if (members)
			closedir(members);
	}
	if (dir)
		closedir(dir);
	if (!found)
		put_on(w, at, add_device(w, member));
}

static uint32_t add_filesystem(struct walk *w, const struct place *place)
{
	const struct mount *m = place->mount_id ? mounts_by_id(w->mounts, place->mount_id)
						: NULL;
	struct place source = {0};

	if (!m)
		m = mounts_by_dev(w->mounts, place->dev);
	if (!m) /* mounted where we can't see it: below a container's overlay, say */
		return major(place->dev) ? add_device(w, place->dev) : STACK_NOTHING;
	uint32_t at = find(w, m->point);
	if (at != STACK_NOTHING || w->depth >= DEPTH_MAX)
		return at;
	struct filesystem_facts *f = room_for(w, sizeof(*f));
	at = f ? push(w, survey_copy(w->s, m->point), "filesystem") : STACK_NOTHING;
	if (at == STACK_NOTHING)
		return at;
	if (m->source[0] == '/' &&
		(sysroot_place(w->s->root, m->source, &source) < 0 || !source.block))
		source = (struct place){0};
	w->st->v[at].filesystem = f;
	fill_filesystem(w, m, &source, f);
	w->depth++;
	if (!strcmp(m->type, "overlay"))
		below_overlay(w, at, m);
	else if (major(m->dev))
		put_on(w, at, add_device(w, m->dev));
	else if (source.block && !strcmp(m->type, "btrfs"))
		below_btrfs(w, at, source.rdev);
	else if (source.block)
		put_on(w, at, add_device(w, source.rdev));
	w->depth--;
	return at;
}

static uint32_t add_place(struct walk *w, const struct place *place)
{
	return place->block ? add_device(w, place->rdev) : add_filesystem(w, place);
}

uint32_t stack_add(struct survey *s, const struct mounts *mounts, struct stack *st,
	const struct place *place)
{
	struct walk w = {.s = s, .mounts = mounts, .st = st};
	return add_place(&w, place);
}

/* Each layer once: what was imported may lie on itself. */
static void bottom(const struct stack *st, uint32_t at, uint32_t *list, uint32_t max,
	uint32_t *count, bool *seen)
{
	const struct layer *l = &st->v[at];

	if (at >= STACK_LAYERS || seen[at])
		return;
	seen[at] = true;
	for (uint32_t i = 0; i < l->on_count; i++)
		bottom(st, l->on[i], list, max, count, seen);
	if (!l->on_count && l->block && *count < max)
		list[(*count)++] = at;
}

uint32_t stack_bottom(const struct stack *st, uint32_t at, uint32_t *list, uint32_t max)
{
	bool seen[STACK_LAYERS] = {false};
	uint32_t count = 0;

	if (at != STACK_NOTHING)
		bottom(st, at, list, max, &count, seen);
	return count;
}
