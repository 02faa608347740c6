/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/prepare/environment.h"

#include "base/bits.h"
#include "base/log.h"
#include "plan/plan.h"
#include "result/environment.h"
#include "run/prepare/guard.h"
#include "sys/apart.h"
#include "sys/clock.h"
#include "sys/extents.h"
#include "sys/mark.h"
#include "sys/mounts.h"
#include "sys/signature.h"
#include "sys/sysroot.h"
#include "sys/use.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define EXTENTS_NS  (20 * NS_PER_MS) /* a file; one of a million extents has so many in it */
#define PATIENCE_NS (2 * NS_PER_S)   /* of a run */
#define NVME_MAX    8
#define ATA_MAX     4
#define HOLDS_TEXT  160

/* ---- what may wait for a device: in a process of its own ---- */

struct asked {
	const char *files[ENVIRONMENT_TARGETS];
	const char *nvme[NVME_MAX], *ata[ATA_MAX];
	enum ata_kind ata_kind[ATA_MAX];
	const char *devices[ENVIRONMENT_TARGETS]; /* whose signatures are wanted */
	uint32_t files_count, nvme_count, ata_count, devices_count;
};

struct answers {
	uint32_t files_done, nvme_done, ata_done, devices_done;
	int file_rc[ENVIRONMENT_TARGETS], nvme_rc[NVME_MAX], ata_rc[ATA_MAX],
		device_rc[ENVIRONMENT_TARGETS];
	char holds[ENVIRONMENT_TARGETS][HOLDS_TEXT];
	struct extents extents[ENVIRONMENT_TARGETS];
	struct nvme_raw nvme[NVME_MAX];
	char ata[ATA_MAX][ATA_TEXT]; /* last: only as much of it as is asked for is shared */
};

static int ask(void *ctx, void *room)
{
	const struct asked *q = ctx;
	struct answers *a = room;

	for (; a->files_done < q->files_count; a->files_done++)
		a->file_rc[a->files_done] = extents_find(q->files[a->files_done], EXTENTS_NS,
			&a->extents[a->files_done]);
	for (; a->nvme_done < q->nvme_count; a->nvme_done++)
		a->nvme_rc[a->nvme_done] = nvme_read_device(q->nvme[a->nvme_done],
			&a->nvme[a->nvme_done]);
	for (; a->devices_done < q->devices_count; a->devices_done++)
		a->device_rc[a->devices_done] = signature_find(q->devices[a->devices_done],
			a->holds[a->devices_done], HOLDS_TEXT);
	for (; a->ata_done < q->ata_count; a->ata_done++)
		a->ata_rc[a->ata_done] = ata_ask(q->ata[a->ata_done], q->ata_kind[a->ata_done],
			a->ata[a->ata_done]);
	return 0;
}

struct capture {
	const struct environment_how *how;
	struct environment *e;
	struct survey s;
	struct mounts mounts;
	struct asked asked;
	struct apart apart; /* answers while the rest is looked at; pid 0: nobody is asked */
	uint32_t file_target[ENVIRONMENT_TARGETS], nvme_layer[NVME_MAX]; /* who asked */
	uint32_t device_target[ENVIRONMENT_TARGETS], ata_layer[ATA_MAX];
};

static void take_extents(struct capture *c, uint32_t i, const struct answers *a)
{
	struct target_facts *t = &c->e->targets[c->file_target[i]];
	const struct extents *x = &a->extents[i];
	int rc = i < a->files_done ? a->file_rc[i] : -ETIMEDOUT;

	if (rc < 0) {
		if (rc != -EOPNOTSUPP && rc != -ENOTTY)
			survey_gap_text(&c->s, t->path, strerror(-rc));
		return;
	}
	t->extents = x->count;
	t->written_bytes = x->written;
	t->unwritten_bytes = x->unwritten;
	t->hole_bytes = x->holes;
	t->shared_bytes = x->shared;
	t->encoded_bytes = x->encoded;
	t->extents_complete = x->complete;
}

static void take_nvme(struct capture *c, uint32_t i, const struct answers *a)
{
	struct layer *l = &c->e->stack.v[c->nvme_layer[i]];
	int rc = i < a->nvme_done ? a->nvme_rc[i] : -ETIMEDOUT;

	if (rc != 0)
		survey_gap_text(&c->s, c->asked.nvme[i],
			rc < 0 ? strerror(-rc) : "the controller refuses a command");
	l->nvme = rc == -ETIMEDOUT ? NULL : arena_alloc(&c->e->arena, sizeof(*l->nvme));
	if (!l->nvme)
		return;
	nvme_from_raw(&c->e->arena, &a->nvme[i], l->nvme);
	if (!facts_any(&nvme_table, l->nvme))
		l->nvme = NULL;
}

