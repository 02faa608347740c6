/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/logs/file.h"

#include "base/bits.h"
#include "base/err.h"
#include "config.h"
#include "run/logs/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if HAVE_LIBZSTD
#include <zstd.h>
#endif

#define FILE_BUFFER (64u << 10)
#define FILE_MODE   0644

const char *log_file_no_zstd(void)
{
	return HAVE_LIBZSTD ? NULL : "this weir was built without libzstd";
}

static int file_flags(bool append)
{
	return O_WRONLY | O_CLOEXEC | O_NOCTTY | (append ? O_APPEND : O_TRUNC);
}

int log_file_check(const char *path, bool append, struct err *reterr)
{
	struct stat st;
	bool there = stat(path, &st) == 0;

	if (there && S_ISDIR(st.st_mode))
		return err_sys(reterr, -EISDIR, "log %s", path);
	if (there && S_ISBLK(st.st_mode))
		return err_set(reterr, -EINVAL, "log %s: is a block device; a log is a file",
			path);
	if (there && S_ISFIFO(st.st_mode))
		return 0; /* opening waits for its reader: the writer does that */
	int fd = open(path, file_flags(append) | O_CREAT, FILE_MODE);
	if (fd < 0)
		return err_sys(reterr, -errno, "can't make log %s", path);
	close(fd);
	return 0;
}

static int file_compress(struct log_file *f, int level)
{
#if HAVE_LIBZSTD
	f->zstd = level ? ZSTD_createCCtx() : NULL;
	if (f->zstd)
		ZSTD_CCtx_setParameter(f->zstd, ZSTD_c_compressionLevel, level);
	return level && !f->zstd ? -ENOMEM : 0;
#else
	(void)f;
	return level ? -EOPNOTSUPP : 0;
#endif
}

int log_file_open(struct log_file *f, const char *path, bool append, bool lines, int zstd)
{
	*f = (struct log_file){.path = path, .fd = -1, .append = append, .lines = lines};
	f->room = FILE_BUFFER;
	f->buf = malloc(f->room);
	int rc = f->buf ? file_compress(f, zstd) : -ENOMEM;
	if (rc == 0) {
		f->fd = open(path, file_flags(append));
		rc = f->fd < 0 ? -errno : 0;
	}
	f->error = -rc;
	return rc;
}

static uint64_t file_units(const struct log_file *f, const char *data, size_t len)
{
	uint64_t n = 0;
	if (!f->lines)
		return len / sizeof(struct log_record);
	for (size_t i = 0; i < len; i++)
		n += data[i] == '\n';
	return n;
}

/* WRITTEN bytes of DATA are in the file, no more will be: cut the last line or record
 * that is not whole. */
static void file_cut(struct log_file *f, const char *data, size_t written)
{
	size_t whole = written;

	if (f->lines)
		while (whole && data[whole - 1] != '\n')
			whole--;
	else
		whole -= (f->bytes + written) % sizeof(struct log_record);
	/* What others may have added to a shared file stays. */
	if (whole < written && !f->append && !f->zstd &&
		ftruncate(f->fd, (off_t)(f->bytes + whole)) < 0)
		whole = written;
	f->bytes += whole;
}

/* All of DATA, or the error. */
static void file_raw(struct log_file *f, const char *data, size_t len)
{
	size_t done = 0;

	while (!f->error && done < len) {
		ssize_t n = write(f->fd, data + done, len - done);
		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			f->error = errno;
	}
	if (!f->error) {
		f->bytes += len;
		return;
	}
	file_cut(f, data, done);
}

#if HAVE_LIBZSTD
static void file_zstd(struct log_file *f, const void *data, size_t len, ZSTD_EndDirective how)
{
	ZSTD_inBuffer in = {data, len, 0};
	size_t left;

	do {
		ZSTD_outBuffer out = {f->buf, f->room, 0};
		left = ZSTD_compressStream2(f->zstd, &out, &in, how);
		if (ZSTD_isError(left))
			f->error = f->error ? f->error : EIO;
		else
			file_raw(f, f->buf, out.pos);
	} while (!f->error && (in.pos < in.size || (how != ZSTD_e_continue && left)));
}
#endif

void log_file_write(struct log_file *f, const void *data, size_t len)
{
	if (f->error) {
		f->lost += file_units(f, data, len);
		return;
	}
	uint64_t before = f->bytes;
#if HAVE_LIBZSTD
	if (f->zstd)
		file_zstd(f, data, len, ZSTD_e_continue);
	else
#endif
		file_raw(f, data, len);
	if (f->zstd)
		f->pending += file_units(f, data, len);
	if (f->error && f->zstd)
		f->lost += f->pending;
	else if (f->error)
		f->lost += file_units(f, data, len - MIN_OF((size_t)(f->bytes - before), len));
}

/* What the compressor still holds; END: there is no more. */
static void file_settle(struct log_file *f, bool end)
{
#if HAVE_LIBZSTD
	if (!f->zstd || f->error)
		return;
	file_zstd(f, NULL, 0, end ? ZSTD_e_end : ZSTD_e_flush);
	if (f->error)
		f->lost += f->pending;
	f->pending = 0;
#else
	(void)f, (void)end;
#endif
}

void log_file_flush(struct log_file *f)
{
	if (f->fd < 0)
		return;
	file_settle(f, false);
	if (!f->lines || !f->whole)
		return;
	uint64_t before = f->bytes;
	if (!f->error)
		file_raw(f, f->buf, f->whole);
	if (f->error) {
		size_t in = MIN_OF((size_t)(f->bytes - before), f->whole);
		f->lost += file_units(f, f->buf + in, f->whole - in);
	}
	f->len -= f->whole;
	memmove(f->buf, f->buf + f->whole, f->len);
	f->whole = 0;
}

void log_file_put(struct log_file *f, const char *text, size_t len)
{
	if (f->fd < 0) {
		f->lost += text[len - 1] == '\n';
		return;
	}
	if (f->len + len > f->room)
		log_file_flush(f);
	memcpy(f->buf + f->len, text, len); /* a line is far shorter than the room */
	f->len += len;
	if (text[len - 1] == '\n')
		f->whole = f->len;
}

void log_file_close(struct log_file *f)
{
	if (f->fd >= 0) {
		log_file_flush(f);
		file_settle(f, true);
		if (close(f->fd) < 0 && !f->error)
			f->error = errno;
		f->fd = -1;
	}
#if HAVE_LIBZSTD
	ZSTD_freeCCtx(f->zstd);
#endif
	free(f->buf);
	f->buf = NULL;
	f->zstd = NULL;
}
