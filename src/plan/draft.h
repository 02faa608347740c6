/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A plan in the making; private to plan/.
 *
 *	crew_muster()            workers, groups, waves, rows: who there is
 *	part->prepare            once a part
 *	for each worker          rules and derivation of each part, in plan.c's order
 *	verify_units(), ...      what only all workers together decide
 *	targets_keep(), cost_estimate()
 *
 *
 * The plan is made of parts.  A part is one file: the struct of its option
 * values, its option rows, the rules about them, and the derivation of its share
 * of struct plan_worker.  plan.c walks the workers in order and, for each, the
 * parts in order; a part may read what the parts before it have derived for the
 * worker, and nothing but its own option block. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job/job.h"
#include "plan/plan.h"
#include "trace/names.h"

struct draft;
struct err;
struct str;
struct targets;

/* An error ends planning.  A warning is said, and ends it with --warnings-fatal; a note is
 * only said. */
enum rule_weight {
	RULE_ERROR,
	RULE_WARNING,
	RULE_NOTE,
};

/* "If this and that, then this message."  Asked once a job, for its first
 * worker, just before the part derives. */
struct rule {
	const char *option; /* the one the message points at (canonical name) */
	enum rule_weight weight;
	/* True when the rule is broken; WHY then gets the sentence: what is wrong
	 * and what to do.  BLOCK is the part's option block. */
	bool (*broken)(const struct draft *d, const struct plan_worker *w, const void *block,
		struct str *why);
};

/* const, at the end of its file; plan.c has them in order. */
struct part {
	const struct opt_group *group;
	const struct rule *rules;
	size_t rules_count;
	/* Once, before the first worker; optional. */
	int (*prepare)(struct draft *d, struct err *reterr);
	/* This part's share of W.  W's job, index, clone and group are
	 * there, and so is what earlier parts derived. */
	int (*derive)(struct draft *d, struct plan_worker *w, const void *block,
		struct err *reterr);
};

extern const struct part place_part, process_part, end_part, time_part, block_part,
	pattern_part, queue_part, memory_part, files_part, size_part, open_part, layout_part,
	rate_part, sync_part, data_part, latency_part, measure_part, steady_part, flow_part,
	log_part, replay_part, zones_part, verify_part, verify_state_part;

/* One planning; one thread.  Its heap memory goes when plan_make() returns, what the plan
 * keeps is in d->plan->arena. */
struct draft {
	struct plan *plan;
	const struct plan_facts *facts;
	struct targets *targets;

	uint32_t *first_worker;     /* per job: index of its first clone         */
	const struct job **by_name; /* jobs sorted by name, for wait_for     */
	bool exitall;               /* some job said so: it holds for all        */

	struct trace_names iologs; /* names of write_iolog ...                        */
	struct draft_iolog {
		const struct job *job; /* ... and who said it first                  */
		uint32_t workers;      /* so far                                      */
	} * iologs_by;
	uint32_t iologs_room;
	const char *stdin_trace; /* where standard input was put; NULL: nobody read it */

	struct plan_note *notes;
	uint32_t notes_count;
};

/* Memory that the plan keeps; sets *reterr when there is none. */
void *draft_alloc(struct draft *d, size_t count, size_t size, struct err *reterr);

/* Something to be said about all clones of W's job, word for word. */
int draft_note(struct draft *d, const struct plan_worker *w, bool warning, const char *text,
	struct err *reterr);

/* The same with its place: "FILE:LINE: [NAME] OPTION: TEXT". */
int draft_remark(struct draft *d, const struct plan_worker *w, const char *option, bool warning,
	const char *text, struct err *reterr);

/* The first clone of W's job: derived in full when W is another. */
static inline struct plan_worker *draft_first(const struct draft *d,
	const struct plan_worker *w)
{
	return &d->plan->workers[d->first_worker[w->job - d->plan->jobs->jobs]];
}

/* How many clones W's job has. */
uint32_t draft_clones(const struct draft *d, const struct plan_worker *w);

/* Rules are asked, and things said, once for all clones: with the first. */
static inline bool draft_is_first(const struct draft *d, const struct plan_worker *w)
{
	return draft_first(d, w) == w;
}

/* ---- crew.c: the workers, their groups, waves and rows ---- */

/* Makes plan->workers (index, clone, job, name, group, wave, row, thread), rows
 * and the counts. */
int crew_muster(struct draft *d, struct err *reterr);

/* ---- pattern.c ---- */

/* What a seed is for; a stream a purpose, so that none repeats another. */
enum seed_stream {
	SEED_PATTERN,
	SEED_DATA,
	SEED_DELAY,
	SEED_FILESIZE,
	SEED_PRIORITY = 64, /* far from the others: what they draw stays as it is */
	SEED_ARRIVAL = SEED_FILESIZE + 1, /* + direction: keep last */
};

/* From the job's base seed (fixed, randseed=, or the machine's entropy), the
 * worker's number in the run and the stream. */
uint64_t draft_seed(const struct draft *d, const struct plan_worker *w, unsigned stream);

