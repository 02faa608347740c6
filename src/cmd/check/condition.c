/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/check/condition.h"

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "opt/opt.h"
#include "result/result.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CONDITIONS_MOST 100

/* ---- reading ---- */

static int word_fail(size_t column, const char *what, const char *word, struct err *reterr)
{
	return err_set(reterr, -EINVAL, "column %zu: '%.60s': %s", column, word, what);
}

/* "iodepth>=32" into its three parts. */
static int word_cut(struct arena *arena, const char *word, size_t column, struct condition *c,
	struct err *reterr)
{
	static const struct {
		const char *sign;
		enum comparison compare;
	} signs[] = {{">=", COMPARE_AT_LEAST}, {"<=", COMPARE_AT_MOST},
		{"!=", COMPARE_DIFFERENT}, {"==", COMPARE_EQUAL}, {">", COMPARE_ABOVE},
		{"<", COMPARE_BELOW}, {"=", COMPARE_EQUAL}};
	size_t len = strcspn(word, "<>=!");
	size_t i = 0;

	c->text = word;
	c->name = arena_bytes(arena, word, len);
	if (!c->name)
		return err_set(reterr, -ENOMEM, "out of memory");
	if (!len)
		return word_fail(column, "expected a name in front", word, reterr);
	if (!word[len])
		return 0;
	while (i < COUNT_OF(signs) && !str_starts(word + len, signs[i].sign))
		i++;
	if (i == COUNT_OF(signs))
		return word_fail(column, "expected =, !=, <, <=, > or >=", word, reterr);
	c->compare = signs[i].compare;
	c->value = word + len + strlen(signs[i].sign);
	if (!*c->value)
		return word_fail(column, "expected a value behind it", word, reterr);
	return 0;
}

int condition_read(struct arena *arena, const char *text, struct condition_list *ret,
	struct err *reterr)
{
	struct condition *list = arena_array(arena, CONDITIONS_MOST, sizeof(*list));
	uint32_t count = 0;

	if (!list)
		return err_set(reterr, -ENOMEM, "out of memory");
	for (const char *at = text + strspn(text, " \t"); *at; at += strspn(at, " \t")) {
		size_t len = strcspn(at, " \t");
		size_t column = (size_t)(at - text) + 1;
		const char *word = arena_bytes(arena, at, len);
		if (!word)
			return err_set(reterr, -ENOMEM, "out of memory");
		if (count == CONDITIONS_MOST)
			return word_fail(column, "these are more than 100 conditions", word,
				reterr);
		int rc = word_cut(arena, word, column, &list[count++], reterr);
		if (rc < 0)
			return rc;
		at += len;
	}
	*ret = (struct condition_list){list, count};
	return 0;
}

/* ---- what the result says ---- */

static const char *option_in(const struct result_option *list, uint32_t count, const char *name)
{
	const char *value = NULL;
	for (uint32_t i = 0; i < count; i++)
		if (list[i].name && strcmp(list[i].name, name) == 0)
			value = list[i].value ? list[i].value : "";
	return value;
}

static const char *option_given(const struct condition_subject *s, const char *name)
{
	const char *value = option_in(s->row->options, s->row->options_count, name);
	return value ? value : option_in(s->result->globals, s->result->globals_count, name);
}

/* Under its name, or another name of the same option. */
static const char *option_value(const struct condition_subject *s, const char *name)
{
	struct opt_found found;
	const char *value = option_given(s, name);

	if (value || !opt_find(name, NULL, &found))
		return value;
	value = option_given(s, found.row->name);
	for (size_t i = 0; !value && i < COUNT_OF(found.row->alias) && found.row->alias[i]; i++)
		value = option_given(s, found.row->alias[i]);
	if (value)
		return value;
	/* A report that lists options lists all that were said: the rest have their presets. */
	bool listed = s->row->options_count || s->result->globals_count;
	return listed ? found.row->preset : NULL;
}

/* "randread 4k": the pattern, or (1) the size. */
static const char *what_part(struct arena *arena, const struct result_row *row, int part)
{
	const char *blank = row->what ? strchr(row->what, ' ') : NULL;
	if (!row->what || !*row->what)
		return NULL;
	if (part)
		return blank ? blank + 1 : NULL;
	return blank ? arena_bytes(arena, row->what, (size_t)(blank - row->what)) : row->what;
}

static const char *number_text(struct arena *arena, uint64_t v)
{
	return v ? arena_printf(arena, "%" PRIu64, v) : NULL;
}

