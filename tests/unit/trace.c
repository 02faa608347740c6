/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Traces from made-up bytes: what each format says comes out, in order, whatever it is
 * packed in; and what can't be understood is refused with its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/str.h"
#include "config.h"
#include "trace/map.h"
#include "trace/summary.h"
#include "trace/trace.h"

#include <linux/blktrace_api.h>

#if HAVE_ZLIB
#include <zlib.h>
#endif

/* ---- files ---- */

struct file {
	int fd;
	char path[64];
};

static struct file file_of(const void *bytes, size_t len)
{
	struct file f = {.fd = memfd_create("trace", MFD_CLOEXEC)};

	assert_true(f.fd >= 0);
	assert_int_equal(write(f.fd, bytes, len), (ssize_t)len);
	snprintf(f.path, sizeof(f.path), "/proc/self/fd/%d", f.fd);
	return f;
}

static struct file file_of_text(const char *text)
{
	return file_of(text, strlen(text));
}

/* All records as text: "TIME ACTION NAME OFFSET+BYTES\n"; an error is the last line. */
static char *read_inputs(const struct trace_input *inputs, uint32_t count,
	struct trace_odd *odd)
{
	struct str out = {0};
	struct trace *t = NULL;
	struct trace_record r;
	struct err e = {0};

	int rc = trace_open(inputs, count, &t, &e);
	while (rc == 0 && (rc = trace_next(t, &r, &e)) == 1) {
		str_addf(&out, "%llu %s %s", (unsigned long long)r.time_ns,
			trace_action_name(r.action), trace_names(t)->v[r.name]);
		if (r.action <= TRACE_TRIM)
			str_addf(&out, " %llu+%llu", (unsigned long long)r.offset,
				(unsigned long long)r.bytes);
		str_add(&out, "\n");
		rc = 0;
	}
	if (rc < 0)
		str_addf(&out, "%s\n", e.text);
	if (odd && t)
		trace_oddities(t, odd);
	trace_free(t);
	return out.text ? out.text : strdup("");
}

static char *read_bytes(const void *bytes, size_t len, struct trace_odd *odd)
{
	struct file f = file_of(bytes, len);
	char *out = read_inputs(&(struct trace_input){.path = f.path}, 1, odd);

	close(f.fd);
	return out;
}

static void expect(const void *bytes, size_t len, const char *want)
{
	char *got = read_bytes(bytes, len, NULL);
	assert_string_equal(got, want);
	free(got);
}

static void expect_text(const char *text, const char *want)
{
	expect(text, strlen(text), want);
}

#define HEAD2 "fio version 2 iolog\n"
#define HEAD3 "fio version 3 iolog\n"

/* ---- iologs ---- */

/* Times of version 3 are microseconds (fio 3.33: a log of 304 ms replays in 304 ms). */
static void iolog3_says_all(void **state)
{
	(void)state;
	expect_text(HEAD3
		"0 a add\n1 a open\n5 a read 0 4096\n9 a write 4096 512\n9 a sync 7 0\n"
		"12 a datasync 0 0\n20 a trim 8192 65536\n21 a close\n",
		"0 add a\n1000 open a\n5000 read a 0+4096\n9000 write a 4096+512\n9000 sync a\n"
		"12000 datasync a\n20000 trim a 8192+65536\n21000 close a\n");
}

/* Those of a wait are milliseconds since the start (fio 3.33: waits until 300 and 500 last
 * for 500 ms, not 800). */
static void iolog2_waits_from_the_start(void **state)
{
	(void)state;
	expect_text(HEAD2 "a add\na read 0 512\na wait 300 0\na read 512 512\na wait 500 0\n"
			  "a write 0 512\na wait 100 0\na sync 0 0\n",
		"0 add a\n0 read a 0+512\n300000000 wait a\n300000000 read a 512+512\n"
		"500000000 wait a\n500000000 write a 0+512\n500000000 wait a\n500000000 sync a\n");
}

static void iolog_is_read_leniently(void **state)
{
	(void)state;
	expect_text(HEAD3 "0  my file\tadd\r\n\n3   my file   read  0\t4096 \r\n",
		"0 add my file\n3000 read my file 0+4096\n");
	expect_text(HEAD3 "0 a add\n3 a read 0 4096", "0 add a\n3000 read a 0+4096\n");
	expect_text(HEAD3, "");
}

/* fio appends a second log with a head of its own: it goes on where the first ended. */
static void iolog_sections_follow(void **state)
{
	struct trace_odd odd;
	static const char text[] = HEAD3 "0 a add\n5 a read 0 512\n" HEAD3
					 "0 a add\n2 a read 512 512\n";

	(void)state;
	char *got = read_bytes(text, strlen(text), &odd);
	assert_string_equal(got,
		"0 add a\n5000 read a 0+512\n5000 add a\n7000 read a 512+512\n");
	assert_int_equal(odd.sections, 1);
	assert_int_equal(odd.backwards, 0);
	free(got);
}

