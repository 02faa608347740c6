/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Laws of data: every path of the generator gives the same bytes; what is random
 * looks it, and no two sectors of a run are alike; what shall be compressible or
 * repeated is so to the byte and to the block; nothing is written beyond the buffer. */
#include <stdbool.h>
#include <string.h>

#include "base/bits.h"
#include "base/rng.h"
#include "gen/data.h"
#include "law.h"

#define SECTOR 512
#define BLOCK  4096
#define BLOCKS 100000

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static uint64_t hash_of(const unsigned char *from, size_t bytes)
{
	uint64_t h = 0, word;
	for (size_t i = 0; i < bytes; i += 8) {
		memcpy(&word, from + i, 8);
		h = rng_mix(h ^ word);
	}
	return h;
}

static size_t distinct(uint64_t *hashes, size_t n)
{
	size_t count = n > 0;
	qsort(hashes, n, sizeof(hashes[0]), by_value);
	for (size_t i = 1; i < n; i++)
		count += hashes[i] != hashes[i - 1];
	return count;
}

/* ---- noise ---- */

/* As slow and plain as can be said: the definition in noise.c's comment. */
static void noise_by_the_book(uint64_t seed, uint64_t number, unsigned char *out, size_t bytes)
{
	struct rng rng;
	uint64_t key, lane[16], half[2];
	rng_init(&rng, seed);
	key = rng_next(&rng);
	for (unsigned i = 0; i < 16; i++)
		lane[i] = rng_next(&rng);
	half[0] = rng_mix(key + number);
	half[1] = rng_mix(half[0]);
	for (unsigned i = 0; i < 16; i++) {
		lane[i] ^= half[i / 8];
		for (unsigned k = 0; k < 2; k++)
			lane[i] = (lane[i] & 0xffffffff) * 0xfff5a366 + (lane[i] >> 32);
	}
	for (size_t at = 0; at < bytes; at++) {
		unsigned i = at / 8 % 16;
		if (at % 128 == 0)
			for (unsigned k = 0; k < 16; k++)
				lane[k] = (lane[k] & 0xffffffff) * 0xfff5a366 + (lane[k] >> 32);
		uint64_t word = lane[i] ^ lane[(i + 8) % 16] << 27;
		out[at] = (unsigned char)(word >> at % 8 * 8);
	}
}

static void law_paths(struct rng *rng)
{
	static unsigned char want[3000], got[3000];
	static const enum noise_path paths[] = {NOISE_BEST, NOISE_PLAIN, NOISE_AVX2};
	uint64_t seed = rng_next(rng), number = rng_next(rng) >> rng_below(rng, 64);
	size_t bytes = rng_below(rng, 2900), at = rng_below(rng, 64);
	noise_by_the_book(seed, number, want, bytes);
	for (unsigned i = 0; i < COUNT_OF(paths); i++) {
		struct noise n;
		if (!noise_path_works(paths[i]))
			continue;
		noise_init(&n, seed, paths[i]);
		memset(got, 0xa5, sizeof(got));
		noise_fill(&n, number, got + at, bytes);
		LAW(!memcmp(got + at, want, bytes), "path %d: %zu bytes", paths[i], bytes);
		for (size_t k = 0; k < sizeof(got); k++)
			LAW((k >= at && k < at + bytes) || got[k] == 0xa5,
				"path %d: wrote at %zu, %zu + %zu", paths[i], k, at, bytes);
	}
}

/* Each value of a byte, and of the difference of two bytes at DISTANCE, is as likely as
 * any other; each bit of a word is as often 1 as 0. */
static void law_random(const unsigned char *buf, size_t bytes, const char *what)
{
	static const size_t distances[] = {1, 4, 8, 64, 68, 128, SECTOR, BLOCK};
	double seen[256] = {0}, expected[256], bits[64] = {0};
	for (unsigned i = 0; i < 256; i++)
		expected[i] = (double)bytes / 256;
	for (size_t i = 0; i < bytes; i++)
		seen[buf[i]]++;
	double z = law_chi_square(seen, expected, 256);
	LAW(z < 5, "%s: bytes: %.1f sigma", what, z);
	for (unsigned k = 0; k < COUNT_OF(distances); k++) {
		memset(seen, 0, sizeof(seen));
		for (size_t i = 0; i < bytes; i++)
			seen[(unsigned char)(buf[i] - buf[(i + distances[k]) % bytes])]++;
		z = law_chi_square(seen, expected, 256);
		LAW(z < 5, "%s: bytes at a distance of %zu: %.1f sigma", what, distances[k], z);
	}
	for (size_t i = 0; i < bytes / 8; i++) {
		uint64_t word;
		memcpy(&word, buf + 8 * i, 8);
		for (unsigned b = 0; b < 64; b++)
			bits[b] += (double)(word >> b & 1);
	}
	double sigma = sqrt((double)bytes / 8 / 4);
	for (unsigned b = 0; b < 64; b++)
		LAW(fabs(bits[b] - (double)bytes / 16) < 6 * sigma,
			"%s: bit %u is set %.0f times", what, b, bits[b]);
}

