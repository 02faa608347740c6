/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What spoils the figures, in words below them. */
#include "base/bits.h"
#include "base/scope.h"
#include "base/str.h"
#include "report/grid.h"
#include "report/report.h"
#include "report/text.h"
#include "result/result.h"

#include <inttypes.h>
#include <string.h>

#define COLUMNS_PRESET 100

static unsigned notes_job_width(const struct result *r)
{
	unsigned width = 0;
	for (uint32_t i = 0; i < r->notes_count; i++)
		if (r->notes[i].job)
			width = MAX_OF(width, text_width(r->notes[i].job));
	return MIN_OF(width, 28u);
}

/* "/data: 97 % full; delete something". */
static void note_words(const struct result_note *n, struct str *out)
{
	if (n->target && *n->target)
		str_addf(out, "%s: ", n->target);
	str_add(out, n->text);
	if (n->remedy)
		str_addf(out, "; %s", n->remedy);
}

#define WEIGHT_WIDTH 8
#define NOTES_WIDTH  110u /* longer lines are hard to read, however wide the window */

static unsigned note_indent(unsigned job_width)
{
	return 2 + WEIGHT_WIDTH + 2 + (job_width ? job_width + 2 : 0);
}

static void note(const struct result_note *n, const struct report_how *how, unsigned job_width,
	uint32_t width, struct str *out)
{
	static const struct {
		const char *word;
		enum grid_ink ink;
	} weights[] = {
		[NOTE_INFO] = {"info", INK_DIM},
		[NOTE_DOUBTFUL] = {"doubtful", INK_YELLOW},
		[NOTE_INVALID] = {"invalid", INK_RED},
	};
	const char *word = weights[n->weight].word;
	const char *job = n->job ? n->job : "";
	unsigned indent = note_indent(job_width);
	unsigned at = 2 + WEIGHT_WIDTH;

	str_add(out, "  ");
	ink_add(out, weights[n->weight].ink, how->colour, word);
	text_pad(out, WEIGHT_WIDTH - (unsigned)strlen(word));
	if (job_width) {
		str_add(out, "  ");
		text_add(out, job);
		at += 2 + text_width(job);
	}
	/* a name that is too long for the column has a line of its own */
	if (job_width && at + 2 > indent) {
		str_add_char(out, '\n');
		at = 0;
	}
	text_pad(out, indent - at);
	scope_with(str_done) struct str words = {0};
	note_words(n, &words);
	text_wrap(out, str_text(&words), indent, indent < width / 2 ? indent : 4, width);
	out->failed |= words.failed;
	str_add_char(out, '\n');
}

/* Of a hundred workers that all came late the first ones are enough. */
#define SAME_MOST 3

/* How many notes from the one AT on are of its kind, and how many of these are shown. */
static uint32_t notes_alike(const struct result *r, uint32_t at, uint32_t *ret_shown)
{
	const struct result_note *first = &r->notes[at];
	uint32_t n = 1;

	while (at + n < r->notes_count && r->notes[at + n].weight == first->weight &&
		!strcmp(r->notes[at + n].id, first->id))
		n++;
	*ret_shown = n > SAME_MOST + 1 ? SAME_MOST : n;
	return n;
}

static void add_rest(const struct result_note *n, uint32_t count, struct str *out)
{
	str_addf(out, "and %" PRIu32 " more like these (%s); JSON has them", count, n->id);
}

void report_notes(const struct result *r, const struct report_how *how, struct str *out)
{
	uint32_t width = MIN_OF(how->columns ? how->columns : COLUMNS_PRESET, NOTES_WIDTH);
	unsigned job_width = notes_job_width(r);

	if (!r->notes_count)
		return;
	str_add(out, "\nnotes\n");
	for (uint32_t i = 0, shown, alike; i < r->notes_count; i += alike) {
		alike = notes_alike(r, i, &shown);
		for (uint32_t k = 0; k < shown; k++)
			note(&r->notes[i + k], how, job_width, width, out);
		if (shown == alike)
			continue;
		text_pad(out, note_indent(job_width));
		add_rest(&r->notes[i], alike - shown, out);
		str_add_char(out, '\n');
	}
}

/* ---- Markdown ---- */

static void note_markdown(const struct result_note *n, struct str *out)
{
	static const char *const weights[] = {
		[NOTE_INFO] = "info", [NOTE_DOUBTFUL] = "doubtful", [NOTE_INVALID] = "invalid"};

	scope_with(str_done) struct str words = {0};

	str_addf(out, "- %s", weights[n->weight]);
	if (n->job) {
		str_add(out, ", ");
		text_markdown(out, n->job);
	}
	str_add(out, ": ");
	note_words(n, &words);
	text_add(out, str_text(&words));
	out->failed |= words.failed;
	str_add_char(out, '\n');
}

void report_notes_markdown(const struct result *r, struct str *out)
{
	str_add(out, r->notes_count ? "\n" : "");
	for (uint32_t i = 0, shown, alike; i < r->notes_count; i += alike) {
		alike = notes_alike(r, i, &shown);
		for (uint32_t k = 0; k < shown; k++)
			note_markdown(&r->notes[i + k], out);
		if (shown == alike)
			continue;
		str_add(out, "- ");
		add_rest(&r->notes[i], alike - shown, out);
		str_add_char(out, '\n');
	}
}