static void time_does_not_go_back(void **state)
{
	struct trace_odd odd;
	static const char text[] = HEAD3
		"0 a add\n9 a read 0 512\n4 a read 512 512\n2 a write 0 0\n9 a sync 0 0\n";

	(void)state;
	char *got = read_bytes(text, strlen(text), &odd);
	assert_string_equal(got,
		"0 add a\n9000 read a 0+512\n9000 read a 512+512\n9000 sync a\n");
	assert_int_equal(odd.backwards, 2);
	assert_int_equal(odd.back_first, 4);
	assert_int_equal(odd.back_most_ns, 7000);
	assert_int_equal(odd.empty, 1);
	free(got);
}

static void bad_lines_are_named(void **state)
{
	static const struct {
		const char *text, *say;
	} cases[] = {
		{HEAD3 "0 a add\n0 a discard 0 1\n", "stdin:3: \"discard\" is no action"},
		{HEAD3 "0 a read 0 512\n", "stdin:2: \"a\" was never added"},
		{HEAD3 "x a add\n", "stdin:2: \"x\" is no time in us"},
		{HEAD3 "-5 a add\n", "stdin:2: \"-5\" is no time in us"},
		{HEAD3 "0 a add\n0 a read 4k 512\n",
			"stdin:3: \"4k 512\" is no offset and length"},
		{HEAD3 "0 a add\n0 a read 99999999999999999999 1\n", "is no offset and length"},
		{HEAD3 "0 a add\n0 a read 9223372036854775807 512\n", "ends behind the end"},
		{HEAD3 "0 add\n", "has no file name"},
		{HEAD3 "0 a add\n" HEAD2, "stdin:3: begins a log of another version"},
		{HEAD2 "a add\na wait 99999999999999999 0\n", "waits for longer"},
		{"fio version 4 iolog\n", "is an iolog of version 4"},
		{"fio version 3 iologs\n", "is an iolog of version 3"},
		{"read 0 512\n", "is no trace that weir knows"},
		{"", "is empty: there is no trace in it"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *got = read_bytes(cases[i].text, strlen(cases[i].text), NULL);
		if (!strstr(got, cases[i].say))
			fail_msg("case %zu: \"%s\" is not in \"%s\"", i, cases[i].say, got);
		free(got);
	}
}

static void binary_junk_is_refused(void **state)
{
	static const char nul[] = HEAD3 "0 a add\n0 a\0read 0 512\n";
	char *longest = calloc(1, 20000);
	char *got = read_bytes(nul, sizeof(nul) - 1, NULL);

	(void)state;
	assert_non_null(strstr(got, "stdin:3: is no text"));
	free(got);
	memset(longest, 'x', 19999);
	memcpy(longest, HEAD3, strlen(HEAD3));
	got = read_bytes(longest, 19999, NULL);
	assert_non_null(strstr(got, "stdin:2: is longer than"));
	free(got);
	free(longest);
}

/* ---- blktrace ---- */

#define QUEUED(kinds) ((uint32_t)(BLK_TC_QUEUE | (kinds)) << BLK_TC_SHIFT | __BLK_TA_QUEUE)

/* As a machine of the other byte order would write it. */
static void blk_swap(struct blk_io_trace *t)
{
	t->magic = __builtin_bswap32(t->magic);
	t->sequence = __builtin_bswap32(t->sequence);
	t->time = __builtin_bswap64(t->time);
	t->sector = __builtin_bswap64(t->sector);
	t->bytes = __builtin_bswap32(t->bytes);
	t->action = __builtin_bswap32(t->action);
	t->pid = __builtin_bswap32(t->pid);
	t->device = __builtin_bswap32(t->device);
	t->cpu = __builtin_bswap32(t->cpu);
	t->error = __builtin_bswap16(t->error);
	t->pdu_len = __builtin_bswap16(t->pdu_len);
}

static void blk_add(struct str *out, uint64_t time, uint64_t sector, uint32_t bytes,
	uint32_t action, const char *behind, bool swap)
{
	struct blk_io_trace t = {
		.magic = BLK_IO_TRACE_MAGIC | BLK_IO_TRACE_VERSION,
		.time = time,
		.sector = sector,
		.bytes = bytes,
		.action = action,
		.device = 8u << 20 | 17,
		.pdu_len = (uint16_t)strlen(behind),
	};

	if (swap)
		blk_swap(&t);
	str_add_bytes(out, (const char *)&t, sizeof(t));
	str_add(out, behind);
}

static struct str blk_example(bool swap)
{
	struct str out = {0};

	blk_add(&out, 100, 0, 0, (uint32_t)BLK_TC_NOTIFY << BLK_TC_SHIFT | __BLK_TN_MESSAGE,
		"hello", swap);
	blk_add(&out, 5000, 8, 4096, QUEUED(BLK_TC_READ | BLK_TC_FS), "", swap);
	blk_add(&out, 5500, 8, 4096,
		(uint32_t)(BLK_TC_COMPLETE | BLK_TC_READ) << BLK_TC_SHIFT | __BLK_TA_COMPLETE,
		"", swap);
	blk_add(&out, 6000, 16, 512, QUEUED(BLK_TC_WRITE) | __BLK_TA_CGROUP, "cgroupid", swap);
	blk_add(&out, 7000, 0, 512, QUEUED(BLK_TC_READ | BLK_TC_PC), "", swap);
	blk_add(&out, 8000, 64, 1 << 20, QUEUED(BLK_TC_WRITE | BLK_TC_DISCARD), "", swap);
	blk_add(&out, 9000, 0, 0, QUEUED(BLK_TC_WRITE | BLK_TC_FLUSH), "", swap);
	blk_add(&out, 9500, 2, 1024, QUEUED(BLK_TC_WRITE | BLK_TC_FLUSH | BLK_TC_SYNC), "",
		swap);
	return out;
}

/* Times count from the first request; 512 bytes a sector; 12 and 20 bits of a device. */
static const char blk_want[] = "0 read 8:17 4096+4096\n1000 write 8:17 8192+512\n"
			       "3000 trim 8:17 32768+1048576\n4000 sync 8:17\n4500 sync 8:17\n"
			       "4500 write 8:17 1024+1024\n";

static void blktrace_in_either_byte_order(void **state)
{
	(void)state;
	for (int swap = 0; swap < 2; swap++) {
		struct trace_odd odd;
		struct str bytes = blk_example(swap);
		char *got = read_bytes(bytes.text, bytes.len, &odd);
		assert_string_equal(got, blk_want);
		assert_int_equal(odd.passed_over, 3);
		free(got);
		str_done(&bytes);
	}
}

static void damaged_blktrace_is_named(void **state)
{
	struct str bytes = blk_example(false);

	(void)state;
	char *got = read_bytes(bytes.text, bytes.len - 20, NULL);
	assert_non_null(strstr(got,
		"stdin: record 8: is cut off: 28 of its 48 bytes are there"));
	free(got);
	got = read_bytes(bytes.text, 50, NULL);
	assert_non_null(strstr(got, "record 1: is cut off: 2 of the 5 bytes behind it"));
	free(got);
	bytes.text[sizeof(struct blk_io_trace) + 5] = 1;
	got = read_bytes(bytes.text, bytes.len, NULL);
	assert_non_null(strstr(got, "record 2: doesn't begin with blktrace's magic number"));
	free(got);
	bytes.text[0] = 6;
	got = read_bytes(bytes.text, bytes.len, NULL);
	assert_non_null(strstr(got, "is a blktrace of version 6; weir reads version 7"));
	free(got);
	str_done(&bytes);
}

/* NAME.blktrace.0 and so on are one trace; a CPU that did nothing has an empty file. */
static void files_of_cpus_are_merged(void **state)
{
	char dir[] = "/tmp/weir-unit-trace-XXXXXX", path[128];
	struct str cpu[2] = {{0}};

	(void)state;
	assert_non_null(mkdtemp(dir));
	for (int i = 0; i < 3; i++)
		blk_add(&cpu[i % 2], (uint64_t)(70 + i) * 1000, (uint64_t)i, 512,
			QUEUED(BLK_TC_READ), "", false);
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/x.blktrace.%d", dir, i);
		FILE *f = fopen(path, "w");
		assert_non_null(f);
		if (i < 2)
			fwrite(cpu[i].text, 1, cpu[i].len, f);
		fclose(f);
	}
	snprintf(path, sizeof(path), "%s/x", dir);
	char *got = read_inputs(&(struct trace_input){.path = path}, 1, NULL);
	assert_string_equal(got,
		"0 read 8:17 0+512\n1000 read 8:17 512+512\n2000 read 8:17 1024+512\n");
	free(got);
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/x.blktrace.%d", dir, i);
		unlink(path);
	}
	rmdir(dir);
	str_done(&cpu[0]);
	str_done(&cpu[1]);
}

