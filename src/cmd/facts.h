/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What a plan has to know of this machine. */
#pragma once

#include <stdbool.h>

struct machine;
struct plan_facts;

/* Looks at targets when the plan is made; with TEXT_ONLY at nothing: everything is
 * there and big enough, so what is still wrong is wrong in the text. */
void facts_fill(struct plan_facts *facts, const struct machine *machine, bool text_only);
