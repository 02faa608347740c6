/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The shims' scripts, and what fault and trickle do with requests. */
#include "base/bits.h"
#include "base/err.h"
#include "base/rng.h"
#include "engine/shim/delay_script.h"
#include "engine/shim/fault_script.h"
#include "tests/engine/rig.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BLOCK 4096u

/* ---- delay_script ---- */

static const struct {
	const char *text;
	enum dir dir;
	uint64_t least_ns, most_ns; /* of any draw                */
	const char *says;           /* not NULL: the error's text */
} delay_cases[] = {
	{NULL, DIR_READ, 0, 0, NULL},
	{"const:100us", DIR_READ, 100000, 100000, NULL},
	{"const:100", DIR_READ, 100000, 100000, NULL},
	{"const:2ms", DIR_SYNC, 2000000, 2000000, NULL},
	{"uniform:50us:60us", DIR_TRIM, 50000, 60000, NULL},
	{"bimodal:100us/90:5ms/10", DIR_READ, 100000, 5000000, NULL},
	{"bimodal:100us/0:5ms/1", DIR_READ, 5000000, 5000000, NULL},
	{"tail:pareto:100us:1.5:1ms", DIR_READ, 100000, 1000000, NULL},
	{"tail:lognormal:100us:0.5:1ms", DIR_READ, 1, 1000000, NULL},
	{"const:1ms,write@const:2ms", DIR_READ, 1000000, 1000000, NULL},
	{"const:1ms,write@const:2ms", DIR_WRITE, 2000000, 2000000, NULL},
	{"write@const:2ms", DIR_READ, 0, 0, NULL},
	{"const", DIR_READ, 0, 0, "delay_script: const takes one time: const:100us"},
	{"const:1:2", DIR_READ, 0, 0, "const takes one time"},
	{"const:soon", DIR_READ, 0, 0, "delay_script: "},
	{"uniform:5", DIR_READ, 0, 0, "uniform takes two times"},
	{"uniform:5:4", DIR_READ, 0, 0, "uniform: 4 is less than 5"},
	{"bimodal:5", DIR_READ, 0, 0, "bimodal takes times with weights"},
	{"bimodal:5/0", DIR_READ, 0, 0, "at least one weight above 0"},
	{"tail:pareto:100us", DIR_READ, 0, 0,
		"a tail is written tail:pareto:SCALE:SHAPE[:MAX]"},
	{"tail:pareto:100us:0", DIR_READ, 0, 0, "the shape of a tail must be above 0"},
	{"tail:dog:100us:1", DIR_READ, 0, 0, "no tail \"dog\""},
	{"wild:1", DIR_READ, 0, 0,
		"no shape \"wild\"; there are const, uniform, bimodal and tail"},
	{"reed@const:1", DIR_READ, 0, 0, "\"reed\" is not read, write, trim or sync"},
	{"a:b:c:d:e:f:g:h:i", DIR_READ, 0, 0, "more than 8 words in one part"},
};

static void test_delay_script(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(delay_cases); i++) {
		struct delay_script script;
		struct err err = {0};
		struct rng dice;
		int rc = delay_script_parse(delay_cases[i].text, &script, &err);
		if (delay_cases[i].says) {
			if (rc >= 0 || !strstr(err.text, delay_cases[i].says))
				fail_msg("%s: %d, \"%s\"", delay_cases[i].text, rc, err.text);
			continue;
		}
		if (rc < 0)
			fail_msg("%s: %s", delay_cases[i].text, err.text);
		rng_init(&dice, 1);
		for (int n = 0; n < 1000; n++)
			assert_in_range(delay_draw(&script.shape[delay_cases[i].dir], &dice),
				delay_cases[i].least_ns, delay_cases[i].most_ns);
	}
}

