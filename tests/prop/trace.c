/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Traces: what write_iolog writes is what is read back; several traces merged are their
 * records sorted by time.  Each on random traces. */
#include "law.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/str.h"
#include "plan/plan.h"
#include "run/logs/iolog.h"
#include "trace/trace.h"

#define ROUNDS  200
#define IOS_MAX 500

static struct rng rng;

static void put(void *ctx, const char *text, size_t len)
{
	str_add_bytes(ctx, text, len);
}

static int file_of(const struct str *text, char *path, size_t size)
{
	int fd = memfd_create("trace", MFD_CLOEXEC);

	LAW(fd >= 0 && write(fd, str_text(text), text->len) == (ssize_t)text->len, "memfd");
	snprintf(path, size, "/proc/self/fd/%d", fd);
	return fd;
}

static struct log_issue draw_issue(uint64_t *time_ns, uint32_t files)
{
	struct log_issue io = {
		.kind = (uint8_t)rng_below(&rng, IO_FDATASYNC + 1),
		.file = (uint32_t)rng_below(&rng, files),
		.offset = rng_below(&rng, UINT64_C(1) << rng_below(&rng, 45)),
		.bytes = 1 + rng_below(&rng, UINT64_C(1) << rng_below(&rng, 30)),
	};

	*time_ns += rng_below(&rng, 3) ? rng_below(&rng, 5000000) : 0;
	io.time_ns = *time_ns;
	return io;
}

/* ---- round trip ---- */

static void check_issue(const struct trace_record *r, const struct log_issue *io, unsigned i)
{
	static const enum trace_action actions[] = {
		[IO_READ] = TRACE_READ,
		[IO_WRITE] = TRACE_WRITE,
		[IO_TRIM] = TRACE_TRIM,
		[IO_FSYNC] = TRACE_SYNC,
		[IO_FDATASYNC] = TRACE_DATASYNC,
	};
	bool sync = io->kind > IO_TRIM;

	LAW(r->action == actions[io->kind], "request %u: action %d", i, (int)r->action);
	LAW(r->name == io->file, "request %u: file %u", i, r->name);
	LAW(r->time_ns == io->time_ns / NS_PER_US * NS_PER_US, "request %u: time %" PRIu64, i,
		r->time_ns);
	LAW(r->offset == (sync ? 0 : io->offset) && r->bytes == (sync ? 0 : io->bytes),
		"request %u: %" PRIu64 "+%" PRIu64, i, r->offset, r->bytes);
}

static void round_trip(void)
{
	static const uint32_t indices[] = {0, 1, 2};
	static struct plan_target targets[] = {
		{.path = "a"}, {.path = "/b c/d"}, {.path = "read 0 1"}};
	static struct log_issue issues[IOS_MAX];
	struct plan_worker worker = {.files = {.targets = indices, .count = 3}};
	struct str text = {0};
	struct log_iolog log = {.worker = &worker, .targets = targets, .to = {&text, put}};
	unsigned n = (unsigned)rng_below(&rng, IOS_MAX), seen = 0;
	uint64_t time_ns = 0;
	struct trace_record r;
	struct trace *t;
	struct err e;
	char path[64];
	int rc;

	log_iolog_begin(&log);
	for (unsigned i = 0; i < n; i++) {
		issues[i] = draw_issue(&time_ns, 3);
		log_iolog_issue(&log, &issues[i]);
	}
	log_iolog_end(&log);
	int fd = file_of(&text, path, sizeof(path));
	LAW(trace_open(&(struct trace_input){.path = path}, 1, &t, &e) == 0, "%s", e.text);
	while ((rc = trace_next(t, &r, &e)) == 1)
		if (r.action < TRACE_IO_ACTIONS)
			check_issue(&r, &issues[seen], seen), seen++;
	LAW(rc == 0, "%s", e.text);
	LAW(seen == n, "%u of %u came back", seen, n);
	trace_free(t);
	close(fd);
	str_done(&text);
}

/* ---- merge ---- */

/* A trace of N reads of the file NAME, each of offset TIME_US. */
static void make_trace(struct str *text, const char *name, unsigned n)
{
	uint64_t us = 0;

	str_addf(text, "fio version 3 iolog\n0 %s add\n", name);
	for (unsigned i = 0; i < n; i++) {
		us += rng_below(&rng, 100);
		str_addf(text, "%" PRIu64 " %s read %" PRIu64 " 512\n", us, name, us);
	}
}

static void merge(void)
{
	static const char *const names[] = {"a", "b", "c", "d"};
	unsigned parts = 1 + (unsigned)rng_below(&rng, 4), n[4], seen[4] = {0};
	struct trace_input inputs[4] = {{0}};
	char paths[4][64];
	uint64_t last = 0;
	int fds[4], rc;
	struct trace_record r;
	struct trace *t;
	struct err e;

	for (unsigned i = 0; i < parts; i++) {
		struct str text = {0};
		n[i] = (unsigned)rng_below(&rng, 300);
		make_trace(&text, names[i], n[i]);
		fds[i] = file_of(&text, paths[i], sizeof(paths[i]));
		inputs[i].path = paths[i];
		str_done(&text);
	}
	LAW(trace_open(inputs, parts, &t, &e) == 0, "%s", e.text);
	while ((rc = trace_next(t, &r, &e)) == 1) {
		LAW(r.time_ns >= last, "back in time");
		last = r.time_ns;
		if (r.action != TRACE_READ)
			continue;
		LAW(r.offset * NS_PER_US == r.time_ns, "time %" PRIu64 " of %" PRIu64,
			r.time_ns, r.offset);
		seen[trace_names(t)->v[r.name][0] - 'a']++;
	}
	LAW(rc == 0, "%s", e.text);
	for (unsigned i = 0; i < parts; i++) {
		LAW(seen[i] == n[i], "%u of %u of trace %u", seen[i], n[i], i);
		close(fds[i]);
	}
	trace_free(t);
}

int main(void)
{
	rng_init(&rng, law_seed());
	for (int i = 0; i < ROUNDS; i++) {
		round_trip();
		merge();
	}
	return 0;
}
