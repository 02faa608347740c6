/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The option rows of plan/: fio's names are all known, each preset is good, and each
 * value printed is read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "opt/opt.h"

/* fio 3.42's job options (engines' own are not among them). */
static const char *const fio_names[] = {
	"name",
	"description",
	"loops",
	"numjobs",
	"kb_base",
	"unit_base",
	"runtime",
	"time_based",
	"startdelay",
	"ramp_time",
	"ramp_size",
	"clocksource",
	"gtod_reduce",
	"gtod_cpu",
	"job_start_clock_id",
	"directory",
	"filename",
	"filename_format",
	"unique_filename",
	"filetype",
	"opendir",
	"lockfile",
	"nrfiles",
	"openfiles",
	"file_service_type",
	"ioscheduler",
	"create_serialize",
	"create_fsync",
	"create_on_open",
	"create_only",
	"allow_file_create",
	"allow_mounted_write",
	"pre_read",
	"unlink",
	"unlink_each_loop",
	"file_append",
	"fallocate",
	"fadvise_hint",
	"write_hint",
	"overwrite",
	"invalidate",
	"filesize",
	"size",
	"io_size",
	"fill_device",
	"number_ios",
	"offset",
	"offset_align",
	"offset_increment",
	"direct",
	"buffered",
	"atomic",
	"sync",
	"rw",
	"rw_sequencer",
	"unified_rw_reporting",
	"randrepeat",
	"randseed",
	"rwmixread",
	"rwmixwrite",
	"random_distribution",
	"random_sequence_stride",
	"percentage_random",
	"percentage_sequential",
	"rwmixcycle",
	"norandommap",
	"softrandommap",
	"random_generator",
	"sprandom",
	"spr_num_regions",
	"spr_op",
	"spr_cs",
	"fsync",
	"fdatasync",
	"sync_file_range",
	"write_barrier",
	"end_fsync",
	"end_syncfs",
	"fsync_on_close",
	"num_range",
	"bs",
	"bsrange",
	"bssplit",
	"bs_unaligned",
	"bs_is_seq_rand",
	"ba",
	"zero_buffers",
	"refill_buffers",
	"scramble_buffers",
	"buffer_compress_percentage",
	"buffer_compress_chunk",
	"buffer_pattern",
	"dedupe_percentage",
	"dedupe_mode",
	"dedupe_working_set_percentage",
	"dedupe_global",
	"mem",
	"iomem_align",
	"hugepage-size",
	"lockmem",
	"gpu_dev_id",
	"ioengine",
	"iodepth",
	"iodepth_batch",
	"iodepth_batch_complete_min",
	"iodepth_batch_complete_max",
	"iodepth_low",
	"serialize_overlap",
	"io_submit_mode",
	"rate",
	"rate_iops",
	"rate_min",
	"rate_iops_min",
	"rate_process",
	"rate_cycle",
	"rate_ignore_thinktime",
	"thinktime",
	"thinktime_spin",
	"thinkcycles",
	"thinktime_blocks",
	"thinktime_blocks_type",
	"thinktime_iotime",
	"latency_target",
	"latency_window",
	"latency_percentile",
	"latency_run",
	"max_latency",
	"write_iolog",
	"read_iolog",
	"read_iolog_chunked",
	"merge_blktrace_file",
	"merge_blktrace_scalars",
	"merge_blktrace_iters",
	"replay_no_stall",
	"replay_time_scale",
	"replay_redirect",
	"replay_align",
	"replay_scale",
	"replay_skip",
	"thread",
	"group_reporting",
	"new_group",
	"stonewall",
	"wait_for",
	"exitall",
	"exit_what",
	"exec_prerun",
	"exec_postrun",
	"uid",
	"gid",
	"nice",
	"comm",
	"cpus_allowed",
	"cpus_allowed_policy",
	"cpumask",
	"numa_cpu_nodes",
	"numa_mem_policy",
	"cgroup",
	"cgroup_weight",
	"cgroup_nodelete",
	"prio",
	"prioclass",
	"priohint",
	"flow_id",
	"flow",
	"flow_sleep",
	"flow_watermark",
	"verify",
	"do_verify",
	"verify_only",
	"verify_policy",
	"verify_pattern",
	"verify_pattern_interval",
	"verify_interval",
	"verify_offset",
	"verify_fatal",
	"verify_dump",
	"verify_async",
	"verify_async_cpus",
	"verify_backlog",
	"verify_backlog_batch",
	"verify_state_save",
	"verify_state_load",
	"experimental_verify",
	"verify_write_sequence",
	"verify_header_seed",
	"verifysort",
	"verifysort_nr",
	"trim_percentage",
	"trim_verify_zero",
	"trim_backlog",
	"trim_backlog_batch",
	"steadystate",
	"steadystate_duration",
	"steadystate_ramp_time",
	"steadystate_check_interval",
	"write_bw_log",
	"write_iops_log",
	"write_lat_log",
	"write_hist_log",
	"per_job_logs",
	"log_avg_msec",
	"log_hist_msec",
	"log_hist_coarseness",
	"log_window_value",
	"log_offset",
	"log_prio",
	"log_issue_time",
	"log_entries",
	"log_compression",
	"log_compression_cpus",
	"log_store_compressed",
	"log_alternate_epoch",
	"log_alternate_epoch_clock_id",
	"bwavgtime",
	"iopsavgtime",
	"block_error_percentiles",
	"stats",
	"disk_util",
	"disable_lat",
	"disable_clat",
	"disable_slat",
	"disable_bw_measurement",
	"clat_percentiles",
	"lat_percentiles",
	"slat_percentiles",
	"percentile_list",
	"significant_figures",
	"continue_on_error",
	"ignore_error",
	"error_dump",
	"exitall_on_error",
	"profile",
	"zonemode",
	"zonesize",
	"zonerange",
	"zoneskip",
	"zonecapacity",
	"read_beyond_wp",
	"max_open_zones",
	"job_max_open_zones",
	"ignore_zone_limits",
	"zone_reset_threshold",
	"zone_reset_frequency",
	"recover_zbd_write_error",
	"write_zone_remainder",
	"fdp",
	"dataplacement",
	"plid_select",
	"plids",
	"dp_scheme",
};

