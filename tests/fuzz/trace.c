/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Fuzzing of traces: an input is a file, packed or not, of any format; a line "#fail SEED
 * RATE" before it makes allocations fail.  What must hold: an end, times that never go
 * back, names that exist, no I/O of no bytes or behind the end of the world, and an error
 * has a text with the file in it. */
#include "fuzz.h"

#include "base/err.h"
#include "trace/profile.h"
#include "trace/summary.h"
#include "trace/trace.h"

#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define RECORDS_MAX 200000 /* a few bytes of zstd may stand for very many */

static void check_record(const struct trace *t, const struct trace_record *r, uint64_t last_ns)
{
	MUST(r->time_ns >= last_ns, "back in time");
	MUST(r->action <= TRACE_DONE, "action %d", (int)r->action);
	MUST(r->name < trace_names(t)->count, "name %u of %u", r->name, trace_names(t)->count);
	MUST(r->number > 0, "no number");
	if (r->action > TRACE_TRIM)
		return;
	MUST(r->bytes > 0, "empty");
	MUST(r->offset <= INT64_MAX && r->bytes <= INT64_MAX - r->offset, "too far");
}

/* Shares are parts of the whole. */
static void check_profile(struct profile_look *look)
{
	static struct trace_profile p;
	uint64_t parts = 0;

	profile_look_end(look, &p);
	for (int k = 0; k < PROFILE_KINDS; k++)
		MUST(p.random[k] <= p.ios[k], "more at random than there are");
	for (unsigned i = 0; i < PROFILE_PARTS; i++)
		parts += p.parts[i];
	MUST(parts == profile_ios(&p), "%llu in all parts", (unsigned long long)parts);
	MUST(p.depth_median <= p.depth_p95 && p.depth_p95 <= p.depth_max, "depths");
}

static int read_all(struct trace *t, struct trace_summary *sum, struct profile_look *look,
	struct err *e)
{
	struct trace_record r;
	uint64_t last_ns = 0;
	char where[512];
	int rc = 0;

	for (unsigned n = 0; n < RECORDS_MAX && (rc = trace_next(t, &r, e)) == 1; n++) {
		check_record(t, &r, last_ns);
		last_ns = r.time_ns;
		if (r.bytes < 1 << 20 && trace_summary_add(sum, &r) < 0)
			break;
		if (look && profile_look_add(look, &r) < 0)
			break;
	}
	MUST(trace_where(t, where, sizeof(where))[0], "nowhere");
	return rc;
}

static void read_trace(const char *path, uint32_t inputs)
{
	static struct trace_summary sum;
	const struct trace_input in[2] = {
		{.path = path, .iters = 2, .completions = inputs == 2}, {.path = path}};
	struct profile_look *look = profile_look_new();
	struct trace *t = NULL;
	struct err e = {0};

	sum = (struct trace_summary){.deep = true};
	int rc = trace_open(in, inputs, &t, &e);
	if (rc == 0)
		rc = read_all(t, &sum, look, &e);
	MUST(rc >= 0 || (rc == e.code && e.text[0]), "rc %d, code %d", rc, e.code);
	trace_free(t);
	if (look)
		check_profile(look);
	profile_look_free(look);
	if (sum.records)
		MUST(trace_summary_working_set(&sum) < UINT64_MAX, "endless");
	trace_summary_done(&sum);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t seed, rate;
	char path[64];

	memory_fails_as_said(&data, &size, &seed, &rate);
	int fd = memfd_create("trace", MFD_CLOEXEC);
	MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size, "memfd");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	memory_fails(seed, rate);
	read_trace(path, 1 + size % 2);
	memory_fails(0, 0);
	close(fd);
	return 0;
}
