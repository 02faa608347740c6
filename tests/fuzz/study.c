/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Fuzzing of the files of studies.  An input is such a file; a line "#fail SEED RATE" before it
 * makes one allocation in RATE fail.
 *
 * Whatever the input, reading ends with workloads or with an error that has a text; and what
 * was read can be put into an order, in which each point has a value of each sweep.
 *
 *	libFuzzer: make fuzz T=study
 *	replay:    fuzz-study FILE|FOLDER... */
#include "fuzz.h"

#include "base/err.h"
#include "base/str.h"
#include "cmd/study/order.h"

#include <errno.h>
#include <string.h>

static void order_all(const struct study *s)
{
	struct study_order o;
	struct str text = {0};
	int rc = order_make(s, 1, &o);

	MUST(rc == 0 || rc == -ENOMEM, "rc %d", rc);
	for (uint32_t i = 0; rc == 0 && i < o.runs_count; i++) {
		const struct study_config *c = &o.configs[o.runs[i].config];
		MUST(c->point < s->workloads[c->workload].points, "point %u", c->point);
		str_reset(&text);
		order_config_dir(s, &o, o.runs[i].config, &text);
		MUST(text.failed || !strstr(str_text(&text), "/../"), "%s", str_text(&text));
	}
	str_done(&text);
	order_done(&o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct study s;
	struct err e = {0};
	char *text = memory_text(data, size, &size);
	int rc = study_read("study", text, size, &s, &e);
	MUST(rc <= 0 && rc == e.code && (rc == 0 || e.text[0]), "rc %d, '%s'", rc, e.text);
	MUST(rc < 0 || (s.workloads_count && s.variants_count), "nothing to do");
	if (rc == 0 && s.repeats <= 10)
		order_all(&s);
	study_done(&s);
	memory_fails(0, 0);
	free(text);
	return 0;
}