/* ---- packed ---- */

#if HAVE_ZLIB
static size_t gzip(const char *text, unsigned char *to, size_t room)
{
	z_stream z = {.next_in = (unsigned char *)(uintptr_t)text,
		.avail_in = (unsigned)strlen(text),
		.next_out = to,
		.avail_out = (unsigned)room};

	assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return room - z.avail_out;
}

/* Several members are one stream; what is cut off is read up to there. */
static void gzip_is_unpacked(void **state)
{
	unsigned char packed[1024];
	size_t first = gzip(HEAD3 "0 a add\n5 a read 0 512\n", packed, sizeof(packed));
	size_t all = first + gzip("7 a write 0 512\n", packed + first, sizeof(packed) - first);

	(void)state;
	expect(packed, all, "0 add a\n5000 read a 0+512\n7000 write a 0+512\n");
	char *got = read_bytes(packed, all - 4, NULL);
	assert_non_null(strstr(got, "5000 read a 0+512\n"));
	assert_non_null(strstr(got, "is cut off: it ends inside of its gzip data"));
	free(got);
	packed[all - 6] ^= 0xff; /* its checksum */
	got = read_bytes(packed, all, NULL);
	assert_non_null(strstr(got, "gzip data are damaged"));
	free(got);
}
#endif

