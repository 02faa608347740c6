/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Files of studies, sweeps, and the order of runs.  Right values are arithmetic, and the
 * grammar of docs/guide/study.md. */
#include "cmd/study/order.h"
#include "cmd/study/study.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MIX "[workload mix]\nrw = randread\n"

static void refuses_studies(void **state)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{"", "s:1: there is no [workload NAME] in it"},
		{"repeats = 3\n", "s:1: 'repeats' stands before any section"},
		{"[jobs]\n", "s:1: section 'jobs' is unknown; sections are [study], [global]"},
		{"[study\n", "s:1: section '[study' does not end in ']'"},
		{"[study]\n[study]\n", "s:2: [study] is there already"},
		{"[global]\nbs=4k\n[global]\n", "s:3: [global] is there already"},
		{"[study]\nrepeat = 3\n",
			"s:2: 'repeat' is unknown; [study] has repeats, seed"},
		{"[study]\nrepeats = 0\n", "s:2: repeats: 1 to 100000"},
		{"[study]\nrepeats = some\n", "s:2: repeats: "},
		{"[study]\nrepeats = 1\nrepeats = 2\n", "s:3: repeats stands twice"},
		{"[study]\nrepeats =\n", "s:2: repeats has no value"},
		{"[study]\nrepeats = ${WEIR_NO_SUCH:-x\n", "s:2: repeats: '${' without '}'"},
		{"[study]\ncooldown = soon\n", "s:2: cooldown: "},
		{"[study]\non_failure = go\n",
			"s:2: on_failure: 'go' is neither continue nor stop"},
		{"[study]\nsetup_per = day\n",
			"s:2: setup_per: 'day' is neither run nor round"},
		{"[study]\nmetric = max\n", "s:2: metric: 'max' can't decide"},
		{"[study]\ntolerance = 2\n", "s:2: tolerance: '2' is no percentage"},
		{"[variant]\n", "s:1: a variant has a name: [variant NAME]"},
		{"[variant a/b]\n", "s:1: 'a/b': a name of a variant is made of letters"},
		{"[workload ..]\n", "s:1: '..': a name of a workload"},
		{"[variants a]\n", "s:1: section 'variants a' is unknown"},
		{"[variant a]\n[variant b]\n[variant a]\n",
			"s:3: the variant 'a' is there already, in line 1"},
		{"[workload a]\n", "s:1: the workload 'a' has neither job = FILE nor options"},
		{"[workload a]\nbss = 4k\n", "s:2: unknown option 'bss'; did you mean 'bs'?"},
		{"[workload a]\nbs = four\n", "s:2: bs: 'four' is not a size"},
		{"[workload a]\nbs = 4k\nbs = 8k\n",
			"s:3: bs stands twice in this section, first in line 2"},
		{"[workload a]\nname = b\n", "s:2: name: a job is called as its workload"},
		{"[workload a]\ndestroy = /dev/sda\n", "s:2: unknown option 'destroy'"},
		{"[workload a]\njob = no/such.fio\n",
			"s:2: job: no/such.fio: No such file or directory"},
		{"[workload a]\njob\n", "s:2: job has no value"},
		{"[variant a]\njob = x\n", "s:2: job is said of a workload"},
		{"[workload a]\nsetup = true\n", "s:2: commands are said in [global] or of a"},
		{"[variant a]\nsetup\n", "s:2: setup has no value"},
		{"[variant a]\nteardown =\n", "s:2: teardown has no value"},
		{"[workload a]\nenv.X = 1\n", "s:2: env.X: a variable is said in [global]"},
		{"[variant a]\nenv.1X = 1\n", "s:2: env.1X: names no variable"},
		{"[variant a]\nenv.A-B = 1\n", "s:2: env.A-B: names no variable"},
		{"[variant a]\nenv.WEIR_ROUND = 1\n", "s:2: env.WEIR_ROUND: WEIR_... are set"},
		{"[workload a]\nkernel = 6.*\n", "s:2: kernel is said of a variant"},
		{"[variant a]\nkernel = 6.*\nkernel = 5.*\n", "s:3: kernel stands twice"},
		{"[variant a]\nsweep.bs = 4k\n",
			"s:2: sweep.bs: sweeps are said in [global] or of a workload"},
		{"[workload a]\nsweep.bss = 4k\n", "s:2: unknown option 'bss'"},
		{"[workload a]\nsweep.bs = 4k, x\n", "s:2: bs: 'x' is not a size"},
		{"[workload a]\nsweep.bs = 4k,,8k\n", "s:2: sweep.bs: a value is missing"},
		{"[workload a]\nsweep.bs = 4k, 4k\n", "s:2: sweep.bs: '4k' stands twice"},
		{"[workload a]\nsweep.iodepth = 8..1\n",
			"s:2: sweep.iodepth: '8..1' runs back"},
		{"[workload a]\nsweep.iodepth = 1..x\n",
			"s:2: sweep.iodepth: '1..x' is no range of whole numbers"},
		{"[workload a]\nsweep.iodepth = 1..8*1\n",
			"s:2: sweep.iodepth: '*1' is no step"},
		{"[workload a]\nsweep.iodepth = 1..8+0\n",
			"s:2: sweep.iodepth: '+0' is no step"},
		{"[workload a]\nsweep.iodepth = 0..8*2\n",
			"s:2: sweep.iodepth: a range by a factor can't begin at 0"},
		{"[workload a]\nsweep.runtime = 1s..2m\n",
			"s:2: sweep.runtime: '1s..2m': the units don't fit"},
		{"[workload a]\nsweep.iodepth = 1..100000\n",
			"s:2: sweep.iodepth: more than 1000 values"},
		{"[workload a]\nsweep.bs = \"4k,8k\n",
			"s:2: sweep.bs: a '\"' without its other"},
		{"[workload a]\nrw = read\nsweep.iodepth = 1..1000\nsweep.numjobs = 1..11\n",
			"s:1: the sweeps of workload 'a' have more than 10000 points"},
		{"[study]\nrepeats = 100000\n[variant a]\n[variant b]\n" MIX,
			"s:5: these are more than 100000 runs"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct study s;
		struct err e = {0};
		int rc = study_read("s", rows[i].text, strlen(rows[i].text), &s, &e);
		if (rc >= 0 || strncmp(e.text, rows[i].says, strlen(rows[i].says)) != 0)
			fail_msg("'%s': %d '%s'", rows[i].text, rc, e.text);
		study_done(&s);
	}
	struct study s;
	assert_int_equal(study_read("s", "[a]\0", 4, &s, NULL), -EINVAL);
	study_done(&s);
}

