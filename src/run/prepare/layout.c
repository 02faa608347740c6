/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/prepare/layout.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/log.h"
#include "base/scope.h"
#include "plan/plan.h"
#include "run/prepare/guard.h"
#include "run/prepare/layout_item.h"
#include "run/run.h"
#include "sys/clock.h"
#include "sys/mark.h"
#include "sys/sysroot.h"
#include "sys/task.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define POLL_NS  (100 * NS_PER_MS)
#define HANG_NS  (30 * NS_PER_S) /* when run_how doesn't say */
#define DRAIN_NS (10 * NS_PER_S)

#define FILES_MANY  256
#define FILES_SMALL (UINT64_C(1) << 20)

#define UNLINK_NS     (10 * NS_PER_S) /* then it is left alone to do its work */
#define UNLINK_NAP_NS (500 * NS_PER_US)

/* Completes "laying out X failed ...". */
static const char *const step_names[] = {
	[LAYOUT_WAITING] = "before it began",
	[LAYOUT_FOLDER] = "making its folder",
	[LAYOUT_OPEN] = "opening it",
	[LAYOUT_CHECK] = "checking it",
	[LAYOUT_ALLOCATE] = "allocating it",
	[LAYOUT_WRITE] = "writing it",
	[LAYOUT_SYNC] = "syncing it",
	[LAYOUT_DONE] = "at its end",
};

/* ---- what is to be done ---- */

static bool needs_layout(const struct plan_target *t)
{
	if (t->no_layout || t->found.error)
		return false;
	if (t->found.kind == LOOK_NOTHING)
		return t->create;
	return t->found.kind == LOOK_FILE && t->found.bytes < t->bytes_wanted;
}

static struct layout *layout_new(const struct plan *plan)
{
	size_t head = round_up(sizeof(struct layout), 64);
	size_t items = plan->targets_count * sizeof(struct layout_item);
	size_t bytes = head + items + plan->targets_count * sizeof(uint32_t);
	void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		0);
	if (map == MAP_FAILED)
		return NULL;
	struct layout *l = map;
	l->map_bytes = bytes;
	l->plan = plan;
	l->items = (struct layout_item *)((char *)map + head);
	l->todo = (uint32_t *)((char *)map + head + items);
	return l;
}

/* The targets of workers that open files, in the order of the plan. */
static void find_todo(struct layout *l, const struct plan *plan)
{
	for (uint32_t i = 0; i < plan->workers_count; i++) {
		const struct plan_files *f = &plan->workers[i].files;
		for (uint32_t k = 0; guard_opens_files(&plan->workers[i]) && k < f->count;
			k++) {
			struct layout_item *it = &l->items[f->targets[k]];
			const struct plan_target *t = &plan->targets[f->targets[k]];
			if (it->listed || !needs_layout(t))
				continue;
			it->listed = true;
			it->goal = t->bytes_wanted;
			l->todo[l->todo_count++] = f->targets[k];
			if (t->fill)
				l->total += it->goal - MIN_OF(it->goal, t->found.bytes);
		}
	}
}

/* "NAME: Laying out IO files (3 files / total 48MiB)", a line per job. */
static void announce(const struct layout *l, const struct plan *plan, const struct run_how *how)
{
	if (!how->sink || !how->sink->phase)
		return;
	for (uint32_t i = 0; i < l->todo_count;) {
		uint32_t speaker = plan->targets[l->todo[i]].first_worker, files = 0;
		uint64_t bytes = 0;
		for (; i < l->todo_count && plan->targets[l->todo[i]].first_worker == speaker;
			i++) {
			files++;
			bytes += l->items[l->todo[i]].goal;
		}
		struct err text;
		err_set(&text, 0, "%s: Laying out IO file%s (%u file%s / %s%" PRIu64 "MiB)",
			plan->workers[speaker].name, files > 1 ? "s" : "", files,
			files > 1 ? "s" : "", files > 1 ? "total " : "", bytes >> 20);
		how->sink->phase(how->sink->ctx, RUN_LAYOUT, text.text);
	}
}

/* ---- the supervisor ---- */

struct supervise {
	struct layout *l;
	const struct plan *plan;
	const struct run_how *how;
	int ended_fd; /* end of file when all helpers have ended             */
	uint32_t running;
	uint64_t now_ns, next_tick_ns;
	uint64_t beats; /* of all, when last looked at                         */
	uint64_t silent_ns;
	uint64_t stopping_ns;
};

/* Many files wait for their syncs, not for a CPU, and a journal commits what several ask
 * for at once. */
static uint32_t helpers_wanted(const struct layout *l)
{
	uint32_t want = (uint32_t)MAX_OF(sysconf(_SC_NPROCESSORS_ONLN), 1L);

	if (l->todo_count >= FILES_MANY && l->total / l->todo_count <= FILES_SMALL)
		want = LAYOUT_HELPERS;
	want = MIN_OF(want, (uint32_t)LAYOUT_HELPERS);
	return MIN_OF(want, l->todo_count);
}

