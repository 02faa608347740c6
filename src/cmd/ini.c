/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/ini.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

/* ---- errors ---- */

int ini_fail(struct ini *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_setv(f->err, -EINVAL, fmt, ap);
	va_end(ap);
	err_within(f->err, "%s:%u", f->path, f->line);
	return -EINVAL;
}

int ini_within(struct ini *f, const char *key)
{
	if (key)
		err_within(f->err, "%s", key);
	return err_within(f->err, "%s:%u", f->path, f->line);
}

int ini_no_memory(struct ini *f)
{
	return err_set(f->err, -ENOMEM, "out of memory");
}

/* ---- lines ---- */

int ini_open(struct ini *f, struct arena *a, const char *kind, const char *path,
	const char *text, size_t len, struct err *reterr)
{
	*f = (struct ini){.path = path, .err = reterr};
	if (memchr(text, 0, len))
		return err_set(reterr, -EINVAL, "%s: is no %s: it has NUL bytes", path, kind);
	f->rest = arena_bytes(a, text, len);
	f->path = arena_text(a, path);
	return f->rest && f->path ? 0 : ini_no_memory(f);
}

int ini_next(struct ini *f, char **ret)
{
	while (f->rest) {
		char *line = strsep(&f->rest, "\n");
		f->line++;
		if (strlen(line) > LIMIT_LINE)
			return ini_fail(f, "the line is longer than %d bytes", LIMIT_LINE);
		line = str_trim(line);
		if (!*line || *line == '#' || *line == ';')
			continue;
		*ret = line;
		return 1;
	}
	return 0;
}

/* ---- in a line ---- */

char *ini_section(struct ini *f, char *line)
{
	ini_cut_comment(line);
	line = str_trim(line);
	size_t len = strlen(line);
	if (line[len - 1] != ']') {
		ini_fail(f, "section '%.100s' does not end in ']'", line);
		return NULL;
	}
	line[len - 1] = '\0';
	return str_trim(line + 1);
}

char *ini_behind(char *line, const char *word)
{
	size_t len = strlen(word);
	return str_starts(line, word) && (!line[len] || isspace((unsigned char)line[len]))
		       ? line + len
		       : NULL;
}

void ini_cut_comment(char *text)
{
	bool quoted = false;

	for (char *c = text; *c; c++) {
		if (*c == '"')
			quoted = !quoted;
		bool mark = (*c == '#' || *c == ';') && !quoted;
		if (mark && (c == text || isspace((unsigned char)c[-1]))) {
			*c = '\0';
			return;
		}
	}
}

char *ini_unquote(char *text)
{
	size_t len = strlen(text);

	if (len < 2 || text[0] != '"' || text[len - 1] != '"')
		return text;
	text[len - 1] = '\0';
	return text + 1;
}
