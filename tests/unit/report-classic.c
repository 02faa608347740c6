/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* fio's normal output: results with the figures of real runs of fio 3.42 must
 * print as those runs did, character for character. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/scope.h"
#include "report/report.h"
#include "report_fill.h"

#define US          1000.0
#define RUN_DATE_MS UINT64_C(1796055512000) /* Mon Nov 30 16:18:32 2026, UTC */

static const double presets[] = {
	1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99};

static void usec_percentiles(struct latency *l, const uint64_t *microseconds)
{
	uint64_t ns[COUNT_OF(presets)];
	for (size_t i = 0; i < COUNT_OF(presets); i++)
		ns[i] = microseconds[i] * 1000 < l->moments.max ? fill_usec(microseconds[i])
								: l->moments.max;
	fill_percentiles(l, presets, ns, COUNT_OF(presets));
}

static struct samples samples_of(double min, double max, double mean, double stddev,
	uint64_t count, double unit)
{
	return (struct samples){.count = count,
		.min = min * unit,
		.max = max * unit,
		.mean = mean * unit,
		.stddev = stddev * unit};
}

static void tail_of(struct result_row *row, double usr, double sys, uint64_t ctx, uint64_t minf,
	double runtime_ms)
{
	row->cpu_runtime_ms = runtime_ms;
	row->cpu.user_ms = usr * runtime_ms / 100;
	row->cpu.system_ms = sys * runtime_ms / 100;
	row->cpu.switches_voluntary = ctx / 2;
	row->cpu.switches_involuntary = ctx - ctx / 2;
	row->cpu.faults_minor = minf;
}

static void expect(struct result *r, const char *text)
{
	const struct report_how how = {.version = "fio-3.42"};
	scope_mem char *got = fill_text(r, &report_classic, &how);
	assert_string_equal(got, text);
	result_free(r);
}

/* The first job of "randrw, libaio, two jobs": slat, clat, lat, percentiles,
 * samples, all distribution lines, a disk.  The second job is a member
 * without a row: it is in the group's sums, not in the range. */
