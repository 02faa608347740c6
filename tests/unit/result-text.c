/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* fio's classic text becomes results.  argv[1] is tests/data/import: what fio of the version
 * in a file's name wrote.  The values below were typed from these files, in the units
 * that stand there; tests/e2e/texts.py reads all of their figures by other means. */
#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "result/import.h"
#include "result/result.h"
#include "result/style.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "folder.h"

static const char *folder;

static struct import_list text_results(const char *name, const char *text)
{
	struct import_list list;
	struct err err;

	if (import_text(name, text, strlen(text), &list, &err) < 0)
		fail_msg("%s", err.text);
	return list;
}

static struct import_list file_results(const char *name)
{
	size_t len;
	char *text = folder_text(folder, name, &len);
	struct import_list list = text_results(name, text);
	free(text);
	return list;
}

/* ---- figures ---- */

#define K    1024.0
#define KIB  1024.0
#define MIB  (1024.0 * 1024)
#define US   1e3
#define MS   1e6
#define READ 0, DIR_READ
#define WR   0, DIR_WRITE
#define MIX  0, RESULT_MIXED

/* P50_CLAT and so on, by number of what is asked. */
enum what {
	IOPS,
	BYTES,
	RUN_MS,
	ISSUED,
	SLAT_MIN,
	SLAT_MAX,
	SLAT_MEAN,
	SLAT_DEV,
	CLAT_MIN,
	CLAT_MAX,
	CLAT_MEAN,
	CLAT_DEV,
	CLAT_P50,
	CLAT_P99,
	CLAT_P9995,
	LAT_MAX,
	LAT_MEAN,
	BW_MIN,
	BW_MAX,
	BW_MEAN,
	BW_PER,
	BW_COUNT,
	IOPS_MEAN,
	IOPS_DEV,
	USR,
	SYS,
	CTX,
	MINF,
	DEPTH8,
	SUBMIT4,
	US50,
	MS10,
	NS500,
	JOBS,
	PID,
	DEPTH,
	GROUP_BW,
	GROUP_BYTES,
	GROUP_RUN,
	DISK_IOS,
	DISK_TICKS,
	DISK_UTIL,
	SYNC_MEAN,
	SYNC_P99,
	SYNCS,
};

struct expected {
	const char *file;
	uint32_t run, row;
	int dir;
	enum what what;
	double value, within;
};

