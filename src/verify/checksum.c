/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT. */
#include "verify/checksum.h"

#include <string.h>

#include "verify/crc.h"
#include "verify/digest.h"
#include "verify/xxhash.h"

/* Those that are a number have a function that goes on; the others are digests. */
static const struct {
	const char *name;
	size_t bytes;
	uint64_t (*more)(uint64_t before, const void *data, size_t n);
} kinds[CHECKSUM_KINDS] = {
	[CHECKSUM_NONE] = {"none", 0, NULL},
	[CHECKSUM_CRC7] = {"crc7", 1, crc7_more},
	[CHECKSUM_CRC16] = {"crc16", 2, crc16_more},
	[CHECKSUM_CRC32] = {"crc32", 4, crc32_more},
	[CHECKSUM_CRC32C] = {"crc32c", 4, crc32c_more},
	[CHECKSUM_CRC64] = {"crc64", 8, crc64_more},
	[CHECKSUM_XXHASH] = {"xxhash", 8, xxhash_more},
	[CHECKSUM_MD5] = {"md5", 16, NULL},
	[CHECKSUM_SHA1] = {"sha1", 20, NULL},
	[CHECKSUM_SHA256] = {"sha256", 32, NULL},
	[CHECKSUM_SHA512] = {"sha512", 64, NULL},
	[CHECKSUM_SHA3_224] = {"sha3-224", 28, NULL},
	[CHECKSUM_SHA3_256] = {"sha3-256", 32, NULL},
	[CHECKSUM_SHA3_384] = {"sha3-384", 48, NULL},
	[CHECKSUM_SHA3_512] = {"sha3-512", 64, NULL},
};

const char *checksum_name(enum checksum_kind kind)
{
	return kinds[kind].name;
}

size_t checksum_bytes(enum checksum_kind kind)
{
	return kinds[kind].bytes;
}

const char *checksum_missing(enum checksum_kind kind)
{
	if (kind == CHECKSUM_XXHASH)
		return xxhash_built ? NULL : "xxhash";
	return kinds[kind].more || kind == CHECKSUM_NONE ? NULL : digest_missing(kind);
}

void checksum_make_of(enum checksum_kind kind, const struct checksum_piece *piece,
	unsigned count, uint8_t *out)
{
	uint64_t sum = 0;

	if (!kinds[kind].more) {
		if (kind != CHECKSUM_NONE)
			digest_make(kind, piece, count, out);
		return;
	}
	for (unsigned i = 0; i < count; i++)
		sum = kinds[kind].more(sum, piece[i].data, piece[i].bytes);
	memcpy(out, &sum, kinds[kind].bytes);
}

void checksum_make(enum checksum_kind kind, const void *data, size_t n, uint8_t *out)
{
	const struct checksum_piece all = {data, n};
	checksum_make_of(kind, &all, 1, out);
}