static void mixed_libaio(void **state)
{
	static const uint64_t read_us[] = {
		10, 16, 18, 22, 27, 32, 39, 45, 53, 64, 80, 99, 206, 1418, 4015, 4113, 8160};
	static const uint64_t write_us[] = {
		13, 19, 22, 26, 31, 37, 43, 49, 57, 68, 85, 103, 221, 1729, 4047, 5473, 8160};
	struct result *r = result_new();
	struct result_row *row = fill_rows(r, 1);
	struct result_dir *read = &row->dir[DIR_READ], *write = &row->dir[DIR_WRITE];
	struct result_row other = {.group = 0};
	struct result_disk disk = {.name = "loop1",
		.own = {.ios = {123284, 52792},
			.sectors = {986272, 422336},
			.ticks_ms = {7123, 3306},
			.in_queue_ms = 10429,
			.util_percent = 86.09}};

	(void)state;
	r->time_ms = RUN_DATE_MS;
	row->name = "mix";
	row->pid = 7336;
	row->depth_asked = 8;
	fill_dir(read, 85246, 4096, 1001 * NS_PER_MS);
	read->slat = fill_latency(r, 85246, 457, 4141300, 1053.06, 23693.42);
	read->clat = fill_latency(r, 85246, 6100, 8637000, 62.27 * US, 254.97 * US);
	read->lat = fill_latency(r, 85246, 9100, 8638000, 63.32 * US, 256.81 * US);
	usec_percentiles(read->clat, read_us);
	read->bw = samples_of(305616, 376352, 340984, 50017.91, 2, 1024);
	read->iops = samples_of(76404, 94088, 85246, 12504.48, 2, 1);
	fill_dir(write, 36439, 4096, 1001 * NS_PER_MS);
	write->slat = fill_latency(r, 36439, 481, 2242900, 1029.37, 13043.49);
	write->clat = fill_latency(r, 36439, 6100, 8634000, 68.29 * US, 274.53 * US);
	write->lat = fill_latency(r, 36439, 10100, 8635000, 69.32 * US, 274.83 * US);
	usec_percentiles(write->clat, write_us);
	write->bw = samples_of(130752, 160760, 145756, 21218.86, 2, 1024);
	write->iops = samples_of(32688, 40190, 36439, 5304.72, 2, 1);
	tail_of(row, 5.80, 12.00, 42977, 13, 1000);
	memcpy(row->depths, (uint64_t[]){1, 2, 4, 121678}, 4 * sizeof(uint64_t));
	row->submits[1] = 1000;
	memcpy(row->completes, (uint64_t[]){0, 99999, 1}, 3 * sizeof(uint64_t));
	memcpy(row->spread.us, (uint64_t[]){0, 0, 1339, 14761, 63095, 36324, 5074, 268, 49, 73},
		10 * sizeof(uint64_t));
	memcpy(row->spread.ms, (uint64_t[]){170, 377, 146}, 3 * sizeof(uint64_t));

	fill_groups(r);
	fill_dir(&other.dir[DIR_READ], 52366, 4096, 1002 * NS_PER_MS);
	fill_dir(&other.dir[DIR_WRITE], 22494, 4096, 1002 * NS_PER_MS);
	result_group_add(&r->groups[0], &other);
	r->disks = &disk;
	r->disks_count = 1;
	expect(r,
		"\n"
		"mix: (groupid=0, jobs=1): err= 0: pid=7336: Mon Nov 30 16:18:32 2026\n"
		"  read: IOPS=85.2k, BW=333MiB/s (349MB/s)(333MiB/1001msec)\n"
		"    slat (nsec): min=457, max=4141.3k, avg=1053.06, stdev=23693.42\n"
		"    clat (usec): min=6, max=8637, avg=62.27, stdev=254.97\n"
		"     lat (usec): min=9, max=8638, avg=63.32, stdev=256.81\n"
		"    clat percentiles (usec):\n"
		"     |  1.00th=[   10],  5.00th=[   16], 10.00th=[   18], 20.00th=[   22],\n"
		"     | 30.00th=[   27], 40.00th=[   32], 50.00th=[   39], 60.00th=[   45],\n"
		"     | 70.00th=[   53], 80.00th=[   64], 90.00th=[   80], 95.00th=[   99],\n"
		"     | 99.00th=[  206], 99.50th=[ 1418], 99.90th=[ 4015], 99.95th=[ 4113],\n"
		"     | 99.99th=[ 8160]\n"
		"   bw (  KiB/s): min=305616, max=376352, per=62.07%, avg=340984.00, "
		"stdev=50017.91, samples=2\n"
		"   iops        : min=76404, max=94088, avg=85246.00, stdev=12504.48, samples=2\n"
		"  write: IOPS=36.4k, BW=142MiB/s (149MB/s)(142MiB/1001msec)\n"
		"    slat (nsec): min=481, max=2242.9k, avg=1029.37, stdev=13043.49\n"
		"    clat (usec): min=6, max=8634, avg=68.29, stdev=274.53\n"
		"     lat (usec): min=10, max=8635, avg=69.32, stdev=274.83\n"
		"    clat percentiles (usec):\n"
		"     |  1.00th=[   13],  5.00th=[   19], 10.00th=[   22], 20.00th=[   26],\n"
		"     | 30.00th=[   31], 40.00th=[   37], 50.00th=[   43], 60.00th=[   49],\n"
		"     | 70.00th=[   57], 80.00th=[   68], 90.00th=[   85], 95.00th=[  103],\n"
		"     | 99.00th=[  221], 99.50th=[ 1729], 99.90th=[ 4047], 99.95th=[ 5473],\n"
		"     | 99.99th=[ 8160]\n"
		"   bw (  KiB/s): min=130752, max=160760, per=61.95%, avg=145756.00, "
		"stdev=21218.86, samples=2\n"
		"   iops        : min=32688, max=40190, avg=36439.00, stdev=5304.72, samples=2\n"
		"  lat (usec)   : 10=1.10%, 20=12.13%, 50=51.85%, 100=29.85%, 250=4.17%\n"
		"  lat (usec)   : 500=0.22%, 750=0.04%, 1000=0.06%\n"
		"  lat (msec)   : 2=0.14%, 4=0.31%, 10=0.12%\n"
		"  cpu          : usr=5.80%, sys=12.00%, ctx=42977, majf=0, minf=13\n"
		"  IO depths    : 1=0.1%, 2=0.1%, 4=0.1%, 8=100.0%, 16=0.0%, 32=0.0%, >=64=0.0%\n"
		"     submit    : 0=0.0%, 4=100.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, "
		">=64=0.0%\n"
		"     complete  : 0=0.0%, 4=100.0%, 8=0.1%, 16=0.0%, 32=0.0%, 64=0.0%, "
		">=64=0.0%\n"
		"     issued rwts: total=85246,36439,0,0 short=0,0,0,0 dropped=0,0,0,0\n"
		"     latency   : target=0.00ns, window=0.00ns, percentile=100.00%, depth=8\n"
		"\n"
		"Run status group 0 (all jobs):\n"
		"   READ: bw=536MiB/s (563MB/s), 333MiB/s-333MiB/s (349MB/s-349MB/s), io=538MiB "
		"(564MB), run=1001-1002msec\n"
		"  WRITE: bw=230MiB/s (241MB/s), 142MiB/s-142MiB/s (149MB/s-149MB/s), io=230MiB "
		"(241MB), run=1001-1002msec\n"
		"\n"
		"Disk stats (read/write):\n"
		"  loop1: ios=123284/52792, sectors=986272/422336, merge=0/0, ticks=7123/3306, "
		"in_queue=10429, util=86.09%\n");
}

