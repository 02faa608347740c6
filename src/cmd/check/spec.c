/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/check/spec.h"

#include "base/str.h"
#include "cmd/ini.h"

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
	struct ini file;
	struct spec *spec;
	enum section section;
};

/* ---- sections ---- */

static int claims_grow(struct spec_reader *r)
{
	struct spec *s = r->spec;

	if (s->count == CLAIMS_MOST)
		return ini_fail(&r->file, "a spec has at most %d claims", CLAIMS_MOST);
	struct spec_claim *longer = arena_longer(&s->arena, s->claims, s->count,
		sizeof(*longer));
	if (!longer)
		return ini_no_memory(&r->file);
	s->claims = longer;
	return 0;
}

static int begin_claim(struct spec_reader *r, char *name)
{
	struct spec *s = r->spec;
	int rc = claims_grow(r);

	name = ini_unquote(str_trim(name));
	if (rc < 0)
		return rc;
	if (!*name)
		return ini_fail(&r->file, "a claim has a name: [claim \"Random 4K read\"]");
	for (uint32_t i = 0; i < s->count; i++)
		if (strcmp(s->claims[i].name, name) == 0)
			return ini_fail(&r->file,
				"the claim '%.100s' is there already, in line %u", name,
				s->claims[i].line);
	s->claims[s->count++] = (struct spec_claim){
		.name = name,
		.line = r->file.line,
		.expects = arena_array(&s->arena, EXPECTS_MOST, sizeof(struct assertion_list)),
		.expects_line = arena_array(&s->arena, EXPECTS_MOST, sizeof(unsigned)),
	};
	const struct spec_claim *c = &s->claims[s->count - 1];
	return c->expects && c->expects_line ? 0 : ini_no_memory(&r->file);
}

/* A claim is over: it must claim something. */
static int end_section(struct spec_reader *r)
{
	const struct spec *s = r->spec;

	if (r->section != SECTION_CLAIM || s->claims[s->count - 1].expects_count)
		return 0;
	r->file.line = s->claims[s->count - 1].line;
	return ini_fail(&r->file, "the claim '%.100s' has no expect= line",
		s->claims[s->count - 1].name);
}

static int section_line(struct spec_reader *r, char *line)
{
	int rc = end_section(r);

	if (rc < 0)
		return rc;
	line = ini_section(&r->file, line);
	if (!line)
		return -EINVAL;
	if (strcmp(line, "product") == 0) {
		r->section = SECTION_PRODUCT;
		return 0;
	}
	char *name = ini_behind(line, "claim");
	if (!name)
		return ini_fail(&r->file,
			"section '%.100s' is unknown; expected [product] or [claim \"NAME\"]",
			line);
	r->section = SECTION_CLAIM;
	return begin_claim(r, name);
}

/* ---- keys ---- */

static int once(struct spec_reader *r, const char *key, bool there)
{
	return there ? ini_fail(&r->file, "%s stands twice in this section", key) : 0;
}

static int product_key(struct spec_reader *r, const char *key, char *value)
{
	struct spec *s = r->spec;
	bool name = strcmp(key, "name") == 0;

	if (!name && strcmp(key, "source") != 0)
		return ini_fail(&r->file, "'%.100s' is unknown; [product] has name and source",
			key);
	const char **to = name ? &s->product : &s->source;
	int rc = once(r, key, *to);
	*to = ini_unquote(value);
	return rc;
}

static int expect_key(struct spec_reader *r, struct spec_claim *c, const char *value)
{
	if (c->expects_count == EXPECTS_MOST)
		return ini_fail(&r->file, "a claim has at most %d expect= lines", EXPECTS_MOST);
	int rc = assertion_read(&r->spec->arena, value, &c->expects[c->expects_count],
		r->file.err);
	if (rc == -ENOMEM)
		return rc;
	if (rc < 0)
		return ini_within(&r->file, "expect");
	c->expects_line[c->expects_count++] = r->file.line;
	return 0;
}

static int conditions_key(struct spec_reader *r, const char *key, struct condition_list *to,
	const char *value)
{
	if (to->v)
		return once(r, key, true);
	int rc = condition_read(&r->spec->arena, value, to, r->file.err);
	return rc == 0 || rc == -ENOMEM ? rc : ini_within(&r->file, key);
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
		return ini_fail(&r->file,
			"'%.100s' is unknown; a claim has says, where, needs and expect", key);
	int rc = once(r, key, c->says);
	c->says = ini_unquote(value);
	return rc;
}

static int key_line(struct spec_reader *r, char *line)
{
	ini_cut_comment(line);
	line = str_trim(line);
	char *equals = strchr(line, '=');
	if (r->section == SECTION_NONE)
		return ini_fail(&r->file,
			"'%.100s' stands before any section; expected [claim \"NAME\"]", line);
	if (!equals)
		return ini_fail(&r->file, "'%.100s': expected KEY = VALUE", line);
	*equals = '\0';
	const char *key = str_trim(line);
	char *value = str_trim(equals + 1);
	if (!*value)
		return ini_fail(&r->file, "%s has no value", key);
	return r->section == SECTION_PRODUCT ? product_key(r, key, value)
					     : claim_key(r, key, value);
}

/* ---- lines ---- */

static int read_lines(struct spec_reader *r)
{
	char *line;
	int rc;

	while ((rc = ini_next(&r->file, &line)) > 0) {
		rc = *line == '[' ? section_line(r, line) : key_line(r, line);
		if (rc < 0)
			return rc;
	}
	if (rc == 0)
		rc = end_section(r);
	if (rc == 0 && !r->spec->count)
		rc = ini_fail(&r->file, "this is no spec: there is no [claim \"NAME\"] in it");
	return rc;
}

int spec_read(const char *path, const char *text, size_t len, struct spec *ret,
	struct err *reterr)
{
	struct spec_reader r = {.spec = ret};

	*ret = (struct spec){0};
	int rc = ini_open(&r.file, &ret->arena, "spec", path, text, len, reterr);
	ret->path = r.file.path;
	return rc < 0 ? rc : read_lines(&r);
}

void spec_done(struct spec *spec)
{
	arena_done(&spec->arena);
}