static int start_helpers(struct supervise *s, struct err *reterr)
{
	uint32_t want = helpers_wanted(s->l);
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_sys(reterr, -errno, "pipe for laying out files");
	pid_t parent = getpid();
	int rc = 0;
	for (uint32_t i = 0; i < want && rc == 0; i++) {
		s->l->helper[i].item = LAYOUT_NONE;
		pid_t pid = fork();
		if (pid == 0) {
			close(ends[0]);
			layout_helper_main(s->l, s->plan, (uint16_t)i, parent);
		}
		if (pid < 0) {
			rc = -errno;
		} else {
			s->l->helper[i].pid = pid;
			s->running++;
		}
	}
	close(ends[1]);
	s->ended_fd = ends[0];
	if (s->running) /* fewer than wished do the same work */
		return 0;
	close(ends[0]);
	return err_sys(reterr, rc, "fork a helper for laying out files");
}

/* HELPER is gone without having finished what it had in hand. */
static void lose_item(struct supervise *s, struct layout_helper *h, int code)
{
	uint32_t n = LAYOUT_READ(h->item);
	if (n != LAYOUT_NONE && !s->l->items[n].error)
		s->l->items[n].error = code;
}

static void reap_helpers(struct supervise *s)
{
	for (uint32_t i = 0; i < LAYOUT_HELPERS; i++) {
		struct layout_helper *h = &s->l->helper[i];
		int status;
		if (!h->pid || waitpid(h->pid, &status, WNOHANG) != h->pid)
			continue;
		if (WIFSIGNALED(status)) {
			snprintf(h->doing, sizeof(h->doing),
				"its helper was killed by signal %d", WTERMSIG(status));
			lose_item(s, h, -EINTR);
		}
		h->pid = 0;
		s->running--;
	}
}

/* Leave what is still there to the kernel, by name. */
static void give_up(struct supervise *s, uint64_t waited_ns)
{
	for (uint32_t i = 0; i < LAYOUT_HELPERS; i++) {
		struct layout_helper *h = &s->l->helper[i];
		struct task task;
		struct err text;
		char doing[128] = "";
		if (!h->pid)
			continue;
		if (task_look(&sysroot_real, h->pid, h->pid, &task) == 0)
			task_text(&task, doing, sizeof(doing));
		uint32_t n = LAYOUT_READ(h->item);
		err_set(&text, 0,
			"laying out %s: pid %d didn't go on for %" PRIu64
			" s (%s); going on without it",
			n == LAYOUT_NONE ? "files" : s->plan->targets[n].path, (int)h->pid,
			waited_ns / NS_PER_S, doing);
		if (s->how->sink && s->how->sink->message)
			s->how->sink->message(s->how->sink->ctx, RUN_ERROR, text.text);
		snprintf(h->doing, sizeof(h->doing), "pid %d hangs %s", (int)h->pid, doing);
		kill(h->pid, SIGKILL);
		lose_item(s, h, -ETIMEDOUT);
		h->pid = 0;
		s->running--;
	}
}

/* A step that this process slept through (SIGSTOP, suspend) is no silence of the
 * helpers, so one look counts for a second at most. */
static bool is_silent(struct supervise *s, uint64_t passed_ns)
{
	uint64_t beats = 0, limit = s->how->hang_ns ? s->how->hang_ns : HANG_NS;
	for (uint32_t i = 0; i < LAYOUT_HELPERS; i++)
		beats += LAYOUT_READ(s->l->helper[i].beats);
	s->silent_ns = beats == s->beats ? s->silent_ns + MIN_OF(passed_ns, NS_PER_S) : 0;
	s->beats = beats;
	return s->silent_ns > limit;
}

static void tick(struct supervise *s)
{
	if (!s->how->tick_ns || !s->how->sink || !s->how->sink->tick ||
		s->now_ns < s->next_tick_ns)
		return;
	const struct run_view view = {
		.states = "",
		.percent = -1,
		.elapsed_ms = (s->now_ns - MIN_OF(s->how->started_ns, s->now_ns)) / NS_PER_MS,
		.layout_bytes = LAYOUT_READ(s->l->filled),
		.layout_total = s->l->total,
	};
	s->next_tick_ns = s->now_ns + s->how->tick_ns;
	s->how->sink->tick(s->how->sink->ctx, &view);
}