/* Without smartmontools nothing is missing that could have been read. */
static void take_ata(struct capture *c, uint32_t i, const struct answers *a)
{
	struct layer *l = &c->e->stack.v[c->ata_layer[i]];
	int rc = i < a->ata_done ? a->ata_rc[i] : -ETIMEDOUT;
	struct ata_facts *f = rc == 0 ? arena_alloc(&c->e->arena, sizeof(*f)) : NULL;
	const char *why = rc < 0 ? strerror(-rc) : "out of memory";

	if (f)
		rc = ata_decode(&c->e->arena, a->ata[i], f, &why);
	if (f && rc == 0)
		l->ata = f;
	else if (rc != -ENOENT)
		survey_gap_text(&c->s, c->asked.ata[i], why);
}

static void take_signature(struct capture *c, uint32_t i, const struct answers *a)
{
	struct target_facts *t = &c->e->targets[c->device_target[i]];
	int rc = i < a->devices_done ? a->device_rc[i] : -ETIMEDOUT;

	if (rc > 0)
		t->holds = survey_printf(&c->s, "%.*s", HOLDS_TEXT - 1, a->holds[i]);
	else if (rc < 0)
		survey_gap_text(&c->s, t->path,
			rc == -ENOSYS ? "weir was built without libblkid" : strerror(-rc));
}

static void ask_devices(struct capture *c)
{
	if ((!sysroot_is_real(c->how->root) && !c->how->ask_devices) ||
		!(c->asked.files_count + c->asked.nvme_count + c->asked.ata_count +
			c->asked.devices_count))
		return;
	size_t size = offsetof(struct answers, ata) + c->asked.ata_count * ATA_TEXT;
	if (apart_begin(&c->apart, ask, &c->asked, size) < 0)
		c->apart.pid = 0;
}

static void take_answers(struct capture *c)
{
	struct answers *a;

	if (!c->apart.pid)
		return;
	a = malloc(sizeof(*a));
	int rc = apart_end(&c->apart, a, c->how->patience_ns);
	if (!a || (rc < 0 && rc != -ETIMEDOUT)) {
		free(a);
		return;
	}
	for (uint32_t i = 0; i < c->asked.files_count; i++)
		take_extents(c, i, a);
	for (uint32_t i = 0; i < c->asked.nvme_count; i++)
		take_nvme(c, i, a);
	for (uint32_t i = 0; i < c->asked.devices_count; i++)
		take_signature(c, i, a);
	for (uint32_t i = 0; i < c->asked.ata_count; i++)
		take_ata(c, i, a);
	free(a);
}

/* ---- targets ---- */

static const char *kind_of(const struct place *p)
{
	if (p->block)
		return "block device";
	switch (p->mode & S_IFMT) {
	case S_IFDIR:
		return "directory";
	case S_IFCHR:
		return "character device";
	case S_IFIFO:
		return "pipe";
	case S_IFSOCK:
		return "socket";
	default:
		return "file";
	}
}

/* The nearest folder above PATH that is there. */
static int nearest_folder(const struct sysroot *r, const char *path, char *at,
	struct place *ret)
{
	if (snprintf(at, PATH_MAX, "%s", path) >= PATH_MAX)
		return -ENAMETOOLONG;
	for (;;) {
		char *slash = strrchr(at, '/');
		if (!slash)
			memcpy(at, ".", 2);
		else
			slash[slash == at] = '\0';
		int rc = sysroot_place(r, at, ret);
		if (rc != -ENOENT || !slash || slash == at)
			return rc;
	}
}

static void missing_target(struct capture *c, struct target_facts *t)
{
	struct place folder, dev;
	char at[PATH_MAX];

	t->kind = "missing";
	if (nearest_folder(c->how->root, t->path, at, &folder) < 0)
		return;
	if (sysroot_place(c->how->root, "/dev", &dev) == 0 && dev.dev == folder.dev)
		return; /* nothing is made among the device nodes */
	t->folder = survey_copy(&c->s, at);
	t->on = stack_add(&c->s, &c->mounts, &c->e->stack, &folder);
}

