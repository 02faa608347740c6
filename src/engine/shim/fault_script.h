/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* When the fault shim spoils a request, and how.
 *
 *	fault_script=RULE[,RULE...]     the first rule that strikes counts
 *	RULE   [read@|write@|trim@|sync@] WHEN : WHAT
 *	WHEN   rate:0.01         each with this probability
 *	       every:100         each hundredth
 *	       nth:5             the fifth, once
 *	       after:1000        all but the first thousand
 *	       range:1m:2m       those that touch these bytes (end not included)
 *	WHAT   EIO, ENOSPC, ...  fails so and is not done (names or numbers)
 *	       short[:BYTES]     only so many bytes move; half without BYTES
 *	       flip              one bit is wrong
 *	       lost              claims success and does nothing
 *	       torn              claims success and does the first half
 *	       misplaced         claims success and goes to the block beside it
 *	       hang              never comes back
 *
 * A rule counts the requests of its directions, from 1. */
#pragma once

#include "base/rng.h"
#include "engine/engine.h"

#include <stdint.h>

struct err;

#define FAULT_RULES 16

/* What becomes of a request that a rule strikes. */
enum fault_what {
	FAULT_NONE,
	FAULT_ERROR,
	FAULT_SHORT,
	FAULT_FLIP,
	FAULT_LOST,
	FAULT_HANG,
	FAULT_TORN,
	FAULT_MISPLACED,
};

/* One of the script's; `seen` is the queue's own count, so each queue has a copy of the script.
 */
struct fault_rule {
	enum fault_when {
		FAULT_RATE,
		FAULT_EVERY,
		FAULT_NTH,
		FAULT_AFTER,
		FAULT_RANGE,
	} when;
	enum fault_what what;
	unsigned dirs;
	uint64_t number, number_end; /* of EVERY, NTH, AFTER; the two of RANGE; RATE: of 2^32 */
	int32_t error;               /* negative errno                                        */
	uint32_t bytes;              /* of SHORT; 0: half                                     */
	uint64_t seen;
};

/* A queue's own copy: rules count what that queue has seen. */
struct fault_script {
	struct fault_rule rules[FAULT_RULES];
	uint32_t count;
};

/* TEXT NULL: no faults. */
int fault_script_parse(const char *text, struct fault_script *ret, struct err *reterr);

/* The rule that strikes IO, or NULL. Counts it in all rules. */
const struct fault_rule *fault_strike(struct fault_script *s, const struct io *io,
	struct rng *dice);

/* Undo the counting of fault_strike() for a request that comes again. */
void fault_forget(struct fault_script *s, const struct io *io);
