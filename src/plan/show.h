/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Shared by the parts of `weir --plan`; private to plan/. */
#pragma once

#include <stdint.h>

struct json;
struct plan_worker;

/* Nothing when VALUE is 0. */
void show_some(struct json *out, const char *key, uint64_t value);

/* As text: many readers of JSON keep only 53 bits of a number. */
void show_seed(struct json *out, uint64_t seed);

/* "regions" and "files". */
void show_files(const struct plan_worker *w, struct json *out);

/* "pattern". */
void show_pattern(const struct plan_worker *w, struct json *out);

/* Schedule, pauses, latency goals, steadiness and flow: what there is of them. */
void show_pace(const struct plan_worker *w, struct json *out);
