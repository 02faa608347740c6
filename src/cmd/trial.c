/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/trial.h"

#include "base/err.h"
#include "base/scope.h"
#include "sys/look.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
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
		len = snprintf(t->path, sizeof(t->path), "%s/weir-trial.%d", target, getpid());
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
