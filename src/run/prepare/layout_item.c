/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/prepare/layout_item.h"

#include "base/bits.h"
#include "base/log.h"
#include "base/scope.h"
#include "gen/data.h"
#include "plan/plan.h"
#include "sys/clock.h"
#include "sys/mark.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#define CHUNK_MIN  (UINT64_C(1) << 20)
#define CHUNK_MAX  (UINT64_C(8) << 20)
#define WINDOW     (UINT64_C(8) << 20)   /* written back while the next is filled */
#define ALLOC_STEP (UINT64_C(256) << 20) /* of posix_fallocate, which may write   */

struct work {
	struct layout *l;
	struct layout_helper *me;
	struct layout_item *item;
	const struct plan_target *t;
	struct data data;
	unsigned char *buf; /* CHUNK_MAX */
};

static int step_fail(struct work *w, int code)
{
	w->item->error = code;
	return code;
}

static void step_to(struct work *w, enum layout_step step)
{
	w->item->step = (uint8_t)step;
	LAYOUT_SET(w->me->beats, w->me->beats + 1);
}

/* The folders above PATH that are missing, as fio makes them. */
static int make_folders(const char *path)
{
	char at[PATH_MAX];
	if (snprintf(at, sizeof(at), "%s", path) >= PATH_MAX)
		return -ENAMETOOLONG;
	for (char *slash = strchr(at + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(at, 0700) < 0 && errno != EEXIST)
			return -errno;
		*slash = '/';
	}
	return 0;
}

/* Was it made by another item, under another name? */
static bool made_in_this_run(const struct layout *l, const struct stat *st)
{
	for (uint32_t i = 0; i < l->todo_count; i++) {
		const struct layout_item *it = &l->items[l->todo[i]];
		if (it->made && it->dev == st->st_dev && it->inode == st->st_ino)
			return true;
	}
	return false;
}

/* Open or create.  What was missing or empty is locked, so that a second name for
 * it waits until it is filled. */
static int item_open(struct work *w, int *ret_fd, bool *ret_created)
{
	const char *path = w->t->path;
	bool created = false;
	int fd = -1;

	if (w->t->found.kind == LOOK_NOTHING) {
		int rc = w->t->found.parent_missing ? make_folders(path) : 0;
		if (rc < 0)
			return rc;
		step_to(w, LAYOUT_OPEN);
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
		created = fd >= 0;
		if (fd < 0 && errno != EEXIST)
			return -errno;
	}
	step_to(w, LAYOUT_OPEN);
	if (fd < 0)
		fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (w->t->found.kind == LOOK_NOTHING || !w->t->found.bytes)
		while (flock(fd, LOCK_EX) < 0 && errno == EINTR)
			;
	*ret_fd = fd;
	*ret_created = created;
	return 0;
}

/* Learn what was opened, and mark what is ours from now on. */
static int item_check(struct work *w, int fd)
{
	struct layout_item *it = w->item;
	struct stat st;

	step_to(w, LAYOUT_CHECK);
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -ESTALE; /* it was a file, or nothing, when the run was planned */
	it->from = it->done = (uint64_t)st.st_size;
	it->dev = st.st_dev;
	it->inode = st.st_ino;
	if (!it->from) {
		mark_set(fd);
		it->made = true;
		return 0;
	}
	if (it->from >= it->goal)
		return 0;
	bool ours = mark_get(fd) || made_in_this_run(w->l, &st);
	return ours || w->t->written || w->t->trimmed ? 0 : -ESTALE;
}

/* In pieces, as the C library writes zeroes where the file system can't. */
static int allocate_posix(struct work *w, int fd)
{
	for (uint64_t at = w->item->from; at < w->item->goal; at += ALLOC_STEP) {
		uint64_t bytes = MIN_OF(ALLOC_STEP, w->item->goal - at);
		if (LAYOUT_READ(w->l->stop))
			return -EINTR;
		int rc = posix_fallocate(fd, (off_t)at, (off_t)bytes);
		if (rc)
			return -rc;
		step_to(w, LAYOUT_ALLOCATE);
	}
	return 0;
}

