/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "trace/blkwrite.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/blktrace_api.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLKWRITE_BUFFER (1u << 20)

struct blkwrite {
	int fd;
	int error; /* negative errno of the first write that failed */
	uint32_t sequence;
	uint64_t written;
	size_t used;
	char path[4096];
	unsigned char buffer[BLKWRITE_BUFFER];
};

int blkwrite_open(const char *path, struct blkwrite **ret, struct err *reterr)
{
	struct blkwrite *b = calloc(1, sizeof(*b));

	if (!b)
		return err_set(reterr, -ENOMEM, "out of memory");
	bool out = strcmp(path, "-") == 0;
	snprintf(b->path, sizeof(b->path), "%s", out ? "standard output" : path);
	b->fd = out ? STDOUT_FILENO
		    : open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
	if (b->fd >= 0) {
		*ret = b;
		return 0;
	}
	int rc = -errno;
	free(b);
	if (rc == -EEXIST)
		return err_set(reterr, rc,
			"%s: exists already, and is left as it is: name another file with --output",
			path);
	return err_sys(reterr, rc, "%s: can't be made", path);
}

/* ---- words to bits ---- */

static uint32_t blkwrite_operation(char letter)
{
	switch (letter) {
	case 'R':
		return BLK_TC_READ;
	case 'W':
		return BLK_TC_WRITE;
	case 'D':
		return BLK_TC_WRITE | BLK_TC_DISCARD;
	case 'F':
		return BLK_TC_WRITE | BLK_TC_FLUSH;
	default:
		return 0;
	}
}

/* The letters are: F of a flush that goes before, the operation, E of a secure discard, and
 * then F (forced to the medium), A (read ahead), S (somebody waits), M (metadata). */
static uint32_t blkwrite_kinds(const char *what)
{
	bool before = what[0] == 'F' && what[1] && strchr("RWDF", what[1]);
	uint32_t kinds = blkwrite_operation(what[before]);

	if (!kinds)
		return 0;
	if (before)
		kinds |= BLK_TC_FLUSH;
	for (const char *at = what + before + 1; *at; at++) {
		kinds |= *at == 'F'   ? BLK_TC_FUA
			 : *at == 'A' ? BLK_TC_AHEAD
			 : *at == 'S' ? BLK_TC_SYNC
			 : *at == 'M' ? BLK_TC_META
				      : 0;
	}
	return kinds;
}

bool blkwrite_is_io(const struct blkwrite_event *e)
{
	return blkwrite_kinds(e->what) != 0;
}

/* ---- writing ---- */

/* A pipe whose reader sleeps is waited for until somebody asks for the end a second time. */
static int blkwrite_wait(int fd, int code)
{
	struct pollfd wait = {.fd = fd, .events = POLLOUT};

	if (code == EAGAIN) /* a parent made the pipe non-blocking */
		code = poll(&wait, 1, -1) < 0 ? errno : 0;
	return code == EINTR && log_stop_count < 2 ? 0 : -code;
}

/* Of DONE bytes of the buffer those that are whole records. */
static size_t blkwrite_whole(const struct blkwrite *b, size_t done)
{
	struct blk_io_trace t;
	size_t whole = 0;

	while (done - whole >= sizeof(t)) {
		memcpy(&t, b->buffer + whole, sizeof(t));
		if (done - whole < sizeof(t) + t.pdu_len)
			break;
		whole += sizeof(t) + t.pdu_len;
	}
	return whole;
}

int blkwrite_flush(struct blkwrite *b)
{
	size_t done = 0;

	if (!b->used)
		return b->error;

	while (!b->error && done < b->used) {
		ssize_t n = write(b->fd, b->buffer + done, b->used - done);
		if (n < 0)
			b->error = blkwrite_wait(b->fd, errno);
		else
			done += (size_t)n;
	}
	/* Half a record would make what is there a damaged trace.  A pipe can't take it back.
	 */
	if (b->error && b->fd != STDOUT_FILENO) {
		done = blkwrite_whole(b, done);
		(void)!ftruncate(b->fd, (off_t)(b->written + done));
	}
	/* Only a file can; what can't needs no such thing. */
	(void)sync_file_range(b->fd, 0, 0,
		SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
			SYNC_FILE_RANGE_WAIT_AFTER);
	b->written += done;
	b->used = 0;
	return b->error;
}

