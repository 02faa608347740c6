/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/repeat/keep.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/output.h"
#include "report/report.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void close_dir(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

/* Files that are there, and the highest number among their names. */
static int dir_look(const char *path, uint32_t *ret_files, uint32_t *ret_highest,
	struct err *reterr)
{
	scope_with(close_dir) DIR *dir = opendir(path);
	const struct dirent *entry;

	*ret_files = *ret_highest = 0;
	if (!dir)
		return err_sys(reterr, -errno, "%s", path);
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.' || entry->d_type == DT_DIR)
			continue;
		unsigned long number = strtoul(entry->d_name, NULL, 10);
		++*ret_files;
		*ret_highest = MAX_OF(*ret_highest, (uint32_t)MIN_OF(number, 999999ul));
	}
	return 0;
}

static int make_dir(const char *path, struct err *reterr)
{
	if (mkdir(path, 0777) == 0 || errno == EEXIST)
		return 0;
	return err_sys(reterr, -errno, "%s", path);
}

int keep_dir_open(struct keep_dir *k, const char *dir, const char *sub, bool append,
	struct err *reterr)
{
	uint32_t files = 0, highest = 0;
	int len = snprintf(k->path, sizeof(k->path), "%s%s%s", dir, sub ? "/" : "",
		sub ? sub : "");

	if (len + 16 > (int)sizeof(k->path))
		return err_set(reterr, -ENAMETOOLONG, "%s: is too long a name", dir);
	int rc = make_dir(dir, reterr);
	if (rc == 0 && sub)
		rc = make_dir(k->path, reterr);
	if (rc == 0)
		rc = dir_look(k->path, &files, &highest, reterr);
	if (rc < 0)
		return rc;
	if (files && !append)
		return err_set(reterr, -EEXIST,
			"%s: has %u file%s in it, which new results would mix with; name another "
			"directory, or add to it with --append",
			k->path, files, files > 1 ? "s" : "");
	k->next = highest + 1;
	return 0;
}

void keep_dir_next(struct keep_dir *k, char *ret)
{
	int len = snprintf(ret, PATH_MAX, "%.*s/%03u.json", PATH_MAX - 16, k->path, k->next++);
	(void)len; /* keep_dir_open() left room */
}

int keep_none_next(char *ret, struct err *reterr)
{
	const char *dir = getenv("TMPDIR");

	if (snprintf(ret, PATH_MAX, "%s/weir-XXXXXX", dir && *dir ? dir : "/tmp") >= PATH_MAX)
		return err_set(reterr, -ENAMETOOLONG, "TMPDIR: is too long");
	scope_fd int fd = mkostemp(ret, O_CLOEXEC);
	return fd < 0 ? err_sys(reterr, -errno, "%s", ret) : 0;
}

int keep_file_open(const char *path, bool append, struct err *reterr)
{
	struct stat st;
	scope_fd int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

	if (fd < 0 || fstat(fd, &st) < 0)
		return err_sys(reterr, -errno, "%s", path);
	if (S_ISREG(st.st_mode) && (append || !st.st_size))
		return 0;
	return err_set(reterr, -EEXIST,
		S_ISREG(st.st_mode)
			? "%s: is not empty, and new results would mix with what is in it; name "
			  "another file, or add to it with --append"
			: "%s: is no regular file; results of several runs are kept in one",
		path);
}

int keep_file_add(const char *path, struct str *doc, struct err *reterr)
{
	scope_fd int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);

	if (fd < 0)
		return err_sys(reterr, -errno, "%s", path);
	report_one_line(doc);
	str_add_char(doc, '\n');
	if (doc->failed)
		return err_set(reterr, -ENOMEM, "%s: out of memory", path);
	off_t before = lseek(fd, 0, SEEK_END);
	int rc = output_write(fd, str_text(doc), doc->len);
	if (rc == 0)
		return 0;
	if (ftruncate(fd, before) < 0) /* half a line would spoil all others */
		return err_sys(reterr, rc, "%s: its last line is cut", path);
	return err_sys(reterr, rc, "%s", path);
}

int keep_about(const char *dir, const struct str *text, struct err *reterr)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/.repeat", dir) >= PATH_MAX)
		return err_set(reterr, -ENAMETOOLONG, "%s: is too long a name", dir);
	scope_fd int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0)
		return err_sys(reterr, -errno, "%s", path);
	off_t before = lseek(fd, 0, SEEK_END);
	int rc = output_write(fd, str_text(text), text->len);
	if (rc == 0)
		return 0;
	(void)!ftruncate(fd, MAX_OF(before, 0));
	if (before <= 0)
		unlink(path);
	return err_sys(reterr, rc, "%s", path);
}