/* Asked before anything is taken: the blocks of an attempt that fails in the end
 * would be missing to the helpers beside this one. */
static bool item_fits(const struct layout_item *it, int fd)
{
	struct statvfs fs;
	if (fstatvfs(fd, &fs) < 0 || !fs.f_blocks) /* ramfs and the like don't count */
		return true;
	uint64_t blocks = geteuid() == 0 ? fs.f_bfree : fs.f_bavail;
	return (it->goal - it->from) / MAX_OF(fs.f_frsize, 1ul) <= blocks;
}

/* Space for a file whose data follow: their size must not run ahead of them. */
static int reserve(const struct layout_item *it, int fd)
{
	off_t from = (off_t)it->from, bytes = (off_t)(it->goal - it->from);
	int rc = fallocate(fd, FALLOC_FL_KEEP_SIZE, from, bytes) < 0 ? -errno : 0;
	/* Only a full disk is certain; the rest is for file systems that can't. */
	return rc == -ENOSPC || rc == -EDQUOT || rc == -EFBIG ? rc : 0;
}

/* As fio: what can't be reserved is no error, the job's writes will tell. */
static int reserve_native(const struct layout_item *it, int fd)
{
	off_t from = (off_t)it->from, bytes = (off_t)(it->goal - it->from);
	if (!item_fits(it, fd) || fallocate(fd, 0, from, bytes) == 0)
		return 0;
	if (errno == ENOSPC && ftruncate(fd, from) < 0) /* gives back what it got */
		return -errno;
	return 0;
}

static int item_allocate(struct work *w, int fd)
{
	const struct layout_item *it = w->item;
	enum plan_prealloc how = w->t->prealloc;

	step_to(w, LAYOUT_ALLOCATE);
	if (!w->t->fill && how == PREALLOC_NATIVE)
		return reserve_native(it, fd);
	if ((w->t->fill || how == PREALLOC_POSIX || how == PREALLOC_KEEP) && !item_fits(it, fd))
		return -ENOSPC;
	if (!w->t->fill && how == PREALLOC_POSIX)
		return allocate_posix(w, fd);
	if (!w->t->fill && how == PREALLOC_TRUNCATE)
		return ftruncate(fd, (off_t)it->goal) < 0 ? -errno : 0;
	return how == PREALLOC_NONE || how == PREALLOC_TRUNCATE ? 0 : reserve(it, fd);
}

