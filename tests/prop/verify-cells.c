/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Cells against a model that knows everything: for each unit all writes with their
 * full numbers, and which of them may be what is there.  Several workers begin and end
 * writes, trims and reads in random order.  What a unit really holds is any that the model
 * allows, also during a write.
 *
 *   never a false failure: if a read may be judged, what may be there is expected
 *   seldom too much: what is expected beyond that is among the writes since none was in
 *   flight (and only while some overlapped)
 *   every write that may begin does begin, as documented */
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "base/bits.h"
#include "base/rng.h"
#include "law.h"
#include "verify/cells.h"

#define UNITS   24
#define WORKERS 6
#define SINCE   8 /* writes of a unit since none was in flight, at most */

struct write {
	uint8_t generation;
	bool trim, in_flight, maybe; /* may be what is there */
	uint64_t number;
};

struct model_unit {
	struct write w[SINCE]; /* since none was in flight               */
	unsigned count, flight;
	bool unknown;     /* a write failed                         */
	uint64_t changes; /* begun, ever                            */
};

struct op {
	bool busy, read, trim;
	uint64_t first;
	uint32_t n;
	uint64_t changes;
	uint8_t generation[UNITS], was[UNITS];
	uint64_t model_changes[UNITS];
	unsigned slot[UNITS];
};

static struct model_unit model[UNITS];
static struct op ops[WORKERS];
static struct cells cells;
static uint64_t number, judged, unjudged, refused, wider;

static bool model_admits(const struct model_unit *m, bool trim)
{
	if (!m->flight)
		return true;
	if (trim || cells.exclusive || m->unknown || m->flight == 2 || m->count == 4)
		return false;
	return !m->w[m->count - 1].trim;
}

static void model_begin(struct op *o, uint32_t k)
{
	struct model_unit *m = &model[o->first + k];
	if (!m->flight) {
		m->count = 0;
		m->unknown = false;
	}
	o->slot[k] = m->count;
	m->w[m->count++] = (struct write){.generation = o->generation[k],
		.trim = o->trim,
		.in_flight = true,
		.maybe = true,
		.number = ++number};
	m->flight++;
	m->changes++;
}

/* What was complete before this one began is covered now. */
static void model_end(struct op *o, uint32_t k, bool failed)
{
	struct model_unit *m = &model[o->first + k];
	m->w[o->slot[k]].in_flight = false;
	m->flight--;
	m->unknown |= failed;
}

static void begin_write(struct op *o, struct rng *rng)
{
	bool may = true;
	uint8_t before[UNITS];
	o->read = false;
	o->trim = rng_below(rng, 6) == 0;
	for (uint32_t k = 0; k < o->n; k++)
		may &= model_admits(&model[o->first + k], o->trim);
	memcpy(before, cells.cell, UNITS);
	o->busy = cells_begin(&cells, o->first, o->n, o->trim, o->generation);
	LAW(o->busy == may, "%s, the model says otherwise", o->busy ? "begun" : "refused");
	LAW(o->busy || !memcmp(before, cells.cell, UNITS), "refused, but changed");
	refused += !o->busy;
	for (uint32_t k = 0; o->busy && k < o->n; k++)
		model_begin(o, k);
}

static void begin_read(struct op *o)
{
	o->busy = o->read = true;
	o->changes = cells_changes(&cells, o->first, o->n);
	for (uint32_t k = 0; k < o->n; k++) {
		o->was[k] = cells_look(&cells, o->first + k);
		o->model_changes[k] = model[o->first + k].changes;
	}
}

static bool expected(const struct unit_expect *e, const struct write *w)
{
	if (e->zeroes || w->trim)
		return e->zeroes && w->trim;
	uint8_t g = e->generation;
	for (unsigned i = 0; i <= e->span;
		i++, g = g == 1 ? CELL_GENERATIONS : (uint8_t)(g - 1))
		if (g == w->generation)
			return true;
	return false;
}

