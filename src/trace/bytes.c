/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "trace/bytes.h"

#include "base/bits.h"
#include "base/err.h"
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if HAVE_ZLIB
#include <zlib.h>
#endif
#if HAVE_LIBZSTD
#include <zstd.h>
#endif

#define BYTES_ROOM  (4 * TRACE_WINDOW)
#define BYTES_CHUNK TRACE_WINDOW /* of compressed bytes */

enum bytes_kind {
	BYTES_PLAIN,
	BYTES_GZIP,
	BYTES_ZSTD,
};

struct trace_bytes {
	int fd;
	enum bytes_kind kind;
	bool ended;      /* the file has no more                               */
	bool inside;     /* of a compressed piece that is not whole yet        */
	uint64_t before; /* bytes that were in front of the window              */
	size_t at, len;  /* the window: buf + at to buf + len                  */
	unsigned char *buf;
	unsigned char *packed; /* compressed bytes: packed + from to packed + to */
	size_t from, to;
	struct err failed; /* what stopped us; behind all that is in the window */
#if HAVE_ZLIB
	z_stream gzip;
#endif
#if HAVE_LIBZSTD
	ZSTD_DCtx *zstd;
#endif
};

static int bytes_read(struct trace_bytes *b, unsigned char *to, size_t room, size_t *ret,
	struct err *reterr)
{
	ssize_t n;

	do
		n = read(b->fd, to, room);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return err_sys(reterr, -errno, "can't be read");
	b->ended = n == 0;
	*ret = (size_t)n;
	return 0;
}

/* ---- unpacking: from packed into the window's end ---- */

#if HAVE_ZLIB
static int bytes_gunzip(struct trace_bytes *b, struct err *reterr)
{
	z_stream *z = &b->gzip;

	if (!b->inside && inflateReset(z) != Z_OK)
		return err_set(reterr, -ENOMEM, "out of memory");
	b->inside = true;
	z->next_in = b->packed + b->from;
	z->avail_in = (unsigned)(b->to - b->from);
	z->next_out = b->buf + b->len;
	z->avail_out = (unsigned)(BYTES_ROOM - b->len);
	int rc = inflate(z, Z_NO_FLUSH);
	b->from = b->to - z->avail_in;
	b->len = BYTES_ROOM - z->avail_out;
	if (rc == Z_STREAM_END)
		b->inside = false;
	else if (rc != Z_OK && rc != Z_BUF_ERROR)
		return err_set(reterr, -EINVAL, "its gzip data are damaged (%s)",
			z->msg ? z->msg : "zlib");
	return 0;
}
#endif

#if HAVE_LIBZSTD
static int bytes_unzstd(struct trace_bytes *b, struct err *reterr)
{
	ZSTD_inBuffer in = {b->packed, b->to, b->from};
	ZSTD_outBuffer out = {b->buf, BYTES_ROOM, b->len};
	size_t rc = ZSTD_decompressStream(b->zstd, &out, &in);

	b->from = in.pos;
	b->len = out.pos;
	if (ZSTD_isError(rc))
		return err_set(reterr, -EINVAL, "its zstd data are damaged (%s)",
			ZSTD_getErrorName(rc));
	b->inside = rc != 0;
	return 0;
}
#endif

static int bytes_unpack(struct trace_bytes *b, struct err *reterr)
{
	switch (b->kind) {
#if HAVE_ZLIB
	case BYTES_GZIP:
		return bytes_gunzip(b, reterr);
#endif
#if HAVE_LIBZSTD
	case BYTES_ZSTD:
		return bytes_unzstd(b, reterr);
#endif
	default:
		return err_set(reterr, -EOPNOTSUPP, "can't be unpacked here");
	}
}

/* More bytes into the window; *MORE becomes false when there are none. */
static int bytes_fill(struct trace_bytes *b, bool *more, struct err *reterr)
{
	size_t before = b->len, got = 0;
	int rc = 0;

	*more = false;
	if (b->kind == BYTES_PLAIN) {
		rc = bytes_read(b, b->buf + b->len, BYTES_ROOM - b->len, &got, reterr);
		b->len += got;
		*more = got > 0;
		return rc;
	}
	while (rc == 0 && b->len == before) {
		if (b->from == b->to && !b->ended) {
			b->from = b->to = 0;
			rc = bytes_read(b, b->packed, BYTES_CHUNK, &b->to, reterr);
		}
		if (rc == 0 && b->from == b->to && b->ended)
			return b->inside ? err_set(reterr, -EINVAL,
						   "is cut off: it ends inside of its %s data",
						   trace_bytes_packed(b))
					 : 0;
		if (rc == 0)
			rc = bytes_unpack(b, reterr);
	}
	*more = rc == 0;
	return rc;
}

