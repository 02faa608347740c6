/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Eight bytes a step, from eight tables: entry b of table k is the CRC of byte b with k
 * zero bytes behind it, and a CRC is linear, so that of eight bytes is the sum of eight
 * entries (slicing by 8, Kounavis and Berry 2005).  A register of 64 bits does for all
 * that are reflected, since the upper bits stay zero; and for crc7, which isn't, when it
 * lies left in one byte. */
#include "verify/crc.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "config.h"

#if HAVE_LIBISAL
#include <limits.h>

#include <isa-l/crc.h>
#include <isa-l/crc64.h>
#endif

#define SLICES 8

struct crc_table {
	pthread_once_t once;
	uint64_t slice[SLICES][256];
};

static uint64_t reflected_byte(uint64_t crc, uint64_t poly)
{
	for (unsigned i = 0; i < 8; i++)
		crc = crc >> 1 ^ (crc & 1 ? poly : 0);
	return crc;
}

static uint64_t straight_byte(uint64_t crc, uint64_t poly)
{
	for (unsigned i = 0; i < 8; i++)
		crc = (crc << 1 & 0xff) ^ (crc & 0x80 ? poly : 0);
	return crc;
}

static void table_fill(struct crc_table *t, uint64_t (*of_byte)(uint64_t, uint64_t),
	uint64_t poly)
{
	for (unsigned b = 0; b < 256; b++)
		t->slice[0][b] = of_byte(b, poly);
	for (unsigned k = 1; k < SLICES; k++) {
		for (unsigned b = 0; b < 256; b++) {
			uint64_t before = t->slice[k - 1][b];
			t->slice[k][b] = t->slice[0][before & 0xff] ^ before >> 8;
		}
	}
}

static inline uint64_t table_run(const struct crc_table *t, uint64_t crc, const void *data,
	size_t n)
{
	const uint8_t *p = data;

	for (; n >= SLICES; n -= SLICES, p += SLICES) {
		uint64_t word, next = 0;
		memcpy(&word, p, sizeof(word));
		word ^= crc;
		for (unsigned k = 0; k < SLICES; k++)
			next ^= t->slice[SLICES - 1 - k][word >> (8 * k) & 0xff];
		crc = next;
	}
	for (; n; n--, p++)
		crc = t->slice[0][(crc ^ *p) & 0xff] ^ crc >> 8;
	return crc;
}

#define TABLE(name, of_byte, poly)                                                             \
	static struct crc_table name##_table = {.once = PTHREAD_ONCE_INIT};                    \
	static void name##_fill(void)                                                          \
	{                                                                                      \
		table_fill(&name##_table, of_byte, UINT64_C(poly));                            \
	}                                                                                      \
	static uint64_t name##_run(uint64_t crc, const void *data, size_t n)                   \
	{                                                                                      \
		pthread_once(&name##_table.once, name##_fill);                                 \
		return table_run(&name##_table, crc, data, n);                                 \
	}

TABLE(crc7, straight_byte, 0x12) /* 0x09, one to the left */
TABLE(crc16, reflected_byte, 0xa001)
TABLE(crc32, reflected_byte, 0xedb88320)
TABLE(crc32c, reflected_byte, 0x82f63b78)
TABLE(crc64, reflected_byte, 0xc96c5795d7870f42)

uint64_t crc7_more(uint64_t crc, const void *data, size_t n)
{
	return crc7_run(crc << 1, data, n) >> 1;
}

uint64_t crc16_more(uint64_t crc, const void *data, size_t n)
{
	return crc16_run(crc, data, n);
}

uint64_t crc32_plain(uint64_t crc, const void *data, size_t n)
{
	return crc32_run(crc ^ UINT32_MAX, data, n) ^ UINT32_MAX;
}

uint64_t crc32c_plain(uint64_t crc, const void *data, size_t n)
{
	return crc32c_run(crc ^ UINT32_MAX, data, n) ^ UINT32_MAX;
}

uint64_t crc64_plain(uint64_t crc, const void *data, size_t n)
{
	return ~crc64_run(~crc, data, n);
}

#if HAVE_LIBISAL

uint64_t crc32_more(uint64_t crc, const void *data, size_t n)
{
	return crc32_gzip_refl((uint32_t)crc, data, n);
}

/* Isa-l takes an int, and the register as it is. */
uint64_t crc32c_more(uint64_t crc, const void *data, size_t n)
{
	const uint8_t *p = data;
	uint32_t at = ~(uint32_t)crc;

	do {
		size_t part = n < INT_MAX / 2 ? n : INT_MAX / 2;
		at = crc32_iscsi((unsigned char *)(uintptr_t)p, (int)part, at);
		p += part;
		n -= part;
	} while (n);
	return ~at;
}

uint64_t crc64_more(uint64_t crc, const void *data, size_t n)
{
	return crc64_ecma_refl(crc, data, n);
}

#else

uint64_t crc32_more(uint64_t crc, const void *data, size_t n)
{
	return crc32_plain(crc, data, n);
}

uint64_t crc32c_more(uint64_t crc, const void *data, size_t n)
{
	return crc32c_plain(crc, data, n);
}

uint64_t crc64_more(uint64_t crc, const void *data, size_t n)
{
	return crc64_plain(crc, data, n);
}

#endif
