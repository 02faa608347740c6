/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/trace_view.h"

#include "base/bits.h"
#include "base/json.h"
#include "base/plain.h"
#include "base/str.h"
#include "cmd/trace_profile.h"

#include <inttypes.h>
#include <stdio.h>

#define VIEW_FILES 20 /* lines about files in the text */

static const double view_quantiles[] = {0.5, 0.9, 0.99, 0.999};
static const char *const view_quantile_names[] = {"p50", "p90", "p99", "p99_9"};

/* ---- numbers ---- */

struct view_word {
	char text[48];
};

static struct view_word view_time(uint64_t ns)
{
	static const struct {
		double ns;
		const char *unit;
	} units[] = {{3.6e12, "h"}, {1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}};
	struct view_word w;
	size_t i = 0;

	while (i + 1 < COUNT_OF(units) && (double)ns < units[i].ns)
		i++;
	snprintf(w.text, sizeof(w.text), "%s %s",
		plain_number((double)ns / units[i].ns, 4).text, units[i].unit);
	return w;
}

static struct view_word view_bytes(uint64_t bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	struct view_word w;
	double v = (double)bytes;
	size_t i = 0;

	for (; v >= 1024 && i + 1 < COUNT_OF(units); i++)
		v /= 1024;
	snprintf(w.text, sizeof(w.text), "%s %s", plain_number(v, 4).text, units[i]);
	return w;
}

