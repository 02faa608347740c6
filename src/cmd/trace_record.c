/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Targets lead to devices (environment.h), the kernel tells what is asked of them
 * (blockwatch.h), and that becomes a binary block trace (blkwrite.h).
 *
 * A partition is recorded as what it is: its own number, offsets from its beginning, and none
 * of its neighbours' requests.  What this process writes itself is left out, by its pid. */
#include "cmd/trace_record.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/log.h"
#include "base/plain.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "opt/opt.h"
#include "result/environment.h"
#include "run/prepare/environment.h"
#include "run/run.h"
#include "sys/blockwatch.h"
#include "sys/clock.h"
#include "sys/sysroot.h"
#include "trace/blkwrite.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define RECORD_TIME_NS   (60 * NS_PER_S)
#define RECORD_TIME_MOST (7 * 86400 * NS_PER_S)
#define RECORD_TURN_NS   (100 * NS_PER_MS)
#define RECORD_FLUSH_NS  NS_PER_S /* a kill loses no more */
#define RECORD_DEVICES   64
#define RECORD_OWN       256 /* own requests in flight */
#define RECORD_PROGRAMS  256 /* whose names were written last */
#define PATIENCE_NS      (10 * NS_PER_S)
#define SECTOR           512

/* A device that is recorded, and where it lies on its disk. */
struct record_device {
	uint32_t disk, number;
	uint64_t from, sectors;
	const char *name;
	uint64_t queued;
};

struct record_own {
	uint32_t device;
	uint64_t from, end;
};

struct record_program {
	uint32_t pid;
	char name[16];
};

struct recording {
	uint64_t time_ns;
	const char *output;
	char name[256]; /* of the output, where none was said */
	const char *targets[ENVIRONMENT_TARGETS];
	uint32_t targets_count;
	struct record_device devices[RECORD_DEVICES];
	uint32_t count;
	struct record_own own[RECORD_OWN];
	uint32_t own_count;
	struct record_program programs[RECORD_PROGRAMS]; /* by pid; one takes another's place */
	uint64_t own_left_out, other, lost, began_ns, ended_ns;
	struct block_watch_late late; /* CPUs */
	uint32_t pid;
	struct blkwrite *out;
	struct environment *environment;
};

