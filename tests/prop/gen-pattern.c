/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Laws of pattern on random specs, held against a slow and obvious model: a map
 * of how often each byte was touched, and each direction's own position. */
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/rng.h"
#include "gen/state.h"
#include "law.h"

#define REGIONS    6
#define REGION_MAX (48 << 10)
#define REQUESTS   (REGIONS * REGION_MAX)

struct job {
	struct pattern_spec spec;
	struct pattern_region regions[REGIONS];
	struct size_split splits[DIRS][4];
	struct spread_zones zones;
	struct size_spec sequel;
	char text[300];
};

/* ---- random jobs ---- */

static uint32_t some_size(struct rng *rng)
{
	static const uint32_t sizes[] = {
		1, 7, 512, 512, 1000, 1024, 1024, 3072, 4096, 4096, 8192};
	return sizes[rng_below(rng, COUNT_OF(sizes))];
}

static void some_splits(struct job *job, unsigned d, struct rng *rng)
{
	uint32_t left = 100, n = 0;
	while (n < 3 && left > 1) {
		uint32_t weight = (uint32_t)rng_below(rng, left);
		job->splits[d][n++] = (struct size_split){some_size(rng), weight};
		left -= weight;
	}
	job->splits[d][n++] = (struct size_split){some_size(rng), left};
	job->spec.size[d] = (struct size_spec){.splits = job->splits[d], .splits_count = n};
}

static void some_sizes(struct job *job, struct rng *rng)
{
	uint64_t kind = rng_below(rng, 5);
	for (unsigned d = 0; d < DIRS; d++) {
		struct size_spec *size = &job->spec.size[d];
		if (kind <= 1 && d > 0) {
			*size = job->spec.size[0];
			continue;
		}
		if (kind == 4) {
			some_splits(job, d, rng);
			continue;
		}
		size->min = some_size(rng);
		size->max = size->min;
		if (kind == 3)
			size->max += (uint32_t)rng_below(rng, 4 * size->min);
		size->unaligned = kind == 3 && rng_below(rng, 2);
	}
}

static void some_regions(struct job *job, struct rng *rng)
{
	struct pattern_spec *s = &job->spec;
	s->regions = job->regions;
	s->regions_count = rng_below(rng, 2) ? 1 : 1 + (uint32_t)rng_below(rng, REGIONS);
	for (uint32_t i = 0; i < s->regions_count; i++) {
		uint64_t limit = UINT64_C(1) << rng_below(rng, 17);
		job->regions[i].start = rng_below(rng, 1 << 20);
		job->regions[i].bytes = MIN_OF(rng_below(rng, limit), (uint64_t)REGION_MAX);
	}
}

static void some_directions(struct pattern_spec *s, struct rng *rng)
{
	switch (rng_below(rng, 5)) {
	case 0:
		s->use[DIR_READ] = true;
		break;
	case 1:
		s->use[DIR_WRITE] = true;
		break;
	case 2:
		s->use[DIR_TRIM] = true;
		break;
	case 3:
		s->use[DIR_TRIM] = true;
		s->use[DIR_WRITE] = true;
		s->trim_then_write = true;
		break;
	case 4:
		s->use[DIR_READ] = true;
		s->use[DIR_WRITE] = true;
		s->read_percent = (uint32_t)rng_below(rng, 101);
		break;
	}
}

static void some_zones(struct spread_zones *z, struct rng *rng)
{
	uint32_t filled = 0;
	uint64_t end = 0;
	z->bytes = rng_below(rng, 2);
	z->count = 1 + (uint32_t)rng_below(rng, 5);
	for (uint32_t i = 0; i < z->count; i++) {
		uint32_t share = (uint32_t)rng_below(rng, 101 - filled);
		if (i + 1 == z->count)
			share = 100 - filled;
		memset(z->pick + filled, (int)i, share);
		filled += share;
		end += rng_below(rng, z->bytes ? 9000 : 101 - end);
		z->end[i] = end;
	}
}

