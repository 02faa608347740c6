/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What verification costs: GB/s of each checksum, for pieces of 4 KiB and of 1 MiB; ns for what
 * happens around a write and a read of 4 KiB.  As in gen.c, the best of many short
 * rounds of CPU time is what counts. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/bits.h"
#include "verify/cells.h"
#include "verify/unit.h"

#define ROUNDS 101
#define BLOCK  4096
#define BLOCKS 64
#define LARGE  (1 << 20)

static _Alignas(4096) uint8_t memory[LARGE];

static uint64_t cpu_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

static double best_of(void (*round)(void *ctx), void *ctx)
{
	double best = 1e18;
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t start = cpu_ns();
		round(ctx);
		best = MIN_OF(best, (double)(cpu_ns() - start));
	}
	return best;
}

/* ---- checksums ---- */

struct sum_bench {
	enum checksum_kind kind;
	size_t piece;
	unsigned times;
};

static void sum_round(void *ctx)
{
	const struct sum_bench *b = ctx;
	uint8_t sum[CHECKSUM_MAX];
	for (unsigned i = 0; i < b->times; i++) {
		size_t at = i * b->piece % LARGE % (b->piece < LARGE ? BLOCKS * BLOCK : LARGE);
		checksum_make(b->kind, memory + at, b->piece, sum);
		__asm__ volatile("" : : "r"(sum) : "memory");
	}
}

static double sum_rate(enum checksum_kind kind, size_t piece)
{
	struct sum_bench b = {kind, piece, (unsigned)(LARGE / piece)};
	return LARGE / best_of(sum_round, &b);
}

static void bench_sums(void)
{
	printf("%-44s %8s %8s\n", "GB/s in pieces of", "4 KiB", "1 MiB");
	for (enum checksum_kind kind = 1; kind < CHECKSUM_KINDS; kind++) {
		if (checksum_missing(kind))
			printf("%-44s built without %s\n", checksum_name(kind),
				checksum_missing(kind));
		else
			printf("%-44s %8.2f %8.2f\n", checksum_name(kind),
				sum_rate(kind, BLOCK), sum_rate(kind, LARGE));
	}
}

/* ---- units ---- */

struct unit_bench {
	struct unit_spec spec;
	struct unit_stamp stamp;
	struct data data;
	bool payload, stamped, checked;
};

static void unit_round(void *ctx)
{
	struct unit_bench *b = ctx;
	for (uint64_t i = 0; i < BLOCKS; i++) {
		uint8_t *unit = memory + i * BLOCK;
		b->stamp.offset = i * BLOCK;
		const struct unit_expect e = {.offset = b->stamp.offset, .generation = 1};
		if (b->payload)
			unit_payload(&b->spec, &b->data, &b->stamp, unit, BLOCK);
		if (b->stamped)
			unit_stamp(&b->spec, &b->stamp, unit, BLOCK);
		if (b->checked && unit_check(&b->spec, &e, unit, BLOCK) != UNIT_RIGHT)
			abort();
	}
}

static void bench_unit(enum checksum_kind kind)
{
	struct unit_bench b = {
		.spec = {.kind = UNIT_CHECKSUM, .checksum = kind, .bytes = BLOCK, .run = 1},
		.stamp = {.generation = 1},
	};
	double ns[3];
	if (checksum_missing(kind))
		return;
	unit_data_init(&b.spec, &b.data, 0);
	b.payload = true;
	ns[0] = best_of(unit_round, &b) / BLOCKS;
	b.payload = false;
	b.stamped = true;
	ns[1] = best_of(unit_round, &b) / BLOCKS;
	b.stamped = false;
	b.checked = true;
	ns[2] = best_of(unit_round, &b) / BLOCKS;
	printf("%-32s %8.1f %8.1f %8.1f\n", checksum_name(kind), ns[0], ns[1], ns[2]);
}

/* ---- cells ---- */

static void cells_round(void *ctx)
{
	struct cells *c = ctx;
	uint8_t generation;
	for (uint64_t i = 0; i < BLOCKS; i++) {
		cells_begin(c, i, 1, false, &generation);
		cells_end(c, i, 1, false);
	}
}

static void expect_round(void *ctx)
{
	struct cells *c = ctx;
	struct unit_expect e;
	for (uint64_t i = 0; i < BLOCKS; i++) {
		uint64_t changes = cells_changes(c, i, 1);
		uint8_t was = cells_look(c, i);
		__asm__ volatile("" : : "r"(changes) : "memory");
		cells_expect(c, i, was, &e);
		__asm__ volatile("" : : "r"(&e) : "memory");
	}
}

static void find_round(void *ctx)
{
	struct cells *c = ctx;
	uint64_t at = 0, first, n;
	while ((n = cells_written(c, at, 1 << 20, &first)))
		at = first + n;
}

static void bench_cells(void)
{
	struct cells c;
	if (cells_open(&c, UINT64_C(1) << 28, BLOCK, false, NULL) < 0)
		return;
	printf("%-44s %8.1f\n", "cells_begin and cells_end of a write, ns",
		best_of(cells_round, &c) / BLOCKS);
	printf("%-44s %8.1f\n", "look and cells_expect of a read, ns",
		best_of(expect_round, &c) / BLOCKS);
	printf("%-44s %8.1f\n", "find 64 units of 1 TiB, us", best_of(find_round, &c) / 1000);
	cells_close(&c);
}

int main(void)
{
	bench_sums();
	printf("%-32s %8s %8s %8s\n", "ns a unit of 4 KiB", "payload", "stamp", "check");
	for (enum checksum_kind kind = 1; kind < CHECKSUM_KINDS; kind++)
		bench_unit(kind);
	bench_cells();
	return 0;
}
