/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "plan/replay_scan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/scope.h"
#include "base/str.h"
#include "plan/draft.h"
#include "sys/device.h"
#include "sys/sysroot.h"
#include "trace/summary.h"

struct scan {
	struct draft *d;
	struct plan_worker *w;
	struct trace *trace;
	struct trace_summary *sum;
};

static int scan_fail(const struct scan *s, int code, const char *text, struct err *reterr)
{
	return job_fail(s->w->job, "read_iolog", reterr, code, "%s", text);
}

/* ---- through the trace ---- */

static int scan_too_large(const struct scan *s, const struct trace_record *r,
	struct err *reterr)
{
	char where[512];

	return job_fail(s->w->job, "read_iolog", reterr, -EFBIG,
		"%s: a %s of %" PRIu64 " bytes; weir moves at most %u in one request",
		trace_where(s->trace, where, sizeof(where)), trace_action_name(r->action),
		r->bytes, LIMIT_BLOCK);
}

static int scan_all(struct scan *s, struct err *reterr)
{
	struct plan_replay *p = &s->w->replay;
	struct trace_record r;
	struct err e;
	int rc;

	while ((rc = trace_next(s->trace, &r, &e)) == 1) {
		p->span_ns = r.time_ns;
		if (!trace_map_apply(&p->map, &r)) {
			p->left_out++;
			continue;
		}
		if (r.action <= TRACE_WRITE && r.bytes > LIMIT_BLOCK)
			return scan_too_large(s, &r, reterr);
		if (trace_summary_add(s->sum, &r) < 0)
			return err_set(reterr, -ENOMEM, "out of memory for the trace");
	}
	return rc < 0 ? scan_fail(s, rc, e.text, reterr) : 0;
}

/* ---- files ---- */

static bool place_used(const struct trace_place *p)
{
	for (int a = 0; a < TRACE_IO_ACTIONS; a++)
		if (p->ios[a])
			return true;
	return false;
}

/* The device that "8:1" of a blktrace is here. */
static const char *scan_device(const struct scan *s, const char *name, struct err *reterr)
{
	unsigned major, minor;
	struct device device;

	int len = 0;
	if (!trace_has_devices(s->trace) ||
		sscanf(name, "%u:%u%n", &major, &minor, &len) != 2 || name[len])
		return name;
	if (device_find(&sysroot_real, makedev(major, minor), &device) < 0) {
		job_fail(s->w->job, "read_iolog", reterr, -ENODEV,
			"the trace is of device %s, and there is none of this number here; say where "
			"to replay it: replay_redirect=TARGET",
			name);
		return NULL;
	}
	const char *path = arena_printf(&s->d->plan->arena, "/dev/%s", device.name);
	for (char *c = (char *)(uintptr_t)path; c && *c; c++)
		if (*c == '!')
			*c = '/';
	if (!path)
		err_set(reterr, -ENOMEM, "out of memory for the trace");
	return path;
}

static const char *scan_path(const struct scan *s, uint32_t name, const char *redirect,
	struct err *reterr)
{
	const struct trace_names *names = trace_names(s->trace);

	if (redirect)
		return redirect;
	const char *device = scan_device(s, names->v[name], reterr);
	if (!device || device != names->v[name])
		return device;
	const char *copy = arena_text(&s->d->plan->arena, names->v[name]);
	if (!copy)
		err_set(reterr, -ENOMEM, "out of memory for the trace");
	return copy;
}