static void end_read(struct op *o)
{
	bool same = cells_changes(&cells, o->first, o->n) == o->changes;
	for (uint32_t k = 0; k < o->n; k++) {
		const struct model_unit *m = &model[o->first + k];
		struct unit_expect e = {0};
		unsigned right = 0;
		LAW(!same || m->changes == o->model_changes[k], "changed, and not said");
		if (!cells_expect(&cells, o->first + k, o->was[k], &e)) {
			unjudged++;
			LAW(m->flight || m->unknown || !m->count ||
					m->changes != o->model_changes[k] ||
					o->was[k] != cells_look(&cells, o->first + k),
				"could be judged");
			continue;
		}
		LAW(!m->flight && !m->unknown && m->count, "can't be judged");
		if (!same)
			continue;
		judged++;
		LAW(e.offset == (o->first + k) * 512, "another offset");
		for (unsigned i = 0; i < m->count; i++) {
			LAW(expected(&e, &m->w[i]),
				"unit %" PRIu64 ": write %u of %u isn't expected", o->first + k,
				i, m->count);
			right++;
		}
		LAW(e.zeroes || e.span + 1u == right, "span %u for %u writes", e.span, right);
		wider += e.span > 0;
	}
}

static void end_op(struct op *o, struct rng *rng)
{
	o->busy = false;
	if (o->read) {
		end_read(o);
		return;
	}
	bool failed = rng_below(rng, 20) == 0;
	cells_end(&cells, o->first, o->n, failed);
	for (uint32_t k = 0; k < o->n; k++)
		model_end(o, k, failed);
}

static void law_model(struct rng *rng, bool exclusive, unsigned steps)
{
	memset(model, 0, sizeof(model));
	memset(ops, 0, sizeof(ops));
	judged = unjudged = refused = wider = 0;
	LAW(cells_open(&cells, UNITS, 512, exclusive, NULL) == 0, "no memory");
	for (unsigned i = 0; i < steps; i++) {
		struct op *o = &ops[rng_below(rng, WORKERS)];
		if (o->busy) {
			end_op(o, rng);
			continue;
		}
		o->n = 1 + (uint32_t)rng_below(rng, 4);
		o->first = rng_below(rng, UNITS - o->n + 1);
		if (rng_below(rng, 2))
			begin_read(o);
		else
			begin_write(o, rng);
	}
	LAW(judged > steps / 50 && refused && (exclusive || wider), "seldom judged");
	cells_close(&cells);
}

/* ---- what was written ---- */

static void law_written(struct rng *rng)
{
	static bool is[20000];
	const uint64_t count = 1 + rng_below(rng, sizeof(is));
	uint8_t generation[64];
	uint64_t at = 0, found = 0, all = 0;
	memset(is, 0, sizeof(is));
	LAW(cells_open(&cells, count, 4096, false, NULL) == 0, "no memory");
	for (unsigned i = 0; i < rng_below(rng, 60); i++) {
		uint32_t n = 1 + (uint32_t)rng_below(rng, 64);
		uint64_t first = rng_below(rng, count);
		n = (uint32_t)MIN_OF((uint64_t)n, count - first);
		cells_begin(&cells, first, n, false, generation);
		cells_end(&cells, first, n, false);
		memset(is + first, true, n);
	}
	for (uint64_t i = 0; i < count; i++)
		all += is[i];
	for (;;) {
		uint64_t first, max = 1 + rng_below(rng, 300);
		uint64_t n = cells_written(&cells, at, max, &first);
		if (!n)
			break;
		LAW(n <= max && first >= at && first + n <= count, "%" PRIu64 " at %" PRIu64, n,
			first);
		for (uint64_t i = at; i < first + n; i++)
			LAW(is[i] == (i >= first), "unit %" PRIu64, i);
		found += n;
		at = first + n;
	}
	LAW(found == all, "%" PRIu64 " of %" PRIu64 " found", found, all);
	cells_close(&cells);
}

/* ---- threads ---- */

#define THREADS     4
#define STEPS       20000
#define DISK_WRONG  0xff /* what a failed write leaves */
#define THREAD_MANY 8    /* units of a write, at most  */

/* A device with a word a unit: the generation that was written there, 0: zeroes. */
static uint8_t disk[UNITS];

struct stress {
	pthread_t thread;
	uint64_t seed, judged, wrong, written, refused;
};

