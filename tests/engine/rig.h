/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A queue with everything a worker would give it, for tests of engines.
 *
 *	struct rig rig;
 *	rig_open(&rig, &(struct rig_want){.chain = "delay(psync)", .depth = 8, ...});
 *	... call_submit(rig.queue, rig.ptr, n) ...
 *	rig_close(&rig);
 *
 * What can't be set up ends the program with a message: a test can't go on. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "engine/call.h"
#include "engine/engine.h"
#include "sys/clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Complain and count; the program goes on and fails at its end. */
extern unsigned rig_failures;

#define CHECK(condition, ...)                                                                  \
	do {                                                                                   \
		if (!(condition)) {                                                            \
			rig_failures++;                                                        \
			fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition);        \
			fprintf(stderr, __VA_ARGS__);                                          \
			fputc('\n', stderr);                                                   \
		}                                                                              \
	} while (0)

#define RIG_FILES 16

struct rig_want {
	const char *chain;
	uint32_t depth, block;
	uint32_t files;   /* 0: one                                    */
	const char *path; /* of the only file; NULL: fresh ones in dir */
	const char *dir;
	uint64_t bytes; /* fresh files are made so long              */
	bool read_only, direct;
	uint64_t seed;
	const char *const *opts; /* "name=value", NULL at the end             */
};

struct rig {
	struct engine_chain chain;
	struct arena arena;
	struct clock clock;
	struct queue *queue;
	struct io *ios;
	struct io **ptr;  /* ptr[i] == &ios[i] until a test says otherwise */
	struct io **done; /* room for a reap                               */
	char *buffers;
	struct target targets[RIG_FILES];
	char paths[RIG_FILES][256];
	uint32_t files, depth, block;
	bool fresh; /* the files are the rig's to delete             */
	struct target_how how;
	volatile uint32_t stop;
};

void rig_open(struct rig *rig, const struct rig_want *want);

/* Only the queue: no target is opened. Returns queue_new's code. */
int rig_open_queue(struct rig *rig, const struct rig_want *want, struct err *reterr);
int rig_open_target(struct rig *rig, uint32_t i, struct err *reterr);
void rig_close_target(struct rig *rig, uint32_t i);
void rig_close(struct rig *rig);

char *rig_buffer(const struct rig *rig, uint32_t slot);

/* Fill in request SLOT and return it. */
struct io *rig_io(struct rig *rig, uint32_t slot, enum io_kind kind, uint32_t file,
	uint64_t offset, uint32_t bytes);

/* Do request SLOT: by perform (QUEUED false) or by submit and reap. Its res. */
int32_t rig_do(struct rig *rig, bool queued, uint32_t slot);

/* Submit ptr[0 .. n), however often that takes, and reap them all into done[]. */
void rig_do_all(struct rig *rig, uint32_t n);

uint64_t rig_now(const struct rig *rig);
unsigned rig_open_descriptors(void);