/* From the slowest row to the fastest, whatever members they have. */
static void range_of_rows(void **state)
{
	static const struct report_how how = {.version = "fio-3.42"};
	struct result *r = result_new();
	struct result_row *rows = fill_rows(r, 2);

	(void)state;
	fill_dir(&rows[0].dir[DIR_READ], 85246, 4096, 1001 * NS_PER_MS);
	fill_dir(&rows[1].dir[DIR_READ], 52366, 4096, 1002 * NS_PER_MS);
	rows[1].members = 2;
	fill_groups(r);
	scope_mem char *text = fill_text(r, &report_classic, &how);
	assert_non_null(strstr(text,
		"   READ: bw=536MiB/s (563MB/s), 204MiB/s-333MiB/s (214MB/s-349MB/s), io=538MiB "
		"(564MB), run=1001-1002msec\n"));
	result_free(r);
}

/* Wide percentile cells in nanoseconds, three a line; the sync block; depth above
 * 100 %, since syncs are in the buckets and not in the total. */
static void fsyncs(void **state)
{
	static const uint64_t clat_ns[] = {700, 4080, 4384, 5664, 8512, 8896, 9152, 9792, 10944,
		12864, 17792, 25472, 114176, 2056192, 5603328, 8159232, 13434880};
	static const uint64_t sync_us[] = {404, 519, 553, 594, 619, 652, 676, 709, 799, 1020,
		1647, 3785, 12387, 15139, 19792, 20841, 21017};
	struct result *r = result_new();
	struct result_row *row = fill_rows(r, 1);
	struct result_dir *write = &row->dir[DIR_WRITE];

	(void)state;
	r->time_ms = RUN_DATE_MS;
	row->name = "wr";
	row->description = "text with [brackets]";
	row->pid = 7676;
	row->depth_asked = 4;
	fill_dir(write, 21515, 16384, 1001 * NS_PER_MS);
	write->clat = fill_latency(r, 21515, 156, 13440000, 35811.77, 367984.54);
	fill_percentiles(write->clat, presets, clat_ns, COUNT_OF(presets));
	row->sync = fill_latency(r, 2689, 214000, 21017000, 1171.30 * US, 1892.09 * US);
	usec_percentiles(row->sync, sync_us);
	row->syncs = 2689;
	row->depths[0] = 1;
	row->depths[2] = 24205;
	row->spread.ns[6] = 54;
	row->spread.us[0] = 1;
	tail_of(row, 1.30, 10.70, 21114, 9, 1000);
	fill_groups(r);
	expect(r,
		"\n"
		"wr: (groupid=0, jobs=1): err= 0: pid=7676: Mon Nov 30 16:18:32 2026\n"
		"  Description  : [text with [brackets]]\n"
		"  write: IOPS=21.5k, BW=336MiB/s (352MB/s)(336MiB/1001msec)\n"
		"    clat (nsec): min=156, max=13440k, avg=35811.77, stdev=367984.54\n"
		"    clat percentiles (nsec):\n"
		"     |  1.00th=[     700],  5.00th=[    4080], 10.00th=[    4384],\n"
		"     | 20.00th=[    5664], 30.00th=[    8512], 40.00th=[    8896],\n"
		"     | 50.00th=[    9152], 60.00th=[    9792], 70.00th=[   10944],\n"
		"     | 80.00th=[   12864], 90.00th=[   17792], 95.00th=[   25472],\n"
		"     | 99.00th=[  114176], 99.50th=[ 2056192], 99.90th=[ 5603328],\n"
		"     | 99.95th=[ 8159232], 99.99th=[13434880]\n"
		"  lat (nsec)   : 250=0.25%\n"
		"  lat (usec)   : 2=0.01%\n"
		"  fsync/fdatasync/sync_file_range/syncfs:\n"
		"    sync (usec): min=214, max=21017, avg=1171.30, stdev=1892.09\n"
		"    sync percentiles (usec):\n"
		"     |  1.00th=[  404],  5.00th=[  519], 10.00th=[  553], 20.00th=[  594],\n"
		"     | 30.00th=[  619], 40.00th=[  652], 50.00th=[  676], 60.00th=[  709],\n"
		"     | 70.00th=[  799], 80.00th=[ 1020], 90.00th=[ 1647], 95.00th=[ 3785],\n"
		"     | 99.00th=[12387], 99.50th=[15139], 99.90th=[19792], 99.95th=[20841],\n"
		"     | 99.99th=[21017]\n"
		"  cpu          : usr=1.30%, sys=10.70%, ctx=21114, majf=0, minf=9\n"
		"  IO depths    : 1=0.1%, 2=0.0%, 4=112.5%, 8=0.0%, 16=0.0%, 32=0.0%, >=64=0.0%\n"
		"     submit    : 0=0.0%, 4=0.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%\n"
		"     complete  : 0=0.0%, 4=0.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%\n"
		"     issued rwts: total=0,21515,0,2689 short=0,0,0,0 dropped=0,0,0,0\n"
		"     latency   : target=0.00ns, window=0.00ns, percentile=100.00%, depth=4\n"
		"\n"
		"Run status group 0 (all jobs):\n"
		"  WRITE: bw=336MiB/s (352MB/s), 336MiB/s-336MiB/s (352MB/s-352MB/s), io=336MiB "
		"(353MB), run=1001-1001msec\n");
}

