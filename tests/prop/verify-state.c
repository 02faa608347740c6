/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The state file against a model of a device with a cache that loses its power.  Workers write,
 * trim and sync in random order; what a write brings reaches the cache at some moment of
 * its flight, and the disk when a sync, or chance, wants it.  Then the power goes: of each unit
 * stays some version, from the last that was surely on the disk on.  What was told of it
 * is cut at a random place.
 *
 *   no false alarm: what stays is right
 *   if all was told, a version is right just when the rule says so */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/rng.h"
#include "law.h"
#include "verify/state.h"

#define BYTES    512
#define UNITS    16
#define WORKERS  3
#define VERSIONS 4096
#define START    UINT64_C(1000000000000)

/* What a write brings to one unit. */
struct version {
	struct unit_stamp stamp;
	bool trim, failed, ended, reached, synced, durable, lost;
	uint64_t end_ns;
};

struct flight {
	bool busy, trim, sync;
	uint64_t first, serial, begin_ns;
	uint32_t n;
	size_t version[UNITS];
	size_t ended_before[UNITS]; /* of a sync: versions surely on the disk  */
};

struct unit_model {
	struct version v[VERSIONS];
	size_t count;
	size_t order[VERSIONS]; /* as they reached the cache                  */
	size_t reached;
	size_t disk; /* of those, surely on the disk: any since may be */
};

static struct unit_model units[UNITS];
static struct flight flights[WORKERS];
static struct state_stream streams[WORKERS];
static uint8_t buffers[WORKERS][STATE_BUFFER];
static uint64_t now_ns, serials[WORKERS], written[WORKERS]; /* the last of all, of writes */
static struct unit_spec spec;
static bool trims;
static char path[64]; /* of a file in memory */

static void reach(struct unit_model *u, size_t version)
{
	if (u->v[version].reached)
		return;
	u->v[version].reached = true;
	u->order[u->reached++] = version;
}

static void begin(struct flight *f, uint32_t worker, struct rng *rng)
{
	*f = (struct flight){.busy = true, .begin_ns = now_ns, .serial = ++serials[worker]};
	f->sync = rng_below(rng, 5) == 0;
	if (f->sync) {
		state_sync_begun(&streams[worker], now_ns,
			rng_below(rng, 2) ? 0 : STATE_ALL_TARGETS, f->serial);
		for (uint32_t i = 0; i < UNITS; i++)
			f->ended_before[i] = units[i].reached;
		return;
	}
	written[worker] = f->serial;
	f->n = 1 + (uint32_t)rng_below(rng, 4);
	f->first = rng_below(rng, UNITS - f->n + 1);
	f->trim = trims && rng_below(rng, 8) == 0;
	if (f->trim) {
		state_trim_begun(&streams[worker], now_ns, f->serial, 0, f->first, f->n);
		state_flush(&streams[worker]);
	} else {
		state_write_begun(&streams[worker], now_ns, f->serial, 0, f->first, f->n);
	}
	for (uint32_t k = 0; k < f->n; k++) {
		struct unit_model *u = &units[f->first + k];
		LAW(u->count < VERSIONS, "too many");
		f->version[k] = u->count;
		u->v[u->count++] = (struct version){.trim = f->trim,
			.stamp = {.offset = (f->first + k) * BYTES,
				.target = 5,
				.serial = f->serial,
				.time_ns = now_ns,
				.worker = worker,
				.generation = 1}};
	}
}

/* What ended before the sync began; but a sync that fails may lose what was written before. */
static void model_synced(const struct flight *f, bool failed)
{
	for (uint32_t i = 0; i < UNITS; i++) {
		for (size_t v = 0; v < units[i].count; v++) {
			struct version *x = &units[i].v[v];
			if (!x->ended || x->failed)
				continue;
			x->lost |= failed && !x->durable;
			x->synced |= !failed && x->end_ns < f->begin_ns;
		}
	}
}

static void end(struct flight *f, uint32_t worker, struct rng *rng)
{
	bool failed = rng_below(rng, 30) == 0, durable = rng_below(rng, 10) == 0;
	f->busy = false;
	if (f->sync) {
		state_sync_ended(&streams[worker], now_ns, f->serial, failed);
		for (uint32_t i = 0; i < UNITS && !failed; i++)
			units[i].disk = MAX_OF(units[i].disk, f->ended_before[i]);
		model_synced(f, failed);
		return;
	}
	state_write_ended(&streams[worker], now_ns, f->serial,
		failed    ? STATE_FAILED
		: durable ? STATE_DURABLE
			  : STATE_DONE);
	for (uint32_t k = 0; k < f->n; k++) {
		struct unit_model *u = &units[f->first + k];
		struct version *v = &u->v[f->version[k]];
		v->end_ns = now_ns;
		v->failed = failed;
		v->ended = true;
		v->durable = durable && !failed;
		v->synced = v->durable;
		if (failed)
			continue;
		reach(u, f->version[k]);
		for (size_t i = 0; durable && i < u->reached; i++)
			if (u->order[i] == f->version[k])
				u->disk = MAX_OF(u->disk, i + 1);
	}
}

