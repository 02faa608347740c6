/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Decoders that look at no machine: NVMe's pages, FIEMAP's extents; and masking of words. */
#include "base/arena.h"
#include "base/bits.h"
#include "base/fact.h"
#include "sys/apart.h"
#include "sys/ata.h"
#include "sys/extents.h"
#include "sys/nvme.h"

#include <errno.h>
#include <linux/fiemap.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- NVMe ---- */

static void put(uint8_t *bytes, unsigned at, unsigned size, uint64_t value)
{
	for (unsigned i = 0; i < size; i++)
		bytes[at + i] = i < 8 ? (uint8_t)(value >> (8 * i)) : 0;
}

static void put_text(uint8_t *bytes, unsigned at, unsigned size, const char *text)
{
	memset(bytes + at, ' ', size);
	memcpy(bytes + at, text, strlen(text));
}

/* Places by the figures of the NVM Express base specification 2.0c: 275 (Identify
 * Controller), 207 (SMART); NVM command set 1.0: 97 (Identify Namespace). */
static void fill_controller(uint8_t *b)
{
	put_text(b, 4, 20, "S3CR3T-77");
	put_text(b, 24, 40, "ACME Fast 400");
	put_text(b, 64, 8, "8EV1");
	b[263] = 4; /* five power states */
	b[265] = 1; /* autonomous transitions (APSTA) */
	put(b, 266, 2, 273 + 80);
	put(b, 268, 2, 273 + 85);
	put(b, 280, 16, UINT64_C(400088457216));
	b[525] = 1;
	put(b, 2048 + 32 * 3 + 8, 4, 500); /* exit latency of state 3 */
	put(b, 2048 + 32 * 4 + 8, 4, 25000);
	put(b, 2048 + 32 * 5 + 8, 4, 99999); /* there is no state 5 */
}

static void fill_namespace(uint8_t *b)
{
	put(b, 8, 8, 97677846);
	put(b, 0, 8, 97677846);
	put(b, 16, 8, 1000);
	b[25] = 1; /* two formats */
	b[26] = 1; /* the second */
	b[33] = 1;
	b[128 + 2] = 9;
	b[128 + 3] = 2; /* 512 bytes: good */
	b[132 + 2] = 12;
	b[132 + 3] = 0; /* 4096: best */
}

static void fill_smart(uint8_t *b)
{
	b[0] = 2;
	put(b, 1, 2, 273 + 71);
	b[3] = 98;
	b[4] = 10;
	b[5] = 7;
	put(b, 32, 16, 1000);
	put(b, 48, 16, 3000);
	put(b, 112, 16, 12);
	put(b, 128, 16, 3456);
	put(b, 160, 16, 5);
	put(b, 192, 4, 17);
	put(b, 216, 4, 3);
	put(b, 228, 4, 44);
}

static void test_controller(void **state)
{
	uint8_t b[NVME_IDENTIFY_BYTES] = {0};
	struct nvme_raw r;

	(void)state;
	nvme_forget(&r);
	fill_controller(b);
	nvme_decode_controller(b, &r);
	assert_string_equal(r.serial, "S3CR3T-77");
	assert_string_equal(r.model, "ACME Fast 400");
	assert_string_equal(r.firmware, "8EV1");
	assert_int_equal(r.power_states, 5);
	assert_int_equal(r.exit_latency_max_us, 25000);
	assert_int_equal(r.temperature_warning_c, 80);
	assert_int_equal(r.temperature_critical_c, 85);
	assert_true(r.capacity_bytes == UINT64_C(400088457216));
	assert_int_equal(r.volatile_cache, 1);
	assert_true(r.temperature_c == FACT_UNKNOWN); /* that is in another page */
}

static void test_namespace(void **state)
{
	uint8_t b[NVME_IDENTIFY_BYTES] = {0};
	struct nvme_raw r;

	(void)state;
	nvme_forget(&r);
	nvme_decode_namespace(b, &r); /* an inactive one is all zeros */
	assert_true(r.namespace_bytes == FACT_UNKNOWN);
	fill_namespace(b);
	nvme_decode_namespace(b, &r);
	assert_true(r.namespace_bytes == UINT64_C(97677846) * 4096);
	assert_int_equal(r.namespace_used_bytes, 1000 * 4096);
	assert_int_equal(r.format_bytes, 4096);
	assert_int_equal(r.format_best, 1);
	assert_int_equal(r.zero_after_discard, 1);
	b[26] = 0;
	nvme_decode_namespace(b, &r);
	assert_int_equal(r.format_bytes, 512);
	assert_int_equal(r.format_best, 0);
}

