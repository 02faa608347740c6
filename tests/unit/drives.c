/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What drives tell before and after a run: NVMe's logs of the media, smartctl's documents and a
 * smartctl that is a script on PATH, and what is made of the difference. */
#include "run/observe_drives.h"

#include "base/arena.h"
#include "base/bits.h"
#include "result/environment.h"
#include "result/notes/notes.h"
#include "result/result.h"
#include "run/prepare/environment.h"
#include "tests/unit/sys-tree.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/folder.h"
#include "tests/unit/captured.h"

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

/* ---- NVMe's logs ---- */

static void put(uint8_t *bytes, unsigned at, unsigned size, uint64_t value)
{
	for (unsigned i = 0; i < size; i++)
		bytes[at + i] = i < 8 ? (uint8_t)(value >> (8 * i)) : 0;
}

/* A controller by its answers.  Places as in NVM Express base 2.0: CTRATT 99:96, LPA 261
 * (Identify Controller), ENDGID 103:102 (Identify Namespace), LID 09h; OCP's log C0h. */
struct fake {
	bool groups, lists, has_ocp, ocp_guid, apst;
	uint16_t group;
	uint64_t group_written, group_media, ocp_media; /* as in the log       */
	uint64_t units_written;
	unsigned asked_group, asked_ocp, asked_list, asked_apst; /* times */
};

static void fill_ocp(const struct fake *f, uint8_t *b)
{
	/* The GUID as it is written, AFD514C9-7C6F-4F9C-A4F2-BFEA2810AFC5, is the number's
	 * order. */
	static const uint8_t guid[] = {0xAF, 0xD5, 0x14, 0xC9, 0x7C, 0x6F, 0x4F, 0x9C, 0xA4,
		0xF2, 0xBF, 0xEA, 0x28, 0x10, 0xAF, 0xC5};
	put(b, 0, 16, f->ocp_media);
	for (unsigned i = 0; i < 16 && f->ocp_guid; i++)
		b[511 - i] = guid[i];
}

static int fake_log(struct fake *f, uint32_t nsid, const uint32_t cdw[2], uint8_t *b,
	uint32_t bytes)
{
	assert_int_equal((cdw[0] >> 16) + 1, bytes / 4);
	switch (cdw[0] & 0xff) {
	case 0x00:
		f->asked_list++;
		b[4 * 0x02] = 1;
		b[4 * 0xc0] = f->has_ocp;
		return f->lists ? 0 : 2;
	case 0x02:
		assert_int_equal(nsid, UINT32_MAX);
		put(b, 48, 16, f->units_written);
		return 0;
	case 0x09:
		f->asked_group++;
		assert_int_equal(cdw[1], (uint32_t)f->group << 16); /* LSI */
		put(b, 64, 16, f->group_written);
		put(b, 80, 16, f->group_media);
		return 0;
	case 0xc0:
		f->asked_ocp++;
		fill_ocp(f, b);
		return 0;
	default:
		return 0x109; /* invalid log page */
	}
}

static int fake_admin(void *ctx, uint8_t opcode, uint32_t nsid, const uint32_t cdw[2],
	void *data, uint32_t bytes, uint32_t *result)
{
	struct fake *f = ctx;
	uint8_t *b = data;

	*result = 0;
	if (bytes)
		memset(b, 0, bytes);
	if (opcode == 0x02)
		return fake_log(f, nsid, cdw, b, bytes);
	if (opcode == 0x0a && (cdw[0] & 0xff) == 0x0c) {
		f->asked_apst++;
		*result = 1;
		return f->apst ? 0 : 2;
	}
	if (opcode != 0x06)
		return 2;
	if (cdw[0] == 1) {
		put(b, 96, 4, f->groups ? 1u << 4 : 0);
		b[261] = f->lists ? 1u << 5 : 0;
		b[265] = f->apst;
	} else {
		put(b, 102, 2, f->group);
		b[130] = 12; /* blocks of 4096 */
	}
	return 0;
}

