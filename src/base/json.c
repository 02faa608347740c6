/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "base/json.h"

#include "base/str.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

void json_init(struct json *j, struct str *out, enum json_form form)
{
	*j = (struct json){.out = out, .form = form};
}

static void json_string(struct json *j, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	str_add_char(j->out, '"');
	while (*p) {
		size_t len = str_utf8((const char *)p);
		if (!len) {
			str_add(j->out, "\xef\xbf\xbd");
			p++;
		} else if (*p == '"' || *p == '\\') {
			str_add_char(j->out, '\\');
			str_add_char(j->out, (char)*p++);
		} else if (*p == '\n' || *p == '\t') {
			str_add(j->out, *p++ == '\n' ? "\\n" : "\\t");
		} else if (*p < 0x20 || *p == 0x7f) {
			str_addf(j->out, "\\u%04x", *p++);
		} else {
			str_add_bytes(j->out, (const char *)p, len);
			p += len;
		}
	}
	str_add_char(j->out, '"');
}

static void json_indent(struct json *j)
{
	for (unsigned i = 0; i < j->depth; i++)
		str_add(j->out, "  ");
}

static void json_next(struct json *j, const char *key)
{
	if (j->any[j->depth])
		str_add_char(j->out, ',');
	if (j->depth && j->form == JSON_FIO) {
		str_add_char(j->out, '\n');
		json_indent(j);
	}
	j->any[j->depth] = true;
	if (key) {
		json_string(j, key);
		str_add(j->out, j->form == JSON_FIO ? " : " : ":");
	}
}

static void json_open(struct json *j, const char *key, char bracket)
{
	json_next(j, key);
	str_add_char(j->out, bracket);
	assert(j->depth + 1 < JSON_DEPTH);
	j->any[++j->depth] = false;
}

static void json_close(struct json *j, char bracket)
{
	assert(j->depth > 0);
	bool empty = !j->any[j->depth];
	j->depth--;
	if (j->form == JSON_FIO) {
		str_add(j->out, empty && bracket == ']' ? "\n\n" : "\n");
		json_indent(j);
	}
	str_add_char(j->out, bracket);
	if (!j->depth)
		str_add_char(j->out, '\n');
}

void json_object(struct json *j, const char *key)
{
	json_open(j, key, '{');
}

void json_object_end(struct json *j)
{
	json_close(j, '}');
}

void json_array(struct json *j, const char *key)
{
	json_open(j, key, '[');
}

void json_array_end(struct json *j)
{
	json_close(j, ']');
}

void json_text(struct json *j, const char *key, const char *value)
{
	json_next(j, key);
	json_string(j, value);
}

void json_int(struct json *j, const char *key, int64_t value)
{
	json_next(j, key);
	str_addf(j->out, "%" PRId64, value);
}

void json_uint(struct json *j, const char *key, uint64_t value)
{
	json_next(j, key);
	str_addf(j->out, "%" PRIu64, value);
}

void json_double(struct json *j, const char *key, double value)
{
	json_next(j, key);
	str_addf(j->out, "%f", isfinite(value) ? value : 0.0);
}

void json_bool(struct json *j, const char *key, bool value)
{
	json_next(j, key);
	str_add(j->out, value ? "true" : "false");
}