/* A job that failed before it moved a byte has a block without directions; one
 * that issued nothing has none; one without text has an empty parenthesis. */
static void failed(void **state)
{
	struct result *r = result_new();
	struct result_row *rows = fill_rows(r, 3);

	(void)state;
	r->time_ms = RUN_DATE_MS;
	rows[0].name = "coe";
	rows[0].error = 28;
	rows[0].error_text = "func=io_u error, error=No space left on device";
	rows[0].continued_on_error = true;
	rows[0].total_errors = 1;
	rows[0].first_error = 28;
	rows[0].dir[DIR_WRITE].issued = 1;
	rows[0].depths[0] = 1;
	rows[0].completes[0] = 1;
	rows[0].completes[1] = 1;
	rows[1].name = "idle";
	rows[1].error = 13;
	rows[2].name = "v";
	rows[2].error = 84;
	rows[2].dir[DIR_READ].issued = 1;
	rows[2].dir[DIR_READ].short_ios = 1;
	rows[2].dir[DIR_READ].dropped = 2;
	fill_groups(r);
	expect(r,
		"\n"
		"coe: (groupid=0, jobs=1): err=28 (file:weir.c:1, func=io_u error, error=No space "
		"left on device): pid=1000: Mon Nov 30 16:18:32 2026\n"
		"  cpu          : usr=0.00%, sys=0.00%, ctx=0, majf=0, minf=0\n"
		"  IO depths    : 1=100.0%, 2=0.0%, 4=0.0%, 8=0.0%, 16=0.0%, 32=0.0%, >=64=0.0%\n"
		"     submit    : 0=0.0%, 4=0.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%\n"
		"     complete  : 0=50.0%, 4=50.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%\n"
		"     issued rwts: total=0,1,0,0 short=0,0,0,0 dropped=0,0,0,0\n"
		"     errors    : total=1, first_error=28/<No space left on device>\n"
		"     latency   : target=0.00ns, window=0.00ns, percentile=100.00%, depth=1\n"
		"v: (groupid=0, jobs=1): err=84 (): pid=1002: Mon Nov 30 16:18:32 2026\n"
		"  cpu          : usr=0.00%, sys=0.00%, ctx=0, majf=0, minf=0\n"
		"  IO depths    : 1=0.0%, 2=0.0%, 4=0.0%, 8=0.0%, 16=0.0%, 32=0.0%, >=64=0.0%\n"
		"     submit    : 0=0.0%, 4=0.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%\n"
		"     complete  : 0=0.0%, 4=0.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%\n"
		"     issued rwts: total=1,0,0,0 short=1,0,0,0 dropped=2,0,0,0\n"
		"     latency   : target=0.00ns, window=0.00ns, percentile=100.00%, depth=1\n"
		"\n"
		"Run status group 0 (all jobs):\n");
}