static void reads_a_study(void **state)
{
	static const char text[] = "# a comment\n"
				   "[study]\n"
				   "repeats = ${WEIR_NO_SUCH:-2} ; behind a blank\n"
				   "seed = 9\n"
				   "cooldown = 500ms\n"
				   "[global]\n"
				   "env.A = ${HOME}/x\n"
				   "setup = echo one; echo '#' # of the shell\n"
				   "setup = echo two\n"
				   "time_based\n"
				   "sweep.bs = 4k\n"
				   "sweep.iodepth = 1\n"
				   "[variant \"old\"]\n"
				   "kernel = \"6.*\"\n"
				   "[variant new]\n"
				   "filename = ${A}\n"
				   "[workload mix]\n"
				   "rw = randread\n"
				   "sweep.iodepth = 1, 8\n";
	struct study s;

	(void)state;
	assert_int_equal(study_read("s", text, sizeof(text) - 1, &s, NULL), 0);
	assert_int_equal(s.repeats, 2);
	assert_true(s.seeded && s.seed == 9);
	assert_int_equal(s.cooldown_ns, 500000000);
	assert_string_equal(s.global.setup.text, "echo one; echo '#' # of the shell\necho two");
	assert_int_equal(s.global.setup.line, 8);
	assert_string_equal(s.global.env.v[0].value, "${HOME}/x");
	assert_null(s.global.options.v[0].value);
	assert_int_equal(s.variants_count, 2);
	assert_string_equal(s.variants[0].name, "old");
	assert_string_equal(s.variants[0].kernel, "6.*");
	assert_string_equal(s.variants[1].options.v[0].value, "${A}");
	assert_int_equal(s.workloads[0].points, 2);

	struct str point = {0};
	study_point_add(&s.workloads[0], 1, " ", &point);
	assert_string_equal(str_text(&point), "bs=4k iodepth=8"); /* its own, not [global]'s */
	str_done(&point);
	study_done(&s);
}

