/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Fuzzing of all that is read back by a state file: the state as in state.c, and an image whose
 * units are stamped as one of its workers would, and then damaged, both by what the input
 * says: its last 16 bytes seed it.  A line "#fail SEED RATE" makes allocations fail. */
#include "state_file.h"

#include "base/rng.h"
#include "plan/plan.h"
#include "run/verify/resume.h"
#include "run/verify/verify.h"
#include "verify/state.h"

#define UNITS_MAX 8
#define BYTES_MAX (1 << 20)

struct image {
	struct rng dice;
	unsigned char *bytes; /* of UNITS_MAX units */
};

static uint64_t some(struct image *im, uint64_t below)
{
	return below ? rng_below(&im->dice, below) : 0;
}

/* What a worker of the state would have written there, or nearly so. */
static void put_unit(struct image *im, const struct state *s, uint32_t target, uint64_t unit,
	unsigned char *to)
{
	const struct state_head *h = &s->head;
	const struct state_target *t = &h->targets[target];
	const uint32_t worker = (uint32_t)some(im, h->workers_count + 1ull);
	const struct unit_spec *spec =
		&h->specs[worker < h->workers_count ? h->spec_of[worker]
						    : some(im, h->specs_count)];
	struct unit_stamp stamp = {
		.offset = (unit + !some(im, 8)) * t->unit_bytes,
		.target = t->identity + !some(im, 8),
		.serial = some(im, 4) ? some(im, 16) : rng_next(&im->dice),
		.time_ns = h->start_ns + some(im, 4000000),
		.worker = worker,
		.generation = (uint8_t)some(im, 16),
	};
	struct data d;

	memset(to, 0, t->unit_bytes);
	if (spec->bytes != t->unit_bytes || spec->kind == UNIT_NONE || !some(im, 6))
		return;
	unit_data_init(spec, &d, worker);
	unit_payload(spec, &d, &stamp, to, t->unit_bytes);
	unit_stamp(spec, &stamp, to, t->unit_bytes);
	if (!some(im, 3))
		to[some(im, t->unit_bytes)] ^= (uint8_t)(1 << some(im, 8));
	if (!some(im, 5))
		memset(to + t->unit_bytes / 2, 0, t->unit_bytes - t->unit_bytes / 2);
}

static void resume_target(struct image *im, struct state *s, uint32_t target)
{
	static struct shared_verify sh;
	static const uint32_t file_target = 0;
	const struct state_target *t = &s->head.targets[target];
	const char *paths[] = {"image"};
	const struct plan_worker pw = {
		.files = {.targets = &file_target, .count = 1},
		.state = {.targets = &target},
	};
	struct verify v = {
		.plan = &pw.verify, .worker = &pw, .sh = &sh, .resume = s, .paths = paths};
	uint64_t at = 0, first, n, units = div_up(t->bytes, t->unit_bytes);

	if (units > 100000 || t->unit_bytes > BYTES_MAX / UNITS_MAX)
		return;
	memset(&sh, 0, sizeof(sh));
	for (unsigned i = 0; i < 20; i++, at = first + n) {
		struct resume_counts c = {0};
		n = state_written(s, target, at, UNITS_MAX, &first);
		if (!n)
			return;
		for (uint64_t k = 0; k < n; k++)
			put_unit(im, s, target, first + k, im->bytes + k * t->unit_bytes);
		const struct verify_slot slot = {
			.offset = first * t->unit_bytes,
			.bytes = (uint32_t)n * t->unit_bytes,
			.first = first,
			.units = (uint32_t)n,
		};
		resume_check(&v, &slot, im->bytes, &c);
		MUST(c.units + c.unjudged == n, "a unit was lost");
		MUST(c.wrong + c.later + c.age[0] + c.age[1] + c.age[2] == c.units, "ages");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct state *s = NULL;
	struct err e = {0};
	uint32_t seed, rate;
	uint64_t image_seed;
	char path[64];

	memory_fails_as_said(&data, &size, &seed, &rate);
	if (size < 17)
		return 0;
	size -= 16;
	memcpy(&image_seed, data + size, sizeof(image_seed));
	struct image im = {.bytes = malloc(BYTES_MAX)};
	MUST(im.bytes, "memory");
	rng_init(&im.dice, image_seed);
	int fd = state_file(data, size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	memory_fails(seed, rate);
	if (state_load(path, data[size + 8] & 1, &s, &e) == 0)
		for (uint32_t t = 0; t < s->head.targets_count && t < 4 && s->head.specs_count;
			t++)
			resume_target(&im, s, t);
	memory_fails(0, 0);
	state_free(s);
	close(fd);
	free(im.bytes);
	return 0;
}
