/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Replay: which trace, how fast, where; and what its parts of the plan are made of when
 * a trace says what is done. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"
#include "plan/draft.h"
#include "plan/replay_scan.h"
#include "trace/spool.h"

struct replay {
	struct opt_names traces;
	bool chunked;
	bool no_stall;
	uint32_t speed;
	const char *redirect;
	uint32_t align, scale;
	const char *skip;
	const char *merge;
	struct opt_floats merge_scales, merge_iters;
};

static const struct opt replay_rows[] = {
	{.name = "read_iolog",
		OPT_NAMES(struct replay, traces),
		.help = "Replay this trace (of fio or blktrace, also packed); of several (a:b) clones take turns"},
	{.name = "read_iolog_chunked",
		OPT_BOOL(struct replay, chunked),
		.preset = "0",
		.help = "Read the trace bit by bit",
		.harmless = {"0"},
		.no_effect = "weir always reads a trace bit by bit: this changes nothing"},
	{.name = "replay_no_stall",
		OPT_BOOL(struct replay, no_stall),
		.preset = "0",
		.help = "Ignore the times of the trace: as fast as it goes, in its order"},
	{.name = "replay_time_scale",
		OPT_U32(struct replay, speed),
		.min = 1,
		.max = 1000000,
		.preset = "100",
		.help = "Speed of the replay in percent: 50 takes twice as long"},
	{.name = "replay_redirect",
		OPT_TEXT(struct replay, redirect),
		.help = "Replay everything onto this target"},
	{.name = "replay_align",
		OPT_U32(struct replay, align),
		.max = 1u << 30,
		.preset = "0",
		.help = "Round offsets of the trace down to a multiple of this power of two"},
	{.name = "replay_scale",
		OPT_U32(struct replay, scale),
		.preset = "1",
		.help = "Divide offsets of the trace by this"},
	{.name = "replay_skip",
		OPT_TEXT(struct replay, skip),
		.help = "Leave these out, with commas: read, write, trim, sync"},
	{.name = "merge_blktrace_file",
		OPT_TEXT(struct replay, merge),
		.help = "Merge all traces of read_iolog into one replay, by their times"},
	{.name = "merge_blktrace_scalars",
		OPT_FLOATS(struct replay, merge_scales),
		.help = "Of each merged trace: its times in percent (a:b); 50 is twice as fast"},
	{.name = "merge_blktrace_iters",
		OPT_FLOATS(struct replay, merge_iters),
		.help = "How often each merged trace is played (a:b)"},
};

const struct opt_group replay_group = {
	.name = "replay",
	.rows = replay_rows,
	.count = COUNT_OF(replay_rows),
	.size = sizeof(struct replay),
};

/* ---- rules ---- */

/* The trace says what is done, where, how large and when. */
static const char *const replay_no_effect[] = {"rw", "bs", "bsrange", "bssplit", "ba", "size",
	"filesize", "io_size", "offset", "offset_increment", "number_ios", "nrfiles",
	"filename", "opendir", "rate", "rate_iops", "rate_min", "rate_iops_min", "thinktime",
	"fsync", "fdatasync", "sync_file_range", "rwmixread", "rwmixwrite", "zonemode",
	"random_distribution", "percentage_random", "unlink_each_loop", "fill_device",
	"file_append"};

static bool replay_ignores(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct replay *r = block;
	bool any = false;

	(void)d;
	for (size_t i = 0; i < COUNT_OF(replay_no_effect) && r->traces.count; i++) {
		if (!job_gave(w->job, replay_no_effect[i]))
			continue;
		str_addf(why, "%s%s", any ? ", " : "the trace says what is done, and when: ",
			replay_no_effect[i]);
		any = true;
	}
	if (any)
		str_add(why, " have no effect");
	return any;
}

static bool replay_alone(const struct draft *d, const struct plan_worker *w, const void *block,
	struct str *why)
{
	static const char *const options[] = {"replay_no_stall", "replay_time_scale",
		"replay_redirect", "replay_align", "replay_scale", "replay_skip",
		"merge_blktrace_file", "merge_blktrace_scalars", "merge_blktrace_iters"};
	const struct replay *r = block;

	(void)d;
	for (size_t i = 0; i < COUNT_OF(options) && !r->traces.count; i++) {
		if (!job_gave(w->job, options[i]))
			continue;
		str_addf(why, "without read_iolog= there is no trace, and %s changes nothing",
			options[i]);
		return true;
	}
	return false;
}

static bool replay_align_odd(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct replay *r = block;

	(void)d;
	(void)w;
	if (!r->align || bits_is_power_of_2(r->align))
		return false;
	str_addf(why, "%u is no power of two; take %u, say", r->align,
		1u << bits_top(r->align));
	return true;
}

static bool replay_overlap(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct replay *r = block;

	(void)d;
	if (!r->traces.count || !job_gave(w->job, "serialize_overlap"))
		return false;
	str_add(why,
		"a replay issues what the trace says when it says so, and holds nothing back; "
		"leave serialize_overlap out");
	return true;
}

