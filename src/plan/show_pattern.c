/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The pattern of a worker as JSON: what comes after what, and in which files. */
#include <inttypes.h>
#include <stdio.h>

#include "base/json.h"
#include "plan/plan.h"
#include "plan/show.h"

void show_some(struct json *out, const char *key, uint64_t value)
{
	if (value)
		json_uint(out, key, value);
}

void show_seed(struct json *out, uint64_t seed)
{
	char text[24];
	snprintf(text, sizeof(text), "0x%016" PRIx64, seed);
	json_text(out, "seed", text);
}

/* ---- distributions ---- */

static void show_spread_zones(const struct spread_zones *z, struct json *out)
{
	unsigned at = 0;

	json_array(out, z->bytes ? "zones_bytes" : "zones_percent");
	for (uint32_t i = 0; i < z->count; i++) {
		unsigned from = at;
		while (at < sizeof(z->pick) && z->pick[at] == i)
			at++;
		json_object(out, NULL);
		json_uint(out, "accesses", at - from);
		if (z->end[i] != UINT64_MAX)
			json_uint(out, "end", z->end[i]);
		json_object_end(out);
	}
	json_array_end(out);
}

static void show_spread(const struct spread_spec *s, const char *key, struct json *out)
{
	static const char *const names[] = {
		[SPREAD_UNIFORM] = "uniform",
		[SPREAD_ZIPF] = "zipf",
		[SPREAD_PARETO] = "pareto",
		[SPREAD_NORMAL] = "normal",
		[SPREAD_ZONED] = "zoned",
		[SPREAD_SEQUENCE] = "sequence",
	};

	json_object(out, key);
	json_text(out, "kind", names[s->kind]);
	if (s->kind == SPREAD_ZIPF || s->kind == SPREAD_PARETO || s->kind == SPREAD_NORMAL)
		json_double(out, "a", s->a);
	if (s->center >= 0)
		json_double(out, "center", s->center);
	if (s->kind == SPREAD_ZONED)
		show_spread_zones(s->zones, out);
	if (s->kind == SPREAD_SEQUENCE) {
		json_array(out, "blocks");
		for (uint32_t i = 0; i < s->sequence_count; i++)
			json_uint(out, NULL, s->sequence[i]);
		json_array_end(out);
		if (s->sequence_moves)
			json_bool(out, "moves", true);
	}
	json_object_end(out);
}

static bool show_spreads_alike(const struct spread_spec *a, const struct spread_spec *b)
{
	return a->kind == b->kind && a->a == b->a && a->center == b->center &&
	       a->zones == b->zones;
}

/* One for all directions that are used, or one for each. */
static void show_spreads(const struct pattern_spec *p, struct json *out)
{
	int first = 0;
	bool alike = true;

	while (!p->use[first])
		first++;
	for (int i = first; i < DIRS; i++)
		alike &= !p->use[i] || show_spreads_alike(&p->spread[first], &p->spread[i]);
	if (alike) {
		show_spread(&p->spread[first], "spread", out);
		return;
	}
	json_object(out, "spread");
	for (int i = first; i < DIRS; i++)
		if (p->use[i])
			show_spread(&p->spread[i], dir_name((enum dir)i), out);
	json_object_end(out);
}

static void show_zones(const struct pattern_spec *p, struct json *out)
{
	json_object(out, "zones");
	json_uint(out, "size", p->zone_size);
	json_uint(out, "range", p->zone_range);
	json_uint(out, "skip", p->zone_skip);
	json_object_end(out);
}

static void show_sequential(const struct pattern_spec *p, struct json *out)
{
	bool any = false;

	for (int i = 0; i < DIRS; i++)
		any |= p->use[i] && p->sequential_percent[i];
	if (!any)
		return;
	json_object(out, "sequential_percent");
	for (int i = 0; i < DIRS; i++)
		if (p->use[i])
			json_uint(out, dir_name((enum dir)i), p->sequential_percent[i]);
	json_object_end(out);
}

/* ---- files ---- */

void show_files(const struct plan_worker *w, struct json *out)
{
	static const char *const orders[] = {
		[PATTERN_ROUNDROBIN] = "roundrobin",
		[PATTERN_SEQUENTIAL] = "sequential",
		[PATTERN_RANDOM_FILE] = "random",
		[PATTERN_SPREAD_FILE] = "spread",
	};

	json_array(out, "regions");
	for (uint32_t i = 0; i < w->files.count; i++) {
		json_object(out, NULL);
		json_uint(out, "target", w->files.targets[i]);
		json_uint(out, "start", w->pattern.regions[i].start);
		json_uint(out, "bytes", w->pattern.regions[i].bytes);
		json_object_end(out);
	}
	json_array_end(out);
	if (w->files.count > 1) {
		json_object(out, "files");
		json_text(out, "order", orders[w->pattern.files]);
		json_uint(out, "every", w->pattern.files_every);
		show_some(out, "open", w->files.open_max);
		if (w->pattern.files == PATTERN_SPREAD_FILE)
			show_spread(&w->pattern.file_spread, "spread", out);
		json_object_end(out);
	}
}

/* ---- the pattern ---- */

static void show_sizes(const struct size_spec *size, uint32_t align, const char *dir,
	struct json *out)
{
	json_object(out, dir);
	json_uint(out, "min", size->min);
	json_uint(out, "max", size->max);
	if (size->unaligned)
		json_bool(out, "unaligned", true);
	if (size->splits_count) {
		json_array(out, "splits");
		for (uint32_t i = 0; i < size->splits_count; i++) {
			json_object(out, NULL);
			json_uint(out, "bytes", size->splits[i].bytes);
			json_uint(out, "percent", size->splits[i].weight);
			json_object_end(out);
		}
		json_array_end(out);
	}
	show_some(out, "align", align);
	json_object_end(out);
}

void show_pattern(const struct plan_worker *w, struct json *out)
{
	const struct pattern_spec *p = &w->pattern;

	json_object(out, "pattern");
	json_text(out, "rw", w->rw);
	if (p->use[DIR_READ] && p->use[DIR_WRITE])
		json_uint(out, "read_percent", p->read_percent);
	for (int i = 0; i < DIRS; i++)
		if (p->use[i])
			show_sizes(&p->size[i], p->align[i], dir_name((enum dir)i), out);
	if (p->random) {
		json_bool(out, "coverage", p->coverage);
		if (p->lfsr)
			json_bool(out, "lfsr", true);
		show_spreads(p, out);
		show_sequential(p, out);
	}
	show_some(out, "jump_every", p->jump_every);
	if (p->jump_same)
		json_bool(out, "jump_same", true);
	if (p->stride)
		json_int(out, "stride", p->stride);
	if (p->sequel)
		show_sizes(p->sequel, 0, "sequel", out);
	if (p->zone_size)
		show_zones(p, out);
	show_seed(out, p->seed);
	json_bool(out, "repeat", p->repeat);
	json_bool(out, "endless", p->endless);
	json_object_end(out);
}
