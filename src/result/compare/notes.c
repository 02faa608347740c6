/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What differs between the sides beside the figures, and what the design of the
 * experiment allows. */
#include "base/bits.h"
#include "base/scope.h"
#include "base/str.h"
#include "result/compare/parts.h"

#include <string.h>

#define OPTIONS_SHOWN 12

/* ---- options ---- */

struct options {
	const struct result_option *v;
	uint32_t count;
};

/* The last that was given counts. */
static const char *option_value(const struct options *o, const char *name)
{
	const char *value = NULL;
	for (uint32_t i = 0; i < o->count; i++)
		if (o->v[i].name && !strcmp(o->v[i].name, name))
			value = o->v[i].value;
	return value;
}

/* "" is what a flag has; none is no option. */
static void option_text(struct str *out, const char *name, const char *a, const char *b)
{
	str_addf(out, "%s%s %s -> %s", out->len ? ", " : "", name,
		!a   ? "(not given)"
		: *a ? a
		     : "(set)",
		!b   ? "(not given)"
		: *b ? b
		     : "(set)");
}

static void options_in_one(struct str *out, const struct options *own,
	const struct options *other, bool swapped, uint32_t *count)
{
	for (uint32_t i = 0; i < own->count; i++) {
		const char *name = own->v[i].name, *mine, *theirs;
		if (!name || !strcmp(name, "name"))
			continue;
		mine = option_value(own, name);
		theirs = option_value(other, name);
		bool first = own->v[i].value == mine;
		if (!first || (swapped && theirs) ||
			(theirs && mine && compare_same_place(mine, theirs)))
			continue;
		if (++*count <= OPTIONS_SHOWN)
			option_text(out, name, swapped ? NULL : mine, swapped ? mine : theirs);
	}
}

static void options_note(struct compare *c, const char *job, uint32_t side,
	const struct options *a, const struct options *b)
{
	scope_with(str_done) struct str text = {0};
	uint32_t count = 0;

	options_in_one(&text, a, b, false, &count);
	options_in_one(&text, b, a, true, &count);
	c->failed |= text.failed;
	if (!count)
		return;
	if (count > OPTIONS_SHOWN)
		str_addf(&text, " and %u others", count - OPTIONS_SHOWN);
	compare_say(c, COMPARED_SETTINGS, job, "options of %s / %s differ: %s",
		compare_letter(0), compare_letter(side), str_text(&text));
}

/* ---- jobs ---- */

static const char *text_of(const char *text)
{
	return text && *text ? text : "?";
}

static bool differs(const char *a, const char *b)
{
	return strcmp(text_of(a), text_of(b)) != 0;
}

/* As asked, which is the work; what came of it is another note. */
static uint32_t depth_of(const struct result_row *row)
{
	return row->depth_asked ? row->depth_asked : result_depth(row);
}

static void shape_text(struct str *out, const struct result_row *row)
{
	str_add(out, text_of(row->what));
	if (depth_of(row))
		str_addf(out, " q%u", depth_of(row));
	if (row->members > 1)
		str_addf(out, " x%u", row->members);
	if (row->engine && *row->engine)
		str_addf(out, " %s", row->engine);
}

static void job_notes(struct compare *c, const struct compare_key *keys, uint32_t side)
{
	const struct result_row *a = compare_row(c->sides[0].runs[0], &keys[0]);
	const struct result_row *b = compare_row(c->sides[side].runs[0], &keys[side]);
	scope_with(str_done) struct str of_a = {0}, of_b = {0};

	if (!b) {
		compare_note(c, "%s has no job like %s", compare_letter(side), keys[0].name);
		return;
	}
	if (differs(a->name, b->name))
		compare_note(c, "%s of %s is lined up with %s of %s", a->name,
			compare_letter(0), b->name, compare_letter(side));
	shape_text(&of_a, a);
	shape_text(&of_b, b);
	c->failed |= of_a.failed || of_b.failed;
	if (differs(str_text(&of_a), str_text(&of_b)))
		compare_say(c, COMPARED_OTHER_WORK, a->name, "not the same work: %s -> %s",
			str_text(&of_a), str_text(&of_b));
	else if (result_depth(a) != result_depth(b))
		compare_note(c, "%s: the depth in effect is %u in %s and %u in %s", a->name,
			result_depth(a), compare_letter(0), result_depth(b),
			compare_letter(side));
	options_note(c, a->name, side, &(struct options){a->options, a->options_count},
		&(struct options){b->options, b->options_count});
}

/* ---- environment ---- */

static void fact_note(struct compare *c, uint32_t side, const char *what, const char *a,
	const char *b)
{
	if (a && b && *a && *b && !compare_same_place(a, b))
		compare_say(c, COMPARED_SETTINGS, NULL, "%s of %s / %s differs: %s -> %s", what,
			compare_letter(0), compare_letter(side), a, b);
}

static void environment_notes(struct compare *c, uint32_t side)
{
	const struct result *a = c->sides[0].runs[0], *b = c->sides[side].runs[0];

	fact_note(c, side, "the program", a->source, b->source);
	fact_note(c, side, "the kernel", a->kernel, b->kernel);
	fact_note(c, side, "the clock", a->clock, b->clock);
	fact_note(c, side, "the target", a->targets, b->targets);
	compare_environment(c, side);
	options_note(c, NULL, side, &(struct options){a->globals, a->globals_count},
		&(struct options){b->globals, b->globals_count});
}

/* ---- design ---- */

