/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What dd prints at its end, of GNU coreutils, busybox and the BSDs, in any language that
 * writes digits:
 *
 *	256+0 records in
 *	256+0 records out
 *	268435456 bytes (268 MB, 256 MiB) copied, 0.51 s, 526 MB/s    GNU; once one size
 *	268435456 bytes (256.0MB) copied, 0.51 seconds, 500.0MB/s     busybox
 *	268435456 bytes transferred in 0.512 secs (524288000 bytes/sec)  BSD
 *
 * The words differ by language, so they are not looked at: two lines of "N+M ", one that
 * begins with a number and has seconds in it.  The rate is made of bytes and time, as dd's own
 * has two or three digits.  Lines of status=progress stand before the records, and are none.
 *
 * Which way the bytes went stands only in the command, where the text has it: else it is said
 * as "mixed". */
#include "result/import_parts.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DD_LINE     1024
#define DD_OPERANDS 16

struct dd_records {
	uint64_t whole, part;
};

struct dd_run {
	struct dd_records in, out;
	uint64_t bytes;
	double seconds;
	const char *by; /* the program */
	char command[DD_LINE];
};

/* Lines end with \n or, of status=progress, with \r. */
static const char *dd_line(const char *at, const char *end, char *line, size_t size)
{
	size_t len = 0;

	while (at + len < end && at[len] != '\n' && at[len] != '\r')
		len++;
	snprintf(line, size, "%.*s", (int)MIN_OF(len, size - 1), at);
	return at + len < end ? at + len + 1 : end;
}

/* "256+0 records in" */
static bool dd_records(const char *line, struct dd_records *ret)
{
	char *end;

	while (*line == ' ')
		line++;
	if (!isdigit((unsigned char)*line))
		return false;
	ret->whole = strtoull(line, &end, 10);
	if (*end != '+' || !isdigit((unsigned char)end[1]))
		return false;
	ret->part = strtoull(end + 1, &end, 10);
	return *end == ' ' && end[1] && ret->whole < UINT64_C(1) << 60 &&
	       ret->part < UINT64_C(1) << 60;
}

/* "0,5123" and "4.2e-05", which ends at END. */
static double dd_number_before(const char *line, const char *end)
{
	const char *at = end;
	char text[32];

	while (at > line &&
		(isdigit((unsigned char)at[-1]) || (strchr(".,e-", at[-1]) && at - 1 > line)))
		at--;
	while (at < end && !isdigit((unsigned char)*at))
		at++;
	snprintf(text, sizeof(text), "%.*s", (int)MIN_OF(end - at, (ptrdiff_t)31), at);
	for (char *c = text; (c = strchr(c, ','));)
		*c = '.';
	return *text ? strtod(text, NULL) : 0;
}

/* Where " s", " secs", " seconds" stands behind a number. */
static bool dd_seconds(const char *line, double *ret)
{
	for (const char *at = line; (at = strstr(at, " s")); at++) {
		const char *behind = at + 2;
		if (str_starts(behind, "ec"))
			behind += strcspn(behind, " ,;(");
		if (at == line || !isdigit((unsigned char)at[-1]) ||
			(*behind && isalpha((unsigned char)*behind)))
			continue;
		*ret = dd_number_before(line, at);
		return *ret > 0 && *ret < 1e9;
	}
	return false;
}

static bool dd_summary(const char *line, struct dd_run *run)
{
	char *end;

	if (!isdigit((unsigned char)*line))
		return false;
	run->bytes = strtoull(line, &end, 10);
	if (*end == '+' || run->bytes >= UINT64_C(1) << 62 || !dd_seconds(end, &run->seconds))
		return false;
	run->by = strstr(line, " transferred in ") ? "dd (BSD)"
		  : strstr(line, " seconds, ")     ? "dd (busybox)"
						   : "dd (GNU coreutils)";
	return true;
}

/* "... dd if=/dev/zero of=f bs=1M": from its name on. */
static const char *dd_command(const char *line)
{
	for (const char *at = line; (at = strstr(at, "dd ")); at++) {
		const char *rest = at + 3 + strspn(at + 3, " ");
		bool begins = at == line || strchr(" \t/;&|($#`'\"", at[-1]);
		size_t key = strspn(rest, "abcdefghijklmnopqrstuvwxyz");
		if (begins && key && rest[key] == '=')
			return at;
	}
	return NULL;
}

/* The next run behind AT; NULL: there is none. */
static const char *dd_next(const char *at, const char *end, struct dd_run *run)
{
	char line[DD_LINE];
	int seen = 0; /* lines of records */

	*run = (struct dd_run){0};
	while (at < end) {
		at = dd_line(at, end, line, sizeof(line));
		const char *command = dd_command(line);
		struct dd_records records;
		if (command) {
			snprintf(run->command, sizeof(run->command), "%s", command);
			seen = 0;
		} else if (dd_records(line, &records)) {
			*(seen == 1 ? &run->out : &run->in) = records;
			seen = seen == 1 ? 2 : 1;
		} else if (seen == 2 && dd_summary(line, run)) {
			return at;
		} else if (seen && *line && !isdigit((unsigned char)*line)) {
			seen = 0; /* "3 truncated records" may stand between */
		}
	}
	return NULL;
}

bool import_is_dd(const char *text, size_t len)
{
	struct dd_run run;
	return dd_next(text, text + len, &run);
}

/* ---- a result of it ---- */

