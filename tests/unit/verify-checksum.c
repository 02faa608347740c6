/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Checksums give what is published for them, in one piece or in several. */
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <string.h>

#include "base/bits.h"
#include "verify/checksum.h"
#include "verify/crc.h"
#include "verify/xxhash.h"

/* CRCs: "check" of the catalogue of CRC algorithms (reveng.sourceforge.io/crc-catalogue), of
 * CRC-7/MMC, CRC-16/ARC, CRC-32/ISO-HDLC, CRC-32/ISCSI, CRC-64/XZ.
 * md5: RFC 1321 A.5.  sha1, sha2: FIPS 180-2 appendices A to C.  sha3: NIST's example values
 * for FIPS 202 and its "abc" vectors. */
static const struct {
	enum checksum_kind kind;
	const char *text, *sum;
} published[] = {
	{CHECKSUM_CRC7, "123456789", "75"},
	{CHECKSUM_CRC16, "123456789", "bb3d"},
	{CHECKSUM_CRC32, "123456789", "cbf43926"},
	{CHECKSUM_CRC32C, "123456789", "e3069283"},
	{CHECKSUM_CRC64, "123456789", "995dc9bbdf1939fa"},
	{CHECKSUM_MD5, "abc", "900150983cd24fb0d6963f7d28e17f72"},
	{CHECKSUM_MD5, "message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
	{CHECKSUM_SHA1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"},
	{CHECKSUM_SHA256, "abc",
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
	{CHECKSUM_SHA512, "abc",
		"ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
		"2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"},
	{CHECKSUM_SHA3_224, "abc", "e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf"},
	{CHECKSUM_SHA3_256, "abc",
		"3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"},
	{CHECKSUM_SHA3_384, "abc",
		"ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c25"
		"96da7cf0e49be4b298d88cea927ac7f539f1edf228376d25"},
	{CHECKSUM_SHA3_512, "abc",
		"b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e"
		"10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0"},
};

/* Digests as they are, numbers with the highest byte first. */
static void text_of(enum checksum_kind kind, const uint8_t *sum, char *to)
{
	const size_t n = checksum_bytes(kind);
	for (size_t i = 0; i < n; i++)
		snprintf(to + 2 * i, 3, "%02x", sum[kind < CHECKSUM_MD5 ? n - 1 - i : i]);
}

static void test_published(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(published); i++) {
		uint8_t sum[CHECKSUM_MAX];
		char text[2 * CHECKSUM_MAX + 1];
		if (checksum_missing(published[i].kind)) {
			print_message("%s: built without %s\n",
				checksum_name(published[i].kind),
				checksum_missing(published[i].kind));
			continue;
		}
		checksum_make(published[i].kind, published[i].text, strlen(published[i].text),
			sum);
		text_of(published[i].kind, sum, text);
		assert_string_equal(text, published[i].sum);
	}
}

/* The self-test of xxhsum 0.8: XXH3 of the first so many bytes of its buffer. */
static void test_xxhash(void **state)
{
	static const struct {
		size_t bytes;
		uint64_t sum;
	} vectors[] = {
		{0, 0x2d06800538d394c2},
		{1, 0xc44bdff4074eecdb},
		{6, 0x27b56a84cd2d7325},
		{12, 0xa713daf0dfbb77e7},
		{24, 0xa3fe70bf9d3510eb},
		{48, 0x397da259ecba1f11},
		{80, 0xbcdefbbb2c47c90a},
		{195, 0xcd94217ee362ec3a},
		{403, 0xcdeb804d65c6dea4},
		{512, 0x617e49599013cb6b},
		{2048, 0xdd59e2c3a5f038e0},
		{2240, 0x6e73a90539cf2948},
		{2367, 0xcb37aeb9e5d361ed},
	};
	uint8_t buf[2367];
	uint64_t byte = 2654435761u, sum;

	(void)state;
	if (checksum_missing(CHECKSUM_XXHASH))
		skip();
	for (size_t i = 0; i < sizeof(buf); i++, byte *= UINT64_C(11400714785074694797))
		buf[i] = (uint8_t)(byte >> 56);
	for (size_t i = 0; i < COUNT_OF(vectors); i++) {
		checksum_make(CHECKSUM_XXHASH, buf, vectors[i].bytes, (uint8_t *)&sum);
		assert_int_equal(sum, vectors[i].sum);
	}
}

/* Pieces give what the whole gives; xxhash, whose pieces are seeds, gives something of its
 * own that depends on each piece. */
static void test_pieces(void **state)
{
	uint8_t buf[1000], whole[CHECKSUM_MAX], parts[CHECKSUM_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(buf); i++)
		buf[i] = (uint8_t)(i * i);
	for (enum checksum_kind kind = 1; kind < CHECKSUM_KINDS; kind++) {
		if (checksum_missing(kind))
			continue;
		for (size_t at = 0; at <= 300; at++) {
			const struct checksum_piece piece[] = {
				{buf, at}, {buf + at, 500}, {buf + at + 500, 500 - at}};
			checksum_make(kind, buf, sizeof(buf), whole);
			checksum_make_of(kind, piece, 3, parts);
			if (kind != CHECKSUM_XXHASH) {
				assert_memory_equal(whole, parts, checksum_bytes(kind));
				continue;
			}
			buf[at / 2] ^= 1;
			checksum_make_of(kind, piece, 3, whole);
			buf[at / 2] ^= 1;
			assert_memory_not_equal(whole, parts, checksum_bytes(kind));
		}
	}
}

/* The fast ways and the plain ones are the same. */
static void test_plain(void **state)
{
	uint8_t buf[5000];

	(void)state;
	for (size_t i = 0; i < sizeof(buf); i++)
		buf[i] = (uint8_t)(i * i >> 3);
	for (size_t n = 0; n < sizeof(buf); n += 1 + n / 16) {
		assert_int_equal(crc32_more(n, buf, n), crc32_plain(n, buf, n));
		assert_int_equal(crc32c_more(n, buf + 1, n), crc32c_plain(n, buf + 1, n));
		assert_int_equal(crc64_more(n, buf, n), crc64_plain(n, buf, n));
		assert_int_equal(xxhash_more(n, buf, n), xxhash_plain(n, buf, n));
		assert_int_equal(xxhash_more(0, buf, n), xxhash_plain(0, buf, n));
	}
}

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(checksum_name(CHECKSUM_SHA3_384), "sha3-384");
	for (enum checksum_kind kind = 1; kind < CHECKSUM_KINDS; kind++) {
		assert_true(checksum_bytes(kind) > 0 && checksum_bytes(kind) <= CHECKSUM_MAX);
		for (enum checksum_kind other = 0; other < kind; other++)
			assert_string_not_equal(checksum_name(kind), checksum_name(other));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_published),
		cmocka_unit_test(test_xxhash),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