/* Some of what is in flight reaches the cache. */
static void drift(struct flight *f, struct rng *rng)
{
	for (uint32_t k = 0; !f->sync && k < f->n; k++)
		if (rng_below(rng, 2))
			reach(&units[f->first + k], f->version[k]);
}

static void run(struct rng *rng, unsigned steps, unsigned flush_every)
{
	for (unsigned i = 0; i < steps; i++) {
		uint32_t worker = (uint32_t)rng_below(rng, WORKERS);
		struct flight *f = &flights[worker];
		now_ns += rng_below(rng, 5000);
		if (!f->busy)
			begin(f, worker, rng);
		else if (rng_below(rng, 2))
			drift(f, rng);
		else
			end(f, worker, rng);
		if (rng_below(rng, flush_every) == 0)
			state_flush(&streams[worker]);
	}
}

static void open_state(void)
{
	static const struct state_target target = {"/dev/x", 5, UNITS * BYTES, BYTES};
	static const uint32_t spec_of[WORKERS];
	const struct state_head head = {
		.run = spec.run,
		.start_ns = START,
		.atomic = BYTES,
		.targets = &target,
		.targets_count = 1,
		.specs = &spec,
		.specs_count = 1,
		.spec_of = spec_of,
		.workers_count = WORKERS,
	};
	int fd;
	struct err e = {0};
	LAW(state_create(path, &head, &fd, &e) == 0, "%s", e.text);
	for (uint32_t i = 0; i < WORKERS; i++) {
		state_stream_init(&streams[i], fd, i, buffers[i]);
		serials[i] = written[i] = 0;
	}
	memset(units, 0, sizeof(units));
	memset(flights, 0, sizeof(flights));
	now_ns = START;
}

/* Version V of a unit as it lies there; V == count: what was before, zeroes or not. */
static void content(const struct unit_model *u, size_t v, struct rng *rng, uint8_t *to)
{
	memset(to, 0, BYTES);
	if (v == u->count && rng_below(rng, 2))
		memset(to, 0xa5, BYTES);
	if (v < u->count && !u->v[v].trim)
		unit_stamp(&spec, &u->v[v].stamp, to, BYTES);
}

/* A version that may be there after the power is gone. */
static size_t survivor(const struct unit_model *u, struct rng *rng)
{
	const size_t choices = u->reached - u->disk + 1;
	const size_t pick = rng_below(rng, choices);
	if (u->disk == 0)
		return pick == 0 ? u->count : u->order[pick - 1];
	return u->order[u->disk - 1 + pick];
}

static uint64_t us(uint64_t ns)
{
	return (ns - START) / 1000;
}

static void check_right(const struct state *s, struct rng *rng)
{
	uint8_t buf[BYTES];
	for (uint64_t i = 0; i < UNITS; i++) {
		bool later;
		size_t v = survivor(&units[i], rng);
		content(&units[i], v, rng, buf);
		enum unit_verdict verdict = state_check(s, &spec, 0, i, buf, BYTES, &later);
		LAW(verdict == UNIT_RIGHT,
			"false alarm %d: unit %" PRIu64 ", version %zu of %zu, %zu on disk",
			verdict, i, v, units[i].count, units[i].disk);
	}
}

static void load(struct state **ret)
{
	struct err e = {0};
	LAW(state_load(path, false, ret, &e) == 0, "%s", e.text);
	LAW((*ret)->head.run == spec.run && (*ret)->head.targets_count == 1, "another head");
	LAW(!strcmp((*ret)->head.targets[0].name, "/dev/x"), "another target");
}

/* Only what was flushed is known.  The end of the file may be cut, but not of one with
 * trims, which must be there before they are issued. */
static void law_power_cut(struct rng *rng)
{
	struct state *s;
	struct err e;
	open_state();
	trims = rng_below(rng, 2);
	run(rng, 50 + (unsigned)rng_below(rng, 600), 1 + (unsigned)rng_below(rng, 50));
	off_t size = lseek(streams[0].fd, 0, SEEK_END), cut = (off_t)rng_below(rng, 400);
	close(streams[0].fd);
	if (!trims && size > cut) {
		LAW(truncate(path, size - cut) == 0, "truncate");
		if (state_load(path, false, &s, &e) < 0) {
			LAW(e.code == -EBADMSG && strstr(e.text, "head"), "%s", e.text);
			return;
		}
	} else {
		load(&s);
		LAW(s->tail_bytes == 0, "nothing was cut");
	}
	check_right(s, rng);
	state_free(s);
}

/* ---- all is told ---- */

/* The rule of docs/internals/verify.md, spelled out: the latest begin of what is known to be
 * synced, and the earliest of what did not end before it, in us and from 1 on; 0: nothing is
 * synced. */