static void tell(int fd, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void tell(int fd, const char *fmt, ...)
{
	scope_with(str_done) struct str line = {0};
	va_list ap;

	va_start(ap, fmt);
	str_addv(&line, fmt, ap);
	va_end(ap);
	(void)output_write(fd, str_text(&line), line.len);
}

/* ---- words ---- */

static int record_flag(struct recording *r, const char *word, struct err *reterr)
{
	if (str_starts(word, "--output=") && word[strlen("--output=")]) {
		r->output = word + strlen("--output=");
		return 0;
	}
	if (!str_starts(word, "--time="))
		return err_set(reterr, -EINVAL,
			"unknown flag '%s'; it has --time=TIME and --output=FILE", word);
	if (opt_read_time(word + strlen("--time="), NS_PER_S, &r->time_ns, reterr) < 0)
		return err_within(reterr, "--time");
	if (!r->time_ns || r->time_ns > RECORD_TIME_MOST)
		return err_set(reterr, -ERANGE, "--time: up to 7d, and not 0");
	return 0;
}

static int record_words(struct recording *r, const struct cmd_call *call, struct err *reterr)
{
	bool only_targets = false;
	int rc = 0;

	for (int i = 0; i < call->argc && rc == 0; i++) {
		const char *word = call->argv[i];
		if (!only_targets && strcmp(word, "--") == 0)
			only_targets = true;
		else if (!only_targets && word[0] == '-')
			rc = record_flag(r, word, reterr);
		else if (r->targets_count == COUNT_OF(r->targets))
			rc = err_set(reterr, -E2BIG, "at most %zu targets at a time",
				COUNT_OF(r->targets));
		else
			r->targets[r->targets_count++] = word;
	}
	if (rc == 0 && r->output && !strcmp(r->output, "-") && isatty(STDOUT_FILENO))
		rc = err_set(reterr, -EINVAL,
			"standard output is a terminal, and a recording no text: name a file");
	if (rc == 0 && !r->targets_count)
		rc = err_set(reterr, -EINVAL,
			"of what? weir trace record TARGET, where a target is a device, or a file or "
			"folder on one");
	return rc;
}

/* ---- devices ---- */

static const struct layer *record_disk(const struct stack *st, const struct layer *l)
{
	bool part = strcmp(l->kind, "partition") == 0 && l->on_count;
	return part ? &st->v[l->on[0]] : l;
}

static bool record_number(const struct layer *l, uint32_t *ret)
{
	unsigned major, minor;

	if (!l->block || !l->block->number ||
		sscanf(l->block->number, "%u:%u", &major, &minor) != 2)
		return false;
	*ret = major << 20 | minor;
	return true;
}

static int record_add(struct recording *r, const struct stack *st, const struct layer *l,
	struct err *reterr)
{
	const struct layer *disk = record_disk(st, l);
	struct record_device d = {.name = l->block->name, .sectors = UINT64_MAX};

	if (!record_number(l, &d.number) || !record_number(disk, &d.disk))
		return err_set(reterr, -ENOTSUP, "%s: its device number isn't known", l->id);
	for (uint32_t i = 0; i < r->count; i++)
		if (r->devices[i].number == d.number)
			return 0;
	if (r->count == RECORD_DEVICES)
		return err_set(reterr, -E2BIG, "at most %d devices at a time", RECORD_DEVICES);
	if (disk != l) {
		d.from = l->block->partition_start_bytes / SECTOR;
		d.sectors = l->block->size_bytes / SECTOR;
	}
	r->devices[r->count++] = d;
	return 0;
}

/* The topmost devices of what the layer AT lies on. */
static int record_below(struct recording *r, const struct stack *st, uint32_t at,
	struct err *reterr)
{
	const struct layer *l = &st->v[at];
	int rc = 0;

	if (l->block)
		return record_add(r, st, l, reterr);
	for (uint32_t i = 0; i < l->on_count && rc == 0; i++)
		rc = record_below(r, st, l->on[i], reterr);
	return rc;
}

static int record_find(struct recording *r, struct err *reterr)
{
	r->environment = environment_capture(&(struct environment_how){
		.root = &sysroot_real,
		.paths = r->targets,
		.paths_count = r->targets_count,
		.patience_ns = PATIENCE_NS,
	});
	const struct environment *e = r->environment;
	if (!e)
		return err_set(reterr, -ENOMEM, "out of memory");
	for (uint32_t i = 0; i < e->targets_count; i++) {
		const struct target_facts *t = &e->targets[i];
		uint32_t had = r->count;
		if (!strcmp(t->kind, "not accessible") || access(t->path, F_OK) < 0)
			return err_set(reterr, -ENOENT,
				"%s: is not there, or can't be looked at", t->path);
		int rc = t->on == STACK_NOTHING ? 0 : record_below(r, &e->stack, t->on, reterr);
		if (rc < 0)
			return rc;
		if (r->count == had && !had)
			return err_set(reterr, -ENODEV,
				"%s: lies on no block device that could be recorded (weir describe %s)",
				t->path, t->path);
	}
	return 0;
}

static void record_name(struct recording *r)
{
	if (r->output)
		return;
	snprintf(r->name, sizeof(r->name), "%.200s.blktrace", r->devices[0].name);
	for (char *at = r->name; (at = strchr(at, '!'));)
		*at = '-';
	r->output = r->name;
}

/* ---- events ---- */

static struct record_device *record_of(struct recording *r, const struct block_event *e)
{
	for (uint32_t i = 0; i < r->count; i++) {
		struct record_device *d = &r->devices[i];
		if (d->disk == e->device &&
			(!e->sectors ||
				(e->sector >= d->from && e->sector - d->from < d->sectors)))
			return d;
	}
	return NULL;
}

/* Our own requests: known by who asks; what becomes of them later, by their place. */
static bool record_is_own(struct recording *r, const struct block_event *e)
{
	if (e->kind == BLOCK_QUEUED) {
		if (e->pid != r->pid)
			return false;
		if (r->own_count < RECORD_OWN)
			r->own[r->own_count++] = (struct record_own){
				e->device, e->sector, e->sector + e->sectors};
		r->own_left_out++;
		return true;
	}
	for (uint32_t i = 0; i < r->own_count; i++) {
		const struct record_own *o = &r->own[i];
		if (o->device != e->device || e->sector < o->from || e->sector >= o->end)
			continue;
		if (e->kind == BLOCK_DONE && e->sector + e->sectors >= o->end)
			r->own[i] = r->own[--r->own_count];
		return true;
	}
	return false;
}

static int record_program(struct recording *r, const struct block_event *e)
{
	struct record_program *p = &r->programs[e->pid % RECORD_PROGRAMS];

	if (e->kind != BLOCK_QUEUED || !*e->program ||
		(p->pid == e->pid && strcmp(p->name, e->program) == 0))
		return 0;
	p->pid = e->pid;
	memcpy(p->name, e->program, sizeof(p->name));
	return blkwrite_program(r->out, e->time_ns, e->pid, e->program);
}

static int record_take(void *ctx, const struct block_event *e)
{
	static const enum blkwrite_act acts[BLOCK_EVENT_KINDS] = {
		[BLOCK_QUEUED] = BLKWRITE_QUEUED,
		[BLOCK_ISSUED] = BLKWRITE_ISSUED,
		[BLOCK_DONE] = BLKWRITE_DONE,
	};
	struct recording *r = ctx;
	struct record_device *d = record_of(r, e);
	if (!d || e->time_ns > r->ended_ns || record_is_own(r, e))
		return 0;
	const struct blkwrite_event out = {
		.time_ns = e->time_ns,
		.sector = e->sectors ? e->sector - d->from : 0,
		.bytes = e->sectors * SECTOR,
		.device = d->number,
		.pid = e->pid,
		.cpu = e->cpu,
		.error = e->error,
		.act = acts[e->kind],
		.what = e->what,
	};
	if (!blkwrite_is_io(&out)) {
		r->other += e->kind == BLOCK_QUEUED;
		return 0;
	}
	d->queued += e->kind == BLOCK_QUEUED;
	int rc = record_program(r, e);
	return rc < 0 ? rc : blkwrite_event(r->out, &out);
}

static int record_watch(struct recording *r, struct block_watch *w)
{
	uint64_t until = r->began_ns + r->time_ns, flushed = r->began_ns, at;
	int rc = 0;

	r->ended_ns = UINT64_MAX;
	while (rc == 0 && !log_stop_signal && (at = clock_kernel_ns()) < until) {
		block_watch_wait(w, MIN_OF(until - at, RECORD_TURN_NS));
		block_watch_cpus(w);
		rc = block_watch_read(w, false, record_take, r);
		if (rc == 0 && at - flushed >= RECORD_FLUSH_NS) {
			rc = blkwrite_flush(r->out);
			flushed = at;
		}
	}
	r->ended_ns = MIN_OF(clock_kernel_ns(), until);
	if (rc == 0)
		rc = block_watch_read(w, true, record_take, r);
	r->lost = block_watch_lost(w);
	r->late = block_watch_late(w);
	return rc;
}

/* ---- the end ---- */

/* What is missing, said where the recording is read, too. */
static void record_message(struct recording *r, const char *text)
{
	(void)blkwrite_message(r->out, r->ended_ns, r->devices[0].number, text);
}

static void record_missing(struct recording *r)
{
	char text[160];

	if (r->lost) {
		snprintf(text, sizeof(text),
			"weir: %" PRIu64
			" events were lost: this machine could not write them as fast",
			r->lost);
		record_message(r, text);
	}
	if (r->late.came + r->late.unwatched) {
		snprintf(text, sizeof(text),
			"weir: CPUs came online meanwhile: %" PRIu32
			" watched from then on, %" PRIu32 " not watched",
			r->late.came, r->late.unwatched);
		record_message(r, text);
	}
}

static void record_say_cpus(const struct recording *r)
{
	if (r->late.came)
		say_line("trace record: CPUs came online meanwhile (%" PRIu32
			 "): what they asked for in their first %u ms may be missing",
			r->late.came, (unsigned)(RECORD_TURN_NS / NS_PER_MS));
	if (r->late.unwatched)
		say_line("trace record: %" PRIu32
			 " of the CPUs that came online meanwhile could "
			 "not be watched: what they asked for is missing",
			r->late.unwatched);
}

static void record_report(const struct recording *r, uint64_t bytes)
{
	int fd = strcmp(r->output, "-") == 0 ? STDERR_FILENO : STDOUT_FILENO;

	for (uint32_t i = 0; i < r->count; i++)
		tell(fd, "%s: %" PRIu64 " requests in %s s\n", r->devices[i].name,
			r->devices[i].queued,
			plain_number((double)(r->ended_ns - r->began_ns) / 1e9, 3).text);
	if (r->own_left_out)
		tell(fd, "left out: %" PRIu64 " requests that wrote this recording\n",
			r->own_left_out);
	if (r->other)
		tell(fd, "left out: %" PRIu64 " that are neither read, write, trim nor flush\n",
			r->other);
	if (strcmp(r->output, "-") != 0)
		tell(fd, "%s: %" PRIu64 " bytes; see it with: weir trace %s\n", r->output,
			bytes, r->output);
	if (r->lost)
		say_line(
			"trace record: %" PRIu64
			" events were lost, as they came faster than they could be written: counts "
			"and rates of this recording are too low",
			r->lost);
	record_say_cpus(r);
}

static int record_run(struct recording *r, struct err *reterr)
{
	uint32_t disks[RECORD_DEVICES];
	struct block_watch *w;
	uint64_t bytes;

	for (uint32_t i = 0; i < r->count; i++)
		disks[i] = r->devices[i].disk;
	int rc = run_signals_install(reterr);
	if (rc == 0)
		rc = block_watch_open(&(struct block_watch_how){.devices = disks,
					      .devices_count = r->count},
			&w, reterr);
	if (rc < 0)
		return rc;
	rc = blkwrite_open(r->output, &r->out, reterr);
	if (rc < 0) {
		block_watch_close(w);
		return rc;
	}
	r->pid = (uint32_t)getpid();
	r->began_ns = clock_kernel_ns();
	if (strcmp(r->output, "-") != 0)
		say_line("recording %s for %s s; Ctrl-C ends it", r->devices[0].name,
			plain_number((double)r->time_ns / 1e9, 3).text);
	int failed = record_watch(r, w);
	block_watch_close(w);
	record_missing(r);
	bytes = blkwrite_bytes(r->out);
	rc = blkwrite_close(r->out, reterr);
	if (rc == 0 && failed < 0)
		rc = err_sys(reterr, failed, "recording");
	record_report(r, bytes);
	return rc;
}

int trace_record(const struct cmd_call *call)
{
	scope_mem struct recording *r = calloc(1, sizeof(*r));
	struct err err;

	if (!r)
		return say_status(STATUS_REFUSED, "trace record: out of memory");
	r->time_ns = RECORD_TIME_NS;
	int rc = record_words(r, call, &err);
	if (rc == 0)
		rc = record_find(r, &err);
	if (rc == 0) {
		record_name(r);
		rc = record_run(r, &err);
	}
	environment_free(r->environment);
	return rc == 0 ? STATUS_OK : say_status(STATUS_REFUSED, "trace record: %s", err.text);
}
