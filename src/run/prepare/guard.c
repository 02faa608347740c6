/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/prepare/guard.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/log.h"
#include "base/scope.h"
#include "job/job.h"
#include "plan/plan.h"
#include "run/run.h"
#include "sys/apart.h"
#include "sys/device.h"
#include "sys/signature.h"
#include "sys/sysroot.h"
#include "sys/use.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define PROBE_NS (30 * NS_PER_S) /* when run_how doesn't say */

/* What workers with an engine that opens files do to a target. */
enum act {
	ACT_OPEN = 1u << 0,
	ACT_READ = 1u << 1,
	ACT_CHANGE = 1u << 2, /* write or trim */
};

struct guard {
	const struct sysroot *root;
	const struct plan *plan;
	const struct run_how *how;
	const struct plan_target *t; /* the one that is looked at */
	unsigned acts;               /* what is done to it: enum act */
	struct err *reterr;
};

/* ---- speaking ---- */

/* "jobs.ini:12: [db] filename: TEXT".  Returns CODE. */
static int refuse(const struct guard *g, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static int refuse(const struct guard *g, int code, const char *fmt, ...)
{
	struct err e;
	va_list ap;
	va_start(ap, fmt);
	err_setv(&e, code, fmt, ap);
	va_end(ap);

	const struct plan_worker *w = &g->plan->workers[g->t->first_worker];
	if (!w->job)
		return err_set(g->reterr, code, "[%s] filename: %s", w->name, e.text);
	return job_fail(w->job, "filename", g->reterr, code, "%s", e.text);
}

/* Loud: with an error's weight, as fio's warnings go where its report goes. */
static void warn(const struct run_how *how, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void warn(const struct run_how *how, const char *fmt, ...)
{
	struct err e;
	va_list ap;
	va_start(ap, fmt);
	err_setv(&e, 0, fmt, ap);
	va_end(ap);
	if (how->sink && how->sink->message)
		how->sink->message(how->sink->ctx, RUN_ERROR, e.text);
}

static bool is_changed(const struct guard *g)
{
	return g->acts & ACT_CHANGE;
}

/* ---- consent ---- */

/* --destroy names this very device or file, whatever the spelling. */
static bool is_given(const struct plan_target *t, const char *consent)
{
	struct stat st;
	if (stat(consent, &st) < 0)
		return strcmp(consent, t->path) == 0;
	if (t->found.kind == LOOK_BLOCK)
		return S_ISBLK(st.st_mode) && st.st_rdev == t->found.rdev;
	if (t->found.kind == LOOK_CHAR)
		return S_ISCHR(st.st_mode) && st.st_rdev == t->found.rdev;
	return st.st_dev == t->found.dev && st.st_ino == t->found.inode;
}

static bool has_consent(const struct guard *g)
{
	for (uint32_t i = 0; i < g->how->destroy_count; i++)
		if (is_given(g->t, g->how->destroy[i]))
			return true;
	return false;
}

/* ---- block devices ---- */

static int refuse_use(const struct guard *g, const struct use *u)
{
	const char *path = g->t->path, *it = u->own ? "it " : "";
	switch (u->kind) {
	case USE_MOUNTED:
		return refuse(g, -EBUSY,
			"%s appears mounted, and 'allow_mounted_write' isn't set. Found: %s%s; "
			"unmount it first",
			path, it, u->text);
	case USE_SWAP:
		return refuse(g, -EBUSY,
			"%s can't be written: %s%s; turn it off with swapoff first", path, it,
			u->text);
	default:
		return refuse(g, -EBUSY,
			"%s can't be written: %s%s; write to that, or take it apart first",
			path, it, u->text);
	}
}

static bool may_write_mounted(const struct guard *g)
{
	return g->t->allow_mounted && !g->how->native;
}

static int check_use(const struct guard *g)
{
	struct use u;
	int rc = use_find(g->root, g->t->found.rdev, &u);
	if (rc < 0 && g->how->native)
		return refuse(g, rc,
			"can't find out whether %s is used: %s; weir needs /proc and /sys for "
			"that",
			g->t->path, strerror(-rc));
	if (rc < 0) {
		warn(g->how, "WARNING: can't find out whether %s is used: %s", g->t->path,
			strerror(-rc));
		return 0;
	}
	if (u.kind == USE_NONE || (u.kind == USE_MOUNTED && may_write_mounted(g)))
		return 0;
	return refuse_use(g, &u);
}

#define SIGNATURE_TEXT 256

static int find_signature(void *path, void *text)
{
	return signature_find(path, text, SIGNATURE_TEXT);
}

static int check_signature(const struct guard *g)
{
	char text[SIGNATURE_TEXT];
	const char *path = g->t->path;
	uint64_t timeout_ns = g->how->hang_ns ? g->how->hang_ns : PROBE_NS;

	if (g->how->native && has_consent(g))
		return 0;
	int found = apart_run(find_signature, (void *)(uintptr_t)path, text, sizeof(text),
		timeout_ns);
	text[sizeof(text) - 1] = '\0';
	log_debug(LOG_RUN, "signature of %s: %d %s", path, found, text);
	if (found == -ETIMEDOUT)
		return refuse(g, found,
			"%s doesn't answer: no block of it could be read for %" PRIu64 " s",
			path, timeout_ns / NS_PER_S);
	if (found == 0 || found == -EACCES || found == -EPERM)
		return 0; /* who may not read it gets the open's own error */
	if (!g->how->native) {
		if (found > 0)
			warn(g->how, "WARNING: %s holds data (%s), and this run overwrites it",
				path, text);
		return 0;
	}
	if (found > 0)
		return refuse(g, -EPERM,
			"%s holds data: %s; if it may be lost, say so with --destroy=%s", path,
			text, path);
	return refuse(g, -EPERM,
		"can't see whether %s holds data: %s; if all on it may be lost, say so with "
		"--destroy=%s",
		path, found == -ENOSYS ? "weir was built without libblkid" : strerror(-found),
		path);
}

static int check_block(const struct guard *g)
{
	const struct plan_target *t = g->t;
	if (t->bytes_wanted > t->found.bytes)
		return refuse(g, -ENOSPC,
			"%s has %" PRIu64 " bytes, the job wants %" PRIu64
			"; ask for less with size",
			t->path, t->found.bytes, t->bytes_wanted);
	if (!is_changed(g))
		return 0;
	/* The kernel opens such a device for writing and fails each write; as fio it may. */
	if (g->how->native && device_is_read_only(g->root, t->found.rdev))
		return refuse(g, -EROFS,
			"%s is a read-only device (blockdev --getro); blockdev --setrw makes it "
			"writable, a loop device made with losetup -r has to be made anew",
			t->path);
	int rc = check_use(g);
	return rc < 0 ? rc : check_signature(g);
}

/* ---- files and the rest ---- */

static int check_missing(const struct guard *g)
{
	const struct plan_target *t = g->t;
	struct stat st;

	if (t->found.on_dev)
		return refuse(g, -ENOENT,
			"%s doesn't exist, and no file is made among the device nodes; check "
			"the "
			"name of the device",
			t->path);
	const bool named = lstat(t->path, &st) == 0;
	if (named && !S_ISLNK(st.st_mode))
		return refuse(g, -EEXIST,
			"%s didn't exist a moment ago: another program makes it; start again "
			"when it is done",
			t->path);
	if (named)
		return refuse(g, -ENOENT, "%s is a link to something that doesn't exist",
			t->path);
	if (!t->create)
		return refuse(g, -ENOENT,
			"%s doesn't exist, and allow_file_create=0 forbids to make it",
			t->path);
	if (g->how->read_only)
		return refuse(g, -EROFS,
			"%s doesn't exist and would have to be made (%" PRIu64
			" bytes), which --readonly forbids",
			t->path, t->bytes_wanted);
	return 0;
}

static int check_file(const struct guard *g)
{
	const struct plan_target *t = g->t;
	bool small = !t->no_layout && g->acts & ACT_READ && t->bytes_wanted > t->found.bytes;

	if (small && g->how->read_only)
		return refuse(g, -EROFS,
			"%s has %" PRIu64 " bytes, the job reads %" PRIu64
			", and --readonly forbids to extend it; ask for less with size",
			t->path, t->found.bytes, t->bytes_wanted);
	if (small && t->found.bytes && !t->found.marked && !is_changed(g))
		return refuse(g, -EPERM,
			"%s has %" PRIu64 " bytes, the job reads %" PRIu64
			", and a file that weir didn't make is never changed by a read job; "
			"ask for "
			"size=%" PRIu64 " or less, or name a file that doesn't exist yet",
			t->path, t->found.bytes, t->bytes_wanted, t->found.bytes);
	if (g->how->native && is_changed(g) && t->found.bytes && !t->found.marked &&
		!has_consent(g))
		return refuse(g, -EPERM,
			"%s has %" PRIu64
			" bytes that weir didn't write; if they may be lost, say so "
			"with --destroy=%s, or name another file",
			t->path, t->found.bytes, t->path);
	return 0;
}

/* Null, zero and full keep nothing; other character devices may be anything. */
static int check_char(const struct guard *g)
{
	const struct plan_target *t = g->t;
	unsigned minor_no = minor(t->found.rdev);
	bool harmless = major(t->found.rdev) == 1 &&
			(minor_no == 3 || minor_no == 5 || minor_no == 7);

	if (!is_changed(g) || harmless || !g->how->native || has_consent(g))
		return 0;
	return refuse(g, -EPERM,
		"%s is a character device; if what is behind it may be lost, say so with "
		"--destroy=%s",
		t->path, t->path);
}

static int check_target(const struct guard *g)
{
	const struct plan_target *t = g->t;

	if (t->found.error)
		return refuse(g, t->found.error, "can't look at %s: %s", t->path,
			strerror(-t->found.error));
	if (g->how->read_only && is_changed(g))
		return refuse(g, -EROFS, "%s would be written, which --readonly forbids",
			t->path);
	switch (t->found.kind) {
	case LOOK_NOTHING:
		return check_missing(g);
	case LOOK_FILE:
		return check_file(g);
	case LOOK_BLOCK:
		return check_block(g);
	case LOOK_CHAR:
		return check_char(g);
	case LOOK_DIRECTORY:
		return refuse(g, -EISDIR,
			"%s is a directory; name a file in it, or give it as directory=%s",
			t->path, t->path);
	case LOOK_PIPE:
		return 0;
	case LOOK_OTHER:
		break;
	}
	return refuse(g, -EINVAL, "%s is neither a file nor a device", t->path);
}

/* ---- all targets ---- */

bool guard_opens_files(const struct plan_worker *w)
{
	return !(engine_chain_base(&w->queue.chain)->flags & ENGINE_NO_FILES);
}

static unsigned acts_of(const struct plan_worker *w)
{
	const bool *use = w->pattern.use;
	if (!guard_opens_files(w))
		return 0;
	return ACT_OPEN | (use[DIR_READ] ? ACT_READ : 0) |
	       (use[DIR_WRITE] || use[DIR_TRIM] ? ACT_CHANGE : 0);
}

int guard_check_at(const struct sysroot *root, const struct plan *plan,
	const struct run_how *how, struct err *reterr)
{
	scope_mem unsigned *acts = calloc(plan->targets_count + 1, sizeof(*acts));
	if (!acts)
		return err_set(reterr, -ENOMEM, "out of memory for %u targets",
			plan->targets_count);
	for (uint32_t i = 0; i < plan->workers_count; i++) {
		const struct plan_worker *w = &plan->workers[i];
		for (uint32_t k = 0; k < w->files.count; k++)
			acts[w->files.targets[k]] |= acts_of(w);
	}
	for (uint32_t i = 0; i < plan->targets_count; i++) {
		struct guard g = {
			.root = root,
			.plan = plan,
			.how = how,
			.t = &plan->targets[i],
			.acts = acts[i],
			.reterr = reterr,
		};
		int rc = acts[i] ? check_target(&g) : 0;
		if (rc < 0)
			return rc;
	}
	return 0;
}

int guard_check(const struct plan *plan, const struct run_how *how, struct err *reterr)
{
	return guard_check_at(&sysroot_real, plan, how, reterr);
}

/* ---- claims ---- */

struct guard_claims {
	size_t count;
	struct {
		dev_t rdev;
		int fd;
	} v[];
};

/* Somebody holds the device although check_use() found nobody. */
static int claim_busy(const struct guard *g)
{
	int rc = check_use(g); /* perhaps it was mounted since */
	if (rc < 0)
		return rc;
	if (g->how->native)
		return refuse(g, -EBUSY,
			"%s is held exclusively by another program; end that first",
			g->t->path);
	warn(g->how,
		"WARNING: %s is held exclusively by another program, and this run writes to it",
		g->t->path);
	return 0;
}

/* It is a disk of which this run holds a partition, or the other way round. */
static bool claim_is_ours(const struct guard *g, const struct guard_claims *claims)
{
	struct device disk, other;
	if (device_whole(g->root, g->t->found.rdev, &disk) < 0)
		return false;
	for (size_t i = 0; i < claims->count; i++)
		if (device_whole(g->root, claims->v[i].rdev, &other) == 0 &&
			other.rdev == disk.rdev)
			return true;
	return false;
}

static int claim_target(const struct guard *g, struct guard_claims *claims)
{
	const struct plan_target *t = g->t;
	if (t->found.kind != LOOK_BLOCK || may_write_mounted(g))
		return 0;
	for (size_t i = 0; i < claims->count; i++)
		if (claims->v[i].rdev == t->found.rdev)
			return 0;
	int fd = open(t->path, O_RDONLY | O_EXCL | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 && errno == EBUSY)
		return claim_is_ours(g, claims) ? 0 : claim_busy(g);
	if (fd < 0) { /* the worker's own open says it better */
		log_debug(LOG_RUN, "no claim of %s: %s", t->path, strerror(errno));
		return 0;
	}
	struct stat st;
	if (fstat(fd, &st) < 0 || !S_ISBLK(st.st_mode) || st.st_rdev != t->found.rdev) {
		close(fd);
		return refuse(g, -ESTALE, "%s became another device after it was checked",
			t->path);
	}
	claims->v[claims->count].rdev = t->found.rdev;
	claims->v[claims->count++].fd = fd;
	return 0;
}

int guard_claims_open(const struct plan *plan, uint32_t wave, const struct run_how *how,
	struct guard_claims **ret, struct err *reterr)
{
	struct guard g = {.root = &sysroot_real, .plan = plan, .how = how, .reterr = reterr};
	struct guard_claims *claims = calloc(1,
		sizeof(*claims) + plan->targets_count * sizeof(claims->v[0]));
	if (!claims)
		return err_set(reterr, -ENOMEM, "out of memory for %u targets",
			plan->targets_count);
	for (uint32_t i = 0; i < plan->workers_count; i++) {
		const struct plan_worker *w = &plan->workers[i];
		if (w->wave != wave || !(acts_of(w) & ACT_CHANGE))
			continue;
		for (uint32_t k = 0; k < w->files.count; k++) {
			g.t = &plan->targets[w->files.targets[k]];
			int rc = claim_target(&g, claims);
			if (rc < 0) {
				guard_claims_close(claims);
				return rc;
			}
		}
	}
	*ret = claims;
	return 0;
}

void guard_claims_close(struct guard_claims *claims)
{
	for (size_t i = 0; claims && i < claims->count; i++)
		close(claims->v[i].fd);
	free(claims);
}
