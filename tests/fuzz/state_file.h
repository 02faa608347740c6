/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* State files for fuzzing. */
#pragma once

#include "fuzz.h"

#include <endian.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/str.h"
#include "verify/state_parts.h"

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
	const struct state_head head = {1, 1000000, 4096, targets, specs, spec_of, 2, 1, 2};
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

/* A file in memory.  The first byte says what follows: 'r', a file as it is; else blocks, each
 * a byte for the worker, two for the length, and the payload, which get their checksums here;
 * with 'h' the first is the head, with 'b' a head is put before them. */
static int state_file(const uint8_t *data, size_t size)
{
	int fd = memfd_create("state", MFD_CLOEXEC);
	MUST(fd >= 0, "memfd");
	if (*data == 'b')
		put_good_head(fd);
	if (*data == 'r')
		MUST(write(fd, data + 1, size - 1) == (ssize_t)size - 1, "write");
	else
		put_blocks(fd, *data == 'h', data + 1, size - 1);
	return fd;
}
