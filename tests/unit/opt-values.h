/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* For the tests of values: a group with every type, and tables of values. */
#pragma once

#include "base/bits.h"
#include "base/err.h"
#include "opt/opt.h"

struct all {
	bool flag, yes;
	uint32_t u32;
	int32_t i32;
	uint64_t u64, bytes, time_s, time_us, time_ms;
	double fraction;
	struct opt_range delay, filesize;
	struct opt_size size;
	struct opt_u64x3 percent, bs;
	struct opt_range3 bsrange;
	struct opt_split3 bssplit;
	int word;
	struct opt_word_arg rw;
	const char *text;
	struct opt_names names, gathered;
	struct opt_floats floats;
	struct opt_cpus cpus;
	struct filler filler;
};

extern const struct opt_group all_group;

enum how {
	FIO = 0,
	NATIVE = 1,
	BASE_1000 = 2,
};

struct outcome {
	int rc;
	char value[512]; /* as print() writes it, read back and found equal */
	char warning[256];
	struct err err;
};

/* By name, among all engines; it must exist. */
const struct opt *row_of(const char *name);

/* Parse one value.  What it prints must be read back to the same in every face;
 * a refused one must have written nothing. */
void parse_value(const char *name, const char *text, unsigned how, struct outcome *ret);

/* VALUE NULL: an error that says SAYS. Otherwise SAYS is the warning. */
struct value_case {
	const char *name, *text;
	const char *value;
	const char *says;
	unsigned how;
};

void check_values(const struct value_case *cases, size_t count);

#define CHECK(cases) check_values(cases, COUNT_OF(cases))
