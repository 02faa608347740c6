/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/survey.h"

#include "base/arena.h"
#include "base/fact.h"
#include "base/scope.h"
#include "base/str.h"
#include "sys/sysroot.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LOAD_MAX (64u << 10)

const char *survey_copy(struct survey *s, const char *text)
{
	const char *copy = arena_text(s->arena, text);
	s->failed |= !copy;
	return copy;
}

const char *survey_printf(struct survey *s, const char *fmt, ...)
{
	char text[1024];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return survey_copy(s, text);
}

void survey_gap_text(struct survey *s, const char *path, const char *reason)
{
	for (uint32_t i = 0; i < s->gaps_count; i++)
		if (strcmp(s->gaps[i].path, path) == 0)
			return;
	if (s->gaps_count == SURVEY_GAPS) {
		s->gaps_more++;
		return;
	}
	struct survey_gap gap = {survey_copy(s, path), survey_copy(s, reason)};
	if (gap.path && gap.reason)
		s->gaps[s->gaps_count++] = gap;
}

void survey_gap(struct survey *s, const char *path, int rc)
{
	/* Absent, or the kernel's way to say "has no such thing". */
	static const int nothing[] = {
		ENOENT, ENOTDIR, EINVAL, ENODEV, ENXIO, EOPNOTSUPP, ENODATA, ENOTTY, ENOSYS};
	for (size_t i = 0; i < sizeof(nothing) / sizeof(nothing[0]); i++)
		if (rc == -nothing[i])
			return;
	survey_gap_text(s, path, strerror(-rc));
}

#define PATH_OF(path, fmt)                                                                     \
	({                                                                                     \
		va_list path_ap;                                                               \
		va_start(path_ap, fmt);                                                        \
		int path_len = vsnprintf(path, sizeof(path), fmt, path_ap);                    \
		va_end(path_ap);                                                               \
		path_len >= 0 && (size_t)path_len < sizeof(path);                              \
	})

static int read_line(struct survey *s, const char *path, char *buf, size_t size)
{
	int rc = sysroot_text(s->root, buf, size, "%s", path);
	if (rc < 0) {
		survey_gap(s, path, rc);
		return rc;
	}
	buf[strcspn(buf, "\n")] = '\0';
	return 0;
}

const char *survey_text(struct survey *s, const char *fmt, ...)
{
	char path[PATH_MAX], text[2048];

	if (!PATH_OF(path, fmt) || read_line(s, path, text, sizeof(text)) < 0)
		return NULL;
	const char *trimmed = str_trim(text);
	return *trimmed ? survey_copy(s, trimmed) : NULL;
}

uint64_t survey_count(struct survey *s, const char *fmt, ...)
{
	char path[PATH_MAX], text[64];
	uint64_t value;

	if (!PATH_OF(path, fmt) || read_line(s, path, text, sizeof(text)) < 0)
		return FACT_UNKNOWN;
	return text[strspn(text, " \t")] == '-' || sscanf(text, "%" SCNu64, &value) != 1
		       ? FACT_UNKNOWN
		       : value;
}

const char *survey_load(struct survey *s, const char *fmt, ...)
{
	char path[PATH_MAX];
	if (!PATH_OF(path, fmt))
		return NULL;
	scope_mem char *buf = malloc(LOAD_MAX);
	if (!buf) {
		s->failed = true;
		return NULL;
	}
	int rc = sysroot_text(s->root, buf, LOAD_MAX, "%s", path);
	if (rc < 0)
		survey_gap(s, path, rc);
	return rc < 0 || !*buf ? NULL : survey_copy(s, buf);
}

const char *survey_link(struct survey *s, const char *fmt, ...)
{
	char path[PATH_MAX], name[256];
	if (!PATH_OF(path, fmt) ||
		sysroot_link_name(s->root, name, sizeof(name), "%s", path) < 0)
		return NULL;
	return survey_copy(s, name);
}

uint64_t survey_key(const char *text, const char *key)
{
	size_t len = strlen(key);
	uint64_t value;

	for (const char *line = text; line && *line;) {
		if (strncmp(line, key, len) == 0 &&
			sscanf(line + len, "%*[: \t]%" SCNu64, &value) == 1)
			return value;
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return FACT_UNKNOWN;
}

const char *survey_chosen(struct survey *s, const char *text)
{
	const char *open = text ? strchr(text, '[') : NULL;
	const char *shut = open ? strchr(open, ']') : NULL;
	return shut ? survey_printf(s, "%.*s", (int)(shut - open - 1), open + 1) : text;
}
