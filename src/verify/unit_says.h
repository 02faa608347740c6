/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What a unit says of itself, for jobs that check what others wrote; and what kinds and
 * verdicts are called. */
#pragma once

#include "verify/unit.h"

/* What a header says of its unit. */
struct unit_word {
	uint64_t target, run, time_ns;
	uint32_t bytes;
};

/* False when N bytes at UNIT have no header of weir.  HOT. */
bool unit_says(const struct unit_spec *s, const void *unit, size_t n, struct unit_word *ret);

/* As in verify=: "pattern_hdr". */
const char *unit_kind_name(enum unit_kind kind);

/* "wrong-data", for JSON. */
const char *unit_verdict_name(enum unit_verdict v);