/* Within half of the last digit for those that fio had shortened, else exact. */
static const struct expected values[] = {
	{"fio-2.0.8.txt", 0, READ, IOPS, 107509, 0},
	{"fio-2.0.8.txt", 0, READ, BYTES, 860504 * K, 0},
	{"fio-2.0.8.txt", 0, READ, RUN_MS, 2001, 0},
	{"fio-2.0.8.txt", 0, READ, ISSUED, 215126, 0},
	{"fio-2.0.8.txt", 0, READ, SLAT_MAX, 27560 * US, 0},
	{"fio-2.0.8.txt", 0, READ, SLAT_MEAN, 3.21 * US, 0},
	{"fio-2.0.8.txt", 0, READ, CLAT_MIN, 0, 0},
	{"fio-2.0.8.txt", 0, READ, CLAT_MEAN, 89.40 * US, 0},
	{"fio-2.0.8.txt", 0, READ, CLAT_DEV, 716.87 * US, 0},
	{"fio-2.0.8.txt", 0, READ, CLAT_P50, 54 * US, 0},
	{"fio-2.0.8.txt", 0, READ, CLAT_P9995, 22912 * US, 0},
	{"fio-2.0.8.txt", 0, READ, BW_MIN, 148648 * K, 0},
	{"fio-2.0.8.txt", 0, READ, BW_PER, 51.23, 0},
	{"fio-2.0.8.txt", 0, READ, BW_MEAN, 220318.86 * K, 0},
	{"fio-2.0.8.txt", 0, WR, IOPS, 45913, 0},
	{"fio-2.0.8.txt", 0, WR, LAT_MAX, 27904 * US, 0},
	{"fio-2.0.8.txt", 0, WR, CLAT_P99, 1144 * US, 0},
	{"fio-2.0.8.txt", 0, READ, USR, 3.67, 0},
	{"fio-2.0.8.txt", 0, READ, CTX, 55417, 0},
	{"fio-2.0.8.txt", 0, READ, US50, 31.31, 0},
	{"fio-2.0.8.txt", 0, READ, DEPTH8, 100, 0},
	{"fio-2.0.8.txt", 0, READ, JOBS, 2, 0},
	{"fio-2.0.8.txt", 0, READ, PID, 28232, 0},
	{"fio-2.0.8.txt", 0, READ, GROUP_BW, 430036 * K, K},
	{"fio-2.0.8.txt", 0, READ, GROUP_RUN, 2001, 0},
	{"fio-2.0.8.txt", 0, READ, DISK_IOS, 206932, 0},
	{"fio-2.0.8.txt", 0, READ, DISK_UTIL, 71.88, 0},
	{"fio-2.0.8.txt", 2, READ, BYTES, 65536, 0},
	{"fio-2.0.8.txt", 2, READ, IOPS, 16000, 0},
	{"fio-2.0.8.txt", 2, WR, RUN_MS, 37, 0},
	{"fio-2.0.8.txt", 2, 1, DIR_READ, BYTES, 167936, 0},
	{"fio-2.0.8.txt", 2, 1, DIR_READ, IOPS, 41 / 2.001, 1e-9}, /* said as 20: cut */
	{"fio-2.0.15.txt", 0, READ, IOPS, 90305, 0},
	{"fio-2.0.15.txt", 0, READ, SLAT_DEV, 100.09 * US, 0},
	{"fio-2.0.15.txt", 0, READ, RUN_MS, 2017, 0},
	{"fio-2.1.3.txt", 0, WR, BYTES, 408796 * K, 0},
	{"fio-2.1.3.txt", 0, WR, SLAT_MEAN, 2.79 * US, 0},
	{"fio-2.1.3.txt", 0, WR, LAT_MEAN, 107.02 * US, 0},
	{"fio-2.1.3.txt", 0, READ, MINF, 17, 0},
	{"fio-2.1.3.txt", 0, READ, SYS, 21.34, 0},
	{"fio-2.2.10.txt", 0, READ, CLAT_P99, 187 * US, 0},
	{"fio-2.2.10.txt", 0, WR, SLAT_MAX, 903 * US, 0},
	{"fio-2.2.10.txt", 0, WR, IOPS, 46988, 0},
	{"fio-2.16.txt", 0, READ, IOPS, 87989, 0},
	{"fio-2.16.txt", 0, READ, SLAT_MIN, 0, 0},
	{"fio-2.16.txt", 0, READ, ISSUED, 176067, 0},
	{"fio-2.16.txt", 0, READ, MS10, 0.18, 0},
	{"fio-2.16.txt", 0, READ, DEPTH, 8, 0},
	{"fio-2.21.txt", 0, READ, IOPS, 102e3, 500},
	{"fio-2.21.txt", 0, READ, BYTES, 794 * MIB, MIB / 2},
	{"fio-2.21.txt", 0, READ, BYTES, 203317 * 4096.0, 0},
	{"fio-2.21.txt", 0, READ, BW_MAX, 215456 * KIB, 0},
	{"fio-2.21.txt", 0, READ, CLAT_MAX, 28853 * US, 0},
	{"fio-2.21.txt", 0, WR, IOPS, 43.4e3, 50},
	{"fio-3.0.txt", 0, READ, SLAT_MIN, 983, 0},
	{"fio-3.0.txt", 0, READ, SLAT_MAX, 26799e3, 0},
	{"fio-3.0.txt", 0, READ, SLAT_MEAN, 2401.38, 0},
	{"fio-3.0.txt", 0, READ, CLAT_MIN, 255, 0},
	{"fio-3.0.txt", 0, READ, LAT_MAX, 28825 * US, 0},
	{"fio-3.0.txt", 0, READ, CLAT_P50, 55 * US, 0},
	{"fio-3.0.txt", 0, READ, BW_PER, 50.31, 0},
	{"fio-3.0.txt", 0, READ, BW_COUNT, 7, 0},
	{"fio-3.0.txt", 0, READ, IOPS_MEAN, 60617.29, 0},
	{"fio-3.0.txt", 0, READ, IOPS_DEV, 5404.32, 0},
	{"fio-3.0.txt", 0, READ, NS500, 0.01, 0},
	{"fio-3.0.txt", 0, READ, GROUP_BYTES, 942 * MIB, MIB / 2},
	{"fio-3.1.txt", 0, READ, CLAT_MEAN, 284173.68, 0},
	{"fio-3.1.txt", 0, READ, IOPS, 36.6e3, 50},
	{"fio-3.16.txt", 0, READ, BW_MIN, 12744 * KIB, 0},
	{"fio-3.16.txt", 0, WR, BYTES, 151 * MIB, MIB / 2},
	{"fio-3.16.txt", 0, WR, SLAT_MAX, 1773.7e3, 0},
	{"fio-3.28.txt", 0, READ, CLAT_DEV, 936380.48, 0},
	{"fio-3.28.txt", 0, READ, DISK_TICKS, 12583, 0},
	{"fio-3.33.txt", 0, WR, SLAT_MAX, 6732.8e3, 0},
	{"fio-3.33.txt", 0, WR, IOPS, 34e3, 50},
	{"fio-3.33.txt", 0, READ, SUBMIT4, 100, 0},
	{"sync.txt", 0, READ, SYNC_MEAN, 2590.05 * US, 0},
	{"sync.txt", 0, READ, SYNC_P99, 5407 * US, 0},
	{"sync.txt", 0, READ, SYNCS, 63, 0},
	{"unified-mixed.txt", 0, MIX, ISSUED, 2740032, 0},
	{"unified-mixed.txt", 0, MIX, BW_MIN, 10678 * MIB, 0},
	{"bits.txt", 0, READ, BW_MAX, 14221 * MIB, 0},
	{"kb-base-1000.txt", 0, READ, BYTES, 12.6e9, 5e7},
	{"avg_bw.1.log", 0, READ, BW_COUNT, 8, 0},
	{"each_lat.1.log", 0, READ, LAT_MAX, 6876, 0},
};