static void ask_extents(struct capture *c, uint32_t index, const struct place *place)
{
	const struct target_facts *t = &c->e->targets[index];
	const struct layer *l = t->on == STACK_NOTHING ? NULL : &c->e->stack.v[t->on];

	if (!S_ISREG(place->mode) || !l || (l->filesystem && l->filesystem->remote == 1))
		return;
	c->file_target[c->asked.files_count] = index;
	c->asked.files[c->asked.files_count++] = t->path;
}

/* What a job that writes there would meet. */
static void find_danger(struct capture *c, uint32_t index, const struct place *place)
{
	struct target_facts *t = &c->e->targets[index];
	struct use use;

	if (!c->how->danger)
		return;
	if (!place->block) {
		if (S_ISREG(place->mode) && place->bytes && !mark_get_path(t->path))
			t->holds = survey_copy(&c->s, "bytes that weir didn't write");
		return;
	}
	int rc = use_find(c->how->root, place->rdev, &use);
	if (rc < 0)
		survey_gap_text(&c->s, t->path, "whether it is used can't be found out");
	else if (use.kind != USE_NONE)
		t->used_by = survey_printf(&c->s, "%s%s", use.own ? "it " : "", use.text);
	else if (use_find_beside(c->how->root, place->rdev, &use) == 0 && use.kind != USE_NONE)
		t->used_beside = survey_copy(&c->s, use.text);
	c->device_target[c->asked.devices_count] = index;
	c->asked.devices[c->asked.devices_count++] = t->path;
}

static void find_target(struct capture *c, const char *path)
{
	struct environment *e = c->e;
	struct target_facts *t = &e->targets[e->targets_count];
	struct place place;

	facts_forget(&target_table, t);
	t->on = STACK_NOTHING;
	t->path = survey_copy(&c->s, path);
	if (!t->path)
		return;
	e->targets_count++;
	int rc = sysroot_place(c->how->root, path, &place);
	if (rc == -ENOENT) {
		missing_target(c, t);
		return;
	}
	if (rc < 0) {
		t->kind = "not accessible";
		survey_gap_text(&c->s, path, strerror(-rc));
		return;
	}
	t->kind = kind_of(&place);
	if (!place.block && S_ISREG(place.mode)) {
		t->size_bytes = place.bytes;
		t->allocated_bytes = place.allocated_bytes;
	}
	if (place.direct_offset_align) {
		t->direct_memory_align = place.direct_memory_align;
		t->direct_offset_align = place.direct_offset_align;
	}
	t->on = stack_add(&c->s, &c->mounts, &e->stack, &place);
	ask_extents(c, e->targets_count - 1, &place);
	find_danger(c, e->targets_count - 1, &place);
}

static void ask_nvme(struct capture *c)
{
	for (uint32_t i = 0; i < c->e->stack.count && c->asked.nvme_count < NVME_MAX; i++) {
		const struct layer *l = &c->e->stack.v[i];
		if (strcmp(l->kind, "disk") != 0 || strncmp(l->id, "nvme", 4) != 0)
			continue;
		const char *path = survey_printf(&c->s, "/dev/%s", l->id);
		if (!path)
			return;
		c->nvme_layer[c->asked.nvme_count] = i;
		c->asked.nvme[c->asked.nvme_count++] = path;
	}
}

/* SATA disks have names of SCSI's, and SCSI's layer gives them this vendor.  Others that
 * smartctl may know (behind USB, say) are asked only by who wants to know all. */
static bool may_be_ata(const struct capture *c, const struct layer *l, enum ata_kind *ret_kind)
{
	const struct block_facts *b = l->block;
	bool sure = b && ((b->vendor && !strcmp(b->vendor, "ATA")) ||
				 (b->transport && !strcmp(b->transport, "sata")));

	*ret_kind = sure ? ATA_SURE : ATA_MAYBE;
	return !strcmp(l->kind, "disk") && !strncmp(l->id, "sd", 2) && (sure || c->how->health);
}

/* The kernel wakes a disk that it suspended itself when anybody opens it. */
static bool is_suspended(struct capture *c, const struct layer *l)
{
	const char *status = l->block && l->block->number
				     ? survey_text(&c->s,
					       "/sys/dev/block/%s/device/power/runtime_status",
					       l->block->number)
				     : NULL;

	return status && !strcmp(status, "suspended");
}

