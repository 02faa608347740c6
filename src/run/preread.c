/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/preread.h"

#include "base/err.h"
#include "base/scope.h"
#include "plan/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define PREREAD_BYTES ((size_t)1 << 20)

static int preread_one(int fd, void *buf, const volatile uint32_t *stop, uint64_t *beats)
{
	while (!*stop) {
		ssize_t n = read(fd, buf, PREREAD_BYTES);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : 0;
		++*beats;
	}
	return 0;
}

int preread(const struct plan *plan, const struct plan_worker *pw,
	const volatile uint32_t *stop, uint64_t *beats, struct err *reterr)
{
	scope_mem void *buf = malloc(PREREAD_BYTES);

	if (!buf)
		return err_set(reterr, -ENOMEM, "out of memory for pre_read");
	for (uint32_t i = 0; i < pw->files.count && !*stop; i++) {
		const char *path = plan->targets[pw->files.targets[i]].path;
		scope_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0 && errno == ENOENT)
			continue; /* the job makes it */
		int rc = fd < 0 ? -errno : preread_one(fd, buf, stop, beats);
		if (rc < 0)
			return err_sys(reterr, rc, "pre_read: can't read %s", path);
	}
	return 0;
}
