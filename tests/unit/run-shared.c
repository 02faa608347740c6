/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What workers share when their options say so: tables of overlaps, cells of a flow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/rng.h"
#include "run/source/flow.h"
#include "run/source/overlap.h"

#define DEPTH   8
#define WORKERS 3

/* Random requests of three workers on two targets: what is in flight never overlaps
 * when either changes data, and what is turned away always does. */
static void overlaps_are_found(void **state)
{
	struct overlap_list *lists[WORKERS];
	struct overlap_entry out[WORKERS][DEPTH];
	bool busy[WORKERS][DEPTH] = {{false}};
	struct overlap tables[WORKERS];
	struct overlap_lock lock = {0};
	unsigned taken = 0, refused = 0;
	struct rng rng;

	(void)state;
	rng_init(&rng, 20261130);
	for (int w = 0; w < WORKERS; w++) {
		lists[w] = calloc(1, overlap_list_bytes(DEPTH));
		lists[w]->room = DEPTH;
		tables[w] = (struct overlap){&lock, lists[w], lists, WORKERS};
	}
	for (int turn = 0; turn < 20000; turn++) {
		unsigned w = (unsigned)rng_below(&rng, WORKERS),
			 s = (unsigned)rng_below(&rng, DEPTH);
		if (busy[w][s]) {
			overlap_leave(&tables[w], s);
			busy[w][s] = false;
			continue;
		}
		uint64_t start = rng_below(&rng, 64) * 512;
		struct overlap_entry e = {start, start + 512 * (1 + rng_below(&rng, 8)),
			(uint32_t)rng_below(&rng, 2), s, rng_below(&rng, 2) != 0};
		bool hits = false;
		for (int i = 0; i < WORKERS; i++)
			for (int k = 0; k < DEPTH; k++)
				hits |= busy[i][k] && out[i][k].target == e.target &&
					MAX_OF(out[i][k].start, e.start) <
						MIN_OF(out[i][k].end, e.end) &&
					(out[i][k].changes || e.changes);
		assert_int_equal(overlap_enter(&tables[w], &e), !hits);
		taken += !hits;
		refused += hits;
		busy[w][s] = !hits;
		out[w][s] = e;
	}
	assert_true(taken > 1000 && refused > 1000);
	for (int w = 0; w < WORKERS; w++)
		free(lists[w]);
}

/* Members of weights 5, 2, 1 that ask in random order: never stuck, and after each
 * turn within one request per unit of weight of one another. */
static void flows_keep_step(void **state)
{
	struct flow_cell cells[3] = {{.weight = 5}, {.weight = 2}, {.weight = 1}};
	struct rng rng;

	(void)state;
	rng_init(&rng, 5);
	for (int i = 0; i < 3; i++) {
		struct flow_cell *others[2] = {&cells[(i + 1) % 3], &cells[(i + 2) % 3]};
		flow_join(&cells[i], others, 2);
	}
	for (int turn = 0; turn < 30000; turn++) {
		unsigned allowed = 0;
		int i = (int)rng_below(&rng, 3);
		struct flow_cell *others[2] = {&cells[(i + 1) % 3], &cells[(i + 2) % 3]};
		unsigned n = flow_allows(&cells[i], others, 2,
			1 + (unsigned)rng_below(&rng, 16));
		flow_gave(&cells[i], n);
		for (int k = 0; k < 3; k++) {
			struct flow_cell *rest[2] = {&cells[(k + 1) % 3], &cells[(k + 2) % 3]};
			allowed += flow_allows(&cells[k], rest, 2, 1);
			for (int j = 0; j < 3; j++)
				assert_true(cells[k].count * cells[j].weight <=
					    (cells[j].count + 1) * cells[k].weight +
						    cells[j].weight);
		}
		assert_true(allowed > 0);
	}
	assert_true(cells[2].count > 1000);
	/* Who leaves is waited for no more; who joins later begins where the others are. */
	flow_leave(&cells[2]);
	flow_leave(&cells[1]);
	struct flow_cell *others[2] = {&cells[1], &cells[2]};
	assert_int_equal(flow_allows(&cells[0], others, 2, 1000), 1000);
	struct flow_cell *old[2] = {&cells[0], &cells[1]};
	flow_join(&cells[2], old, 2);
	assert_int_equal(cells[2].count, cells[0].count / 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(overlaps_are_found),
		cmocka_unit_test(flows_keep_step),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
