/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/ratio.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int ratio_read(const char *what, const char *text, double *ret, struct err *reterr)
{
	static const char *const signs[] = {"\xc2\xb1", "+-", "+/-"};
	const char *at = text;
	char *end;

	for (size_t i = 0; i < COUNT_OF(signs) && at == text; i++)
		if (str_starts(text, signs[i]))
			at += strlen(signs[i]);
	double percent = strtod(at, &end);
	if (end == at || strcmp(end, "%") != 0 || !(percent > 0) || !(percent < 100))
		return err_set(reterr, -EINVAL,
			"%s: '%s' is no percentage above 0 and below 100, such as 2%%", what,
			text);
	*ret = percent / 100;
	return 0;
}
