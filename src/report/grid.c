/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "report/grid.h"

#include "base/bits.h"
#include "report/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GRID_COLUMNS 16
#define GAP          2u

void grid_init(struct grid *g, const struct grid_column *columns, uint32_t count)
{
	*g = (struct grid){.columns = columns, .count = MIN_OF(count, (uint32_t)GRID_COLUMNS)};
}

void grid_done(struct grid *g)
{
	for (uint32_t i = 0; i < g->rows * g->count; i++)
		str_done(&g->cells[i].text);
	str_done(&g->spare.text);
	free(g->cells);
	*g = (struct grid){0};
}

void grid_row(struct grid *g)
{
	if (g->rows == g->room) {
		uint32_t room = MAX_OF(g->room * 2, UINT32_C(16));
		struct grid_cell *cells = reallocarray(g->cells, (size_t)room * g->count,
			sizeof(*cells));
		if (!cells) {
			g->failed = true;
			return;
		}
		g->cells = cells;
		g->room = room;
	}
	memset(&g->cells[g->rows * g->count], 0, g->count * sizeof(g->cells[0]));
	g->rows++;
}

static struct grid_cell *last_cell(struct grid *g, uint32_t column)
{
	if (g->failed || !g->rows)
		return &g->spare;
	return &g->cells[(g->rows - 1) * g->count + column];
}

struct str *grid_cell(struct grid *g, uint32_t column)
{
	return &last_cell(g, column)->text;
}

void grid_ink(struct grid *g, uint32_t column, enum grid_ink ink)
{
	last_cell(g, column)->ink = ink;
}

/* ---- printing ---- */

static void ink_on(struct str *out, enum grid_ink ink, bool colour)
{
	static const char *const codes[] = {
		[INK_PLAIN] = "",
		[INK_BOLD] = "\033[1m",
		[INK_DIM] = "\033[2m",
		[INK_RED] = "\033[1;31m",
		[INK_YELLOW] = "\033[33m",
	};
	if (colour)
		str_add(out, codes[ink]);
}

static void ink_off(struct str *out, enum grid_ink ink, bool colour)
{
	if (colour && ink != INK_PLAIN)
		str_add(out, "\033[0m");
}

void ink_add(struct str *out, enum grid_ink ink, bool colour, const char *text)
{
	ink_on(out, ink, colour);
	text_add(out, text);
	ink_off(out, ink, colour);
}

struct layout {
	const struct grid *g;
	unsigned width[GRID_COLUMNS]; /* 0: the column is not there */
	bool stacked;                 /* labels above the numbers   */
	bool colour;
	struct str *out;
	unsigned at;   /* columns written of the line, blanks owed included */
	unsigned owed; /* blanks to write before the next text: no line ends in one */
};

static void put_blanks(struct layout *l, unsigned count)
{
	l->owed += count;
	l->at += count;
}

static void put_text(struct layout *l, const char *text, enum grid_ink ink)
{
	if (!*text)
		return;
	text_pad(l->out, l->owed);
	l->owed = 0;
	ink_add(l->out, ink, l->colour, text);
	l->at += text_width(text);
}

static void put_line_end(struct layout *l)
{
	str_add_char(l->out, '\n');
	l->at = 0;
	l->owed = 0;
}

static void put_cell(struct layout *l, uint32_t column, const char *text, enum grid_ink ink)
{
	unsigned width = l->width[column], used = text_width(text);
	unsigned blanks = width > used ? width - used : 0;
	bool right = l->g->columns[column].right;

	if (!width)
		return;
	if (l->at)
		put_blanks(l, GAP);
	put_blanks(l, right ? blanks : 0);
	put_text(l, text, ink);
	put_blanks(l, right ? 0 : blanks);
}

/* Heading over neighbours that share it, in their middle. */
static void put_spans(struct layout *l)
{
	const struct grid *g = l->g;
	bool any = false;

	for (uint32_t i = 0; i < g->count;) {
		const char *span = g->columns[i].span;
		unsigned width = 0;
		uint32_t next = i;
		for (; next < g->count && g->columns[next].span == span; next++) {
			bool here = l->width[next] && !(l->stacked && g->columns[next].label);
			if (here)
				width += l->width[next] + (l->at || width ? GAP : 0);
		}
		unsigned used = span && width ? text_width(span) : 0;
		unsigned before = width > used && used ? (width - used + 1) / 2 : 0;
		put_blanks(l, before);
		if (used)
			put_text(l, span, INK_DIM);
		if (width > before + used)
			put_blanks(l, width - before - used);
		any |= used > 0;
		i = next;
	}
	if (any)
		put_line_end(l);
	l->at = 0;
	l->owed = 0;
}

