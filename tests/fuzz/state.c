/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Fuzzing of state files.  A line "#fail SEED RATE" makes allocations fail.  The first byte of
 * the rest says what follows: 'r', a file as it is; else blocks, each a byte for the worker,
 * two for the length, and the payload, which get their checksums here; with 'h' the first is
 * the head, with 'b' a head is put before them. */
#include "fuzz.h"

#include <endian.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/str.h"
#include "verify/state_parts.h"

#define CANDIDATES 8

static void put_block(int fd, uint32_t worker, const void *payload, uint32_t n)
{
	struct state_block b = {.magic = htole32(STATE_MAGIC),
		.worker = htole32(worker),
		.bytes = htole32(n),
		.time_ns = htole64(2000000)};
	b.crc = htole32(state_crc(&b, payload));
	MUST(write(fd, &b, sizeof(b)) == sizeof(b), "write");
	MUST(write(fd, payload, n) == (ssize_t)n, "write");
}

static void put_good_head(int fd)
{
	static const struct state_target targets[] = {
		{"/dev/a", 1, 1 << 20, 4096}, {"/dev/b", 2, 10000, 512}};
	static const struct unit_spec specs[] = {
		{.kind = UNIT_CHECKSUM, .checksum = CHECKSUM_CRC32C, .bytes = 4096}};
	static const uint32_t spec_of[2];
	const struct state_head head = {1, 1000000, targets, specs, spec_of, 2, 1, 2};
	struct str out = {0};
	state_head_make(&head, &out);
	put_block(fd, STATE_HEAD, out.text, (uint32_t)out.len);
	str_done(&out);
}

static void put_blocks(int fd, bool head, const uint8_t *data, size_t size)
{
	while (size >= 3) {
		uint32_t n = MIN_OF((uint32_t)(data[1] | data[2] << 8), (uint32_t)(size - 3));
		put_block(fd, head ? STATE_HEAD : data[0], data + 3, n);
		head = false;
		data += 3 + n;
		size -= 3 + n;
	}
	/* an end that is cut */
	if (size)
		MUST(write(fd, data, size) == (ssize_t)size, "write");
}

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
	int fd = memfd_create("state", MFD_CLOEXEC);
	MUST(fd >= 0, "memfd");
	if (*data == 'b')
		put_good_head(fd);
	if (*data == 'r')
		MUST(write(fd, data + 1, size - 1) == (ssize_t)size - 1, "write");
	else
		put_blocks(fd, *data == 'h', data + 1, size - 1);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	memory_fails(seed, rate);
	int rc = state_load(path, &s, &e);
	MUST(rc <= 0 && rc == e.code, "rc %d, code %d", rc, e.code);
	MUST(rc == 0 ? s != NULL : e.text[0] != 0, "an error without text");
	if (rc == 0)
		ask(s);
	memory_fails(0, 0);
	state_free(s);
	close(fd);
	return 0;
}
