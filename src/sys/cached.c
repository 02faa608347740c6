/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/cached.h"

#include "base/scope.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_cachestat
#define SYS_cachestat 451 /* the same on all architectures */
#endif

int cached_find(const char *path, struct cached *ret)
{
	struct {
		uint64_t offset, bytes; /* 0 bytes: to the end */
	} range = {0, 0};
	struct {
		uint64_t cached, dirty, writeback, evicted, recently_evicted;
	} pages;
	scope_fd int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (syscall(SYS_cachestat, fd, &range, &pages, 0) < 0)
		return -errno;
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	*ret = (struct cached){
		.bytes = pages.cached * page,
		.dirty = pages.dirty * page,
		.writeback = pages.writeback * page,
	};
	return 0;
}