/* Seeds are fixed: at 5 sigma a new one each run would fail now and then. */
static void law_random_writes(void)
{
	static unsigned char buf[4 << 20];
	struct data_spec spec = {.kind = DATA_FRESH, .seed = 5};
	struct data d;
	data_init(&d, &spec);
	for (size_t at = 0; at < sizeof(buf); at += BLOCK)
		data_fill(&d, buf + at, BLOCK);
	law_random(buf, sizeof(buf), "many writes");
	data_fill(&d, buf, sizeof(buf));
	law_random(buf, sizeof(buf), "one write");
	/* the beginnings alone: where a bad start would show */
	for (size_t at = 0; at < sizeof(buf); at += 16)
		data_fill(&d, buf + at, 16);
	law_random(buf, sizeof(buf), "small writes");
	spec.kind = DATA_CONSTANT;
	data_init(&d, &spec);
	data_prepare(&d, buf, sizeof(buf));
	law_random(buf, sizeof(buf), "constant");
}

/* WORKERS with seeds of their own write BLOCKS blocks in all. */
static void law_no_two_alike(unsigned workers, uint64_t seed)
{
	static unsigned char block[BLOCK];
	static uint64_t hashes[BLOCKS * (BLOCK / SECTOR)];
	size_t n = 0;
	for (unsigned w = 0; w < workers; w++) {
		struct data_spec spec = {.kind = DATA_FRESH, .seed = seed + w};
		struct data d;
		data_init(&d, &spec);
		for (unsigned i = 0; i < BLOCKS / workers; i++) {
			data_fill(&d, block, BLOCK);
			for (unsigned s = 0; s < BLOCK; s += SECTOR)
				hashes[n++] = hash_of(block + s, SECTOR);
		}
	}
	LAW(distinct(hashes, n) == n, "two sectors are equal");
}

/* ---- what stays ---- */

/* The same seed gives the same bytes, at any address, and only inside. */
static void law_bounds(enum data_kind kind, struct rng *rng)
{
	static unsigned char a[3000], b[3000];
	static const uint8_t letters[] = "abcdefg";
	size_t bytes = rng_below(rng, 2900), at = rng_below(rng, 64);
	struct data_spec spec = {
		.kind = kind,
		.seed = rng_next(rng),
		.filler = {.bytes = letters, .count = 7},
		.compress_percent = (uint32_t)rng_below(rng, 101),
		.compress_chunk = (uint32_t)rng_below(rng, 2000),
	};
	struct data d, e;
	memset(a, 0xa5, sizeof(a));
	memset(b, 0xa5, sizeof(b));
	data_init(&d, &spec);
	data_init(&e, &spec);
	data_prepare(&d, a + at, bytes);
	data_prepare(&e, b + at, bytes);
	for (unsigned i = 0; i < 3; i++) {
		data_fill(&d, a + at, bytes);
		data_fill(&e, b + at, bytes);
	}
	LAW(!memcmp(a, b, sizeof(a)), "kind %d: the same seed, other bytes", kind);
	for (size_t i = 0; i < sizeof(a); i++)
		LAW((i >= at && i < at + bytes) || a[i] == 0xa5,
			"kind %d: wrote at %zu, %zu + %zu", kind, i, at, bytes);
}

static void law_still(void)
{
	static unsigned char buf[BLOCK], zero[BLOCK], before[BLOCK];
	static const uint8_t letters[] = "abc";
	struct data_spec spec = {.kind = DATA_ZERO, .filler = {.bytes = letters, .count = 3}};
	struct data d;
	for (; spec.kind <= DATA_PATTERN; spec.kind++) {
		data_init(&d, &spec);
		memset(buf, 7, sizeof(buf));
		data_prepare(&d, buf, sizeof(buf));
		memcpy(before, buf, BLOCK);
		data_fill(&d, buf, sizeof(buf));
		LAW(!memcmp(buf, before, BLOCK), "kind %d: data_fill() has nothing to do",
			spec.kind);
		LAW(data_is_still(&spec), "kind %d", spec.kind);
		if (spec.kind == DATA_ZERO)
			LAW(!memcmp(buf, zero, BLOCK), "zeroes");
		for (unsigned i = 0; i < BLOCK && spec.kind == DATA_PATTERN; i++)
			LAW(buf[i] == letters[i % 3], "the pattern begins with the block");
	}
	spec.kind = DATA_CONSTANT;
	data_init(&d, &spec);
	data_prepare(&d, buf, sizeof(buf));
	LAW(memcmp(buf, zero, BLOCK), "constant isn't zero");
}

