/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* trace: one line for each request that comes back, in one of two forms:
 *
 *	write 8192 4096 /path                                       (plain)
 *	io       PID  complete: io_u 0xADDR: off=0x2000,len=0x1000,ddir=1,file=/path
 *
 * The second is what `fio --debug=io` prints, so the two can be compared. */
#include "base/bits.h"
#include "engine/shim/shim.h"
#include "opt/opt.h"

#include <inttypes.h>
#include <unistd.h>

enum trace_form {
	TRACE_PLAIN,
	TRACE_FIO,
};

struct trace_opts {
	const char *file;
	int form;
};

struct trace_queue {
	struct shim_lines lines;
	int form;
	int pid;
	bool immediate; /* stderr: somebody may be watching */
};

static int trace_open(struct queue *q, struct err *e)
{
	const struct trace_opts *o = q->opts;
	struct trace_queue *tq = q->mine;

	tq->form = o->form;
	tq->pid = getpid();
	tq->immediate = !o->file;
	return shim_lines_open(&tq->lines, o->file, e);
}

static void trace_close(struct queue *q)
{
	struct trace_queue *tq = q->mine;

	shim_lines_close(&tq->lines);
}

static void trace_line(struct trace_queue *tq, const struct io *io)
{
	static const char *const kinds[] = {
		"read", "write", "trim", "fsync", "fdatasync", "sync_file_range"};
	const bool moves = io->kind < IO_FSYNC;

	if (tq->form == TRACE_FIO)
		shim_lines_add(&tq->lines,
			"io       %d complete: io_u %p: off=0x%" PRIx64
			",len=0x%x,ddir=%d,file=%s\n",
			tq->pid, (const void *)io, io->offset, moves ? io->bytes : 0, io->kind,
			io->target->path);
	else if (io->res < 0)
		shim_lines_add(&tq->lines, "%s %" PRIu64 " %u %s error %d\n", kinds[io->kind],
			io->offset, moves ? io->bytes : 0, io->target->path, -io->res);
	else
		shim_lines_add(&tq->lines, "%s %" PRIu64 " %u %s\n", kinds[io->kind],
			io->offset, moves ? (unsigned)io->res : 0, io->target->path);
}

static void trace_perform(struct queue *q, struct io *io)
{
	struct trace_queue *tq = q->mine;

	call_perform(q->inner, io);
	trace_line(tq, io);
	if (tq->immediate)
		shim_lines_flush(&tq->lines);
}

static unsigned trace_submit(struct queue *q, struct io **ios, unsigned n)
{
	return call_submit(q->inner, ios, n);
}

static unsigned trace_reap(struct queue *q, struct io **done, unsigned max, unsigned min,
	uint64_t until_ns)
{
	struct trace_queue *tq = q->mine;
	unsigned got = call_reap(q->inner, done, max, min, until_ns);

	for (unsigned i = 0; i < got; i++)
		trace_line(tq, done[i]);
	if (tq->immediate && got)
		shim_lines_flush(&tq->lines);
	return got;
}

static const struct opt_word trace_forms[] = {
	{"plain", TRACE_PLAIN, "direction, offset, bytes, file"},
	{"fio", TRACE_FIO, "the line of fio --debug=io"},
	{0},
};

static const struct opt trace_rows[] = {
	{.name = "trace_file",
		OPT_TEXT(struct trace_opts, file),
		.flags = OPT_NATIVE,
		.help = "Append the lines to this file; without it they go to stderr"},
	{.name = "trace_form",
		OPT_WORD(struct trace_opts, form),
		.words = trace_forms,
		.preset = "plain",
		.flags = OPT_NATIVE,
		.help = "How a line looks"},
};

const struct opt_group trace_group = {
	.name = "trace",
	.engine = "trace",
	.rows = trace_rows,
	.count = COUNT_OF(trace_rows),
	.size = sizeof(struct trace_opts),
};

const struct engine engine_trace = {
	.name = "trace",
	.help = "Shim: writes a line for each finished request",
	.flags = ENGINE_HIDDEN | ENGINE_TALKS,
	.shim = true,
	.opts = &trace_group,
	.queue_size = sizeof(struct trace_queue),
	.target = &target_shim,
	.queue_open = trace_open,
	.queue_close = trace_close,
	.perform = trace_perform,
	.submit = trace_submit,
	.reap = trace_reap,
};