static double mean_of(const struct latency *l)
{
	assert_non_null(l);
	return latency_mean(l);
}

static double quantile_of(const struct latency *l, double q)
{
	uint64_t ns;
	assert_non_null(l);
	assert_true(latency_find(l, q, &ns));
	return (double)ns;
}

static double latency_value(const struct result_dir *d, enum what what)
{
	const struct latency *l = what <= SLAT_DEV  ? d->slat
				  : what >= LAT_MAX ? d->lat
						    : d->clat;

	assert_non_null(l);
	switch (what) {
	case SLAT_MIN:
	case CLAT_MIN:
		return (double)l->moments.min;
	case SLAT_MAX:
	case CLAT_MAX:
	case LAT_MAX:
		return (double)l->moments.max;
	case SLAT_DEV:
	case CLAT_DEV:
		return latency_stddev(l);
	case CLAT_P50:
		return quantile_of(l, 0.5);
	case CLAT_P99:
		return quantile_of(l, 0.99);
	case CLAT_P9995:
		return quantile_of(l, 0.9995);
	default:
		return latency_mean(l);
	}
}

static double dir_value(const struct result_dir *d, enum what what)
{
	switch (what) {
	case IOPS:
		return result_iops(d);
	case BYTES:
		return (double)d->bytes;
	case RUN_MS:
		return (double)result_runtime_ms(d);
	case ISSUED:
		return (double)d->issued;
	case BW_MIN:
		return d->bw.min;
	case BW_MAX:
		return d->bw.max;
	case BW_MEAN:
		return d->bw.mean;
	case BW_PER:
		return d->told->bw_percent;
	case BW_COUNT:
		return (double)d->bw.count;
	case IOPS_MEAN:
		return d->iops.mean;
	case IOPS_DEV:
		return d->iops.stddev;
	default:
		return latency_value(d, what);
	}
}

static double run_value(const struct result *r, const struct result_row *row, int dir,
	enum what what)
{
	const struct result_group_dir *g = &r->groups[0].dir[dir];
	const struct result_disk_counters *disk = r->disks_count ? &r->disks[0].own : NULL;

	switch (what) {
	case USR:
		return row->told->user_percent;
	case SYS:
		return row->told->system_percent;
	case CTX:
		return (double)row->cpu.switches_voluntary;
	case MINF:
		return (double)row->cpu.faults_minor;
	case DEPTH8:
		return row->told->depths[3];
	case SUBMIT4:
		return row->told->submits[1];
	case US50:
		return row->told->us[4];
	case MS10:
		return row->told->ms[2];
	case NS500:
		return row->told->ns[7];
	case JOBS:
		return row->members;
	case PID:
		return row->pid;
	case DEPTH:
		return result_depth(row);
	case GROUP_BW:
		return (double)g->bw;
	case GROUP_BYTES:
		return (double)g->bytes;
	case GROUP_RUN:
		return (double)g->run_max_ms;
	case DISK_IOS:
		return (double)disk->ios[0];
	case DISK_TICKS:
		return (double)disk->ticks_ms[0];
	case DISK_UTIL:
		return disk->util_percent;
	case SYNC_MEAN:
		return mean_of(row->sync);
	case SYNC_P99:
		return quantile_of(row->sync, 0.99);
	case SYNCS:
		return (double)row->syncs;
	default:
		return dir_value(&row->dir[dir], what);
	}
}

static void test_values(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(values); i++) {
		const struct expected *e = &values[i];
		struct import_list list = file_results(e->file);
		assert_true(e->run < list.count && e->row < list.results[e->run]->rows_count);
		const struct result *r = list.results[e->run];
		double is = run_value(r, &r->rows[e->row], e->dir, e->what);
		if (fabs(is - e->value) > e->within + fabs(e->value) * 1e-12)
			fail_msg("%s, value %zu: %f, not %f", e->file, i, is, e->value);
		import_done(&list);
	}
}

/* ---- what is known, and what isn't ---- */

static void test_runs(void **state)
{
	struct import_list list = file_results("fio-2.1.3.txt");

	(void)state;
	assert_int_equal(list.count, 4);
	for (size_t i = 0; i < list.count; i++)
		assert_string_equal(list.results[i]->source, "fio-2.1.3");
	const struct result *r = list.results[2];
	assert_int_equal(r->rows_count, 2);
	assert_int_equal(r->groups_count, 2);
	assert_string_equal(r->date, "Mon Nov 30 16:15:02 2026");
	assert_string_equal(r->rows[0].what, "write 4k");
	assert_string_equal(r->rows[1].name, "sl");
	assert_string_equal(r->rows[1].description, "slow reader");
	assert_int_equal(r->rows[1].group, 1);
	assert_string_equal(list.results[0]->rows[0].engine, "libaio");
	assert_string_equal(list.results[0]->title, "fio-2.1.3.txt");
	import_done(&list);
}

