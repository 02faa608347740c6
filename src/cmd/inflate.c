/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What fio's compressed logs are, found by comparing such files of fio 3.33 with the text
 * that it makes of them: zlib streams one behind the other, which together are records in
 * the machine's byte order,
 *
 *	u64 time in ms | u64 value | u32 direction and flags | u16 priority | u16 0 |
 *	u64 block size | u64 offset, where a flag says so
 *
 * A record may begin in one stream and end in the next. */
#include "cmd/inflate.h"

#include "base/scope.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/output.h"
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#if HAVE_ZLIB
#include <zlib.h>

#define INFLATE_CHUNK    65536
#define INFLATE_PRIO     UINT32_C(0x40000000) /* priorities in full */
#define INFLATE_OFFSET   UINT32_C(0x80000000)
#define INFLATE_KNOWN    (UINT32_C(3) | INFLATE_PRIO | INFLATE_OFFSET)
#define INFLATE_SHORT    32
#define INFLATE_LONG     40
#define INFLATE_REALTIME 1 /* class of a priority, its upper 3 bits */

struct inflated {
	unsigned char held[INFLATE_CHUNK + INFLATE_LONG]; /* what isn't printed yet */
	size_t used;
	struct str text;
	const char *fault;
	int error; /* of stdout, -errno */
};

static void inflated_done(struct inflated *in)
{
	str_done(&in->text);
}

static uint64_t inflated_u64(const unsigned char *at)
{
	uint64_t v;
	memcpy(&v, at, sizeof(v));
	return v;
}

/* The record at AT, of LEFT bytes: its length; 0: not all of it is there, or it is none. */
static size_t inflated_record(struct inflated *in, const unsigned char *at, size_t left)
{
	uint32_t word;
	uint16_t prio;

	if (left < INFLATE_SHORT)
		return 0;
	memcpy(&word, at + 16, sizeof(word));
	memcpy(&prio, at + 20, sizeof(prio));
	size_t len = word & INFLATE_OFFSET ? INFLATE_LONG : INFLATE_SHORT;
	if (word & ~INFLATE_KNOWN || at[22] || at[23]) {
		in->fault =
			"a record has parts that fio 3.33's don't have; inflate it with the fio "
			"that made it";
		return 0;
	}
	if (left < len)
		return 0;
	str_addf(&in->text, "%" PRIu64 ", %" PRId64 ", %u, %" PRIu64 ", ", inflated_u64(at),
		(int64_t)inflated_u64(at + 8), (unsigned)(word & 3), inflated_u64(at + 24));
	if (word & INFLATE_OFFSET)
		str_addf(&in->text, "%" PRIu64 ", ", inflated_u64(at + 32));
	if (word & INFLATE_PRIO)
		str_addf(&in->text, "0x%04x\n", prio);
	else
		str_addf(&in->text, "%d\n", prio >> 13 == INFLATE_REALTIME);
	return len;
}

/* Print the records in HELD and keep what is left. */
static void inflated_print(struct inflated *in)
{
	size_t at = 0, len;

	while (!in->fault && (len = inflated_record(in, in->held + at, in->used - at)) > 0)
		at += len;
	memmove(in->held, in->held + at, in->used - at);
	in->used -= at;
	if (in->text.failed)
		in->error = -ENOMEM;
	else if (in->text.len)
		in->error = output_write(STDOUT_FILENO, str_text(&in->text), in->text.len);
	str_done(&in->text);
	in->text = (struct str){0};
}

/* All of what Z was given. False: the end of the work. */
static bool inflated_take(struct inflated *in, z_stream *z)
{
	while (z->avail_in || z->avail_out == 0) {
		size_t before = in->used;
		z->next_out = in->held + in->used;
		z->avail_out = INFLATE_CHUNK;
		int rc = inflate(z, Z_NO_FLUSH);
		in->used = before + INFLATE_CHUNK - z->avail_out;
		inflated_print(in);
		if (rc != Z_OK && rc != Z_STREAM_END && rc != Z_BUF_ERROR)
			in->fault = z->msg ? z->msg : "its compressed data are damaged";
		if (in->fault || in->error)
			return false;
		if (rc == Z_BUF_ERROR)
			break;
		if (rc == Z_STREAM_END && inflateReset(z) != Z_OK)
			in->fault = "out of memory";
	}
	return true;
}

static void inflated_file(struct inflated *in, int fd)
{
	unsigned char chunk[INFLATE_CHUNK];
	z_stream z = {0};
	ssize_t n = 0;
	bool more = true;

	if (inflateInit(&z) != Z_OK) {
		in->fault = "out of memory";
		return;
	}
	while (more && (n = read(fd, chunk, sizeof(chunk))) > 0) {
		z.next_in = chunk;
		z.avail_in = (unsigned)n;
		z.avail_out = 1;
		more = inflated_take(in, &z);
	}
	if (n < 0)
		in->fault = strerror(errno);
	else if (more && (z.total_in || in->used))
		in->fault = "it ends in the middle of a record";
	inflateEnd(&z);
}

int inflate_log(struct output *out, const char *path)
{
	scope_with(inflated_done) struct inflated in = {.used = 0};
	scope_fd int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		in.fault = strerror(errno);
	else if (strstr(path, "_clat_hist."))
		in.fault =
			"fio keeps no histograms in compressed logs, only where they were in its "
			"memory: there is nothing to print";
	else
		inflated_file(&in, fd);
	if (in.fault)
		output_sayf(out, SAY_ERROR, "--inflate-log: %s: %s", path, in.fault);
	else if (in.error && in.error != -EPIPE)
		output_sayf(out, SAY_ERROR, "--inflate-log: stdout: %s", strerror(-in.error));
	return in.fault || in.error ? STATUS_REFUSED : STATUS_OK;
}

#else

int inflate_log(struct output *out, const char *path)
{
	output_sayf(out, SAY_ERROR,
		"--inflate-log: %s: this weir was built without zlib; `weir --version` tells",
		path);
	return STATUS_REFUSED;
}

#endif
