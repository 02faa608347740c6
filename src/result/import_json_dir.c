/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A direction of a job in fio's JSON: bytes, how many, and what latencies are told of them.
 * The eras that import_json.c names differ here. */
#include "base/bits.h"
#include "result/import_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- latencies ---- */

static void read_percentiles(struct import *in, const struct json_value *list,
	struct latency *l, uint64_t unit_ns)
{
	for (const struct json_value *v = list ? list->first : NULL; v; v = v->next) {
		char *end;
		double percent = strtod(v->key, &end);
		if (*end || !(percent > 0) || percent > 100 || !v->is_whole)
			continue; /* "0.00": places that old versions didn't fill */
		import_point(in, l, percent, mul_capped(v->whole, unit_ns));
	}
}

/* Bins are believed when each key is the value of a bin, they are as many as the
 * samples, and the percentiles beside them come out of them.  (fio had other keys
 * in its first JSON+.) */
static bool bins_hold(const struct histogram *h, const struct latency *l)
{
	if (l->told->counted && h->count != l->moments.count)
		return false;
	for (uint32_t i = 0; i < l->told->count; i++) {
		const struct latency_point *p = &l->told->points[i];
		uint64_t ns = histogram_quantile(h, p->percent / 100);
		bool clamped = p->ns == l->moments.min || p->ns == l->moments.max;
		if (ns != p->ns && !clamped)
			return false;
	}
	return h->count > 0;
}

static void read_bins(const struct json_value *bins, struct latency *l)
{
	struct histogram *h = &l->histogram;

	for (const struct json_value *v = bins ? bins->first : NULL; v; v = v->next) {
		char *end;
		uint64_t ns = strtoull(v->key, &end, 10);
		bool fits = !*end && v->is_whole && v->whole &&
			    histogram_bin_mid(histogram_bin(ns)) == ns &&
			    h->count + v->whole > h->count;
		if (!fits) {
			histogram_reset(h);
			return;
		}
		histogram_record_bin(h, histogram_bin(ns), v->whole);
	}
	if (!bins_hold(h, l))
		histogram_reset(h);
}

/* NULL when nothing was measured. */
static struct latency *read_latency(struct import *in, const struct json_value *from,
	uint64_t unit_ns)
{
	uint64_t n = 0, least = 0, most = 0;
	double mean = 0, stddev = -1;

	if (!from)
		return NULL;
	bool counted = import_whole(in, from, "N", &n);
	bool any = import_whole(in, from, "max", &most);
	import_whole(in, from, "min", &least);
	any &= import_real(in, from, "mean", &mean);
	import_real(in, from, "stddev", &stddev);
	if (!any || (counted ? !n : !most && !(mean > 0)))
		return NULL;
	struct latency *l = import_latency(in);
	if (!l)
		return NULL;
	struct latency_told *told = import_told(l);
	told->counted = counted;
	told->mean = mean * (double)unit_ns;
	told->stddev = stddev < 0 ? -1 : stddev * (double)unit_ns;
	l->moments.count = n;
	l->moments.min = mul_capped(least, unit_ns);
	l->moments.max = mul_capped(most, unit_ns);
	read_percentiles(in, import_object(in, from, "percentile"), l, unit_ns);
	if (unit_ns == 1 && in->rc == 0)
		read_bins(import_object(in, from, "bins"), l);
	return l;
}

struct latency *import_json_latency(struct import *in, const struct json_value *of,
	const char *kind, bool *ret_percentiles)
{
	char key[24];

	snprintf(key, sizeof(key), "%s_ns", kind);
	const struct json_value *from = import_object(in, of, key);
	uint64_t unit_ns = from ? 1 : NS_PER_US;
	if (!from)
		from = import_object(in, of, kind);
	*ret_percentiles |= json_get(from, "percentile") != NULL;
	return read_latency(in, from, unit_ns);
}

/* ---- a direction ---- */

static void read_samples(struct import *in, const struct json_value *of, const char *name,
	double unit, struct samples *ret)
{
	const struct {
		const char *tail;
		double *to;
	} fields[] = {{"min", &ret->min}, {"max", &ret->max}, {"mean", &ret->mean},
		{"dev", &ret->stddev}, {"stddev", &ret->stddev}};
	char key[32];

	for (size_t i = 0; i < COUNT_OF(fields); i++) {
		snprintf(key, sizeof(key), "%s_%s", name, fields[i].tail);
		if (import_real(in, of, key, fields[i].to))
			*fields[i].to *= unit;
	}
	snprintf(key, sizeof(key), "%s_samples", name);
	import_whole(in, of, key, &ret->count);
}

