/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/gathered.h"

#include "base/bits.h"
#include "base/json.h"
#include "base/str.h"
#include "report/environment.h"
#include "report/report.h"
#include "result/environment.h"
#include "result/result.h"

#include <inttypes.h>
#include <string.h>

struct gathered_note {
	struct result_note note; /* as the worst run has it; copied, but its evidence's keys */
	const char *label;       /* of that run                                          */
	uint32_t runs;
	uint32_t last; /* result that is counted in it, from 1 */
};

static bool same(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

static struct gathered_note *find(const struct gathered *g, const struct result_note *n,
	const char *job)
{
	for (uint32_t i = 0; i < g->count; i++)
		if (same(g->v[i].note.id, n->id) && same(g->v[i].note.target, n->target) &&
			same(g->v[i].note.job, job))
			return &g->v[i];
	return NULL;
}

static struct gathered_note *push(struct gathered *g)
{
	struct gathered_note *v = arena_longer(&g->arena, g->v, g->count, sizeof(*v));

	if (!v)
		return NULL;
	g->v = v;
	g->v[g->count] = (struct gathered_note){.runs = 0};
	return &g->v[g->count++];
}

static const char *copy(struct gathered *g, const char *text)
{
	const char *to = text ? arena_text(&g->arena, text) : NULL;

	g->failed |= text && !to;
	return to;
}

static void take(struct gathered *g, struct gathered_note *to, const struct result_note *n,
	const char *job, const char *label, const struct gathered_but *but)
{
	struct result_evidence *evidence = arena_array(&g->arena, n->evidence_count + 1,
		sizeof(*evidence));

	to->note = (struct result_note){
		.id = copy(g, n->id),
		.weight = n->weight,
		.job = copy(g, job),
		.target = copy(g, n->target),
		.text = copy(g, n->text),
		.remedy = copy(g, but ? but->remedy : n->remedy),
		.evidence = evidence,
		.evidence_count = evidence ? n->evidence_count : 0,
	};
	to->label = copy(g, label);
	g->failed |= !evidence;
	for (uint32_t i = 0; i < to->note.evidence_count; i++) {
		evidence[i] = n->evidence[i];
		evidence[i].key = copy(g, n->evidence[i].key);
	}
}

static const struct gathered_but *but_of(const struct gathered_but *but, const char *id)
{
	for (; but && but->id; but++)
		if (strcmp(but->id, id) == 0)
			return but;
	return NULL;
}

void gathered_add(struct gathered *g, const struct result *r, const char *label,
	const struct gathered_but *but)
{
	g->results++;
	if (!g->environment)
		g->environment = environment_keep(r->environment);
	for (uint32_t i = 0; i < MAX_OF(r->notes_count, r->notes_made); i++) {
		const struct result_note *n = &r->notes[i];
		/* A job that has the run's name needs no other. */
		const char *job = same(n->job, label) ? NULL : n->job;
		const struct gathered_but *other = but_of(but, n->id);
		if (other && !other->remedy)
			continue;
		g->invalid += n->weight == NOTE_INVALID;
		if (i >= r->notes_count)
			continue; /* hidden */
		struct gathered_note *to = find(g, n, job);
		bool worse = !to || n->weight > to->note.weight;
		if (!to)
			to = push(g);
		if (!to) {
			g->failed = true;
			return;
		}
		if (worse)
			take(g, to, n, job, label, other);
		to->runs += to->last != g->results;
		to->last = g->results;
	}
}

void gathered_put(struct gathered *g, const struct result_note *n)
{
	struct gathered_note *to = push(g);

	if (!to) {
		g->failed = true;
		return;
	}
	take(g, to, n, n->job, NULL, NULL);
	to->runs = 1;
	g->invalid += n->weight == NOTE_INVALID;
}

void gathered_done(struct gathered *g)
{
	environment_free(g->environment);
	arena_done(&g->arena);
	*g = (struct gathered){0};
}

/* Whose note it is: a device's or the machine's before the run is that of all. */
static const char *whose(struct arena *a, const struct gathered_note *n)
{
	const char *job = n->note.job;
	const char *label = job ? arena_printf(a, "%s, %s", job, n->label) : n->label;

	if (n->note.target)
		return job;
	return n->runs > 1 && label
		       ? arena_printf(a, "%s and %" PRIu32 " more", label, n->runs - 1)
		       : label;
}

/* The notes as those of one result, the worst first. */
static struct result *as_result(const struct gathered *g)
{
	struct result *r = g->failed ? NULL : result_new();
	int failed = 0;

	for (int weight = NOTE_INVALID; r && weight >= NOTE_INFO; weight--) {
		for (uint32_t i = 0; i < g->count; i++) {
			struct result_note note = g->v[i].note;
			if ((int)note.weight != weight)
				continue;
			note.job = whose(&r->arena, &g->v[i]);
			failed |= result_note_put(r, &note);
		}
	}
	if (!failed)
		return r;
	result_free(r);
	return NULL;
}

void gathered_text(const struct gathered *g, const struct report_how *how, struct str *out)
{
	struct result *r = as_result(g);

	if (r)
		report_notes(r, how, out);
	out->failed |= !r;
	result_free(r);
}

void gathered_json(const struct gathered *g, struct json *j)
{
	struct result *r = as_result(g);

	json_object(j, "weir");
	if (g->environment)
		report_json_environment(j, g->environment, false);
	if (r)
		report_json_notes(j, r);
	else
		j->out->failed = true;
	json_object_end(j);
	result_free(r);
}