static uint64_t naive_floor(const struct unit_model *u)
{
	uint64_t synced = 0, floor = UINT64_MAX;
	for (size_t v = 0; v < u->count; v++)
		if (u->v[v].synced && !u->v[v].lost)
			synced = MAX_OF(synced, us(u->v[v].stamp.time_ns) + 1);
	for (size_t v = 0; v < u->count && synced; v++)
		if (us(u->v[v].end_ns) + 1 >= synced)
			floor = MIN_OF(floor, us(u->v[v].stamp.time_ns) + 1);
	return synced ? floor : 0;
}

static void check_all(const struct state *s, struct rng *rng, unsigned seen[2])
{
	uint8_t buf[BYTES];
	for (uint64_t i = 0; i < UNITS; i++) {
		const struct unit_model *u = &units[i];
		const uint64_t floor = naive_floor(u);
		struct unit_expect e;
		if (!state_expect(s, 0, i, &e))
			continue;
		for (size_t v = 0; v < u->count; v++) {
			const struct version *x = &u->v[v];
			if (x->trim)
				continue;
			content(u, v, rng, buf);
			bool right = unit_check(&spec, &e, buf, BYTES) == UNIT_RIGHT;
			LAW(right == (us(x->stamp.time_ns) + 1 >= floor),
				"unit %" PRIu64 ", version %zu of %zu is %s", i, v, u->count,
				right ? "right" : "wrong");
			seen[right]++;
		}
		content(u, u->count, rng, buf);
		LAW(floor == 0 || buf[0] == 0 ||
				unit_check(&spec, &e, buf, BYTES) != UNIT_RIGHT,
			"what was before may still be there");
		LAW(e.before_too == (floor == 0), "before");
	}
}

/* Who is asked for all that may be in a unit names what survives, among others. */
static void check_candidates(struct state *s, struct rng *rng)
{
	static struct unit_stamp stamps[VERSIONS];
	struct err err;
	uint64_t i = rng_below(rng, UNITS);
	uint32_t count;
	size_t v = survivor(&units[i], rng);
	bool found = v == units[i].count || units[i].v[v].trim;
	LAW(state_candidates(s, 0, i, stamps, VERSIONS, &count, &err) == 0, "%s", err.text);
	for (uint32_t k = 0; k < count && !found; k++)
		found = stamps[k].serial == units[i].v[v].stamp.serial &&
			stamps[k].worker == units[i].v[v].stamp.worker &&
			stamps[k].offset == i * BYTES && stamps[k].target == 5;
	LAW(found, "%u candidates, without the one that is there", count);
}

static void check_written(const struct state *s)
{
	uint64_t at = 0, first, n;
	bool heard[UNITS] = {0};
	while ((n = state_written(s, 0, at, 3, &first))) {
		LAW(n <= 3 && first >= at, "%" PRIu64 " at %" PRIu64, n, first);
		memset(heard + first, true, n);
		at = first + n;
	}
	for (uint64_t i = 0; i < UNITS; i++)
		LAW(heard[i] == (units[i].count > 0), "unit %" PRIu64, i);
}

static void law_all_told(struct rng *rng, unsigned seen[2])
{
	struct state *s;
	open_state();
	trims = rng_below(rng, 2);
	run(rng, 50 + (unsigned)rng_below(rng, 600), 1 + (unsigned)rng_below(rng, 50));
	for (uint32_t i = 0; i < WORKERS; i++) {
		if (flights[i].busy)
			end(&flights[i], i, rng);
		state_finish(&streams[i], now_ns);
		LAW(!streams[i].error, "error %d", streams[i].error);
	}
	close(streams[0].fd);
	load(&s);
	LAW(s->finished == WORKERS && !s->in_flight && !s->tail_bytes, "%u finished",
		s->finished);
	check_right(s, rng);
	check_all(s, rng, seen);
	check_candidates(s, rng);
	check_written(s);
	for (uint32_t i = 0; i < WORKERS; i++)
		LAW(state_is_later(s, i, written[i] + 1) && !state_is_later(s, i, written[i]),
			"later");
	state_free(s);
}

int main(void)
{
	struct rng rng;
	unsigned seen[2] = {0};
	rng_init(&rng, law_seed());
	spec = (struct unit_spec){.kind = UNIT_CHECKSUM,
		.checksum = CHECKSUM_CRC32C,
		.bytes = BYTES,
		.run = rng_next(&rng)};
	int fd = memfd_create("state", MFD_CLOEXEC);
	LAW(fd >= 0, "no file");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	for (unsigned i = 0; i < 1500; i++)
		law_power_cut(&rng);
	for (unsigned i = 0; i < 500; i++)
		law_all_told(&rng, seen);
	LAW(seen[0] > 1000 && seen[1] > 1000, "%u wrong, %u right", seen[0], seen[1]);
	close(fd);
	return 0;
}
