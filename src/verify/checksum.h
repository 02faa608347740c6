/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Checksums of what was written.  By libraries (xxhash, isa-l, zlib, libcrypto) or by
 * instructions; pure. */
#pragma once

#include <stddef.h>
#include <stdint.h>

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

/* NULL, or the library that this build was made without and that KIND needs. */
const char *checksum_missing(enum checksum_kind kind);

/* Of N bytes, as checksum_bytes(KIND) bytes into OUT.  HOT. */
void checksum_make(enum checksum_kind kind, const void *data, size_t n, uint8_t *out);
