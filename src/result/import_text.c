/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* fio's classic text of 2.0 to 3.42: runs out of a stream of segments, one at a time.
 *
 * A run ends where another begins: with a job's header line or a version behind job
 * blocks, with a job block behind the groups (--status-interval), or with the text. */
#include "result/import_text.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- runs ---- */

static void run_title(struct text_reader *t)
{
	struct result *r = t->in.r;

	if (*t->comment)
		r->title = arena_printf(&r->arena, "%s: %s", t->in.name, t->comment);
	else if (t->results)
		r->title = arena_printf(&r->arena, "%s:%llu", t->in.name,
			(unsigned long long)t->lines.first);
	t->comment[0] = '\0';
}

static bool run_open(struct text_reader *t)
{
	if (t->in.r)
		return true;
	if (t->in.rc < 0 || t->stopped)
		return false;
	t->in.r = result_new();
	if (!t->in.r) {
		import_no_memory(&t->in);
		return false;
	}
	t->in.r->final = true;
	t->rows_room = 0;
	t->groups_count = 0;
	t->group = NULL;
	t->groups_seen = t->disks_seen = false;
	run_title(t);
	return true;
}

static void run_drop(struct text_reader *t)
{
	struct result *r = t->in.r;

	if (r->messages_count)
		snprintf(t->last_message, sizeof(t->last_message), "%s",
			r->messages[r->messages_count - 1]);
	t->empty++;
	result_free(r);
	t->in.r = NULL;
}

static void run_close(struct text_reader *t)
{
	struct result *r = t->in.r;

	if (!r)
		return;
	text_row_end(t);
	if (!r->rows_count) {
		run_drop(t);
		return;
	}
	r->source = *t->version ? import_copy(&t->in, t->version) : NULL;
	import_finish(&t->in);
	text_groups_end(t);
	t->stale = true;
	t->stale_pid = r->rows[0].pid;
	t->in.r = NULL;
	if (t->in.rc < 0) {
		result_free(r);
		return;
	}
	t->results++;
	int rc = t->sink.take(t->sink.ctx, r);
	if (rc < 0) {
		t->in.rc = rc;
		t->stopped = true;
	}
}

/* What stood at the beginning of the run before isn't of this one. */
static void stale_drop(struct text_reader *t)
{
	t->stale = false;
	t->headers_count = 0;
	t->version[0] = '\0';
	t->major = 0;
}

static void run_begin(struct text_reader *t)
{
	if (t->in.r && (t->in.r->rows_count || t->groups_seen))
		run_close(t);
	if (t->stale)
		stale_drop(t);
	run_open(t);
}

/* ---- segments ---- */

/* "Starting\n4 processes mix:", where line breaks are lost. */
static const char *name_skip(const char *at)
{
	const char *words = at + strspn(at, "0123456789 ");

	if (!str_starts(words, "processes ") && !str_starts(words, "threads "))
		return at;
	return strchr(words, ' ') + 1;
}

static void name_take(char *to, const char *line, size_t begin, size_t end)
{
	const char *at = line + begin;

	while (end > begin && (line[end - 1] == ' ' || line[end - 1] == '\n'))
		end--;
	while (at < line + end && (*at == ' ' || *at == '\n'))
		at++;
	at = name_skip(at);
	snprintf(to, TEXT_NAME, "%.*s", (int)(line + end - at), at);
}

static void version_take(struct text_reader *t, const char *at, size_t len)
{
	bool bare = at[0] != 'f';

	bool begun = t->in.r && t->in.r->rows_count;
	if (bare && (!t->headers_count || t->stale || begun))
		return;
	run_begin(t);
	snprintf(t->version, sizeof(t->version), "%s%.*s", bare ? "fio-" : "", (int)len, at);
	t->version[3] = '-';
	t->major = (unsigned)strtoul(t->version + 4, NULL, 10);
}

/* Where line breaks are lost the version stands before "Starting 4 processes". */
static void version_before(struct text_reader *t, const char *line, size_t at)
{
	size_t end = at;

	while (end && line[end - 1] == ' ')
		end--;
	size_t begin = end;
	while (begin && line[begin - 1] != ' ' && line[begin - 1] != '\n')
		begin--;
	if (end > begin && text_version(line + begin) == end - begin)
		version_take(t, line + begin, end - begin);
}

static int pid_of(const char *body)
{
	struct text_number n;
	return text_find(body, "pid=", &n) ? (int)MIN_OF(n.v, 0x7fffffff) : 0;
}

static void head_take(struct text_reader *t, const char *name, const char *body)
{
	text_row_end(t);
	if (t->groups_seen || (t->in.r && t->in.r->rows_count == TEXT_ROWS))
		run_close(t);
	if (t->stale && !t->in.r && (!pid_of(body) || pid_of(body) != t->stale_pid))
		stale_drop(t);
	if (run_open(t))
		text_read_head(t, name, body);
}

static void message_take(struct text_reader *t, const char *text)
{
	char line[1024];

	snprintf(line, sizeof(line), "%.*s", (int)strcspn(text, "\n"), text);
	if (t->in.r && t->in.r->messages_count < 64 && result_message_add(t->in.r, line) < 0)
		import_no_memory(&t->in);
}