/* ---- the window ---- */

int trace_bytes_look(struct trace_bytes *b, size_t n, const unsigned char **at, size_t *ret,
	struct err *reterr)
{
	bool more = true;

	if (b->len - b->at < n && b->at) {
		memmove(b->buf, b->buf + b->at, b->len - b->at);
		b->before += b->at;
		b->len -= b->at;
		b->at = 0;
	}
	while (!b->failed.code && more && b->len - b->at < n)
		bytes_fill(b, &more, &b->failed);
	*at = b->buf + b->at;
	*ret = b->len - b->at;
	return *ret ? 0 : trace_bytes_failed(b, reterr);
}

int trace_bytes_failed(const struct trace_bytes *b, struct err *reterr)
{
	if (b->failed.code && reterr)
		*reterr = b->failed;
	return b->failed.code;
}

void trace_bytes_skip(struct trace_bytes *b, size_t n)
{
	b->at += n;
}

uint64_t trace_bytes_position(const struct trace_bytes *b)
{
	return b->before + b->at;
}

const char *trace_bytes_packed(const struct trace_bytes *b)
{
	return b->kind == BYTES_GZIP ? "gzip" : b->kind == BYTES_ZSTD ? "zstd" : NULL;
}

/* ---- opening ---- */

static int bytes_begin_gzip(struct trace_bytes *b, struct err *reterr)
{
	b->kind = BYTES_GZIP;
#if HAVE_ZLIB
	return inflateInit2(&b->gzip, 15 + 16) == Z_OK
		       ? 0
		       : err_set(reterr, -ENOMEM, "out of memory");
#else
	return err_set(reterr, -EOPNOTSUPP,
		"is compressed by gzip, and this weir was built without zlib: unpack it first");
#endif
}

static int bytes_begin_zstd(struct trace_bytes *b, struct err *reterr)
{
	b->kind = BYTES_ZSTD;
#if HAVE_LIBZSTD
	b->zstd = ZSTD_createDCtx();
	return b->zstd ? 0 : err_set(reterr, -ENOMEM, "out of memory");
#else
	return err_set(reterr, -EOPNOTSUPP,
		"is compressed by zstd, and this weir was built without libzstd: unpack it first");
#endif
}

/* What the first bytes say that it is; those of a compressed file move to packed. */
static int bytes_begin(struct trace_bytes *b, struct err *reterr)
{
	static const unsigned char gzip[2] = {0x1f, 0x8b};
	static const unsigned char zstd[4] = {0x28, 0xb5, 0x2f, 0xfd};
	const unsigned char *at;
	size_t n;

	int rc = trace_bytes_look(b, sizeof(zstd), &at, &n, reterr);
	if (rc < 0)
		return rc;
	bool is_gzip = n >= sizeof(gzip) && memcmp(at, gzip, sizeof(gzip)) == 0;
	bool is_zstd = n >= sizeof(zstd) && memcmp(at, zstd, sizeof(zstd)) == 0;
	if (!is_gzip && !is_zstd)
		return 0;
	b->packed = malloc(BYTES_ROOM);
	if (!b->packed)
		return err_set(reterr, -ENOMEM, "out of memory");
	memcpy(b->packed, b->buf, b->len);
	b->to = b->len;
	b->len = 0;
	return is_gzip ? bytes_begin_gzip(b, reterr) : bytes_begin_zstd(b, reterr);
}

int trace_bytes_open(const char *path, struct trace_bytes **ret, struct err *reterr)
{
	struct trace_bytes *b = calloc(1, sizeof(*b));

	if (!b)
		return err_set(reterr, -ENOMEM, "out of memory");
	b->buf = malloc(BYTES_ROOM);
	b->fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO)
				       : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	int rc = !b->buf     ? err_set(reterr, -ENOMEM, "out of memory")
		 : b->fd < 0 ? err_sys(reterr, -errno, "can't be opened")
			     : bytes_begin(b, reterr);
	if (rc < 0) {
		trace_bytes_free(b);
		return rc;
	}
	*ret = b;
	return 0;
}

void trace_bytes_free(struct trace_bytes *b)
{
	if (!b)
		return;
#if HAVE_ZLIB
	if (b->kind == BYTES_GZIP)
		inflateEnd(&b->gzip);
#endif
#if HAVE_LIBZSTD
	ZSTD_freeDCtx(b->zstd);
#endif
	if (b->fd >= 0)
		close(b->fd);
	free(b->packed);
	free(b->buf);
	free(b);
}