/* Shares and quantiles of 100,000 draws against what the names promise. */
static void test_delay_shapes(void **state)
{
	static const struct {
		const char *text;
		uint64_t at_ns;
		double share_below; /* of draws <= at_ns */
	} cases[] = {
		{"bimodal:100us/90:5ms/10", 100000, 0.90},
		{"bimodal:1us/1:2us/1:3us/2", 2000, 0.50}, {"uniform:0:100us", 25000, 0.25},
		{"tail:pareto:100us:1.5", 464159, 0.90}, /* 100 us * 10^(1/1.5) */
		{"tail:lognormal:100us:0.8", 100000, 0.50},
		{"tail:lognormal:100us:0.8", 222554, 0.8413}, /* one sigma           */
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct delay_script script;
		struct rng dice;
		int below = 0;
		assert_int_equal(delay_script_parse(cases[i].text, &script, NULL), 0);
		rng_init(&dice, 42);
		for (int n = 0; n < 100000; n++)
			below += delay_draw(&script.shape[0], &dice) <= cases[i].at_ns;
		const double share = below / 100000.0;
		if (share < cases[i].share_below - 0.01 || share > cases[i].share_below + 0.01)
			fail_msg("%s: %.4f below %llu", cases[i].text, share,
				(unsigned long long)cases[i].at_ns);
	}
}

/* ---- fault_script ---- */

static void test_fault_script_errors(void **state)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{"rate:2:EIO", "fault_script: a rate is between 0 and 1, not 2"},
		{"rate:0.1", "a rule is WHEN:WHAT"},
		{"nth:0:EIO", "nth counts from 1"},
		{"every:0:EIO", "every counts from 1"},
		{"range:1m:1m:EIO", "range: 1m is not behind 1m"},
		{"nth:1:EWHAT", "\"EWHAT\" is no error's name"},
		{"nth:1:EIO:5", "nothing may follow \"EIO\""},
		{"nth:1:short:0", "short:0 is not a number of bytes"},
		{"often:1:EIO",
			"no rule \"often\"; there are rate, every, nth, after and range"},
		{"left@nth:1:EIO", "\"left\" is not read, write, trim or sync"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct fault_script script;
		struct err err = {0};
		int rc = fault_script_parse(cases[i].text, &script, &err);
		if (rc >= 0 || !strstr(err.text, cases[i].says))
			fail_msg("%s: %d, \"%s\"", cases[i].text, rc, err.text);
	}
}

/* Ten reads of one block each, and what becomes of them. */
static void test_fault_results(void **state)
{
	static const struct {
		const char *script;
		int32_t res[10];
	} cases[] = {
		{"fault_script=nth:3:EIO",
			{4096, 4096, -EIO, 4096, 4096, 4096, 4096, 4096, 4096, 4096}},
		{"fault_script=every:4:28",
			{4096, 4096, 4096, -ENOSPC, 4096, 4096, 4096, -ENOSPC, 4096, 4096}},
		{"fault_script=after:8:ETIMEDOUT", {4096, 4096, 4096, 4096, 4096, 4096, 4096,
							   4096, -ETIMEDOUT, -ETIMEDOUT}},
		{"fault_script=range:4k:12k:EIO",
			{4096, -EIO, -EIO, 4096, 4096, 4096, 4096, 4096, 4096, 4096}},
		{"fault_script=range:4095:4096:EIO",
			{-EIO, 4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096}},
		{"fault_script=nth:1:short,nth:2:short:100",
			{2048, 100, 4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096}},
		{"fault_script=nth:2:lost",
			{4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096}},
		{"fault_script=write@nth:2:EIO",
			{4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096}},
		{"fault_script=rate:1:EILSEQ",
			{-EILSEQ, -EILSEQ, -EILSEQ, -EILSEQ, -EILSEQ, -EILSEQ, -EILSEQ, -EILSEQ,
				-EILSEQ, -EILSEQ}},
		{"fault_script=nth:2:EIO,every:2:EAGAIN",
			{4096, -EIO, 4096, -EAGAIN, 4096, -EAGAIN, 4096, -EAGAIN, 4096,
				-EAGAIN}},
	};

	(void)state;
	for (size_t i = 0; i < 2 * COUNT_OF(cases); i++) {
		const bool queued = i % 2;
		const char *const opts[] = {cases[i / 2].script, NULL};
		struct rig rig;
		rig_open(&rig, &(struct rig_want){.chain = "fault(null)",
				       .dir = "/nowhere",
				       .depth = 16,
				       .block = BLOCK,
				       .opts = opts});
		for (uint32_t n = 0; n < 10; n++)
			rig_io(&rig, n, IO_READ, 0, n * BLOCK, BLOCK);
		if (queued)
			rig_do_all(&rig, 10);
		for (uint32_t n = 0; n < 10; n++) {
			int32_t res = queued ? rig.ios[n].res : rig_do(&rig, false, n);
			if (res != cases[i / 2].res[n])
				fail_msg("%s: request %u: %d", cases[i / 2].script, n, res);
			assert_int_equal(rig.ios[n].bytes, BLOCK);
		}
		rig_close(&rig);
	}
	assert_int_equal(rig_failures, 0);
}