static void test_absent(void **state)
{
	struct import_list list = file_results("fio-2.21.txt");
	const struct result_dir *d = &list.results[0]->rows[0].dir[DIR_READ];
	uint64_t ns;

	(void)state;
	assert_true(d->told->bw);
	assert_true(d->told->bw_percent < 0); /* wrong in 2.17 to 2.21 */
	assert_false(d->told->bw_count);
	assert_false(d->told->iops);
	assert_false(d->clat->told->counted);
	assert_false(latency_find(d->clat, 0.42, &ns));
	assert_false(latency_find(d->lat, 0.5, &ns));
	assert_null(list.results[0]->rows[0].told->ns);
	assert_int_equal(list.results[0]->time_ms, 0);
	assert_null(list.results[1]->rows[0].dir[DIR_READ].slat); /* of a sync engine */
	assert_false(list.results[1]->rows[0].dir[DIR_WRITE].bytes);
	import_done(&list);

	/* Client mode's sum has percentiles without decimals: 99.5 to 99.99 are all "100th". */
	list = file_results("client.txt");
	const struct result *last = list.results[list.count - 1];
	d = &last->rows[last->rows_count - 1].dir[DIR_READ];
	assert_string_equal(last->rows[last->rows_count - 1].name, "All clients");
	assert_true(latency_find(d->clat, 0.99, &ns));
	assert_int_equal(ns, 1096);
	assert_false(latency_find(d->clat, 1, &ns));
	import_done(&list);
}

static void test_styles(void **state)
{
	struct import_list list = file_results("kb-base-1000.txt");

	(void)state;
	assert_int_equal(list.results[0]->rows[0].style->kb_base, 1000);
	import_done(&list);
	list = file_results("bits.txt");
	assert_int_equal(list.results[0]->rows[0].style->unit_base, 1);
	assert_int_equal(list.results[0]->rows[0].style->kb_base, 1024);
	import_done(&list);
	list = file_results("unified-both.txt");
	assert_int_equal(list.results[0]->rows[0].style->unified, UNIFIED_BOTH);
	import_done(&list);
	list = file_results("latency-target.txt");
	assert_int_equal(list.results[0]->rows[0].style->goal_ns, 500000);
	assert_int_equal(list.results[0]->rows[0].style->goal_window_ns, 200000000);
	assert_int_equal(list.results[0]->rows[0].goal_depth, 1);
	import_done(&list);
}

static void test_rest(void **state)
{
	struct import_list list = file_results("steady.txt");
	const struct result_steady *s = list.results[0]->rows[0].steady;

	(void)state;
	assert_true(s->attained);
	assert_true(result_steady_mean(s, STEADY_IOPS) == 4091e3);
	assert_true(result_steady_criterion(s) == 11.388);
	import_done(&list);
	list = file_results("steady.json");
	s = list.results[0]->rows[0].steady;
	assert_string_equal(s->text, "iops:50.000000%");
	assert_int_equal(s->count, 3);
	assert_true(s->full && s->attained && s->v[STEADY_IOPS][1] == 3692358);
	import_done(&list);

	list = file_results("errors.txt");
	const struct result_row *row = &list.results[0]->rows[0];
	assert_int_equal(row->error, 28);
	assert_string_equal(row->error_text, "func=io_u error, error=No space left on device");
	assert_int_equal(row->total_errors, 1);
	assert_int_equal(list.results[0]->messages_count, 1);
	import_done(&list);

	list = file_results("idle-prof-percpu.txt");
	assert_true(list.results[0]->idle.system == 50.90);
	assert_int_equal(list.results[0]->idle.cpus, 2);
	assert_true(list.results[0]->idle.cpu[1] == 69.47);
	assert_true(list.results[0]->idle.unit_stddev_us == 10.15);
	import_done(&list);

	list = file_results("prio-stats.txt");
	const struct result_dir *d = &list.results[0]->rows[0].dir[DIR_READ];
	assert_int_equal(d->prios_count, 2);
	assert_int_equal(d->prios[1].value, 1 << 13);
	assert_true(quantile_of(d->prios[1].latency, 0.9995) == 3458e3);
	import_done(&list);

	list = file_results("status-interval.txt");
	assert_int_equal(list.count, 4);
	assert_string_equal(list.results[3]->rows[0].engine, list.results[0]->rows[0].engine);
	import_done(&list);
}

/* ---- what was done to texts ---- */

