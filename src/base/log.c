/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "base/log.h"

#include "base/bits.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

unsigned log_areas;
volatile sig_atomic_t log_stop_signal;
volatile sig_atomic_t log_stop_count;

static const struct {
	const char *name;
	enum log_area area;
} log_names[] = {
	{"job", LOG_JOB},
	{"plan", LOG_PLAN},
	{"run", LOG_RUN},
	{"engine", LOG_ENGINE},
	{"io", LOG_IO},
	{"sys", LOG_SYS},
};

static const char *log_name(enum log_area area)
{
	for (size_t i = 0; i < COUNT_OF(log_names); i++)
		if (log_names[i].area == area)
			return log_names[i].name;
	return "?";
}

void log_debug(enum log_area area, const char *fmt, ...)
{
	if (!log_wants(area))
		return;
	char text[512];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fprintf(stderr, "%-8s %-5d %s\n", log_name(area), (int)getpid(), text);
}

int log_parse_areas(const char *text, unsigned *ret_areas, const char **ret_bad)
{
	unsigned areas = 0;
	while (*text) {
		size_t len = strcspn(text, ",");
		unsigned found = 0;
		if (len == 3 && memcmp(text, "all", 3) == 0)
			found = ~0u;
		for (size_t i = 0; i < COUNT_OF(log_names); i++)
			if (strlen(log_names[i].name) == len &&
				!memcmp(text, log_names[i].name, len))
				found = log_names[i].area;
		if (!found) {
			*ret_bad = text;
			return -EINVAL;
		}
		areas |= found;
		text += len + (text[len] == ',');
	}
	*ret_areas = areas;
	return 0;
}
