/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The delay shim tells the truth: its list against what the script asked for and
 * against what the caller measured.
 *
 * What must always hold, on any machine however busy:
 *	asked for <= delivered <= measured
 * and, in the middle of the distribution, that these three are close. */
#include "base/bits.h"
#include "base/rng.h"
#include "base/scope.h"
#include "engine/shim/delay_script.h"
#include "rig.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEPTH    8u
#define REQUESTS 400u
#define SEED     77

struct seen {
	uint64_t submit_ns, done_ns; /* by the caller's stamps */
};

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static uint64_t median(uint64_t *v, size_t n)
{
	qsort(v, n, sizeof(*v), by_value);
	return v[n / 2];
}

static void measure_performed(struct rig *rig, struct seen *seen)
{
	for (unsigned i = 0; i < REQUESTS; i++) {
		rig_io(rig, 0, IO_READ, 0, i * 4096u, 4096);
		seen[i].submit_ns = rig_now(rig);
		call_perform(rig->queue, &rig->ios[0]);
		seen[i].done_ns = rig_now(rig);
	}
}

/* In order of completion, as the shim's list is; one at a time is handed back so
 * that each has a stamp of its own. */
static void measure_queued(struct rig *rig, struct seen *seen, uint64_t *order)
{
	uint64_t submit_ns[DEPTH];
	uint64_t number[DEPTH];
	unsigned issued = 0, reaped = 0;

	while (reaped < REQUESTS) {
		for (; issued < REQUESTS && issued - reaped < DEPTH; issued++) {
			struct io *io = rig->ptr[issued - reaped];
			rig_io(rig, io->slot, IO_READ, 0, issued * 4096u, 4096);
			submit_ns[io->slot] = rig_now(rig);
			number[io->slot] = issued;
			CHECK(call_submit(rig->queue, &io, 1) == 1, "submit");
		}
		struct io *done;
		unsigned got = call_reap(rig->queue, &done, 1, 1, UINT64_MAX);
		CHECK(got == 1, "got %u", got);
		seen[reaped].done_ns = rig_now(rig);
		seen[reaped].submit_ns = submit_ns[done->slot];
		order[reaped] = number[done->slot];
		reaped++;
		/* Its pointer goes behind those in flight, to be used next. */
		for (unsigned i = 0; i + 1 < DEPTH; i++)
			if (rig->ptr[i] == done) {
				memmove(&rig->ptr[i], &rig->ptr[i + 1],
					(DEPTH - 1 - i) * sizeof(*rig->ptr));
				break;
			}
		rig->ptr[DEPTH - 1] = done;
	}
}

/* The draws that the shim makes, request by request. */
static void draw_again(const char *script, uint64_t *asked)
{
	struct delay_script parsed;
	struct rng dice;
	struct err err = {0};

	CHECK(delay_script_parse(script, &parsed, &err) == 0, "%s", err.text);
	rng_init(&dice, SEED);
	for (unsigned i = 0; i < REQUESTS; i++)
		asked[i] = delay_draw(&parsed.shape[DIR_READ], &dice);
}

static void compare(const char *what, const char *path, const struct seen *seen,
	const uint64_t *asked, const uint64_t *order)
{
	scope_file FILE *f = fopen(path, "re");
	uint64_t late[REQUESTS], unseen[REQUESTS];
	unsigned i = 0;
	uint64_t submit_ns, done_ns, delivered_ns;

	while (f && i < REQUESTS &&
		fscanf(f, "%" SCNu64 " %" SCNu64 " %" SCNu64, &submit_ns, &done_ns,
			&delivered_ns) == 3) {
		const uint64_t measured_ns = seen[i].done_ns - seen[i].submit_ns;
		const uint64_t asked_ns = asked[order ? order[i] : i];
		CHECK(delivered_ns == done_ns - submit_ns, "line %u", i);
		CHECK(delivered_ns >= asked_ns, "%s, %u: asked %" PRIu64 ", delivered %" PRIu64,
			what, i, asked_ns, delivered_ns);
		CHECK(submit_ns >= seen[i].submit_ns && done_ns <= seen[i].done_ns,
			"%s, %u: delivered %" PRIu64 ", measured %" PRIu64, what, i,
			delivered_ns, measured_ns);
		late[i] = delivered_ns - asked_ns;
		unseen[i] = measured_ns - delivered_ns;
		i++;
	}
	CHECK(i == REQUESTS, "%s: %u lines in %s", what, i, path);
	if (i != REQUESTS)
		return;
	const uint64_t late_ns = median(late, i), unseen_ns = median(unseen, i);
	printf("%-44s late by %6.2f us (p99 %8.2f), measured beyond it %5.2f us\n", what,
		(double)late_ns / 1e3, (double)late[i * 99 / 100] / 1e3,
		(double)unseen_ns / 1e3);
	CHECK(late_ns < 50 * NS_PER_US, "%s: median lateness", what);
	CHECK(unseen_ns < 10 * NS_PER_US, "%s: the caller sees another latency", what);
}

static void try(const char *chain, const char *script, bool queued)
{
	char path[128], text[160], record[160], what[128];
	const char *const opts[] = {text, record, NULL};
	struct seen seen[REQUESTS];
	uint64_t asked[REQUESTS], order[REQUESTS];
	struct rig rig;

	snprintf(path, sizeof(path), "/var/tmp/weir-delay-truth.%d", (int)getpid());
	snprintf(text, sizeof(text), "delay_script=%s", script);
	snprintf(record, sizeof(record), "delay_record=%s", path);
	snprintf(what, sizeof(what), "%s %s%s", chain, script, queued ? ", queued" : "");
	unlink(path);
	rig_open(&rig, &(struct rig_want){.chain = chain,
			       .dir = "/var/tmp",
			       .depth = DEPTH,
			       .block = 4096,
			       .bytes = 4096,
			       .seed = SEED,
			       .opts = opts});
	if (queued)
		measure_queued(&rig, seen, order);
	else
		measure_performed(&rig, seen);
	rig_close(&rig);
	draw_again(script, asked);
	compare(what, path, seen, asked, queued ? order : NULL);
	unlink(path);
}

int main(void)
{
	static const char *const scripts[] = {
		"const:200us",
		"bimodal:100us/90:3ms/10",
		"tail:pareto:100us:1.5:20ms",
		"tail:lognormal:150us:1:20ms",
		"read@uniform:50us:400us,write@const:1s",
	};

	for (size_t i = 0; i < COUNT_OF(scripts); i++) {
		try("delay(null)", scripts[i], false);
		try("delay(null)", scripts[i], true);
	}
	return rig_failures ? 1 : 0;
}
