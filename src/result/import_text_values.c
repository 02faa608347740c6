/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Numbers of fio's classic text, and their units. */
#include "base/bits.h"
#include "result/import_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static const char *blanks_skip(const char *at)
{
	while (*at == ' ' || *at == '\n')
		at++;
	return at;
}

/* "65536 B", "80 KB/s": a unit of size may stand apart from its number. */
static bool unit_apart(const char *at)
{
	size_t n = 0;

	while (letter(at[n]))
		n++;
	return (n == 1 && at[0] == 'B') ||
	       (n && n <= 4 && at[n - 1] == 'B' && strchr("kKMGTP", at[0]));
}

static const char *suffix_take(const char *at, char *suffix, size_t room)
{
	size_t n = 0;

	if (*at == ' ' && unit_apart(at + 1))
		at++;
	while ((letter(*at) || *at == '%' || (*at == '/' && n && at[1] == 's')) && n + 1 < room)
		suffix[n++] = *at++;
	suffix[n] = '\0';
	return at;
}

bool text_number(const char *at, struct text_number *ret)
{
	char digits[32];
	size_t n = 0;
	bool point = false;

	*ret = (struct text_number){0};
	for (at = blanks_skip(at); (digit(*at) || (*at == '.' && !point)); at++) {
		point |= *at == '.';
		ret->decimals += point && *at != '.';
		if (n + 1 == sizeof(digits))
			return false;
		digits[n++] = *at;
	}
	digits[n] = '\0';
	if (!n || digits[0] == '.')
		return false;
	ret->v = strtod(digits, NULL);
	if (ret->v > IMPORT_REAL_MAX)
		return false;
	ret->end = suffix_take(at, ret->suffix, sizeof(ret->suffix));
	return true;
}

bool text_find(const char *body, const char *key, struct text_number *ret)
{
	size_t len = strlen(key);

	for (const char *at = strstr(body, key); at; at = strstr(at + 1, key))
		if (at == body || !letter(at[-1]))
			return text_number(at + len, ret);
	return false;
}

bool text_find_whole(const char *body, const char *key, uint64_t *ret)
{
	struct text_number n;

	if (!text_find(body, key, &n) || n.decimals)
		return false;
	*ret = text_whole(n.v);
	return true;
}

uint64_t text_whole(double v)
{
	return v > 0 && v < 0x1p63 ? (uint64_t)(v + 0.5) : v > 0 ? (uint64_t)1 << 63 : 0;
}

double text_times(double v, double unit)
{
	return MIN_OF(v * unit, 1e18);
}

double text_step(const struct text_number *n)
{
	return pow(10, -(double)n->decimals);
}

static int power_of(char c)
{
	static const char prefixes[] = "KMGTPE";
	const char *at = strchr(prefixes, c == 'k' ? 'K' : c);
	return c && at ? (int)(at - prefixes) + 1 : 0;
}

double text_size_unit(const char *suffix, bool old)
{
	int power = power_of(suffix[0]);
	const char *at = suffix + (power > 0);
	bool binary = *at == 'i' || (old && power);
	double bytes = 1;

	at += *at == 'i' && power;
	if (!strncmp(at, "bit", 3) || !strncmp(at, "Bit", 3))
		bytes = 1.0 / 8;
	else if (*at && *at != 'B' && *at != '/')
		return 0;
	return bytes * pow(binary ? 1024 : 1000, power);
}

double text_count_unit(const char *suffix)
{
	if (!*suffix || *suffix == '%')
		return 1;
	return suffix[1] || !power_of(*suffix) ? 0 : pow(1000, power_of(*suffix));
}

double text_time_unit(const char *suffix)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};

	for (size_t i = 0; i < COUNT_OF(units); i++) {
		size_t len = strlen(units[i].name);
		if (!strncmp(suffix, units[i].name, len) &&
			(!suffix[len] || !strncmp(suffix + len, "ec", 2)))
			return units[i].ns;
	}
	return 0;
}
