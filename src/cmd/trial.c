/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/trial.h"

#include "base/err.h"
#include "base/scope.h"
#include "sys/look.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* ':' separates the names of `filename`. */
static void name_escape(struct trial *t)
{
	size_t at = 0;

	for (const char *c = t->path; *c; c++) {
		if (*c == ':')
			t->name[at++] = '\\';
		t->name[at++] = *c;
	}
	t->name[at] = '\0';
}

/* The folder that PATH is in. */
static void folder_of(const char *path, char *folder, size_t size)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		snprintf(folder, size, ".");
	else
		snprintf(folder, size, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

/* A file is made there for a moment, to see whether it can be, and past the cache. */
static int new_open(struct trial *t, struct err *reterr)
{
	char folder[PATH_MAX];
	struct statvfs fs;

	folder_of(t->path, folder, sizeof(folder));
	if (statvfs(folder, &fs) < 0)
		return err_sys(reterr, -errno, "%s", folder);
	t->bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
	scope_fd int fd = open(t->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return err_sys(reterr, -errno, "%s", t->path);
	scope_fd int direct = open(t->path, O_RDONLY | O_DIRECT | O_CLOEXEC);
	t->direct = direct >= 0;
	unlink(t->path);
	t->kind = TRIAL_NEW;
	t->made = true;
	return 0;
}

static int old_open(struct trial *t, struct err *reterr)
{
	struct look look;

	look_at(t->path, &look);
	if (look.kind != LOOK_FILE && look.kind != LOOK_BLOCK)
		return err_set(reterr, -EINVAL,
			"%s: is no file, no block device, no directory and no new name",
			t->path);
	t->kind = look.kind == LOOK_BLOCK ? TRIAL_DEVICE : TRIAL_FILE;
	t->bytes = look.bytes;
	scope_fd int fd = open(t->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return err_sys(reterr, -errno, "%s", t->path);
	scope_fd int direct = open(t->path, O_RDONLY | O_DIRECT | O_CLOEXEC);
	t->direct = direct >= 0;
	return 0;
}

#define TRIAL_STEM "weir-trial."

/* A process of number PID may hold the file that is called after it: not this one, which
 * has made none. */
static bool pid_lives(long pid)
{
	return pid != getpid() && (kill((pid_t)pid, 0) == 0 || errno == EPERM);
}

/* A file of a run that was killed stays behind: the user is told. */
static void leftover_tell(const char *folder, const char *name)
{
	struct stat st;
	char path[PATH_MAX];
	long pid = strtol(name + strlen(TRIAL_STEM), NULL, 10);

	if (pid <= 0 || pid > INT_MAX || pid_lives(pid))
		return;
	if (snprintf(path, sizeof(path), "%s/%s", folder, name) >= (int)sizeof(path) ||
		lstat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return;
	fprintf(stderr,
		"weir: %s (%.0f MB) is left of a run that was killed; remove it, unless another "
		"weir works here\n",
		path, (double)st.st_size / 1e6);
}

static void leftovers_tell(const char *folder)
{
	DIR *dir = opendir(folder);

	for (const struct dirent *e; dir && (e = readdir(dir));)
		if (strncmp(e->d_name, TRIAL_STEM, strlen(TRIAL_STEM)) == 0)
			leftover_tell(folder, e->d_name);
	if (dir)
		closedir(dir);
}

/* A name in FOLDER that is not there: in a container each run may have the same number.
 * Its length, as of snprintf(). */
static int name_choose(struct trial *t, const char *folder)
{
	struct stat st;
	int len, more = 0;

	leftovers_tell(folder);
	do
		len = snprintf(t->path, sizeof(t->path), more ? "%s/%s%d.%d" : "%s/%s%d", folder,
			TRIAL_STEM, getpid(), more);
	while (len < (int)sizeof(t->path) && lstat(t->path, &st) == 0 && ++more < 1000);
	return len;
}

int trial_open(struct trial *t, const char *target, struct err *reterr)
{
	struct stat st;
	int len, rc;

	*t = (struct trial){.made = false};
	if (!*target)
		return err_set(reterr, -EINVAL, "the target has no name");
	bool there = stat(target, &st) == 0;
	if (!there && errno != ENOENT)
		return err_sys(reterr, -errno, "%s", target);
	if (there && S_ISDIR(st.st_mode))
		len = name_choose(t, target);
	else
		len = snprintf(t->path, sizeof(t->path), "%s", target);
	if (len >= (int)sizeof(t->path))
		return err_set(reterr, -ENAMETOOLONG, "%.100s...: the name is too long",
			target);
	rc = there && !S_ISDIR(st.st_mode) ? old_open(t, reterr) : new_open(t, reterr);
	name_escape(t);
	return rc;
}

void trial_close(struct trial *t)
{
	if (t->made)
		unlink(t->path);
}
