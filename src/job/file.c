/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Job files: lines, sections, include. */
#include "job/reader.h"

#include "base/err.h"
#include "base/scope.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

struct file {
	struct reader *reader;
	struct section section; /* the one being read             */
	bool open;              /* there is one                   */
	struct str line;        /* the line being read, expanded  */
};

/* ---- text of a file ---- */

static int read_all(int fd, const char *name, struct str *out, struct err *reterr)
{
	scope_mem char *chunk = malloc(LIMIT_LINE);
	if (!chunk)
		return err_set(reterr, -ENOMEM, "out of memory");
	for (;;) {
		ssize_t got = read(fd, chunk, LIMIT_LINE);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_sys(reterr, -errno, "unable to read job file '%s'", name);
		if (got == 0)
			return out->failed ? err_set(reterr, -ENOMEM, "out of memory") : 0;
		if (memchr(chunk, 0, (size_t)got))
			return err_set(reterr, -EINVAL, "'%s' is no job file: it has NUL bytes",
				name);
		if (out->len + (size_t)got > LIMIT_JOB_FILE)
			return err_set(reterr, -EFBIG, "'%s' is longer than %d MiB", name,
				LIMIT_JOB_FILE >> 20);
		str_add_bytes(out, chunk, (size_t)got);
	}
}

static int load(const char *path, struct str *out, struct err *reterr)
{
	scope_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return err_sys(reterr, -errno, "unable to open '%s' job file", path);
	return read_all(fd, path, out, reterr);
}

/* ---- lines ---- */

