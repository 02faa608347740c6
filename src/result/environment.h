/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The machine around a measurement, as it was found before the first job began: what
 * compare lists as different, and rules look at.  docs/guide/environment.md has its JSON.
 *
 * Each part is a struct of facts with a table of rows (base/fact.h); what wasn't found is
 * unknown.  Const once captured; a run's results share one. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/fact.h"
#include "sys/host.h"
#include "sys/stack.h"
#include "sys/survey.h"

/* sys/clock.h, as facts. */
struct clock_facts {
	const char *name, *why_not_tsc; /* weir's own clock                       */
	double stamp_cost_ns;
	double step_ns;   /* in which it goes                          */
	double error_ppm; /* how far two calibrations were apart    */
};

/* A file, device or folder that is measured. */
struct target_facts {
	const char *path;
	const char *kind;   /* "file", "block device", "directory", "missing", ... */
	const char *folder; /* of a missing one: the nearest folder that is there  */
	uint64_t size_bytes, allocated_bytes;
	uint64_t extents; /* and how its bytes are divided (sys/extents.h)       */
	uint64_t written_bytes, unwritten_bytes, hole_bytes, shared_bytes, encoded_bytes;
	uint64_t extents_complete; /* flag: no: it was not looked at to its end    */
	uint64_t direct_memory_align, direct_offset_align;
	const char *used_beside; /* what another partition of its disk is used for (doctor) */
	const char *used_by;     /* "is mounted on /mnt": weir won't write there (doctor) */
	const char *holds;       /* "ext4 file system": writing needs a consent (doctor)  */
	uint32_t on;             /* layer, or STACK_NOTHING; not among the rows         */
};

#define ENVIRONMENT_TARGETS 16 /* that are looked at; more are counted */

/* Counted: a run's interim and final results, and their merges, share one. */
struct environment {
	struct arena arena;
	uint32_t refs;
	bool masked; /* serial numbers and the host's name are not in it */
	struct host_facts host;
	struct clock_facts clock;
	struct cpu_facts cpu;
	struct memory_facts memory;
	struct group_facts group;
	struct load_facts load;
	struct limit_facts limits;
	struct stack stack;
	struct target_facts *targets;
	uint32_t targets_count, targets_more;
	struct survey_gap *gaps; /* what could not be read, and why */
	uint32_t gaps_count, gaps_more;
};

/* A part of the environment, or of a layer, by its key in JSON. */
struct environment_part {
	const char *key;
	const struct fact_table *table;
	size_t offset; /* of the struct in struct environment; of a pointer to one in
			* struct layer                                                  */
	size_t size;   /* of a layer's                                          */
};

#define ENVIRONMENT_PARTS 7
#define LAYER_PARTS       6
extern const struct environment_part environment_parts[ENVIRONMENT_PARTS];
extern const struct environment_part layer_parts[LAYER_PARTS];
extern const struct fact_table clock_table, target_table;

const void *environment_part_of(const struct environment *e, const struct environment_part *p);
const void *layer_part_of(const struct layer *l, const struct environment_part *p);

/* Nothing is known, one reference; NULL: out of memory. */
struct environment *environment_new(void);
struct environment *environment_keep(struct environment *e);
void environment_free(struct environment *e); /* takes one reference; NULL is fine */

/* Take serial numbers and the host's name out of it. 0 or -ENOMEM. */
int environment_mask(struct environment *e);

/* "ext4", "ACME 400 GB", "firmware 8EV1", "scheduler none" of the only target: what a
 * reader wants in a headline.  "" when there are several or nothing is known. */
const char *environment_headline(const struct environment *e, struct arena *a);
