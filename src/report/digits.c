/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "report/digits.h"

#include "base/bits.h"
#include "base/str.h"
#include "stat/precision.h"

#include <math.h>

/* Zeros behind the point before what there is of a figure. */
#define SMALL_MOST 7

int digits_form(double v)
{
	int small = 0;

	v = fabs(v);
	for (; v > 0 && v < 0.0995 && small < SMALL_MOST; v *= 10)
		small++;
	return v == 0 || v >= 99.95 ? 0 : v >= 9.995 ? 1 : 2 + small;
}

void digits_add_form(struct str *out, double v, int place, int most)
{
	int last = MAX_OF(place,
		-most); /* rounded once: 22.546 is 22.5, by way of 22.55 it isn't */

	str_addf(out, "%.*f", MAX_OF(-last, 0), precision_round(v, last));
}

void digits_add_at(struct str *out, double v, int place)
{
	digits_add_form(out, v, place, digits_form(v));
}

void digits_add(struct str *out, double v, double error)
{
	digits_add_at(out, v, precision_place(v, error));
}

void digits_add_share(struct str *out, double share)
{
	double percent = 100 * fabs(share);

	digits_add_form(out, percent, precision_place(percent, percent), percent < 9.95);
	str_add(out, " %");
}
