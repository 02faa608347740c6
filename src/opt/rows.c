/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Walks over rows: finding, presets, parsing one value. */
#include "opt/opt.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"

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

int opt_parse(const struct opt *row, const char *text, void *block, const struct opt_ctx *ctx,
	struct err *reterr)
{
	union opt_scratch scratch = {0};
	void *dst = row->no_effect ? (void *)&scratch : (char *)block + row->offset;

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
