/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The live line: one line that is drawn over and over while a run goes on.
 *
 * As fio it is on stdout, in weir's own face on stderr; --eta=always draws it on
 * any stream, auto on a terminal only, and it never stands between documents. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct face;
struct flags;
struct run_view;

struct live {
	int fd;              /* -1: no live line */
	bool native;         /* shown while files are laid out, too   */
	bool leave;          /* the last line stays when the run ends */
	uint64_t newline_ns; /* 0: never                              */
	uint64_t line_began_ns;
	size_t shown;   /* bytes on the screen, to be covered by blanks           */
	size_t columns; /* of the terminal: a line that wraps can't be redrawn; 0 */
};

/* FORMATS is what comes out (enum format_bit). */
void live_init(struct live *live, const struct face *face, const struct flags *flags,
	uint32_t formats);

/* Draw the line anew, if it is time for it. */
void live_show(struct live *live, const struct run_view *view);

/* Make room for other words. */
void live_clear(struct live *live);

/* The run is over. */
void live_end(struct live *live);
