/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "result/notes/notes.h"

#include "base/bits.h"
#include "result/environment.h"
#include "result/result.h"
#include "result/watch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct note_table *const note_tables[] = {
	&notes_schedule,
	&notes_replay,
	&notes_ends,
	&notes_verify,
	&notes_queue,
	&notes_goals,
	&notes_measuring,
	&notes_average,
	&notes_cache,
	&notes_around,
	&notes_drive,
	&notes_saturated,
	&notes_load,
	&notes_course,
	&notes_told,
	&notes_dd,
	&notes_work,
	&notes_whole,
	&notes_machine,
	&notes_device,
	&notes_nvme,
	&notes_place,
	&notes_compared,
	&notes_partial, /* last: it asks whether another one explains */
	NULL,
};

/* ---- what a check says ---- */

bool note_say(struct note_found *f, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(f->text, sizeof(f->text), fmt, ap);
	va_end(ap);
	return true;
}

void note_remedy(struct note_found *f, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(f->remedy, sizeof(f->remedy), fmt, ap);
	va_end(ap);
}

void note_number(struct note_found *f, const char *key, double value)
{
	if (f->evidence_count < NOTE_EVIDENCE)
		f->evidence[f->evidence_count++] = (struct result_evidence){key, value};
}

/* Jobs are in the order of the rows; those beyond the list weren't watched. */
const struct watch_job *note_watch_job(const struct note_case *c)
{
	const struct watch *w = c->result->watch;
	size_t at = c->row ? (size_t)(c->row - c->result->rows) : SIZE_MAX;

	if (!w || at >= w->jobs_count || !w->jobs[at].name ||
		strcmp(w->jobs[at].name, c->row->name) != 0)
		return NULL;
	return &w->jobs[at];
}

const char *note_option(const struct note_case *c, const char *name)
{
	const struct result_option *lists[] = {c->row->options, c->result->globals};
	const uint32_t counts[] = {c->row->options_count, c->result->globals_count};

	for (size_t k = 0; k < COUNT_OF(lists); k++)
		for (uint32_t i = counts[k]; i; i--) {
			const struct result_option *o = &lists[k][i - 1];
			if (o->name && !strcmp(o->name, name))
				return o->value ? o->value : "";
		}
	return NULL;
}

const char *note_weight_name(enum note_weight weight)
{
	static const char *const names[] = {
		[NOTE_INFO] = "info",
		[NOTE_DOUBTFUL] = "doubtful",
		[NOTE_INVALID] = "invalid",
	};
	return names[weight];
}

uint32_t notes_count(const struct result *r, enum note_weight weight)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < r->notes_count; i++)
		count += r->notes[i].weight == weight;
	return count;
}

/* ---- asking ---- */

struct asking {
	struct result *r;
	const struct note_rule *rule;
	bool failed;
};

static void ask(struct asking *a, const struct note_case *c, const char *job,
	const char *target)
{
	struct note_found f = {.weight = a->rule->weight, .job = job, .target = target};

	if (a->rule->remedy)
		note_remedy(&f, "%s", a->rule->remedy);
	if (!a->rule->check(c, &f))
		return;
	const struct result_note note = {
		.id = a->rule->id,
		.weight = f.weight,
		.job = f.job,
		.target = f.target,
		.text = f.text,
		.remedy = f.remedy[0] ? f.remedy : NULL,
		.evidence = f.evidence,
		.evidence_count = f.evidence_count,
	};
	a->failed |= result_note_put(a->r, &note) < 0;
}

static void ask_row(struct asking *a, const struct result_row *row)
{
	struct note_case c = {.result = a->r, .row = row};

	switch (a->rule->scope) {
	case NOTE_OF_ROW:
		ask(a, &c, row->name, NULL);
		break;
	case NOTE_OF_DIR:
		for (int dir = 0; dir < DIRS; dir++) {
			c.dir = (enum dir)dir;
			ask(a, &c, row->name, NULL);
		}
		break;
	case NOTE_OF_ERROR:
		for (uint32_t i = 0; i < row->errors_count; i++) {
			c.error = &row->errors[i];
			ask(a, &c, row->name, NULL);
		}
		break;
	default:
		break;
	}
}

static void ask_group(struct asking *a, const struct result_group *group)
{
	for (int dir = 0; dir < DIRS; dir++)
		ask(a,
			&(struct note_case){
				.result = a->r, .group = group, .dir = (enum dir)dir},
			NULL, NULL);
}

