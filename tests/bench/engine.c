/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What an engine costs, in the barest loop there is: nanoseconds a request.
 *
 *	bench-engine [CHAIN [PATH]]
 *
 * Without arguments: null and trickle(null), performed and at several depths.
 * With a chain and a file (or block device) of at least 1 MiB: random 4 KiB reads
 * of its first part, direct where the engine can, for a second each. */
#include "base/bits.h"
#include "base/rng.h"
#include "tests/engine/rig.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK 4096u
#define SPAN  256u /* blocks that are read */

/* As a worker's: offsets differ, and the result is looked at. */
static void prepare(struct io *io, struct rng *dice, struct target *t)
{
	io->offset = rng_below(dice, SPAN) * BLOCK;
	io->bytes = BLOCK;
	io->kind = IO_READ;
	io->target = t;
}

static uint64_t settle(const struct io *io)
{
	if (io->res != (int32_t)BLOCK) {
		fprintf(stderr, "a read returned %d\n", io->res);
		exit(1);
	}
	return 1;
}

static uint64_t run_performed(struct rig *rig, struct rng *dice, uint64_t turns)
{
	uint64_t done = 0;

	for (uint64_t i = 0; i < turns; i++) {
		prepare(&rig->ios[0], dice, &rig->targets[0]);
		call_perform(rig->queue, &rig->ios[0]);
		done += settle(&rig->ios[0]);
	}
	return done;
}

/* The loop by itself, to be subtracted. */
static uint64_t run_nothing(struct rig *rig, struct rng *dice, uint64_t turns)
{
	for (uint64_t i = 0; i < turns; i++) {
		struct io *io = &rig->ios[i % rig->depth];
		prepare(io, dice, &rig->targets[0]);
		io->res = (int32_t)BLOCK;
		(void)settle(io);
	}
	return turns;
}

static uint64_t run_queued(struct rig *rig, struct rng *dice, uint64_t turns)
{
	struct io **idle = rig->ptr;
	uint32_t idle_count = rig->depth;
	uint64_t done = 0;

	/* The turns, and then until nothing is in flight. */
	for (uint64_t i = 0; i < turns || idle_count < rig->depth; i++) {
		const uint32_t fresh = i < turns ? idle_count : 0;
		for (uint32_t k = 0; k < fresh; k++)
			prepare(idle[k], dice, &rig->targets[0]);
		unsigned taken = fresh ? call_submit(rig->queue, idle, fresh) : 0;
		idle_count -= taken;
		memmove(idle, idle + taken, idle_count * sizeof(*idle));
		unsigned got = call_reap(rig->queue, rig->done, rig->depth, 1, UINT64_MAX);
		for (unsigned k = 0; k < got; k++) {
			idle[idle_count++] = rig->done[k];
			done += settle(rig->done[k]);
		}
	}
	return done;
}

struct way {
	const char *name;
	uint64_t (*run)(struct rig *rig, struct rng *dice, uint64_t turns);
};

static const struct way nothing = {"the loop", run_nothing};
static const struct way performed = {"performed", run_performed};
static const struct way queued = {"queued", run_queued};

/* Doubles the number of turns until they take long enough; the best of five. */
static void measure(const char *chain, const char *path, bool direct, uint32_t depth,
	const struct way *way, uint64_t least_ns)
{
	struct rig rig;
	struct rng dice;
	uint64_t turns = 64, took_ns, done;
	double best = 1e18;

	rig_open(&rig, &(struct rig_want){.chain = chain,
			       .path = path,
			       .dir = "/nowhere",
			       .depth = depth,
			       .block = BLOCK,
			       .read_only = true,
			       .direct = direct});
	rng_init(&dice, 1);
	for (int round = 0; round < 5;) {
		uint64_t start_ns = rig_now(&rig);
		done = way->run(&rig, &dice, turns);
		took_ns = rig_now(&rig) - start_ns;
		if (took_ns < least_ns && round == 0) {
			turns *= 2;
			continue;
		}
		best = MIN_OF(best, (double)took_ns / (double)done);
		round++;
	}
	printf("%-18s depth %3u %-10s %9.2f ns a request%s%s\n", chain, depth, way->name, best,
		rig.queue->used[0] ? "   " : "", rig.queue->used);
	rig_close(&rig);
}

static void measure_chain(const char *text, const char *path, uint64_t least_ns)
{
	static const uint32_t depths[] = {1, 4, 32, 128};
	struct engine_chain chain;
	struct err err;

	if (engine_chain_parse(text, &chain, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	const bool direct = path && engine_chain_base(&chain)->flags & ENGINE_DIRECT_OK &&
			    !getenv("BUFFERED");
	if (engine_chain_can_perform(&chain))
		measure(text, path, direct, 1, &performed, least_ns);
	for (size_t i = 0; i < COUNT_OF(depths) && engine_chain_can_queue(&chain); i++)
		measure(text, path, direct, depths[i], &queued, least_ns);
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		measure_chain(argv[1], argc > 2 ? argv[2] : NULL, 100 * NS_PER_MS);
		return 0;
	}
	measure("null", NULL, false, 32, &nothing, 20 * NS_PER_MS);
	measure_chain("null", NULL, 20 * NS_PER_MS);
	measure_chain("trickle(null)", NULL, 20 * NS_PER_MS);
	return 0;
}