static int line_fail(struct file *f, struct opt_where where, int code, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static int line_fail(struct file *f, struct opt_where where, int code, const char *fmt, ...)
{
	struct place place = {where, f->open ? f->section.name : NULL, NULL};
	va_list ap;

	va_start(ap, fmt);
	place_failv(&place, f->reader->err, code, fmt, ap);
	va_end(ap);
	return code;
}

static int finish_section(struct file *f)
{
	if (!f->open)
		return 0;
	f->open = false;
	return f->section.skip ? 0 : reader_section(f->reader, &f->section);
}

/* "[name]", of which LINE is what is left without comment and blanks.  fio takes
 * all but the first and the last byte, whatever they are; weir's own face wants
 * brackets. */
static int begin_section(struct file *f, char *line, struct opt_where where)
{
	struct reader *r = f->reader;
	int rc = finish_section(f);
	if (rc < 0)
		return rc;

	size_t len = strlen(line);
	struct place place = {where, NULL, NULL};
	if (line[len - 1] != ']' && r->env->native)
		return place_fail(&place, r->err, -EINVAL,
			"section '%.100s' does not end in ']'", line);
	const char *name = arena_bytes(&r->set->arena, line + 1, len > 2 ? len - 2 : 0);
	if (!name)
		return reader_out_of_memory(r);
	if (line[len - 1] != ']')
		place_warn(&place, r->env,
			"'%.100s' does not end in ']': the section is '%.100s'", line, name);

	bool defaults = str_starts(name, "global");
	f->open = true;
	f->section = (struct section){
		.name = name,
		.where = where,
		.defaults = defaults,
		.skip = !defaults && r->file_index == 1 && !reader_wants(r, name, UINT32_MAX),
	};
	return 0;
}

static int say_line(struct file *f, const char *line, struct opt_where where)
{
	struct reader *r = f->reader;
	char *copy = arena_text(&r->set->arena, line);
	if (!copy)
		return reader_out_of_memory(r);
	char *equals = strchr(copy, '=');
	if (equals)
		*equals++ = '\0';
	return reader_say(r, str_trim(copy), equals ? str_trim(equals) : NULL, where);
}

static int include(struct file *f, const char *path, struct opt_where where, unsigned depth);

/* FILE of "include FILE" or "include=FILE"; NULL: LINE is an option. */
static const char *included(char *line)
{
	static const char word[] = "include";
	size_t len = sizeof(word) - 1;
	if (!str_starts(line, word) || !(isspace((unsigned char)line[len]) || line[len] == '='))
		return NULL;
	return str_trim(line + len + 1);
}

static int option_line(struct file *f, char *line, struct opt_where where, unsigned depth)
{
	struct err e = {0};
	int rc;

	if (!f->open)
		return line_fail(f, where, -EINVAL, "option <%.100s> outside of [] job section",
			line);
	if (f->section.skip)
		return 0;
	rc = job_expand_line(f->reader->env, line, &f->line, &e);
	if (rc < 0)
		return line_fail(f, where, rc, "%s", e.text);
	if (!f->line.len)
		return 0;
	line = str_trim(f->line.text);
	const char *path = included(line);
	if (path)
		return include(f, path, where, depth);
	return *line ? say_line(f, line, where) : 0;
}

/* "filename=a#b": somebody may have meant the mark. */
static void note_cut(struct file *f, struct opt_where where, const char *line, char mark)
{
	struct place place = {where, f->section.name, NULL};
	place_note(&place, f->reader->env, "'%c' begins a comment: this is %.200s", mark, line);
}

/* LINE is NUL-terminated and may be written to. */
static int read_line(struct file *f, char *line, struct opt_where where, unsigned depth)
{
	line = str_trim(line);
	if (!*line || *line == ';' || *line == '#')
		return 0;
	/* A comment ends a line anywhere: quotes do not help, in fio either. */
	char *end = line + strcspn(line, ";#");
	bool cut = *end && !isspace((unsigned char)end[-1]) &&
		   memchr(line, '=', (size_t)(end - line));
	char mark = *end;
	*end = '\0';
	line = str_trim(line);
	if (cut && f->open && !f->section.skip)
		note_cut(f, where, line, mark);
	if (*line != '[')
		return option_line(f, line, where, depth);
	if (depth)
		return line_fail(f, where, -EINVAL, "an included file can't begin a section");
	return begin_section(f, line, where);
}

static int read_lines(struct file *f, char *text, const char *name, unsigned depth)
{
	struct opt_where where = {.file = name};
	int rc = 0;

	while (text && *text && rc == 0) {
		char *end = strchrnul(text, '\n');
		char *next = *end ? end + 1 : NULL;
		where.line++;
		if (end - text > LIMIT_LINE)
			return line_fail(f, where, -E2BIG, "the line is longer than %d bytes",
				LIMIT_LINE);
		*end = '\0';
		rc = read_line(f, text, where, depth);
		text = next;
	}
	return rc;
}

/* ---- include ---- */

/* As it is named, or else beside the file that names it. */
static const char *included_path(struct file *f, const char *path, const char *from)
{
	struct arena *arena = &f->reader->set->arena;
	const char *slash = strrchr(from, '/');
	if (path[0] == '/' || !slash || access(path, F_OK) == 0)
		return arena_text(arena, path);
	return arena_printf(arena, "%.*s/%s", (int)(slash - from), from, path);
}

static int include(struct file *f, const char *path, struct opt_where where, unsigned depth)
{
	struct str text = {0};
	struct err e = {0};

	if (!*path)
		return line_fail(f, where, -EINVAL, "include needs the name of a file");
	if (depth == LIMIT_NESTING)
		return line_fail(f, where, -ELOOP, "include within include more than %d deep",
			LIMIT_NESTING);
	const char *name = included_path(f, path, where.file);
	if (!name)
		return reader_out_of_memory(f->reader);
	int rc = load(name, &text, &e);
	if (rc < 0)
		line_fail(f, where, rc, "include: %s", e.text);
	else
		rc = read_lines(f, text.text, name, depth + 1);
	str_done(&text);
	return rc;
}

int reader_file(struct reader *r, const char *path)
{
	struct file f = {.reader = r};
	struct str text = {0};

	const char *name = arena_text(&r->set->arena, strcmp(path, "-") == 0 ? "stdin" : path);
	if (!name)
		return reader_out_of_memory(r);
	int rc = strcmp(path, "-") == 0 ? read_all(STDIN_FILENO, name, &text, r->err)
					: load(path, &text, r->err);
	if (rc == 0)
		rc = read_lines(&f, text.text, name, 0);
	if (rc == 0)
		rc = finish_section(&f);
	str_done(&text);
	str_done(&f.line);
	return rc;
}
