/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Patterns of bytes, as buffer_pattern and verify_pattern take them.  Parts follow
 * each other, with or without blanks between them:
 *
 *   0xdeadface     these bytes in this order; an odd digit in front is one byte
 *   12  300  +7    as few bytes as hold it, lowest first
 *   -12            four bytes, lowest first
 *   "text"         its letters; there is no escape
 *   'file'         what is in the file
 *   %o             the offset of the block, where the option's row has that word */
#include "opt/opt.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/scope.h"
#include "base/str.h"
#include "opt/span.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>

#define FILLER_FORMS "0xHEX, a number, \"text\" and 'file'"

struct filler_reader {
	const struct opt *row;
	struct str bytes;
	struct str holes; /* uint32_t each */
};

static int read_hex(struct filler_reader *r, struct span *rest, struct err *reterr)
{
	struct span digits = span_after(*rest, 2);
	size_t n = 0;

	while (n < digits.len && isxdigit((unsigned char)digits.at[n]))
		n++;
	if (!n)
		return err_set(reterr, -EINVAL, "'%.*s' has no hexadecimal digit behind 0x",
			SPAN_ARG(*rest));
	unsigned byte = 0;
	for (size_t i = 0; i < n; i++) {
		const char c = (char)(digits.at[i] | 0x20);
		byte = byte << 4 | (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
		if ((n - i) % 2 == 0)
			continue;
		str_add_char(&r->bytes, (char)byte);
		byte = 0;
	}
	*rest = span_after(digits, n);
	return 0;
}

static int read_number(struct filler_reader *r, struct span *rest, struct err *reterr)
{
	bool minus = rest->at[0] == '-';
	size_t n = rest->at[0] == '-' || rest->at[0] == '+';
	int64_t value = 0;
	const size_t first = n;

	for (; n < rest->len && isdigit((unsigned char)rest->at[n]); n++) {
		value = value * 10 + (rest->at[n] - '0');
		if (value > (int64_t)INT32_MAX + minus)
			return err_set(reterr, -ERANGE,
				"a number is from -2147483648 to 2147483647; write others as "
				"0xHEX, the bytes in their order");
	}
	if (n == first || (n < rest->len && isalpha((unsigned char)rest->at[n])))
		return err_set(reterr, -EINVAL, "'%.*s' is no number", SPAN_ARG(*rest));
	uint32_t left = (uint32_t)(minus ? -value : value);
	unsigned bytes = 0;
	do {
		str_add_char(&r->bytes, (char)(left & 0xff));
		left >>= 8;
		bytes++;
	} while (left || (minus && value && bytes < 4));
	*rest = span_after(*rest, n);
	return 0;
}

static int add_file(struct filler_reader *r, struct span name, struct err *reterr)
{
	scope_mem char *path = strndup(name.at, name.len);
	struct stat st;
	char piece[4096];
	ssize_t got;

	if (!path)
		return err_set(reterr, -ENOMEM, "out of memory");
	scope_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st) < 0)
		return err_sys(reterr, -errno, "can't read the file '%s'", path);
	if (!S_ISREG(st.st_mode))
		return err_set(reterr, -EINVAL, "'%s' is no regular file", path);
	while ((got = read(fd, piece, sizeof(piece))) > 0 && r->bytes.len <= LIMIT_FILLER)
		str_add_bytes(&r->bytes, piece, (size_t)got);
	if (got < 0)
		return err_sys(reterr, -errno, "can't read the file '%s'", path);
	if (r->bytes.len > LIMIT_FILLER)
		return err_set(reterr, -EFBIG, "with the file '%s' it has more than %d bytes",
			path, LIMIT_FILLER);
	return 0;
}

/* "text" or 'file' */
static int read_quoted(struct filler_reader *r, struct span *rest, struct err *reterr)
{
	const char quote = rest->at[0];
	struct span inside = span_after(*rest, 1);
	const char *end = memchr(inside.at, quote, inside.len);
	if (!end)
		return err_set(reterr, -EINVAL, "the second %c of %.*s is missing", quote,
			SPAN_ARG(*rest));

	inside.len = (size_t)(end - inside.at);
	*rest = span_after(*rest, inside.len + 2);
	if (!inside.len)
		return err_set(reterr, -EINVAL, "there is nothing between %c and %c", quote,
			quote);
	if (quote == '\'')
		return add_file(r, inside, reterr);
	str_add_bytes(&r->bytes, inside.at, inside.len);
	return 0;
}

