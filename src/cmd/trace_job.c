/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A job whose load is like a trace's: its sizes, mix, share of random requests and where they
 * go, its depth, rate and syncs.  What a profile doesn't have is lost: bursts, and which
 * request came after which.  Who needs these replays the trace. */
#include "cmd/trace_profile.h"

#include "base/bits.h"
#include "base/plain.h"
#include "base/str.h"

#include <inttypes.h>
#include <math.h>

#define JOB_SECONDS_LEAST 10
#define JOB_DEPTH         32  /* where the trace doesn't say */
#define JOB_UNEVEN        2.0 /* a zone is so much fuller than the mean: zones matter */
#define JOB_RANDOM_LEAST  200 /* random requests that zones are made of */
#define JOB_EVEN          0.3 /* gaps vary so little: at even intervals */
#define MIB               (UINT64_C(1) << 20)

/* Shares in whole percent that sum up to 100: the largest remainders are rounded up. */
static void shares_of(const uint64_t *counts, uint32_t n, uint32_t *ret)
{
	uint64_t all = 0;
	uint32_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		all += counts[i];
	for (uint32_t i = 0; i < n; i++)
		sum += ret[i] = (uint32_t)(counts[i] * 100 / all);
	for (; sum < 100; sum++) {
		uint32_t best = 0;
		double most = -1;
		for (uint32_t i = 0; i < n; i++) {
			double rest = (double)counts[i] * 100 / (double)all - ret[i];
			if (rest > most) {
				most = rest;
				best = i;
			}
		}
		ret[best]++;
	}
}

static void add_size(struct str *out, uint64_t bytes)
{
	if (bytes % MIB == 0)
		str_addf(out, "%" PRIu64 "m", bytes / MIB);
	else if (bytes % 1024 == 0)
		str_addf(out, "%" PRIu64 "k", bytes / 1024);
	else
		str_addf(out, "%" PRIu64, bytes);
}

static void add_split(const struct trace_profile *p, int kind, struct str *out)
{
	uint64_t counts[PROFILE_SIZES] = {0};
	uint32_t shares[PROFILE_SIZES] = {0}, n = p->sizes_count[kind];
	const char *colon = "";

	for (uint32_t i = 0; i < n; i++)
		counts[i] = p->sizes[kind][i].ios;
	shares_of(counts, n, shares);
	for (uint32_t i = 0; i < n; i++) {
		if (!shares[i])
			continue;
		str_add(out, colon);
		add_size(out, p->sizes[kind][i].bytes);
		str_addf(out, "/%" PRIu32, shares[i]);
		colon = ":";
	}
}

static void job_sizes(const struct trace_profile *p, struct str *out)
{
	bool reads = p->ios[TRACE_READ], writes = p->ios[TRACE_WRITE];

	str_add(out, "bssplit=");
	add_split(p, reads ? TRACE_READ : TRACE_WRITE, out);
	if (reads && writes) {
		str_add(out, ",");
		add_split(p, TRACE_WRITE, out);
	}
	str_add(out, "\n");
}

static uint32_t random_percent(const struct trace_profile *p, int kind)
{
	double share = profile_random(p, (enum trace_action)kind);
	return share < 0 ? 100 : (uint32_t)lround(100 * share);
}

/* Random offsets, where their parts of the range are not equally full. */
static void job_zones(const struct trace_profile *p, struct str *out)
{
	uint32_t shares[PROFILE_ZONES] = {0};
	uint64_t all = 0, most = 0;
	const char *colon = "";

	for (unsigned i = 0; i < PROFILE_ZONES; i++) {
		all += p->zones[i];
		most = MAX_OF(most, p->zones[i]);
	}
	if (p->places != 1 || all < JOB_RANDOM_LEAST ||
		(double)most * PROFILE_ZONES < JOB_UNEVEN * (double)all)
		return;
	shares_of(p->zones, PROFILE_ZONES, shares);
	str_add(out, "random_distribution=zoned:");
	for (unsigned i = 0; i < PROFILE_ZONES; i++) {
		str_addf(out, "%s%" PRIu32 "/%d", colon, shares[i], 100 / PROFILE_ZONES);
		colon = ":";
	}
	str_add(out, "\n");
}