static struct nvme_raw read_fake(struct fake *f)
{
	struct nvme_raw r;
	assert_int_equal(nvme_read(&(struct nvme_port){fake_admin, f, 1}, &r), 0);
	return r;
}

static void test_media_logs(void **state)
{
	struct fake f = {.units_written = 1000};
	struct nvme_raw r = read_fake(&f);

	(void)state;
	/* A controller that says of no such log that it has it isn't asked: that would be an
	 * error in its log. */
	assert_true(r.media_written_bytes == FACT_UNKNOWN);
	assert_true(r.group_media_written_bytes == FACT_UNKNOWN);
	assert_true(r.endurance_group == FACT_UNKNOWN);
	assert_int_equal(f.asked_group + f.asked_ocp + f.asked_list, 0);

	f = (struct fake){.groups = true, .group = 2, .group_written = 7, .group_media = 9};
	r = read_fake(&f);
	assert_int_equal(r.endurance_group, 2);
	assert_true(r.group_written_bytes == UINT64_C(7000000000));
	assert_true(r.group_media_written_bytes == UINT64_C(9000000000));
	assert_int_equal(f.asked_ocp, 0);
	f.group_media = 0; /* isn't told */
	assert_true(read_fake(&f).group_media_written_bytes == FACT_UNKNOWN);

	f = (struct fake){.lists = true, .has_ocp = false, .ocp_guid = true, .ocp_media = 5};
	assert_true(read_fake(&f).media_written_bytes == FACT_UNKNOWN);
	assert_int_equal(f.asked_ocp, 0);
	f.has_ocp = true;
	f.ocp_media = UINT64_C(123456789012345);
	assert_true(read_fake(&f).media_written_bytes == UINT64_C(123456789012345));
	f.ocp_guid = false; /* another vendor's C0h */
	assert_true(read_fake(&f).media_written_bytes == FACT_UNKNOWN);
	assert_int_equal(f.asked_ocp, 2);
}

/* A feature that the controller doesn't have isn't asked for: that would be an error in its
 * log. */
static void test_apst(void **state)
{
	struct fake f = {.units_written = 1};

	(void)state;
	assert_true(read_fake(&f).autonomous_power == FACT_UNKNOWN);
	assert_int_equal(f.asked_apst, 0);
	f.apst = true;
	assert_int_equal(read_fake(&f).autonomous_power, 1);
	assert_int_equal(f.asked_apst, 1);
}

static struct watch_drive nvme_grew(struct fake before, struct fake after)
{
	struct nvme_raw a = read_fake(&before), b = read_fake(&after);
	struct watch_drive d;

	facts_forget(&watch_drive_table, &d);
	drive_of_nvme(&a, &b, &d);
	return d;
}

static void test_nvme_amplification(void **state)
{
	struct fake ocp = {.lists = true,
		.has_ocp = true,
		.ocp_guid = true,
		.ocp_media = 1000,
		.units_written = 1};
	struct fake after = ocp;
	struct watch_drive d;

	(void)state;
	after.units_written += 2000; /* of 512000 bytes: 1.024 GB */
	after.ocp_media += UINT64_C(2560000000);
	d = nvme_grew(ocp, after);
	assert_true(d.host_written_bytes == UINT64_C(1024000000));
	assert_true(d.media_written_bytes == UINT64_C(2560000000));
	assert_true(fabs(d.write_amplification - 2.5) < 1e-9);
	after.units_written = ocp.units_written + 400; /* 205 MB: too little to say */
	d = nvme_grew(ocp, after);
	assert_true(d.media_written_bytes == UINT64_C(2560000000));
	assert_true(isnan(d.write_amplification));

	struct fake group = {
		.groups = true, .group = 1, .group_written = 100, .group_media = 300};
	after = group;
	after.group_written += 20;
	after.group_media += 30;
	after.units_written += 39000;
	d = nvme_grew(group, after);
	assert_true(fabs(d.write_amplification - 1.5) < 1e-9);
	assert_true(d.media_written_bytes == UINT64_C(30000000000));
	after.group_written = group.group_written + 15; /* steps of a GB: off by a 15th */
	assert_true(isnan(nvme_grew(group, after).write_amplification));
	after.group_media = 10; /* it went back: another drive, or it was formatted */
	assert_true(nvme_grew(group, after).media_written_bytes == FACT_UNKNOWN);
}

