/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/trace_profile.h"

#include "base/bits.h"
#include "base/json.h"
#include "base/plain.h"
#include "base/str.h"

#include <inttypes.h>

#define TEXT_SIZES 6
#define TEXT_PARTS 16

static const char *const kind_names[] = {"read", "write", "trim"};

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void add_bytes(struct str *out, uint64_t bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	double v = (double)bytes;
	size_t i = 0;

	for (; v >= 1024 && i + 1 < COUNT_OF(units); i++)
		v /= 1024;
	str_addf(out, "%s %s", plain_number(v, 4).text, units[i]);
}

void trace_profile_sizes(const struct trace_profile *p, enum trace_action kind, struct str *out)
{
	uint64_t rest = p->ios[kind];

	for (uint32_t i = 0; i < MIN_OF(p->sizes_count[kind], (uint32_t)TEXT_SIZES); i++) {
		const struct profile_size *s = &p->sizes[kind][i];
		str_add(out, i ? ", " : "");
		add_bytes(out, s->bytes);
		str_addf(out, " %.3g %%", percent(s->ios, p->ios[kind]));
		rest -= s->ios;
	}
	if (rest)
		str_addf(out, ", others %.3g %%", percent(rest, p->ios[kind]));
}

/* ---- text ---- */

static void text_random(const struct trace_profile *p, struct str *out)
{
	const char *comma = "  random       ";

	for (int k = 0; k < PROFILE_KINDS; k++) {
		if (!p->ios[k])
			continue;
		str_addf(out, "%s%.3g %% of the %ss", comma, percent(p->random[k], p->ios[k]),
			kind_names[k]);
		comma = ", ";
	}
	if (profile_ios(p))
		str_add(out, "; the others go on where one of the last 8 ended\n");
}

static void text_depth(const struct trace_profile *p, struct str *out)
{
	if (p->depth_max)
		str_addf(out,
			"  depth        median %" PRIu32 ", p95 %" PRIu32 ", max %" PRIu32
			" in flight at the device\n",
			p->depth_median, p->depth_p95, p->depth_max);
}

static void text_syncs(const struct trace_profile *p, struct str *out)
{
	uint64_t syncs = p->ios[TRACE_SYNC] + p->ios[TRACE_DATASYNC];

	if (syncs && p->ios[TRACE_WRITE])
		str_addf(out, "  syncs        one per %s writes\n",
			plain_number((double)p->ios[TRACE_WRITE] / (double)syncs, 3).text);
}

/* Some parts of the time as one, so that they stand in a line. */
static void text_parts(const struct trace_profile *p, struct str *out)
{
	uint32_t each = (p->parts_count + TEXT_PARTS - 1) / TEXT_PARTS;

	if (p->parts_count < 2)
		return;
	double seconds = (double)(p->part_ns * each) / 1e9;
	str_addf(out, "  over time    IOPS of each %s s:", plain_number(seconds, 3).text);
	for (uint32_t i = 0; i < p->parts_count; i += each) {
		uint64_t ios = 0;
		for (uint32_t k = i; k < MIN_OF(i + each, p->parts_count); k++)
			ios += p->parts[k];
		uint64_t left = p->span_ns - MIN_OF(p->span_ns, i * p->part_ns);
		double s = MIN_OF(seconds, (double)left / 1e9); /* the last one is cut */
		str_addf(out, " %.0f", (double)ios / MAX_OF(s, 0.1 * seconds));
	}
	str_add(out, "\n");
}

void trace_profile_text(const struct trace_profile *p, struct str *out)
{
	text_parts(p, out);
	text_depth(p, out);
	text_random(p, out);
	text_syncs(p, out);
}

/* ---- JSON ---- */

static void json_kind(const struct trace_profile *p, int k, struct json *j)
{
	json_object(j, kind_names[k]);
	json_uint(j, "random", p->random[k]);
	json_array(j, "sizes");
	for (uint32_t i = 0; i < p->sizes_count[k]; i++) {
		json_object(j, NULL);
		json_uint(j, "bytes", p->sizes[k][i].bytes);
		json_uint(j, "requests", p->sizes[k][i].ios);
		json_object_end(j);
	}
	json_array_end(j);
	json_object_end(j);
}

static void json_list(struct json *j, const char *key, const uint64_t *v, uint32_t count)
{
	json_array(j, key);
	for (uint32_t i = 0; i < count; i++)
		json_uint(j, NULL, v[i]);
	json_array_end(j);
}

void trace_profile_json(const struct trace_profile *p, struct json *j)
{
	json_object(j, "profile");
	for (int k = 0; k < PROFILE_KINDS; k++)
		if (p->ios[k])
			json_kind(p, k, j);
	if (p->depth_max) {
		json_object(j, "depth");
		json_uint(j, "median", p->depth_median);
		json_uint(j, "p95", p->depth_p95);
		json_uint(j, "max", p->depth_max);
		json_object_end(j);
	}
	json_uint(j, "range_bytes", p->range_bytes);
	if (p->places == 1)
		json_list(j, "zones", p->zones, PROFILE_ZONES);
	json_uint(j, "part_ns", p->part_ns);
	json_list(j, "parts", p->parts, p->parts_count);
	json_double(j, "gap_variation", p->gap_variation);
	json_object_end(j);
}
