/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* One unit of verification on a target: how it is stamped, and what is wrong with one
 * that was read.  The format is in docs/internals/verify.md.  Pure; units need no
 * alignment. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/filler.h"
#include "gen/data.h"
#include "verify/checksum.h"

#define UNIT_HEADER 64 /* bytes, without what of a checksum is longer than 8 */

/* What a unit is made of; verify= names them (unit_kind_name()). */
enum unit_kind {
	UNIT_NONE,        /* no verification                                     */
	UNIT_CHECKSUM,    /* header, payload, checksum                           */
	UNIT_META,        /* header and payload, only the header is checked      */
	UNIT_PATTERN,     /* nothing but the pattern                             */
	UNIT_PATTERN_HDR, /* header, then the pattern                            */
	UNIT_NULL,        /* stamped like META, never checked                    */
};

/* Of all units that one job writes or reads.  Const while the run lasts. */
struct unit_spec {
	enum unit_kind kind;
	enum checksum_kind checksum; /* of UNIT_CHECKSUM                              */
	uint32_t bytes;              /* of a unit; 0: each write is one (no headers)  */
	uint32_t header_at;          /* verify_offset; header and checksum fit in     */
	struct filler pattern;     /* of the PATTERN kinds; %o counts from the target's start */
	uint32_t pattern_interval; /* the pattern begins anew every so many bytes; 0: each unit
				    */
	uint64_t run;              /* id of this run                                */
	struct data_spec data;     /* payload; its seed isn't looked at: it follows
				    * from run and worker                           */
};

/* Whose write it is. */
struct unit_stamp {
	uint64_t offset;  /* of the unit in its target                              */
	uint64_t target;  /* identity of the target                                 */
	uint64_t serial;  /* of the write                                           */
	uint64_t time_ns; /* wall clock                                             */
	uint32_t worker;
	uint8_t generation;
};

/* Bytes that a header takes with this checksum; the smallest unit that can have one. */
uint32_t unit_header_bytes(const struct unit_spec *s);

/* The smallest unit that can be checked at all: what is shorter (the end of a file) is
 * written and not judged. */
uint32_t unit_bytes_min(const struct unit_spec *s);

/* Make D ready for the payload of WORKER. */
void unit_data_init(const struct unit_spec *s, struct data *d, uint32_t worker);

/* Payload of the N bytes of a write that begins at STAMP->offset: once a write, before
 * its units are stamped.  D is the worker's, made by unit_data_init().  That of a unit follows
 * from run, worker, serial and its own offset, so it can be made again without knowing the
 * write; but with dedupe it depends on all that came before.  HOT. */
void unit_payload(const struct unit_spec *s, struct data *d, const struct unit_stamp *stamp,
	void *buf, size_t n);

/* Header and checksum of one unit of N bytes, whose payload is there.  HOT. */
void unit_stamp(const struct unit_spec *s, const struct unit_stamp *stamp, void *unit,
	size_t n);

/* What may be there.  Anything not asked for is not looked at. */
struct unit_expect {
	uint64_t offset, target;
	bool any_run; /* a unit of an earlier run is right, too: jobs that only read */
	bool any_generation;
	bool zeroes;       /* it was trimmed: zeroes are right, and nothing else    */
	bool zeroes_too;   /* zeroes are right, beside what the rest says           */
	bool before_too;   /* so is whatever isn't of this run, whole or not        */
	uint64_t since_ns; /* a unit of this run that is older is stale; 0: any age */
	uint8_t generation,
		span; /* the last one, or one of SPAN before it, in the cycle of cells.h */
};

/* What a check says.  Where several would be true it is the first in the order of the checks:
 * header, checksum, run, place, generation, pattern. */
enum unit_verdict {
	UNIT_RIGHT,
	UNIT_NO_MAGIC,   /* no header of weir there                             */
	UNIT_BAD_HEADER, /* magic, but it contradicts itself                    */
	UNIT_MISPLACED,  /* a whole unit of another offset or target            */
	UNIT_STALE,      /* a whole unit of an older generation                 */
	UNIT_OTHER_RUN,  /* a whole unit of another run                         */
	UNIT_WRONG_DATA, /* header right, checksum not                          */
	UNIT_NOT_ZERO,   /* trimmed, and not zeroes                             */
	UNIT_WRONG_PATTERN,
};

/* Judge N bytes.  HOT. */
enum unit_verdict unit_check(const struct unit_spec *s, const struct unit_expect *e,
	const void *unit, size_t n);

/* Who wrote a unit that has a header of this run (whole or not)?  False: it has none. */
bool unit_author(const struct unit_spec *s, const void *unit, size_t n, uint32_t *ret_worker,
	uint64_t *ret_serial);

/* A guess at what happened. */
enum unit_guess {
	GUESS_UNKNOWN,
	GUESS_ZEROES, /* all zero: lost, or trimmed                          */
	GUESS_STALE,  /* an earlier write of the same place                  */
	GUESS_EARLIER_RUN,
	GUESS_TORN,      /* some sectors are of another write                   */
	GUESS_MISPLACED, /* it belongs elsewhere                                */
	GUESS_BIT_FLIP,  /* a few bits                                          */
	GUESS_FOREIGN,   /* data that weir did not write                        */
	GUESS_GUESSES,
};

/* Everything that can be said about a wrong unit.  What isn't known is 0, and said so
 * by the flags. */
struct unit_fault {
	enum unit_verdict verdict;
	enum unit_guess guess;
	uint64_t offset; /* of the unit in the target                     */
	uint32_t bytes;
	bool has_header; /* magic found: the fields below are what it says */
	uint64_t found_run, found_offset, found_target, found_serial, found_time_ns;
	uint32_t found_worker, found_bytes;
	uint8_t found_generation;
	uint8_t sum_bytes;
	uint8_t expected_sum[CHECKSUM_MAX]; /* what the header says                 */
	uint8_t found_sum[CHECKSUM_MAX];    /* of the bytes that came               */
	bool has_difference;                /* the right bytes could be made again           */
	uint32_t first_difference;          /* in the unit                                   */
	uint32_t different_bytes, different_bits;
	uint32_t around_at; /* where the sixteen bytes below begin           */
	uint8_t around_expected[16], around_found[16]; /* zeroes behind the unit's end */
};

/* What is wrong with a unit that unit_check() found wrong.  SCRATCH has N bytes.  Not
 * hot. */
void unit_explain(const struct unit_spec *s, const struct unit_expect *e, const void *unit,
	size_t n, void *scratch, struct unit_fault *ret);

/* May a unit that was found wrong be a mixture of WRITES (worker and serial of each, all with
 * this spec): does each piece of ATOMIC bytes, aligned in the target, equal that of one of
 * them, or what else E says?  True also when nobody can know: anything may have been before, or
 * the payload can't be made again.  SCRATCH has 2 * N bytes, N > ATOMIC > 1.  Not hot. */
bool unit_is_mixture(const struct unit_spec *s, const struct unit_expect *e,
	const struct unit_stamp *writes, uint32_t count, uint32_t atomic, const void *unit,
	size_t n, void *scratch);

/* "stale", for JSON and text; a half sentence for people. */
const char *unit_guess_name(enum unit_guess g);
const char *unit_guess_words(enum unit_guess g);
