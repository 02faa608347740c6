/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What a verdict's documents say in the same words.  All add to OUT. */
#pragma once

#include "result/checks.h"

struct report_checks;
struct str;

/* What to do about a verdict that one more run may turn round. */
#define CHANCE_REMEDY "weir repeat -n 5 --output-dir=DIR, and check those"

/* "445.2k", "445.2k, mean of 3"; "-": not known. */
void checks_add_measured(struct str *out, const struct result_check *c);

/* "441.0k .. 449.1k"; nothing without an interval. */
void checks_add_interval(struct str *out, const struct result_check *c);

/* "rw=randread, bs=4k; not met: direct=1 (0); not known: preconditioned". */
void checks_add_conditions(struct str *out, const struct result_check *c);

/* "one run, 3.8 % from the limit: ..."; of one that check_by_chance(). */
void checks_add_chance(struct str *out, const struct result_check *c);

/* By enum check_verdict. */
void checks_count_verdicts(const struct report_checks *c, unsigned counts[3]);