/* No job did anything: the heading alone, after the empty line (errors/15). */
static void nothing(void **state)
{
	struct result *r = result_new();

	(void)state;
	fill_rows(r, 1);
	fill_groups(r);
	expect(r, "\n\nRun status group 0 (all jobs):\n");
}

/* Styles: all three percentile tables, own list and precision, bits, kb_base. */
static void styles(void **state)
{
	static const double list[] = {50, 90, 99, 99.9, 99.99, 100};
	static const uint64_t slat_ns[] = {604, 1272, 5536, 15040, 54528, 9633792};
	static const uint64_t clat_ns[] = {13100, 25100, 47100, 3489000, 8159000, 16817000};
	static const struct result_style style = {
		.percentiles = {50, 90, 99, 99.9, 99.99, 100},
		.percentiles_count = 6,
		.percentile_decimals = 2,
		.slat_percentiles = true,
		.lat_percentiles = true,
		.kb_base = 1000,
		.unit_base = 1,
		.digits = 4,
	};
	struct result *r = result_new();
	struct result_row *row = fill_rows(r, 1);
	struct result_dir *read = &row->dir[DIR_READ];
	const struct report_how how = {.version = "fio-3.42"};

	(void)state;
	row->style = &style;
	fill_dir(read, 72652, 4096, 1001 * NS_PER_MS);
	read->slat = fill_latency(r, 72652, 470, 9667000, 1090.99, 35896.75);
	read->lat = fill_latency(r, 72652, 4100, 16818000, 26.25 * US, 215.93 * US);
	fill_percentiles(read->slat, list, slat_ns, 6);
	fill_percentiles(read->lat, list, clat_ns, 6);
	read->bw = samples_of(1200, 1300, 1250, 70.7, 2, 1e6);
	fill_groups(r);
	scope_mem char *got = fill_text(r, &report_classic, &how);
	const char *expected =
		"  read: IOPS=72.6k, BW=2378Mbit/s (2268Mibit/s)(298MB/1001msec)\n"
		"    slat (nsec): min=470, max=9667.0k, avg=1090.99, stdev=35896.75\n"
		"     lat (usec): min=4, max=16818, avg=26.25, stdev=215.93\n"
		"    slat percentiles (nsec):\n"
		"     | 50.00th=[    604], 90.00th=[   1272], 99.00th=[   5536],\n"
		"     | 99.90th=[  15040], 99.99th=[  54528], 100.00th=[9633792]\n"
		"    lat percentiles (usec):\n"
		"     | 50.00th=[   14], 90.00th=[   26], 99.00th=[   47], 99.90th=[ 3490],\n"
		"     | 99.99th=[ 8160], 100.00th=[16818]\n"
		"   bw (   MB/s): min= 1200, max= 1300, per=100.00%, avg=1250.00, stdev=70.70, "
		"samples=2\n"
		"  cpu          : ";
	char *from = strstr(got, "  read:");
	assert_non_null(from);
	from[MIN_OF(strlen(expected), strlen(from))] = '\0';
	assert_string_equal(from, expected);
	assert_non_null(strstr(from + strlen(from) + 1,
		"   READ: bw=2378Mbit/s (2268Mibit/s), "
		"2378Mbit/s-2378Mbit/s (2268Mibit/s-"
		"2268Mibit/s), io=298MB (284MiB), run="));
	result_free(r);
}