static bool replay_merge_lists(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct replay *r = block;
	uint32_t most = MAX_OF(r->merge_scales.count, r->merge_iters.count);

	(void)d;
	(void)w;
	if (!most)
		return false;
	if (!r->merge)
		str_add(why, "is for merged traces: give merge_blktrace_file=NAME, too");
	else if (r->traces.count > LIMIT_PERCENTILES)
		str_addf(why, "at most %d traces can have values of their own",
			LIMIT_PERCENTILES);
	else if ((r->merge_scales.count && r->merge_scales.count != r->traces.count) ||
		 (r->merge_iters.count && r->merge_iters.count != r->traces.count))
		str_addf(why, "has %u values for %zu traces; give one for each, with colons",
			most, r->traces.count);
	else
		return false;
	return true;
}

static bool replay_merge_values(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct replay *r = block;

	(void)d;
	(void)w;
	for (uint32_t i = 0; i < r->merge_scales.count; i++)
		if (r->merge_scales.v[i] <= 0 || r->merge_scales.v[i] > 1e9)
			str_addf(why, "a scale of %g %% is none", r->merge_scales.v[i]);
	for (uint32_t i = 0; i < r->merge_iters.count; i++)
		if (r->merge_iters.v[i] < 1 || r->merge_iters.v[i] > 1e9)
			str_addf(why, "a trace can't be played %g times", r->merge_iters.v[i]);
	return why->len > 0;
}

static const struct rule replay_rules[] = {
	{"read_iolog", RULE_NOTE, replay_ignores},
	{"read_iolog", RULE_NOTE, replay_alone},
	{"replay_align", RULE_ERROR, replay_align_odd},
	{"serialize_overlap", RULE_ERROR, replay_overlap},
	{"merge_blktrace_scalars", RULE_ERROR, replay_merge_lists},
	{"merge_blktrace_scalars", RULE_ERROR, replay_merge_values},
};

/* ---- which trace ---- */

static int replay_path(struct draft *d, const struct plan_worker *w, const char *path,
	const char **ret, struct err *reterr)
{
	char spooled[64];
	struct err e;

	*ret = path;
	if (strcmp(path, "-") != 0)
		return 0;
	if (!d->stdin_trace) {
		int rc = trace_spool(spooled, sizeof(spooled), &e);
		if (rc < 0)
			return job_fail(w->job, "read_iolog", reterr, rc, "%s", e.text);
		d->stdin_trace = arena_text(&d->plan->arena, spooled);
	}
	*ret = d->stdin_trace;
	return *ret ? 0 : err_set(reterr, -ENOMEM, "out of memory for the trace");
}

static int replay_inputs(struct draft *d, struct plan_worker *w, const struct replay *r,
	struct err *reterr)
{
	uint32_t count = r->merge ? (uint32_t)r->traces.count : 1;
	uint32_t first = r->merge ? 0 : w->clone % (uint32_t)r->traces.count;
	struct trace_input *inputs = draft_alloc(d, count, sizeof(*inputs), reterr);
	int rc = inputs ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < count && rc == 0; i++) {
		rc = replay_path(d, w, r->traces.v[first + i], &inputs[i].path, reterr);
		if (i < r->merge_scales.count)
			inputs[i].scale_percent = r->merge_scales.v[i];
		if (i < r->merge_iters.count)
			inputs[i].iters = (uint32_t)r->merge_iters.v[i];
	}
	w->replay.inputs = inputs;
	w->replay.inputs_count = count;
	return rc;
}

static int replay_skips(const struct plan_worker *w, const struct replay *r,
	struct trace_map *map, struct err *reterr)
{
	static const char *const words[] = {"read", "write", "trim", "sync"};

	for (const char *p = r->skip; p && *p;) {
		size_t len = strcspn(p, ",");
		bool known = false;
		for (size_t i = 0; i < COUNT_OF(words); i++) {
			if (strlen(words[i]) != len || strncmp(words[i], p, len) != 0)
				continue;
			map->skip[i] = known = true;
		}
		if (!known)
			return job_fail(w->job, "replay_skip", reterr, -EINVAL,
				"\"%.*s\" is none of read, write, trim, sync; write several with "
				"commas between",
				(int)len, p);
		p += len + (p[len] == ',');
	}
	map->skip[TRACE_DATASYNC] = map->skip[TRACE_SYNC];
	return 0;
}

/* A clone that has the same trace as one before it: nothing is to be read again. */
static const struct plan_worker *replay_known(const struct draft *d,
	const struct plan_worker *w)
{
	for (const struct plan_worker *o = draft_first(d, w); o < w; o++)
		if (o->replay.inputs_count == w->replay.inputs_count &&
			strcmp(o->replay.inputs[0].path, w->replay.inputs[0].path) == 0)
			return o;
	return NULL;
}

