/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Checksums of what was written.  By libraries (xxhash, isa-l, libcrypto), or from tables
 * (crc.h).  CRCs and xxhash are numbers, lowest byte first.
 *
 * They tell chance damage: only the digests from MD5 on are too long for equal sums by
 * chance to matter, and none of them is here to stop an attacker.  Any thread. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The number is in the units on disk: new ones come at the end. */
enum checksum_kind {
	CHECKSUM_NONE,
	CHECKSUM_CRC7,
	CHECKSUM_CRC16,
	CHECKSUM_CRC32,
	CHECKSUM_CRC32C,
	CHECKSUM_CRC64,
	CHECKSUM_XXHASH,
	CHECKSUM_MD5,
	CHECKSUM_SHA1,
	CHECKSUM_SHA256,
	CHECKSUM_SHA512,
	CHECKSUM_SHA3_224,
	CHECKSUM_SHA3_256,
	CHECKSUM_SHA3_384,
	CHECKSUM_SHA3_512,
	CHECKSUM_KINDS,
};

#define CHECKSUM_MAX 64

/* As in verify=: "crc32c". */
const char *checksum_name(enum checksum_kind kind);

/* Bytes of one, at most CHECKSUM_MAX; 0 for CHECKSUM_NONE. */
size_t checksum_bytes(enum checksum_kind kind);

/* NULL, or the library that KIND needs and that this build was made without, or the
 * algorithm that the library hasn't got.  Ask before threads or processes are made: what
 * is looked up then is there for all. */
const char *checksum_missing(enum checksum_kind kind);

/* Of N bytes, as checksum_bytes(KIND) bytes into OUT.  HOT. */
void checksum_make(enum checksum_kind kind, const void *data, size_t n, uint8_t *out);

/* The same of pieces, one behind the other; but xxhash takes the hash of a piece as the
 * seed of the next, which is faster than joining them.  HOT. */
struct checksum_piece {
	const void *data;
	size_t bytes;
};
void checksum_make_of(enum checksum_kind kind, const struct checksum_piece *piece,
	unsigned count, uint8_t *out);
