/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/tracepoint.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/scope.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

/* A mount that stands in no table. */
static int tracefs_mount(void)
{
	scope_fd int context = fsopen("tracefs", FSOPEN_CLOEXEC);

	if (context < 0)
		return -errno;
	if (fsconfig(context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) < 0)
		return -errno;
	int fd = fsmount(context, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
	return fd < 0 ? -errno : fd;
}

int tracefs_open(struct err *reterr)
{
	static const char *const places[] = {
		"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};
	bool closed = false;

	for (size_t i = 0; i < COUNT_OF(places); i++) {
		int fd = open(places[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		closed |= fd < 0 && (errno == EACCES || errno == EPERM);
		if (fd >= 0 && faccessat(fd, "events/block", F_OK, AT_EACCESS) == 0)
			return fd;
		closed |= fd >= 0 && errno == EACCES;
		if (fd >= 0)
			close(fd);
	}
	int fd = tracefs_mount();
	if (fd >= 0)
		return fd;
	if (closed || fd == -EPERM || fd == -EACCES)
		return err_set(reterr, -EPERM,
			"the kernel's tracepoints are described in tracefs, which only root may read");
	if (fd == -ENODEV)
		return err_set(reterr, fd,
			"this kernel has no tracefs (CONFIG_TRACING), so it can't say what is asked "
			"of a device");
	return err_sys(reterr, fd,
		"tracefs can't be mounted; try: mount -t tracefs nodev /sys/kernel/tracing");
}

int tracepoint_load(int tracefs, const char *event, char *format, size_t size,
	struct err *reterr)
{
	char path[256];
	size_t len = 0;
	ssize_t n;

	snprintf(path, sizeof(path), "events/%s/format", event);
	scope_fd int fd = openat(tracefs, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_sys(reterr, -errno, "tracepoint %s", event);
	while (len + 1 < size && (n = read(fd, format + len, size - 1 - len)) > 0)
		len += (size_t)n;
	format[len] = '\0';
	return len ? 0 : err_set(reterr, -EIO, "tracepoint %s: has no description", event);
}

bool tracepoint_id(const char *format, uint64_t *ret)
{
	const char *at = strstr(format, "ID:");
	char *end;

	if (!at)
		return false;
	*ret = strtoull(at + 3, &end, 10);
	return end > at + 3;
}

/* Is NAME what a declaration that ends at END declares?  "char rwbs[10]" declares rwbs. */
static bool declares(const char *begin, const char *end, const char *name)
{
	size_t len = strlen(name);

	if (end > begin && end[-1] == ']')
		while (end > begin && *--end != '[')
			;
	return (size_t)(end - begin) > len && memcmp(end - len, name, len) == 0 &&
	       end[-(ptrdiff_t)len - 1] == ' ';
}

bool tracepoint_find(const char *format, const char *name, struct tracepoint_field *ret)
{
	for (const char *at = format; (at = strstr(at, "field:")); at++) {
		const char *end = strchr(at, ';');
		unsigned offset, bytes;
		if (!end || !declares(at + strlen("field:"), end, name))
			continue;
		if (sscanf(end, "; offset:%u; size:%u;", &offset, &bytes) != 2 ||
			offset > UINT16_MAX || bytes > UINT16_MAX)
			return false;
		if (str_starts(at, "field:__data_loc") || str_starts(at, "field:__rel_loc"))
			return false; /* where it lies is in the sample */
		*ret = (struct tracepoint_field){(uint16_t)offset, (uint16_t)bytes};
		return true;
	}
	return false;
}