static void job_direction(const struct trace_profile *p, struct str *out)
{
	uint64_t reads = p->ios[TRACE_READ], writes = p->ios[TRACE_WRITE];
	uint32_t r = random_percent(p, TRACE_READ), w = random_percent(p, TRACE_WRITE);
	bool random = (reads && r) || (writes && w);

	str_addf(out, "rw=%s%s\n", random ? "rand" : "",
		reads && writes ? "rw"
		: reads         ? "read"
				: "write");
	if (reads && writes)
		str_addf(out, "rwmixread=%.0f\n",
			round(100.0 * (double)reads / (double)(reads + writes)));
	if (!random)
		return;
	str_add(out, "norandommap=1\n");
	if ((reads && r < 100) || (writes && w < 100))
		str_addf(out, "percentage_random=%" PRIu32 ",%" PRIu32 "\n", r, w);
	job_zones(p, out);
}

static double kind_rate(const struct trace_profile *p, int kind)
{
	double share = profile_share(p, (enum trace_action)kind);
	return share > 0 ? MAX_OF(round(share * profile_iops(p)), 1.0) : 0;
}

/* 0 of a direction means no limit, and it has no requests. */
static void job_rate(const struct trace_profile *p, struct str *out)
{
	double r = kind_rate(p, TRACE_READ), w = kind_rate(p, TRACE_WRITE);

	if (!p->span_ns)
		return;
	str_addf(out, "rate_iops=%.0f", r > 0 ? r : w);
	if (r > 0 && w > 0)
		str_addf(out, ",%.0f", w);
	str_addf(out, "\nrate_process=%s\n",
		p->gap_variation < JOB_EVEN ? "linear" : "poisson");
}

static void job_syncs(const struct trace_profile *p, struct str *out)
{
	uint64_t syncs = p->ios[TRACE_SYNC] + p->ios[TRACE_DATASYNC];
	bool data = p->ios[TRACE_DATASYNC] > p->ios[TRACE_SYNC];

	if (syncs && p->ios[TRACE_WRITE])
		str_addf(out, "%s=%.0f\n", data ? "fdatasync" : "fsync",
			MAX_OF(round((double)p->ios[TRACE_WRITE] / (double)syncs), 1.0));
}

static bool sizes_are_sectors(const struct trace_profile *p)
{
	for (int k = 0; k < PROFILE_KINDS; k++)
		for (uint32_t i = 0; i < p->sizes_count[k]; i++)
			if (p->sizes[k][i].bytes % 512)
				return false;
	return true;
}

/* In a comment a line end would end it. */
static void add_title(struct str *out, const char *title)
{
	for (; *title; title++)
		str_add_char(out, (unsigned char)*title < ' ' ? '?' : *title);
}

static void job_head(const struct trace_profile *p, const char *title, struct str *out)
{
	uint64_t range = MAX_OF((p->range_bytes + MIB - 1) / MIB, UINT64_C(1));
	uint64_t seconds = MAX_OF((p->span_ns + NS_PER_S - 1) / NS_PER_S,
		(uint64_t)JOB_SECONDS_LEAST);

	str_add(out, "# A load like that of ");
	add_title(out, title);
	str_addf(out, " (%" PRIu64 " requests in %s s).\n", profile_ios(p),
		plain_number((double)p->span_ns / 1e9, 3).text);
	str_add(out,
		"# Where it goes is for you to say: --override=filename=TARGET.  size is the range that\n"
		"# was touched.  Without rate_iops it is as fast as the target can.\n"
		"[global]\nfilename=like.data\n");
	str_addf(out, "size=%" PRIu64 "m\ntime_based=1\nruntime=%" PRIu64 "s\n", range,
		seconds);
	if (sizes_are_sectors(p))
		str_add(out, "direct=1\n");
	str_add(out, "ioengine=io_uring\n");
	if (!p->depth_max)
		str_add(out, "# The trace doesn't say how many were in flight.\n");
	str_addf(out, "iodepth=%" PRIu32 "\n", p->depth_max ? p->depth_p95 : JOB_DEPTH);
}

static void job_trims(const struct trace_profile *p, struct str *out)
{
	if (!p->ios[TRACE_TRIM])
		return;
	str_addf(out, "\n[like-trim]\nrw=%s\nbssplit=",
		random_percent(p, TRACE_TRIM) ? "randtrim" : "trim");
	add_split(p, TRACE_TRIM, out);
	if (p->span_ns)
		str_addf(out, "\nrate_iops=%.0f", kind_rate(p, TRACE_TRIM));
	str_add(out, "\n");
}

void trace_profile_job(const struct trace_profile *p, const char *title, struct str *out)
{
	job_head(p, title, out);
	if (p->ios[TRACE_READ] || p->ios[TRACE_WRITE]) {
		str_add(out, "\n[like]\n");
		job_direction(p, out);
		job_sizes(p, out);
		job_rate(p, out);
		job_syncs(p, out);
	}
	job_trims(p, out);
}
