/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* io_uring: its options.  What of them can be done io_uring_setup.c finds out. */
#include "base/bits.h"
#include "base/str.h"
#include "engine/io_uring.h"
#include "opt/opt.h"

#include <string.h>

/* A flag with a third state, which is not to have been said. */
static int uring_choice_parse(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	uint64_t value = 1;

	(void)o;
	(void)ctx;
	if (text && !strcmp(text, "auto")) {
		*(int *)dst = URING_AUTO;
		return 0;
	}
	int rc = text ? opt_read_u64(text, &value, reterr) : 0;
	if (rc < 0)
		return rc;
	*(int *)dst = value ? URING_YES : URING_NO;
	return 0;
}

static void uring_choice_print(const struct opt *o, const void *src, struct str *out)
{
	static const char *const words[] = {"auto", "0", "1"};

	(void)o;
	str_add(out, words[*(const int *)src]);
}

static const struct opt_type uring_choice_type = {
	.name = "0, 1 or auto",
	.size = sizeof(int),
	.bare = true,
	.parse = uring_choice_parse,
	.print = uring_choice_print,
};

#define URING_NO_METADATA                                                                      \
	"weir's io_uring sends no metadata, so there is no protection information to check"

static const struct opt uring_rows[] = {
	{.name = "hipri",
		OPT_FLAG(struct uring_opts, hipri),
		.help = "Poll the device for completions (IOPOLL); needs direct=1"},
	{.name = "fixedbufs",
		OPT_AS(struct uring_opts, fixedbufs, int, uring_choice_type),
		.preset = "auto",
		.help = "Register the I/O buffers; auto: where it can be done"},
	{.name = "registerfiles",
		OPT_AS(struct uring_opts, registerfiles, int, uring_choice_type),
		.preset = "auto",
		.help = "Register the files; auto: where it can be done"},
	{.name = "sqthread_poll",
		OPT_FLAG(struct uring_opts, sqthread_poll),
		.help = "Let a kernel thread submit (SQPOLL)"},
	{.name = "sqthread_poll_cpu",
		OPT_I32(struct uring_opts, sqthread_poll_cpu),
		.preset = "-1",
		.help = "CPU of that thread; -1: any"},
	{.name = "nonvectored",
		OPT_I32(struct uring_opts, nonvectored),
		.preset = "-1",
		.help = "1: plain read and write commands, 0: vectored ones, -1: what is best"},
	{.name = "force_async",
		OPT_U32(struct uring_opts, force_async),
		.preset = "0",
		.help = "Let a kernel worker do every N-th request (IOSQE_ASYNC); 0: where the "
			"target can't be tried without waiting"},
	{.name = "uncached",
		OPT_U32(struct uring_opts, uncached),
		.max = 1,
		.preset = "0",
		.help = "Don't leave buffered data in the page cache (RWF_DONTCACHE)"},
	{.name = "nowait",
		OPT_BOOL(struct uring_opts, nowait),
		.preset = "0",
		.help = "Fail with EAGAIN rather than wait (RWF_NOWAIT)"},
	CMDPRIO_ROWS(struct uring_opts, prio),
	{.name = "md_per_io_size", OPT_REFUSED(URING_NO_METADATA), .harmless = {"0"}},
	{.name = "pi_act", OPT_REFUSED(URING_NO_METADATA), .harmless = {"1"}},
	{.name = "pi_chk", OPT_REFUSED(URING_NO_METADATA)},
	{.name = "apptag", OPT_REFUSED(URING_NO_METADATA), .harmless = {"0x1234"}},
	{.name = "apptag_mask", OPT_REFUSED(URING_NO_METADATA), .harmless = {"0xffff"}},
};

const struct opt_group io_uring_group = {
	.name = "io_uring",
	.engine = "io_uring",
	.rows = uring_rows,
	.count = COUNT_OF(uring_rows),
	.size = sizeof(struct uring_opts),
};
