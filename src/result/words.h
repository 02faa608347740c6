/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Quantities inside sentences: three digits and a unit.  Private to result/. */
#pragma once

#include <stdint.h>

/* By value, for a printf's argument: words_time(ns).text */
struct words {
	char text[40];
};

/* "1.2 s", "340 ms", "7.5 us" (with the micro sign), "42 ns". */
struct words words_time(uint64_t ns);

/* "500 I/O/s" or "52.4 MB/s"; without the unit when BARE. */
struct words words_rate(double per_s, int bytes, int bare);

/* "1 time", "3 times": WORD with an s where there are more or none. */
struct words words_count(uint64_t n, const char *word);

/* "12 %", "0.3 %", "less than 0.1 %"; 0 when WHOLE is 0. */
struct words words_share(uint64_t part, uint64_t whole);