/* The same report: its figures as text (the reporters are tested elsewhere). */
static void same_results(const struct import_list *a, const struct import_list *b,
	const char *how)
{
	if (a->count != b->count)
		fail_msg("%s: %zu runs, not %zu", how, a->count, b->count);
	for (size_t i = 0; i < a->count; i++) {
		const struct result *x = a->results[i], *y = b->results[i];
		assert_int_equal(x->rows_count, y->rows_count);
		assert_int_equal(x->groups_count, y->groups_count);
		assert_int_equal(x->disks_count, y->disks_count);
		assert_int_equal(x->disks[0].own.ios[1], y->disks[0].own.ios[1]);
		for (uint32_t k = 0; k < x->rows_count; k++) {
			const struct result_row *p = &x->rows[k], *q = &y->rows[k];
			if (strcmp(p->name, q->name) != 0)
				fail_msg("%s: job '%s', not '%s'", how, p->name, q->name);
			assert_string_equal(p->what, q->what);
			assert_true(p->told->user_percent == q->told->user_percent);
			assert_memory_equal(p->told->completes, q->told->completes,
				RESULT_DEPTHS * sizeof(double));
			assert_int_equal(p->style->percentiles_count,
				q->style->percentiles_count);
			for (int dir = 0; dir < DIRS; dir++) {
				const struct result_dir *d = &p->dir[dir], *e = &q->dir[dir];
				assert_int_equal(d->bytes, e->bytes);
				assert_int_equal(d->issued, e->issued);
				assert_true(d->bw.stddev == e->bw.stddev);
				assert_int_equal(!d->clat, !e->clat);
				if (!d->clat)
					continue;
				assert_true(latency_stddev(d->lat) == latency_stddev(e->lat));
				assert_int_equal(d->clat->told->count, e->clat->told->count);
				if (d->clat->told->count)
					assert_true(quantile_of(d->clat, 0.9999) ==
						    quantile_of(e->clat, 0.9999));
			}
		}
	}
}

/* TEXT with BEFORE and BEHIND at each line; lines broken at blanks beyond WIDTH. */
static void mangle(const char *text, const char *before, const char *behind, size_t width,
	struct str *out)
{
	size_t column = 0;

	str_add(out, before);
	for (const char *at = text; *at; at++) {
		if (*at == '\n') {
			str_add(out, behind);
			str_add_char(out, '\n');
			if (at[1])
				str_add(out, before);
			column = 0;
			continue;
		}
		str_add_char(out, *at);
		column++;
		if (*at == ' ' && width && column + strcspn(at + 1, " \n") > width) {
			str_add_char(out, '\n');
			column = 0;
		}
	}
}

static void same_when(const char *file, const char *text, const char *how)
{
	struct import_list list = file_results(file), other = text_results(file, text);

	same_results(&other, &list, how);
	import_done(&list);
	import_done(&other);
}

static const char *const mangled[] = {"fio-2.0.8.txt", "fio-2.0.15.txt", "fio-2.1.3.txt",
	"fio-2.2.10.txt", "fio-2.16.txt", "fio-2.21.txt", "fio-3.0.txt", "fio-3.33.txt"};

static void test_mangled(void **state)
{
	static const struct {
		const char *before, *behind;
		size_t width;
	} ways[] = {{"> ", "", 0}, {">> > ", "", 72}, {"    ", "", 0}, {"\t\t", "\r", 0},
		{"\x1b[32m", "\x1b[0m", 0}, {"\xc2\xa0\xc2\xa0", "", 0}, {"", "", 76},
		{"", "", 65}, {"", "\n", 0}, {"", " ", 50}};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(mangled); i++) {
		size_t len;
		char *text = folder_text(folder, mangled[i], &len);
		for (size_t k = 0; k < COUNT_OF(ways); k++) {
			struct str out = {0};
			char how[64];
			snprintf(how, sizeof(how), "%s, way %zu", mangled[i], k);
			mangle(text, ways[k].before, ways[k].behind, ways[k].width, &out);
			same_when(mangled[i], str_text(&out), how);
			str_done(&out);
		}
		free(text);
	}
}

/* As archives served them: line breaks and indentation are gone. */
static void test_one_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(mangled); i++) {
		size_t len, to = 0;
		char *text = folder_text(folder, mangled[i], &len);
		for (size_t at = 0; at < len; at++) {
			char c = text[at] == '\n' || text[at] == '\r' ? ' ' : text[at];
			if (c != ' ' || (to && text[to - 1] != ' '))
				text[to++] = c;
		}
		text[to] = '\0';
		same_when(mangled[i], text, mangled[i]);
		struct str out = {0};
		mangle(text, "", "", 72, &out);
		same_when(mangled[i], str_text(&out), "one line, wrapped");
		str_done(&out);
		free(text);
	}
}

