/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Requests that fail, and jobs that do. */
#include "base/bits.h"
#include "run/verify/verify.h"
#include "run/worker.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void worker_count_errors(struct worker *w, int code, enum dir dir, uint64_t count)
{
	struct shared_worker *sh = w->sh;

	sh->errors_total += count;
	if (!sh->first_error)
		sh->first_error = code;
	for (uint32_t i = 0; i < sh->errors_kinds; i++) {
		if (sh->errors_seen[i].code != code || sh->errors_seen[i].dir != (uint32_t)dir)
			continue;
		sh->errors_seen[i].count += count;
		return;
	}
	if (sh->errors_kinds == SHARED_ERRORS)
		return;
	sh->errors_seen[sh->errors_kinds++] = (struct shared_error){
		.code = code, .dir = (uint32_t)dir, .count = count};
}

void worker_count_wrong(struct worker *w, uint64_t count)
{
	worker_count_errors(w, EILSEQ, DIR_READ, count);
}

void worker_fail(struct worker *w, int code, const char *func, const char *text)
{
	if (w->sh->error)
		return;
	snprintf(w->sh->error_func, sizeof(w->sh->error_func), "%s", func);
	snprintf(w->sh->error_text, sizeof(w->sh->error_text), "%s", text);
	w->sh->error = code < 0 ? -code : code;
}

static const char *worker_io_name(const struct io *io)
{
	static const char *const names[] = {
		"read", "write", "trim", "fsync", "fdatasync", "sync_file_range"};
	return names[io->kind];
}

void worker_hear_failure(struct worker *w)
{
	if (unlikely(w->verify && w->verify->failed)) {
		worker_close(w, WHY_ERROR);
		return;
	}
	if (!w->word.fail_code)
		return;
	const struct source_word *word = &w->word;
	if (word->fail_text) {
		worker_close(w, WHY_ERROR);
		worker_fail(w, word->fail_code, word->fail_func, word->fail_text);
		return;
	}
	const struct io *io = &word->slow;
	char text[384];
	snprintf(text, sizeof(text),
		"latency of %llu nsec exceeds specified max (%llu nsec): %.120s %s %llu %u",
		(unsigned long long)word->slow_ns, (unsigned long long)word->limit_ns,
		io->target ? io->target->path : "?", worker_io_name(io),
		(unsigned long long)io->offset, io->bytes);
	worker_close(w, WHY_ERROR);
	worker_fail(w, word->fail_code, "max latency exceeded", text);
}

/* Into the ring, for the supervisor to say. */
static void worker_dump(struct worker *w, const struct io *io, int code)
{
	uint64_t n = w->sh->dumps_count;

	w->sh->dumps[n % SHARED_DUMPS] = (struct shared_dump){
		.offset = io->offset,
		.bytes = io->bytes,
		.target = io->target ? w->plan->files.targets[io->target->index] : UINT32_MAX,
		.code = code,
		.kind = io->kind,
	};
	__atomic_store_n(&w->sh->dumps_count, n + 1, __ATOMIC_RELEASE);
}

/* What may help against CODE; "": nothing known. */
static const char *worker_remedy(const struct worker *w, const struct io *io, int code)
{
	const bool whole = (io->offset | io->bytes) % 4096 == 0;

	/* xfs says EINVAL of an atomic write, as it does of odd direct ones. */
	if (w->plan->queue.atomic && (code == EOPNOTSUPP || (code == EINVAL && whole)))
		return "; this file system or device can't write that atomically: leave out "
		       "atomic";
	if (code == ESPIPE)
		return "; it has no offsets (a pipe, a terminal): use ioengine=sync with rw=read "
		       "or rw=write, once through it";
	if (code != EINVAL || !w->plan->queue.direct)
		return "";
	return w->plan->memory.align
		       ? "; the device may not take buffers at this iomem_align: leave it out, "
			 "or try 512"
		       : "; direct I/O wants multiples of the device's block: use bs=4k, or "
			 "direct=0";
}

bool worker_failed_io(struct worker *w, const struct io *io, uint64_t now_ns)
{
	int code = -io->res;
	enum dir d = io_dir((enum io_kind)io->kind);
	bool stopping = __atomic_load_n(&w->sh->stop, __ATOMIC_RELAXED) != 0;

	if (code == EINTR || (stopping && code == ECANCELED))
		return true; /* nothing was done: a signal woke us up */
	w->last_ns = now_ns;
	if (d != DIR_SYNC) {
		w->sh->count[d].errors++;
		w->sh->count[d].issued++;
	}
	if (w->plan->amount.fill_device && d == DIR_WRITE &&
		(code == ENOSPC || code == EDQUOT)) {
		worker_close(w, WHY_BUDGET);
		return true;
	}
	worker_count_errors(w, code, d, 1);
	if (d != DIR_SYNC && code < 64 * PLAN_ERRNO_WORDS &&
		w->plan->end.tolerate[d][code / 64] >> code % 64 & 1) {
		if (w->plan->end.dump)
			worker_dump(w, io, code);
		return true;
	}

	char text[384];
	snprintf(text, sizeof(text),
		"io_u error on file %.120s: %s: %s offset=%llu, buflen=%u%s",
		io->target ? io->target->path : "?", strerror(code), worker_io_name(io),
		(unsigned long long)io->offset, io->bytes, worker_remedy(w, io, code));
	worker_fail(w, code, "io_u error", text);
	return false;
}
