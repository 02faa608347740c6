/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "base/bits.h"
#include "base/err.h"
#include "report/report.h"

#include <errno.h>
#include <string.h>

struct known {
	const char *word; /* as typed */
	struct report_unit unit;
	bool time;
};

static const struct known known[] = {
	{"ns", {"ns", 1}, true},
	{"us", {"\xc2\xb5s", 1e3}, true},
	{"ms", {"ms", 1e6}, true},
	{"s", {"s", 1e9}, true},
	{"kB", {"kB", 1e3}, false},
	{"MB", {"MB", 1e6}, false},
	{"GB", {"GB", 1e9}, false},
	{"KiB", {"KiB", 0x1p10}, false},
	{"MiB", {"MiB", 0x1p20}, false},
	{"GiB", {"GiB", 0x1p30}, false},
};

int report_units_read(const char *text, struct report_units *ret, struct err *reterr)
{
	struct report_units units = {0};

	do {
		size_t len = strcspn(text, ","), i = 0;
		while (i < COUNT_OF(known) && !(strlen(known[i].word) == len &&
						      memcmp(known[i].word, text, len) == 0))
			i++;
		if (i == COUNT_OF(known))
			return err_set(reterr, -EINVAL,
				"unknown unit '%.*s'; give one of ns, us, ms, s, and one of kB, MB, "
				"GB, KiB, MiB, GiB",
				(int)len, text);
		struct report_unit *which = known[i].time ? &units.latency : &units.bandwidth;
		if (which->name)
			return err_set(reterr, -EINVAL, "two units for one column: '%s'", text);
		*which = known[i].unit;
		text += len;
	} while (*text++);
	*ret = units;
	return 0;
}