static void test_around(void **state)
{
	static const char mail[] =
		"From: somebody\nSubject: [PATCH 0/3] faster\n\n"
		"On Monday somebody wrote:\n> the numbers, with cpu : idle and read: slow\n\n"
		"# old kernel\n"
		"my job: a/b: (groupid=0, jobs=1): err=28 (file:io_u.c:1311, func=io_u error, "
		"error=No\nspace left on device): pid=7\n"
		"  read : io=100MB, bw=51200KB/s, iops=12.5K, runt=  2000msec\n"
		"    clat (msec): min=1 , max=1805.8K, avg= 3.50, stdev= 0.25\n"
		"  cpu          : usr=1.00%, sys=2.00%, ctx=3, majf=4, minf=5\n"
		"  IO depths    : 1=100.0%, 2=0.0%, 4=0.0%, 8=0.0%, 16=0.0%, 32=0.0%, >=64=0.0%\n"
		"Run status group 0 (all jobs):\n"
		"   READ: io=100MB, aggrb=51200KB/s, minb=51200KB/s, maxb=51200KB/s, mint=2000msec,\n"
		"maxt=2000msec\n\nand so on: 12 = 13, see [1].\n"
		"# new kernel\n"
		"my job: a/b: (groupid=0, jobs=1): err= 0: pid=9\n"
		"  read : io=200MB, bw=102400KB/s, iops=25000, runt=  2000msec\n"
		"    clat (usec): min=1 , max=18";
	struct import_list list = text_results("mail", mail);

	(void)state;
	assert_int_equal(list.count, 2);
	const struct result_row *row = &list.results[0]->rows[0];
	assert_string_equal(list.results[0]->title, "mail: old kernel");
	assert_string_equal(row->name, "my job: a/b");
	assert_int_equal(row->error, 28);
	assert_true(result_iops(&row->dir[DIR_READ]) == 12500);
	assert_true(row->dir[DIR_READ].clat->moments.max == UINT64_C(1805800000000));
	assert_true(latency_mean(row->dir[DIR_READ].clat) == 3.5e6);
	assert_int_equal(list.results[0]->groups[0].dir[DIR_READ].run_max_ms, 2000);
	assert_null(row->what);
	assert_false(row->partial);
	/* The second is cut within a figure: what is whole stays. */
	row = &list.results[1]->rows[0];
	assert_true(row->partial);
	assert_string_equal(list.results[1]->notes[0].id, "cut");
	assert_true(result_iops(&row->dir[DIR_READ]) == 25000);
	assert_null(row->dir[DIR_READ].clat);
	import_done(&list);
}

/* Quoted-printable, as mails are sent; soft breaks fall anywhere. */
static void test_printable(void **state)
{
	static const char text[] =
		"a: (groupid=3D0, jobs=3D1): err=3D 0: pid=3D1\n"
		"  read : io=3D10240KB, bw=3D5120KB/s, iops=3D1280, ru=\n"
		"nt=3D  2000msec\n"
		"  IO depths    : 1=3D100.0%, 2=3D0.0%, 4=3D0.0%, 8=3D0.0%, 16=3D0.0%, 3=\n"
		"2=3D0.0%, >=3D64=3D0.0%\n";
	struct import_list list = text_results("mail", text);

	(void)state;
	assert_int_equal(list.results[0]->rows[0].dir[DIR_READ].bytes, 10240 << 10);
	assert_int_equal(result_runtime_ms(&list.results[0]->rows[0].dir[DIR_READ]), 2000);
	assert_non_null(list.results[0]->rows[0].told->depths);
	import_done(&list);
}

/* ---- streams ---- */

struct feed {
	const char *text;
	size_t len, at, step, largest;
	unsigned results;
	int fail_after; /* results; < 0: never */
};

static ssize_t feed_read(void *ctx, char *buffer, size_t size)
{
	struct feed *f = ctx;
	size_t n = MIN_OF(MIN_OF(size, f->step), f->len - f->at);

	memcpy(buffer, f->text + f->at, n);
	f->at += n;
	return (ssize_t)n;
}

static int feed_take(void *ctx, struct result *r)
{
	struct feed *f = ctx;

	f->largest = MAX_OF(f->largest, (size_t)r->rows_count);
	result_free(r);
	return f->fail_after >= 0 && ++f->results > (unsigned)f->fail_after ? -EPIPE : 0;
}

static void test_stream(void **state)
{
	size_t len;
	char *text = folder_text(folder, "fio-3.16.txt", &len);
	struct str many = {0};
	struct err err;

	(void)state;
	for (int i = 0; i < 20; i++)
		str_add(&many, text);
	for (size_t step = 1; step < 70000; step = step * 7 + 1) {
		struct feed f = {.text = str_text(&many),
			.len = many.len,
			.step = step,
			.fail_after = 1000};
		const struct import_source from = {"x", feed_read, &f};
		const struct import_sink to = {feed_take, &f};
		assert_int_equal(import_stream(&from, &to, &err), 0);
		assert_int_equal(f.results, 80);
		assert_int_equal(f.largest, 2);
	}
	struct feed f = {
		.text = str_text(&many), .len = many.len, .step = 4096, .fail_after = 3};
	assert_int_equal(import_stream(&(struct import_source){"x", feed_read, &f},
				 &(struct import_sink){feed_take, &f}, &err),
		-EPIPE);
	assert_int_equal(f.results, 4);
	str_done(&many);
	free(text);
}

/* A disk has no end worth waiting for. */
static ssize_t endless_read(void *ctx, char *buffer, size_t size)
{
	uint64_t *given = ctx;

	if (*given > 64 << 20)
		fail_msg("%" PRIu64 " bytes were read", *given);
	memset(buffer, 0, size);
	*given += size;
	return (ssize_t)size;
}

static void test_binary(void **state)
{
	uint64_t given = 0;
	struct feed f = {.step = 1};
	struct err err;

	(void)state;
	assert_int_equal(import_stream(&(struct import_source){"d", endless_read, &given},
				 &(struct import_sink){feed_take, &f}, &err),
		-EINVAL);
	assert_non_null(strstr(err.text,
		"d: found no report in its first 4 MiB, which have NUL"));
}

/* ---- logs ---- */

