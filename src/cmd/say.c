/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/say.h"

#include "base/scope.h"
#include "base/str.h"
#include "cmd/output.h"

#include <unistd.h>

/* In one piece: other processes write to the same terminal. */
static __attribute__((format(printf, 1, 0))) void say(const char *fmt, va_list ap)
{
	scope_with(str_done) struct str line = {0};

	str_add(&line, "weir: ");
	str_addv(&line, fmt, ap);
	str_add_char(&line, '\n');
	(void)output_write(STDERR_FILENO, str_text(&line), line.len);
}

void say_line(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
}

int say_status(int status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
	return status;
}
