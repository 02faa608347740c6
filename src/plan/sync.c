/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* When written data is made durable. */
#include "base/bits.h"
#include "plan/draft.h"

struct sync {
	uint32_t fsync;
	uint32_t fdatasync;
	bool end_fsync;
	bool on_close;
};

static const struct opt sync_rows[] = {
	{.name = "fsync",
		OPT_U32(struct sync, fsync),
		.preset = "0",
		.help = "fsync() after every N writes, before the next request; 0: never"},
	{.name = "fdatasync",
		OPT_U32(struct sync, fdatasync),
		.preset = "0",
		.help = "fdatasync() after every N writes; where both are due there is one fsync()"},
	{.name = "end_fsync",
		OPT_BOOL(struct sync, end_fsync),
		.preset = "0",
		.help = "fsync() every file at the end of each pass that wrote"},
	{.name = "fsync_on_close",
		OPT_BOOL(struct sync, on_close),
		.preset = "0",
		.help = "fsync() a file each time before it is closed"},
};

const struct opt_group sync_group = {
	.name = "sync",
	.rows = sync_rows,
	.count = COUNT_OF(sync_rows),
	.size = sizeof(struct sync),
};

/* Who writes nothing has nothing to sync. */
static int sync_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct sync *s = block;

	(void)d;
	(void)reterr;
	if (!w->pattern.use[DIR_WRITE] || !w->amount.bytes)
		return 0;
	w->sync = (struct plan_sync){
		.fsync_every = s->fsync,
		.fdatasync_every = s->fdatasync,
		.end_fsync = s->end_fsync,
		.fsync_on_close = s->on_close,
	};
	return 0;
}

const struct part sync_part = {.group = &sync_group, .derive = sync_derive};