static void ask_ata(struct capture *c)
{
	for (uint32_t i = 0; i < c->e->stack.count && c->asked.ata_count < ATA_MAX; i++) {
		const struct layer *l = &c->e->stack.v[i];
		enum ata_kind kind;
		if (!may_be_ata(c, l, &kind))
			continue;
		const char *path = survey_printf(&c->s, "/dev/%s", l->id);
		if (!path)
			return;
		if (is_suspended(c, l)) {
			survey_gap_text(&c->s, path, "it sleeps, and was left asleep");
			continue;
		}
		c->asked.ata_kind[c->asked.ata_count] = kind;
		c->ata_layer[c->asked.ata_count] = i;
		c->asked.ata[c->asked.ata_count++] = path;
	}
}

static void find_targets(struct capture *c)
{
	const struct environment_how *how = c->how;
	struct environment *e = c->e;
	int rc = mounts_load(how->root, &c->mounts);

	if (rc < 0)
		survey_gap(&c->s, "/proc/self/mountinfo", rc);
	e->targets = arena_array(&e->arena, ENVIRONMENT_TARGETS, sizeof(*e->targets));
	for (uint32_t i = 0; e->targets && i < how->paths_count; i++) {
		if (e->targets_count < ENVIRONMENT_TARGETS)
			find_target(c, how->paths[i]);
		else
			e->targets_more++;
	}
	e->targets_more += how->paths_more;
	ask_nvme(c);
	ask_ata(c);
	ask_devices(c);
	mounts_done(&c->mounts);
}

/* ---- all of it ---- */

static void find_clock(struct capture *c)
{
	const struct clock *from = c->how->clock;
	struct clock_facts *to = &c->e->clock;

	if (!from)
		return;
	to->name = survey_copy(&c->s, from->name);
	to->why_not_tsc = from->why ? survey_copy(&c->s, from->why) : NULL;
	to->stamp_cost_ns = from->stamp_cost_ns;
	to->step_ns = from->step_ns;
	if (from->tsc)
		to->error_ppm = from->error_ppm;
}

static int keep_gaps(struct capture *c)
{
	struct survey_gap *gaps = arena_array(&c->e->arena, c->s.gaps_count + 1, sizeof(*gaps));
	if (!gaps)
		return -ENOMEM;
	memcpy(gaps, c->s.gaps, c->s.gaps_count * sizeof(*gaps));
	c->e->gaps = gaps;
	c->e->gaps_count = c->s.gaps_count;
	c->e->gaps_more = c->s.gaps_more;
	return 0;
}

struct environment *environment_capture(const struct environment_how *how)
{
	struct environment *e = environment_new();
	struct capture c = {.how = how, .e = e};
	uint64_t began = clock_kernel_ns();

	if (!e)
		return NULL;
	c.s = (struct survey){.root = how->root, .arena = &e->arena};
	find_targets(&c);
	host_find(&c.s, &e->host);
	cpu_find(&c.s, &e->cpu);
	memory_find(&c.s, &e->memory);
	group_find(&c.s, &e->group);
	load_find(&c.s, &e->load);
	limit_find(&c.s, &e->limits);
	find_clock(&c);
	take_answers(&c);
	int rc = keep_gaps(&c);
	if (rc == 0 && !how->full)
		rc = environment_mask(e);
	log_debug(LOG_RUN, "environment: %u targets, %u layers, %zu bytes, %.2f ms",
		e->targets_count, e->stack.count, e->arena.used,
		(double)(clock_kernel_ns() - began) / 1e6);
	if (rc < 0 || c.s.failed) {
		environment_free(e);
		return NULL;
	}
	return e;
}

struct environment *environment_of_plan(const struct plan *plan, const struct clock *clock,
	bool full)
{
	const char *paths[ENVIRONMENT_TARGETS];
	uint32_t seen[ENVIRONMENT_TARGETS], count = 0;
	struct environment_how how = {
		.root = &sysroot_real,
		.paths = paths,
		.clock = clock,
		.full = full,
		.patience_ns = PATIENCE_NS,
	};

	for (uint32_t i = 0; i < plan->workers_count; i++) {
		const struct plan_worker *w = &plan->workers[i];
		bool opens = guard_opens_files(w);
		for (uint32_t k = 0; opens && k < w->files.count && count < COUNT_OF(paths);
			k++) {
			uint32_t target = w->files.targets[k], j = 0;
			while (j < count && seen[j] != target)
				j++;
			if (j < count)
				continue;
			seen[count] = target;
			paths[count++] = plan->targets[target].path;
		}
	}
	how.paths_count = count;
	how.paths_more = count == COUNT_OF(paths) ? plan->targets_count - count : 0;
	return environment_capture(&how);
}
