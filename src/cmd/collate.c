/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/collate.h"

#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

/* What follows "FILE:LINE: [JOB] "; all of TEXT when there is no such place. */
static const char *sentence_of(const char *text)
{
	const char *job = strstr(text, ": [");
	const char *end = job ? strstr(job, "] ") : NULL;
	return end ? end + 2 : text;
}

static struct collate_line *same_line(struct collate *c, enum speech what, const char *text)
{
	const char *sentence = sentence_of(text);
	if (sentence == text)
		return NULL;
	for (size_t i = 0; i < c->count; i++)
		if (c->lines[i].what == what &&
			strcmp(sentence_of(c->lines[i].text), sentence) == 0)
			return &c->lines[i];
	return NULL;
}

void collate_add(struct collate *c, enum speech what, const char *text)
{
	struct collate_line *same = same_line(c, what, text);
	if (same) {
		same->again++;
		return;
	}
	if (c->count == c->room) {
		size_t room = MAX_OF(c->room * 2, (size_t)16);
		struct collate_line *lines = reallocarray(c->lines, room, sizeof(*lines));
		if (!lines)
			return; /* a warning less, where memory is out anyway */
		c->lines = lines;
		c->room = room;
	}
	char *copy = strdup(text);
	if (copy)
		c->lines[c->count++] = (struct collate_line){.what = what, .text = copy};
}

void collate_say(struct collate *c, struct output *out)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct collate_line *line = &c->lines[i];
		if (line->again)
			output_sayf(out, line->what, "%s (in %u jobs)", line->text,
				line->again + 1);
		else
			output_sayf(out, line->what, "%s", line->text);
	}
	collate_done(c);
}

void collate_done(struct collate *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->lines[i].text);
	free(c->lines);
	*c = (struct collate){.lines = NULL};
}