/* "[slow reader]" */
static void description_take(struct text_reader *t, const char *body)
{
	const char *end = strrchr(body, ']');
	struct result_row *row = text_row(t);

	char *text = row && end ? arena_bytes(&t->in.r->arena, body, (size_t)(end - body))
				: NULL;
	if (!text)
		return;
	for (char *at = text; (at = strchr(at, '\n'));)
		*at = ' ';
	row->description = text;
}

static void group_take(struct text_reader *t, const char *body)
{
	if (!t->in.r)
		return;
	text_row_end(t);
	t->groups_seen = true;
	text_read_group(t, body);
}

/* Segments of a run that goes on. WORDS: from where it begins. */
static void inner_take(struct text_reader *t, enum text_kind kind, const char *words,
	const char *name, const char *body)
{
	switch (kind) {
	case TEXT_DESCRIPTION:
		description_take(t, body);
		break;
	case TEXT_DIRECTION:
		text_read_direction(t, words, body);
		break;
	case TEXT_LATENCY:
		text_read_latency(t, words, body);
		break;
	case TEXT_PERCENTILES:
		text_read_percentiles(t, words);
		break;
	case TEXT_CELLS:
		text_read_cells(t, body);
		break;
	case TEXT_BW:
		text_read_bw(t, words, body);
		break;
	case TEXT_IOPS:
		text_read_iops(t, words);
		break;
	case TEXT_SYNC:
		t->in_sync = true;
		break;
	case TEXT_LIFETIME:
		t->table = NULL;
		break;
	case TEXT_GROUP:
		group_take(t, body);
		break;
	case TEXT_GROUP_LINE:
		text_read_group_line(t, words, body);
		break;
	case TEXT_DISKS:
		t->disks_seen = true;
		break;
	case TEXT_DISK:
		text_read_disk(t, name, body);
		break;
	case TEXT_IDLE:
		t->in.r->idle.given = true;
		break;
	case TEXT_IDLE_LINE:
		text_read_idle(t, words, body);
		break;
	case TEXT_MESSAGE:
		message_take(t, words);
		break;
	default:
		text_read_row(t, kind, body);
		break;
	}
}

static void segment_take(struct text_reader *t, const char *line, const struct text_segment *s)
{
	char name[TEXT_NAME] = "";

	if (s->kind == TEXT_HEAD || s->kind == TEXT_HEADER || s->kind == TEXT_DISK)
		name_take(name, line, s->begin, s->body);
	if (s->kind == TEXT_HEADER) {
		run_begin(t);
		text_read_header(t, name, line + s->body);
	} else if (s->kind == TEXT_HEAD) {
		head_take(t, name, line + s->body);
	} else if (s->kind == TEXT_STARTING) {
		version_before(t, line, s->begin);
	} else if (t->in.r) {
		inner_take(t, s->kind, line + s->begin, name, line + s->body);
	}
}

static size_t line_take(void *ctx, char *line, size_t len, bool more)
{
	struct text_reader *t = ctx;
	struct text_segment s, next;
	size_t version = text_version(line);

	if (t->in.rc < 0)
		return len;
	if (line[0] == '#')
		snprintf(t->comment, sizeof(t->comment), "%.*s", (int)strcspn(line + 1, "\n"),
			line + 1 + (line[1] == ' '));
	if (version && (!line[version] || line[version] == '\n'))
		version_take(t, line, version);
	bool found = text_scan(line, 0, 0, &s);
	while (found && t->in.rc == 0) {
		found = text_scan(line, MAX_OF(s.body, s.begin + 1), MAX_OF(s.body, (size_t)1),
			&next);
		if (!found && more)
			return s.begin;
		size_t end = found ? next.begin : len;
		char kept = line[end];
		line[end] = '\0';
		segment_take(t, line, &s);
		line[end] = kept;
		s = next;
	}
	return len;
}

/* ---- the reader ---- */

struct text_reader *text_reader_new(const char *name, const struct import_sink *to,
	struct err *err)
{
	struct text_reader *t = calloc(1, sizeof(*t));

	if (!t) {
		err_set(err, -ENOMEM, "%s: out of memory", name);
		return NULL;
	}
	t->in.name = name;
	t->in.err = err;
	t->sink = *to;
	t->dir = -1;
	t->lines.number = t->lines.first = 1;
	t->lines.ctx = t;
	t->lines.take = line_take;
	return t;
}

int text_reader_feed(struct text_reader *t, const char *bytes, size_t len)
{
	if (t->in.rc == 0)
		text_lines_feed(&t->lines, bytes, len);
	return t->in.rc;
}

int text_reader_end(struct text_reader *t)
{
	if (t->in.rc == 0)
		text_lines_end(&t->lines);
	if (t->in.rc == 0)
		run_close(t);
	return t->in.rc;
}

int text_reader_fault(const struct text_reader *t, uint64_t bytes)
{
	if (t->empty)
		return err_set(t->in.err, -EINVAL,
			"%s: has the beginning of a run and no job that did any I/O%s%s",
			t->in.name, *t->last_message ? ": " : "", t->last_message);
	return err_set(t->in.err, -EINVAL,
		"%s: found no report in its %llu bytes; understood are " IMPORT_UNDERSTOOD,
		t->in.name, (unsigned long long)bytes);
}

void text_reader_free(struct text_reader *t)
{
	if (!t)
		return;
	result_free(t->in.r);
	free(t);
}