static void stress_write(struct stress *t, struct rng *rng, uint64_t first, uint32_t n)
{
	uint8_t generation[THREAD_MANY];
	bool trim = rng_below(rng, 4) == 0, failed = rng_below(rng, 50) == 0;
	if (!cells_begin(&cells, first, n, trim, generation)) {
		t->refused++;
		return;
	}
	for (uint32_t k = 0; k < n; k++) {
		uint8_t value = failed ? DISK_WRONG : trim ? 0 : generation[k];
		__atomic_store_n(&disk[first + k], value, __ATOMIC_RELEASE);
		if (rng_below(rng, 64) == 0)
			sched_yield();
	}
	cells_end(&cells, first, n, failed);
	t->written++;
}

static void stress_read(struct stress *t, struct rng *rng, uint64_t first, uint32_t n)
{
	uint8_t was[THREAD_MANY], got[THREAD_MANY];
	uint64_t changes = cells_changes(&cells, first, n);
	for (uint32_t k = 0; k < n; k++)
		was[k] = cells_look(&cells, first + k);
	for (uint32_t k = 0; k < n; k++) {
		if (rng_below(rng, 32) == 0)
			sched_yield();
		got[k] = __atomic_load_n(&disk[first + k], __ATOMIC_ACQUIRE);
	}
	for (uint32_t k = 0; k < n; k++) {
		struct unit_expect e = {0};
		const struct write w = {.generation = got[k], .trim = !got[k]};
		if (!cells_expect(&cells, first + k, was[k], &e))
			continue;
		bool right = expected(&e, &w);
		t->judged++;
		t->wrong += !right && cells_changes(&cells, first, n) == changes;
	}
}

static void *stress_run(void *ctx)
{
	struct stress *t = ctx;
	struct rng rng;
	rng_init(&rng, t->seed);
	for (unsigned i = 0; i < STEPS; i++) {
		uint32_t n = 1 + (uint32_t)rng_below(&rng, THREAD_MANY);
		uint64_t first = rng_below(&rng, UNITS - n + 1);
		if (rng_below(&rng, 2))
			stress_write(t, &rng, first, n);
		else
			stress_read(t, &rng, first, n);
	}
	return NULL;
}

/* Nobody is wrong while it runs; at the end nothing is in flight, so a write of all begins, and
 * makes all right. */
static void law_threads(struct rng *rng, bool exclusive)
{
	static struct stress t[THREADS];
	struct stress end = {0};
	uint8_t generation[UNITS];
	uint64_t judged_all = 0, refused_all = 0;
	memset(disk, 0, sizeof(disk));
	LAW(cells_open(&cells, UNITS, 512, exclusive, NULL) == 0, "no memory");
	for (unsigned i = 0; i < THREADS; i++) {
		t[i] = (struct stress){.seed = rng_next(rng)};
		LAW(!pthread_create(&t[i].thread, NULL, stress_run, &t[i]), "no thread");
	}
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(t[i].thread, NULL);
		LAW(!t[i].wrong, "%" PRIu64 " false failures", t[i].wrong);
		judged_all += t[i].judged;
		refused_all += t[i].refused;
	}
	for (uint64_t at = 0; at + THREAD_MANY <= UNITS; at += THREAD_MANY)
		stress_read(&end, rng, at, THREAD_MANY);
	LAW(!end.wrong, "%" PRIu64 " false failures at the end", end.wrong);
	LAW(cells_begin(&cells, 0, UNITS, true, generation), "something is still in flight");
	cells_end(&cells, 0, UNITS, false);
	memset(disk, 0, sizeof(disk));
	stress_read(&end, rng, 0, THREAD_MANY);
	LAW(end.judged >= THREAD_MANY && !end.wrong, "not judged");
	LAW(judged_all && refused_all, "nothing happened");
	cells_close(&cells);
}

int main(void)
{
	struct rng rng;
	rng_init(&rng, law_seed());
	for (unsigned i = 0; i < 10; i++)
		law_threads(&rng, i % 2);
	for (unsigned i = 0; i < 40; i++) {
		law_model(&rng, i % 2, 20000);
		law_written(&rng);
	}
	return 0;
}