static int replay_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct replay *r = block;

	if (!r->traces.count || !d->facts->traces)
		return 0;
	int rc = replay_inputs(d, w, r, reterr);
	if (rc < 0)
		return rc;
	const struct plan_worker *known = replay_known(d, w);
	if (known) {
		uint64_t seed = w->pattern.seed;
		w->replay = known->replay;
		w->pattern = known->pattern;
		w->pattern.seed = seed;
		w->rw = known->rw;
		return 0;
	}
	w->replay.speed_percent = r->speed;
	w->replay.timed = !r->no_stall;
	w->replay.map = (struct trace_map){
		.redirect = r->redirect != NULL,
		.scale = r->scale,
		.align = r->align,
	};
	rc = replay_skips(w, r, &w->replay.map, reterr);
	return rc < 0 ? rc : replay_scan(d, w, r->redirect, reterr);
}

const struct part replay_part = {
	.group = &replay_group,
	.rules = replay_rules,
	.rules_count = COUNT_OF(replay_rules),
	.derive = replay_derive,
};

/* ---- for the parts after it ---- */

static int replay_usable(const struct plan_worker *w, const struct plan_target *t,
	struct err *reterr)
{
	if (t->found.error)
		return job_fail(w->job, "read_iolog", reterr, t->found.error,
			"can't look at \"%s\", which the trace uses: %s", t->path,
			strerror(-t->found.error));
	if (t->found.kind == LOOK_DIRECTORY)
		return job_fail(w->job, "read_iolog", reterr, -EISDIR,
			"\"%s\", which the trace uses, is a directory here; replay_redirect=TARGET "
			"names another place",
			t->path);
	return 0;
}

int replay_files(struct draft *d, struct plan_worker *w, struct err *reterr)
{
	const struct plan_replay *p = &w->replay;
	bool look = !(queue_flags(w) & ENGINE_NO_FILES);
	uint32_t *list = draft_alloc(d, p->paths_count, sizeof(*list), reterr);

	if (!list)
		return -ENOMEM;
	for (uint32_t i = 0; i < p->paths_count; i++) {
		int64_t index = targets_add(d->targets, p->paths[i], look, d->facts);
		if (index < 0)
			return err_set(reterr, (int)index, "out of memory for %u files",
				p->paths_count);
		list[i] = (uint32_t)index;
		int rc = look ? replay_usable(w, targets_at(d->targets, list[i]), reterr) : 0;
		if (rc < 0)
			return rc;
	}
	w->files.targets = list;
	w->files.count = p->paths_count;
	w->pattern.files_every = 1;
	return 0;
}

/* Where the record is that goes farthest in file K. */
static int replay_beyond(const struct plan_worker *w, uint32_t k, const struct plan_target *t,
	struct err *reterr)
{
	const struct plan_replay *p = &w->replay;
	const char *unit = t->found.kind == LOOK_BLOCK ? "device" : "file";

	return job_fail(w->job, "read_iolog", reterr, -EFBIG,
		"line or record %" PRIu64 " of %s goes to byte %" PRIu64
		" of \"%s\", a %s of %" PRIu64 " bytes; replay_scale=%" PRIu64
		" makes it fit, replay_redirect=TARGET names a "
		"larger one",
		p->ends_at[k], p->inputs_count > 1 ? "a trace" : p->inputs[0].path,
		p->regions[k].bytes, t->path, unit, t->found.bytes,
		mul_div(div_up(p->regions[k].bytes, MAX_OF(t->found.bytes, UINT64_C(1))),
			MAX_OF(p->map.scale, 1u), 1));
}

int replay_sizes(struct draft *d, struct plan_worker *w, uint32_t loops, struct err *reterr)
{
	struct plan_replay *p = &w->replay;

	for (uint32_t k = 0; k < p->paths_count; k++) {
		struct plan_target *t = targets_at(d->targets, w->files.targets[k]);
		bool fixed = t->found.kind == LOOK_BLOCK ||
			     (t->found.kind == LOOK_CHAR && t->found.bytes);
		if (!(queue_flags(w) & ENGINE_NO_FILES) && fixed &&
			p->regions[k].bytes > t->found.bytes)
			return replay_beyond(w, k, t, reterr);
		t->bytes_wanted = MAX_OF(t->bytes_wanted, p->regions[k].bytes);
	}
	w->pattern.regions = p->regions;
	w->pattern.regions_count = p->paths_count;
	p->loops = w->amount.time_based ? 0 : MAX_OF(loops, 1u);
	w->amount.bytes = w->amount.ios = UINT64_MAX;
	w->amount.loops = 1;
	return 0;
}

int replay_check_direct(const struct plan_worker *w, const struct plan_target *t,
	uint32_t granule, struct err *reterr)
{
	if (!w->replay.data_max || w->replay.unit % granule == 0)
		return 0;
	return job_fail(w->job, "read_iolog", reterr, -EINVAL,
		"the trace has offsets or sizes that are multiples of %u only, and the block of "
		"\"%s\" has %u bytes; replay_align=%u rounds offsets, direct=0 takes any",
		w->replay.unit, t->path, granule, granule);
}
