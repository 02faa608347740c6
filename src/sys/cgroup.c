/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/cgroup.h"

#include "base/err.h"
#include "base/log.h"
#include "base/scope.h"
#include "sys/mounts.h"
#include "sys/sysroot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CGROUP_TRIES  100
#define CGROUP_NAP_NS 5000000L

bool cgroup_lists(const char *list, size_t len, const char *word)
{
	size_t word_len = strlen(word);
	for (size_t at = 0; at < len;) {
		size_t n = strcspn(list + at, ",:\n");
		if (n == word_len && !memcmp(list + at, word, n))
			return true;
		at += n + 1;
	}
	return false;
}

bool cgroup_own(const char *lines, const char *controller, char *buf, size_t size)
{
	for (const char *line = lines; *line;) {
		size_t end = strcspn(line, "\n");
		const char *names = memchr(line, ':', end);
		const char *path = names ? memchr(names + 1, ':',
						   end - (size_t)(names + 1 - line))
					 : NULL;
		if (path) {
			size_t names_len = (size_t)(path - names) - 1;
			bool ours = controller ? cgroup_lists(names + 1, names_len, controller)
					       : names_len == 0;
			if (ours) {
				snprintf(buf, size, "%.*s", (int)(line + end - path - 1),
					path + 1);
				return true;
			}
		}
		line += end + (line[end] == '\n');
	}
	return false;
}

int cgroup_path(const struct sysroot *r, const char *name, char *buf, size_t size,
	struct err *reterr)
{
	scope_with(mounts_done) struct mounts mounts = {0};
	int rc = mounts_load(r, &mounts);

	if (rc < 0)
		return err_sys(reterr, rc, "can't read the table of mounts");
	while (name[0] == '/')
		name++;
	for (size_t i = 0; i < mounts.count; i++) {
		if (strcmp(mounts.v[i].type, "cgroup2"))
			continue;
		if ((size_t)snprintf(buf, size, "%s/%s", mounts.v[i].point, name) >= size)
			return err_set(reterr, -ENAMETOOLONG, "the name \"%s\" is too long",
				name);
		return 0;
	}
	return err_set(reterr, -ENOTSUP,
		"no control groups of version 2 are mounted here, and those of version 1 weir doesn't "
		"use; mount them (mount -t cgroup2 none /sys/fs/cgroup)");
}

size_t cgroup_there(const char *path)
{
	char at[PATH_MAX];
	struct stat st;

	snprintf(at, sizeof(at), "%s", path);
	while (at[0] && stat(at, &st) < 0) {
		char *slash = strrchr(at, '/');
		if (!slash)
			return 0;
		*slash = '\0';
	}
	return strlen(at);
}

static int cgroup_make(const char *path)
{
	char at[PATH_MAX];

	if ((size_t)snprintf(at, sizeof(at), "%s", path) >= sizeof(at))
		return -ENAMETOOLONG;
	for (char *slash = at + cgroup_there(path);; *slash = '/') {
		slash = strchr(slash + (*slash == '/'), '/');
		if (slash)
			*slash = '\0';
		if (mkdir(at, 0755) < 0 && errno != EEXIST)
			return -errno;
		if (!slash)
			return 0;
	}
}

static int cgroup_write(const char *path, const char *file, const char *text)
{
	char name[PATH_MAX];

	if ((size_t)snprintf(name, sizeof(name), "%s/%s", path, file) >= sizeof(name))
		return -ENAMETOOLONG;
	scope_fd int fd = open(name, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	return write(fd, text, strlen(text)) < 0 ? -errno : 0;
}

int cgroup_join(const char *path, uint32_t weight, struct err *reterr)
{
	char text[32];
	int rc = cgroup_make(path);

	if (rc < 0)
		return err_sys(reterr, rc, "cgroup: can't make %s%s", path,
			rc == -EACCES || rc == -EPERM ? " (run as root, or own the group above)"
						      : "");
	snprintf(text, sizeof(text), "default %u", weight);
	rc = weight ? cgroup_write(path, "io.weight", text) : 0;
	if (rc == -ENOENT)
		return err_set(reterr, rc,
			"cgroup_weight: %s has no io.weight: the io controller isn't there (a version 1 "
			"hierarchy has it) or isn't handed down; echo +io > cgroup.subtree_control in the "
			"group above, or leave cgroup_weight out",
			path);
	if (rc < 0)
		return err_sys(reterr, rc, "cgroup_weight: can't write %u to %s/io.weight",
			weight, path);
	rc = cgroup_write(path, "cgroup.procs", "0");
	if (rc < 0)
		return err_sys(reterr, rc, "cgroup: can't join %s", path);
	return 0;
}

void cgroup_remove(const char *path, size_t keep)
{
	const struct timespec nap = {.tv_nsec = CGROUP_NAP_NS};
	char at[PATH_MAX];

	snprintf(at, sizeof(at), "%s", path);
	while (strlen(at) > keep) {
		int rc = -EBUSY;
		for (int i = 0; rc == -EBUSY && i < CGROUP_TRIES; i++) {
			rc = rmdir(at) < 0 ? -errno : 0;
			if (rc == -EBUSY)
				nanosleep(&nap, NULL);
		}
		if (rc < 0 && rc != -ENOENT) {
			log_debug(LOG_RUN, "remove cgroup %s: %s", at, strerror(-rc));
			return;
		}
		char *slash = strrchr(at, '/');
		if (!slash)
			return;
		*slash = '\0';
	}
}
