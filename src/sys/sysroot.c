/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/sysroot.h"

#include "base/scope.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

const struct sysroot sysroot_real = {.prefix = ""};

/* The prefix and the formatted path, or -ENAMETOOLONG. */
static int path_v(const struct sysroot *r, char path[PATH_MAX], const char *fmt, va_list ap)
	__attribute__((format(printf, 3, 0)));

static int path_v(const struct sysroot *r, char path[PATH_MAX], const char *fmt, va_list ap)
{
	int len = snprintf(path, PATH_MAX, "%s", r->prefix);
	if (len < 0 || len >= PATH_MAX)
		return -ENAMETOOLONG;
	int more = vsnprintf(path + len, (size_t)(PATH_MAX - len), fmt, ap);
	return more < 0 || more >= PATH_MAX - len ? -ENAMETOOLONG : 0;
}

#define PATH_OF(r, path, fmt)                                                                  \
	({                                                                                     \
		va_list path_ap;                                                               \
		va_start(path_ap, fmt);                                                        \
		int path_rc = path_v(r, path, fmt, path_ap);                                   \
		va_end(path_ap);                                                               \
		path_rc;                                                                       \
	})

static int real_place(const char *path, struct place *ret)
{
	struct statx st;
	unsigned want = STATX_BASIC_STATS;
#ifdef STATX_MNT_ID
	want |= STATX_MNT_ID;
#endif
#ifdef STATX_DIOALIGN
	want |= STATX_DIOALIGN;
#endif
	if (statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, want, &st) < 0)
		return -errno;
	*ret = (struct place){
		.block = S_ISBLK(st.stx_mode),
		.dev = makedev(st.stx_dev_major, st.stx_dev_minor),
		.rdev = makedev(st.stx_rdev_major, st.stx_rdev_minor),
		.mode = st.stx_mode,
		.bytes = st.stx_size,
		.allocated_bytes = st.stx_blocks * 512,
	};
#ifdef STATX_DIOALIGN
	if (st.stx_mask & STATX_DIOALIGN) {
		ret->direct_memory_align = st.stx_dio_mem_align;
		ret->direct_offset_align = st.stx_dio_offset_align;
	}
#endif
#ifdef STATX_MNT_ID
	if (st.stx_mask & STATX_MNT_ID)
		ret->mount_id = st.stx_mnt_id;
#endif
	return 0;
}

int sysroot_place(const struct sysroot *r, const char *path, struct place *ret)
{
	return r->place ? r->place(r->ctx, path, ret) : real_place(path, ret);
}

int sysroot_room(const struct sysroot *r, const char *path, struct room *ret)
{
	struct statvfs st;

	if (r->room)
		return r->room(r->ctx, path, ret);
	if (!sysroot_is_real(r))
		return -ENOSYS;
	if (statvfs(path, &st) < 0)
		return -errno;
	*ret = (struct room){
		.block_bytes = st.f_frsize,
		.bytes = st.f_blocks * st.f_frsize,
		.free_bytes = st.f_bfree * st.f_frsize,
		.available_bytes = st.f_bavail * st.f_frsize,
		.inodes = st.f_files,
		.inodes_free = st.f_ffree,
	};
	return 0;
}

bool sysroot_is_real(const struct sysroot *r)
{
	return !*r->prefix && !r->place;
}

static int read_path(const char *path, char *buf, size_t size)
{
	scope_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	size_t len = 0;
	while (len + 1 < size) {
		ssize_t got = read(fd, buf + len, size - 1 - len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			break;
		len += (size_t)got;
	}
	if (len && buf[len - 1] == '\n')
		len--;
	buf[len] = '\0';
	return 0;
}

int sysroot_text(const struct sysroot *r, char *buf, size_t size, const char *fmt, ...)
{
	char path[PATH_MAX];
	int rc = PATH_OF(r, path, fmt);
	return rc < 0 ? rc : read_path(path, buf, size);
}

int sysroot_load(const struct sysroot *r, struct str *out, const char *name)
{
	char path[PATH_MAX];
	if (snprintf(path, sizeof(path), "%s%s", r->prefix, name) >= PATH_MAX)
		return -ENAMETOOLONG;
	scope_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	for (;;) {
		char piece[4096];
		ssize_t got = read(fd, piece, sizeof(piece));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			return out->failed ? -ENOMEM : 0;
		str_add_bytes(out, piece, (size_t)got);
	}
}

int sysroot_u64(const struct sysroot *r, uint64_t *ret, const char *fmt, ...)
{
	char path[PATH_MAX], text[64];
	int rc = PATH_OF(r, path, fmt);
	if (rc == 0)
		rc = read_path(path, text, sizeof(text));
	if (rc < 0)
		return rc;
	uint64_t value = UINT64_MAX;
	if (!str_starts(text, "max") && sscanf(text, "%" SCNu64, &value) != 1)
		return -EINVAL;
	*ret = value;
	return 0;
}

int sysroot_dev(const struct sysroot *r, dev_t *ret, const char *fmt, ...)
{
	char path[PATH_MAX], text[64];
	int rc = PATH_OF(r, path, fmt);
	if (rc == 0)
		rc = read_path(path, text, sizeof(text));
	if (rc < 0)
		return rc;
	unsigned major_no, minor_no;
	if (sscanf(text, "%u:%u", &major_no, &minor_no) != 2)
		return -EINVAL;
	*ret = makedev(major_no, minor_no);
	return 0;
}

int sysroot_link_name(const struct sysroot *r, char *buf, size_t size, const char *fmt, ...)
{
	char path[PATH_MAX], link[PATH_MAX];
	int rc = PATH_OF(r, path, fmt);
	if (rc < 0)
		return rc;
	ssize_t len = readlink(path, link, sizeof(link) - 1);
	if (len < 0)
		return -errno;
	link[len] = '\0';
	const char *slash = strrchr(link, '/');
	int fits = snprintf(buf, size, "%s", slash ? slash + 1 : link);
	return fits < 0 || (size_t)fits >= size ? -ENAMETOOLONG : 0;
}

bool sysroot_has(const struct sysroot *r, const char *fmt, ...)
{
	char path[PATH_MAX];
	return PATH_OF(r, path, fmt) == 0 && access(path, F_OK) == 0;
}

DIR *sysroot_dir(const struct sysroot *r, const char *fmt, ...)
{
	char path[PATH_MAX];
	int rc = PATH_OF(r, path, fmt);
	if (rc < 0) {
		errno = -rc;
		return NULL;
	}
	return opendir(path);
}

const char *sysroot_next(DIR *dir)
{
	struct dirent *entry;
	while ((entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			return entry->d_name;
	return NULL;
}
