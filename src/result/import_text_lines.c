/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Bytes to logical lines: whatever terminals, mail programs and web pages did to the
 * lines of fio is undone here. */
#include "base/bits.h"
#include "result/import_text.h"

#include <string.h>

#define JOINS 8 /* lines that a broken one may continue on, else it is prose */

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

/* Length of a terminal's escape at TEXT: "ESC [ ... letter", "ESC ] ... BEL", "ESC x". */
static size_t escape_length(const char *text, size_t len)
{
	size_t n = 2;

	if (len < 2 || text[0] != 0x1b)
		return 0;
	if (text[1] == '[') {
		while (n < len && !(text[n] >= '@' && text[n] <= '~'))
			n++;
		return MIN_OF(n + 1, len);
	}
	if (text[1] != ']')
		return n;
	while (n < len && text[n] != 0x07 && text[n] != 0x1b)
		n++;
	return MIN_OF(n + 1, len);
}

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* "io=3D860504KB" of a mail as it was sent: only lines with "=3D" are. */
static size_t printable_decode(char *line, size_t len, bool *ret_soft)
{
	size_t to = 0;

	*ret_soft = false;
	if (!memmem(line, len, "=3D", 3))
		return len;
	if (line[len - 1] == '=') {
		*ret_soft = true;
		len--;
	}
	for (size_t at = 0; at < len; to++) {
		bool coded = at + 2 < len && line[at] == '=' && hex(line[at + 1]) >= 0 &&
			     hex(line[at + 2]) >= 0;
		line[to] = coded ? (char)(hex(line[at + 1]) << 4 | hex(line[at + 2]))
				 : line[at];
		at += coded ? 3 : 1;
	}
	return to;
}

/* U+00A0, with which web pages indent. */
static bool no_break_blank(const char *text, size_t len)
{
	return len >= 2 && (unsigned char)text[0] == 0xc2 && (unsigned char)text[1] == 0xa0;
}

/* "> > ", or "<host> " of client mode. */
static size_t margin_length(const char *line, size_t len)
{
	size_t at = 0, end = 0;

	for (; at < len && (blank(line[at]) || line[at] == '>'); at++)
		if (line[at] == '>')
			end = at + 1;
	const char *close = at < len && line[at] == '<' ? memchr(line + at, '>', len - at)
							: NULL;
	if (close && (close + 1 == line + len || blank(close[1])))
		end = (size_t)(close - line) + 1;
	return end;
}

/* In place: escapes of terminals, marks of quotation, no-break blanks go; blanks become one.
 * Returns the new length. *ret_soft: it ended in a soft break of quoted-printable. */
static size_t text_clean(char *line, size_t len, bool *ret_soft)
{
	size_t to = 0;
	bool gap = false;

	len = printable_decode(line, len, ret_soft);
	for (size_t at = margin_length(line, len); at < len;) {
		size_t skip = escape_length(line + at, len - at);
		bool space = blank(line[at]) || no_break_blank(line + at, len - at);
		if (!skip && !space && line[at] && (unsigned char)line[at] >= ' ') {
			if (gap && to)
				line[to++] = ' ';
			gap = false;
			line[to++] = line[at];
		}
		gap |= space;
		at += skip ? skip : (unsigned char)line[at] == 0xc2 && space ? 2 : 1;
	}
	return to;
}

/* ---- logical lines ---- */

static void flush(struct text_lines *l)
{
	if (l->len)
		(void)l->take(l->ctx, l->line, l->len, false);
	l->len = 0;
	l->joined = 0;
	l->soft = l->lost = false;
}

/* Keep the rest of a line that is longer than the room. */
static void shorten(struct text_lines *l)
{
	size_t used = l->take(l->ctx, l->line, l->len, true);

	if (!used || used > l->len)
		used = l->len;
	l->len -= used;
	memmove(l->line, l->line + used, l->len);
}

static void append(struct text_lines *l, const char *text, size_t len, char between)
{
	if (l->len + len + 2 > sizeof(l->line))
		shorten(l);
	len = MIN_OF(len, sizeof(l->line) - 2 - l->len);
	if (l->len && between)
		l->line[l->len++] = between;
	memcpy(l->line + l->len, text, len);
	l->len += len;
	l->line[l->len] = '\0';
	l->joined++;
}

/* Does LINE go on where the logical line stopped?  Where line breaks are lost, always. */
static bool continues(const struct text_lines *l, const char *line)
{
	if (!l->len || line[0] == '#')
		return false;
	if (l->soft || l->lost || strchr("=[", l->line[l->len - 1]))
		return true;
	return !text_begins(line) && l->joined < JOINS;
}

static void line_take(struct text_lines *l, bool ends)
{
	bool soft;
	size_t len = text_clean(l->raw, l->raw_len, &soft);

	l->raw_len = 0;
	l->raw[len] = '\0';
	if (!len) {
		if (ends)
			flush(l);
		return;
	}
	if (!continues(l, l->raw)) {
		flush(l);
		l->first = l->number;
	}
	l->lost |= text_begins_within(l->raw);
	append(l, l->raw, len, l->soft ? '\0' : '\n');
	l->soft = soft;
}

/* A line that never ends is taken in parts, cut between words. */
static void part_take(struct text_lines *l)
{
	size_t cut = l->raw_len;
	char rest[512];

	while (cut > l->raw_len - sizeof(rest) && !blank(l->raw[cut - 1]))
		cut--;
	if (cut == l->raw_len - sizeof(rest))
		cut = l->raw_len;
	size_t left = l->raw_len - cut;
	memcpy(rest, l->raw + cut, left);
	l->raw_len = cut;
	line_take(l, false);
	memcpy(l->raw, rest, left);
	l->raw_len = left;
}

void text_lines_feed(struct text_lines *l, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char c = bytes[i];
		bool pair = c == '\n' && l->after_cr, ends = c == '\n' || c == '\r';
		l->after_cr = c == '\r';
		if (ends && !pair)
			line_take(l, true);
		l->number += c == '\n';
		if (ends)
			continue;
		l->raw[l->raw_len++] = c;
		if (l->raw_len == sizeof(l->raw) - 1)
			part_take(l);
	}
}

void text_lines_end(struct text_lines *l)
{
	line_take(l, true);
	flush(l);
}
