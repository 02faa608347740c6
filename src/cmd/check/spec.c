/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/check/spec.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CLAIMS_MOST  1000
#define EXPECTS_MOST 100

enum section {
	SECTION_NONE,
	SECTION_PRODUCT,
	SECTION_CLAIM,
};

struct spec_reader {
	struct spec *spec;
	enum section section;
	unsigned line;
	uint32_t room;
	struct err *err;
};

static int fail(struct spec_reader *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static int fail(struct spec_reader *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_setv(r->err, -EINVAL, fmt, ap);
	va_end(ap);
	return err_within(r->err, "%s:%u", r->spec->path, r->line);
}

/* What failed further down has a column of VALUE. */
static int within(struct spec_reader *r, const char *key)
{
	err_within(r->err, "%s", key);
	return err_within(r->err, "%s:%u", r->spec->path, r->line);
}

static int no_memory(struct spec_reader *r)
{
	return err_set(r->err, -ENOMEM, "out of memory");
}

/* ---- text ---- */

/* Cut LINE where a comment begins. */
static void cut_comment(char *line)
{
	bool quoted = false;

	for (char *c = line; *c; c++) {
		if (*c == '"')
			quoted = !quoted;
		bool mark = (*c == '#' || *c == ';') && !quoted;
		if (mark && (c == line || isspace((unsigned char)c[-1]))) {
			*c = '\0';
			return;
		}
	}
}

/* "text" without its quotes; what has none stays. */
static char *unquote(char *text)
{
	size_t len = strlen(text);

	if (len < 2 || text[0] != '"' || text[len - 1] != '"')
		return text;
	text[len - 1] = '\0';
	return text + 1;
}

/* ---- sections ---- */

static int claims_grow(struct spec_reader *r)
{
	struct spec *s = r->spec;

	if (s->count == CLAIMS_MOST)
		return fail(r, "a spec has at most %d claims", CLAIMS_MOST);
	if (s->count < r->room)
		return 0;
	uint32_t room = MAX_OF(r->room * 2, 8u);
	struct spec_claim *longer = arena_array(&s->arena, room, sizeof(*longer));
	if (!longer)
		return no_memory(r);
	if (s->count)
		memcpy(longer, s->claims, s->count * sizeof(*longer));
	s->claims = longer;
	r->room = room;
	return 0;
}

static int begin_claim(struct spec_reader *r, char *name)
{
	struct spec *s = r->spec;
	int rc = claims_grow(r);

	name = unquote(str_trim(name));
	if (rc < 0)
		return rc;
	if (!*name)
		return fail(r, "a claim has a name: [claim \"Random 4K read\"]");
	for (uint32_t i = 0; i < s->count; i++)
		if (strcmp(s->claims[i].name, name) == 0)
			return fail(r, "the claim '%.100s' is there already, in line %u", name,
				s->claims[i].line);
	s->claims[s->count++] = (struct spec_claim){
		.name = name,
		.line = r->line,
		.expects = arena_array(&s->arena, EXPECTS_MOST, sizeof(struct assertion_list)),
		.expects_line = arena_array(&s->arena, EXPECTS_MOST, sizeof(unsigned)),
	};
	const struct spec_claim *c = &s->claims[s->count - 1];
	return c->expects && c->expects_line ? 0 : no_memory(r);
}

/* A claim is over: it must claim something. */
static int end_section(struct spec_reader *r)
{
	const struct spec *s = r->spec;

	if (r->section != SECTION_CLAIM || s->claims[s->count - 1].expects_count)
		return 0;
	r->line = s->claims[s->count - 1].line;
	return fail(r, "the claim '%.100s' has no expect= line", s->claims[s->count - 1].name);
}

static int section_line(struct spec_reader *r, char *line)
{
	unsigned here = r->line;
	size_t len = strlen(line);
	int rc = end_section(r);

	if (rc < 0)
		return rc;
	r->line = here;
	if (line[len - 1] != ']')
		return fail(r, "section '%.100s' does not end in ']'", line);
	line[len - 1] = '\0';
	line = str_trim(line + 1);
	if (strcmp(line, "product") == 0) {
		r->section = SECTION_PRODUCT;
		return 0;
	}
	if (!str_starts(line, "claim") || (line[5] && !isspace((unsigned char)line[5])))
		return fail(r,
			"section '%.100s' is unknown; expected [product] or [claim \"NAME\"]",
			line);
	r->section = SECTION_CLAIM;
	return begin_claim(r, line + 5);
}

/* ---- keys ---- */

static int once(struct spec_reader *r, const char *key, bool there)
{
	return there ? fail(r, "%s stands twice in this section", key) : 0;
}

static int product_key(struct spec_reader *r, const char *key, char *value)
{
	struct spec *s = r->spec;
	bool name = strcmp(key, "name") == 0;

	if (!name && strcmp(key, "source") != 0)
		return fail(r, "'%.100s' is unknown; [product] has name and source", key);
	const char **to = name ? &s->product : &s->source;
	int rc = once(r, key, *to);
	*to = unquote(value);
	return rc;
}

static int expect_key(struct spec_reader *r, struct spec_claim *c, const char *value)
{
	if (c->expects_count == EXPECTS_MOST)
		return fail(r, "a claim has at most %d expect= lines", EXPECTS_MOST);
	int rc = assertion_read(&r->spec->arena, value, &c->expects[c->expects_count], r->err);
	if (rc == -ENOMEM)
		return rc;
	if (rc < 0)
		return within(r, "expect");
	c->expects_line[c->expects_count++] = r->line;
	return 0;
}

static int conditions_key(struct spec_reader *r, const char *key, struct condition_list *to,
	const char *value)
{
	if (to->v)
		return once(r, key, true);
	int rc = condition_read(&r->spec->arena, value, to, r->err);
	return rc == 0 || rc == -ENOMEM ? rc : within(r, key);
}

static int claim_key(struct spec_reader *r, const char *key, char *value)
{
	struct spec_claim *c = &r->spec->claims[r->spec->count - 1];

	if (strcmp(key, "expect") == 0)
		return expect_key(r, c, value);
	if (strcmp(key, "where") == 0)
		return conditions_key(r, key, &c->where, value);
	if (strcmp(key, "needs") == 0)
		return conditions_key(r, key, &c->needs, value);
	if (strcmp(key, "says") != 0)
		return fail(r, "'%.100s' is unknown; a claim has says, where, needs and expect",
			key);
	int rc = once(r, key, c->says);
	c->says = unquote(value);
	return rc;
}

static int key_line(struct spec_reader *r, char *line)
{
	char *equals = strchr(line, '=');

	if (r->section == SECTION_NONE)
		return fail(r, "'%.100s' stands before any section; expected [claim \"NAME\"]",
			line);
	if (!equals)
		return fail(r, "'%.100s': expected KEY = VALUE", line);
	*equals = '\0';
	const char *key = str_trim(line);
	char *value = str_trim(equals + 1);
	if (!*value)
		return fail(r, "%s has no value", key);
	return r->section == SECTION_PRODUCT ? product_key(r, key, value)
					     : claim_key(r, key, value);
}

/* ---- lines ---- */

static int read_lines(struct spec_reader *r, char *text)
{
	int rc = 0;

	for (char *next = text; next && rc == 0;) {
		char *line = strsep(&next, "\n");
		r->line++;
		if (strlen(line) > LIMIT_LINE)
			return fail(r, "the line is longer than %d bytes", LIMIT_LINE);
		cut_comment(line);
		line = str_trim(line);
		if (*line)
			rc = *line == '[' ? section_line(r, line) : key_line(r, line);
	}
	if (rc == 0)
		rc = end_section(r);
	if (rc == 0 && !r->spec->count)
		rc = fail(r, "this is no spec: there is no [claim \"NAME\"] in it");
	return rc;
}

int spec_read(const char *path, const char *text, size_t len, struct spec *ret,
	struct err *reterr)
{
	struct spec_reader r = {.spec = ret, .err = reterr};

	*ret = (struct spec){.path = path};
	if (memchr(text, 0, len))
		return err_set(reterr, -EINVAL, "%s: is no spec: it has NUL bytes", path);
	char *copy = arena_bytes(&ret->arena, text, len);
	ret->path = arena_text(&ret->arena, path);
	if (!copy || !ret->path)
		return no_memory(&r);
	return read_lines(&r, copy);
}

void spec_done(struct spec *spec)
{
	arena_done(&spec->arena);
}