static void left_out_note(struct compare *c, uint32_t at, const struct compare_key *key)
{
	const struct compare_side *side = &c->sides[at];
	struct compare_units u = compare_units_of(c, side, key);

	if (u.broken)
		compare_note(c, "%s: %s failed or was cut short: its figures decide nothing",
			compare_letter(at), key->name);
	else if (u.left_out)
		compare_note(c,
			"%s: %u of %u runs of %s are left out: they failed, were cut "
			"short, or don't have it",
			compare_letter(at), u.left_out, side->count, key->name);
}

static uint64_t time_of(const struct compare_side *side, bool last)
{
	uint64_t t = last ? 0 : UINT64_MAX;
	for (uint32_t i = 0; i < side->count; i++)
		t = last ? MAX_OF(t, side->runs[i]->time_ms)
			 : MIN_OF(t, side->runs[i]->time_ms);
	return t;
}

/* All runs of one side before all of the other: what changed in between is in the ratio. */
static bool in_sequence(const struct compare_side *a, const struct compare_side *b)
{
	uint64_t first_a = time_of(a, false), first_b = time_of(b, false);

	if (a->count + b->count < 3 || !first_a || !first_b)
		return false;
	return time_of(a, true) < first_b || time_of(b, true) < first_a;
}

static void basis_note(struct compare *c, const struct compare_line *line)
{
	const char *a = compare_letter(0), *b = compare_letter(line->side);

	if (line->units_a == 1 || line->units_b == 1)
		compare_single(c, line);
	if (line->basis == COMPARE_BY_RUNS && in_sequence(&c->sides[0], &c->sides[line->side]))
		compare_say(c, COMPARED_IN_SEQUENCE, NULL,
			"%s / %s: all runs of one came before those of the other, so a change of the "
			"machine in between would look like a difference",
			a, b);
	if (line->basis == COMPARE_BY_PAIRS)
		compare_note(c, "%s / %s: the runs took turns, so they are compared in pairs",
			a, b);
}

static void rated_note(struct compare *c, const struct compare_line *line,
	const struct compare_key *key)
{
	const struct result_row *row = compare_row(c->sides[0].runs[0], key);
	struct options own = {row->options, row->options_count};
	struct options all = {c->sides[0].runs[0]->globals, c->sides[0].runs[0]->globals_count};

	bool has_rate = row->dir[line->dir].asked_per_s > 0 || option_value(&own, "rate") ||
			option_value(&own, "rate_iops") || option_value(&all, "rate") ||
			option_value(&all, "rate_iops");
	if (has_rate && (line->deciding == COMPARE_IOPS || line->deciding == COMPARE_BW))
		compare_note(c,
			"%s has a rate, so its IOPS and bandwidth are what was asked for; compare "
			"by --metric=p99",
			line->job);
}

/* Percentiles are lost where clones are joined that a report told one by one. */
static bool joined_told(const struct compare_line *line)
{
	const struct compare_cell *p99 = &line->cells[COMPARE_P99];
	const struct compare_cell *max = &line->cells[COMPARE_MAX];
	return line->members > 1 && max->has_a && max->has_b && (!p99->has_a || !p99->has_b);
}

/* ... but where weir's own report has their histograms. */
static bool joined_rebuilt(struct compare *c, const struct compare_line *line,
	const struct compare_key *keys)
{
	if (line->members < 2 || !line->cells[COMPARE_P99].has_a ||
		!line->cells[COMPARE_P99].has_b)
		return false;
	for (uint32_t side = 0; side <= line->side; side += line->side) {
		struct compare_units u = compare_units_of(c, &c->sides[side], &keys[side]);
		for (uint32_t i = 0; i < u.count; i++)
			if (u.rows[i]->rebuilt)
				return true;
	}
	return false;
}

static void means_note(struct compare *c, const struct compare_line *line,
	const struct compare_key *keys)
{
	struct compare_units a = compare_units_of(c, &c->sides[0], &keys[0]);
	struct compare_units b = compare_units_of(c, &c->sides[line->side], &keys[line->side]);

	if (a.count && b.count && !a.broken && !b.broken)
		compare_means(c, line, &a, &b);
}

static void line_notes(struct compare *c, const struct compare_line *line,
	const struct compare_key *keys, uint32_t jobs)
{
	basis_note(c, line);
	if (line->clat)
		compare_note(c,
			"latencies are completion latencies (clat): not all sides have the total");
	if (joined_told(line))
		compare_note(c,
			"%s: percentiles of %u clones can't be joined, they were reported one by one; "
			"--each-clone compares them so",
			line->job, line->members);
	for (uint32_t j = 0; j < jobs; j++) {
		const struct compare_key *key = &keys[j * c->sides_count];
		if (!line->job || strcmp(key->name, line->job) != 0)
			continue;
		if (joined_rebuilt(c, line, key))
			compare_note(c,
				"%s: percentiles are those of all %u clones, by the histograms that "
				"the reports have of each (series_bins)",
				line->job, line->members);
		rated_note(c, line, key);
		means_note(c, line, key);
		break;
	}
}

void compare_notes(struct compare *c, const struct compare_key *keys, uint32_t jobs)
{
	for (uint32_t side = 1; side < c->sides_count; side++) {
		environment_notes(c, side);
		for (uint32_t j = 0; j < jobs; j++)
			job_notes(c, &keys[j * c->sides_count], side);
	}
	for (uint32_t side = 0; side < c->sides_count; side++)
		for (uint32_t j = 0; j < jobs; j++)
			if (keys[j * c->sides_count + side].name)
				left_out_note(c, side, &keys[j * c->sides_count + side]);
	for (uint32_t i = 0; i < c->lines_count; i++)
		line_notes(c, &c->lines[i], keys, jobs);
}
