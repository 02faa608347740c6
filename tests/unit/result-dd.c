/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What dd printed, as results: bytes and seconds typed off the texts of tests/data/dd; and the
 * note about it.
 *
 * usage: unit-result-dd tests/data/dd */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/err.h"
#include "result/import.h"
#include "result/result.h"

static const char *folder;

static void load(const char *name, struct import_list *list)
{
	char path[4096], text[8192];
	struct err e = {0};

	snprintf(path, sizeof(path), "%s/%s.txt", folder, name);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	size_t len = fread(text, 1, sizeof(text), f);
	fclose(f);
	if (import_text(name, text, len, list, &e) < 0)
		fail_msg("%s: %s", name, e.text);
}

static void test_texts(void **state)
{
	static const struct {
		const char *name;
		size_t runs, at;
		int dir;
		uint64_t bytes, ios, ns;
		const char *what, *source;
	} cases[] = {
		{"gnu-9.1", 2, 0, DIR_WRITE, 67108864, 64, 510606000, "write 1m",
			"dd (GNU coreutils)"},
		{"gnu-9.1", 2, 1, DIR_READ, 67108864, 1024, 403419000, "read 64k",
			"dd (GNU coreutils)"},
		{"progress", 1, 0, DIR_WRITE, 419430400, 400, 3121710000, "write 1m",
			"dd (GNU coreutils)"},
		{"german", 1, 0, RESULT_MIXED, 8192000, 2000, 7102070, "copy 4k",
			"dd (GNU coreutils)"},
		{"french", 1, 0, RESULT_MIXED, 8192000, 2000, 28253700, "copy 4k",
			"dd (GNU coreutils)"},
		{"busybox", 1, 0, DIR_WRITE, 268435456, 256, 2560000000, "write 1m",
			"dd (busybox)"},
		{"bsd", 1, 0, RESULT_MIXED, 268435456, 256, 512000000, "copy 1m", "dd (BSD)"},
		{"old", 2, 0, DIR_READ, 4096000, 1024, 40960000, "read 4000",
			"dd (GNU coreutils)"},
		{"old", 2, 1, DIR_READ, 4096000, 1024, 40960000, "read 4000",
			"dd (GNU coreutils)"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct import_list list;
		load(cases[i].name, &list);
		assert_int_equal(list.count, cases[i].runs);
		const struct result *r = list.results[cases[i].at];
		const struct result_dir *d = &r->rows[0].dir[cases[i].dir];
		assert_int_equal(r->rows_count, 1);
		assert_int_equal(d->bytes, cases[i].bytes);
		assert_int_equal(d->ios, cases[i].ios);
		assert_int_equal(d->runtime_ns, cases[i].ns);
		assert_string_equal(r->source, cases[i].source);
		assert_memory_equal(r->rows[0].name, "dd-", 3);
		assert_string_equal(r->rows[0].what, cases[i].what);
		for (int k = 0; k < RESULT_DIRS; k++)
			if (k != cases[i].dir)
				assert_int_equal(r->rows[0].dir[k].bytes, 0);
		import_done(&list);
	}
}

static const struct result_note *dd_note(const struct result *r)
{
	for (uint32_t i = 0; i < r->notes_count; i++)
		if (!strcmp(r->notes[i].id, "dd"))
			return &r->notes[i];
	return NULL;
}

/* It says how it went, and no other note says the same of the page cache. */
static void test_note(void **state)
{
	static const struct {
		const char *name;
		size_t at;
		const char *words;
	} cases[] = {
		{"gnu-9.1", 0, "nobody knows how much of it reached the device; zeros are"},
		{"gnu-9.1", 1, "one request at a time: it says nothing of latency"},
		{"progress", 0, "one request at a time: it says nothing of latency"},
		{"german", 0, "doesn't say whether"},
		{"busybox", 0, "with a sync"},
		{"old", 0, "may have had it already"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct import_list list;
		load(cases[i].name, &list);
		struct result *r = list.results[cases[i].at];
		assert_int_equal(result_notes_told(r), 0);
		const struct result_note *note = dd_note(r);
		assert_non_null(note);
		assert_int_equal(note->weight, NOTE_DOUBTFUL);
		if (!strstr(note->text, cases[i].words))
			fail_msg("no '%s' in: %s", cases[i].words, note->text);
		for (uint32_t k = 0; k < r->notes_count; k++)
			if (strcmp(r->notes[k].id, "dd") != 0)
				assert_string_equal(r->notes[k].id, "short-run");
		import_done(&list);
	}
}

/* Lines that look a little like it. */
static void test_others(void **state)
{
	static const char *const texts[] = {
		"64+0 records in\n64+0 records out\n",
		"67108864 bytes (67 MB, 64 MiB) copied, 0.510606 s, 131 MB/s\n",
		"1+1 = 2\n2+2 = 4\n8 apples in 3 bags\n",
		"64+0 records in\n64+0 records out\n67108864 bytes copied, 0 s\n",
		"64+0 records in\n64+0 records out\nno more\n67108864 bytes copied, 2 s, 1 B/s\n",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct import_list list;
		struct err e = {0};
		assert_int_equal(import_text("x", texts[i], strlen(texts[i]), &list, &e), -22);
		assert_non_null(strstr(e.text, "found no report"));
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_note),
		cmocka_unit_test(test_others),
	};
	folder = argc > 1 ? argv[1] : "tests/data/dd";
	return cmocka_run_group_tests(tests, NULL, NULL);
}