/* ---- smartctl's documents ---- */

static const char *document(const char *name)
{
	static char text[ATA_TEXT];
	char path[PATH_MAX];
	const char *data = getenv("WEIR_DATA");

	snprintf(path, sizeof(path), "%s/smartctl/%s.json", data ? data : "tests/data", name);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	return text;
}

static struct ata_facts decoded(struct arena *a, const char *name)
{
	struct ata_facts f;
	const char *why;

	assert_int_equal(ata_decode(a, document(name), &f, &why), 0);
	return f;
}

static void test_ata_writes(void **state)
{
	struct arena a = {0};
	const char *why;

	(void)state;
	struct ata_facts f = decoded(&a, "ssd");
	assert_true(f.host_written_bytes == 100000 * 32 * MIB);
	assert_true(f.media_written_bytes == 150000 * 32 * MIB);
	assert_true(f.host_step_bytes == 32 * MIB && f.media_step_bytes == 32 * MIB);
	f = decoded(&a, "micron");
	assert_true(f.host_written_bytes == UINT64_C(2000000000) * 512);
	assert_true(f.media_written_bytes == FACT_UNKNOWN);
	assert_int_equal(f.host_pages, 40000000);
	assert_int_equal(f.own_pages, 30000000);
	f = decoded(&a, "hdd"); /* a name that smartctl guesses is none */
	assert_true(f.host_written_bytes == FACT_UNKNOWN);
	assert_int_equal(f.link_errors, 7);
	assert_int_equal(f.over_limit_count, 2);
	assert_int_equal(ata_decode(&a, document("standby"), &f, &why), -EINVAL);
	assert_string_equal(why, "it sleeps, and was left asleep");
	assert_int_equal(ata_decode(&a, document("denied"), &f, &why), -EINVAL);
	assert_string_equal(why,
		"smartctl: Smartctl open device: /dev/sdb failed: Permission denied");
	arena_done(&a);
}

static void test_ata_grew(void **state)
{
	struct arena a = {0};
	struct ata_facts before = decoded(&a, "ssd"), after = before;
	struct watch_drive d;

	(void)state;
	after.host_written_bytes += 100 * 32 * MIB;
	after.media_written_bytes += 300 * 32 * MIB;
	after.reallocated_sectors = 4;
	after.link_errors = 1;
	after.temperature_c = 55;
	facts_forget(&watch_drive_table, &d);
	drive_of_ata(&before, &after, 100 * 32 * MIB, &d);
	assert_true(d.host_written_bytes == 100 * 32 * MIB);
	assert_true(fabs(d.write_amplification - 3) < 1e-9);
	assert_int_equal(d.reallocated_sectors, 4);
	assert_int_equal(d.link_errors, 1);
	assert_int_equal(d.temperature_c, 55);
	/* Twice what the kernel wrote: the name isn't what the drive counts. */
	facts_forget(&watch_drive_table, &d);
	drive_of_ata(&before, &after, 50 * 32 * MIB, &d);
	assert_true(d.host_written_bytes == FACT_UNKNOWN && isnan(d.write_amplification));
	facts_forget(&watch_drive_table, &d);
	drive_of_ata(&before, &after, FACT_UNKNOWN, &d);
	assert_true(isnan(d.write_amplification) && d.link_errors == 1);
	/* Micron's pages. */
	before = after = decoded(&a, "micron");
	after.host_written_bytes += GIB;
	after.host_pages += 65536;
	after.own_pages += 32768;
	facts_forget(&watch_drive_table, &d);
	drive_of_ata(&before, &after, GIB + 5 * MIB, &d);
	assert_true(fabs(d.write_amplification - 1.5) < 1e-9);
	assert_true(d.media_written_bytes == FACT_UNKNOWN);
	arena_done(&a);
}