static void put_titles(struct layout *l)
{
	if (l->stacked)
		put_blanks(l, GAP);
	for (uint32_t i = 0; i < l->g->count; i++)
		if (!(l->stacked && l->g->columns[i].label))
			put_cell(l, i, l->g->columns[i].title, INK_DIM);
	put_line_end(l);
}

/* The cells of a row that are labels, or those that are not. */
static void put_cells(struct layout *l, const struct grid_cell *cells, bool labels)
{
	for (uint32_t i = 0; i < l->g->count; i++)
		if (l->g->columns[i].label == labels)
			put_cell(l, i, str_text(&cells[i].text), cells[i].ink);
}

static bool cells_any(const struct grid *g, const struct grid_cell *cells, bool labels)
{
	for (uint32_t i = 0; i < g->count; i++)
		if (g->columns[i].label == labels && cells[i].text.len)
			return true;
	return false;
}

static void put_row(struct layout *l, uint32_t row)
{
	const struct grid_cell *cells = &l->g->cells[row * l->g->count];
	bool labels = cells_any(l->g, cells, true);
	bool numbers = cells_any(l->g, cells, false);

	if (labels || !l->stacked)
		put_cells(l, cells, true);
	if (l->stacked && labels)
		put_line_end(l);
	if (l->stacked && numbers)
		put_blanks(l, GAP);
	if (numbers || !l->stacked) {
		put_cells(l, cells, false);
		put_line_end(l);
	}
}

static unsigned measure(struct layout *l)
{
	const struct grid *g = l->g;
	unsigned total = 0;

	for (uint32_t i = 0; i < g->count; i++) {
		unsigned widest = 0;
		for (uint32_t row = 0; row < g->rows; row++) {
			const char *text = str_text(&g->cells[row * g->count + i].text);
			widest = MAX_OF(widest, text_width(text));
		}
		if (!widest)
			continue;
		l->width[i] = MAX_OF(widest, text_width(g->columns[i].title));
		total += l->width[i] + (total ? GAP : 0);
	}
	return total;
}

#define STACKED_LABEL 24u

/* On a line of its own one long label doesn't push those of all others to the right. */
static void stack_labels(struct layout *l)
{
	for (uint32_t i = 0; i < l->g->count; i++)
		if (l->g->columns[i].label)
			l->width[i] = MIN_OF(l->width[i], STACKED_LABEL);
}

void grid_print(const struct grid *g, uint32_t width, bool colour, struct str *out)
{
	struct layout l = {.g = g, .colour = colour, .out = out};

	if (g->failed)
		out->failed = true;
	l.stacked = measure(&l) > width;
	if (l.stacked) {
		stack_labels(&l);
		put_blanks(&l, GAP);
	}
	put_spans(&l);
	put_titles(&l);
	for (uint32_t row = 0; row < g->rows; row++)
		put_row(&l, row);
}

/* ---- Markdown ---- */

static void put_markdown(struct str *out, const char *text, bool bold)
{
	str_add(out, " ");
	if (bold && *text)
		str_add(out, "**");
	text_markdown(out, text);
	if (bold && out->len && out->text[out->len - 1] != ' ')
		str_add(out, "**");
	str_add(out, " |");
}

void grid_print_markdown(const struct grid *g, struct str *out)
{
	struct layout l = {.g = g, .out = out};

	measure(&l);
	str_add(out, "|");
	for (uint32_t i = 0; i < g->count; i++) {
		const char *span = g->columns[i].span;
		char title[96];
		if (!l.width[i])
			continue;
		/* "latency, us" over "p50" is "p50, us" here. */
		const char *unit = span ? strrchr(span, ',') : NULL;
		snprintf(title, sizeof(title), "%s%s", g->columns[i].title, unit ? unit : "");
		put_markdown(out, title, false);
	}
	str_add(out, "\n|");
	for (uint32_t i = 0; i < g->count; i++)
		if (l.width[i])
			str_add(out, g->columns[i].right ? " ---: |" : " --- |");
	str_add(out, "\n");
	for (uint32_t row = 0; row < g->rows; row++) {
		const struct grid_cell *cells = &g->cells[row * g->count];
		str_add(out, "|");
		for (uint32_t i = 0; i < g->count; i++)
			if (l.width[i])
				put_markdown(out, str_text(&cells[i].text),
					cells[i].ink == INK_BOLD || cells[i].ink == INK_RED);
		str_add(out, "\n");
	}
}