static bool has_format(const struct opt *row, struct span text)
{
	for (const struct opt_word *w = row->words; w && w->word; w++)
		if (text.len >= 2 && !strncmp(text.at, w->word, 2))
			return true;
	return false;
}

static int read_format(struct filler_reader *r, struct span *rest, struct err *reterr)
{
	const uint32_t at = (uint32_t)r->bytes.len;
	const char zeroes[FILLER_OFFSET_BYTES] = {0};

	if (!has_format(r->row, *rest))
		return err_set(reterr, -EINVAL,
			"'%.*s' can't be used here; it is made of " FILLER_FORMS,
			SPAN_ARG(*rest));
	str_add_bytes(&r->holes, (const char *)&at, sizeof(at));
	str_add_bytes(&r->bytes, zeroes, sizeof(zeroes));
	*rest = span_after(*rest, 2);
	return 0;
}

static int read_part(struct filler_reader *r, struct span *rest, struct err *reterr)
{
	const char c = rest->at[0];

	if (c == '"' || c == '\'')
		return read_quoted(r, rest, reterr);
	if (c == '%')
		return read_format(r, rest, reterr);
	if (c == '0' && rest->len > 1 && (rest->at[1] | 0x20) == 'x')
		return read_hex(r, rest, reterr);
	if (c == '-' || c == '+' || isdigit((unsigned char)c))
		return read_number(r, rest, reterr);
	return err_set(reterr, -EINVAL,
		"'%.*s' is none of " FILLER_FORMS "; letters are written as \"%.*s\"",
		SPAN_ARG(*rest), SPAN_ARG(*rest));
}

/* What was read, in memory that lasts. */
static int keep_filler(const struct filler_reader *r, struct arena *arena, struct filler *ret,
	struct err *reterr)
{
	uint8_t *bytes = arena_array(arena, r->bytes.len, 1);
	uint32_t *holes = arena_array(arena, r->holes.len + 1, 1);

	if (r->bytes.failed || r->holes.failed || !bytes || !holes)
		return err_set(reterr, -ENOMEM, "out of memory");
	memcpy(bytes, r->bytes.text, r->bytes.len);
	if (r->holes.len)
		memcpy(holes, r->holes.text, r->holes.len);
	*ret = (struct filler){
		.bytes = bytes,
		.count = (uint32_t)r->bytes.len,
		.holes = holes,
		.holes_count = (uint32_t)(r->holes.len / sizeof(*holes)),
	};
	return 0;
}

static int parse_filler(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	struct filler_reader r = {.row = o};
	struct span rest = span_trim(span_of(text));
	int rc = 0;

	if (!rest.len)
		rc = err_set(reterr, -EINVAL, "it is empty; it is made of " FILLER_FORMS);
	while (rest.len && rc == 0) {
		rc = read_part(&r, &rest, reterr);
		rest = span_trim(rest);
		if (rc == 0 && r.bytes.len > LIMIT_FILLER)
			rc = err_set(reterr, -EFBIG, "it has more than %d bytes", LIMIT_FILLER);
		if (rc == 0 && !r.bytes.len && !rest.len)
			rc = err_set(reterr, -EINVAL, "its files are empty");
	}
	if (rc == 0)
		rc = keep_filler(&r, ctx->arena, dst, reterr);
	str_done(&r.bytes);
	str_done(&r.holes);
	return rc;
}

static void print_filler(const struct opt *o, const void *src, struct str *out)
{
	const struct filler *f = src;
	bool hex = false; /* are we behind an 0x? */
	uint32_t hole = 0;

	(void)o;
	for (uint32_t i = 0; i < f->count;) {
		if (hole < f->holes_count && f->holes[hole] == i) {
			str_add(out, "%o");
			hex = false;
			hole++;
			i += FILLER_OFFSET_BYTES;
		} else {
			str_addf(out, "%s%02x", hex ? "" : "0x", f->bytes[i]);
			hex = true;
			i++;
		}
	}
}

const struct opt_type opt_filler_type = {"0xHEX, number, \"text\", 'file' in a row",
	sizeof(struct filler), false, parse_filler, print_filler};
