/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Verdicts to text: a table, Markdown, JSON, JUnit XML.  Pure. */
#pragma once

#include <stdint.h>

#include "result/checks.h"

struct json;
struct report_how;
struct result;
struct str;

/* What is printed; `product` and `source` make the title. */
struct report_checks {
	const char *product, *source; /* of the spec, or NULL */
	const struct result_check *checks;
	uint32_t count;
	const struct result *run; /* that was done for it, of which notes are shown; or NULL */
};

void checks_table(const struct report_checks *c, const struct report_how *how, struct str *out);
void checks_markdown(const struct report_checks *c, const struct report_how *how,
	struct str *out);
void checks_json(const struct report_checks *c, const struct report_how *how, struct str *out);

/* One testsuite; a failure is a failure, what is undecided is skipped with its reason. */
void checks_junit(const struct report_checks *c, const struct report_how *how, struct str *out);

/* The array "checks" of an open object. */
void checks_write(struct json *j, const struct result_check *checks, uint32_t count);

/* V in the unit that people read: "445.2k", "900 MB/s", "120 us". */
void checks_value(struct str *out, enum quantity quantity, double v);

/* The same with the digits that ERROR leaves (report/digits.h), a standard error in V's
 * unit. */
void checks_known(struct str *out, enum quantity quantity, double v, double error);

/* The same with as many more as it takes to see on which side of LIMIT V lies. */
void checks_beside(struct str *out, enum quantity quantity, double v, double error,
	double limit);
