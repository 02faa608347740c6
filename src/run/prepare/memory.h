/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Memory that has to be set aside on the machine before a run: huge pages, System V
 * segments, what may be locked. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct err;
struct plan;
struct run_how;
struct sysroot;

#define MEMORY_PAGE_KINDS 4 /* sizes of huge pages in one run */

/* What the fullest wave needs at a time. */
struct memory_need {
	struct {
		uint64_t page_bytes, pages;
	} huge[MEMORY_PAGE_KINDS];
	uint32_t huge_count;
	uint64_t segments, segments_bytes;
	uint64_t locked_bytes; /* by one process */
};

/* PAGE_BYTES is the machine's default huge page. */
void memory_need(const struct plan *plan, uint64_t page_bytes, struct memory_need *ret);

/* Compare with the machine of ROOT.  LOCK_MAX: how much a process may lock; UINT64_MAX
 * when nothing stops it.  0, or a negative errno with need, limit and remedy. */
int memory_compare(const struct sysroot *root, const struct memory_need *need,
	uint64_t lock_max, struct err *reterr);

/* Both, here and now; and that a file of huge pages is on a hugetlbfs: else an error, or
 * as fio a warning. */
int memory_check(const struct plan *plan, const struct run_how *how, struct err *reterr);
