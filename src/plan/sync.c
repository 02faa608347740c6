/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* When written data is made durable. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "plan/draft.h"

struct sync {
	uint32_t fsync;
	uint32_t fdatasync;
	bool end_fsync;
	bool on_close;
	bool end_syncfs;
	struct sync_ranges {
		uint32_t flags; /* SYNC_FILE_RANGE_*; 0: not given */
		uint32_t every;
	} ranges;
	uint32_t barrier;
};

/* sync_file_range=write:8, or several of the words: wait_before,write:8 */
static const struct {
	const char *word;
	uint32_t flag;
} sync_words[] = {
	{"wait_before", SYNC_FILE_RANGE_WAIT_BEFORE},
	{"write", SYNC_FILE_RANGE_WRITE},
	{"wait_after", SYNC_FILE_RANGE_WAIT_AFTER},
};

static uint32_t sync_word_flag(const char *text, size_t len)
{
	for (size_t i = 0; i < COUNT_OF(sync_words); i++)
		if (strlen(sync_words[i].word) == len && !memcmp(sync_words[i].word, text, len))
			return sync_words[i].flag;
	return 0;
}

static int ranges_parse(const struct opt *o, const char *text, void *dst,
	const struct opt_ctx *ctx, struct err *reterr)
{
	const char *colon = strchr(text, ':');
	const char *end = colon ? colon : text + strlen(text);
	uint64_t every = 1;
	uint32_t flags = 0;
	struct err e;

	(void)o;
	(void)ctx;
	for (const char *p = text; p <= end;) {
		size_t len = strcspn(p, ",:");
		uint32_t flag = sync_word_flag(p, len);
		if (!flag)
			return err_set(reterr, -EINVAL,
				"'%.*s' is none of wait_before, write, wait_after; write them with "
				"commas between, and :N for after every N writes: wait_before,write:8",
				(int)len, p);
		flags |= flag;
		p += len + 1;
	}
	if (colon && (opt_read_u64(colon + 1, &every, &e) < 0 || every > INT32_MAX))
		return err_set(reterr, -EINVAL,
			"'%s' is no number of writes; write sync_file_range=write:8, say",
			colon + 1);
	*(struct sync_ranges *)dst = (struct sync_ranges){flags, (uint32_t)every};
	return 0;
}

static void ranges_print(const struct opt *o, const void *src, struct str *out)
{
	const struct sync_ranges *r = src;
	const char *comma = "";

	(void)o;
	for (size_t i = 0; i < COUNT_OF(sync_words); i++) {
		if (!(r->flags & sync_words[i].flag))
			continue;
		str_addf(out, "%s%s", comma, sync_words[i].word);
		comma = ",";
	}
	if (r->flags)
		str_addf(out, ":%u", r->every);
}

static const struct opt_type sync_ranges_type = {
	.name = "wait_before,write,wait_after[:N]",
	.size = sizeof(struct sync_ranges),
	.parse = ranges_parse,
	.print = ranges_print,
};

#define SYNC_RANGES(s, f) OPT_AS(s, f, struct sync_ranges, sync_ranges_type)

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
	{.name = "end_syncfs",
		OPT_BOOL(struct sync, end_syncfs),
		.preset = "0",
		.help = "syncfs() every file system of the files at the end of each pass that wrote"},
	{.name = "sync_file_range",
		SYNC_RANGES(struct sync, ranges),
		.help = "sync_file_range() of what was written since the last one, after every N "
			"writes: write:8"},
	{.name = "write_barrier",
		OPT_U32(struct sync, barrier),
		.preset = "0",
		.help = "Make every Nth write a barrier",
		.harmless = {"0"},
		.no_effect = "no engine here has barriers: this changes nothing"},
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
	if (replay_on(w) && (w->replay.ios[TRACE_SYNC] || w->replay.ios[TRACE_DATASYNC]))
		w->sync.any_periodic = true; /* those of the trace */
	if (!w->pattern.use[DIR_WRITE] || !w->amount.bytes)
		return 0;
	w->sync = (struct plan_sync){
		.fsync_every = s->fsync,
		.fdatasync_every = s->fdatasync,
		.end_fsync = s->end_fsync,
		.fsync_on_close = s->on_close,
		.end_syncfs = s->end_syncfs && !(queue_flags(w) & ENGINE_NO_FILES),
		.range_every = s->ranges.flags ? s->ranges.every : 0,
		.range_flags = (uint8_t)s->ranges.flags,
		.any_periodic = w->sync.any_periodic,
	};
	if (replay_on(w)) {
		w->sync.fsync_every = w->sync.fdatasync_every = w->sync.range_every = 0;
		return 0;
	}
	w->sync.any_periodic = s->fsync || s->fdatasync || w->sync.range_every;
	return 0;
}

const struct part sync_part = {.group = &sync_group, .derive = sync_derive};
