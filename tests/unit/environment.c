/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The environment of made-up machines: what is captured, what notes it gives, that it comes
 * back from JSON, and that its keys are documented.
 *
 * usage: unit-environment docs/guide/environment.md */
#include "result/environment.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/json.h"
#include "base/json_read.h"
#include "base/scope.h"
#include "base/str.h"
#include "report/environment.h"
#include "report/report.h"
#include "result/import.h"
#include "result/notes/notes.h"
#include "result/result.h"
#include "run/prepare/environment.h"
#include "tests/unit/sys-tree.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/captured.h"

static const char *page;

static int some_room(void *ctx, const char *path, struct room *ret)
{
	(void)ctx;
	if (strcmp(path, "/srv") != 0)
		return -EACCES;
	*ret = (struct room){.block_bytes = 4096,
		.bytes = 1000 << 12,
		.free_bytes = 90 << 12,
		.available_bytes = 50 << 12,
		.inodes = 10,
		.inodes_free = 3};
	return 0;
}

static struct environment *capture(const char *name, const char *const *paths, uint32_t count,
	bool full)
{
	struct tree t;
	tree_make(&t, name);
	t.root.room = some_room;
	const struct environment_how how = {
		.root = &t.root, .paths = paths, .paths_count = count, .full = full};
	struct environment *e = environment_capture(&how);
	tree_remove(&t);
	assert_non_null(e);
	return e;
}

/* ---- stacks ---- */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "ext4 /srv(crypt dm-0(...))"; what a layer lies on by name, as a folder has no order. */
static void show(const struct environment *e, uint32_t at, struct str *out)
{
	const struct layer *l = &e->stack.v[at];
	const char *ids[STACK_BELOW];

	str_addf(out, "%s %s", l->kind, l->id);
	for (uint32_t i = 0; i < l->on_count; i++)
		ids[i] = e->stack.v[l->on[i]].id;
	qsort(ids, l->on_count, sizeof(*ids), by_text);
	for (uint32_t i = 0; i < l->on_count; i++) {
		str_add(out, i ? ", " : "(");
		for (uint32_t k = 0; k < l->on_count; k++)
			if (!strcmp(e->stack.v[l->on[k]].id, ids[i]))
				show(e, l->on[k], out);
	}
	str_add(out, l->on_count ? ")" : "");
}