static void test_logs(void **state)
{
	static const struct {
		const char *name, *text, *said;
	} faults[] = {
		{"x.log", "1, 2, 0, 4096, 0\n",
			"x.log: is an interval log of fio, and its name"},
		{"x_bw.log", "1, 2, 0, 4096\n1, 2, 0\n1, 2, 0, 4096\n",
			"x_bw.log: found no report"},
		{"x_bw.log", "1, 2, 0, 4096\n1, 2, 0, 4096\n1, 2, 0\n1, 2, 0, 0\n",
			"x_bw.log: line 3: has another number of columns"},
		{"x_bw.log", "1, 2, 3, 4096\n",
			"x_bw.log: line 1: the third number is a direction"},
	};
	struct import_list list = file_results("avg_bw.1.log");
	const struct result_row *row = &list.results[0]->rows[0];
	struct err err;

	(void)state;
	assert_true(row->dir[DIR_READ].bw.max == 8032 * 1024.0 ||
		    row->dir[DIR_READ].bw.max > 8000 * 1024.0);
	assert_false(row->dir[DIR_READ].told->ios);
	import_done(&list);

	list = file_results("each_lat.1.log");
	row = &list.results[0]->rows[0];
	assert_int_equal(row->dir[DIR_READ].ios, 10);
	assert_int_equal(row->dir[DIR_READ].bytes, 10 * 4096);
	assert_null(row->dir[DIR_READ].lat->told); /* all of its samples are there */
	import_done(&list);

	list = file_results("each_clat_hist.1.log");
	row = &list.results[0]->rows[0];
	assert_int_equal(row->dir[DIR_READ].clat->histogram.count, row->dir[DIR_READ].ios);
	assert_true(result_bw(&row->dir[DIR_READ]) < 0);
	import_done(&list);

	list = file_results("avg_clat.1.log");
	assert_null(list.results[0]->rows[0].dir[DIR_READ].clat);
	assert_string_equal(list.results[0]->notes[0].id, "windows");
	import_done(&list);

	for (size_t i = 0; i < COUNT_OF(faults); i++) {
		assert_int_equal(import_text(faults[i].name, faults[i].text,
					 strlen(faults[i].text), &list, &err),
			-EINVAL);
		if (strncmp(err.text, faults[i].said, strlen(faults[i].said)) != 0)
			fail_msg("%zu: %s", i, err.text);
	}
}

/* ---- weir's streams ---- */

static void test_ndjson(void **state)
{
	static const char text[] =
		"{\"type\":\"begin\",\"weir_stream\":1,\"version\":\"weir 1\",\"interval_s\":1.0,\"jobs\":"
		"[{\"row\":1,\"job\":\"a\",\"group\":0,\"workers\":2,\"engine\":\"null\",\"rw\":\"read\"}]}\n"
		"{\"type\":\"interval\",\"t_s\":0.5,\"seconds\":1.0,\"row\":1,\"direction\":\"read\","
		"\"ios\":3,\"bytes\":12288,\"errors\":0,\"lat_ns\":[[10,1],[1004,2]]}\n"
		"{\"type\":\"interval\",\"t_s\":1.5,\"seconds\":1.0,\"row\":1,\"direction\":\"read\","
		"\"ios\":1,\"bytes\":4096,\"errors\":2,\"lat_ns\":[[10,1]]}\n";
	struct import_list list = text_results("s", text);
	const struct result_row *row = &list.results[0]->rows[0];
	const struct result_dir *d = &row->dir[DIR_READ];

	(void)state;
	assert_int_equal(list.count, 1);
	assert_true(row->partial);
	assert_int_equal(row->members, 2);
	assert_int_equal(d->ios, 4);
	assert_int_equal(d->errors, 2);
	assert_true(result_iops(d) == 2);
	assert_int_equal(d->lat->histogram.count, 4);
	assert_true(quantile_of(d->lat, 0.5) == 10 && quantile_of(d->lat, 1) == 1004);
	assert_int_equal(row->series.count, 2);
	assert_int_equal(row->series.records[0].ios[DIR_READ], 3);
	import_done(&list);

	/* With its result the intervals give the series, and the bins of the latency. */
	struct str whole = {0};
	str_add(&whole, text);
	str_add(&whole,
		"{\"type\":\"result\",\"t_s\":3,\"result\":{\"jobs\":[{\"jobname\":\"a\",\"read\":{\"io_bytes\":"
		"16384,\"io_kbytes\":16,\"runtime\":2000,\"iops\":2.000000,\"lat_ns\":{\"min\":9,\"max\":1010,"
		"\"mean\":507.0,\"stddev\":1.0,\"N\":4}}}]}}\n");
	list = text_results("s", str_text(&whole));
	assert_int_equal(list.count, 1);
	row = &list.results[0]->rows[0];
	assert_false(row->partial);
	assert_int_equal(row->series.records[0].lat[DIR_READ].count, 2);
	assert_true(latency_mean(row->dir[DIR_READ].lat) == 507);
	assert_int_equal(row->dir[DIR_READ].lat->histogram.count, 4);
	import_done(&list);
	str_done(&whole);

	struct err err;
	static const char refused[] =
		"{\"type\":\"refused\",\"t_s\":0,\"text\":\"no such file\"}";
	assert_int_equal(import_text("s", refused, sizeof(refused) - 1, &list, &err), -EINVAL);
	assert_string_equal(err.text, "s: nothing was run: no such file");
}