/* ---- a smartctl on PATH ---- */

static char folder[] = "/tmp/weir-unit-drives-XXXXXX";

/* It notes its arguments, and answers with the file "answer". */
static void script(const char *what)
{
	char text[4 * PATH_MAX];
	snprintf(text, sizeof(text), "#!/bin/sh\necho \"$@\" >>%s/args\n%s %s/answer\n", folder,
		what, folder);
	folder_put(folder, "smartctl", text, 0755);
}

static int set_up(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	setenv("PATH", folder, 1);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	folder_remove(folder);
	return 0;
}

/* The machine of nvme.tree: sdb is ATA, sdc isn't known to be, and nvme0n1 isn't here. */
static struct environment *machine_with(const char *tree, const char *const *paths,
	uint32_t count, bool health)
{
	struct tree t;

	tree_make(&t, tree);
	const struct environment_how how = {.root = &t.root,
		.paths = paths,
		.paths_count = count,
		.full = true,
		.health = health,
		.ask_devices = true,
		.patience_ns = 10 * NS_PER_S};
	struct environment *e = environment_capture(&how);
	tree_remove(&t);
	assert_non_null(e);
	return e;
}

static struct environment *machine_of(const char *tree, const char *const *paths,
	uint32_t count)
{
	return machine_with(tree, paths, count, false);
}

static struct environment *machine(void)
{
	const char *const paths[] = {"/srv/f", "/cache/f"};
	return machine_of("nvme.tree", paths, 2);
}

static const char *gap(const struct environment *e, const char *path)
{
	for (uint32_t i = 0; i < e->gaps_count; i++)
		if (!strcmp(e->gaps[i].path, path))
			return e->gaps[i].reason;
	return "";
}

static uint64_t three_gib(void *ctx, const char *disk)
{
	(void)ctx;
	assert_string_equal(disk, "sdb");
	return 3 * GIB;
}

