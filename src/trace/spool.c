/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "trace/spool.h"

#include "base/err.h"
#include "base/scope.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool spool_write(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(fd, data, len);
		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0) {
			data += n;
			len -= (size_t)n;
		}
	}
	return true;
}

int trace_spool(char *path, size_t size, struct err *reterr)
{
	static const size_t room = 64 << 10;
	const char *dir = getenv("TMPDIR");
	scope_mem char *buf = malloc(room);
	ssize_t n;

	if (!dir || !*dir)
		dir = "/var/tmp";
	scope_fd int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0 || !buf)
		return err_sys(reterr, fd < 0 ? -errno : -ENOMEM,
			"stdin: can't keep the trace in %s (TMPDIR names another place)", dir);
	while ((n = read(STDIN_FILENO, buf, room)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(reterr, -errno, "stdin: can't be read");
		if (!spool_write(fd, buf, (size_t)n))
			return err_sys(reterr, -errno,
				"stdin: can't keep the trace in %s (TMPDIR names another place)",
				dir);
	}
	snprintf(path, size, TRACE_SPOOLED "%d", keep_fd(&fd));
	return 0;
}
