/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What options become in a plan, where that depends on the machine or is a number
 * worth a line of its own; tests/golden/plan-* show whole parts. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/bits.h"
#include "plan-fake.h"

#define KIB (UINT64_C(1) << 10)
#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

#define GETTER(name, expr)                                                                     \
	static uint64_t get_##name(const struct plan *p, const struct plan_worker *w)          \
	{                                                                                      \
		(void)p;                                                                       \
		(void)w;                                                                       \
		return (uint64_t)(expr);                                                       \
	}

GETTER(start, w->pattern.regions[0].start)
GETTER(bytes, w->pattern.regions[0].bytes)
GETTER(amount, w->amount.bytes)
GETTER(ios, w->amount.ios)
GETTER(loops, w->amount.loops)
GETTER(wanted, p->targets[w->files.targets[0]].bytes_wanted)
GETTER(align, w->queue.buffer_align)
GETTER(buffer, w->queue.buffer_bytes)
GETTER(direct, w->files.how.direct)
GETTER(advice, w->files.how.advice)
GETTER(depth, w->queue.depth)
GETTER(perform, w->queue.use_perform)
GETTER(slat, w->measure.slat)
GETTER(targets, p->targets_count)
GETTER(no_layout, p->targets[0].no_layout)
GETTER(fill, p->targets[0].fill)
GETTER(create, p->targets[0].create)
GETTER(mounted, p->targets[0].allow_mounted)
GETTER(cpus, w->place.cpus.bits[0])
GETTER(row, w->row)
GETTER(group, w->group)
GETTER(wave, w->wave)
GETTER(clone, w->clone)
GETTER(waits, w->end.wait_count)
GETTER(waits_first, w->end.wait_count ? w->end.wait_for[0] : UINT32_MAX)
GETTER(exitall, w->end.exitall)
GETTER(seconds, p->seconds_max)
GETTER(descriptors, p->descriptors)
GETTER(clock, p->clock)
GETTER(quantum, w->rate.quantum_ns)
GETTER(interval, w->measure.interval_ns)
GETTER(weight, w->pattern.size[DIR_READ].splits[0].weight)
GETTER(weights, w->pattern.size[DIR_READ].splits_count)
GETTER(coverage, w->pattern.coverage)

struct value_case {
	const char *line;
	uint32_t worker;
	uint64_t (*get)(const struct plan *p, const struct plan_worker *w);
	uint64_t want;
};

