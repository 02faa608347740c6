/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Is a queue's work done when submit returns (buffered libaio, a disk of RAM), or is the
 * device only fast, or this worker slow to come back?
 *
 *	SINGLE  one request a turn.  Not done at once, or too quick for a stamp of its
 *	   │    own to be cheap: OVER.  A turn in which the kernel took the CPU away says
 *	   │    nothing: the device had all the time that it wanted.
 *	   ├──▶ WATCH, when submit slept for most of them: it waited for the device itself
 *	   ▼
 *	BATCH   several requests a turn.  A device that takes them all at once hasn't done
 *	   │    the last one when submit returns; a call that does each before the next has.
 *	   ▼
 *	WATCH   it is synchronous: one request a turn, each with its own submission latency,
 *	   │    until the first one that isn't done: then it was wrong.
 *	   ▼
 *	OVER    it is asynchronous, or whoever asks for batches has said so.
 *
 * Syncs say nothing either: buffered libaio hands them to a thread of the kernel's, while its
 * reads and writes are done at once.
 *
 * Pure: the loop tells what a turn was.  In all stages but OVER nothing but syncs is in
 * flight when a turn begins. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum submit_stage {
	SUBMIT_OVER,
	SUBMIT_SINGLE,
	SUBMIT_BATCH,
	SUBMIT_WATCH,
};

struct submit_probe {
	enum submit_stage stage;
	unsigned room;    /* requests that a turn may have; 0: any number (OVER)      */
	unsigned sure;    /* turns of this stage that speak for it                    */
	unsigned unsure;  /* turns of all stages that said nothing                    */
	unsigned slept;   /* SINGLE: of the sure ones, submit slept in                */
	unsigned alone;   /* BATCH: turns that had one request, as on a schedule      */
	unsigned syncs;   /* the loop's: of them so many may be in flight             */
	uint64_t slow_ns; /* a request that takes longer is worth a stamp of its own  */
	int64_t voluntary, involuntary; /* the thread's switches when the turn began  */
};

/* What a turn was. */
struct submit_turn {
	unsigned issued;  /* requests, at least 1                       */
	bool done;        /* when submit had returned, all but syncs    */
	bool unsure;      /* preempted, or not what was wanted          */
	bool slept;       /* the thread waited for something            */
	uint64_t took_ns; /* submit                                     */
};

void submit_probe_begin(struct submit_probe *p, uint64_t slow_ns);

/* A turn is over: where does that leave us? */
void submit_probe_turn(struct submit_probe *p, const struct submit_turn *t);