static int write_all(int fd, const unsigned char *buf, size_t bytes, uint64_t offset)
{
	while (bytes) {
		ssize_t n = pwrite(fd, buf, bytes, (off_t)offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -ENOSPC;
		buf += n;
		bytes -= (size_t)n;
		offset += (uint64_t)n;
	}
	return 0;
}

/* Start writing back the window that ends at END, and wait for the one before it:
 * what is dirty stays small, and so does the last fsync. */
static int write_back(struct work *w, int fd, uint64_t end)
{
	uint64_t start = end - WINDOW;
	if (sync_file_range(fd, (off_t)start, WINDOW, SYNC_FILE_RANGE_WRITE) < 0)
		return errno == EIO || errno == ENOSPC ? -errno : 0;
	if (start >= WINDOW && sync_file_range(fd, (off_t)(start - WINDOW), WINDOW,
				       SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
					       SYNC_FILE_RANGE_WAIT_AFTER) < 0)
		return errno == EIO || errno == ENOSPC ? -errno : 0;
	step_to(w, LAYOUT_WRITE);
	return 0;
}

static int item_fill(struct work *w, int fd)
{
	struct layout_item *it = w->item;
	uint64_t chunk = round_up(CHUNK_MIN, MAX_OF((uint64_t)w->t->layout_block, UINT64_C(1)));
	chunk = MIN_OF(chunk, CHUNK_MAX);

	step_to(w, LAYOUT_WRITE);
	for (uint64_t at = it->from; at < it->goal;) {
		uint64_t end = MIN_OF(round_down(at, chunk) + chunk, it->goal);
		size_t bytes = (size_t)(end - at);

		if (LAYOUT_READ(w->l->stop))
			return -EINTR;
		data_fill(&w->data, w->buf, bytes);
		int rc = write_all(fd, w->buf, bytes, at);
		if (rc < 0)
			return rc;
		it->done = end;
		__atomic_fetch_add(&w->l->filled, bytes, __ATOMIC_RELAXED);
		step_to(w, LAYOUT_WRITE);
		bool crossed = end / WINDOW != at / WINDOW;
		if (w->t->sync_layout && crossed)
			rc = write_back(w, fd, round_down(end, WINDOW));
		if (rc < 0)
			return rc;
		at = end;
	}
	step_to(w, LAYOUT_SYNC);
	return w->t->sync_layout && fsync(fd) < 0 ? -errno : 0;
}

/* Leave no half file behind, and no full disk: our new file goes, an extended one
 * gets its old end.  What a stopped run has filled stays. */
static void item_undo(struct work *w, int fd, bool created)
{
	struct layout_item *it = w->item;
	if (it->error == -EINTR) {
		if (w->t->fill &&
			ftruncate(fd, (off_t)it->done) < 0) /* drops what KEEP_SIZE took */
			log_debug(LOG_RUN, "truncate %s: %s", w->t->path, strerror(errno));
		return;
	}
	if (it->step <= LAYOUT_CHECK)
		return;
	if (created)
		unlink(w->t->path);
	else if (ftruncate(fd, (off_t)it->from) < 0)
		log_debug(LOG_RUN, "truncate %s: %s", w->t->path, strerror(errno));
}

static void item_lay(struct work *w)
{
	scope_fd int fd = -1;
	bool created = false;

	step_to(w, LAYOUT_FOLDER);
	int rc = item_open(w, &fd, &created);
	if (rc == 0)
		rc = item_check(w, fd);
	if (rc == 0 && w->item->from < w->item->goal) {
		rc = item_allocate(w, fd);
		if (rc == 0 && w->t->fill)
			rc = item_fill(w, fd);
	}
	if (rc < 0) {
		step_fail(w, rc);
		if (fd >= 0)
			item_undo(w, fd, created);
		return;
	}
	step_to(w, LAYOUT_DONE);
}

void layout_helper_main(struct layout *l, const struct plan *plan, uint16_t number,
	pid_t parent)
{
	static const int quiet[] = {
		SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGTSTP, SIGXFSZ};
	struct work w = {.l = l, .me = &l->helper[number]};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	for (size_t i = 0; i < COUNT_OF(quiet); i++)
		signal(quiet[i], SIG_IGN);
	w.buf = aligned_alloc(4096, CHUNK_MAX);
	if (w.buf) {
		const struct data_spec spec = {
			.kind = DATA_FRESH,
			.seed = rng_mix(clock_wall_ms() ^ (uint64_t)getpid() << 32),
		};
		data_init(&w.data, &spec);
	}
	for (;;) {
		uint32_t n = __atomic_fetch_add(&l->next, 1, __ATOMIC_RELAXED);
		if (n >= l->todo_count || LAYOUT_READ(l->stop))
			break;
		LAYOUT_SET(w.me->item, l->todo[n]);
		w.item = &l->items[l->todo[n]];
		w.item->helper = (uint16_t)(number + 1);
		w.t = &plan->targets[l->todo[n]];
		if (w.buf)
			item_lay(&w);
		else
			step_fail(&w, -ENOMEM);
		LAYOUT_SET(w.me->item, LAYOUT_NONE);
	}
	_exit(0);
}