static const struct value_case values[] = {
	/* a device is as large as it is */
	{"name=a filename=/dev/disk", 0, get_bytes, GIB},
	{"name=a filename=/dev/disk size=2g", 0, get_bytes, GIB},
	{"name=a filename=/dev/disk size=2g offset=256m", 0, get_bytes, 768 * MIB},
	{"name=a filename=/dev/disk size=64m offset=256m", 0, get_bytes, 64 * MIB},
	{"name=a filename=/dev/disk size=25%", 0, get_bytes, 256 * MIB},
	{"name=a filename=/dev/disk size=75% offset=50%", 0, get_bytes, 512 * MIB},
	{"name=a filename=/dev/disk offset=50%", 0, get_start, 512 * MIB},
	{"name=a filename=/dev/disk:/dev/big size=100m", 0, get_bytes, 50 * MIB},
	{"name=a filename=/dev/disk offset_increment=25% numjobs=4 size=1m", 1, get_start,
		768 * MIB},
	{"name=a filename=/dev/disk offset_increment=25% numjobs=4 size=1m", 3, get_start,
		256 * MIB},
	{"name=a filename=/dev/zero size=1m rw=write", 0, get_bytes, MIB},
	/* a file that is there */
	{"name=a filename=there", 0, get_bytes, MIB},
	{"name=a filename=there size=4m", 0, get_bytes, 4 * MIB},
	{"name=a filename=there size=4m", 0, get_wanted, 4 * MIB},
	{"name=a filename=there size=64k offset=64k", 0, get_wanted, 128 * KIB},
	{"name=a filename=there size=50%", 0, get_bytes, 512 * KIB},
	{"name=a filename=there filesize=2m size=1m", 0, get_wanted, 2 * MIB},
	{"name=a filename=there filesize=512k-2m", 0, get_bytes, MIB},
	{"name=a filename=there io_size=25%", 0, get_amount, 256 * KIB},
	/* a job called like a device uses it, one like a directory does not */
	{"name=/dev/disk", 0, get_bytes, GIB},
	{"name=dir size=1m", 0, get_bytes, MIB},
	/* budgets */
	{"name=a size=100k bs=64k", 0, get_amount, 64 * KIB},
	{"name=a size=100k bs=64k loops=3", 0, get_amount, 192 * KIB},
	{"name=a size=256k bs=64k io_size=400k", 0, get_amount, 400 * KIB},
	{"name=a size=256k bs=64k io_size=400k", 0, get_loops, 2},
	{"name=a size=256k io_size=64k loops=8", 0, get_loops, 2},
	{"name=a size=1m loops=0", 0, get_loops, 1},
	{"name=a size=1m number_ios=3 loops=2", 0, get_ios, 6},
	{"name=a size=1m time_based runtime=1 number_ios=3", 0, get_ios, UINT64_MAX},
	{"name=a size=1m time_based runtime=1", 0, get_amount, UINT64_MAX},
	{"name=a size=1m time_based", 0, get_amount, MIB},
	{"name=a filename=/dev/disk rw=trimwrite size=1m", 0, get_amount, 2 * MIB},
	{"name=a filename=/dev/disk rw=trimwrite size=1m io_size=64k", 0, get_amount,
		128 * KIB},
	{"name=a fill_device=1 rw=write", 0, get_amount, UINT64_MAX},
	{"name=a fill_device=1 rw=write size=1m", 0, get_amount, MIB},
	{"name=a fill_device=1 rw=write", 0, get_wanted, 0},
	/* alignment */
	{"name=a filename=/dev/big direct=1 bs=8k", 0, get_align, 4096},
	{"name=a filename=/dev/disk bs=1000", 0, get_buffer, 4096},
	{"name=a filename=/dev/disk direct=1", 0, get_direct, 1},
	{"name=a filename=/dev/disk direct=1 buffered=1", 0, get_direct, 0},
	{"name=a filename=/dev/disk buffered=0", 0, get_direct, 1},
	{"name=a filename=/dev/disk direct=1 ioengine=mmap", 0, get_direct, 0},
	{"name=a filename=/dev/disk rw=randread", 0, get_advice, POSIX_FADV_RANDOM},
	{"name=a filename=/dev/disk rw=randread fadvise_hint=0", 0, get_advice, (uint64_t)-1},
	/* queues */
	{"name=a size=1m iodepth=8", 0, get_depth, 1},
	{"name=a size=1m iodepth=8 ioengine=null", 0, get_depth, 8},
	{"name=a size=1m ioengine=null", 0, get_perform, 1},
	{"name=a size=1m ioengine=null iodepth=2", 0, get_perform, 0},
	{"name=a size=1m ioengine=null", 0, get_slat, 0},
	{"name=a size=1m ioengine=null iodepth=2", 0, get_slat, 1},
	/* targets are unique by path; who needs it decides its layout */
	{"name=a size=1m numjobs=3 filename=x", 0, get_targets, 1},
	{"name=a size=1m numjobs=3", 0, get_targets, 3},
	{"name=a size=1m filename=x ioengine=null name=b size=2m filename=x", 0, get_targets,
		1},
	{"name=a size=1m filename=x ioengine=null", 0, get_no_layout, 1},
	{"name=a size=1m filename=x ioengine=null name=b size=2m filename=x", 0, get_no_layout,
		0},
	{"name=a size=1m filename=x create_on_open=1 name=b size=2m filename=x", 0,
		get_no_layout, 0},
	{"name=a size=1m rw=write", 0, get_fill, 0},
	{"name=a size=1m rw=read", 0, get_fill, 1},
	{"name=a size=1m rw=write overwrite=1", 0, get_fill, 1},
	{"name=a size=1m rw=write ioengine=mmap", 0, get_fill, 1},
	{"name=a size=1m filename=x rw=write name=b size=1m filename=x rw=read", 0, get_fill,
		1},
	{"name=a filename=there rw=write allow_file_create=0", 0, get_create, 0},
	{"name=a filename=/dev/disk rw=write allow_mounted_write=1", 0, get_mounted, 0},
	/* places */
	{"name=a size=1m cpus_allowed=0,2-3", 0, get_cpus, 13},
	{"name=a size=1m cpumask=6", 0, get_cpus, 6},
	{"name=a size=1m cpumask=6 cpus_allowed=1", 0, get_cpus, 2},
	{"name=a size=1m cpus_allowed=1,3 cpus_allowed_policy=split numjobs=3", 0, get_cpus, 2},
	{"name=a size=1m cpus_allowed=1,3 cpus_allowed_policy=split numjobs=3", 1, get_cpus, 8},
	{"name=a size=1m cpus_allowed=1,3 cpus_allowed_policy=split numjobs=3", 2, get_cpus, 2},
	/* crew */
	{"size=1m stonewall name=a numjobs=2 name=b", 1, get_wave, 0},
	{"size=1m stonewall name=a numjobs=2 name=b", 2, get_wave, 1},
	{"size=1m name=a new_group name=b new_group", 0, get_group, 0},
	{"size=1m name=a new_group name=b new_group", 1, get_group, 1},
	{"size=1m name=a new_group name=b new_group", 1, get_wave, 0},
	{"size=1m name=a name=b numjobs=2 name=c group_reporting", 3, get_row, 2},
	{"size=1m group_reporting name=a name=b stonewall", 1, get_row, 1},
	{"size=1m name=a numjobs=3", 1, get_clone, 2},
	{"size=1m name=a numjobs=3 name=b wait_for=a", 3, get_waits, 3},
	{"size=1m name=z name=a numjobs=3 name=b wait_for=a numjobs=2", 5, get_waits_first, 1},
	{"size=1m name=a name=b exitall", 0, get_exitall, 1},
	/* times */
	{"size=1m runtime=10 name=a name=b", 0, get_seconds, 10},
	{"size=1m runtime=10 name=a name=b stonewall ramp_time=2", 0, get_seconds, 22},
	{"size=1m runtime=10 startdelay=15 name=a name=b stonewall", 0, get_seconds, 35},
	{"size=1m runtime=10 name=a numjobs=2 name=b wait_for=a", 0, get_seconds, 20},
	{"size=1m runtime=10 name=a name=b runtime=0", 0, get_seconds, 0},
	{"size=1m name=a clocksource=cpu", 0, get_clock, CLOCK_TSC},
	{"size=1m name=a rate_iops=49999", 0, get_quantum, 0},
	{"size=1m name=a rate_iops=25000 rw=randrw", 0, get_quantum, 10000},
	{"size=1m name=a bwavgtime=2000 iopsavgtime=3000", 0, get_interval, NS_PER_S},
	{"size=1m name=a bwavgtime=1500 iopsavgtime=1500", 0, get_interval, 750 * NS_PER_MS},
	{"size=1m name=a bwavgtime=10", 0, get_interval, 10 * NS_PER_MS},
	/* descriptors: of the largest process; threads of a wave share one */
	{"size=1m name=a nrfiles=10", 0, get_descriptors, 19},
	{"size=1m name=a nrfiles=10 openfiles=4", 0, get_descriptors, 13},
	{"size=1m name=a nrfiles=10 numjobs=5", 0, get_descriptors, 19},
	{"size=1m name=a nrfiles=10 numjobs=5 thread", 0, get_descriptors, 63},
	{"size=1m name=a ioengine=null", 0, get_descriptors, 9},
	/* splits */
	{"size=10m name=a bssplit=4k/0:8k/30:16k/20", 0, get_weights, 2},
	{"size=10m name=a bssplit=4k/0:8k/30:16k/20", 0, get_weight, 80},
	{"size=10m name=a bssplit=4k/:8k/", 0, get_weight, 50},
	{"size=10m name=a rw=randread ba=512", 0, get_coverage, 0},
	{"size=10m name=a rw=randread bs=8k ba=8k", 0, get_coverage, 1},
	{"size=10m name=a rw=randread norandommap=1", 0, get_coverage, 0},
	{"size=10m name=a rw=randread random_distribution=zipf:1.2", 0, get_coverage, 0},
};

