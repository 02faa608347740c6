/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* pre_read: a worker's files through the page cache, before its clock starts. */
#pragma once

#include <stdint.h>

struct err;
struct plan;
struct plan_worker;

/* Read all files of PW to their end, or until *STOP is not 0.  Counts *BEATS up as it
 * goes on. */
int preread(const struct plan *plan, const struct plan_worker *pw,
	const volatile uint32_t *stop, uint64_t *beats, struct err *reterr);