static double view_share(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static uint64_t view_place_ios(const struct trace_place *p)
{
	uint64_t ios = 0;
	for (int a = 0; a < TRACE_IO_ACTIONS; a++)
		ios += p->ios[a];
	return ios;
}

/* ---- text ---- */

static void text_action(const struct trace_view *v, int a, struct str *out)
{
	const struct trace_summary *s = v->sum;

	if (!s->ios[a])
		return;
	str_addf(out, "  %-12s %12" PRIu64 " %7.3g %%", trace_action_name((enum trace_action)a),
		s->ios[a], view_share(s->ios[a], s->records));
	if (a <= TRACE_TRIM) {
		str_addf(out, " %12s %8.3g %%  ", view_bytes(s->bytes[a]).text,
			view_share(s->sequential[a], s->ios[a]));
		trace_profile_sizes(v->profile, (enum trace_action)a, out);
	}
	str_add(out, "\n");
}

static void text_times(const struct trace_summary *s, struct str *out)
{
	uint64_t ns = s->last_ns - s->first_ns;
	double iops = trace_summary_iops(s);

	str_addf(out, "  duration     %s", view_time(ns).text);
	if (s->first_ns)
		str_addf(out, ", the first request after %s", view_time(s->first_ns).text);
	str_addf(out,
		"\n  rate         %.*f IOPS on average, %" PRIu64
		" in the busiest second (which begins at %" PRIu64 " s)\n",
		iops < 100 ? 2 : 0, iops, s->peak_ios, s->peak_second);
	if (!s->gaps.moments.count)
		return;
	str_addf(out, "  gaps         mean %s",
		view_time((uint64_t)latency_mean(&s->gaps)).text);
	for (size_t i = 0; i < COUNT_OF(view_quantiles); i++)
		str_addf(out, ", %s %s", i == 3 ? "p99.9" : view_quantile_names[i],
			view_time(latency_quantile(&s->gaps, view_quantiles[i])).text);
	str_addf(out, ", max %s\n", view_time(s->gaps.moments.max).text);
}

static void text_files(const struct trace_view *v, struct str *out)
{
	const struct trace_summary *s = v->sum;
	uint32_t shown = 0, more = 0;

	str_add(out,
		"\n  file or device             requests        read     written        from byte          to byte\n");
	for (uint32_t i = 0; i < v->names->count && i < s->places_count; i++) {
		const struct trace_place *p = &s->places[i];
		if (!view_place_ios(p))
			continue;
		if (shown++ >= VIEW_FILES) {
			more++;
			continue;
		}
		str_addf(out, "  %-22s %12" PRIu64 " %11s %11s %16" PRIu64 " %16" PRIu64 "\n",
			v->names->v[i], view_place_ios(p),
			view_bytes(p->bytes[TRACE_READ]).text,
			view_bytes(p->bytes[TRACE_WRITE]).text, p->low, p->end);
	}
	if (more)
		str_addf(out, "  and %u more; --json lists all\n", more);
}

static void text_odd(const struct trace_view *v, struct str *out)
{
	const struct trace_odd *o = &v->odd;
	char doubt[256];

	if (trace_summary_doubt(v->sum, doubt, sizeof(doubt)))
		str_addf(out, "\n  doubtful     %s\n", doubt);
	if (o->backwards)
		str_addf(out,
			"  backwards    %" PRIu64
			" records are earlier than the one before, by up to %s (the first is number "
			"%" PRIu64 "): a replay issues them together with it\n",
			o->backwards, view_time(o->back_most_ns).text, o->back_first);
	if (o->sections)
		str_addf(out,
			"  appended     %u more logs in the same file: each follows the one before\n",
			o->sections);
	if (o->empty)
		str_addf(out, "  empty        %" PRIu64 " requests of no bytes are left out\n",
			o->empty);
	if (o->passed_over)
		str_addf(out, "  passed over  %" PRIu64 " events that are no requests\n",
			o->passed_over);
}

void trace_view_text(const struct trace_view *v, struct str *out)
{
	const struct trace_summary *s = v->sum;

	str_addf(out, "%s: %s, %" PRIu64 " requests\n", v->title, v->format, s->records);
	if (s->records) {
		text_times(s, out);
		trace_profile_text(v->profile, out);
		str_addf(out, "  working set  about %s in blocks of 4 KiB, read or written\n",
			view_bytes(trace_summary_working_set(s)).text);
		str_add(out,
			"\n                   requests     share        bytes sequential  sizes\n");
		for (int a = 0; a < TRACE_IO_ACTIONS; a++)
			text_action(v, a, out);
		text_files(v, out);
	}
	text_odd(v, out);
}

/* ---- JSON ---- */

static void json_sizes(const struct trace_summary *s, int action, struct json *j)
{
	json_array(j, "sizes");
	for (unsigned k = 0; k < TRACE_SIZES; k++) {
		if (!s->sizes[action][k])
			continue;
		json_object(j, NULL);
		json_uint(j, "from_bytes", UINT64_C(1) << k);
		json_uint(j, "requests", s->sizes[action][k]);
		json_object_end(j);
	}
	json_array_end(j);
}

static void json_action(const struct trace_summary *s, int a, struct json *j)
{
	json_object(j, trace_action_name((enum trace_action)a));
	json_uint(j, "requests", s->ios[a]);
	if (a <= TRACE_TRIM) {
		json_uint(j, "bytes", s->bytes[a]);
		json_uint(j, "bytes_min", s->bytes_min[a]);
		json_uint(j, "bytes_max", s->bytes_max[a]);
		json_uint(j, "sequential", s->sequential[a]);
		json_sizes(s, a, j);
	}
	json_object_end(j);
}

static void json_times(const struct trace_summary *s, struct json *j)
{
	json_uint(j, "first_ns", s->first_ns);
	json_uint(j, "last_ns", s->last_ns);
	json_double(j, "iops_mean", trace_summary_iops(s));
	json_uint(j, "iops_peak", s->peak_ios);
	json_uint(j, "iops_peak_second", s->peak_second);
	json_object(j, "gaps_ns");
	if (s->gaps.moments.count) {
		json_double(j, "mean", latency_mean(&s->gaps));
		for (size_t i = 0; i < COUNT_OF(view_quantiles); i++)
			json_uint(j, view_quantile_names[i],
				latency_quantile(&s->gaps, view_quantiles[i]));
		json_uint(j, "max", s->gaps.moments.max);
	}
	json_object_end(j);
}

static void json_files(const struct trace_view *v, struct json *j)
{
	const struct trace_summary *s = v->sum;

	json_array(j, "files");
	for (uint32_t i = 0; i < v->names->count && i < s->places_count; i++) {
		const struct trace_place *p = &s->places[i];
		json_object(j, NULL);
		json_text(j, "name", v->names->v[i]);
		json_uint(j, "requests", view_place_ios(p));
		json_uint(j, "read_bytes", p->bytes[TRACE_READ]);
		json_uint(j, "written_bytes", p->bytes[TRACE_WRITE]);
		json_uint(j, "trimmed_bytes", p->bytes[TRACE_TRIM]);
		json_uint(j, "from_byte", p->low);
		json_uint(j, "to_byte", p->end);
		json_object_end(j);
	}
	json_array_end(j);
}

static void json_odd(const struct trace_view *v, struct json *j)
{
	char doubt[256];

	json_uint(j, "backwards", v->odd.backwards);
	json_uint(j, "backwards_most_ns", v->odd.back_most_ns);
	json_uint(j, "appended_logs", v->odd.sections);
	json_uint(j, "empty", v->odd.empty);
	json_uint(j, "passed_over", v->odd.passed_over);
	if (trace_summary_doubt(v->sum, doubt, sizeof(doubt)))
		json_text(j, "doubt", doubt);
}

void trace_view_json(const struct trace_view *v, struct str *out)
{
	struct json j;

	json_init(&j, out, JSON_FIO);
	json_object(&j, NULL);
	json_text(&j, "trace", v->title);
	json_text(&j, "format", v->format);
	json_uint(&j, "requests", v->sum->records);
	json_times(v->sum, &j);
	json_uint(&j, "working_set_bytes", trace_summary_working_set(v->sum));
	for (int a = 0; a < TRACE_IO_ACTIONS; a++)
		json_action(v->sum, a, &j);
	trace_profile_json(v->profile, &j);
	json_files(v, &j);
	json_odd(v, &j);
	json_object_end(&j);
	str_add(out, "\n");
}