static int blkwrite_put(struct blkwrite *b, const struct blk_io_trace *t, const char *behind)
{
	if (b->used + sizeof(*t) + t->pdu_len > sizeof(b->buffer) && blkwrite_flush(b) < 0)
		return b->error;
	memcpy(b->buffer + b->used, t, sizeof(*t));
	memcpy(b->buffer + b->used + sizeof(*t), behind, t->pdu_len);
	b->used += sizeof(*t) + t->pdu_len;
	return b->error;
}

int blkwrite_event(struct blkwrite *b, const struct blkwrite_event *e)
{
	static const struct {
		uint32_t kinds, act;
	} acts[] = {
		[BLKWRITE_QUEUED] = {BLK_TC_QUEUE, __BLK_TA_QUEUE},
		[BLKWRITE_ISSUED] = {BLK_TC_ISSUE, __BLK_TA_ISSUE},
		[BLKWRITE_DONE] = {BLK_TC_COMPLETE, __BLK_TA_COMPLETE},
	};
	uint32_t kinds = acts[e->act].kinds | BLK_TC_FS | blkwrite_kinds(e->what);

	return blkwrite_put(b,
		&(struct blk_io_trace){
			.magic = BLK_IO_TRACE_MAGIC | BLK_IO_TRACE_VERSION,
			.sequence = ++b->sequence,
			.time = e->time_ns,
			.sector = e->sector,
			.bytes = e->bytes,
			.action = kinds << BLK_TC_SHIFT | acts[e->act].act,
			.pid = e->pid,
			.device = e->device,
			.cpu = e->cpu,
			.error = (uint16_t)-e->error,
		},
		"");
}

int blkwrite_program(struct blkwrite *b, uint64_t time_ns, uint32_t pid, const char *name)
{
	char text[17] = {0}; /* 16 bytes, as the kernel's */

	snprintf(text, sizeof(text), "%.15s", name);
	return blkwrite_put(b,
		&(struct blk_io_trace){
			.magic = BLK_IO_TRACE_MAGIC | BLK_IO_TRACE_VERSION,
			.sequence = ++b->sequence,
			.time = time_ns,
			.action = (uint32_t)BLK_TC_NOTIFY << BLK_TC_SHIFT | __BLK_TN_PROCESS,
			.pid = pid,
			.pdu_len = 16,
		},
		text);
}

int blkwrite_message(struct blkwrite *b, uint64_t time_ns, uint32_t device, const char *text)
{
	return blkwrite_put(b,
		&(struct blk_io_trace){
			.magic = BLK_IO_TRACE_MAGIC | BLK_IO_TRACE_VERSION,
			.sequence = ++b->sequence,
			.time = time_ns,
			.action = (uint32_t)BLK_TC_NOTIFY << BLK_TC_SHIFT | __BLK_TN_MESSAGE,
			.device = device,
			.pdu_len = (uint16_t)MIN_OF(strlen(text), (size_t)1000),
		},
		text);
}

uint64_t blkwrite_bytes(const struct blkwrite *b)
{
	return b->written + b->used;
}

int blkwrite_close(struct blkwrite *b, struct err *reterr)
{
	if (!b)
		return 0;
	blkwrite_flush(b);
	if (b->fd != STDOUT_FILENO && close(b->fd) < 0 && !b->error)
		b->error = -errno;
	int rc = b->error;
	if (rc < 0)
		err_sys(reterr, rc, "%s: not all could be written", b->path);
	free(b);
	return rc;
}
