/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Wrong units: from the worker that found one to the supervisor that says it. */
#pragma once

#include <stdint.h>

#include "verify/unit.h"

struct str;
struct shared_fault;
struct plan;
struct plan_worker;
struct verify;
struct verify_slot;

/* N bytes at UNIT, part of what the read of S brought, aren't what E expects.  Any thread
 * that checks.  Not hot: nothing but the count is kept after the first SHARED_FAULTS. */
void fault_tell(struct verify *v, const struct verify_slot *s, const struct unit_spec *spec,
	const struct unit_expect *e, const unsigned char *unit, uint32_t n);

/* The same of something that is explained already: RIGHT is what should be there. */
void fault_tell_known(struct verify *v, const struct verify_slot *s,
	const struct unit_expect *e, const struct unit_fault *known, const unsigned char *found,
	const unsigned char *right);

/* fio's lines about F, for those who look for them; then in whole sentences. */
void fault_text(const struct plan *plan, const struct plan_worker *pw,
	const struct shared_fault *f, struct str *out);
