/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* --like=TRACE: a trace as the few figures that a result is compared with. */
#include "cmd/trace_like.h"

#include "base/err.h"
#include "result/work.h"
#include "trace/profile.h"
#include "trace/trace.h"

#include <errno.h>
#include <math.h>

static double percent_of(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static int profile_of(struct trace *t, struct profile_look *l, struct err *reterr)
{
	struct trace_record r;
	int rc;

	while ((rc = trace_next(t, &r, reterr)) == 1)
		if (profile_look_add(l, &r) < 0)
			return err_set(reterr, -ENOMEM, "out of memory");
	return rc;
}

static int profile_read(const char *path, struct trace_profile *ret, struct err *reterr)
{
	struct profile_look *l = profile_look_new();
	struct trace *t = NULL;
	int rc = l ? trace_open(&(struct trace_input){.path = path, .completions = true}, 1, &t,
			     reterr)
		   : err_set(reterr, -ENOMEM, "out of memory");

	if (rc == 0)
		rc = profile_of(t, l, reterr);
	if (rc == 0)
		profile_look_end(l, ret);
	trace_free(t);
	profile_look_free(l);
	if (rc == 0 && !profile_ios(ret))
		return err_set(reterr, -EINVAL, "%s: no read, write or trim is in it", path);
	return rc;
}

static double or_unknown(double v, bool known)
{
	return known ? v : NAN;
}

int trace_like_read(const char *path, struct work *ret, struct err *reterr)
{
	struct trace_profile p;
	int rc = profile_read(path, &p, reterr);

	if (rc < 0)
		return rc;
	uint64_t random = p.random[TRACE_READ] + p.random[TRACE_WRITE];
	uint64_t reads = p.ios[TRACE_READ], writes = p.ios[TRACE_WRITE];
	uint64_t syncs = p.ios[TRACE_SYNC] + p.ios[TRACE_DATASYNC];
	*ret = (struct work){
		.trace = path,
		.requests = profile_ios(&p),
		.ios_per_s = or_unknown(profile_iops(&p), p.span_ns > 0),
		.read_percent = percent_of(reads, profile_ios(&p)),
		.read_bytes = or_unknown(profile_size(&p, TRACE_READ), reads > 0),
		.write_bytes = or_unknown(profile_size(&p, TRACE_WRITE), writes > 0),
		.random_percent = or_unknown(percent_of(random, reads + writes),
			reads + writes > 0),
		.depth = or_unknown(p.depth_median, p.depth_max > 0),
		.syncs_percent = or_unknown(percent_of(syncs, writes), writes > 0),
	};
	return 0;
}
