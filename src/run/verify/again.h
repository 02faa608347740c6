/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct unit_spec;
struct verify;
struct verify_slot;

/* UNIT of the target of S was found wrong, and its cell may have gone all the way round
 * meanwhile.  Reads it again; false when it is right, or is being written, so that who
 * writes it will see.  When others write near it all the time, it is wrong when it was so
 * each of a few times.  Not hot; any thread. */
bool verify_still_wrong(struct verify *v, const struct verify_slot *s,
	const struct unit_spec *spec, uint64_t unit);