static void test_smart(void **state)
{
	uint8_t b[NVME_SMART_BYTES] = {0};
	struct nvme_raw r;

	(void)state;
	nvme_forget(&r);
	fill_smart(b);
	nvme_decode_smart(b, &r);
	assert_int_equal(r.critical_warning, 2);
	assert_int_equal(r.temperature_c, 71);
	assert_int_equal(r.spare_percent, 98);
	assert_int_equal(r.spare_threshold_percent, 10);
	assert_int_equal(r.used_percent, 7);
	assert_int_equal(r.read_bytes, 512000000); /* a unit is 1000 * 512 bytes */
	assert_int_equal(r.written_bytes, 1536000000);
	assert_int_equal(r.power_cycles, 12);
	assert_int_equal(r.power_on_hours, 3456);
	assert_int_equal(r.media_errors, 5);
	assert_int_equal(r.warning_minutes, 17);
	assert_int_equal(r.throttle_1_count, 3);
	assert_int_equal(r.throttle_2_s, 44);
	b[48 + 15] = 1; /* beyond 64 bits: as large as can be said, not unknown */
	nvme_decode_smart(b, &r);
	assert_true(r.written_bytes == UINT64_MAX - 1);
}

/* A controller that knows no features and refuses one page. */
static int fake_admin(void *ctx, uint8_t opcode, uint32_t nsid, const uint32_t cdw[2],
	void *data, uint32_t bytes, uint32_t *result)
{
	const bool *refuses = ctx;
	uint32_t cdw10 = cdw[0];

	*result = 0;
	if (data && bytes)
		memset(data, 0, bytes);
	if (opcode == 0x06 && cdw10 == 1 && bytes == 4096)
		fill_controller(data);
	else if (opcode == 0x06 && cdw10 == 0 && nsid == 3)
		fill_namespace(data);
	else if (opcode == 0x02 && (cdw10 & 0xff) == 2 && (cdw10 >> 16) + 1 == bytes / 4 &&
		 !*refuses)
		fill_smart(data);
	else if (opcode == 0x0a && cdw10 == 0x02)
		*result = 0x24; /* state 4, workload hint 1 */
	else if (opcode == 0x0a && cdw10 == 0x0c)
		*result = 1;
	else
		return 2; /* invalid field */
	return 0;
}

static void test_asking(void **state)
{
	bool refuses = false;
	const struct nvme_port port = {fake_admin, &refuses, 3};
	struct nvme_raw r;

	(void)state;
	assert_int_equal(nvme_read(&port, &r), 0);
	assert_int_equal(r.temperature_c, 71);
	assert_int_equal(r.power_state, 4);
	assert_int_equal(r.autonomous_power, 1);
	assert_true(r.volatile_cache_on == FACT_UNKNOWN); /* that feature was refused */
	refuses = true;
	assert_int_equal(nvme_read(&port, &r), 2);
	assert_true(r.temperature_c == FACT_UNKNOWN);
	assert_string_equal(r.firmware, "8EV1"); /* the rest is there */
	assert_int_equal(nvme_read_device("/dev/null", &r), -ENOTTY);
	assert_int_equal(nvme_read_device("/nowhere", &r), -ENOENT);
}

/* ---- ATA ---- */