static void test_values(void **state)
{
	(void)state;
	unsigned wrong = 0;

	for (size_t i = 0; i < COUNT_OF(values); i++) {
		const struct value_case *c = &values[i];
		struct fake f;
		fake_plan(&f, c->line, NULL);
		if (!f.plan) {
			fprintf(stderr, "%s\n  refused: %s\n", c->line, f.err.text);
			wrong++;
		} else {
			uint64_t got = c->get(f.plan, fake_worker(&f, c->worker));
			if (got != c->want) {
				fprintf(stderr, "%s\n  worker %u: got %llu, want %llu\n",
					c->line, c->worker, (unsigned long long)got,
					(unsigned long long)c->want);
				wrong++;
			}
		}
		fake_done(&f);
	}
	assert_int_equal(wrong, 0);
}

/* As fio: the consent in a job counts, and too much of a split is cut. */
static void test_as_fio(void **state)
{
	const struct plan_facts facts = {.cpus = 4, .page_bytes = 4096};
	struct fake f;

	(void)state;
	fake_plan(&f, "name=a filename=/dev/disk rw=write allow_mounted_write=1", &facts);
	assert_non_null(f.plan);
	assert_true(f.plan->targets[0].allow_mounted);
	fake_done(&f);

	/* but all who write must agree */
	fake_plan(&f,
		"filename=/dev/disk rw=write name=a allow_mounted_write=1 name=b "
		"name=c allow_mounted_write=1",
		&facts);
	assert_non_null(f.plan);
	assert_false(f.plan->targets[0].allow_mounted);
	fake_done(&f);

	fake_plan(&f, "name=a size=1m bssplit=4k/70:1k/60", &facts);
	assert_non_null(f.plan);
	const struct size_spec *size = &fake_worker(&f, 0)->pattern.size[DIR_READ];
	assert_int_equal(size->splits_count, 2);
	assert_int_equal(size->splits[0].weight, 70);
	assert_int_equal(size->splits[1].weight, 30);
	fake_done(&f);
}