static void some_spread(struct job *job, unsigned d, struct rng *rng)
{
	static const uint64_t sequence[] = {3, 0, 7, 100000, 1};
	struct spread_spec *spread = &job->spec.spread[d];
	spread->kind = (enum spread_kind)rng_below(rng, 6);
	spread->a = spread->kind == SPREAD_NORMAL ? 20 : 0.2 + rng_unit(rng) * 0.7;
	spread->center = rng_below(rng, 2) ? -1 : rng_unit(rng);
	spread->zones = &job->zones;
	spread->sequence = sequence;
	spread->sequence_count = 1 + (uint32_t)rng_below(rng, COUNT_OF(sequence));
	spread->sequence_moves = rng_below(rng, 2);
}

static uint32_t smallest_block(const struct pattern_spec *s);
static bool job_jumps(const struct pattern_spec *s);

/* Windows of one block at least. */
static void some_windows(struct job *job, struct rng *rng)
{
	struct pattern_spec *s = &job->spec;
	s->zone_size = 1 + rng_below(rng, 30000);
	s->zone_range = smallest_block(s) + rng_below(rng, 20000);
	s->zone_skip = rng_below(rng, 2) ? 0 : rng_below(rng, 20000);
}

static void some_order(struct job *job, struct rng *rng)
{
	struct pattern_spec *s = &job->spec;
	s->random = rng_below(rng, 4) > 0;
	s->coverage = rng_below(rng, 3) > 0;
	s->lfsr = rng_below(rng, 8) == 0;
	some_zones(&job->zones, rng);
	for (unsigned d = 0; d < DIRS; d++)
		s->spread[d] = (struct spread_spec){.center = -1};
	if (s->random && rng_below(rng, 3) == 0) {
		some_spread(job, 0, rng);
		for (unsigned d = 1; d < DIRS; d++)
			s->spread[d] = s->spread[0];
		if (rng_below(rng, 3) == 0)
			some_spread(job, DIR_WRITE, rng);
	}
	if (rng_below(rng, 5) == 0) {
		s->jump_every = (uint32_t)rng_below(rng, 6);
		s->jump_same = rng_below(rng, 2);
	}
	for (unsigned d = 0; d < DIRS && s->random && rng_below(rng, 6) == 0; d++)
		s->sequential_percent[d] = (uint32_t)rng_below(rng, 101);
	if (job_jumps(s) && rng_below(rng, 2)) {
		job->sequel.min = some_size(rng);
		job->sequel.max = job->sequel.min * (1 + (uint32_t)rng_below(rng, 2));
		s->sequel = &job->sequel;
	}
	if (!s->random && rng_below(rng, 3) == 0)
		s->stride = (int64_t)rng_below(rng, 20000) - 10000;
	for (unsigned d = 0; d < DIRS && rng_below(rng, 4) == 0; d++)
		s->align[d] = some_size(rng);
	if (rng_below(rng, 4) == 0)
		some_windows(job, rng);
}

static void some_job(struct job *job, struct rng *rng)
{
	struct pattern_spec *s = &job->spec;
	*job = (struct job){0};
	some_sizes(job, rng);
	some_regions(job, rng);
	some_directions(s, rng);
	some_order(job, rng);
	s->files = (enum pattern_files)rng_below(rng, 4);
	s->file_spread = (struct spread_spec){.kind = SPREAD_ZIPF, .a = 0.9, .center = -1};
	s->files_every = (uint32_t)rng_below(rng, 4);
	s->files_open = (uint32_t)rng_below(rng, s->regions_count + 1);
	s->seed = rng_next(rng);
	s->repeat = rng_below(rng, 2);
	snprintf(job->text, sizeof(job->text),
		"regions=%u first=%" PRIu64 " random=%d coverage=%d use=%d%d%d size=%u-%u/%u "
		"stride=%" PRId64
		" jump=%u spread=%d/%d files=%d/%u/%u sequential=%u/%u sequel=%u "
		"zones=%" PRIu64 "/%" PRIu64 "/%" PRIu64,
		s->regions_count, s->regions[0].bytes, s->random, s->coverage, s->use[0],
		s->use[1], s->use[2], s->size[0].min, s->size[0].max, s->size[0].splits_count,
		s->stride, s->jump_every, s->spread[0].kind, s->spread[1].kind, s->files,
		s->files_every, s->files_open, s->sequential_percent[0],
		s->sequential_percent[1], s->sequel ? s->sequel->min : 0, s->zone_size,
		s->zone_range, s->zone_skip);
}