static void ask_environment(struct asking *a, const struct environment *e)
{
	struct note_case c = {.result = a->r, .env = e};

	if (a->rule->scope == NOTE_OF_MACHINE)
		ask(a, &c, NULL, NULL);
	for (uint32_t i = 0; a->rule->scope == NOTE_OF_LAYER && i < e->stack.count; i++) {
		c.layer = &e->stack.v[i];
		ask(a, &c, NULL, c.layer->id);
	}
	for (uint32_t i = 0; a->rule->scope == NOTE_OF_TARGET && i < e->targets_count; i++) {
		c.target = &e->targets[i];
		c.layer = c.target->on == STACK_NOTHING ? NULL : &e->stack.v[c.target->on];
		ask(a, &c, NULL, c.target->path);
	}
}

/* Ask RULE about all of R that it is for, and add what it finds.  0 or -ENOMEM. */
static int note_ask(struct result *r, const struct note_rule *rule)
{
	struct asking a = {.r = r, .rule = rule};

	switch (rule->scope) {
	case NOTE_OF_ROW:
	case NOTE_OF_DIR:
	case NOTE_OF_ERROR:
		for (uint32_t i = 0; i < r->rows_count; i++)
			if (!result_row_hidden(&r->rows[i]))
				ask_row(&a, &r->rows[i]);
		break;
	case NOTE_OF_GROUP:
		for (uint32_t i = 0; i < r->groups_count; i++)
			ask_group(&a, &r->groups[i]);
		break;
	case NOTE_OF_RUN:
		ask(&a, &(struct note_case){.result = r}, NULL, NULL);
		break;
	case NOTE_OF_COMPARISON:
		break;
	default:
		if (r->environment)
			ask_environment(&a, r->environment);
		break;
	}
	return a.failed ? -ENOMEM : 0;
}

/* ---- order ---- */

static bool note_before(const struct result_note *a, const struct result_note *b)
{
	if (a->weight != b->weight)
		return a->weight > b->weight;
	bool a_rate = !strcmp(a->id, "rate-not-reached") || !strcmp(a->id, "replay-late");
	bool b_rate = !strcmp(b->id, "rate-not-reached") || !strcmp(b->id, "replay-late");
	return a_rate && !b_rate;
}

static void notes_sort(struct result *r)
{
	/* Insertion: stable, and the list is short and almost in order. */
	for (uint32_t i = 1; i < r->notes_count; i++) {
		struct result_note note = r->notes[i];
		uint32_t at = i;
		while (at && note_before(&note, &r->notes[at - 1])) {
			r->notes[at] = r->notes[at - 1];
			at--;
		}
		r->notes[at] = note;
	}
}

static bool note_same(const struct result_note *a, const struct result_note *b)
{
	const char *a_target = a->target ? a->target : "",
		   *b_target = b->target ? b->target : "";
	return a->weight == b->weight && !strcmp(a->id, b->id) && !strcmp(a->text, b->text) &&
	       !strcmp(a_target, b_target);
}

/* Equal sentences about several jobs become one: "NAME and 3 more". */
static int notes_fold(struct result *r)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < r->notes_count;) {
		struct result_note note = r->notes[i];
		uint32_t next = i + 1;
		while (next < r->notes_count && note_same(&note, &r->notes[next]))
			next++;
		if (note.job && next - i > 1)
			note.job = arena_printf(&r->arena, "%s and %" PRIu32 " more", note.job,
				next - i - 1);
		if (!note.job && r->notes[i].job)
			return -ENOMEM;
		r->notes[kept++] = note;
		i = next;
	}
	r->notes_count = kept;
	return 0;
}

int notes_doctor(struct result *r)
{
	int failed = 0;

	for (size_t t = 0; note_tables[t]; t++)
		for (size_t i = 0; i < note_tables[t]->count; i++)
			if (note_tables[t]->rules[i].scope >= NOTE_OF_MACHINE)
				failed |= note_ask(r, &note_tables[t]->rules[i]);
	notes_sort(r);
	r->notes_invalid = notes_count(r, NOTE_INVALID);
	return failed ? -ENOMEM : 0;
}

int result_notes_told(struct result *r)
{
	for (uint32_t i = 0; i < r->rows_count; i++)
		if (!r->rows[i].told || r->rows[i].told->native)
			return 0;
	return result_notes_make(r);
}

int result_notes_make(struct result *r)
{
	int failed = 0;

	for (size_t t = 0; note_tables[t]; t++)
		for (size_t i = 0; i < note_tables[t]->count; i++)
			if (!note_tables[t]->rules[i].doctor_only)
				failed |= note_ask(r, &note_tables[t]->rules[i]);
	notes_sort(r);
	failed |= notes_fold(r);
	r->notes_made = r->notes_count;
	r->notes_invalid = notes_count(r, NOTE_INVALID);
	return failed ? -ENOMEM : 0;
}
