/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/trial.h"

#include "base/err.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/say.h"
#include "sys/look.h"
#include "sys/owned.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#define TRIAL_NAME  "weir-trial."
#define ENTRIES_MAX 100000 /* of a folder that are looked through */

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

/* ---- what dead runs left ---- */

static void remove_left_in(const char *folder)
{
	DIR *dir = opendir(folder);
	const struct dirent *d;
	uint64_t bytes;

	for (unsigned i = 0; dir && i < ENTRIES_MAX && (d = readdir(dir)); i++)
		if (str_starts(d->d_name, TRIAL_NAME) &&
			owned_remove_left(dirfd(dir), d->d_name, &bytes))
			say_line("removed %s/%s (%" PRIu64
				 " bytes): a run of weir that was killed left it",
				folder, d->d_name, bytes);
	if (dir)
		closedir(dir);
}

/* Under a name that somebody chose, somebody may have put his own data since. */
static void tell_left(const char *path)
{
	if (owned_is_left(path))
		say_line(
			"%s: a run of weir that was killed left it; if nobody has written to it "
			"since, remove it (rm), to have a new file measured",
			path);
}

/* ---- what is measured ---- */

/* tmpfs takes O_DIRECT since Linux 6.6, and has nothing beside the page cache. */
static bool in_memory(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && (fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC);
}

/* A file is made there, to see whether it can be, and past the cache.  It stays if it can be
 * told from others' files when we are gone; else it's made again by the run, as the last
 * moment. */
static int new_open(struct trial *t, struct err *reterr)
{
	char folder[PATH_MAX];
	struct statvfs fs;

	folder_of(t->path, folder, sizeof(folder));
	if (statvfs(folder, &fs) < 0)
		return err_sys(reterr, -errno, "%s", folder);
	t->bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
	int fd = open(t->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return err_sys(reterr, -errno, "%s", t->path);
	scope_fd int direct = open(t->path, O_RDONLY | O_DIRECT | O_CLOEXEC);
	t->direct = direct >= 0 && !in_memory(direct);
	if (owned_begin(fd, t->path) == 0) {
		t->lock = fd;
	} else {
		unlink(t->path);
		close(fd);
	}
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
	t->direct = direct >= 0 && !in_memory(direct);
	return 0;
}

/* A name in FOLDER that is not there: in a container each run may have the same number.
 * Its length, as of snprintf(). */
static int name_choose(struct trial *t, const char *folder)
{
	struct stat st;
	int len, more = 0;

	do
		len = snprintf(t->path, sizeof(t->path), more ? "%s/%s%d.%d" : "%s/%s%d",
			folder, TRIAL_NAME, getpid(), more);
	while (len < (int)sizeof(t->path) && lstat(t->path, &st) == 0 && ++more < 1000);
	return len;
}

int trial_open(struct trial *t, const char *target, struct err *reterr)
{
	struct stat st;
	int len, rc;

	*t = (struct trial){.lock = -1};
	if (!*target)
		return err_set(reterr, -EINVAL, "the target has no name");
	bool there = stat(target, &st) == 0;
	if (!there && errno != ENOENT)
		return err_sys(reterr, -errno, "%s", target);
	if (there && S_ISDIR(st.st_mode)) {
		remove_left_in(target);
		len = name_choose(t, target);
	} else {
		tell_left(target);
		len = snprintf(t->path, sizeof(t->path), "%s", target);
	}
	if (len >= (int)sizeof(t->path))
		return err_set(reterr, -ENAMETOOLONG, "%.100s...: the name is too long",
			target);
	rc = there && !S_ISDIR(st.st_mode) ? old_open(t, reterr) : new_open(t, reterr);
	name_escape(t);
	return rc;
}

void trial_close(struct trial *t)
{
	if (!t->made)
		return;
	unlink(t->path);
	if (t->lock >= 0)
		close(t->lock);
}