/* ---- merging what was told ---- */

static void test_merge(void **state)
{
	struct import_list list = file_results("fio-2.1.3.txt");
	const struct result_row *row = &list.results[0]->rows[0];
	struct result *sum = result_new();
	struct result_row all = {0};
	uint64_t ns;

	(void)state;
	assert_int_equal(result_row_merge(sum, &all, row), 0);
	const struct result_dir *d = &all.dir[DIR_READ];
	assert_true(latency_find(d->clat, 0.5, &ns)); /* one part: as it was */
	assert_true(result_iops(d) == 124111);
	assert_true(all.told->user_percent == row->told->user_percent);
	assert_int_equal(result_row_merge(sum, &all, row), 0);
	assert_int_equal(d->bytes, 2 * row->dir[DIR_READ].bytes);
	assert_true(result_iops(d) == 2 * 124111);
	assert_int_equal(d->clat->moments.max, 29802000);
	assert_false(latency_find(d->clat, 0.5, &ns));
	assert_true(latency_mean(d->clat) < 0); /* how many I/Os isn't in the text */
	assert_true(all.told->user_percent < 0);
	import_done(&list);

	/* Counts and bins are in JSON+: all is known of the sum. */
	list = file_results("plus.json");
	row = &list.results[0]->rows[0];
	int dir = row->dir[DIR_READ].bytes ? DIR_READ : DIR_WRITE;
	const struct latency *l = row->dir[dir].clat;
	struct result_row two = {0};
	assert_int_equal(result_row_merge(sum, &two, row), 0);
	assert_int_equal(result_row_merge(sum, &two, row), 0);
	const struct latency *twice = two.dir[dir].clat;
	assert_int_equal(twice->moments.count, 2 * l->moments.count);
	assert_int_equal(twice->histogram.count, 2 * l->histogram.count);
	assert_true(fabs(latency_mean(twice) / latency_mean(l) - 1) < 1e-12);
	double n = (double)l->moments.count;
	double dev = latency_stddev(l) * sqrt(2 * (n - 1) / (2 * n - 1));
	assert_true(fabs(latency_stddev(twice) / dev - 1) < 1e-9);
	import_done(&list);
	result_free(sum);
}

/* A run in several formats is one result, other runs beside it are others. */
static void test_beside(void **state)
{
	size_t len;
	char *mixed = folder_text(folder, "mixed.json", &len),
	     *other = folder_text(folder, "fio-3.1.txt", &len);
	struct str both = {0};

	(void)state;
	assert_non_null(strstr(mixed, "(groupid=0"));
	struct import_list list = text_results("m", mixed);
	assert_int_equal(list.count, 1);
	assert_true(list.results[0]->time_ms > 0); /* the JSON's */
	import_done(&list);
	str_add(&both, mixed);
	str_add(&both, other);
	list = text_results("m", str_text(&both));
	assert_int_equal(list.count, 5);
	assert_string_equal(list.results[1]->source, "fio-3.1");
	import_done(&list);
	str_done(&both);
	free(mixed);
	free(other);
}

static void test_faults(void **state)
{
	static const struct {
		const char *text, *said;
	} cases[] = {
		{"nothing of the kind\n",
			"f: found no report in its 20 bytes; understood are text"},
		{"a: (g=0): rw=read, bs=4K-4K/4K-4K, ioengine=sync, iodepth=1\nfio-2.1\n"
		 "fio: pid=0, err=2/file:filesetup.c:1, error=No such file\n\n"
		 "Run status group 0 (all jobs):\n",
			"f: has the beginning of a run and no job that did any I/O: fio: pid=0, err=2"},
	};
	struct import_list list;
	struct err err;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		assert_int_equal(import_text("f", cases[i].text, strlen(cases[i].text), &list,
					 &err),
			-EINVAL);
		if (strncmp(err.text, cases[i].said, strlen(cases[i].said)) != 0)
			fail_msg("%s", err.text);
	}
	/* A brace in a mail is no report, and no reason to refuse one. */
	char *text;
	size_t len;
	struct str mail = {0};
	text = folder_text(folder, "fio-3.1.txt", &len);
	str_add(&mail, "const struct x y =\n{\n\t\"read\", 5 };\n");
	str_add(&mail, text);
	list = text_results("mail", str_text(&mail));
	assert_int_equal(list.count, 4);
	import_done(&list);
	str_done(&mail);
	free(text);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_absent),
		cmocka_unit_test(test_styles),
		cmocka_unit_test(test_rest),
		cmocka_unit_test(test_mangled),
		cmocka_unit_test(test_one_line),
		cmocka_unit_test(test_around),
		cmocka_unit_test(test_printable),
		cmocka_unit_test(test_stream),
		cmocka_unit_test(test_binary),
		cmocka_unit_test(test_logs),
		cmocka_unit_test(test_ndjson),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_beside),
		cmocka_unit_test(test_faults),
	};

	if (argc != 2)
		return 1;
	folder = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