/* Seeds come from the job's number, and from the machine only when asked. */
static void test_seeds(void **state)
{
	const struct plan_facts one = {.cpus = 4, .page_bytes = 4096, .entropy = 1};
	const struct plan_facts two = {.cpus = 4, .page_bytes = 4096, .entropy = 2};
	struct fake a, b;

	(void)state;
	fake_plan(&a, "name=a size=1m numjobs=2 startdelay=1-1000", &one);
	fake_plan(&b, "name=other size=2m numjobs=2 startdelay=1-1000", &two);
	assert_int_equal(fake_worker(&a, 0)->pattern.seed, fake_worker(&b, 0)->pattern.seed);
	assert_int_equal(fake_worker(&a, 1)->time.delay_ns, fake_worker(&b, 1)->time.delay_ns);
	assert_int_not_equal(fake_worker(&a, 0)->pattern.seed,
		fake_worker(&a, 1)->pattern.seed);
	assert_int_not_equal(fake_worker(&a, 0)->pattern.seed, fake_worker(&a, 0)->data.seed);
	assert_int_not_equal(fake_worker(&a, 0)->time.delay_ns,
		fake_worker(&a, 1)->time.delay_ns);
	fake_done(&a);
	fake_done(&b);

	fake_plan(&a, "name=a size=1m randrepeat=0", &one);
	fake_plan(&b, "name=a size=1m randrepeat=0", &two);
	assert_int_not_equal(fake_worker(&a, 0)->pattern.seed,
		fake_worker(&b, 0)->pattern.seed);
	fake_done(&a);
	fake_done(&b);

	fake_plan(&a, "name=a size=1m randrepeat=0 randseed=9", &one);
	fake_plan(&b, "name=a size=1m randseed=9", &two);
	assert_int_equal(fake_worker(&a, 0)->pattern.seed, fake_worker(&b, 0)->pattern.seed);
	assert_false(fake_worker(&b, 0)->pattern.repeat);
	fake_done(&a);
	fake_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_as_fio),
		cmocka_unit_test(test_seeds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