/* Of one member; 0: not known. */
static uint64_t depth_of(const struct condition_subject *s)
{
	const char *asked = option_value(s, "iodepth");
	uint64_t depth = result_depth(s->row);

	if (!depth && asked && opt_read_u64(asked, &depth, NULL) < 0)
		return 0;
	return depth;
}

/* NULL: not known. */
static const char *found_text(struct arena *arena, const struct condition *c,
	const struct condition_subject *s)
{
	const struct result_row *row = s->row;
	const char *value = NULL;

	if (strcmp(c->name, "job") == 0)
		return row->name;
	if (strcmp(c->name, "run") == 0)
		return s->result->title && *s->result->title ? s->result->title : s->source;
	if (strcmp(c->name, "depth") == 0)
		return number_text(arena, depth_of(s) * MAX_OF(row->members, 1u) * s->clones);
	if (strcmp(c->name, "iodepth") == 0)
		return number_text(arena, depth_of(s));
	if (strcmp(c->name, "span") == 0)
		return option_value(s, "size");
	value = option_value(s, c->name);
	if (!value && (!strcmp(c->name, "rw") || !strcmp(c->name, "readwrite")))
		return what_part(arena, row, 0);
	if (!value && (!strcmp(c->name, "bs") || !strcmp(c->name, "blocksize")))
		return what_part(arena, row, 1);
	if (!value && !strcmp(c->name, "ioengine") && row->engine && *row->engine)
		return row->engine;
	if (!value && !strcmp(c->name, "numjobs") && row->members)
		return number_text(arena, row->members);
	return value;
}

/* ---- comparing ---- */

/* A size, a count or a time as options are typed: "4k", "8 GiB" as 8g; fio's range "4K-4K"
 * of equal ends is one size. */
static bool number_of(const char *text, double *ret)
{
	struct opt_ctx ctx = {.kb_base = 1024};
	const char *dash = strchr(text, '-');
	uint64_t v;

	if (dash && dash > text && strncmp(text, dash + 1, (size_t)(dash - text)) == 0 &&
		(!dash[1 + (dash - text)] || dash[1 + (dash - text)] == '/'))
		text = dash + 1;
	char copy[40];
	snprintf(copy, sizeof(copy), "%.*s", (int)strcspn(text, "/,"), text);
	if (opt_read_bytes(copy, &ctx, &v, NULL) < 0)
		return false;
	*ret = (double)v;
	return true;
}

static bool texts_same(const struct condition *c, const char *found)
{
	if (!strcmp(c->name, "job") || !strcmp(c->name, "run"))
		return fnmatch(c->value, found, 0) == 0;
	if (!strcmp(c->name, "rw") || !strcmp(c->name, "readwrite")) {
		size_t len = strcspn(found, ":");
		return strlen(c->value) == len && strncmp(c->value, found, len) == 0;
	}
	return strcmp(c->value, found) == 0;
}

/* -1: it can't be compared (a size in percent). */
static int condition_holds(const struct condition *c, const char *found)
{
	bool name = !strcmp(c->name, "job") || !strcmp(c->name, "run");
	double value, limit;

	if (!name && number_of(c->value, &limit) && number_of(found, &value))
		return comparison_holds(c->compare, value, limit);
	if (c->compare == COMPARE_EQUAL)
		return texts_same(c, found);
	return c->compare == COMPARE_DIFFERENT ? !texts_same(c, found) : -1;
}

/* The user's word for what the result doesn't say. */
static bool is_given(const struct condition *c, const struct condition_list *given)
{
	for (uint32_t i = 0; given && i < given->count; i++) {
		const struct condition *g = &given->v[i];
		if (strcmp(g->name, c->name) != 0 || !g->value != !c->value)
			continue;
		return !c->value || condition_holds(c, g->value) == 1;
	}
	return false;
}

void condition_judge(struct arena *arena, const struct condition *c,
	const struct condition_subject *s, struct result_condition *ret)
{
	const char *found = c->value ? found_text(arena, c, s) : NULL;

	*ret = (struct result_condition){.text = c->text, .found = found};
	int holds = found ? condition_holds(c, found) : -1;
	if (holds >= 0)
		ret->state = holds ? CONDITION_MET : CONDITION_UNMET;
	else
		ret->state = is_given(c, s->given) ? CONDITION_GIVEN : CONDITION_UNKNOWN;
}
