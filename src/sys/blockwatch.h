/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What is asked of block devices, by the kernel's tracepoints through perf_event_open().
 *
 *   block_bio_queue     a request as it was handed to the block layer   queued
 *   block_rq_issue      one as the device gets it: merged, split        issued
 *   block_rq_complete   the same, done                                  done
 *   block_bio_complete  done, of devices that have no requests (dm, md, zram)
 *
 * A ring per CPU that the kernel fills, in constant memory.  When it is full the kernel drops
 * events and says how many: that is `lost`.  Events come out in the order of their times.
 * One thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct err;
struct block_watch;

/* How far a request has come, as the kernel's tracepoints tell it. */
enum block_event_kind {
	BLOCK_QUEUED,
	BLOCK_ISSUED,
	BLOCK_DONE,
	BLOCK_EVENT_KINDS,
};

struct block_event {
	uint64_t time_ns; /* CLOCK_MONOTONIC                                     */
	uint64_t sector;  /* of 512 bytes, on the whole disk                    */
	uint32_t sectors;
	uint32_t device; /* the kernel's number, 12 bits and 20                 */
	uint32_t pid;    /* who was on the CPU: of a queued one who asks        */
	uint16_t cpu;
	int16_t error; /* negative errno, of one that is done                 */
	enum block_event_kind kind;
	char what[12];    /* the kernel's letters: "R", "WS", "FWFS"             */
	char program[16]; /* the name of PID, of a queued one                    */
};

struct block_watch_how {
	const uint32_t *devices; /* whole disks, as above                     */
	uint32_t devices_count;
	uint64_t ring_bytes; /* of each CPU; a power of two; 0: chosen           */
	uint32_t cpus_first; /* only so many at first: for tests; 0: all that are on */
};

/* CPUs that came online after the beginning, or again. */
struct block_watch_late {
	uint32_t came;      /* and are watched since they were noticed */
	uint32_t unwatched; /* these could not be                      */
};

/* Begin.  0, or negative errno with *reterr: -EPERM without root or CAP_PERFMON. */
int block_watch_open(const struct block_watch_how *how, struct block_watch **ret,
	struct err *reterr);
void block_watch_close(struct block_watch *w);

/* Hand the events that are there to TAKE, those of the last moments only when it is the LAST
 * call (they may not be in order yet).  TAKE returns negative errno to end it.  0 or a negative
 * errno. */
int block_watch_read(struct block_watch *w, bool last,
	int (*take)(void *ctx, const struct block_event *e), void *ctx);

/* Watch CPUs, too, that came online since the last call.  Cheap where none did. */
void block_watch_cpus(struct block_watch *w);
struct block_watch_late block_watch_late(const struct block_watch *w);

/* Wait until a ring is filled to a part, a signal, or the time. */
void block_watch_wait(struct block_watch *w, uint64_t timeout_ns);

/* Events that the kernel could not keep, so far. */
uint64_t block_watch_lost(const struct block_watch *w);