static void sweeps(void **state)
{
	static const struct {
		const char *text, *values;
	} rows[] = {
		{"1", "1"},
		{"1, 2,8", "1|2|8"},
		{"1..4", "1|2|3|4"},
		{"1..32*2", "1|2|4|8|16|32"},
		{"1..30*2", "1|2|4|8|16"}, /* the end is reached or not passed */
		{"1,2,4..32*2", "1|2|4|8|16|32"},
		{"0..10+5", "0|5|10"},
		{"100..200+50,1k", "100|150|200|1k"},
		{"4k..64k*4", "4k|16k|64k"},
		{"256k..1m*2", "256k|512k|1m"},
		{"512..2k*2", "512|1k|2k"},
		{"1k..3k", "1k|2k|3k"},
		{"1s..3s", "1s|2s|3s"},
		{"4k..12k+4k", "4k|8k|12k"},
		{"\"4k,8k\", 4k", "4k,8k|4k"},
		{"read, randread:8", "read|randread:8"},
		{"18446744073709551614..18446744073709551615",
			"18446744073709551614|18446744073709551615"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct arena a = {0};
		struct study_sweep sweep = {.name = "x"};
		struct str values = {0};
		struct err e = {0};
		if (study_values_read(&a, rows[i].text, &sweep, &e) < 0)
			fail_msg("'%s': %s", rows[i].text, e.text);
		for (uint32_t k = 0; k < sweep.count; k++)
			str_addf(&values, "%s%s", k ? "|" : "", sweep.values[k]);
		assert_string_equal(str_text(&values), rows[i].values);
		str_done(&values);
		arena_done(&a);
	}
}

/* ---- order ---- */

static const char ordered[] = "[study]\nrepeats = 4\n[variant a]\n[variant b]\n[variant c]\n"
			      "[workload x]\nrw = read\nsweep.iodepth = 1..5\n"
			      "[workload y]\nrw = write\n";

static void order_of(struct study *s, const char *more, uint64_t seed, struct study_order *ret)
{
	struct str text = {0};

	str_addf(&text, "%s%s", ordered, more);
	assert_int_equal(study_read("s", str_text(&text), text.len, s, NULL), 0);
	assert_int_equal(order_make(s, seed, ret), 0);
	str_done(&text);
}

/* Each config once a round; the same again of the same seed, another of another. */
static void order_is_a_permutation(void **state)
{
	struct study s;
	struct study_order o, again, other;
	uint32_t moved = 0;

	(void)state;
	order_of(&s, "", 1, &o);
	assert_int_equal(order_make(&s, 1, &again), 0);
	assert_int_equal(order_make(&s, 2, &other), 0);
	assert_int_equal(o.configs_count, 18);
	assert_int_equal(o.runs_count, 72);
	for (uint32_t round = 0; round < 4; round++) {
		uint32_t seen = 0;
		for (uint32_t i = round * 18; i < round * 18 + 18; i++) {
			assert_int_equal(o.runs[i].round, round);
			assert_int_equal(o.runs[i].config, again.runs[i].config);
			moved += o.runs[i].config != other.runs[i].config;
			seen |= 1u << o.runs[i].config;
		}
		assert_int_equal(seen, (1u << 18) - 1);
	}
	assert_true(moved > 36); /* 68 are expected */
	assert_true(memcmp(o.runs, o.runs + 18, 18 * sizeof(*o.runs)) != 0);
	order_done(&o);
	order_done(&again);
	order_done(&other);
	study_done(&s);
}

/* More rounds change nothing of those before. */
static void order_is_extended(void **state)
{
	struct study s;
	struct study_order few, many;

	(void)state;
	order_of(&s, "", 1, &few);
	s.repeats = 9;
	assert_int_equal(order_make(&s, 1, &many), 0);
	for (uint32_t i = 0; i < few.runs_count; i++)
		assert_int_equal(few.runs[i].config, many.runs[i].config);
	order_done(&few);
	order_done(&many);
	study_done(&s);
}

/* With one setup a round a variant's runs are together, in a drawn order of the variants. */
static void order_keeps_groups(void **state)
{
	struct study s;
	struct study_order o;
	bool first[3] = {false};

	(void)state;
	order_of(&s, "", 1, &o);
	order_done(&o);
	s.setup_per_round = true;
	s.repeats = 20;
	assert_int_equal(order_make(&s, 1, &o), 0);
	for (uint32_t i = 0; i < o.runs_count; i++) {
		uint32_t variant = o.configs[o.runs[i].config].variant;
		if (i % 6)
			assert_int_equal(variant, o.configs[o.runs[i - 1].config].variant);
		else if (i % 18 == 0)
			first[variant] = true;
	}
	assert_true(first[0] && first[1] &&
		    first[2]); /* one of them never: 3 (2/3)^20 = 0.1 % */
	order_done(&o);
	study_done(&s);
}

/* 3 of 4 rounds of a config took 2, 3 and 4 s: the last takes 3, and the others what they plan
 * and what those took beyond their plan. */
static void time_left(void **state)
{
	static const char text[] = "[study]\nrepeats = 4\ncooldown = 1\n"
				   "[workload x]\nrw = read\nsweep.iodepth = 1,2\n";
	const bool wanted[1] = {true};
	struct study s;
	struct study_order o;
	double seconds = 2;

	(void)state;
	assert_int_equal(study_read("s", text, sizeof(text) - 1, &s, NULL), 0);
	assert_int_equal(order_make(&s, 1, &o), 0);
	assert_true(order_seconds_left(&s, &o, wanted) < 0);
	o.configs[0].seconds = 2;
	o.configs[1].seconds = 10;
	assert_float_equal(order_seconds_left(&s, &o, wanted), 4 * 2 + 4 * 10 + 8, 1e-9);
	for (uint32_t i = 0; i < 6; i++) {
		if (o.runs[i].config)
			continue;
		o.runs[i].status = RUN_DONE;
		o.runs[i].seconds = seconds++;
	}
	assert_float_equal(order_seconds_left(&s, &o, wanted), 3 + 4 * (10 + 1) + 5, 1e-9);
	order_done(&o);
	study_done(&s);
}

static void directories(void **state)
{
	static const char text[] = "[variant v]\n[workload w]\nrw = read\n"
				   "sweep.filename = a/b, a.b\n";
	struct study s;
	struct study_order o;
	struct str path = {0};

	(void)state;
	assert_int_equal(study_read("s", text, sizeof(text) - 1, &s, NULL), 0);
	assert_int_equal(order_make(&s, 1, &o), 0);
	for (uint32_t c = 0; c < 2; c++) {
		order_config_dir(&s, &o, c, &path);
		str_add_char(&path, ' ');
	}
	assert_string_equal(str_text(&path), "runs/w/filename=a_b~1/v runs/w/filename=a.b/v ");
	str_done(&path);
	order_done(&o);
	study_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_studies),
		cmocka_unit_test(reads_a_study),
		cmocka_unit_test(sweeps),
		cmocka_unit_test(order_is_a_permutation),
		cmocka_unit_test(order_is_extended),
		cmocka_unit_test(order_keeps_groups),
		cmocka_unit_test(time_left),
		cmocka_unit_test(directories),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
