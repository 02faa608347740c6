/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Words about the plan for the result. All text belongs to the given arena; NULL
 * only when memory ran out. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct job;
struct job_given;
struct plan;
struct plan_worker;
struct result_option;

/* "randread 4k", "rw 4k/64k", "randwrite 4k-64k". */
const char *describe_what(struct arena *a, const struct plan_worker *pw);

/* "random, 30 % repeated": what it writes; "" of one that doesn't. */
const char *describe_data(struct arena *a, const struct plan_worker *pw);

/* "io_uring", "fault(delay(null))". */
const char *describe_engine(struct arena *a, const struct plan_worker *pw);

/* "/dev/nvme0n1", "weir.dat and 7 more". */
const char *describe_targets(struct arena *a, const struct plan *plan);

/* The last value that the job or its defaults gave to option NAME, or NULL. */
const char *describe_text(const struct job *job, const char *name);

/* Options as the user gave them, NULL for none. */
const struct result_option *describe_options(struct arena *a, const struct job_given *given,
	size_t count, uint32_t *ret_count);