/* ---- several, and what a replay changes ---- */

static void inputs_are_merged_scaled_and_repeated(void **state)
{
	struct file a = file_of_text(HEAD3 "0 a add\n10 a read 0 512\n30 a read 512 512\n");
	struct file b = file_of_text(HEAD3 "0 b add\n20 b write 0 512\n");
	const struct trace_input inputs[] = {
		{.path = a.path, .scale_percent = 50, .iters = 2}, {.path = b.path}};

	(void)state;
	char *got = read_inputs(inputs, 2, NULL);
	assert_string_equal(got,
		"0 add a\n0 add b\n5000 read a 0+512\n15000 read a 512+512\n15000 add a\n"
		"20000 read a 0+512\n20000 write b 0+512\n30000 read a 512+512\n");
	free(got);
	close(a.fd);
	close(b.fd);
}

/* fio 3.33 divides, then rounds down: 12288 / 2 = 6144 becomes 4096 at 4096. */
static void map_scales_then_aligns(void **state)
{
	const struct trace_map map = {
		.scale = 2, .align = 4096, .skip[TRACE_WRITE] = true, .redirect = true};
	struct trace_record r = {
		.action = TRACE_READ, .offset = 12288, .bytes = 4096, .name = 3};

	(void)state;
	assert_true(trace_map_apply(&map, &r));
	assert_int_equal(r.offset, 4096);
	assert_int_equal(r.bytes, 4096);
	assert_int_equal(r.name, 0);
	r.action = TRACE_WRITE;
	assert_false(trace_map_apply(&map, &r));
}

/* ---- summaries ---- */

static void summary_counts(void **state)
{
	static struct trace_summary s = {.deep = true};
	char doubt[256];

	(void)state;
	for (uint64_t i = 0; i < 20000;
		i++) /* ns written as us: 20000 in 20 ms become 20 s .. */
		assert_int_equal(trace_summary_add(&s,
					 &(struct trace_record){.time_ns = i * 100000000,
						 .offset = i % 5000 * 4096,
						 .bytes = 4096,
						 .action = i & 1 ? TRACE_WRITE : TRACE_READ,
						 .number = i + 1}),
			0);
	assert_int_equal(s.ios[TRACE_READ], 10000);
	assert_int_equal(s.bytes[TRACE_WRITE], 10000 * 4096);
	assert_int_equal(s.places[0].end, 5000 * 4096);
	assert_int_equal(s.places[0].end_number, 5000);
	assert_int_equal(s.peak_ios, 10);
	assert_true(trace_summary_iops(&s) > 9.99 && trace_summary_iops(&s) < 10.01);
	uint64_t set = trace_summary_working_set(&s) / 4096;
	assert_true(set > 4700 && set < 5300); /* 3 standard errors of 1.04 / sqrt(4096) */
	assert_non_null(trace_summary_doubt(&s, doubt, sizeof(doubt)));
	assert_non_null(strstr(doubt, "0.6 h at 10.0 IOPS"));
	trace_summary_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(iolog3_says_all),
		cmocka_unit_test(iolog2_waits_from_the_start),
		cmocka_unit_test(iolog_is_read_leniently),
		cmocka_unit_test(iolog_sections_follow),
		cmocka_unit_test(time_does_not_go_back),
		cmocka_unit_test(bad_lines_are_named),
		cmocka_unit_test(binary_junk_is_refused),
		cmocka_unit_test(blktrace_in_either_byte_order),
		cmocka_unit_test(damaged_blktrace_is_named),
		cmocka_unit_test(files_of_cpus_are_merged),
#if HAVE_ZLIB
		cmocka_unit_test(gzip_is_unpacked),
#endif
		cmocka_unit_test(inputs_are_merged_scaled_and_repeated),
		cmocka_unit_test(map_scales_then_aligns),
		cmocka_unit_test(summary_counts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
