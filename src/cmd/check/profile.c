/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/check/profile.h"

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/check/expect.h"
#include "cmd/measure.h"
#include "cmd/output.h"
#include "cmd/trial.h"
#include "job/job.h"
#include "result/result.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct profile {
	const char *name, *title, *text;
};

static const struct profile profiles[] = {
	{"etcd", "a log as etcd writes it: is fdatasync fast enough?",
		"# etcd: each entry of its log is appended and synced before it is answered.  Its\n"
		"# manual asks for a 99th percentile of fdatasync below 10 ms, measured with\n"
		"# sequential writes of 2300 bytes.\n"
		"[wal]\n"
		"rw=write\n"
		"bs=2300\n"
		"size=22m\n"
		"ioengine=psync\n"
		"fdatasync=1\n"
		"time_based\n"
		"expect=sync.lat.p99 < 10ms\n"
		"expect=errors == 0\n"},
	{"database-log", "the log of a database: commits one after the other",
		"# A database's log: 8 KiB a commit, synced, nobody else at work.  500 commits a\n"
		"# second of one session and 99 of 100 below 10 ms are modest: raise them to what\n"
		"# you need.\n"
		"[log]\n"
		"rw=write\n"
		"bs=8k\n"
		"size=256m\n"
		"ioengine=psync\n"
		"fdatasync=1\n"
		"time_based\n"
		"expect=write.iops >= 500\n"
		"expect=sync.lat.p99 < 10ms\n"
		"expect=errors == 0\n"},
	{"vm-disk", "a virtual machine's disk: mixed small requests past the page cache",
		"# What guests do to a disk: 4 KiB at random, 70 % reads, 16 in flight, past the\n"
		"# page cache.  3000 requests a second is what small cloud disks promise.\n"
		"[disk]\n"
		"rw=randrw\n"
		"rwmixread=70\n"
		"bs=4k\n"
		"size=1g\n"
		"ioengine=libaio\n"
		"iodepth=16\n"
		"direct=1\n"
		"time_based\n"
		"expect=iops >= 3000\n"
		"expect=read.lat.p99 < 20ms\n"
		"expect=write.lat.p99 < 20ms\n"
		"expect=errors == 0\n"},
};

#define RUNTIME_PRESET "30s"

static const struct profile *profile_find(const char *name, struct err *reterr)
{
	for (size_t i = 0; i < COUNT_OF(profiles); i++)
		if (strcmp(profiles[i].name, name) == 0)
			return &profiles[i];
	err_set(reterr, -EINVAL,
		"--profile: there is no profile '%s'; there are etcd, database-log and vm-disk",
		name);
	return NULL;
}

int profile_show(const char *name, struct err *reterr)
{
	scope_with(str_done) struct str out = {0};

	if (strcmp(name, "list") == 0) {
		for (size_t i = 0; i < COUNT_OF(profiles); i++)
			str_addf(&out, "%-14s %s\n", profiles[i].name, profiles[i].title);
	} else {
		const struct profile *p = profile_find(name, reterr);
		if (!p)
			return -EINVAL;
		str_add(&out, p->text);
	}
	int rc = output_write(STDOUT_FILENO, str_text(&out), out.len);
	return rc < 0 ? err_sys(reterr, rc, "standard output") : 0;
}

/* The profile as a file that can be read by its path. */
static int profile_file(const struct profile *p, char *path, size_t size, struct err *reterr)
{
	int fd = memfd_create("weir-profile", MFD_CLOEXEC);
	int rc = fd < 0 ? -errno : output_write(fd, p->text, strlen(p->text));

	if (rc < 0) {
		if (fd >= 0)
			close(fd);
		return err_sys(reterr, rc, "profile %s", p->name);
	}
	snprintf(path, size, "/proc/self/fd/%d", fd);
	return fd;
}

static int profile_measure(const struct profile *p, const struct profile_how *how,
	const struct trial *trial, struct measure *m, struct err *reterr)
{
	const char *destroy[] = {trial->made ? trial->path : how->destroy};
	const struct measure_how measure_how = {
		.call = how->call,
		.destroy = destroy,
		.destroy_count = destroy[0] ? 1 : 0,
		.told = how->told,
		.quiet = true,
	};
	char path[64];
	scope_fd int fd = profile_file(p, path, sizeof(path), reterr);
	const struct job_word words[] = {
		{.name = "filename", .value = trial->name},
		{.name = "runtime", .value = how->runtime ? how->runtime : RUNTIME_PRESET},
		{.value = path},
	};
	if (fd < 0)
		return fd;
	int rc = measure_plan(m, &measure_how, words, COUNT_OF(words), reterr);
	if (rc == 0)
		rc = measure_run(m, p->title, reterr);
	if (rc == 0 && expect_judge(m->plan, m->result) < 0)
		rc = err_set(reterr, -ENOMEM, "out of memory");
	return rc;
}

/* Where an expectation stands: the file has a number for a name. */
static int places_name(struct arena *arena, const struct profile *p, struct result *r)
{
	struct result_check *list = arena_array(arena, MAX_OF(r->checks_count, 1u),
		sizeof(*list));

	if (!list)
		return -ENOMEM;
	for (uint32_t i = 0; i < r->checks_count; i++) {
		const char *line = strrchr(r->checks[i].place, ':');
		list[i] = r->checks[i];
		list[i].place = arena_printf(arena, "profile %s%s", p->name, line ? line : "");
		if (!list[i].place)
			return -ENOMEM;
	}
	r->checks = list;
	return 0;
}

int profile_run(const char *name, struct profile_how *how, struct arena *arena,
	struct measure *ret, struct err *reterr)
{
	const struct profile *p = profile_find(name, reterr);
	scope_with(trial_close) struct trial trial = {0};

	if (!p)
		return -EINVAL;
	int rc = trial_open(&trial, how->target, reterr);
	if (rc == 0)
		rc = profile_measure(p, how, &trial, ret, reterr);
	if (rc == 0 && places_name(arena, p, ret->result) < 0)
		rc = err_set(reterr, -ENOMEM, "out of memory");
	if (rc < 0)
		return rc;
	how->title = arena_printf(arena, "profile %s on %s: %s", p->name, how->target,
		p->title);
	return 0;
}