static int scan_files(struct scan *s, const char *redirect, struct err *reterr)
{
	struct plan_replay *p = &s->w->replay;
	uint32_t names = MAX_OF(trace_names(s->trace)->count, 1u);
	uint32_t *files = draft_alloc(s->d, names, sizeof(*files), reterr);
	const char **paths = draft_alloc(s->d, names, sizeof(*paths), reterr);
	struct pattern_region *regions = draft_alloc(s->d, names, sizeof(*regions), reterr);
	uint64_t *ends_at = draft_alloc(s->d, names, sizeof(*ends_at), reterr);

	if (!files || !paths || !regions || !ends_at)
		return -ENOMEM;
	for (uint32_t i = 0; i < names; i++) {
		const struct trace_place *place = &s->sum->places[i];
		files[i] = UINT32_MAX;
		if (i >= s->sum->places_count || !place_used(place))
			continue;
		paths[p->paths_count] = scan_path(s, i, redirect, reterr);
		if (!paths[p->paths_count])
			return reterr->code;
		regions[p->paths_count].bytes = place->end;
		ends_at[p->paths_count] = place->end_number;
		files[i] = p->paths_count++;
	}
	p->files = files;
	p->names = names;
	p->paths = paths;
	p->regions = regions;
	p->ends_at = ends_at;
	return 0;
}

/* ---- what it does, as a pattern ---- */

static const char *scan_word(const struct pattern_spec *p)
{
	if (p->use[DIR_READ])
		return p->use[DIR_WRITE] ? "rw" : "read";
	return p->use[DIR_WRITE]  ? p->use[DIR_TRIM] ? "trimwrite" : "write"
	       : p->use[DIR_TRIM] ? "trim"
				  : "read";
}

/* Offsets of most reads and writes follow no other. */
static bool scan_is_random(const struct trace_summary *sum)
{
	uint64_t all = 0, sequential = 0;

	for (int i = 0; i <= TRACE_TRIM; i++) {
		all += sum->ios[i];
		sequential += sum->sequential[i];
	}
	return sequential * 2 < all;
}

static void scan_pattern(struct scan *s)
{
	const struct trace_summary *sum = s->sum;
	struct pattern_spec *p = &s->w->pattern;
	uint64_t reads = sum->ios[TRACE_READ], writes = sum->ios[TRACE_WRITE];
	uint32_t unit = sum->all_bits ? 1u << MIN_OF(__builtin_ctzll(sum->all_bits), 20) : 1u;

	s->w->replay.said_rw = s->w->rw;
	memcpy(s->w->replay.said_sizes, p->size, sizeof(p->size));
	*p = (struct pattern_spec){.seed = p->seed, .random = scan_is_random(sum)};
	s->w->replay.unit = unit;
	for (int i = 0; i <= TRACE_TRIM; i++) {
		p->use[i] = sum->ios[i] > 0;
		if (!p->use[i])
			continue;
		p->align[i] = unit;
		p->size[i] = (struct size_spec){
			.min = (uint32_t)MIN_OF(sum->bytes_min[i], (uint64_t)LIMIT_BLOCK),
			.max = (uint32_t)MIN_OF(sum->bytes_max[i], (uint64_t)LIMIT_BLOCK),
		};
		if (i <= TRACE_WRITE)
			s->w->replay.data_max = MAX_OF(s->w->replay.data_max, p->size[i].max);
	}
	p->read_percent = reads + writes ? (uint32_t)(reads * 100 / (reads + writes)) : 0;
	if (reads && !p->read_percent)
		p->read_percent = 1;
	s->w->rw = scan_word(p);
}

#define SCAN_RING     (64u << 10) /* records: 1.5 MiB */
#define SCAN_RING_MIN 1024u
#define SCAN_RINGS    (256ull << 20) /* bytes of all workers together, if they are many */

static uint32_t scan_ring(const struct scan *s)
{
	uint64_t share = SCAN_RINGS / REPLAY_ENTRY_BYTES / s->d->plan->workers_count;
	uint32_t ring = SCAN_RING;

	while (ring > SCAN_RING_MIN && (ring > share || ring / 2 > s->sum->records))
		ring /= 2;
	return ring;
}

static void scan_figures(struct scan *s)
{
	struct plan_replay *p = &s->w->replay;
	const struct trace_summary *sum = s->sum;

	p->records = sum->records;
	p->bytes = sum->bytes[TRACE_READ] + sum->bytes[TRACE_WRITE];
	memcpy(p->ios, sum->ios, sizeof(p->ios));
	/* The gap between two passes is the trace's mean. */
	p->period_ns = p->span_ns +
		       MAX_OF(p->span_ns / MAX_OF(p->records, UINT64_C(1)), UINT64_C(1));
	p->ring = scan_ring(s);
	double seconds = (double)p->period_ns / 1e9 * 100 / p->speed_percent;
	for (int i = 0; i < DIRS && p->timed; i++)
		p->per_second[i] = (double)sum->ios[i] / seconds;
}

