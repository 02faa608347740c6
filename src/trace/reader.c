/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "trace/reader.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "trace/bytes.h"
#include "trace/spool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct trace_format *const reader_formats[] = {
	&trace_iolog3,
	&trace_iolog2,
	&trace_blktrace,
};

const char *trace_action_name(enum trace_action action)
{
	static const char *const names[] = {
		[TRACE_READ] = "read",
		[TRACE_WRITE] = "write",
		[TRACE_TRIM] = "trim",
		[TRACE_SYNC] = "sync",
		[TRACE_DATASYNC] = "datasync",
		[TRACE_ADD] = "add",
		[TRACE_OPEN] = "open",
		[TRACE_CLOSE] = "close",
		[TRACE_WAIT] = "wait",
		[TRACE_ISSUED] = "issued",
		[TRACE_DONE] = "done",
	};
	return names[action];
}

/* For people; standard input may have been spooled. */
const char *trace_reader_path(const struct trace_reader *r)
{
	bool is_stdin = strcmp(r->path, "-") == 0 || str_starts(r->path, TRACE_SPOOLED);
	return is_stdin ? "stdin" : r->path;
}

int trace_fail_within(const struct trace_reader *r, struct err *reterr)
{
	if (!r->number)
		return err_within(reterr, "%s", trace_reader_path(r));
	if (strcmp(r->format->unit, "line") == 0)
		return err_within(reterr, "%s:%" PRIu64, trace_reader_path(r), r->number);
	return err_within(reterr, "%s: %s %" PRIu64, trace_reader_path(r), r->format->unit,
		r->number);
}

int trace_fail(const struct trace_reader *r, struct err *reterr, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_setv(reterr, code, fmt, ap);
	va_end(ap);
	trace_fail_within(r, reterr);
	return code;
}

static int reader_unknown(struct trace_reader *r, const unsigned char *head, size_t n,
	struct err *reterr)
{
	if (!n)
		return trace_fail(r, reterr, -EINVAL, "is empty: there is no trace in it");
	if (n >= 12 && memcmp(head, "fio version ", 12) == 0)
		return trace_fail(r, reterr, -EINVAL,
			"is an iolog of version %.*s, which weir doesn't know; it reads 2 and 3",
			(int)strcspn((const char *)head + 12, " \n"), (const char *)head + 12);
	return trace_fail(r, reterr, -EINVAL,
		"is no trace that weir knows: neither an iolog of fio (\"fio version 3 iolog\") "
		"nor a binary trace of blktrace");
}

static int reader_choose(struct trace_reader *r, struct err *reterr)
{
	unsigned char head[TRACE_HEAD + 1] = {0};
	const unsigned char *at;
	size_t n;

	if (trace_bytes_look(r->bytes, TRACE_HEAD, &at, &n, reterr) < 0)
		return trace_fail_within(r, reterr);
	n = MIN_OF(n, (size_t)TRACE_HEAD);
	memcpy(head, at, n);
	for (size_t i = 0; i < COUNT_OF(reader_formats) && !r->format; i++)
		if (reader_formats[i]->probe(head, n))
			r->format = reader_formats[i];
	if (!r->format)
		return reader_unknown(r, head, n, reterr);
	r->mine = calloc(1, r->format->size + 1);
	if (!r->mine)
		return trace_fail(r, reterr, -ENOMEM, "out of memory");
	return r->format->begin ? r->format->begin(r, reterr) : 0;
}

int trace_reader_open(const char *path, struct trace_reader **ret, struct err *reterr)
{
	struct trace_reader *r = calloc(1, sizeof(*r));
	int rc = -ENOMEM;

	if (r)
		r->path = strdup(path);
	if (!r || !r->path) {
		trace_reader_free(r);
		return err_set(reterr, rc, "out of memory");
	}
	rc = trace_bytes_open(path, &r->bytes, reterr);
	if (rc < 0)
		trace_fail_within(r, reterr);
	else
		rc = reader_choose(r, reterr);
	if (rc < 0) {
		trace_reader_free(r);
		return rc;
	}
	*ret = r;
	return 0;
}

void trace_reader_free(struct trace_reader *r)
{
	if (!r)
		return;
	trace_bytes_free(r->bytes);
	trace_names_done(&r->names);
	free(r->mine);
	free(r->path);
	free(r);
}

/* A clock that goes back can't be followed: what comes then is due at once. */
static void reader_clamp(struct trace_reader *r, struct trace_record *rec)
{
	struct trace_odd *odd = &r->odd;

	if (rec->time_ns >= r->last_ns) {
		r->last_ns = rec->time_ns;
		return;
	}
	if (!odd->backwards++)
		odd->back_first = rec->number;
	odd->back_most_ns = MAX_OF(odd->back_most_ns, r->last_ns - rec->time_ns);
	rec->time_ns = r->last_ns;
}

int trace_reader_next(struct trace_reader *r, struct trace_record *ret, struct err *reterr)
{
	for (;;) {
		*ret = (struct trace_record){0};
		int rc = r->format->next(r, ret, reterr);
		if (rc <= 0)
			return rc;
		ret->number = r->number;
		reader_clamp(r, ret);
		if (ret->action > TRACE_TRIM || ret->bytes)
			return 1;
		r->odd.empty++;
	}
}
