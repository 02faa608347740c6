/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Walks over rows: finding, presets, parsing one value. */
#include "opt/opt.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "opt/span.h"

#include <assert.h>
#include <errno.h>
#include <stdalign.h>
#include <string.h>

static bool same_name(const char *a, const char *b)
{
	return a[0] == b[0] && strcmp(a, b) == 0;
}

static bool row_is(const struct opt *row, const char *name)
{
	if (same_name(row->name, name))
		return true;
	for (size_t i = 0; i < COUNT_OF(row->alias) && row->alias[i]; i++)
		if (same_name(row->alias[i], name))
			return true;
	return false;
}

static bool group_serves(const struct opt_group *g, const char *engine)
{
	return !g->engine || !engine || strcmp(g->engine, engine) == 0;
}

bool opt_find(const char *name, const char *engine, struct opt_found *ret)
{
	for (size_t g = 0; g < opt_groups_count; g++) {
		if (!group_serves(opt_groups[g], engine))
			continue;
		for (size_t i = 0; i < opt_groups[g]->count; i++) {
			const struct opt *row = &opt_groups[g]->rows[i];
			if (row_is(row, name)) {
				*ret = (struct opt_found){row, g};
				return true;
			}
		}
	}
	return false;
}

struct nearest {
	const char *typed;
	const char *name;
	unsigned distance; /* must be beaten */
};

static void nearer(struct nearest *n, const char *name)
{
	unsigned distance = str_distance(n->typed, name);
	if (distance < n->distance) {
		n->distance = distance;
		n->name = name;
	}
}

const char *opt_nearest(const char *name, const char *engine)
{
	struct nearest n = {.typed = name, .distance = (unsigned)strlen(name) / 2 + 1};
	for (size_t g = 0; g < opt_groups_count; g++) {
		if (!group_serves(opt_groups[g], engine))
			continue;
		for (size_t i = 0; i < opt_groups[g]->count; i++) {
			const struct opt *row = &opt_groups[g]->rows[i];
			nearer(&n, row->name);
			for (size_t a = 0; a < COUNT_OF(row->alias) && row->alias[a]; a++)
				nearer(&n, row->alias[a]);
		}
	}
	return n.name;
}

/* Long enough for a value of any type. */
union opt_scratch {
	struct opt_floats floats;
	struct opt_cpus cpus;
	struct opt_split3 split3;
	struct opt_range3 range3;
	max_align_t align;
};

/* The same text, or the same number however it is written ("0", "0s", "0x0"). */
static bool same_value(struct span said, const char *wanted)
{
	char text[32];
	uint64_t a, b;

	if (span_is(said, wanted))
		return true;
	if (said.len >= sizeof(text))
		return false;
	memcpy(text, said.at, said.len);
	text[said.len] = '\0';
	if (opt_read_u64(text, &a, NULL) == 0 && opt_read_u64(wanted, &b, NULL) == 0)
		return a == b;
	return opt_read_time(text, 1, &a, NULL) == 0 && a == 0 && strcmp(wanted, "0") == 0;
}

bool opt_harmless(const struct opt *row, const char *text)
{
	struct span rest = span_of(text ? text : "");
	char comma;

	do {
		struct span part = span_cut(&rest, ",", &comma);
		bool found = false;
		for (size_t i = 0; i < COUNT_OF(row->harmless) && row->harmless[i]; i++)
			found = found || same_value(part, row->harmless[i]);
		if (!found)
			return false;
	} while (comma);
	return true;
}

int opt_parse(const struct opt *row, const char *text, void *block, const struct opt_ctx *ctx,
	struct err *reterr)
{
	union opt_scratch scratch = {0};
	void *dst = row->no_effect ? (void *)&scratch : (char *)block + row->offset;

	if (row->refused && opt_harmless(row, text))
		return 0;
	if (row->refused)
		return err_set(reterr, -EOPNOTSUPP, "%s", row->refused);
	assert(row->type->size <= sizeof(scratch));
	if (!text && !row->type->bare)
		return err_set(reterr, -EINVAL, "needs a value (%s)", row->type->name);
	if (text && !*text)
		return err_set(reterr, -EINVAL, "needs a value behind '=' (%s)",
			row->type->name);
	return row->type->parse(row, text, dst, ctx, reterr);
}

int opt_presets(const struct opt_group *g, void *block, const struct opt_ctx *ctx,
	struct err *reterr)
{
	/* A preset is typed by a module, in fio's own units. */
	struct opt_ctx plain = {.arena = ctx->arena};
	for (size_t i = 0; i < g->count; i++) {
		const struct opt *row = &g->rows[i];
		if (!row->preset || row->refused || row->no_effect)
			continue;
		int rc = opt_parse(row, row->preset, block, &plain, reterr);
		if (rc < 0)
			return err_within(reterr, "preset of %s", row->name);
	}
	return 0;
}
