/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What the lines of the native table are, before anything is formatted.
 * Private to report/. */
#pragma once

#include <stdbool.h>

#include "result/result.h"

/* In the order in which a job has them. */
enum line_kind {
	LINE_SERVICE,  /* a direction of a job: rates, and the time an I/O took        */
	LINE_RESPONSE, /* its response time, on a schedule                             */
	LINE_LATENESS, /* its lateness                                                 */
	LINE_TARGET,   /* one of its files or devices, a direction                     */
	LINE_VERIFY,   /* what was read back                                           */
	LINE_SYNC,     /* fsync and the like                                           */
	LINE_NOTHING,  /* a job without any I/O                                        */
	LINE_END,      /* how it ended, when that was not its own end                  */
	LINE_TOGETHER, /* all jobs of a group, while all ran                           */
};

struct line {
	enum line_kind kind;
	const struct result_row *row; /* of LINE_TOGETHER: the first of the group        */
	int slot;                     /* direction, or RESULT_MIXED                      */
	bool first;                   /* of the job: carries its name                    */
	bool only;                    /* the job has this direction alone                */
	const struct result_target *target; /* of LINE_TARGET                            */
	bool target_first;                  /* of its lines                                   */
	const struct result_dir *dir;  /* of LINE_SERVICE and LINE_VERIFY                 */
	const struct latency *latency; /* what its latency columns show, or NULL         */
	struct result_together together;
};

/* Call FN for each line of the table, in order. */
void lines_each(const struct result *r, void (*fn)(void *ctx, const struct line *line),
	void *ctx);

/* True when the lines show clat because nothing measured the total latency. */
bool lines_show_clat(const struct result *r);