/* Does it change what is there? */
static inline bool pattern_writes(const struct pattern_spec *p)
{
	return p->use[DIR_WRITE] || p->use[DIR_TRIM];
}

/* ---- block.c ---- */

/* Smallest and largest request over the directions that the worker uses. */
uint32_t block_min(const struct pattern_spec *p);
uint32_t block_max(const struct pattern_spec *p);

/* bs_is_seq_rand: the sizes of W's pattern by what its offsets are, now that this is
 * known.  Nothing without the option. */
int block_by_order(struct draft *d, struct plan_worker *w, struct err *reterr);
/* ---- replay.c: what a trace decides for the parts after it ---- */

/* Is W a replay?  Then parts about patterns, sizes and rates leave it alone. */
static inline bool replay_on(const struct plan_worker *w)
{
	return w->replay.inputs_count > 0;
}

/* Targets instead of those of filename and nrfiles. */
int replay_files(struct draft *d, struct plan_worker *w, struct err *reterr);

/* Regions, sizes of targets and the amount instead of those of size, loops, ... */
int replay_sizes(struct draft *d, struct plan_worker *w, uint32_t loops, struct err *reterr);

/* Is all of it in blocks of GRANULE bytes, for direct I/O on T? */
int replay_check_direct(const struct plan_worker *w, const struct plan_target *t,
	uint32_t granule, struct err *reterr);

/* ---- priority.c: after measure ---- */

/* W's priorities by the cmdprio options of its engine.  0 or a negative errno. */
int priority_derive(struct draft *d, struct plan_worker *w, struct err *reterr);

/* ---- corpus.c: files of which cuttings are written ---- */

/* PATH, mapped once for all jobs. */
int corpus_open(struct draft *d, const char *path, const struct plan_corpus **ret,
	struct err *reterr);
/* What is wrong with PATH: a sentence; false: nothing. */
bool corpus_unusable(const char *path, struct str *why);
void corpora_close(const struct plan *plan);

/* ---- queue.c ---- */

/* enum engine_flags of the engine that does W's work. */
static inline unsigned queue_flags(const struct plan_worker *w)
{
	return engine_chain_base(&w->queue.chain)->flags;
}

/* Buffers for the worker's largest request, aligned to GRANULE. */
void queue_size_buffers(struct plan_worker *w, uint32_t granule);

/* ---- targets.c: the table of targets, unique by path ---- */

/* A hash table by path: looking each up is what makes a plan of a million files quick.  NULL
 * without memory; targets_free() accepts that. */
struct targets *targets_new(void);
void targets_free(struct targets *t);

/* Index of the target at PATH (kept by the caller's arena), made when new.  LOOK:
 * find out what is there, unless that was done.  Negative errno on failure. */
int64_t targets_add(struct targets *t, const char *path, bool look,
	const struct plan_facts *facts);

/* Valid until the next targets_add(). */
struct plan_target *targets_at(const struct targets *t, uint32_t index);

/* Hand the table over to the plan. */
int targets_keep(const struct targets *t, struct plan *plan, struct err *reterr);

/* ---- log_iolog.c ---- */

/* The file of write_iolog=NAME for W: its own, whoever else says the same name. */
int log_iolog_path(struct draft *d, struct plan_worker *w, const char *name,
	struct err *reterr);

/* ---- verify.c, verify_units.c ---- */

/* The smallest unit that verify_interval may ask for. */
#define VERIFY_INTERVAL_MIN 96

/* verify_interval of W's job; 0: not given. */
uint32_t verify_interval(const struct plan_worker *w);

/* When all workers are derived: the units of each target, by all that write it, and who
 * can't write beside whom. */
int verify_units(struct draft *d, struct err *reterr);

/* After that: which targets of their states are read back, and where states are told. */
int verify_states(struct draft *d, struct err *reterr);

/* Sets map_bytes of PLAN, whose workers and targets are complete; memory has pages of so
 * many bytes. */
void verify_map_cost(struct plan *plan, uint64_t page_bytes);

/* "verify" and "state" of --plan; nothing where W has none. */
void show_verify(const struct plan_worker *w, struct json *out);
void show_verify_state(const struct plan_worker *w, struct json *out);

/* ---- cost.c: what the plan needs ---- */

/* Sets memory_bytes, descriptors and seconds_max; memory has pages of so many bytes. */
int cost_estimate(struct plan *plan, uint64_t page_bytes, struct err *reterr);

/* ---- show_replay.c ---- */

/* "replay" of --plan; nothing where W is none. */
void show_replay(const struct plan_worker *w, struct json *out);

/* ---- show_process.c: rare members of the plan ---- */

/* A list of node numbers; nothing where there are none.  The others: members of the open
 * object. */
void show_nodes(struct json *out, const char *key, uint64_t nodes);
const char *show_numa_mode(int mode);
void show_open_more(const struct plan_worker *w, struct json *out);
void show_priority(const struct plan_worker *w, struct json *out);
void show_process(const struct plan_worker *w, struct json *out);
