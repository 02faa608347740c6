/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/logs/reader.h"

#include "base/bits.h"
#include "base/err.h"
#include "config.h"
#include "run/logs/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if HAVE_LIBZSTD
#include <zstd.h>
#endif

#define READER_ROOM (128u << 10)

struct log_reader {
	const char *path;
	int fd;
	bool zstd, at_end;
	void *stream;                   /* decompressor                    */
	unsigned char raw[READER_ROOM]; /* from the file                   */
	size_t raw_at, raw_len;
	unsigned char plain[16]; /* of a record that is not whole   */
	size_t plain_len;
};

static int reader_fill(struct log_reader *r, struct err *reterr)
{
	r->raw_at = 0;
	r->raw_len = 0;
	while (!r->at_end && !r->raw_len) {
		ssize_t n = read(r->fd, r->raw, sizeof(r->raw));
		if (n > 0)
			r->raw_len = (size_t)n;
		else if (n == 0)
			r->at_end = true;
		else if (errno != EINTR)
			return err_sys(reterr, -errno, "%s", r->path);
	}
	return 0;
}

#if HAVE_LIBZSTD
static long reader_unpack(struct log_reader *r, void *out, size_t len, struct err *reterr)
{
	ZSTD_outBuffer to = {out, len, 0};

	for (;;) {
		ZSTD_inBuffer in = {r->raw, r->raw_len, r->raw_at};
		size_t rc = ZSTD_decompressStream(r->stream, &to, &in);
		r->raw_at = in.pos;
		if (ZSTD_isError(rc))
			return err_set(reterr, -EINVAL, "%s: is damaged: %s", r->path,
				ZSTD_getErrorName(rc));
		if (to.pos)
			return (long)to.pos;
		if (r->raw_at == r->raw_len) {
			int failed = reader_fill(r, reterr);
			if (failed < 0 || !r->raw_len)
				return failed;
		}
	}
}
#endif

/* Up to LEN plain bytes; 0 at the end. */
static long reader_some(struct log_reader *r, void *out, size_t len, struct err *reterr)
{
#if HAVE_LIBZSTD
	if (r->zstd)
		return reader_unpack(r, out, len, reterr);
#endif
	if (r->raw_at == r->raw_len) {
		int rc = reader_fill(r, reterr);
		if (rc < 0)
			return rc;
	}
	size_t n = MIN_OF(len, r->raw_len - r->raw_at);
	memcpy(out, r->raw + r->raw_at, n);
	r->raw_at += n;
	return (long)n;
}

static int reader_all(struct log_reader *r, void *out, size_t len, struct err *reterr)
{
	for (size_t done = 0; done < len;) {
		long n = reader_some(r, (char *)out + done, len - done, reterr);
		if (n < 0)
			return (int)n;
		if (n == 0)
			return err_set(reterr, -EINVAL, "%s: ends within its head", r->path);
		done += (size_t)n;
	}
	return 0;
}

static int reader_open(struct log_reader *r, struct err *reterr)
{
	static const unsigned char magic[] = {0x28, 0xb5, 0x2f, 0xfd};

	r->fd = strcmp(r->path, "-") == 0 ? dup(STDIN_FILENO)
					  : open(r->path, O_RDONLY | O_CLOEXEC);
	if (r->fd < 0)
		return err_sys(reterr, -errno, "%s", r->path);
	int rc = reader_fill(r, reterr);
	if (rc < 0)
		return rc;
	r->zstd = r->raw_len >= sizeof(magic) && memcmp(r->raw, magic, sizeof(magic)) == 0;
	if (r->zstd && log_file_no_zstd())
		return err_set(reterr, -EOPNOTSUPP,
			"%s: is compressed, and %s; unpack it with zstd -d", r->path,
			log_file_no_zstd());
#if HAVE_LIBZSTD
	r->stream = r->zstd ? ZSTD_createDCtx() : NULL;
	if (r->zstd && !r->stream)
		return err_set(reterr, -ENOMEM, "out of memory");
#endif
	return 0;
}

static int reader_head(struct log_reader *r, struct log_head *ret, struct err *reterr)
{
	unsigned char fixed[LOG_BINARY_FIXED];

	if (!r->zstd && r->raw_len < sizeof(fixed))
		return err_set(reterr, -EINVAL,
			r->raw_len ? "%s: is not a binary log of weir"
				   : "%s: is empty: its job measured nothing",
			r->path);
	int rc = reader_all(r, fixed, sizeof(fixed), reterr);
	if (rc < 0)
		return rc;
	size_t size = log_binary_size(fixed, reterr);
	if (!size)
		return err_within(reterr, "%s", r->path);
	char *text = malloc(size);
	if (!text)
		return err_set(reterr, -ENOMEM, "out of memory");
	rc = reader_all(r, text, size - sizeof(fixed), reterr);
	if (rc == 0 && log_binary_read(text, size - sizeof(fixed), ret, reterr) < 0)
		rc = err_within(reterr, "%s", r->path);
	free(text);
	return rc;
}

struct log_reader *log_reader_new(const char *path, struct log_head *ret, struct err *reterr)
{
	struct log_reader *r = calloc(1, sizeof(*r));

	if (!r) {
		err_set(reterr, -ENOMEM, "out of memory");
		return NULL;
	}
	r->path = path;
	if (reader_open(r, reterr) < 0 || reader_head(r, ret, reterr) < 0) {
		log_reader_free(r);
		return NULL;
	}
	return r;
}

void log_reader_free(struct log_reader *r)
{
	if (!r)
		return;
	if (r->fd >= 0)
		close(r->fd);
#if HAVE_LIBZSTD
	ZSTD_freeDCtx(r->stream);
#endif
	free(r);
}

long log_reader_next(struct log_reader *r, struct log_record *out, size_t max,
	struct err *reterr)
{
	size_t len = r->plain_len, room = max * sizeof(*out);

	memcpy(out, r->plain, len);
	r->plain_len = 0;
	while (len < sizeof(*out)) {
		long n = reader_some(r, (char *)out + len, room - len, reterr);
		if (n < 0)
			return n;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	r->plain_len = len % sizeof(*out);
	memcpy(r->plain, (char *)out + len - r->plain_len, r->plain_len);
	return (long)(len / sizeof(*out));
}

size_t log_reader_rest(const struct log_reader *r)
{
	return r->plain_len;
}
