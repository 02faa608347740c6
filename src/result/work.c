/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "result/work.h"

#include "base/bits.h"

static const struct fact work_facts[] = {
	TEXT_FACT(struct work, trace),
	COUNT_FACT(struct work, requests),
	REAL_FACT(struct work, ios_per_s),
	REAL_FACT(struct work, read_percent),
	REAL_FACT(struct work, read_bytes),
	REAL_FACT(struct work, write_bytes),
	REAL_FACT(struct work, random_percent),
	REAL_FACT(struct work, depth),
	REAL_FACT(struct work, syncs_percent),
};

FACT_TABLE(work_table, work_facts);
