/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "opt/span.h"

#include <ctype.h>

static bool is_blank(char c)
{
	return isspace((unsigned char)c) != 0;
}

struct span span_trim(struct span s)
{
	while (s.len && is_blank(s.at[0]))
		s = span_after(s, 1);
	while (s.len && is_blank(s.at[s.len - 1]))
		s.len--;
	return s;
}

size_t span_letters(struct span s)
{
	size_t n = 0;
	while (n < s.len && ((s.at[n] | 0x20) >= 'a' && (s.at[n] | 0x20) <= 'z'))
		n++;
	return n;
}

struct span span_cut(struct span *rest, const char *separators, char *ret_separator)
{
	unsigned depth = 0;
	bool begun = false;
	size_t n = 0;

	*ret_separator = 0;
	for (; n < rest->len; n++) {
		char c = rest->at[n];
		bool sign = c == '-' && !begun;
		if (!depth && !sign && c && strchr(separators, c)) {
			*ret_separator = c;
			break;
		}
		depth += c == '(';
		depth -= c == ')' && depth;
		begun = begun || !is_blank(c);
	}
	struct span out = {rest->at, n};
	*rest = span_after(*rest, *ret_separator ? n + 1 : n);
	return span_trim(out);
}