/* Its second names. */
static const char *const fio_aliases[][2] = {
	{"allrandrepeat", "randrepeat"},
	{"blockalign", "ba"},
	{"blocksize", "bs"},
	{"blocksize_range", "bsrange"},
	{"blocksize_unaligned", "bs_unaligned"},
	{"data_placement", "dataplacement"},
	{"disable_bw", "disable_bw_measurement"},
	{"fdp_pli", "plids"},
	{"fdp_pli_select", "plid_select"},
	{"fileoffset", "offset"},
	{"fill_fs", "fill_device"},
	{"io_limit", "io_size"},
	{"iodepth_batch_complete", "iodepth_batch_complete_min"},
	{"iodepth_batch_submit", "iodepth_batch"},
	{"iomem", "mem"},
	{"log_max_value", "log_window_value"},
	{"log_unix_epoch", "log_alternate_epoch"},
	{"mem_align", "iomem_align"},
	{"nr_files", "nrfiles"},
	{"ratecycle", "rate_cycle"},
	{"ratemin", "rate_min"},
	{"readwrite", "rw"},
	{"ss", "steadystate"},
	{"ss_dur", "steadystate_duration"},
	{"ss_interval", "steadystate_check_interval"},
	{"ss_ramp", "steadystate_ramp_time"},
	{"timeout", "runtime"},
	{"wait_for_previous", "stonewall"},
};

static void test_names(void **state)
{
	struct opt_found found;
	unsigned missing = 0;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(fio_names); i++) {
		if (opt_find(fio_names[i], "", &found) &&
			!strcmp(found.row->name, fio_names[i]))
			continue;
		fprintf(stderr, "%s is not known\n", fio_names[i]);
		missing++;
	}
	for (size_t i = 0; i < COUNT_OF(fio_aliases); i++) {
		if (opt_find(fio_aliases[i][0], "", &found) &&
			!strcmp(found.row->name, fio_aliases[i][1]))
			continue;
		fprintf(stderr, "%s is not %s\n", fio_aliases[i][0], fio_aliases[i][1]);
		missing++;
	}
	assert_int_equal(missing, 0);
	assert_int_equal(COUNT_OF(fio_names), 251);
	assert_int_equal(COUNT_OF(fio_aliases), 28);
}