/* The unit of a latency line, by fio's three thresholds. */
static void units(void **state)
{
	static const struct {
		uint64_t min, max;
		double mean, stddev;
		const char *line;
	} cases[] = {
		{2000, 200000, 9000, 5000, "clat (nsec): min=2000, max=200000, avg=9000.00, "},
		{2001, 99999, 9000, 5000, "clat (nsec): min=2001, max=99999, avg=9000.00, "},
		{2001, 100000, 9000, 900, "clat (nsec): min=2001, max=100000, avg=9000.00, "},
		{2001, 100000, 9000, 1100,
			"clat (usec): min=2, max=100, avg= 9.00, stdev= 1.10"},
		{2000001, 99999999, 9e6, 5e6,
			"clat (usec): min=2000, max=99999, avg=9000.00, "},
		{2000001, 100000000, 9e6, 5e6,
			"clat (msec): min=2, max=100, avg= 9.00, stdev= 5.00"},
		{3000000, 1200000000000, 9e9, 5e9,
			"clat (msec): min=3, max=1200.0k, avg=9000.00, "},
		{5, 5, 5, 0, "clat (nsec): min=5, max=5, avg= 5.00, stdev= 0.00"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct result *r = result_new();
		struct result_row *row = fill_rows(r, 1);
		const struct report_how how = {.version = "fio-3.42"};
		fill_dir(&row->dir[DIR_READ], 1000, 4096, NS_PER_S);
		row->dir[DIR_READ].clat = fill_latency(r, 1000, cases[i].min, cases[i].max,
			cases[i].mean, cases[i].stddev);
		scope_mem char *got = fill_text(r, &report_classic, &how);
		if (!strstr(got, cases[i].line))
			fail_msg("no \"%s\" in:\n%s", cases[i].line, got);
		result_free(r);
	}
}

/* A device with two below it, whose lines follow. */
static void stacked_disk(void **state)
{
	struct result_disk disks[] = {{.name = "dm-0",
					      .slaves = 1,
					      .own = {.ios = {1, 2}, .util_percent = 100},
					      .mean = {.ios = {3, 4},
						      .sectors = {5, 6},
						      .merges = {7, 8},
						      .ticks_ms = {9, 10},
						      .in_queue_ms = 11},
					      .util_max = 12.5},
		{.name = "vda", .is_slave = true}};
	struct result *r = result_new();

	(void)state;
	r->disks = disks;
	r->disks_count = 2;
	expect(r,
		"\n\nDisk stats (read/write):\n"
		"    dm-0: ios=1/2, sectors=0/0, merge=0/0, ticks=0/0, in_queue=0, util=100.00%, "
		"aggrios=3/4, aggsectors=5/6, aggrmerge=7/8, aggrticks=9/10, aggrin_queue=11, "
		"aggrutil=12.50%\n"
		"  vda: ios=0/0, sectors=0/0, merge=0/0, ticks=0/0, in_queue=0, util=0.00%\n");
}

int main(void)
{
	setenv("TZ", "UTC", 1);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mixed_libaio),
		cmocka_unit_test(range_of_rows),
		cmocka_unit_test(fsyncs),
		cmocka_unit_test(failed),
		cmocka_unit_test(nothing),
		cmocka_unit_test(styles),
		cmocka_unit_test(units),
		cmocka_unit_test(stacked_disk),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