/* ---- compression ---- */

/* PERCENT of each chunk is the filler from its beginning, the rest is what the same
 * write would be without it. */
static void law_compress(struct rng *rng)
{
	static unsigned char buf[20000], plain[20000];
	static const uint8_t letters[] = "abcdefg";
	struct data_spec spec = {.kind = DATA_FRESH, .seed = rng_next(rng)};
	struct data d;
	size_t bytes = 1 + rng_below(rng, sizeof(buf));
	data_init(&d, &spec);
	data_fill(&d, plain, bytes);

	spec.compress_percent = (uint32_t)rng_below(rng, 101);
	spec.compress_chunk = (uint32_t)rng_below(rng, rng_below(rng, 2) ? 600 : 30000);
	if (rng_below(rng, 2))
		spec.filler = (struct filler){.bytes = letters, .count = 7};
	data_init(&d, &spec);
	data_fill(&d, buf, bytes);

	size_t chunk = spec.compress_chunk ? spec.compress_chunk : bytes;
	for (size_t at = 0; at < bytes; at += chunk) {
		size_t all = MIN_OF(chunk, bytes - at);
		size_t soft = (size_t)lround((double)all * spec.compress_percent / 100);
		for (size_t i = 0; i < all; i++) {
			unsigned char want = i < all - soft ? plain[at + i]
					     : spec.filler.count
						     ? letters[(i - (all - soft)) % 7]
						     : 0;
			LAW(buf[at + i] == want, "%u %% of %zu in %zu: byte %zu",
				spec.compress_percent, chunk, bytes, at + i);
		}
	}
}

/* ---- dedupe ---- */

/* In any hundred writes from the beginning as many repeat as shall, but for the very
 * first, which is made up for.  SET 0: the last new one, else one of the first SET. */
static void law_dedupe(uint32_t percent, uint64_t set, uint64_t seed)
{
	uint64_t sets[1] = {set}, fresh = 0, repeats = 0;
	struct dedupe_spec spec = {
		.percent = percent, .sets = sets, .sets_count = set > 0, .seed = seed};
	struct dedupe d;
	static uint64_t times[1000];
	memset(times, 0, sizeof(times));
	dedupe_init(&d, &spec);
	for (unsigned i = 1; i <= 20000; i++) {
		uint64_t number = dedupe_next(&d);
		if (number == fresh) {
			fresh++;
		} else {
			LAW(number < fresh, "write %u is number %" PRIu64, i, number);
			LAW(set ? number < set : number == fresh - 1,
				"write %u repeats number %" PRIu64, i, number);
			repeats++;
			if (set && fresh >= set && set <= 1000)
				times[number]++;
		}
		if (i % 100 == 0)
			LAW(repeats == i / 100 * percent - (percent == 100),
				"%" PRIu64 " of %u writes are repeats, not %u %%", repeats, i,
				percent);
	}
	if (!set || !percent || set > 100)
		return;
	double seen[100], expected[100], all = 0;
	for (unsigned i = 0; i < set; i++)
		all += seen[i] = (double)times[i];
	for (unsigned i = 0; i < set; i++)
		expected[i] = all / (double)set;
	double z = law_chi_square(seen, expected, set);
	LAW(z < 5, "working set of %" PRIu64 ": %.1f sigma", set, z);
}

/* The repeats are drawn: not each hundred has them at the same places. */
static void law_dedupe_varies(uint64_t seed)
{
	struct dedupe_spec spec = {.percent = 50, .seed = seed};
	struct dedupe d;
	unsigned at[100] = {0};
	uint64_t fresh = 0;
	dedupe_init(&d, &spec);
	for (unsigned i = 0; i < 100000; i++) {
		bool is_new = dedupe_next(&d) == fresh;
		fresh += is_new;
		at[i % 100] += !is_new;
	}
	for (unsigned i = 0; i < 100; i++)
		LAW(at[i] > 350 && at[i] < 650, "place %u repeats %u times of 1000", i, at[i]);
}

/* Three workers with one set, one of which writes nothing, as far at any time as each
 * other: together exactly so many blocks are repeated. */