/* No name or alias stands twice among what one job can use. */
static void test_unique(void **state)
{
	(void)state;
	for (size_t g = 0; g < opt_groups_count; g++) {
		for (size_t i = 0; i < opt_groups[g]->count; i++) {
			const struct opt *row = &opt_groups[g]->rows[i];
			const char *engine = opt_groups[g]->engine ? opt_groups[g]->engine : "";
			struct opt_found found;
			assert_true(opt_find(row->name, engine, &found));
			if (found.row != row)
				fail_msg("%s stands twice", row->name);
			for (size_t a = 0; a < COUNT_OF(row->alias) && row->alias[a]; a++) {
				assert_true(opt_find(row->alias[a], engine, &found));
				if (found.row != row)
					fail_msg("%s stands twice", row->alias[a]);
			}
		}
	}
}

static void test_help(void **state)
{
	(void)state;
	for (size_t g = 0; g < opt_groups_count; g++) {
		for (size_t i = 0; i < opt_groups[g]->count; i++) {
			const struct opt *row = &opt_groups[g]->rows[i];
			if (!row->refused && (!row->help || !*row->help))
				fail_msg("%s has no help", row->name);
		}
	}
}

/* A block with the presets: each value printed is read back into another block,
 * and prints the same. */
static void round_trip(const struct opt_group *g, const struct opt_ctx *ctx)
{
	unsigned char *a = calloc(1, g->size + 1), *b = calloc(1, g->size + 1);
	struct err e;

	assert_true(a && b);
	if (opt_presets(g, a, ctx, &e) < 0)
		fail_msg("group %s: %s", g->name, e.text);
	for (size_t i = 0; i < g->count; i++) {
		const struct opt *row = &g->rows[i];
		struct str first = {0}, second = {0};
		if (row->preset && !row->refused && !row->no_effect)
			row->type->print(row, a + row->offset, &first);
		if (first.len) {
			if (opt_parse(row, str_text(&first), b, ctx, &e) < 0)
				fail_msg("%s=%s: %s", row->name, str_text(&first), e.text);
			row->type->print(row, b + row->offset, &second);
			assert_string_equal(str_text(&first), str_text(&second));
		}
		str_done(&first);
		str_done(&second);
	}
	free(a);
	free(b);
}

static void test_presets(void **state)
{
	struct arena arena = {0};
	const struct opt_ctx ctx = {.arena = &arena, .native = true};

	(void)state;
	for (size_t g = 0; g < opt_groups_count; g++)
		round_trip(opt_groups[g], &ctx);
	arena_done(&arena);
}

/* Two options that are one value: the last of them wins. */
static void test_twins(void **state)
{
	static const struct {
		const char *first, *first_value, *second, *second_value, *want;
	} cases[] = {
		{"direct", "1", "buffered", "1", "0"},
		{"direct", "0", "buffered", "0", "1"},
		{"rwmixread", "70", "rwmixwrite", "70", "30"},
		{"cpus_allowed", "0-3", "cpumask", "0x5", "0,2"},
	};
	struct arena arena = {0};
	const struct opt_ctx ctx = {.arena = &arena, .native = true};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct opt_found first, second;
		struct str text = {0};
		assert_true(opt_find(cases[i].first, "", &first));
		assert_true(opt_find(cases[i].second, "", &second));
		assert_int_equal(first.group, second.group);
		void *block = calloc(1, opt_groups[first.group]->size);
		assert_non_null(block);
		assert_int_equal(opt_parse(first.row, cases[i].first_value, block, &ctx, NULL),
			0);
		assert_int_equal(opt_parse(second.row, cases[i].second_value, block, &ctx,
					 NULL),
			0);
		first.row->type->print(first.row, (char *)block + first.row->offset, &text);
		assert_string_equal(str_text(&text), cases[i].want);
		/* what it prints itself is read back, too */
		str_reset(&text);
		second.row->type->print(second.row, (char *)block + second.row->offset, &text);
		assert_int_equal(opt_parse(second.row, str_text(&text), block, &ctx, NULL), 0);
		str_reset(&text);
		first.row->type->print(first.row, (char *)block + first.row->offset, &text);
		assert_string_equal(str_text(&text), cases[i].want);
		str_done(&text);
		free(block);
	}
	arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_unique),
		cmocka_unit_test(test_help),
		cmocka_unit_test(test_presets),
		cmocka_unit_test(test_twins),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
