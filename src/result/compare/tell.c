/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The list of a comparison's notes. */
#include "base/bits.h"
#include "result/compare/parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool text_same(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

static const char *text_keep(struct compare *c, const char *text)
{
	const char *copy = text ? arena_text(&c->arena, text) : NULL;
	c->failed |= text && !copy;
	return copy;
}

/* One that is there already isn't said again. */
static void put(struct compare *c, const struct result_note *note)
{
	for (uint32_t i = 0; i < c->notes_count; i++)
		if (!strcmp(c->notes[i].text, note->text) &&
			text_same(c->notes[i].job, note->job))
			return;
	struct result_note *notes = compare_alloc(c, c->notes_count + 1, sizeof(*notes));
	struct result_evidence *evidence = compare_alloc(c, note->evidence_count,
		sizeof(*evidence));
	if (!notes || !evidence)
		return;
	if (c->notes_count)
		memcpy(notes, c->notes, c->notes_count * sizeof(*notes));
	if (note->evidence_count)
		memcpy(evidence, note->evidence, note->evidence_count * sizeof(*evidence));
	notes[c->notes_count++] = (struct result_note){
		.id = note->id,
		.weight = note->weight,
		.job = text_keep(c, note->job),
		.text = text_keep(c, note->text),
		.remedy = text_keep(c, note->remedy),
		.evidence = evidence,
		.evidence_count = note->evidence_count,
	};
	c->notes = notes;
}

void compare_note(struct compare *c, const char *fmt, ...)
{
	char text[2048];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	put(c, &(struct result_note){.text = text});
}

void compare_say(struct compare *c, enum note_compared which, const char *job, const char *fmt,
	...)
{
	const struct note_rule *rule = &notes_compared.rules[which];
	char text[2048];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	put(c, &(struct result_note){.id = rule->id,
		       .weight = rule->weight,
		       .job = job,
		       .text = text,
		       .remedy = rule->remedy});
}

struct note_found compare_found(enum note_compared which)
{
	const struct note_rule *rule = &notes_compared.rules[which];
	struct note_found f = {.weight = rule->weight};

	if (rule->remedy)
		note_remedy(&f, "%s", rule->remedy);
	return f;
}

void compare_tell(struct compare *c, enum note_compared which, const struct note_found *f)
{
	put(c, &(struct result_note){.id = notes_compared.rules[which].id,
		       .weight = f->weight,
		       .job = f->job,
		       .text = f->text,
		       .remedy = f->remedy[0] ? f->remedy : NULL,
		       .evidence = f->evidence,
		       .evidence_count = f->evidence_count});
}
