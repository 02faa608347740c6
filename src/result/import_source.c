/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Sources of any length: what they hold is seen by their beginning. */
#include "base/bits.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/scope.h"
#include "base/str.h"
#include "result/import_parts.h"
#include "result/import_text.h"

#include <errno.h>
#include <string.h>

#define HEAD (4u << 20)

struct source {
	const struct import_source *from;
	struct err *err;
	uint64_t bytes;
	char buffer[64 << 10];
};

/* A disk or its image is no text: what has NUL bytes and no report so far isn't read to its
 * end, which some have none of. */
static int refuse_binary(const struct source *s)
{
	return err_set(s->err, -EINVAL,
		"%s: found no report in its first %llu MiB, which have NUL bytes as no text has; "
		"understood are " IMPORT_UNDERSTOOD,
		s->from->name, (unsigned long long)(s->bytes >> 20));
}

/* More bytes in the buffer, 0 at the end. */
static ssize_t more(struct source *s)
{
	ssize_t n;

	do
		n = s->from->read(s->from->ctx, s->buffer, sizeof(s->buffer));
	while (n == -EINTR);
	if (n < 0)
		return err_sys(s->err, (int)n, "%s", s->from->name);
	s->bytes += (uint64_t)n;
	return n;
}

/* Until TEXT has MOST bytes or all. */
static int fill(struct source *s, struct str *text, size_t most, bool *ret_all)
{
	ssize_t n = 1;

	while (text->len < most && (n = more(s)) > 0) {
		str_add_bytes(text, s->buffer, (size_t)n);
		if (text->failed)
			return err_set(s->err, -ENOMEM, "%s: out of memory", s->from->name);
	}
	*ret_all = n == 0;
	return n < 0 ? (int)n : 0;
}

static int list_give(struct import_list *list, const struct import_sink *to)
{
	int rc = 0;

	for (size_t i = 0; i < list->count && rc == 0; i++) {
		struct result *r = list->results[i];
		list->results[i] = NULL;
		rc = to->take(to->ctx, r);
	}
	return rc;
}

static int whole_read(struct source *s, struct str *text, const struct import_sink *to)
{
	scope_with(import_done) struct import_list list = {0};
	bool all;
	int rc = fill(s, text, LIMIT_REPORT_FILE, &all);

	if (rc == 0 && !all)
		rc = err_set(s->err, -EFBIG,
			"%s: is larger than %d MiB, which a report never is", s->from->name,
			LIMIT_REPORT_FILE >> 20);
	if (rc == 0)
		rc = import_text(s->from->name, str_text(text), text->len, &list, s->err);
	return rc < 0 ? rc : list_give(&list, to);
}

static int classic_read(struct source *s, struct str *text, const struct import_sink *to)
{
	struct text_reader *t = text_reader_new(s->from->name, to, s->err);
	ssize_t n = 0;
	int rc = t ? text_reader_feed(t, str_text(text), text->len) : -ENOMEM;
	bool binary = text->len >= HEAD && memchr(str_text(text), 0, text->len);

	str_done(text);
	if (rc == 0 && binary && !t->results)
		rc = refuse_binary(s);
	while (rc == 0 && (n = more(s)) > 0)
		rc = text_reader_feed(t, s->buffer, (size_t)n);
	if (rc == 0 && n < 0)
		rc = (int)n;
	if (rc == 0)
		rc = text_reader_end(t);
	if (rc == 0 && !t->results)
		rc = text_reader_fault(t, s->bytes);
	text_reader_free(t);
	return rc;
}

int import_stream(const struct import_source *from, const struct import_sink *to,
	struct err *reterr)
{
	scope_with(str_done) struct str text = {0};
	struct source s = {.from = from, .err = reterr};
	bool all;
	int rc = fill(&s, &text, HEAD, &all);

	if (rc < 0)
		return rc;
	if (!text.len || import_is_document(str_text(&text), text.len) ||
		(all && import_is_dd(str_text(&text), text.len)))
		return whole_read(&s, &text, to);
	return classic_read(&s, &text, to);
}
