/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Making the files that jobs need, before any job runs.
 *
 * Missing and empty files are laid out, weir's own that are too small are extended
 * beyond their end; nothing that exists is ever unlinked, truncated or written
 * again (guard_check() has refused what that doesn't allow).  A file's
 * size says how much of it is filled, at every moment: a layout that was stopped
 * is completed by the next run.
 *
 * The work is done by forked helpers, a few at a time; the supervisor waits,
 * ticks, and goes on without a helper that the kernel won't give back. */
#pragma once

#include <stdint.h>

struct err;
struct layout;
struct plan;
struct run_how;

/* Returns when all is made, failed, or was stopped (log_stop_signal).  What fails
 * for single targets is no error of this call: see layout_error().  *ret is set
 * on success, also when there was nothing to do. */
int layout_run(const struct plan *plan, const struct run_how *how, struct layout **ret,
	struct err *reterr);

/* Why TARGET isn't there as planned: a negative errno, or 0. */
int layout_error(const struct layout *l, uint32_t target);

/* The same as a sentence, valid until the next call; "" without error. */
const char *layout_error_text(struct layout *l, uint32_t target);

/* unlink=1 at the end of WORKER: remove its files that weir made, in this run or
 * by their mark, and no others.  Done in a forked process and waited for, for a
 * while, so that a file system that hangs doesn't hang the caller. */
void layout_unlink(struct layout *l, const struct plan *plan, uint32_t worker);

void layout_free(struct layout *l);
