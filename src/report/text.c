/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "report/text.h"

#include "base/bits.h"
#include "base/str.h"
#include "report/report.h"

#include <stdint.h>
#include <string.h>

/* One character: its code and length, code 0xfffd and length 1 when broken. */
static uint32_t utf8_next(const char *text, unsigned *ret_len)
{
	const unsigned char *p = (const unsigned char *)text;
	unsigned len = p[0] < 0x80 ? 1 : p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
	uint32_t code = len == 1 ? p[0] : p[0] & (0x7fu >> len);

	*ret_len = 1;
	if (p[0] >= 0x80 && (p[0] < 0xc2 || p[0] > 0xf4))
		return 0xfffd;
	for (unsigned i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0xfffd;
		code = code << 6 | (p[i] & 0x3f);
	}
	*ret_len = len;
	return code;
}

struct span {
	uint32_t first, last;
};

static bool code_in(uint32_t code, const struct span *spans, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (code >= spans[i].first && code <= spans[i].last)
			return true;
	return false;
}

/* East Asian wide characters and emoji, and what sits on the letter before it:
 * the blocks that names are written in, not all of Unicode. */
static unsigned code_width(uint32_t code)
{
	static const struct span wide[] = {{0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3},
		{0xf900, 0xfaff}, {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6},
		{0x1f300, 0x1faff}, {0x20000, 0x3fffd}};
	static const struct span none[] = {
		{0x0300, 0x036f}, {0x200b, 0x200f}, {0xfe00, 0xfe0f}};

	if (code < 0x300)
		return 1;
	if (code_in(code, none, COUNT_OF(none)))
		return 0;
	return code_in(code, wide, COUNT_OF(wide)) ? 2 : 1;
}

static bool is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xfffd ||
	       (code >= 0x202a && code <= 0x202e);
}

unsigned text_width(const char *text)
{
	unsigned width = 0, len;

	for (; *text; text += len)
		width += code_width(utf8_next(text, &len));
	return width;
}

void text_add(struct str *out, const char *text)
{
	unsigned len;

	for (; *text; text += len) {
		if (is_control(utf8_next(text, &len)))
			str_add_char(out, '?');
		else
			str_add_bytes(out, text, len);
	}
}

void text_markdown(struct str *out, const char *text)
{
	unsigned len;

	for (; *text; text += len) {
		uint32_t code = utf8_next(text, &len);
		if (len == 1 && strchr("|\\`*_<>[]", *text))
			str_add_char(out, '\\');
		if (is_control(code))
			str_add_char(out, '?');
		else
			str_add_bytes(out, text, len);
	}
}

void text_pad(struct str *out, unsigned columns)
{
	for (unsigned i = 0; i < columns; i++)
		str_add_char(out, ' ');
}

void text_wrap(struct str *out, const char *text, unsigned at, unsigned indent,
	unsigned columns)
{
	bool first = true;

	while (*text) {
		char word[256];
		size_t len = strcspn(text, " ");
		size_t kept = MIN_OF(len, sizeof(word) - 1);
		memcpy(word, text, kept);
		word[kept] = '\0';
		unsigned width = text_width(word);

		if (!first && at + 1 + width > columns) {
			str_add_char(out, '\n');
			text_pad(out, indent);
			at = indent;
		} else if (!first) {
			str_add_char(out, ' ');
			at++;
		}
		text_add(out, word);
		at += width;
		first = false;
		text += kept;
		text += strspn(text, " ");
	}
}

void report_one_line(struct str *doc)
{
	size_t to = 0;
	for (size_t from = 0; from < doc->len; from++) {
		if (doc->text[from] == '\n')
			while (from + 1 < doc->len && doc->text[from + 1] == ' ')
				from++;
		else
			doc->text[to++] = doc->text[from];
	}
	doc->len = to;
}