/* ---- the model ---- */

static uint32_t size_limit(const struct size_spec *s, bool low)
{
	if (!s->splits_count)
		return low ? s->min : s->max;
	uint32_t limit = low ? UINT32_MAX : 0;
	for (uint32_t i = 0; i < s->splits_count; i++) {
		if (!s->splits[i].weight)
			continue;
		uint32_t bytes = s->splits[i].bytes;
		limit = low ? MIN_OF(limit, bytes) : MAX_OF(limit, bytes);
	}
	return limit;
}

static uint32_t smallest_block(const struct pattern_spec *s)
{
	uint32_t block = s->sequel ? s->sequel->min : UINT32_MAX;
	for (unsigned d = 0; d < DIRS; d++) {
		if (s->use[d] && !(s->trim_then_write && d == DIR_WRITE))
			block = MIN_OF(block, size_limit(&s->size[d], true));
	}
	return block;
}

static enum dir size_dir(const struct pattern_spec *s, enum dir dir)
{
	return s->trim_then_write ? DIR_TRIM : dir;
}

static bool spreads_files(const struct pattern_spec *s)
{
	return s->files == PATTERN_SPREAD_FILE && s->regions_count > 1;
}

/* Random offsets, some of which go on behind the last one. */
static bool job_jumps(const struct pattern_spec *s)
{
	bool jumps = s->jump_every > 1;
	for (unsigned d = 0; d < DIRS; d++)
		jumps |= s->use[d] && !(s->trim_then_write && d == DIR_WRITE) &&
			 s->sequential_percent[d];
	return s->random && jumps;
}

static bool job_skews(const struct pattern_spec *s)
{
	for (unsigned d = 0; d < DIRS; d++)
		if (s->use[d] && !(s->trim_then_write && d == DIR_WRITE) &&
			s->spread[d].kind != SPREAD_UNIFORM)
			return true;
	return false;
}

/* No byte twice before all are done: of a pass, a window's visit, a file's round. */
static bool job_covers_parts(const struct pattern_spec *s)
{
	if (!s->random)
		return !s->stride && !(s->use[DIR_READ] && s->use[DIR_WRITE]);
	return (s->coverage || s->lfsr) && !job_jumps(s) && !job_skews(s);
}

/* Every byte of every block once. */
static bool job_covers(const struct pattern_spec *s)
{
	return job_covers_parts(s) && !s->zone_size && !spreads_files(s);
}

static uint64_t whole_bytes(const struct pattern_spec *s, uint32_t file)
{
	uint64_t block = smallest_block(s);
	return s->regions[file].bytes / block * block;
}

/* Whole blocks of the window at AT. */
static uint64_t window_bytes(const struct pattern_spec *s, uint32_t file, uint64_t at)
{
	uint64_t block = smallest_block(s), bytes = s->regions[file].bytes;
	if (!s->zone_size)
		return bytes / block * block;
	return at < bytes ? MIN_OF(bytes - at, s->zone_range) / block * block : 0;
}

static void check_request(const struct job *job, const struct request *r)
{
	const struct pattern_spec *s = &job->spec;
	LAW(r->file < s->regions_count, "%s: file %u", job->text, r->file);
	LAW(r->dir < DIRS && s->use[r->dir], "%s: direction %d", job->text, r->dir);
	const struct pattern_region *g = &s->regions[r->file];
	uint64_t at = r->offset - g->start, window = 0;
	LAW(r->offset >= g->start, "%s: before the region", job->text);
	if (s->zone_size)
		window = at / (s->zone_range + s->zone_skip) * (s->zone_range + s->zone_skip);
	LAW(at - window + r->bytes <= window_bytes(s, r->file, window),
		"%s: %u bytes at %" PRIu64 " leave the region or window", job->text, r->bytes,
		at);
	uint32_t most = size_limit(&s->size[size_dir(s, r->dir)], false);
	if (s->sequel && job_jumps(s))
		most = MAX_OF(most, s->sequel->max / s->sequel->min * s->sequel->min);
	LAW(r->bytes && r->bytes <= most, "%s: %u bytes", job->text, r->bytes);

	if (s->random && !job_covers_parts(s) && !job_jumps(s)) {
		uint32_t align = s->align[size_dir(s, r->dir)];
		align = align ? align : size_limit(&s->size[size_dir(s, r->dir)], true);
		LAW((at - window) % align == 0, "%s: %" PRIu64 " is not aligned to %u",
			job->text, at, align);
	}
}

