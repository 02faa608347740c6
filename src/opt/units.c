/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "opt/number.h"

#include "base/bits.h"
#include "base/str.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

struct time_unit {
	const char *word;
	uint64_t ns;
};

static const struct time_unit time_units[] = {
	{"d", 86400 * NS_PER_S},
	{"h", 3600 * NS_PER_S},
	{"m", 60 * NS_PER_S},
	{"s", NS_PER_S},
	{"ms", NS_PER_MS},
	{"msec", NS_PER_MS},
	{"us", NS_PER_US},
	{"usec", NS_PER_US},
	{"ns", 1},
	{"nsec", 1},
};

/* Words that people write and fio takes for microseconds. */
static const struct {
	const char *word, *unit;
} time_words[] = {
	{"sec", "s"},
	{"secs", "s"},
	{"second", "s"},
	{"seconds", "s"},
	{"min", "m"},
	{"mins", "m"},
	{"minute", "m"},
	{"minutes", "m"},
	{"hr", "h"},
	{"hrs", "h"},
	{"hour", "h"},
	{"hours", "h"},
	{"day", "d"},
	{"days", "d"},
	{"msecs", "ms"},
	{"milli", "ms"},
	{"millis", "ms"},
	{"millisecond", "ms"},
	{"milliseconds", "ms"},
	{"usecs", "us"},
	{"microsecond", "us"},
	{"microseconds", "us"},
	{"nsecs", "ns"},
	{"nanosecond", "ns"},
	{"nanoseconds", "ns"},
};

static bool same_word(struct span s, const char *word)
{
	return strlen(word) == s.len && strncasecmp(s.at, word, s.len) == 0;
}

static uint64_t power(uint64_t base, unsigned times)
{
	uint64_t out = 1;
	while (times--)
		out *= base;
	return out;
}

/* k, kb, ki: a power of kb_base; kib: a power of the other base. */
static int byte_unit(struct span unit, unsigned kb_base, uint64_t *ret, bool *ret_iec)
{
	static const char prefixes[] = "kmgtp";
	const char *prefix = strchr(prefixes, unit.at[0] | 0x20);
	if (same_word(unit, "b")) {
		*ret = 1;
		return 0;
	}
	if (!prefix)
		return -ENOENT;
	struct span tail = span_after(unit, 1);
	bool iec = same_word(tail, "ib");
	if (tail.len && !iec && !same_word(tail, "b") && !same_word(tail, "i"))
		return -ENOENT;
	bool thousand = (kb_base == 1000) != iec;
	*ret = power(thousand ? 1000 : 1024, (unsigned)(prefix - prefixes) + 1);
	*ret_iec = iec;
	return 0;
}

int unit_find(struct span unit, const struct number_how *how, uint64_t *ret, bool *ret_iec)
{
	*ret_iec = false;
	if (how->kind != NUMBER_TIME)
		return byte_unit(unit, how->kb_base, ret, ret_iec);
	for (size_t i = 0; i < COUNT_OF(time_units); i++) {
		if (same_word(unit, time_units[i].word)) {
			*ret = time_units[i].ns;
			return 0;
		}
	}
	return -ENOENT;
}

const char *unit_meant(struct span unit)
{
	for (size_t i = 0; i < COUNT_OF(time_words); i++)
		if (same_word(unit, time_words[i].word))
			return time_words[i].unit;
	return NULL;
}

void number_show_time(struct str *out, uint64_t ns)
{
	static const struct time_unit shown[] = {
		{"s", NS_PER_S}, {"ms", NS_PER_MS}, {"us", NS_PER_US}, {"ns", 1}};
	size_t i = 0;
	while (ns % shown[i].ns)
		i++;
	str_addf(out, "%" PRIu64 "%s", ns / shown[i].ns, shown[i].word);
}

void number_show_bytes(struct str *out, uint64_t bytes, unsigned kb_base)
{
	static const char *const shown[] = {"", "k", "m", "g", "t", "p"};
	size_t i = 0;
	for (; i + 1 < COUNT_OF(shown) && bytes && bytes % kb_base == 0; i++)
		bytes /= kb_base;
	str_addf(out, "%" PRIu64 "%s", bytes, shown[i]);
}

const char *number_noun(enum number_kind kind)
{
	static const char *const nouns[] = {"number", "size", "time"};
	return nouns[kind];
}