/* ---- what to say ---- */

static int scan_say_backwards(const struct scan *s, const struct trace_odd *odd,
	struct err *reterr)
{
	char text[256];

	if (!odd->backwards || !s->w->replay.timed)
		return 0;
	snprintf(text, sizeof(text),
		"%" PRIu64
		" records are earlier than the one before, by up to %.6f s (the first is "
		"number %" PRIu64 "): they are due together with it",
		odd->backwards, (double)odd->back_most_ns / 1e9, odd->back_first);
	return draft_remark(s->d, s->w, "read_iolog", true, text, reterr);
}

static int scan_say(const struct scan *s, struct err *reterr)
{
	const struct plan_replay *p = &s->w->replay;
	char text[512], format[96];
	struct trace_odd odd;

	trace_oddities(s->trace, &odd);
	int rc = scan_say_backwards(s, &odd, reterr);
	if (rc == 0 && p->timed && trace_summary_doubt(s->sum, text, sizeof(text)))
		rc = draft_remark(s->d, s->w, "read_iolog", true, text, reterr);
	if (rc < 0 || !s->d->facts->native)
		return rc;
	snprintf(text, sizeof(text),
		"%s: %" PRIu64 " requests in %.3f s%s (%" PRIu64 " reads, %" PRIu64
		" writes, %" PRIu64 " trims, %" PRIu64 " syncs), %.1f MiB, %u target%s",
		trace_format(s->trace, format, sizeof(format)), p->records,
		(double)p->span_ns * 100 / p->speed_percent / 1e9,
		p->timed ? "" : " as recorded, now as fast as they can", p->ios[TRACE_READ],
		p->ios[TRACE_WRITE], p->ios[TRACE_TRIM],
		p->ios[TRACE_SYNC] + p->ios[TRACE_DATASYNC], (double)p->bytes / (1 << 20),
		p->paths_count, p->paths_count == 1 ? "" : "s");
	return draft_remark(s->d, s->w, "read_iolog", false, text, reterr);
}

static int scan_read_only(const struct scan *s, struct err *reterr)
{
	if (!s->d->facts->read_only || !pattern_writes(&s->w->pattern))
		return 0;
	return scan_fail(s, -EPERM,
		"the trace changes data, and --readonly forbids that; leave --readonly out, or the "
		"writes: replay_skip=write,trim",
		reterr);
}

static int scan_make(struct scan *s, const char *redirect, struct err *reterr)
{
	int rc = scan_all(s, reterr);
	if (rc < 0)
		return rc;
	if (!s->sum->records)
		return scan_fail(s, -EINVAL,
			s->w->replay.left_out ? "replay_skip leaves nothing of the trace"
					      : "there is no I/O in the trace",
			reterr);
	rc = scan_files(s, redirect, reterr);
	if (rc < 0)
		return rc;
	scan_pattern(s);
	scan_figures(s);
	rc = scan_read_only(s, reterr);
	return rc < 0 ? rc : scan_say(s, reterr);
}

int replay_scan(struct draft *d, struct plan_worker *w, const char *redirect,
	struct err *reterr)
{
	struct scan s = {.d = d, .w = w, .sum = calloc(1, sizeof(*s.sum))};
	struct err e;

	if (!s.sum)
		return err_set(reterr, -ENOMEM, "out of memory for the trace");
	int rc = trace_open(w->replay.inputs, w->replay.inputs_count, &s.trace, &e);
	rc = rc < 0 ? scan_fail(&s, rc, e.text, reterr) : scan_make(&s, redirect, reterr);
	trace_free(s.trace);
	trace_summary_done(s.sum);
	free(s.sum);
	return rc;
}
