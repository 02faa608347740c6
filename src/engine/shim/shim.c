/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "engine/shim/shim.h"

#include "base/err.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int shim_open(struct queue *q, struct target *t, const struct target_how *how,
	struct err *reterr)
{
	return call_target_open(q->inner, t, how, reterr);
}

static void shim_close(struct queue *q, struct target *t)
{
	call_target_close(q->inner, t);
}

static int shim_invalidate(struct queue *q, struct target *t, const struct target_how *how)
{
	const struct target_ops *ops = q->inner->engine->target;

	return ops->invalidate ? ops->invalidate(q->inner, t, how) : 0;
}

const struct target_ops target_shim = {
	.open = shim_open,
	.close = shim_close,
	.invalidate = shim_invalidate,
};

int shim_lines_open(struct shim_lines *l, const char *path, struct err *reterr)
{
	*l = (struct shim_lines){.fd = -1};
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)
		      : fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (fd < 0)
		return err_sys(reterr, -errno, "%s: can't open it for the shim's lines",
			path ? path : "stderr");
	l->text = malloc(SHIM_LINES);
	if (!l->text) {
		close(fd);
		return err_set(reterr, -ENOMEM, "no memory for the shim's lines");
	}
	l->fd = fd;
	return 0;
}

void shim_lines_flush(struct shim_lines *l)
{
	size_t at = 0;

	while (at < l->used) {
		ssize_t n = write(l->fd, l->text + at, l->used - at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break; /* a shim has nobody to tell */
		at += (size_t)n;
	}
	l->used = 0;
}

__attribute__((format(printf, 2, 0))) static int lines_print(struct shim_lines *l,
	const char *fmt, va_list ap)
{
	return vsnprintf(l->text + l->used, SHIM_LINES - l->used, fmt, ap);
}

void shim_lines_add(struct shim_lines *l, const char *fmt, ...)
{
	for (int attempt = 0; attempt < 2; attempt++) {
		va_list ap;
		va_start(ap, fmt);
		int n = lines_print(l, fmt, ap);
		va_end(ap);
		if (n >= 0 && (size_t)n < SHIM_LINES - l->used) {
			l->used += (size_t)n;
			return;
		}
		shim_lines_flush(l);
	}
}

void shim_lines_close(struct shim_lines *l)
{
	if (l->fd < 0)
		return;
	shim_lines_flush(l);
	close(l->fd);
	free(l->text);
	l->fd = -1;
}