static uint16_t touched[REGIONS][REGION_MAX];

static void touch(const struct pattern_spec *s, const struct request *r)
{
	uint64_t at = r->offset - s->regions[r->file].start;
	for (uint32_t b = 0; b < r->bytes; b++)
		touched[r->file][at + b]++;
}

/* All bytes of a stretch equally often, but for one time. */
static void check_even(const struct job *job, uint32_t file, uint64_t from, uint64_t bytes)
{
	unsigned least = UINT16_MAX, most = 0;
	for (uint64_t b = from; b < from + bytes; b++) {
		least = MIN_OF(least, (unsigned)touched[file][b]);
		most = MAX_OF(most, (unsigned)touched[file][b]);
	}
	LAW(most <= least + 1,
		"%s: bytes of file %u from %" PRIu64 " are touched %u to %u times", job->text,
		file, from, least, most);
}

/* Windows come in order, each until it has got its bytes, and are covered. */
static void check_windows(const struct job *job, const struct request *all, size_t n)
{
	const struct pattern_spec *s = &job->spec;
	uint64_t at[REGIONS] = {0}, left[REGIONS];
	memset(touched, 0, sizeof(touched));
	for (uint32_t f = 0; f < s->regions_count; f++)
		left[f] = s->zone_size;
	for (size_t i = 0; i < n; i++) {
		const struct request *r = &all[i];
		uint32_t f = r->file;
		if (s->trim_then_write && r->dir == DIR_WRITE)
			continue;
		if (!left[f]) {
			if (job_covers_parts(s))
				check_even(job, f, at[f], window_bytes(s, f, at[f]));
			memset(touched[f], 0, sizeof(touched[f]));
			at[f] += s->zone_range + s->zone_skip;
			if (!window_bytes(s, f, at[f]))
				at[f] = 0;
			left[f] = s->zone_size;
		}
		uint64_t in = r->offset - s->regions[f].start;
		LAW(in >= at[f] && in < at[f] + s->zone_range,
			"%s: %" PRIu64 " is not in the window at %" PRIu64, job->text, in,
			at[f]);
		touch(s, r);
		left[f] -= MIN_OF(left[f], r->bytes * UINT64_C(1) << s->trim_then_write);
	}
}

/* A file that comes again is covered anew. */
static void check_rounds(const struct job *job, const struct request *all, size_t n)
{
	memset(touched, 0, sizeof(touched));
	for (size_t i = 0; i < n; i++)
		if (!(job->spec.trim_then_write && all[i].dir == DIR_WRITE))
			touch(&job->spec, &all[i]);
	for (uint32_t f = 0; f < job->spec.regions_count; f++)
		check_even(job, f, 0, whole_bytes(&job->spec, f));
}

/* Each whole block once, in whatever tiles; a trimwrite's writes repeat. */
static void check_coverage(const struct job *job, const struct request *all, size_t n)
{
	const struct pattern_spec *s = &job->spec;
	memset(touched, 0, sizeof(touched));
	for (size_t i = 0; i < n; i++)
		if (!(s->trim_then_write && all[i].dir == DIR_WRITE))
			touch(s, &all[i]);
	for (uint32_t f = 0; f < s->regions_count; f++) {
		uint64_t usable = whole_bytes(s, f);
		for (uint64_t b = 0; b < REGION_MAX; b++)
			LAW(touched[f][b] == (b < usable),
				"%s: file %u byte %" PRIu64 " %u times", job->text, f, b,
				touched[f][b]);
	}
}

static void check_sequential(const struct job *job, const struct request *all, size_t n)
{
	uint64_t position[REGIONS][DIRS] = {0};
	for (size_t i = 0; i < n; i++) {
		const struct request *r = &all[i];
		uint64_t *at = &position[r->file][r->dir];
		uint64_t start = job->spec.regions[r->file].start;
		LAW(r->offset == start + *at, "%s: request %zu not in sequence", job->text, i);
		*at += r->bytes;
	}
}

