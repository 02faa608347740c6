/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A run that was printed in several formats is one result: its JSON, or its terse lines,
 * which stand beside its classic text. */
#include "base/bits.h"
#include "result/import_parts.h"

#include <math.h>
#include <string.h>

#define NEAR 0.01 /* three digits are printed at least, or whole KiB */

static bool same_direction(const struct result_dir *a, const struct result_dir *b)
{
	double apart = fabs((double)a->bytes - (double)b->bytes);

	return result_runtime_ms(a) == result_runtime_ms(b) &&
	       apart <= MAX_OF(1024.0, NEAR * (double)b->bytes);
}

static bool same_row(const struct result_row *a, const struct result_row *b)
{
	if (strcmp(a->name, b->name) != 0 || a->group != b->group)
		return false;
	for (int dir = 0; dir < RESULT_DIRS; dir++)
		if (a->dir[dir].bytes && !same_direction(&a->dir[dir], &b->dir[dir]))
			return false;
	return true;
}

bool import_is_again(const struct result *text, const struct result *r)
{
	for (uint32_t i = 0; i < text->rows_count; i++) {
		uint32_t k = 0;
		while (k < r->rows_count && !same_row(&text->rows[i], &r->rows[k]))
			k++;
		if (k == r->rows_count)
			return false;
	}
	return true;
}