static void read_bytes(struct import *in, const struct json_value *of, struct result_dir *d,
	uint64_t runtime_ms)
{
	uint64_t kib_per_s = 0;

	if (!import_whole(in, of, "io_bytes", &d->bytes) || json_get(of, "io_kbytes"))
		return;
	import_whole(in, of, "bw", &kib_per_s);
	double kib = (double)kib_per_s * (double)runtime_ms / 1000;
	if ((double)d->bytes < kib * 32)
		d->bytes = mul_capped(d->bytes, 1024);
}

/* Digits behind the point of a number, as it is written. */
static unsigned decimals(const struct import *in, const struct json_value *v)
{
	const char *p = in->text + v->at;
	unsigned n = 0;

	p += strspn(p, "-0123456789");
	if (*p != '.')
		return 0;
	while (p[n + 1] >= '0' && p[n + 1] <= '9')
		n++;
	return n;
}

/* How many completed: fio has their rate over whole milliseconds, which gives the
 * count when it is written with enough digits. */
static void read_ios(struct import *in, const struct json_value *of, struct result_dir *d,
	uint64_t runtime_ms)
{
	struct result_dir_told *told = import_dir_told(d);
	const struct json_value *v = json_get(of, "iops");

	if (!import_real(in, of, "iops", &told->ios_per_s) || told->ios_per_s < 0)
		return;
	if (!d->bytes && !d->issued) {
		told->ios = true;
		return;
	}
	double ios = told->ios_per_s * (double)runtime_ms / 1000;
	double doubt = 0.5 * pow(10, -(double)decimals(in, v)) * (double)runtime_ms / 1000;
	if (v->is_whole || !runtime_ms || doubt > 0.4 || ios > 0x1p53 ||
		fabs(ios - nearbyint(ios)) > doubt + 1e-6 * (1 + ios / 1e9))
		return;
	d->ios = (uint64_t)llround(ios);
	told->ios = true;
}

static void read_prios(struct import *in, const struct json_value *of, struct result_dir *d)
{
	const struct json_value *list = import_array(in, of, "prios");

	if (!list)
		return;
	d->prios = import_alloc(in, RESULT_PRIOS * sizeof(*d->prios));
	for (const struct json_value *v = list->first; v && in->rc == 0; v = v->next) {
		uint64_t class = 0, level = 0, hint = 0;
		bool percentiles = false;
		import_whole(in, v, "prioclass", &class);
		import_whole(in, v, "prio", &level);
		import_whole(in, v, "priohint", &hint);
		d->prios_of_lat = json_get(v, "lat_ns");
		struct latency *l = import_json_latency(in, v, d->prios_of_lat ? "lat" : "clat",
			&percentiles);
		if (!l || d->prios_count == RESULT_PRIOS)
			continue;
		d->prios[d->prios_count++] = (struct result_prio){
			.value = (uint16_t)((class & 7) << 13 | (hint & 1023) << 3 |
					    (level & 7)),
			.latency = l,
		};
	}
}

void import_json_direction(struct import *in, const struct json_value *of, struct result_dir *d,
	struct result_style *style)
{
	uint64_t ms = 0;

	if (!of)
		return;
	struct result_dir_told *told = import_dir_told(d);
	told->present = true;
	import_whole(in, of, "runtime", &ms);
	d->runtime_ns = mul_capped(ms, NS_PER_MS);
	told->issued = import_whole(in, of, "total_ios", &d->issued);
	import_whole(in, of, "short_ios", &d->short_ios);
	import_whole(in, of, "drop_ios", &d->dropped);
	read_bytes(in, of, d, ms);
	read_ios(in, of, d, ms);
	import_real(in, of, "bw_agg", &told->bw_percent);
	told->bw = json_get(of, "bw_mean");
	told->bw_count = json_get(of, "bw_samples");
	told->iops = json_get(of, "iops_mean");
	read_samples(in, of, "bw", 1024, &d->bw);
	read_samples(in, of, "iops", 1, &d->iops);
	d->slat = import_json_latency(in, of, "slat", &style->slat_percentiles);
	d->clat = import_json_latency(in, of, "clat", &style->clat_percentiles);
	d->lat = import_json_latency(in, of, "lat", &style->lat_percentiles);
	read_prios(in, of, d);
}