static const char *dd_option(const struct result_row *row, const char *name)
{
	for (uint32_t i = 0; i < row->options_count; i++)
		if (!strcmp(row->options[i].name, name))
			return row->options[i].value;
	return "";
}

/* KEY=VALUE until a word that is none: a pipe, a redirection, the end. */
static void dd_operands(struct import *in, struct result_row *row, const char *command)
{
	struct result_option *list = import_alloc(in, DD_OPERANDS * sizeof(*list));
	char text[DD_LINE], *rest = NULL;

	if (!list || !*command)
		return;
	snprintf(text, sizeof(text), "%s", command + 2);
	for (char *word = strtok_r(text, " \t", &rest); word;
		word = strtok_r(NULL, " \t", &rest)) {
		char *value = strchr(word, '=');
		if (!value || row->options_count == DD_OPERANDS)
			break;
		*value++ = '\0';
		size_t cut = strcspn(value, ";|&>)`");
		bool last = value[cut] != '\0';
		value[cut] = '\0';
		list[row->options_count++] = (struct result_option){
			import_copy(in, word), import_copy(in, value)};
		if (last || in->rc < 0)
			break;
	}
	row->options = list;
}

static int dd_direction(const struct result_row *row)
{
	static const char *const sources[] = {"/dev/zero", "/dev/urandom", "/dev/random"};
	const char *from = dd_option(row, "if"), *to = dd_option(row, "of");

	if (!strcmp(to, "/dev/null"))
		return DIR_READ;
	for (size_t i = 0; i < COUNT_OF(sources); i++)
		if (!strcmp(from, sources[i]) && *to)
			return DIR_WRITE;
	return RESULT_MIXED;
}

/* "write 1m": the size where all records were of one. */
static void dd_what(struct import *in, struct result_row *row, int dir,
	const struct dd_run *run)
{
	const struct dd_records *r = dir == DIR_READ ? &run->in : &run->out;
	uint64_t size = r->whole && !r->part && run->bytes % r->whole == 0
				? run->bytes / r->whole
				: 0;
	const char *kind = dir == DIR_READ ? "read" : dir == DIR_WRITE ? "write" : "copy";

	if (!size)
		row->what = import_copy(in, kind);
	else if (size % (1 << 20) == 0)
		row->what = arena_printf(&in->r->arena, "%s %llum", kind,
			(unsigned long long)size >> 20);
	else if (size % 1024 == 0)
		row->what = arena_printf(&in->r->arena, "%s %lluk", kind,
			(unsigned long long)size >> 10);
	else
		row->what = arena_printf(&in->r->arena, "%s %llu", kind,
			(unsigned long long)size);
}

/* Runs of one name are repeats of one job: "dd-write-1m". */
static void dd_name(struct import *in, struct result_row *row)
{
	char *name = row->what ? arena_printf(&in->r->arena, "dd-%s", row->what) : NULL;

	if (!name) {
		import_no_memory(in);
		return;
	}
	row->name = name;
	for (char *at = name; (at = strchr(at, ' '));)
		*at = '-';
}

static void dd_row(struct import *in, struct result_row *row, const struct dd_run *run)
{
	dd_operands(in, row, run->command);
	int dir = dd_direction(row);
	struct result_dir *d = &row->dir[dir];
	struct result_dir_told *told = import_dir_told(d);
	const struct dd_records *r = dir == DIR_READ ? &run->in : &run->out;

	row->engine = row->engine_used = "dd";
	row->depth = row->depth_asked = 1;
	if (dir == RESULT_MIXED)
		((struct result_style *)(uintptr_t)row->style)->unified = UNIFIED_MIXED;
	dd_what(in, row, dir, run);
	dd_name(in, row);
	told->present = told->ios = true;
	d->bytes = run->bytes;
	d->ios = r->whole + r->part;
	d->runtime_ns = row->runtime_ns = (uint64_t)(run->seconds * 1e9 + 0.5);
}

static void dd_result(struct import *in, const struct dd_run *run)
{
	struct result_row *row = import_alloc(in, sizeof(*row));

	if (!row)
		return;
	*row = (struct result_row){0};
	import_row_init(in, row);
	if (in->rc < 0)
		return;
	in->r->rows = row;
	in->r->rows_count = 1;
	in->r->final = true;
	in->r->source = run->by;
	char *title = arena_bytes(&in->r->arena, run->command, strcspn(run->command, ";|&>"));
	if (title && *title)
		in->r->title = str_trim(title);
	dd_row(in, row, run);
	import_finish(in);
}

/* A loop prints its command once: RUN is the same again if it has none and as many records as
 * the one BEFORE, which it then becomes. */
static void dd_again(struct dd_run *run, struct dd_run *before)
{
	bool same = run->bytes == before->bytes &&
		    !memcmp(&run->in, &before->in, sizeof(run->in)) &&
		    !memcmp(&run->out, &before->out, sizeof(run->out));

	if (!*run->command && same)
		snprintf(run->command, sizeof(run->command), "%s", before->command);
	*before = *run;
}

int import_dds(struct import *in, size_t len, struct result *(*add)(void *ctx), void *ctx)
{
	const char *at = in->text, *end = in->text + len;
	struct dd_run *run = calloc(2, sizeof(*run));

	if (!run)
		import_no_memory(in);
	while (in->rc == 0 && (at = dd_next(at, end, run))) {
		dd_again(run, run + 1);
		in->r = add(ctx);
		if (!in->r)
			import_no_memory(in);
		else
			dd_result(in, run);
	}
	free(run);
	return in->rc;
}