static void test_stacks(void **state)
{
	static const struct {
		const char *tree, *path, *want;
	} cases[] = {
		{"nvme.tree", "/srv/f",
			"filesystem /srv(crypt dm-0(md md0(partition nvme0n1p2(disk nvme0n1), disk "
			"sdb)))"},
		{"nvme.tree", "/srv/not/there",
			"filesystem /srv(crypt dm-0(md md0(partition nvme0n1p2(disk nvme0n1), disk "
			"sdb)))"},
		{"nvme.tree", "/cache/f",
			"filesystem /cache(bcache bcache0(disk nvme0n1, disk sdc))"},
		{"nvme.tree", "/dev/nvme0n1p2", "partition nvme0n1p2(disk nvme0n1)"},
		{"nvme.tree", "/net/f", "filesystem /net"},
		{"stack.tree", "/srv/f",
			"filesystem /srv(mapped dm-0(disk md0(partition sdc1(disk sdc), disk sdd)))"},
		{"overlay.tree", "/work/f", "filesystem /(partition sda1(disk sda))"},
		{"btrfs.tree", "/data/sub/f", "filesystem /data(disk sda, disk sdb)"},
		{"disk.tree", "/home/file", "filesystem /(partition sda1(disk sda))"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		scope_with(str_done) struct str got = {0};
		struct environment *e = capture(cases[i].tree, &cases[i].path, 1, false);
		assert_int_equal(e->targets_count, 1);
		if (e->targets[0].on == STACK_NOTHING)
			fail_msg("%s %s: on nothing", cases[i].tree, cases[i].path);
		show(e, e->targets[0].on, &got);
		if (strcmp(str_text(&got), cases[i].want) != 0)
			fail_msg("%s %s:\n%s\nnot\n%s", cases[i].tree, cases[i].path,
				str_text(&got), cases[i].want);
		environment_free(e);
	}
}

static void test_nvme_tree(void **state)
{
	const char *const paths[] = {"/srv/f", "/srv/g", "/nowhere"};
	struct environment *e = capture("nvme.tree", paths, 3, true);
	const struct layer *disk = captured_layer(e, "nvme0n1");

	(void)state;
	assert_string_equal(disk->block->model, "ACME Fast 400");
	assert_string_equal(disk->block->firmware, "8EV1");
	assert_string_equal(disk->block->serial, "S3CR3T-77");
	assert_string_equal(disk->block->transport, "nvme");
	assert_true(disk->block->size_bytes == UINT64_C(781422768) * 512);
	assert_int_equal(disk->block->physical_block_bytes, 4096);
	assert_string_equal(disk->queue->scheduler, "bfq");
	assert_int_equal(disk->queue->hardware_queues, 2);
	assert_int_equal(disk->queue->poll_queues, 2);
	assert_int_equal(disk->queue->polling, 1);
	assert_int_equal(disk->queue->write_back_throttle_us, 2000);
	assert_true(disk->queue->device_depth == FACT_UNKNOWN);
	assert_string_equal(disk->controller->address, "0000:01:00.0");
	assert_string_equal(disk->controller->driver, "nvme");
	assert_string_equal(disk->controller->link_speed, "8.0 GT/s PCIe");
	assert_int_equal(disk->controller->link_width, 2);
	assert_int_equal(disk->controller->link_width_possible, 4);
	assert_int_equal(disk->controller->numa_node, 1);
	assert_int_equal(disk->controller->interrupts, 2);
	assert_string_equal(disk->controller->interrupt_cpus, "4");
	assert_string_equal(disk->controller->aspm, "powersave");
	assert_int_equal(disk->controller->runtime_power, 1);
	const struct block_facts *sdb = captured_layer(e, "sdb")->block;
	assert_string_equal(sdb->firmware, "CC43");
	assert_int_equal(sdb->io_errors, 0x1a);
	assert_int_equal(captured_layer(e, "sdb")->queue->device_depth, 32);
	assert_int_equal(captured_layer(e, "nvme0n1p2")->block->partition_start_bytes,
		63 * 512);
	assert_null(captured_layer(e, "nvme0n1p2")->queue);
	assert_string_equal(captured_layer(e, "dm-0")->block->map_name, "secret");
	assert_int_equal(captured_layer(e, "md0")->block->md_missing, 1);
	const struct filesystem_facts *srv = captured_layer(e, "/srv")->filesystem;
	assert_string_equal(srv->flags, "rw,noatime");
	assert_string_equal(srv->options, "rw,stripe=32");
	assert_int_equal(srv->available_bytes, 50 << 12);
	assert_int_equal(srv->errors, 3);
	assert_int_equal(srv->lifetime_write_bytes, 2048 * 1024);
	/* A missing one is where its folder is. */
	assert_string_equal(e->targets[1].kind, "missing");
	assert_string_equal(e->targets[1].folder, "/srv");
	assert_string_equal(e->targets[2].folder, "/");
	/* Free space of "/" could not be asked; that is told. */
	assert_int_equal(e->gaps_count, 1);
	assert_string_equal(e->gaps[0].path, "/");
	assert_string_equal(e->gaps[0].reason, "Permission denied");
	environment_free(e);
}

static void test_headline(void **state)
{
	const char *const paths[] = {"/dev/nvme0n1", "/srv/f"};
	struct environment *e = capture("nvme.tree", paths, 1, false);
	struct arena a = {0};

	(void)state;
	assert_string_equal(environment_headline(e, &a),
		"ACME Fast 400 400 GB  firmware 8EV1  scheduler bfq");
	environment_free(e);
	e = capture("nvme.tree", paths + 1, 1, false); /* two disks below: only the type */
	assert_string_equal(environment_headline(e, &a), "ext4");
	environment_free(e);
	e = capture("nvme.tree", paths, 2, false);
	assert_string_equal(environment_headline(e, &a), "");
	environment_free(e);
	arena_done(&a);
}

/* Documents may say anything: layers in a ring, each on all others. */
static void test_ring(void **state)
{
	struct layer v[STACK_BELOW] = {0};
	struct block_facts b;
	const struct stack st = {.v = v, .count = COUNT_OF(v)};
	uint32_t list[4];

	(void)state;
	facts_forget(&block_table, &b);
	for (uint32_t i = 0; i < COUNT_OF(v); i++) {
		v[i] = (struct layer){.id = "x", .kind = "disk", .block = &b};
		for (uint32_t k = 0; k < COUNT_OF(v) && i < COUNT_OF(v) - 1; k++)
			v[i].on[v[i].on_count++] = k;
	}
	assert_int_equal(stack_bottom(&st, 0, list, 4), 1);
	assert_int_equal(list[0], COUNT_OF(v) - 1);
	assert_int_equal(stack_bottom(&st, STACK_NOTHING, list, 4), 0);
}

/* ---- the machine ---- */

static void test_host(void **state)
{
	struct environment *e = capture("host.tree", NULL, 0, true);

	(void)state;
	assert_string_equal(e->host.host_name, "box-42");
	assert_string_equal(e->host.mitigations,
		"mds: Vulnerable; spectre_v1: Mitigation: barriers");
	assert_string_equal(e->host.kernel_debug, "lockdep, a debug build");
	assert_string_equal(e->host.virtual_machine, "yes");
	assert_string_equal(e->host.container, "kubernetes");
	assert_int_equal(e->host.uptime_s, 1234);
	assert_string_equal(e->cpu.model, "ACME CPU 9000");
	assert_int_equal(e->cpu.online, 4);
	assert_int_equal(e->cpu.present, 6);
	assert_string_equal(e->cpu.allowed, "0-1");
	assert_string_equal(e->cpu.governor, "powersave");
	assert_int_equal(e->cpu.boost, 1);
	assert_string_equal(e->cpu.idle_states, "POLL C6 C10(off)");
	assert_int_equal(e->cpu.idle_latency_max_us, 133);
	assert_int_equal(e->cpu.numa_nodes, 2);
	assert_int_equal(e->memory.total_bytes, 16 << 20);
	assert_int_equal(e->memory.swap_used_bytes, 600 << 10);
	assert_int_equal(e->memory.huge_pages, 7);
	assert_string_equal(e->memory.transparent_huge_pages, "madvise");
	assert_string_equal(e->group.path, "/kubepods/pod1");
	assert_true(fabs(e->group.cpus - 0.5) < 1e-9); /* the tightest of v2 and v1 */
	assert_int_equal(e->group.memory_limit_bytes, 8 << 20);
	assert_string_equal(e->group.io_limits,
		"254:0 rbps=1048576 wbps=max; 8:0 riops=100; write_iops_device 259:0 500");
	assert_true(fabs(e->load.load_1min - 2.5) < 1e-9);
	assert_int_equal(e->load.runnable, 3);
	assert_true(fabs(e->load.steal_percent - 2.0) < 1e-9); /* 20 of 1000 ticks */
	assert_int_equal(e->limits.open_files, 512);
	assert_true(e->limits.processes == FACT_UNKNOWN); /* unlimited */
	assert_int_equal(e->limits.io_uring_disabled, 2);
	environment_free(e);
}

static void test_masked(void **state)
{
	const char *const paths[] = {"/dev/nvme0n1", "/net/f"};
	struct environment *e = capture("host.tree", NULL, 0, false);

	(void)state;
	assert_true(e->masked);
	assert_string_equal(e->host.host_name, "(masked)");
	assert_string_equal(e->host.command_line,
		"root=UUID=(masked) ip=(masked) quiet hostname=(masked) console=(host).lan "
		"log=box-42b");
	environment_free(e);
	e = capture("nvme.tree", paths, 2, false);
	assert_string_equal(captured_layer(e, "nvme0n1")->block->serial, "(masked)");
	assert_string_equal(captured_layer(e, "nvme0n1")->block->wwid, "(masked)");
	assert_string_equal(captured_layer(e, "/net")->filesystem->source, "(host):/export");
	assert_string_equal(captured_layer(e, "/net")->filesystem->options, "(masked)");
	environment_free(e);
}

/* ---- notes ---- */

static void check_notes(struct environment *e, const char *const *want, size_t count)
{
	struct result *r = result_new();

	r->environment = environment_keep(e);
	assert_int_equal(notes_doctor(r), 0);
	for (size_t i = 0; i < count; i++) {
		bool found = false;
		for (uint32_t k = 0; k < r->notes_count; k++)
			found |= !strcmp(r->notes[k].id, want[i]);
		if (!found)
			fail_msg("no note %s", want[i]);
	}
	for (uint32_t k = 0; k < r->notes_count; k++) {
		bool wanted = false;
		for (size_t i = 0; i < count; i++)
			wanted |= !strcmp(r->notes[k].id, want[i]);
		if (!wanted)
			fail_msg("unexpected: %s: %s", r->notes[k].id, r->notes[k].text);
	}
	result_free(r);
}

static void test_notes_host(void **state)
{
	static const char *const want[] = {"kernel-debug", "cpu-governor", "steal",
		"other-load", "io-pressure", "memory-short", "cgroup-cpu", "cgroup-memory",
		"limit-aio", "limit-files", "limit-locked", "io-uring-off", "virtual-machine",
		"cpu-boost", "cpu-idle"};
	struct environment *e = capture("host.tree", NULL, 0, false);

	(void)state;
	check_notes(e, want, COUNT_OF(want));
	environment_free(e);
}

static void test_notes_devices(void **state)
{
	static const char *const want[] = {"misaligned", "link-degraded", "scheduler",
		"md-degraded", "md-busy", "numa", "encrypting", "write-cache",
		"filesystem-full", "filesystem-errors", "remote", "io-limit", "target-missing"};
	const char *const paths[] = {"/srv/f", "/net/f", "/srv/g"};
	struct environment *e = capture("nvme.tree", paths, 3, false);

	(void)state;
	e->cpu.numa_nodes = 2;
	e->group.io_limits = "8:1 rbps=1; 259:0 wiops=500";
	check_notes(e, want, COUNT_OF(want));
	environment_free(e);
}

/* A machine where nothing is wrong, and one where nothing is known. */
static void test_no_notes(void **state)
{
	const char *const paths[] = {"/home/file"};
	struct environment *e = environment_new();

	(void)state;
	check_notes(e, NULL, 0);
	environment_free(e);
	e = capture("disk.tree", paths, 1, false);
	e->cpu.online = 4;
	e->cpu.governor = "performance";
	e->cpu.boost = 0;
	e->cpu.idle_latency_max_us = 2;
	e->clock.name = "tsc";
	e->load.load_1min = 0.1;
	e->load.steal_percent = 0.1;
	e->load.pressure_io_percent = 0.2;
	e->load.pressure_memory_percent = 0;
	e->memory.swap_used_bytes = 0;
	e->limits = (struct limit_facts){.locked_memory_bytes = FACT_UNKNOWN,
		.open_files = 65536,
		.aio_requests = 65536,
		.io_uring_disabled = 0};
	check_notes(e, NULL, 0);
	environment_free(e);
}

/* One fact each; the values are those of the conditions in the pages of docs/notes. */
static void test_notes_nvme(void **state)
{
	static const struct {
		const char *id; /* NULL: none */
		uint64_t temperature, warning, used, bits, apst, exit_us, used_bytes, best,
			errors;
	} cases[] = {
		{NULL, 40, 70, 3, 0, 0, 9000, 90, 1, 0},
		{"nvme-hot", 70, 70, 3, 0, 0, 0, 90, 1, 0},
		{"nvme-hot", 60, FACT_UNKNOWN, 3, 2, 0, 0, 90, 1, 0},
		{"nvme-worn", 40, 70, 100, 0, 0, 0, 90, 1, 0},
		{"nvme-worn", 40, 70, 3, 8, 0, 0, 90, 1, 0},
		{"nvme-sleep", 40, 70, 3, 0, 1, 9000, 90, 1, 0},
		{"nvme-fresh", 40, 70, 3, 0, 0, 0, 50, 1, 0},
		{"nvme-format", 40, 70, 3, 0, 0, 0, 90, 0, 0},
		{"nvme-errors", 40, 70, 3, 0, 0, 0, 90, 1, 5},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct environment *e = environment_new();
		struct nvme_facts n = {0};
		struct layer l = {.id = "nvme0n1", .kind = "disk", .nvme = &n};
		facts_forget(&nvme_table, &n);
		n.raw.temperature_c = cases[i].temperature;
		n.raw.temperature_warning_c = cases[i].warning;
		n.raw.used_percent = cases[i].used;
		n.raw.critical_warning = cases[i].bits;
		n.raw.autonomous_power = cases[i].apst;
		n.raw.exit_latency_max_us = cases[i].exit_us;
		n.raw.namespace_used_bytes = cases[i].used_bytes;
		n.raw.namespace_bytes = 100;
		n.raw.format_best = cases[i].best;
		n.raw.format_bytes = 512;
		n.raw.media_errors = cases[i].errors;
		e->stack = (struct stack){.v = &l, .count = 1};
		check_notes(e, &cases[i].id, cases[i].id ? 1 : 0);
		environment_free(e);
	}
}

static void test_notes_ata(void **state)
{
	static const char *const want[] = {"link-degraded", "ata-failing", "ata-sectors"};
	struct environment *e = environment_new();
	struct ata_facts f;
	struct layer l = {.id = "sda", .kind = "disk", .ata = &f};

	(void)state;
	facts_forget(&ata_table, &f);
	f.passed = 1;
	f.link_speed = f.link_speed_possible = "6.0 Gb/s";
	f.reallocated_sectors = f.pending_sectors = 0;
	e->stack = (struct stack){.v = &l, .count = 1};
	check_notes(e, NULL, 0);
	f.passed = 0;
	f.link_speed = "3.0 Gb/s";
	f.pending_sectors = 1;
	check_notes(e, want, COUNT_OF(want));
	environment_free(e);
}

static void test_notes_targets(void **state)
{
	static const struct {
		const char *id, *kind, *type, *used, *holds;
		uint64_t size, extents, written, unwritten, holes;
	} cases[] = {
		{NULL, "file", "ext4", NULL, NULL, 1000, 1, 995, 5, 5},
		{"never-written", "file", "ext4", NULL, NULL, 1000, 1, 900, 80, 20},
		{"in-memory", "file", "tmpfs", NULL, NULL, 1000, 1, 0, 0, 1000},
		{"fragmented", "file", "ext4", NULL, NULL, 1 << 20, 300, 1 << 20, 0, 0},
		{"in-use", "block device", "", "it is mounted on /", NULL, FACT_UNKNOWN,
			FACT_UNKNOWN, FACT_UNKNOWN, FACT_UNKNOWN, FACT_UNKNOWN},
		{"holds-data", "block device", "", NULL, "ext4 file system", FACT_UNKNOWN,
			FACT_UNKNOWN, FACT_UNKNOWN, FACT_UNKNOWN, FACT_UNKNOWN},
		{"not-accessible", "not accessible", "", NULL, NULL, FACT_UNKNOWN, FACT_UNKNOWN,
			FACT_UNKNOWN, FACT_UNKNOWN, FACT_UNKNOWN},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct environment *e = environment_new();
		struct filesystem_facts fs;
		struct layer l = {.id = "/x", .kind = "filesystem", .filesystem = &fs};
		struct target_facts t;
		facts_forget(&filesystem_table, &fs);
		facts_forget(&target_table, &t);
		fs.type = cases[i].type;
		t.path = "/x/f";
		t.kind = cases[i].kind;
		t.used_by = cases[i].used;
		t.holds = cases[i].holds;
		t.size_bytes = cases[i].size;
		t.extents = cases[i].extents;
		t.written_bytes = cases[i].written;
		t.unwritten_bytes = cases[i].unwritten;
		t.hole_bytes = cases[i].holes;
		t.on = 0;
		e->stack = (struct stack){.v = &l, .count = 1};
		e->targets = &t;
		e->targets_count = 1;
		check_notes(e, &cases[i].id, cases[i].id ? 1 : 0);
		environment_free(e);
	}
}

/* A run tells what makes its figures doubtful, and nothing that is only good to know
 * before it. */
static void test_notes_of_a_run(void **state)
{
	const char *const paths[] = {"/srv/f"};
	struct environment *e = capture("nvme.tree", paths, 1, false);
	struct result *r = result_new();

	(void)state;
	r->environment = e;
	r->final = true;
	e->cpu.governor = "powersave";
	assert_int_equal(result_notes_make(r), 0);
	for (uint32_t i = 0; i < r->notes_count; i++) {
		assert_int_equal(r->notes[i].weight, NOTE_DOUBTFUL);
		assert_string_not_equal(r->notes[i].id, "cpu-governor");
	}
	assert_int_equal(r->notes_count, 6); /* misaligned link md md full errors */
	result_free(r);
}

/* ---- JSON ---- */

static void write_all(const struct environment *e, struct str *out)
{
	struct json j;
	json_init(&j, out, JSON_FIO);
	json_object(&j, NULL);
	report_json_environment(&j, e, false);
	json_object_end(&j);
}

static void test_comes_back(void **state)
{
	const struct report_how how = {.native = true, .version = "weir 0.1"};
	const char *const paths[] = {"/srv/f", "/cache/f", "/net/f", "/srv/g"};
	scope_with(str_done) struct str doc = {0}, was = {0}, is = {0};
	struct result *r = result_new();
	struct import_list list;
	struct err err;

	(void)state;
	r->environment = capture("nvme.tree", paths, 4, false);
	r->environment->load.load_1min = 0.25;
	r->environment->targets_more = 12;
	report_json.print(r, &how, &doc);
	assert_int_equal(import_text("x", str_text(&doc), doc.len, &list, &err), 0);
	assert_non_null(list.results[0]->environment);
	write_all(r->environment, &was);
	write_all(list.results[0]->environment, &is);
	assert_string_equal(str_text(&is), str_text(&was));
	import_done(&list);
	result_free(r);
}

static void test_documented(void **state)
{
	(void)state;
	for (size_t i = 0; i < ENVIRONMENT_PARTS; i++)
		captured_in_page(page, environment_parts[i].key, environment_parts[i].table);
	for (size_t i = 0; i < LAYER_PARTS; i++)
		captured_in_page(page, layer_parts[i].key, layer_parts[i].table);
	captured_in_page(page, "targets", &target_table);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_nvme_tree),
		cmocka_unit_test(test_headline),
		cmocka_unit_test(test_ring),
		cmocka_unit_test(test_host),
		cmocka_unit_test(test_masked),
		cmocka_unit_test(test_notes_host),
		cmocka_unit_test(test_notes_devices),
		cmocka_unit_test(test_notes_nvme),
		cmocka_unit_test(test_notes_ata),
		cmocka_unit_test(test_notes_targets),
		cmocka_unit_test(test_no_notes),
		cmocka_unit_test(test_notes_of_a_run),
		cmocka_unit_test(test_comes_back),
		cmocka_unit_test(test_documented),
	};
	page = argc > 1 ? argv[1] : "docs/guide/environment.md";
	return cmocka_run_group_tests(tests, NULL, NULL);
}