static void wait_helpers(struct supervise *s)
{
	uint64_t drain_ns = s->how->drain_ns ? s->how->drain_ns : DRAIN_NS;
	s->now_ns = clock_kernel_ns();
	s->next_tick_ns = s->now_ns + s->how->tick_ns;
	while (s->running) {
		if (log_stop_signal && !s->stopping_ns) {
			s->stopping_ns = s->now_ns;
			LAYOUT_SET(s->l->stop, 1u);
		}
		struct pollfd p = {.fd = s->ended_fd};
		uint64_t before = s->now_ns;
		int hung_up = poll(&p, 1, (int)(POLL_NS / NS_PER_MS));
		if (hung_up > 0 && s->running) { /* closed, but perhaps not yet a zombie */
			struct timespec moment = {.tv_nsec = 200 * (long)NS_PER_US};
			nanosleep(&moment, NULL);
		}
		reap_helpers(s);
		s->now_ns = clock_kernel_ns();
		tick(s);
		bool late = s->stopping_ns &&
			    (s->now_ns - s->stopping_ns > drain_ns || log_stop_count > 1);
		if (is_silent(s, s->now_ns - before) || late)
			give_up(s, late ? s->now_ns - s->stopping_ns : s->silent_ns);
	}
}

int layout_run(const struct plan *plan, const struct run_how *how, struct layout **ret,
	struct err *reterr)
{
	struct layout *l = layout_new(plan);
	if (!l)
		return err_set(reterr, -ENOMEM, "out of memory for %u targets",
			plan->targets_count);
	find_todo(l, plan);
	if (l->todo_count) {
		struct supervise s = {.l = l, .plan = plan, .how = how};
		announce(l, plan, how);
		int rc = start_helpers(&s, reterr);
		if (rc < 0) {
			layout_free(l);
			return rc;
		}
		wait_helpers(&s);
		close(s.ended_fd);
		for (uint32_t i = 0; i < l->todo_count; i++) {
			struct layout_item *it = &l->items[l->todo[i]];
			if (it->step == LAYOUT_WAITING && !it->error)
				it->error = s.stopping_ns ? -EINTR : -ETIMEDOUT;
		}
	}
	*ret = l;
	return 0;
}

int layout_error(const struct layout *l, uint32_t target)
{
	return l->items[target].error;
}

/* Why it stopped, in words. */
static const char *item_reason(const struct layout_item *it)
{
	return it->error == -EINTR ? "the run was stopped" : strerror(-it->error);
}

const char *layout_error_text(struct layout *l, uint32_t target)
{
	const struct layout_item *it = &l->items[target];
	const char *doing = it->helper ? l->helper[it->helper - 1].doing : "";
	const char *path = l->plan->targets[target].path;
	struct err text = {0};

	if (it->error == -ESTALE)
		err_set(&text, 0, "%s changed after the run was planned, and isn't weir's",
			path);
	else if (it->error && it->step == LAYOUT_WAITING)
		err_set(&text, 0, "%s was not laid out: %s", path,
			it->error == -EINTR ? "the run was stopped" : "its helpers hang");
	else if (it->error)
		err_set(&text, 0,
			"laying out %s failed %s, after %" PRIu64 " of %" PRIu64 " bytes: %s",
			path, step_names[it->step], it->done, it->goal,
			doing[0] ? doing : item_reason(it));
	snprintf(l->text, sizeof(l->text), "%.*s", (int)sizeof(l->text) - 1, text.text);
	return l->text;
}

/* ---- the end ---- */

static bool is_weirs(const struct layout *l, const struct plan_target *t, uint32_t target)
{
	const struct layout_item *it = &l->items[target];
	struct stat st;
	if (lstat(t->path, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	if (it->made && st.st_dev == it->dev && st.st_ino == it->inode)
		return true;
	/* create_on_open: it wasn't there when the run was planned */
	return mark_get_path(t->path) || (t->no_layout && t->found.kind == LOOK_NOTHING);
}

static void unlink_all(const struct layout *l, const struct plan_worker *w)
{
	for (uint32_t k = 0; k < w->files.count; k++) {
		uint32_t n = w->files.targets[k];
		const struct plan_target *t = &l->plan->targets[n];
		if (is_weirs(l, t, n) && unlink(t->path) < 0 && errno != ENOENT)
			log_debug(LOG_RUN, "unlink %s: %s", t->path, strerror(errno));
	}
}

void layout_unlink(struct layout *l, const struct plan *plan, uint32_t worker)
{
	const struct plan_worker *w = &plan->workers[worker];
	if (!w->files.unlink || !guard_opens_files(w))
		return;
	pid_t pid = fork();
	if (pid == 0) {
		unlink_all(l, w);
		_exit(0);
	}
	if (pid < 0) { /* out of processes: the file matters more */
		unlink_all(l, w);
		return;
	}
	struct timespec nap = {.tv_nsec = (long)(UNLINK_NAP_NS)};
	for (uint64_t left = UNLINK_NS / UNLINK_NAP_NS; left; left--) {
		if (waitpid(pid, NULL, WNOHANG) == pid)
			return;
		nanosleep(&nap, NULL);
	}
}

void layout_free(struct layout *l)
{
	if (l)
		munmap(l, l->map_bytes);
}
