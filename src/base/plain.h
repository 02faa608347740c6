/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Numbers inside sentences, where an exponent would be no word: "1800 s", not "1.8e+03 s". */
#pragma once

/* By value, for a printf's argument: plain_number(v, 3).text */
struct plain {
	char text[40];
};

/* V with DIGITS digits, or all of its whole part where that has more: "0.012", "2.5", "99.6",
 * "16384".  No zeros behind the point, as of %g. */
struct plain plain_number(double v, int digits);
