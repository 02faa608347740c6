/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "result/words.h"

#include "base/bits.h"

#include <inttypes.h>
#include <stdio.h>

/* About three significant digits, and two of what is small. */
static int decimals(double v)
{
	int n = v < 0.995 ? 2 : v < 99.95 ? 1 : 0;

	for (; v > 0 && v < 0.0995 && n < 9; v *= 10)
		n++;
	return n;
}

struct words words_time(uint64_t ns)
{
	static const struct {
		uint64_t unit_ns;
		const char *name;
	} units[] = {{NS_PER_S, "s"}, {NS_PER_MS, "ms"}, {NS_PER_US, "\xc2\xb5s"}};
	struct words w;

	for (size_t i = 0; i < COUNT_OF(units); i++) {
		if ((double)ns < 0.9995 * (double)units[i].unit_ns) /* 999.6 us: 1.0 ms */
			continue;
		double v = (double)ns / (double)units[i].unit_ns;
		snprintf(w.text, sizeof(w.text), "%.*f %s", decimals(v), v, units[i].name);
		return w;
	}
	snprintf(w.text, sizeof(w.text), "%u ns", (unsigned)ns);
	return w;
}

struct words words_rate(double per_s, int bytes, int bare)
{
	double v = bytes ? per_s / 1e6 : per_s;
	struct words w;
	/* Whole I/Os from 10 a second on: nobody asks for 500.0 of them. */
	int digits = !bytes && v >= 10 ? 0 : decimals(v);

	snprintf(w.text, sizeof(w.text), "%.*f%s", digits, v,
		bare    ? ""
		: bytes ? " MB/s"
			: " I/O/s");
	return w;
}

struct words words_count(uint64_t n, const char *word)
{
	struct words w;

	snprintf(w.text, sizeof(w.text), "%" PRIu64 " %.16s%s", n, word, n == 1 ? "" : "s");
	return w;
}

struct words words_share(uint64_t part, uint64_t whole)
{
	double v = whole ? 100.0 * (double)part / (double)whole : 0.0;
	struct words w;

	if (v > 0 && v < 0.05) {
		snprintf(w.text, sizeof(w.text), "less than 0.1 %%");
		return w;
	}
	snprintf(w.text, sizeof(w.text), "%.*f %%", v > 0 && v < 9.95, v);
	return w;
}
