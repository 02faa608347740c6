/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "base/str.h"

#include "base/bits.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool str_any_lost;

bool str_lost(void)
{
	return __atomic_load_n(&str_any_lost, __ATOMIC_RELAXED);
}

static bool str_room(struct str *s, size_t more)
{
	if (s->failed)
		return false;
	if (s->len + more + 1 <= s->room)
		return true;
	size_t room = MAX_OF(s->room * 2, s->len + more + 1);
	room = MAX_OF(room, (size_t)64);
	char *text = realloc(s->text, room);
	if (!text) {
		s->failed = true;
		__atomic_store_n(&str_any_lost, true, __ATOMIC_RELAXED);
		return false;
	}
	s->text = text;
	s->room = room;
	return true;
}

void str_add_bytes(struct str *s, const char *bytes, size_t len)
{
	if (!str_room(s, len))
		return;
	if (len)
		memcpy(s->text + s->len, bytes, len);
	s->len += len;
	s->text[s->len] = '\0';
}

void str_add(struct str *s, const char *text)
{
	str_add_bytes(s, text, strlen(text));
}

void str_add_char(struct str *s, char c)
{
	str_add_bytes(s, &c, 1);
}

void str_addv(struct str *s, const char *fmt, va_list ap)
{
	va_list copy;
	va_copy(copy, ap);
	int len = vsnprintf(NULL, 0, fmt, copy);
	va_end(copy);
	if (len < 0 || !str_room(s, (size_t)len))
		return;
	vsnprintf(s->text + s->len, (size_t)len + 1, fmt, ap);
	s->len += (size_t)len;
}

void str_addf(struct str *s, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	str_addv(s, fmt, ap);
	va_end(ap);
}

void str_reset(struct str *s)
{
	s->len = 0;
	s->failed = false;
	if (s->text)
		s->text[0] = '\0';
}

void str_done(struct str *s)
{
	free(s->text);
	*s = (struct str){0};
}

const char *str_text(const struct str *s)
{
	return s->text ? s->text : "";
}

char *str_trim(char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	size_t len = strlen(text);
	while (len && isspace((unsigned char)text[len - 1]))
		text[--len] = '\0';
	return text;
}

size_t str_utf8(const char *text)
{
	const unsigned char *p = (const unsigned char *)text;
	if (p[0] < 0x80)
		return 1;
	size_t len = p[0] >= 0xf0 && p[0] <= 0xf4   ? 4
		     : p[0] >= 0xe0 && p[0] <= 0xef ? 3
		     : p[0] >= 0xc2 && p[0] <= 0xdf ? 2
						    : 0;
	for (size_t i = 1; i < len; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
		(p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return len;
}

bool str_starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool str_ends(const char *text, const char *suffix)
{
	size_t a = strlen(text), b = strlen(suffix);
	return a >= b && strcmp(text + a - b, suffix) == 0;
}

#define DISTANCE_MAX 63 /* longer words are cut: no option name comes near */

static bool same_letter(char a, char b)
{
	return a == b || tolower((unsigned char)a) == tolower((unsigned char)b) ||
	       ((a == '-' || a == '_') && (b == '-' || b == '_'));
}

unsigned str_distance(const char *a, const char *b)
{
	unsigned row[3][DISTANCE_MAX + 1];
	size_t la = MIN_OF(strlen(a), (size_t)DISTANCE_MAX);
	size_t lb = MIN_OF(strlen(b), (size_t)DISTANCE_MAX);

	unsigned *before = row[0], *last = row[1], *now = row[2];
	for (size_t j = 0; j <= lb; j++)
		last[j] = (unsigned)j;
	for (size_t i = 1; i <= la; i++) {
		now[0] = (unsigned)i;
		for (size_t j = 1; j <= lb; j++) {
			unsigned change = last[j - 1] + !same_letter(a[i - 1], b[j - 1]);
			unsigned step = MIN_OF(last[j] + 1, now[j - 1] + 1);
			unsigned best = MIN_OF(change, step);
			bool swapped = i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
				       same_letter(a[i - 2], b[j - 1]);
			if (swapped)
				best = MIN_OF(best, before[j - 2] + 1);
			now[j] = best;
		}
		unsigned *free_row = before;
		before = last;
		last = now;
		now = free_row;
	}
	return last[lb];
}
