/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* fio's text logs, versions 2 and 3 (fio's manual, "Trace file format").
 *
 *	fio version 2 iolog          fio version 3 iolog
 *	FILE add|open|close          TIME FILE add|open|close
 *	FILE ACTION OFFSET BYTES     TIME FILE ACTION OFFSET BYTES
 *	FILE wait TIME 0
 *
 * TIME of version 3 is in us since the log began.  That of a wait is in ms since the
 * replay began: so does fio 3.33, whatever its manual says of us since the wait before.
 *
 * A line is read from its end, so a file name may have blanks in it.  A second head
 * inside is another log that was appended, as fio does: its times follow those before. */
#include "trace/reader.h"

#include "base/bits.h"
#include "base/err.h"
#include "trace/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define IOLOG_LINE 8192 /* bytes of a line at most */

struct iolog {
	uint64_t base_ns; /* where the times of this section begin */
	uint64_t wait_ns; /* version 2: of the last wait           */
};

static const char iolog_head2[] = "fio version 2 iolog";
static const char iolog_head3[] = "fio version 3 iolog";

/* A piece of a line. */
struct word {
	const char *at;
	size_t len;
};

static bool word_is(struct word w, const char *text)
{
	return strlen(text) == w.len && memcmp(w.at, text, w.len) == 0;
}

static bool word_number(struct word w, uint64_t *ret)
{
	uint64_t v = 0;

	for (size_t i = 0; i < w.len; i++) {
		unsigned digit = (unsigned char)w.at[i] - (unsigned)'0';
		if (digit > 9 || __builtin_mul_overflow(v, 10, &v) ||
			__builtin_add_overflow(v, digit, &v))
			return false;
	}
	*ret = v;
	return w.len > 0;
}

static bool iolog_probe(const unsigned char *head, size_t n, const char *first)
{
	size_t len = strlen(first);
	return n >= len && memcmp(head, first, len) == 0 &&
	       (n == len || head[len] == '\n' || head[len] == '\r');
}

static bool iolog_probe2(const unsigned char *head, size_t n)
{
	return iolog_probe(head, n, iolog_head2);
}

static bool iolog_probe3(const unsigned char *head, size_t n)
{
	return iolog_probe(head, n, iolog_head3);
}

/* The next line without its end: 1; 0 at the end. */
static int iolog_line(struct trace_reader *r, struct word *ret, struct err *reterr)
{
	const unsigned char *at;
	size_t n;

	r->number++;
	int rc = trace_bytes_look(r->bytes, IOLOG_LINE, &at, &n, reterr);
	if (rc < 0)
		return trace_fail_within(r, reterr);
	if (!n)
		return 0;
	n = MIN_OF(n, (size_t)IOLOG_LINE);
	const unsigned char *end = memchr(at, '\n', n);
	if (!end && trace_bytes_failed(r->bytes, reterr) < 0)
		return trace_fail_within(r, reterr);
	if (!end && n == IOLOG_LINE)
		return trace_fail(r, reterr, -EINVAL,
			"is longer than %d bytes: this is no line of an iolog", IOLOG_LINE);
	*ret = (struct word){(const char *)at, end ? (size_t)(end - at) : n};
	trace_bytes_skip(r->bytes, ret->len + (end != NULL));
	if (memchr(ret->at, '\0', ret->len))
		return trace_fail(r, reterr, -EINVAL,
			"is no text: the file is damaged, or no iolog");
	while (ret->len && strchr(" \t\r", ret->at[ret->len - 1]))
		ret->len--;
	return 1;
}

static int iolog_begin(struct trace_reader *r, struct err *reterr)
{
	struct word head;
	int rc = iolog_line(r, &head, reterr);
	return rc < 0 ? rc : 0;
}

/* Take the last word off LINE. */
static struct word iolog_last(struct word *line)
{
	size_t end = line->len, from = end;

	while (from && line->at[from - 1] != ' ' && line->at[from - 1] != '\t')
		from--;
	struct word out = {line->at + from, end - from};
	while (from && (line->at[from - 1] == ' ' || line->at[from - 1] == '\t'))
		from--;
	line->len = from;
	return out;
}

static bool iolog_action(struct word w, bool io, enum trace_action *ret)
{
	for (int a = io ? TRACE_READ : TRACE_ADD; a <= (io ? TRACE_DATASYNC : TRACE_CLOSE);
		a++) {
		*ret = (enum trace_action)a;
		if (word_is(w, trace_action_name(*ret)))
			return true;
	}
	*ret = TRACE_WAIT;
	return io && word_is(w, "wait");
}

static int iolog_name(struct trace_reader *r, struct word name, struct trace_record *ret,
	struct err *reterr)
{
	if (!name.len)
		return trace_fail(r, reterr, -EINVAL, "has no file name");
	int64_t index = ret->action == TRACE_ADD
				? trace_names_add(&r->names, name.at, name.len)
				: trace_names_find(&r->names, name.at, name.len);
	if (index == -ENOENT)
		return trace_fail(r, reterr, -EINVAL,
			"\"%.*s\" was never added: a line \"%s%.*s add\" must come before",
			(int)MIN_OF(name.len, (size_t)300), name.at,
			r->format == &trace_iolog3 ? "TIME " : "",
			(int)MIN_OF(name.len, (size_t)300), name.at);
	if (index < 0)
		return trace_fail(r, reterr, (int)index,
			index == -E2BIG ? "names more files than weir can use at a time"
					: "out of memory");
	ret->name = (uint32_t)index;
	return 0;
}