static void check_trim_write(const struct job *job, const struct request *all, size_t n)
{
	LAW(n % 2 == 0, "%s: a trim without its write", job->text);
	for (size_t i = 0; i < n; i += 2) {
		LAW(all[i].dir == DIR_TRIM && all[i + 1].dir == DIR_WRITE, "%s", job->text);
		LAW(all[i].offset == all[i + 1].offset && all[i].bytes == all[i + 1].bytes &&
				all[i].file == all[i + 1].file,
			"%s: written elsewhere", job->text);
	}
}

/* At any moment the reads are what they should be, give or take half a pack. */
static void check_mix(const struct job *job, const struct request *all, size_t n)
{
	double reads = 0, share = job->spec.read_percent / 100.0;
	for (size_t i = 0; i < n; i++) {
		reads += all[i].dir == DIR_READ;
		double want = share * (double)(i + 1);
		LAW(fabs(reads - want) <= 25, "%s: %g reads of %zu", job->text, reads, i + 1);
	}
}

static void check_files_open(const struct job *job, const struct request *all, size_t n)
{
	const struct pattern_spec *s = &job->spec;
	uint64_t left[REGIONS], block = smallest_block(s);
	bool used[REGIONS] = {false};
	uint32_t open = 0, most = s->files_open ? s->files_open : s->regions_count;
	if (s->files == PATTERN_SEQUENTIAL)
		most = 1;
	for (uint32_t f = 0; f < s->regions_count; f++)
		left[f] = s->regions[f].bytes / block * block;
	for (size_t i = 0; i < n; i++) {
		if (s->trim_then_write && all[i].dir == DIR_WRITE)
			continue;
		uint32_t f = all[i].file;
		open += !used[f];
		used[f] = true;
		LAW(open <= most, "%s: %u files open", job->text, open);
		left[f] -= all[i].bytes;
		open -= !left[f];
	}
}

static void check_pass(const struct job *job, const struct request *all, size_t n)
{
	const struct pattern_spec *s = &job->spec;
	uint64_t bytes = 0;
	for (size_t i = 0; i < n; i++) {
		check_request(job, &all[i]);
		bytes += all[i].bytes;
	}
	LAW(bytes == pattern_pass_bytes(s), "%s: %" PRIu64 " bytes of %" PRIu64, job->text,
		bytes, pattern_pass_bytes(s));
	if (job_covers(s))
		check_coverage(job, all, n);
	if (!s->random && !s->stride && !s->zone_size && !spreads_files(s))
		check_sequential(job, all, n);
	if (s->zone_size)
		check_windows(job, all, n);
	else if (spreads_files(s) && job_covers_parts(s))
		check_rounds(job, all, n);
	if (s->trim_then_write)
		check_trim_write(job, all, n);
	if (s->use[DIR_READ] && s->use[DIR_WRITE])
		check_mix(job, all, n);
	if (!spreads_files(s))
		check_files_open(job, all, n);
}

/* Is there an order to differ in?  A file smaller than a few of the largest requests
 * has next to none. */
static bool job_has_order(const struct pattern_spec *s, size_t n)
{
	uint64_t most = 1;
	for (unsigned d = 0; d < DIRS; d++)
		if (s->use[d])
			most = MAX_OF(most,
				(uint64_t)size_limit(&s->size[size_dir(s, d)], false));
	for (uint32_t f = 0; f < s->regions_count; f++)
		if (whole_bytes(s, f) / most > 50)
			return s->random && job_covers(s) && n > 200;
	return false;
}

/* ---- ways to run a pass; all must give the same requests ---- */

static size_t run_batches(struct pattern *p, struct request *out, struct rng *rng)
{
	size_t n = 0;
	for (;;) {
		unsigned want = 1 + (unsigned)rng_below(rng, 40);
		unsigned got = pattern_fill(p, out + n, want);
		n += got;
		LAW(n <= REQUESTS, "no end");
		if (got < want)
			break;
	}
	LAW(pattern_fill(p, out + n, 1) == 0, "it goes on after the end");
	return n;
}

static size_t run_slowly(struct pattern *p, struct request *out)
{
	size_t n = 0;
	bool trims = p->spec->trim_then_write;
	while (trims ? pattern_next_in(p, DIR_WRITE, out + n) : fill_any(p, out + n, 1) > 0)
		n++;
	return n;
}