static void test_ata(void **state)
{
	/* As smartctl 7 prints it, cut down. */
	static const char text[] =
		"{\"smartctl\":{\"version\":[7,3]},\"model_name\":\"OLDDISK 2000\","
		"\"serial_number\":\"S3CR3T\",\"firmware_version\":\"CC43\",\"rotation_rate\":7200,"
		"\"interface_speed\":{\"max\":{\"string\":\"6.0 Gb/s\"},"
		"\"current\":{\"string\":\"3.0 Gb/s\"}},\"smart_status\":{\"passed\":false},"
		"\"ata_smart_attributes\":{\"revision\":10,\"table\":["
		"{\"id\":1,\"raw\":{\"value\":99}},{\"id\":5,\"raw\":{\"value\":12}},"
		"{\"id\":197,\"raw\":{\"value\":3}},{\"id\":199,\"raw\":{\"value\":0}}]},"
		"\"power_on_time\":{\"hours\":34567},\"power_cycle_count\":99,"
		"\"temperature\":{\"current\":41}}";
	struct arena a = {0};
	struct ata_facts f;
	const char *why;

	(void)state;
	assert_int_equal(ata_decode(&a, text, &f, &why), 0);
	assert_string_equal(f.model, "OLDDISK 2000");
	assert_string_equal(f.link_speed, "3.0 Gb/s");
	assert_string_equal(f.link_speed_possible, "6.0 Gb/s");
	assert_int_equal(f.passed, 0);
	assert_int_equal(f.rotation_per_minute, 7200);
	assert_int_equal(f.reallocated_sectors, 12);
	assert_int_equal(f.pending_sectors, 3);
	assert_true(f.uncorrectable_sectors == FACT_UNKNOWN);
	assert_int_equal(f.link_errors, 0);
	assert_int_equal(f.power_on_hours, 34567);
	assert_int_equal(f.temperature_c, 41);
	assert_int_equal(ata_decode(&a, "{\"smartctl\":{}}", &f, &why), -EINVAL);
	assert_int_equal(ata_decode(&a, "[1,", &f, &why), -EINVAL);
	assert_int_equal(ata_decode(&a, "", &f, &why), -EINVAL);
	arena_done(&a);
}

/* ---- extents ---- */

static void test_extents(void **state)
{
	/* A hole of 4, written 8, unwritten 4, a hole of 4, written 8 that is shared and
	 * reaches beyond the end. */
	static const struct extent v[] = {
		{4096, 8192, 0},
		{12288, 4096, FIEMAP_EXTENT_UNWRITTEN},
		{20480, 8192,
			FIEMAP_EXTENT_SHARED | FIEMAP_EXTENT_ENCODED | FIEMAP_EXTENT_LAST},
	};
	struct extents e = {.bytes = 24576};
	uint64_t position = 0;

	(void)state;
	extents_add(&e, v, 2, &position); /* in two batches */
	extents_add(&e, v + 2, 1, &position);
	extents_end(&e, position);
	assert_int_equal(e.count, 3);
	assert_int_equal(e.written, 8192 + 4096);
	assert_int_equal(e.unwritten, 4096);
	assert_int_equal(e.holes, 4096 + 4096);
	assert_int_equal(e.shared, 4096);
	assert_int_equal(e.encoded, 4096);
	assert_int_equal(e.written + e.unwritten + e.holes, e.bytes);
	assert_true(e.complete);

	e = (struct extents){.bytes = 1000}; /* nothing but a hole */
	extents_end(&e, 0);
	assert_int_equal(e.holes, 1000);
}

/* ---- a process of its own ---- */

static int answer(void *ctx, void *room)
{
	*(int *)room = *(const int *)ctx;
	return 7;
}

static int hang(void *ctx, void *room)
{
	(void)ctx;
	*(int *)room = 5;
	for (;;)
		pause();
	return 0;
}

static int die(void *ctx, void *room)
{
	(void)ctx, (void)room;
	_exit(3);
	return 0;
}

static void test_apart(void **state)
{
	int in = 42, room = 0;

	(void)state;
	assert_int_equal(apart_run(answer, &in, &room, sizeof(room), 10 * NS_PER_S), 7);
	assert_int_equal(room, 42);
	assert_int_equal(apart_run(hang, NULL, &room, sizeof(room), 200 * NS_PER_MS),
		-ETIMEDOUT);
	assert_int_equal(room, 5); /* what was known by then */
	assert_int_equal(apart_run(die, NULL, &room, sizeof(room), 10 * NS_PER_S), -EIO);
}

/* ---- words ---- */

static void test_mask_text(void **state)
{
	static const struct {
		const char *text, *host, *want;
	} cases[] = {
		{"box", "box", "(host)"},
		{"box:/x on box.lan, box", "box", "(host):/x on (host).lan, (host)"},
		{"boxes inbox my-box box_2", "box", "boxes inbox my-box box_2"},
		{"an ab", "ab", "an ab"}, /* too short to be told from a word */
		{"text", NULL, "text"},
	};
	struct arena a = {0};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_string_equal(fact_mask_text(cases[i].text, cases[i].host, &a),
			cases[i].want);
	arena_done(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_controller),
		cmocka_unit_test(test_namespace),
		cmocka_unit_test(test_smart),
		cmocka_unit_test(test_asking),
		cmocka_unit_test(test_ata),
		cmocka_unit_test(test_extents),
		cmocka_unit_test(test_apart),
		cmocka_unit_test(test_mask_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
