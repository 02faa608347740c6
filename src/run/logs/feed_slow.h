/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The rare steps of a feed, out of its hot path. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct log_feed;

/* At most so many I/Os are put at once: far less than a quarter of the smallest ring. */
#define LOG_BATCH 512

/* Room for N records: false when there will be none.  Publishes what is there, and
 * waits while the ring is full. */
bool log_feed_wait(struct log_feed *f, unsigned n);

/* T_NS lies behind the window, or the interval: its sums are over. */
void log_feed_turn_window(struct log_feed *f, uint64_t t_ns);
void log_feed_turn_hist(struct log_feed *f, uint64_t t_ns);
