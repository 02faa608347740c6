/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Fuzzing of state files.  A line "#fail SEED RATE" makes allocations fail; what follows is of
 * state_file(). */
#include "state_file.h"

#define CANDIDATES 8

static void ask(struct state *s)
{
	static uint8_t unit[4096];
	struct unit_stamp stamps[CANDIDATES];
	uint32_t count, target;
	bool later;
	for (uint32_t t = 0; t < s->head.targets_count && t < 4; t++) {
		uint64_t at = 0, first, n,
			 units = div_up(s->head.targets[t].bytes,
				 s->head.targets[t].unit_bytes);
		for (unsigned i = 0; i < 20 && units < 10000; i++, at = first + n) {
			n = state_written(s, t, at, 5, &first);
			MUST(first + n <= units && n <= 5, "units");
			if (!n)
				break;
			if (s->head.specs_count)
				state_check(s, &s->head.specs[0], t, first, unit,
					MIN_OF(sizeof(unit), (size_t)s->head.specs[0].bytes),
					&later);
			if (i == 0)
				state_candidates(s, t, first, stamps, CANDIDATES, &count, NULL);
		}
	}
	state_target_find(s, "/dev/a", 1 << 20, &target, NULL);
	state_is_later(s, 0, 5);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct state *s = NULL;
	struct err e = {0};
	uint32_t seed, rate;
	char path[64];

	memory_fails_as_said(&data, &size, &seed, &rate);
	if (size < 1)
		return 0;
	int fd = state_file(data, size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	memory_fails(seed, rate);
	int rc = state_load(path, false, &s, &e);
	MUST(rc <= 0 && rc == e.code, "rc %d, code %d", rc, e.code);
	MUST(rc == 0 ? s != NULL : e.text[0] != 0, "an error without text");
	if (rc == 0)
		ask(s);
	memory_fails(0, 0);
	state_free(s);
	close(fd);
	return 0;
}
