/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Lines of fio's iolog, version 3: what write_iolog writes and read_iolog reads. */
#pragma once

#include <stdint.h>

#include "run/logs/decode.h"
#include "run/logs/lines.h"

struct plan_target;
struct plan_worker;

struct log_iolog {
	const struct plan_worker *worker;
	const struct plan_target *targets; /* of the run */
	struct log_sink to;
	uint64_t last_ns;
};

/* The head, and the files: added and opened, closed at the end. */
void log_iolog_begin(struct log_iolog *l);
void log_iolog_end(struct log_iolog *l);

/* One request; CTX is a struct log_iolog. */
void log_iolog_issue(void *ctx, const struct log_issue *issue);
