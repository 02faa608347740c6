/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/prepare/schedulers.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/log.h"
#include "base/scope.h"
#include "plan/plan.h"
#include "run/helper.h"
#include "sys/disk.h"
#include "sys/sysroot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCHEDULER_NS  (10 * NS_PER_S)
#define SCHEDULER_FMT "/sys/block/%s/queue/scheduler"

struct scheduler {
	char disk[64];
	char before[32];
};

struct schedulers {
	uint32_t count;
	struct scheduler v[];
};

struct change {
	const char *disk, *to;
};

static int change_write(void *arg)
{
	const struct change *c = arg;
	char path[128];

	snprintf(path, sizeof(path), SCHEDULER_FMT, c->disk);
	scope_fd int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	return write(fd, c->to, strlen(c->to)) < 0 ? -errno : 0;
}

/* "[none] mq-deadline kyber": the one in brackets into BUF; is WANT among them? */
static bool scheduler_listed(const char *list, const char *want, char *buf, size_t size)
{
	bool listed = false;

	buf[0] = '\0';
	for (const char *p = list; *p; p += strspn(p, " ")) {
		size_t len = strcspn(p, " ");
		bool current = *p == '[' && len > 2;
		const char *name = p + current;
		size_t n = len - 2 * (size_t)current;
		if (current)
			snprintf(buf, size, "%.*s", (int)n, name);
		listed |= strlen(want) == n && !memcmp(name, want, n);
		p += len;
	}
	return listed;
}

static int scheduler_remember(struct schedulers **s, const char *disk, const char *before)
{
	uint32_t count = *s ? (*s)->count : 0;

	for (uint32_t i = 0; i < count; i++)
		if (!strcmp((*s)->v[i].disk, disk))
			return 0; /* an earlier wave's: that is what it was at first */
	struct schedulers *more = realloc(*s, sizeof(**s) + (count + 1) * sizeof(more->v[0]));
	if (!more)
		return -ENOMEM;
	*s = more;
	more->count = count + 1;
	snprintf(more->v[count].disk, sizeof(more->v[count].disk), "%s", disk);
	snprintf(more->v[count].before, sizeof(more->v[count].before), "%s", before);
	return 0;
}

static int scheduler_set(struct schedulers **s, const char *disk, const char *want,
	struct err *reterr)
{
	char list[256], before[32];

	if (sysroot_text(&sysroot_real, list, sizeof(list), SCHEDULER_FMT, disk) < 0)
		return 0; /* built on others (dm, md): they have it */
	if (!scheduler_listed(list, want, before, sizeof(before)))
		return err_set(reterr, -EINVAL,
			"ioscheduler: %s has no scheduler \"%s\"; it has: %s", disk, want,
			list);
	if (!strcmp(before, want))
		return 0;
	int rc = scheduler_remember(s, disk, before);
	if (rc == 0)
		rc = helper_run(change_write, &(struct change){disk, want}, SCHEDULER_NS);
	if (rc < 0)
		return err_sys(reterr, rc, "ioscheduler: can't set %s of %s%s", want, disk,
			rc == -EACCES || rc == -EPERM ? " (run as root)" : "");
	return 0;
}

int schedulers_set(struct schedulers **s, const struct plan *plan, const struct plan_worker *pw,
	struct err *reterr)
{
	scope_with(disk_list_done) struct disk_list disks = {0};
	int rc = 0;

	if (!pw->files.scheduler)
		return 0;
	for (uint32_t i = 0; i < pw->files.count && rc == 0; i++)
		rc = disk_list_add(&sysroot_real, plan->targets[pw->files.targets[i]].path,
			&disks);
	if (rc < 0)
		return err_sys(reterr, rc, "ioscheduler: can't find the disks of the files");
	for (size_t i = 0; i < disks.count; i++) {
		rc = scheduler_set(s, disks.v[i].name, pw->files.scheduler, reterr);
		if (rc < 0)
			return rc;
	}
	return 0;
}

void schedulers_restore(struct schedulers *s)
{
	for (uint32_t i = 0; s && i < s->count; i++) {
		struct change back = {s->v[i].disk, s->v[i].before};
		int rc = helper_run(change_write, &back, SCHEDULER_NS);
		if (rc < 0)
			log_debug(LOG_RUN, "give %s back to %s: %s", back.to, back.disk,
				strerror(-rc));
	}
	free(s);
}
