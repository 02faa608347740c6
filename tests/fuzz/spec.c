/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Fuzzing of specs and assertions.  An input is a spec file; a line "#fail SEED RATE"
 * before it makes one allocation in RATE fail.
 *
 * Whatever the input, reading ends with claims or with an error that has a text; and what
 * was read can be judged on a result.  Each line by itself is tried as a list of
 * assertions, too, and what is read from one reads the same again from its own text.
 *
 *	libFuzzer: make fuzz T=spec
 *	replay:    fuzz-spec FILE|FOLDER... */
#include "fuzz.h"

#include "base/err.h"
#include "base/str.h"
#include "cmd/check/judge.h"
#include "cmd/check/spec.h"
#include "result/result.h"

#include <errno.h>
#include <string.h>

static void judge_all(const struct spec *spec)
{
	static const struct result_option options[] = {{"rw", "randread"}, {"bs", "4k-4k"}};
	struct arena arena = {0};
	struct result_row row = {.name = "a",
		.what = "read 4k",
		.options = options,
		.options_count = 2,
		.members = 1};
	struct result r = {.rows = &row, .rows_count = 1};
	const struct result *const results[] = {&r};
	struct judge j = {.arena = &arena, .results = results, .count = 1};

	row.dir[0].ios = 7;
	row.dir[0].runtime_ns = 1000000000;
	for (uint32_t i = 0; i < spec->count; i++) {
		int rc = judge_claim(&j, &spec->claims[i], spec->path);
		MUST(rc == 0 || rc == -ENOMEM, "rc %d", rc);
		if (rc < 0)
			break;
		for (uint32_t k = 0; k < j.checks_count; k++)
			MUST(j.checks[k].verdict == CHECK_PASS ||
					j.checks[k].verdict == CHECK_FAIL ||
					*j.checks[k].reason,
				"undecided without a reason: %s", j.checks[k].text);
	}
	arena_done(&arena);
}

static void try_line(const char *line)
{
	struct arena arena = {0};
	struct assertion_list list, again;
	struct err e = {0};
	int rc = assertion_read(&arena, line, &list, &e);

	MUST(rc <= 0 && rc == e.code && (rc == 0 || e.text[0]), "rc %d, '%s'", rc, e.text);
	for (uint32_t i = 0; rc == 0 && i < list.count; i++) {
		if (assertion_read(&arena, list.v[i].text, &again, &e) == -ENOMEM)
			break;
		MUST(e.code == 0 && again.count == 1, "'%s': %s", list.v[i].text, e.text);
		MUST(again.v[0].limit == list.v[i].limit &&
				again.v[0].path.row == list.v[i].path.row &&
				again.v[0].compare == list.v[i].compare,
			"'%s' reads otherwise", list.v[i].text);
	}
	arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct spec spec;
	struct err e = {0};
	char *text = memory_text(data, size, &size);
	int rc = spec_read("spec", text, size, &spec, &e);
	MUST(rc <= 0 && rc == e.code && (rc == 0 || e.text[0]), "rc %d, '%s'", rc, e.text);
	if (rc == 0)
		judge_all(&spec);
	spec_done(&spec);
	for (char *rest = text, *line; (line = strsep(&rest, "\n"));)
		try_line(line);
	memory_fails(0, 0);
	free(text);
	return 0;
}
