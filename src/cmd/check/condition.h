/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* "rw=randread bs=4k iodepth>=32 direct=1 span>=8g preconditioned": under which
 * conditions a claim holds, held against what a result says of a job.
 *
 *	NAME OP VALUE   NAME is an option (rw, bs, iodepth, direct, ...), or
 *	                depth    requests in flight of all members of the job
 *	                span     bytes that were touched: size, of each member
 *	                job      its name, a shell pattern
 *	                run      the file or title of its result, a shell pattern
 *	WORD            a fact that no result can tell (preconditioned): only the
 *	                user can, by --given
 *
 * What the result doesn't say is unknown, never guessed. */
#pragma once

#include "cmd/check/assertion.h"
#include "result/checks.h"

struct result;

/* What a claim holds for: "direct=1", "preconditioned".  Texts are the arena's. */
struct condition {
	const char *text, *name;
	const char *value; /* NULL: a bare word */
	enum comparison compare;
};

struct condition_list {
	const struct condition *v;
	uint32_t count;
};

/* TEXT, words with blanks between them (shell quotes around one are not known).  On
 * failure "column N: ...". */
int condition_read(struct arena *arena, const char *text, struct condition_list *ret,
	struct err *reterr);

/* What a condition is judged on. */
struct condition_subject {
	const struct result *result;
	const struct result_row *row;
	const char *source;                 /* file of the result, or NULL   */
	const struct condition_list *given; /* the user's word        */
	uint32_t clones;                    /* rows that are judged as one, at least 1    */
};

/* RET's text belongs to ARENA, or to the subject. */
void condition_judge(struct arena *arena, const struct condition *c,
	const struct condition_subject *s, struct result_condition *ret);
