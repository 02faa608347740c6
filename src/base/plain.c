/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "base/plain.h"

#include "base/bits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DECIMALS_MOST 12

struct plain plain_number(double v, int digits)
{
	struct plain p;
	int decimals = 0;

	if (isfinite(v) && v != 0)
		decimals = digits - 1 - (int)floor(log10(fabs(v)));
	decimals = MIN_OF(MAX_OF(decimals, 0), DECIMALS_MOST);
	snprintf(p.text, sizeof(p.text), "%.*f", decimals, v);
	char *end = decimals ? p.text + strlen(p.text) : p.text;
	while (end > p.text && end[-1] == '0')
		*--end = '\0';
	if (end > p.text && end[-1] == '.')
		end[-1] = '\0';
	return p;
}
