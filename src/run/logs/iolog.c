/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/logs/iolog.h"

#include "base/bits.h"
#include "engine/engine.h"
#include "plan/plan.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

struct iolog_line {
	char text[PATH_MAX + 128];
	size_t len;
};

static void iolog_text(struct iolog_line *line, const char *text)
{
	size_t len = strlen(text);

	len = MIN_OF(len,
		sizeof(line->text) - 100 - MIN_OF(line->len, sizeof(line->text) - 100));
	memcpy(line->text + line->len, text, len);
	line->len += len;
}

static void iolog_number(struct iolog_line *line, uint64_t v)
{
	char digits[20];
	size_t n = sizeof(digits);

	do
		digits[--n] = (char)('0' + v % 10);
	while (v /= 10);
	memcpy(line->text + line->len, digits + n, sizeof(digits) - n);
	line->len += sizeof(digits) - n;
}

/* "TIME FILE ACTION" */
static void iolog_start(const struct log_iolog *l, struct iolog_line *line, uint64_t time_ns,
	uint32_t file, const char *action)
{
	line->len = 0;
	iolog_number(line, time_ns / NS_PER_US);
	iolog_text(line, " ");
	iolog_text(line, l->targets[l->worker->files.targets[file]].path);
	line->text[line->len++] = ' ';
	size_t len = strlen(action);
	memcpy(line->text + line->len, action, len);
	line->len += len;
}

static void iolog_put(const struct log_iolog *l, struct iolog_line *line)
{
	line->text[line->len++] = '\n';
	l->to.put(l->to.ctx, line->text, line->len);
}

static void iolog_files(struct log_iolog *l, const char *action)
{
	struct iolog_line line;

	for (uint32_t i = 0; i < l->worker->files.count; i++) {
		iolog_start(l, &line, l->last_ns, i, action);
		iolog_put(l, &line);
	}
}

void log_iolog_begin(struct log_iolog *l)
{
	static const char head[] = "fio version 3 iolog\n";

	l->to.put(l->to.ctx, head, sizeof(head) - 1);
	iolog_files(l, "add");
	iolog_files(l, "open");
}

void log_iolog_end(struct log_iolog *l)
{
	iolog_files(l, "close");
}

/* A trace knows no sync_file_range(): what it is for, is nearest to a datasync. */
void log_iolog_issue(void *ctx, const struct log_issue *issue)
{
	static const char *const actions[] = {
		[IO_READ] = "read",
		[IO_WRITE] = "write",
		[IO_TRIM] = "trim",
		[IO_FSYNC] = "sync",
		[IO_FDATASYNC] = "datasync",
		[IO_SYNC_RANGE] = "datasync",
	};
	struct log_iolog *l = ctx;
	bool sync = issue->kind > IO_TRIM;
	struct iolog_line line;

	if (issue->kind >= COUNT_OF(actions) || issue->file >= l->worker->files.count)
		return;
	l->last_ns = MAX_OF(l->last_ns, issue->time_ns);
	iolog_start(l, &line, issue->time_ns, issue->file, actions[issue->kind]);
	line.text[line.len++] = ' ';
	iolog_number(&line, sync ? 0 : issue->offset);
	line.text[line.len++] = ' ';
	iolog_number(&line, sync ? 0 : issue->bytes);
	iolog_put(l, &line);
}
