/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "stat/precision.h"

#include "base/bits.h"

#include <math.h>

/* Place of V's first digit, after rounding to DIGITS: 9.96 is 10 with two of them. */
static int first_place(double v, int digits)
{
	int place = (int)floor(log10(fabs(v)));
	double shown = round(fabs(v) * pow(10, digits - 1 - place));
	return place + (shown >= pow(10, digits));
}

int precision_place(double v, double error)
{
	if (!(error > 0) || isinf(error) || !isfinite(v))
		return PRECISION_ALL;
	int place = (int)floor(log10(error));
	if (v == 0)
		return place;
	return MIN_OF(place, first_place(v, PRECISION_LEAST) - (PRECISION_LEAST - 1));
}

/* Powers of ten below one have no exact double: those above one do, up to 10^22. */
double precision_round(double v, int place)
{
	if (place == PRECISION_ALL)
		return v;
	return place > 0 ? round(v / pow(10, place)) * pow(10, place)
			 : round(v * pow(10, -place)) / pow(10, -place);
}

double precision_limit(double v, double error, int digits)
{
	if (v == 0 || !isfinite(v))
		return error;
	double least = pow(10, first_place(v, digits) - (digits - 1));
	return error > least ? error : least;
}
