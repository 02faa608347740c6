/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Engine names and chains: reads as the specification of ioengine=. */
#include "base/bits.h"
#include "base/err.h"
#include "engine/engine.h"
#include "opt/opt.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct {
	const char *text;
	const char *base; /* NULL: an error */
	uint32_t count;
	const char *says;
} cases[] = {
	{"psync", "psync", 1, NULL},
	{"delay(psync)", "psync", 2, NULL},
	{"fault(delay(null))", "null", 3, NULL},
	{"one_at_a_time(null)", "null", 2, NULL},
	{"trickle(trickle(trickle(trickle(trickle(trickle(trickle(null)))))))", "null", 8,
		NULL},
	{"trickle(trickle(trickle(trickle(trickle(trickle(trickle(trickle(null))))))))", NULL,
		0, "more than 8 engines in one another"},
	{"", NULL, 0, "an engine's name is missing"},
	{"psnyc", NULL, 0, "did you mean \"psync\"?"},
	{"pvsync3", NULL, 0, "did you mean \"pvsync"},
	{"xyzzy", NULL, 0, "there is no engine \"xyzzy\"; "},
	{"rbd", NULL, 0,
		"weir doesn't have fio's engine \"rbd\" (Ceph block devices, by librbd) yet"},
	{"PSYNC", NULL, 0, "there is no engine \"PSYNC\""},
	{"an_engine_with_a_name_beyond_all_reason", NULL, 0, "so long a name"},
	{"delay", NULL, 0,
		"delay wraps another engine and does no I/O itself; write delay(psync)"},
	{"delay()", NULL, 0, "an engine's name is missing at \")\""},
	{"delay(psync", NULL, 0, "a \")\" is missing at the end"},
	{"delay(psync))", NULL, 0, "what follows the engine makes no sense"},
	{"delay(psync)x", NULL, 0, "what follows the engine makes no sense"},
	{"psync)", NULL, 0, "what follows the engine makes no sense"},
	{"psync(null)", NULL, 0, "psync wraps nothing"},
	{"(psync)", NULL, 0, "an engine's name is missing at \"(psync)\""},
};

static void test_chains(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct engine_chain chain = {0};
		struct err err = {0};
		int rc = engine_chain_parse(cases[i].text, &chain, &err);
		if (cases[i].base) {
			assert_int_equal(rc, 0);
			assert_string_equal(engine_chain_base(&chain)->name, cases[i].base);
			assert_int_equal(chain.count, cases[i].count);
			continue;
		}
		if (rc >= 0 || !strstr(err.text, cases[i].says))
			fail_msg("\"%s\": %d, \"%s\"", cases[i].text, rc, err.text);
		assert_int_equal(err.code, rc);
		assert_int_equal(chain.count, 0); /* written only on success */
	}
}

static void test_find(void **state)
{
	(void)state;
	assert_string_equal(engine_find("null")->name, "null");
	assert_null(engine_find("nul"));
	assert_null(engine_find(""));
	/* fio takes whatever begins so for libaio. */
	if (engine_find("libaio")) {
		assert_string_equal(engine_find("linuxaio")->name, "libaio");
		assert_string_equal(engine_find("aio")->name, "libaio");
		assert_string_equal(engine_find("aioxyz")->name, "libaio");
		assert_null(engine_find("libaio2"));
	}
}

/* What every entry owes to those who walk the list. */
static void test_entries(void **state)
{
	(void)state;
	for (size_t i = 0; i < engines_count; i++) {
		const struct engine *e = engines[i];
		assert_ptr_equal(engine_find(e->name), e);
		assert_true(e->help && strlen(e->help) > 10 && strlen(e->help) < 80);
		assert_true(e->perform || e->submit);
		assert_true(!e->submit == !e->reap);
		assert_non_null(e->target);
		assert_true(!e->opts || (e->opts->engine && !strcmp(e->opts->engine, e->name)));
		assert_true(!e->shim || e->flags & ENGINE_HIDDEN);
		assert_true(!e->shim || !e->target_size); /* targets are the base's */
	}
}

static void test_capabilities(void **state)
{
	struct engine_chain chain;

	(void)state;
	assert_int_equal(engine_chain_parse("fault(delay(psync))", &chain, NULL), 0);
	assert_true(engine_chain_can_perform(&chain));
	assert_false(engine_chain_can_queue(&chain));
	assert_int_equal(engine_chain_parse("trace(posixaio)", &chain, NULL), 0);
	assert_false(engine_chain_can_perform(&chain));
	assert_true(engine_chain_can_queue(&chain));
	assert_int_equal(engine_chain_parse("null", &chain, NULL), 0);
	assert_true(engine_chain_can_perform(&chain) && engine_chain_can_queue(&chain));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chains),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_entries),
		cmocka_unit_test(test_capabilities),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