static bool same_requests(const struct request *a, const struct request *b, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (a[i].offset != b[i].offset || a[i].bytes != b[i].bytes ||
			a[i].file != b[i].file || a[i].dir != b[i].dir)
			return false;
	}
	return true;
}

static struct pattern *must_new(struct arena *arena, const struct pattern_spec *spec)
{
	struct pattern *p = pattern_new(arena, spec, NULL);
	LAW(p, "no memory");
	return p;
}

static struct request *requests_new(struct arena *arena)
{
	struct request *all = arena_array(arena, REQUESTS * 2 + 64, sizeof(*all));
	LAW(all, "no memory");
	return all;
}

static void test_job(const struct job *job, struct request *a, struct request *b,
	struct rng *rng)
{
	struct arena arena = {0};
	struct pattern *quick = must_new(&arena, &job->spec);
	struct pattern *slow = must_new(&arena, &job->spec);
	size_t n = run_batches(quick, a, rng);
	check_pass(job, a, n);
	LAW(run_slowly(slow, b) == n && same_requests(a, b, n), "%s: quick fill differs",
		job->text);

	pattern_rewind(quick);
	pattern_rewind(slow);
	size_t m = run_batches(quick, b, rng);
	check_pass(job, b, m);
	if (job->spec.repeat)
		LAW(m == n && same_requests(a, b, n), "%s: not repeated", job->text);
	else if (job_has_order(&job->spec, n))
		LAW(m != n || !same_requests(a, b, n), "%s: repeated", job->text);
	LAW(run_slowly(slow, a) == m && same_requests(a, b, m), "%s: 2nd pass differs",
		job->text);
	arena_done(&arena);
}

/* Directions picked from outside: the same laws, but for the mix. */
static void test_picked(const struct job *job, struct request *all, struct rng *rng)
{
	struct arena arena = {0};
	struct pattern *p = must_new(&arena, &job->spec);
	uint64_t bytes = 0;
	size_t n = 0;
	bool over[DIRS] = {false};
	while (!over[0] || !over[1] || !over[2]) {
		enum dir dir = (enum dir)rng_below(rng, DIRS);
		if (!pattern_next_in(p, dir, &all[n])) {
			over[dir] = true;
			continue;
		}
		LAW(job->spec.trim_then_write || all[n].dir == dir, "%s: direction", job->text);
		check_request(job, &all[n]);
		bytes += all[n++].bytes;
	}
	LAW(bytes == pattern_pass_bytes(&job->spec), "%s: picked %" PRIu64, job->text, bytes);
	if (job_covers(&job->spec))
		check_coverage(job, all, n);
	arena_done(&arena);
}

/* An endless pattern never falls short, and each stretch of a pass is one. */
static void test_endless(struct job *job, struct request *all, struct request *before,
	struct rng *rng)
{
	struct arena arena = {0};
	job->spec.endless = true;
	job->spec.regions_count = 1;
	struct pattern *p = must_new(&arena, &job->spec);
	uint64_t pass_bytes = pattern_pass_bytes(&job->spec);
	for (unsigned pass = 0; pass < 3 && pass_bytes; pass++) {
		uint64_t bytes = 0;
		size_t n = 0;
		while (bytes < pass_bytes) {
			uint64_t most = (pass_bytes - bytes) / REGION_MAX + 1;
			unsigned want = 1 + (unsigned)rng_below(rng, MIN_OF(most, UINT64_C(8)));
			unsigned got = pattern_fill(p, all + n, want);
			LAW(got == want, "%s: endless ends", job->text);
			for (; got; got--)
				bytes += all[n++].bytes;
		}
		LAW(bytes == pass_bytes, "%s: a request over the wrap", job->text);
		check_pass(job, all, n);
		if (pass && job_has_order(&job->spec, n))
			LAW(!same_requests(all, before, n), "%s: the wrap repeats", job->text);
		memcpy(before, all, n * sizeof(*all));
	}
	if (!pass_bytes)
		LAW(pattern_fill(p, all, 8) == 0, "%s: something from nothing", job->text);
	arena_done(&arena);
}