static void test_fault_rate(void **state)
{
	const char *const opts[] = {"fault_script=rate:0.1:EIO", NULL};
	struct rig rig;
	int failed = 0;

	(void)state;
	rig_open(&rig, &(struct rig_want){.chain = "fault(null)",
			       .dir = "/nowhere",
			       .depth = 1,
			       .block = BLOCK,
			       .opts = opts,
			       .seed = 9});
	for (int i = 0; i < 20000; i++) {
		rig_io(&rig, 0, IO_READ, 0, 0, BLOCK);
		failed += rig_do(&rig, false, 0) == -EIO;
	}
	rig_close(&rig);
	assert_in_range(failed, 1850, 2150);
}

static int bits_wrong(const char *a, const char *b, size_t n)
{
	int wrong = 0;

	for (size_t i = 0; i < n; i++)
		wrong += __builtin_popcount((unsigned char)(a[i] ^ b[i]));
	return wrong;
}

/* A flipped write is wrong in the file and right in the buffer; a lost one is
 * not in the file; a flipped read is wrong in the buffer only. */
static void test_fault_data(void **state)
{
	const char *const opts[] = {
		"fault_script=write@nth:1:flip,write@nth:2:lost,read@nth:2:flip", NULL};
	char ones[BLOCK], zeros[BLOCK] = {0};
	struct rig rig;

	(void)state;
	memset(ones, 1, sizeof(ones));
	rig_open(&rig, &(struct rig_want){.chain = "fault(psync)",
			       .dir = "/var/tmp",
			       .depth = 2,
			       .block = BLOCK,
			       .bytes = 4 * BLOCK,
			       .opts = opts});
	for (uint32_t n = 0; n < 2; n++) {
		memcpy(rig_io(&rig, 0, IO_WRITE, 0, n * BLOCK, BLOCK)->buf, ones, BLOCK);
		assert_int_equal(rig_do(&rig, false, 0), BLOCK);
		assert_memory_equal(rig_buffer(&rig, 0), ones, BLOCK);
	}
	/* What is in each block, and how many bits of the read differ from it. */
	const struct {
		const char *truth;
		int wrong;
	} blocks[] = {{ones, 1}, {zeros, 1}, {zeros, 0}};
	for (uint32_t n = 0; n < COUNT_OF(blocks); n++) {
		rig_io(&rig, 1, IO_READ, 0, n * BLOCK, BLOCK);
		assert_int_equal(rig_do(&rig, false, 1), BLOCK);
		assert_int_equal(bits_wrong(rig_buffer(&rig, 1), blocks[n].truth, BLOCK),
			blocks[n].wrong);
	}
	rig_close(&rig);
}

static void test_trickle(void **state)
{
	struct rig rig;

	(void)state;
	rig_open(&rig, &(struct rig_want){.chain = "trickle(null)",
			       .dir = "/nowhere",
			       .depth = 8,
			       .block = BLOCK});
	for (uint32_t i = 0; i < 8; i++)
		rig_io(&rig, i, IO_READ, 0, 0, BLOCK);
	assert_int_equal(call_submit(rig.queue, rig.ptr, 8), 8);
	assert_int_equal(call_reap(rig.queue, rig.done, 8, 0, 0), 1);
	assert_int_equal(call_reap(rig.queue, rig.done, 8, 1, UINT64_MAX), 1);
	assert_int_equal(call_reap(rig.queue, rig.done, 8, 3, UINT64_MAX), 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(call_reap(rig.queue, rig.done, 8, 1, UINT64_MAX), 1);
	assert_int_equal(call_reap(rig.queue, rig.done, 8, 1, UINT64_MAX), 0);
	rig_close(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_delay_script),
		cmocka_unit_test(test_delay_shapes),
		cmocka_unit_test(test_fault_script_errors),
		cmocka_unit_test(test_fault_results),
		cmocka_unit_test(test_fault_rate),
		cmocka_unit_test(test_fault_data),
		cmocka_unit_test(test_trickle),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