static void law_dedupe_shared(uint64_t seed)
{
	static uint64_t numbers[2 * BLOCKS];
	uint64_t sets[3] = {500, 0, 3000};
	struct dedupe d[3];
	size_t n = 0;
	bool foreign = false;
	for (uint32_t i = 0; i < 3; i++) {
		struct dedupe_spec spec = {.percent = 40,
			.sets = sets,
			.sets_count = 3,
			.mine = i,
			.seed = seed + i};
		dedupe_init(&d[i], &spec);
	}
	for (unsigned i = 0; i < BLOCKS; i++) {
		numbers[n++] = dedupe_next(&d[0]);
		numbers[n++] = dedupe_next(&d[2]);
		foreign |= numbers[n - 2] >> 40 == 2 || numbers[n - 1] >> 40 == 0;
	}
	LAW(distinct(numbers, n) == n / 100 * 60, "%zu of %zu are distinct",
		distinct(numbers, n), n);
	LAW(foreign, "nobody repeats what another has written");
}

/* Equal numbers are equal blocks, and others aren't. */
static void law_dedupe_blocks(uint64_t seed)
{
	static unsigned char block[BLOCK];
	static uint64_t hashes[10000];
	struct data_spec spec = {
		.kind = DATA_FRESH, .seed = seed, .dedupe = {.percent = 30, .seed = seed}};
	struct data d;
	data_init(&d, &spec);
	for (unsigned i = 0; i < 10000; i++) {
		data_fill(&d, block, BLOCK);
		hashes[i] = hash_of(block, BLOCK);
	}
	LAW(distinct(hashes, 10000) == 7000, "%zu of 10000 blocks are distinct",
		distinct(hashes, 10000));
}

/* ---- cuttings of a file ---- */

/* Each write is a piece of the file that begins on the grid and goes round; all places are
 * drawn, and the same number is cut at the same place. */
static void law_corpus(struct rng *rng)
{
	static uint8_t file[64 * DATA_CORPUS_GRID], buf[BLOCK], again[BLOCK];
	struct data_spec spec = {.kind = DATA_CORPUS, .seed = rng_next(rng), .corpus = file};
	struct data d;
	unsigned times[64] = {0};
	bool small = rng_below(rng, 2);
	spec.corpus_bytes = 1 + rng_below(rng, small ? 2 * DATA_CORPUS_GRID - 1 : sizeof(file));
	const uint64_t grid = spec.corpus_bytes < 2 * DATA_CORPUS_GRID ? 1 : DATA_CORPUS_GRID;
	const uint64_t places = spec.corpus_bytes / grid;
	for (size_t i = 0; i < sizeof(file); i += 8) {
		uint64_t word = rng_next(rng);
		memcpy(file + i, &word, 8);
	}
	data_init(&d, &spec);
	LAW(!data_is_still(&spec), "each write is another");
	for (unsigned i = 0; i < 200; i++) {
		size_t bytes = 1 + rng_below(rng, BLOCK);
		uint64_t place = 0;
		memset(buf, 0, sizeof(buf));
		data_fill_as(&d, i, buf, bytes);
		data_fill(&d, again, bytes);
		LAW(!memcmp(buf, again, bytes), "write %u is that of its number", i);
		for (; place < places; place++) {
			size_t same = 0;
			while (same < bytes &&
				buf[same] == file[(place * grid + same) % spec.corpus_bytes])
				same++;
			if (same == bytes)
				break;
		}
		LAW(place < places, "write %u isn't of the file", i);
		times[place * 4 / places]++;
	}
	for (unsigned i = 0; i < 4 && places >= 16 && !small; i++)
		LAW(times[i], "a quarter of the file is never written");
}

int main(void)
{
	struct rng rng;
	uint64_t seed = law_seed();
	rng_init(&rng, seed);
	if (!noise_path_works(NOISE_AVX2))
		printf("this machine has no AVX2: that path is not tested\n");
	for (unsigned i = 0; i < 2000; i++)
		law_paths(&rng);
	law_random_writes();
	law_no_two_alike(1, seed);
	law_no_two_alike(8, seed);
	for (unsigned i = 0; i < 2000; i++) {
		for (unsigned kind = DATA_FRESH; kind <= DATA_PATTERN; kind++)
			law_bounds((enum data_kind)kind, &rng);
		law_compress(&rng);
	}
	for (unsigned i = 0; i < 100; i++)
		law_corpus(&rng);
	law_still();
	for (uint32_t percent = 0; percent <= 100; percent += 5) {
		law_dedupe(percent, 0, seed);
		law_dedupe(percent, 50, 1);
		law_dedupe(percent, 100000, seed);
	}
	law_dedupe_varies(seed);
	law_dedupe_shared(seed);
	law_dedupe_blocks(seed);
	return 0;
}
