/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Which documents a text holds, and who reads each. */
#include "result/import.h"

#include "base/err.h"
#include "result/import_ndjson.h"
#include "result/import_parts.h"
#include "result/import_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct result *list_add(struct import_list *list)
{
	struct result **more = reallocarray(list->results, list->count + 1, sizeof(*more));

	if (!more)
		return NULL;
	list->results = more;
	more[list->count] = result_new();
	if (!more[list->count])
		return NULL;
	return more[list->count++];
}

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Where the next document begins: a brace at the start of a line (or right behind
 * another document) that has a key or its end behind it.  LEN: nowhere. */
static size_t document_next(const char *text, size_t len, size_t at)
{
	bool start = true;

	for (; at < len; at++) {
		char c = text[at];
		if (c == '{' && start) {
			size_t in = at + 1;
			while (in < len && blank(text[in]))
				in++;
			if (in < len && (text[in] == '"' || text[in] == '}'))
				return at;
		}
		start = c == '\n' || c == '\r' || (start && (c == ' ' || c == '\t'));
	}
	return len;
}

static int list_take(void *ctx, struct result *r)
{
	struct import_list *list = ctx;
	struct result **more = reallocarray(list->results, list->count + 1, sizeof(*more));

	if (!more) {
		result_free(r);
		return -ENOMEM;
	}
	list->results = more;
	more[list->count++] = r;
	return 0;
}

static int read_report(struct import *in, const struct json_value *doc,
	struct import_list *list)
{
	if (!json_get(doc, "jobs") && !json_get(doc, "client_stats"))
		return err_set(in->err, -EINVAL,
			"%s: line %zu: this JSON has neither 'jobs' nor 'client_stats': it is no "
			"report; understood are " IMPORT_UNDERSTOOD,
			in->name, json_line(in->text, doc->at));
	in->r = list_add(list);
	if (!in->r)
		return err_set(in->err, -ENOMEM, "%s: out of memory", in->name);
	import_json(in, doc);
	import_finish(in);
	return in->rc;
}

static int read_document(struct import *in, size_t len, size_t *at,
	struct import_ndjson **lines, struct import_list *list)
{
	const struct json_value *doc;
	struct arena tree = {0};
	int rc = json_read(&tree, in->text, len, at, &doc, in->err);

	if (rc < 0)
		err_within(in->err, "%s", in->name);
	else if (!import_ndjson_is(doc))
		rc = read_report(in, doc, list);
	else if (!*lines && !(*lines = import_ndjson_new()))
		rc = err_set(in->err, -ENOMEM, "%s: out of memory", in->name);
	else
		rc = import_ndjson_line(in, *lines, doc, (struct import_sink){list_take, list});
	arena_done(&tree);
	return rc;
}

static int read_log(struct import *in, size_t len, struct import_list *list)
{
	in->r = list_add(list);
	if (!in->r)
		return err_set(in->err, -ENOMEM, "%s: out of memory", in->name);
	import_log(in, len);
	import_finish(in);
	return in->rc;
}

static int read_terse(struct import *in, size_t len, struct import_list *list)
{
	bool found = false;

	in->r = list_add(list);
	if (!in->r)
		return err_set(in->err, -ENOMEM, "%s: out of memory", in->name);
	import_terse(in, len, &found);
	if (found)
		import_finish(in);
	else
		result_free(list->results[--list->count]);
	return in->rc;
}

static int read_documents(struct import *in, size_t len, struct import_list *list)
{
	size_t at = document_next(in->text, len, 0);
	struct import_ndjson *lines = NULL;
	int rc = 0;

	for (; at < len && rc == 0; at = document_next(in->text, len, at))
		rc = read_document(in, len, &at, &lines, list);
	bool cut = rc < 0 && lines && in->rc == 0; /* within its last line */
	if (lines && (rc == 0 || cut)) {
		size_t had = list->count;
		int end = import_ndjson_end(in, lines, (struct import_sink){list_take, list});
		rc = end < 0 || list->count > had || rc == 0 ? end : rc;
	}
	import_ndjson_free(lines);
	return rc;
}

static int read_classic(struct import *in, size_t len, struct import_list *list)
{
	const struct import_sink to = {list_take, list};
	struct text_reader *t = text_reader_new(in->name, &to, in->err);
	int rc = t ? text_reader_feed(t, in->text, len) : -ENOMEM;

	if (rc == 0)
		rc = text_reader_end(t);
	if (rc == 0 && !list->count)
		rc = text_reader_fault(t, len);
	text_reader_free(t);
	return rc;
}

/* Classic text beside reports of other formats: what isn't of their runs. */
static int read_beside(struct import *in, size_t len, struct import_list *list)
{
	struct import_list texts = {0};
	struct err none, *first = in->err;
	size_t had = list->count;

	in->err = &none;
	int rc = read_classic(in, len, &texts);
	in->err = first;
	for (size_t i = 0; i < texts.count && rc == 0; i++) {
		size_t k = 0;
		while (k < had && !import_is_again(texts.results[i], list->results[k]))
			k++;
		if (k < had)
			continue;
		struct result *r = texts.results[i];
		texts.results[i] = NULL;
		rc = list_take(list, r);
	}
	import_done(&texts);
	return rc == -ENOMEM ? err_set(first, rc, "%s: out of memory", in->name) : 0;
}

static struct result *dd_add(void *ctx)
{
	return list_add(ctx);
}

/* Text of fio, runs of dd, or both. */
static int read_words(struct import *in, size_t len, struct import_list *list)
{
	bool dd = import_is_dd(in->text, len);
	int rc = read_classic(in, len, list);

	if (!dd || (rc < 0 && rc != -EINVAL))
		return rc;
	in->rc = 0;
	return import_dds(in, len, dd_add, list);
}

/* A brace at the beginning of a line may be anything in a mail: what is wrong with it
 * is said only where the text holds nothing else. */
static int read_all(struct import *in, size_t len, struct import_list *list)
{
	struct err second, *first = in->err;
	int rc = len ? read_documents(in, len, list)
		     : err_set(first, -EINVAL, "%s: is empty", in->name);

	if (rc == 0 && !list->count && import_is_log(in->text, len))
		return read_log(in, len, list);
	if (rc == 0 && !list->count)
		rc = read_terse(in, len, list);
	if (rc == 0 && !list->count)
		return read_words(in, len, list);
	if (rc == 0)
		return read_beside(in, len, list);
	if (rc == -EINVAL && len) {
		import_done(list);
		in->err = &second;
		if (read_words(in, len, list) == 0)
			rc = 0;
		in->err = first;
	}
	return rc;
}

int import_text(const char *name, const char *text, size_t len, struct import_list *ret,
	struct err *reterr)
{
	struct import in = {.name = name, .text = text, .err = reterr};

	*ret = (struct import_list){0};
	int rc = read_all(&in, len, ret);
	if (rc < 0)
		import_done(ret);
	return rc;
}

bool import_is_document(const char *text, size_t len)
{
	return document_next(text, len, 0) < len || import_is_log(text, len) ||
	       import_is_terse(text, len);
}

void import_done(struct import_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		result_free(list->results[i]);
	free(list->results);
	*list = (struct import_list){0};
}
