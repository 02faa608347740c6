/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Columns of text for a terminal.
 *
 * Cells are filled first and laid out at the end, so a column is as wide as its
 * widest cell and one that nobody filled is not there.  When the whole is wider
 * than allowed, the leading label columns of a row go on a line of their own:
 * nothing is cut.  Memory that runs out sets `failed`.  Private to report/. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum grid_ink {
	INK_PLAIN,
	INK_BOLD,
	INK_DIM,
	INK_RED,
	INK_YELLOW,
};

/* const, the caller's: a table of these is the head of the report. */
struct grid_column {
	const char *title; /* "" for none                                       */
	const char *span;  /* heading over this and its neighbours of equal span */
	bool right;        /* numbers stand right                               */
	bool label;        /* of the first: may go on a line above the rest      */
};

struct grid_cell {
	struct str text;
	enum grid_ink ink;
};

/* A table being filled; grid_init(), rows, grid_print(), grid_done(). */
struct grid {
	const struct grid_column *columns;
	uint32_t count;
	struct grid_cell *cells; /* rows * count */
	uint32_t rows, room;
	struct grid_cell spare; /* what is written to when memory ran out */
	bool failed;
};

/* COLUMNS is the caller's and must outlive the grid. */
void grid_init(struct grid *g, const struct grid_column *columns, uint32_t count);
void grid_done(struct grid *g);

/* Open a row; cells are of the last one opened. */
void grid_row(struct grid *g);
struct str *grid_cell(struct grid *g, uint32_t column);
void grid_ink(struct grid *g, uint32_t column, enum grid_ink ink);

/* At most WIDTH columns where that can be; ANSI colours when COLOUR. */
void grid_print(const struct grid *g, uint32_t width, bool colour, struct str *out);

/* The same as a table of Markdown; units of the spans stand in the titles. */
void grid_print_markdown(const struct grid *g, struct str *out);

/* TEXT in INK. */
void ink_add(struct str *out, enum grid_ink ink, bool colour, const char *text);