static void replaced(const char *name, const char *from, const char *to, char *ret)
{
	const char *text = document(name), *at = strstr(text, from);
	assert_non_null(at);
	snprintf(ret, ATA_TEXT, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

/* Before and after a run, as the supervisor does it. */
static void test_run_with_ata(void **state)
{
	static char after[ATA_TEXT];
	struct watch_drive drives[DRIVES_ALL];
	struct drives_asked q;
	char args[512] = "", path[PATH_MAX];

	(void)state;
	script("exec /bin/cat");
	folder_put(folder, "answer", document("hdd"), 0644);
	struct environment *e = machine();
	const struct layer *sdb = captured_layer(e, "sdb");
	assert_non_null(sdb->ata);
	assert_int_equal(sdb->ata->reallocated_sectors, 12);
	assert_null(captured_layer(e, "sdc")->ata);
	snprintf(path, sizeof(path), "%s/args", folder);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	assert_non_null(fgets(args, sizeof(args), f));
	assert_null(fgets(args + 256, 256, f)); /* one disk, asked once */
	fclose(f);
	assert_non_null(strstr(args, "--nocheck=standby "));
	assert_non_null(strstr(args, " /dev/sdb\n"));

	replaced("hdd", "\"raw\":{\"value\":12,", "\"raw\":{\"value\":20,", after);
	folder_put(folder, "answer", after, 0644);
	drives_list(e, &q);
	assert_int_equal(q.ata_count, 1);
	assert_int_equal(q.nvme_count, 0); /* it told nothing before */
	struct drives_told *told = calloc(1, sizeof(*told));
	assert_non_null(told);
	drives_ask(&q, told);
	assert_int_equal(drives_compare(e, &q, told, three_gib, NULL, drives), 1);
	assert_string_equal(drives[0].name, "sdb");
	assert_int_equal(drives[0].reallocated_sectors, 8);
	assert_int_equal(drives[0].link_errors, 0);
	assert_int_equal(drives[0].temperature_c, 41);
	assert_true(isnan(drives[0].write_amplification));
	free(told);
	environment_free(e);
}

static void test_asleep(void **state)
{
	(void)state;
	script("exec /bin/cat");
	folder_put(folder, "answer", document("standby"), 0644);
	struct environment *e = machine();
	assert_null(captured_layer(e, "sdb")->ata);
	assert_string_equal(gap(e, "/dev/sdb"), "it sleeps, and was left asleep");
	environment_free(e);
}

/* Of sas.tree sda is SAS, sdb SATA, sdc SATA that the kernel suspended: a run asks sdb;
 * describe and doctor ask sda, too, in words that a smartctl that would wake it refuses. */
static void test_sas(void **state)
{
	static const char old[] =
		"{\"smartctl\":{\"version\":[7,2],\"messages\":[{\"string\":\"=======> INVALID "
		"ARGUMENT TO -n: standby,2,2\",\"severity\":\"error\"}],\"exit_status\":1}}";
	const char *const paths[] = {"/dev/sda", "/dev/sdb", "/dev/sdc"};
	char args[1024], path[PATH_MAX], text[4 * PATH_MAX];

	(void)state;
	snprintf(path, sizeof(path), "%s/args", folder);
	for (int health = 0; health < 2; health++) {
		unlink(path);
		snprintf(text, sizeof(text),
			"#!/bin/sh\necho \"$@\" >>%s\ncase $2 in *standby) exec /bin/cat %s/answer;; "
			"esac\nexec /bin/cat %s/old\n",
			path, folder, folder);
		folder_put(folder, "smartctl", text, 0755);
		folder_put(folder, "answer", document("hdd"), 0644);
		folder_put(folder, "old", old, 0644);
		struct environment *e = machine_with("sas.tree", paths, 3, health);
		FILE *f = fopen(path, "r");
		assert_non_null(f);
		args[fread(args, 1, sizeof(args) - 1, f)] = '\0';
		fclose(f);
		assert_non_null(captured_layer(e, "sdb")->ata);
		assert_non_null(strstr(args,
			"--nocheck=standby -i -H -A -l scttempsts /dev/sdb\n"));
		const char *sas = strstr(args,
			"--nocheck=standby,2,2 -i -H -A -l scttempsts /dev/sda\n");
		assert_int_equal(sas != NULL, health);
		assert_null(captured_layer(e, "sda")->ata);
		assert_string_equal(gap(e, "/dev/sda"),
			health ? "smartctl before 7.3 would wake it if it slept: it wasn't asked"
			       : "");
		assert_null(strstr(args, "/dev/sdc"));
		assert_string_equal(gap(e, "/dev/sdc"), "it sleeps, and was left asleep");
		environment_free(e);
	}
}

static void test_not_installed(void **state)
{
	static char text[ATA_TEXT];
	char path[PATH_MAX];

	(void)state;
	snprintf(path, sizeof(path), "%s/smartctl", folder);
	unlink(path);
	if (access("/usr/sbin/smartctl", X_OK) == 0)
		skip(); /* found where an ordinary user's PATH doesn't lead */
	assert_int_equal(ata_ask("/dev/sdb", ATA_SURE, text), -ENOENT);
	struct environment *e = machine(); /* nothing is missing that could have been read */
	assert_string_equal(gap(e, "/dev/sdb"), "");
	environment_free(e);
}

/* ---- what sysfs knows of ports, and of an overlay whose folders aren't here ---- */

static void test_ports(void **state)
{
	const char *const paths[] = {"/dev/sda", "/dev/sdb", "/merged/f"};
	struct environment *e = machine_of("sata.tree", paths, 3);
	const struct controller_facts *sata = captured_layer(e, "sda")->controller;
	const struct controller_facts *usb = captured_layer(e, "sdb")->controller;
	struct result *r = result_new();
	bool told = false;

	(void)state;
	assert_true(sata && usb);
	assert_string_equal(sata->port_speed, "3.0 Gbps");
	assert_string_equal(sata->port_speed_limit, "3.0 Gbps");
	assert_string_equal(usb->port_speed, "480 Mb/s");
	assert_null(usb->port_speed_limit);
	assert_string_equal(gap(e, "up"),
		"the overlay at /merged lies on it, and it can't be seen from here");
	r->environment = e;
	assert_int_equal(notes_doctor(r), 0);
	for (uint32_t i = 0; i < r->notes_count; i++)
		told |= !strcmp(r->notes[i].id, "link-degraded") &&
			!strcmp(r->notes[i].target, "sda");
	assert_true(told);
	result_free(r);
}

/* ---- notes ---- */

static const struct result_note *note_of(struct result *r, struct watch_drive d, const char *id)
{
	static struct watch w;

	w = (struct watch){.drives = &d, .drives_count = 1};
	facts_forget(&watch_run_table, &w.run);
	d.name = "sdb";
	r->watch = &w;
	r->notes_count = 0;
	assert_int_equal(result_notes_make(r), 0);
	for (uint32_t i = 0; i < r->notes_count; i++)
		if (!strcmp(r->notes[i].id, id))
			return &r->notes[i];
	return NULL;
}

static void test_notes(void **state)
{
	struct result *r = result_new();
	const struct result_note *n;
	struct watch_drive quiet, d;

	(void)state;
	r->final = true;
	facts_forget(&watch_drive_table, &quiet);
	d = quiet;
	d.pending_sectors = d.reallocated_sectors = d.link_errors = d.over_limit = 0;
	d.write_amplification = 1.0;
	note_of(r, d, "none");
	assert_int_equal(r->notes_count, 0); /* a drive that is well */
	note_of(r, quiet, "none");
	assert_int_equal(r->notes_count, 0); /* one that tells nothing */

	d.pending_sectors = 3;
	n = note_of(r, d, "drive-errors");
	assert_true(n && n->weight == NOTE_DOUBTFUL);
	assert_string_equal(n->target, "sdb");
	assert_string_equal(n->text,
		"meanwhile it moved 0 of its sectors elsewhere, and found 3 that can hardly be read");
	d = quiet;
	d.link_errors = 2;
	assert_non_null(note_of(r, d, "link-errors"));
	d = quiet;
	d.over_limit = 1;
	assert_non_null(note_of(r, d, "drive-hot"));
	d = quiet;
	d.write_amplification = 1.6;
	d.host_written_bytes = GIB;
	n = note_of(r, d, "write-amplification");
	assert_true(n && n->weight == NOTE_INFO && n->evidence_count == 2);
	d.write_amplification = 0.4;
	n = note_of(r, d, "write-amplification");
	assert_true(n && n->weight == NOTE_DOUBTFUL && strstr(n->text, "compresses"));
	d.write_amplification = 9;
	n = note_of(r, d, "write-amplification");
	assert_true(n && n->weight == NOTE_DOUBTFUL && strstr(n->text, "9 bytes"));
	r->watch = NULL;
	result_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_media_logs),
		cmocka_unit_test(test_apst),
		cmocka_unit_test(test_nvme_amplification),
		cmocka_unit_test(test_ata_writes),
		cmocka_unit_test(test_ata_grew),
		cmocka_unit_test(test_run_with_ata),
		cmocka_unit_test(test_asleep),
		cmocka_unit_test(test_sas),
		cmocka_unit_test(test_not_installed),
		cmocka_unit_test(test_ports),
		cmocka_unit_test(test_notes),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