/* Sizes by count are as asked where nothing has to be tiled. */
static void test_split_weights(void)
{
	static const struct size_split splits[] = {
		{4096, 10}, {65536, 50}, {32768, 0}, {8192, 40}};
	const struct pattern_region region = {.bytes = UINT64_C(8) << 30};
	struct pattern_spec spec = {
		.regions = &region,
		.regions_count = 1,
		.random = true,
		.use = {[DIR_WRITE] = true},
		.size = {[DIR_WRITE] = {.splits = splits, .splits_count = COUNT_OF(splits)}},
		.seed = 1,
	};
	double seen[COUNT_OF(splits)] = {0}, expected[COUNT_OF(splits)], total = 0;
	struct arena arena = {0};
	struct pattern *p = must_new(&arena, &spec);
	for (struct request r; pattern_fill(p, &r, 1); total++) {
		for (unsigned i = 0; i < COUNT_OF(splits); i++)
			seen[i] += r.bytes == splits[i].bytes;
	}
	for (unsigned i = 0; i < COUNT_OF(splits); i++)
		expected[i] = total * splits[i].weight / 100;
	double z = law_chi_square(seen, expected, COUNT_OF(splits));
	LAW(z < 4 && seen[2] == 0, "bssplit by count: %.1f sigma", z);
	arena_done(&arena);
}

/* Free draws are uniform, the last block of the region included. */
static void test_uniform(uint32_t align, uint64_t positions)
{
	const struct pattern_region region = {.start = 77, .bytes = 4096 * 100};
	struct pattern_spec spec = {
		.regions = &region,
		.regions_count = 1,
		.random = true,
		.endless = true,
		.use = {[DIR_READ] = true},
		.size = {[DIR_READ] = {.min = 4096, .max = 4096}},
		.align = {align},
		.seed = 1,
	};
	double seen[800] = {0}, expected[800];
	struct arena arena = {0};
	struct pattern *p = must_new(&arena, &spec);
	for (unsigned i = 0; i < 100000; i++) {
		struct request r;
		pattern_fill(p, &r, 1);
		seen[(r.offset - 77) / align]++;
	}
	for (unsigned i = 0; i < positions; i++)
		expected[i] = 100000.0 / (double)positions;
	double z = law_chi_square(seen, expected, positions);
	LAW(z < 4, "aligned to %u: %.1f sigma", align, z);
	arena_done(&arena);
}

/* Set-up and memory of very many files: some bytes each, no quadratic step. */
static void test_many_files(void)
{
	enum { COUNT = 200000 };
	struct pattern_region *regions = calloc(COUNT, sizeof(*regions));
	LAW(regions, "no memory");
	for (unsigned i = 0; i < COUNT; i++)
		regions[i].bytes = 8192;
	struct pattern_spec spec = {
		.regions = regions,
		.regions_count = COUNT,
		.random = true,
		.coverage = true,
		.use = {[DIR_READ] = true},
		.size = {[DIR_READ] = {.min = 4096, .max = 8192}},
		.file_spread = {.kind = SPREAD_PARETO, .a = 0.2, .center = -1},
	};
	for (spec.files = 0; spec.files <= PATTERN_SPREAD_FILE; spec.files++) {
		struct arena arena = {0};
		struct pattern *p = must_new(&arena, &spec);
		uint64_t bytes = 0;
		for (struct request r; pattern_fill(p, &r, 1);)
			bytes += r.bytes;
		LAW(bytes == COUNT * UINT64_C(8192), "%" PRIu64 " bytes", bytes);
		LAW(arena.used < COUNT * 58, "%zu bytes a file", arena.used / COUNT);
		arena_done(&arena);
	}
	free(regions);
}

int main(void)
{
	struct arena arena = {0};
	struct rng rng;
	rng_init(&rng, law_seed());
	struct request *a = requests_new(&arena), *b = requests_new(&arena);
	for (unsigned i = 0; i < 1500; i++) {
		struct job job;
		some_job(&job, &rng);
		test_job(&job, a, b, &rng);
		test_picked(&job, a, &rng);
		test_endless(&job, a, b, &rng);
	}
	test_split_weights();
	test_uniform(4096, 100);
	test_uniform(512, 99 * 8 + 1);
	test_many_files();
	arena_done(&arena);
	return 0;
}