/* Take the time of version 3 off the beginning of LINE. */
static int iolog_time(struct trace_reader *r, struct word *line, uint64_t *ret,
	struct err *reterr)
{
	size_t len = 0;
	uint64_t us;

	while (len < line->len && line->at[len] != ' ' && line->at[len] != '\t')
		len++;
	if (!word_number((struct word){line->at, len}, &us) || us > INT64_MAX / NS_PER_US)
		return trace_fail(r, reterr, -EINVAL,
			"\"%.*s\" is no time in us, which a line of version 3 begins with",
			(int)MIN_OF(len, (size_t)40), line->at);
	while (len < line->len && (line->at[len] == ' ' || line->at[len] == '\t'))
		len++;
	line->at += len;
	line->len -= len;
	*ret = us * NS_PER_US;
	return 0;
}

static int iolog_wait(struct trace_reader *r, struct trace_record *ret, struct err *reterr)
{
	struct iolog *l = r->mine;

	if (r->format == &trace_iolog3) {
		r->odd.passed_over++; /* as fio */
		return 0;
	}
	if (ret->offset > INT64_MAX / NS_PER_MS)
		return trace_fail(r, reterr, -EINVAL, "waits for longer than anybody can");
	l->wait_ns = MAX_OF(l->wait_ns, ret->offset * NS_PER_MS);
	ret->time_ns = l->base_ns + l->wait_ns;
	return 0;
}

/* ACTION OFFSET BYTES, or ACTION, at the end of LINE; the name is left in it. */
static int iolog_what(struct trace_reader *r, struct word *line, struct trace_record *ret,
	struct err *reterr)
{
	struct word last = iolog_last(line);

	if (iolog_action(last, false, &ret->action))
		return 0;
	struct word before = iolog_last(line), action = iolog_last(line);
	if (!iolog_action(action, true, &ret->action))
		return trace_fail(r, reterr, -EINVAL,
			"\"%.*s\" is no action: FILE ACTION OFFSET BYTES, with read, write, trim, "
			"sync, datasync%s, or FILE add, open, close",
			(int)MIN_OF(action.len, (size_t)40), action.at,
			r->format == &trace_iolog2 ? ", wait" : "");
	if (!word_number(before, &ret->offset) || !word_number(last, &ret->bytes))
		return trace_fail(r, reterr, -EINVAL,
			"\"%.*s %.*s\" is no offset and length in bytes",
			(int)MIN_OF(before.len, (size_t)40), before.at,
			(int)MIN_OF(last.len, (size_t)40), last.at);
	if (ret->action <= TRACE_TRIM &&
		(ret->offset > INT64_MAX || ret->bytes > INT64_MAX - ret->offset))
		return trace_fail(r, reterr, -EINVAL,
			"ends behind the end of anything that a file can be");
	return 0;
}

static int iolog_record(struct trace_reader *r, struct word line, struct trace_record *ret,
	struct err *reterr)
{
	struct iolog *l = r->mine;
	int rc = 0;

	ret->time_ns = l->wait_ns;
	if (r->format == &trace_iolog3)
		rc = iolog_time(r, &line, &ret->time_ns, reterr);
	ret->time_ns += l->base_ns;
	if (rc == 0)
		rc = iolog_what(r, &line, ret, reterr);
	if (rc == 0)
		rc = iolog_name(r, line, ret, reterr);
	if (rc == 0 && ret->action == TRACE_WAIT)
		rc = iolog_wait(r, ret, reterr);
	if (ret->action > TRACE_TRIM)
		ret->offset = ret->bytes = 0;
	return rc;
}

/* Another log was appended. */
static int iolog_section(struct trace_reader *r, struct word line, struct err *reterr)
{
	struct iolog *l = r->mine;
	bool three = word_is(line, iolog_head3);

	if (three != (r->format == &trace_iolog3))
		return trace_fail(r, reterr, -EINVAL,
			"begins a log of another version: split the file here");
	r->odd.sections++;
	l->base_ns = r->last_ns;
	l->wait_ns = 0;
	return 0;
}

static int iolog_next(struct trace_reader *r, struct trace_record *ret, struct err *reterr)
{
	struct word line;

	for (;;) {
		int rc = iolog_line(r, &line, reterr);
		if (rc <= 0)
			return rc;
		if (!line.len)
			continue;
		if (word_is(line, iolog_head2) || word_is(line, iolog_head3)) {
			rc = iolog_section(r, line, reterr);
			if (rc < 0)
				return rc;
			continue;
		}
		rc = iolog_record(r, line, ret, reterr);
		return rc < 0 ? rc : 1;
	}
}

const struct trace_format trace_iolog2 = {
	.name = "fio iolog v2",
	.unit = "line",
	.probe = iolog_probe2,
	.size = sizeof(struct iolog),
	.begin = iolog_begin,
	.next = iolog_next,
};

const struct trace_format trace_iolog3 = {
	.name = "fio iolog v3",
	.unit = "line",
	.probe = iolog_probe3,
	.size = sizeof(struct iolog),
	.begin = iolog_begin,
	.next = iolog_next,
};
