/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "base/err.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int err_setv(struct err *e, int code, const char *fmt, va_list ap)
{
	if (e) {
		e->code = code;
		vsnprintf(e->text, sizeof(e->text), fmt, ap);
	}
	return code;
}

int err_set(struct err *e, int code, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	err_setv(e, code, fmt, ap);
	va_end(ap);
	return code;
}

int err_sys(struct err *e, int code, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	err_setv(e, code, fmt, ap);
	va_end(ap);
	if (e) {
		size_t used = strlen(e->text);
		snprintf(e->text + used, sizeof(e->text) - used, ": %s", strerror(-code));
	}
	return code;
}

int err_within(struct err *e, const char *fmt, ...)
{
	if (!e)
		return -EIO;

	char cause[sizeof(e->text)];
	memcpy(cause, e->text, sizeof(cause));

	va_list ap;
	va_start(ap, fmt);
	vsnprintf(e->text, sizeof(e->text), fmt, ap);
	va_end(ap);

	size_t used = strlen(e->text);
	snprintf(e->text + used, sizeof(e->text) - used, ": %s", cause);
	return e->code;
}
