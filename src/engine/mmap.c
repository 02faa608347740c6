/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT.  mmap: copies to and from a shared mapping of the file.
 *
 * The whole file is mapped when it is opened.  Where the address space does not
 * allow that (RLIMIT_AS, files of many TiB), a window is mapped and moved to
 * where the next request is.
 *
 * A mapping can't report an error in words: a file that somebody truncates, a
 * medium that fails and a full file system all send SIGBUS, which ends the
 * worker; the supervisor reports the signal.  That is why nothing here makes a
 * file longer, and why its blocks should be there before (docs/engines/mmap.md). */
#include "base/bits.h"
#include "base/err.h"
#include "engine/posix.h"
#include "opt/opt.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MMAP_WINDOW (UINT64_C(1) << 30)

struct mmap_opts {
	uint32_t thp;
};

struct mmap_target {
	char *base;            /* NULL: nothing mapped                             */
	uint64_t start, bytes; /* of the file, what is mapped                      */
	int prot, advice;
	bool windowed; /* not all of the file                              */
};

/* Map BYTES from START (a multiple of the page) in place of what is mapped. */
static int mmap_map(struct queue *q, struct target *t, uint64_t start, uint64_t bytes)
{
	const struct mmap_opts *o = q->opts;
	struct mmap_target *m = t->mine;

	if (m->base)
		munmap(m->base, m->bytes);
	m->base = NULL;
	void *base = mmap(NULL, bytes, m->prot, MAP_SHARED, t->fd, (off_t)start);
	if (base == MAP_FAILED)
		return -errno;

	if (o->thp)
		(void)madvise(base, bytes, MADV_HUGEPAGE);
	if (m->advice >= 0)
		(void)posix_madvise(base, bytes, m->advice);
	m->base = base;
	m->start = start;
	m->bytes = bytes;
	return 0;
}

static int mmap_open(struct queue *q, struct target *t, const struct target_how *how,
	struct err *reterr)
{
	struct mmap_target *m = t->mine;
	struct target_how mapped = *how;

	mapped.read = true; /* a mapping that is written is also read */
	mapped.direct = false;
	int rc = target_posix.open(q, t, &mapped, reterr);
	if (rc < 0)
		return rc;

	*m = (struct mmap_target){
		.prot = how->write ? PROT_READ | PROT_WRITE : PROT_READ,
		.advice = how->advice,
	};
	if (!t->bytes)
		return 0; /* nothing to map: requests get what lies behind the end */
	rc = mmap_map(q, t, 0, t->bytes);
	if (rc == -ENOMEM && t->bytes > MMAP_WINDOW) {
		m->windowed = true;
		rc = mmap_map(q, t, 0, MMAP_WINDOW);
	}
	if (rc < 0) {
		target_posix.close(q, t);
		if (rc == -ENOMEM)
			return err_sys(reterr, rc,
				"%s: can't map it; raise vm.max_map_count (a mapping a file) or `ulimit "
				"-v`, or lower openfiles",
				t->path);
		return err_sys(reterr, rc, "%s: can't map it; use another ioengine for it",
			t->path);
	}
	return 0;
}

static void mmap_close(struct queue *q, struct target *t)
{
	struct mmap_target *m = t->mine;

	if (m->base)
		munmap(m->base, m->bytes);
	*m = (struct mmap_target){0};
	target_posix.close(q, t);
}

/* Pages that are mapped can't be dropped from the cache: unmap them first. */
static int mmap_invalidate(struct queue *q, struct target *t, const struct target_how *how)
{
	struct mmap_target *m = t->mine;

	if (m->base)
		(void)madvise(m->base, m->bytes, MADV_DONTNEED);
	return target_posix.invalidate(q, t, how);
}

static int mmap_window_move(struct queue *q, struct target *t, const struct io *io)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t start = round_down(io->offset, page);
	uint64_t bytes = MAX_OF(MMAP_WINDOW, io->bytes + page);

	return mmap_map(q, t, start, MIN_OF(bytes, t->bytes - start));
}

static int32_t mmap_sync(const struct io *io)
{
	const enum io_kind kind = (enum io_kind)io->kind;
	struct target *t = io->target;
	const struct mmap_target *m = t->mine;

	if (kind == IO_SYNC_RANGE) { /* pages that only the mapping knows become the file's */
		if (m->base && msync(m->base, m->bytes, MS_ASYNC) < 0)
			return -errno;
		return posix_other(io);
	}
	if (m->base && msync(m->base, m->bytes, MS_SYNC) < 0)
		return -errno;
	if (!m->windowed)
		return 0;
	/* What was written through earlier windows. */
	return (kind == IO_FSYNC ? fsync(t->fd) : fdatasync(t->fd)) < 0 ? -errno : 0;
}

static int32_t mmap_copy(struct queue *q, const struct io *io)
{
	struct target *t = io->target;
	struct mmap_target *m = t->mine;

	if (unlikely(io->offset >= t->bytes))
		return io->kind == IO_READ ? 0 : -ENOSPC;
	const uint64_t bytes = MIN_OF((uint64_t)io->bytes, t->bytes - io->offset);

	if (unlikely(!m->base || io->offset < m->start ||
		     io->offset + bytes > m->start + m->bytes)) {
		int rc = mmap_window_move(q, t, io);
		if (rc < 0)
			return rc;
	}
	char *at = m->base + (io->offset - m->start);
	if (io->kind == IO_READ)
		memcpy(io->buf, at, bytes);
	else
		memcpy(at, io->buf, bytes);
	return (int32_t)bytes;
}

static void mmap_perform(struct queue *q, struct io *io)
{
	if (likely(io->kind < IO_TRIM))
		io->res = mmap_copy(q, io);
	else if (io->kind == IO_TRIM)
		io->res = posix_other(io);
	else
		io->res = mmap_sync(io);
}

static const struct target_ops target_mmap = {
	.open = mmap_open,
	.close = mmap_close,
	.invalidate = mmap_invalidate,
};

static const struct opt mmap_rows[] = {
	{.name = "thp",
		OPT_U32(struct mmap_opts, thp),
		.max = 1,
		.preset = "0",
		.help = "Ask for huge pages in the mapping (MADV_HUGEPAGE)"},
};

const struct opt_group mmap_group = {
	.name = "mmap",
	.engine = "mmap",
	.rows = mmap_rows,
	.count = COUNT_OF(mmap_rows),
	.size = sizeof(struct mmap_opts),
};

const struct engine engine_mmap = {
	.name = "mmap",
	.help = "memcpy() to and from a shared mapping; syncs with msync()",
	.flags = ENGINE_NO_EXTEND | ENGINE_TRIM,
	.opts = &mmap_group,
	.target_size = sizeof(struct mmap_target),
	.target = &target_mmap,
	.perform = mmap_perform,
};
