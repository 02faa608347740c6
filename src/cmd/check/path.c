/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/check/path.h"

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "base/scope.h"
#include "base/str.h"
#include "opt/opt.h"
#include "report/figures.h"
#include "result/result.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct path_row path_rows[] = {
	{"iops", PATH_ALL, QUANTITY_RATE, "ios_per_s", "requests a second, over the window"},
	{"bw", PATH_ALL, QUANTITY_BANDWIDTH, "bytes_per_s", "bytes a second, over the window"},
	{"ios", PATH_ALL, QUANTITY_COUNT, "ios", "requests completed in the window"},
	{"bytes", PATH_ALL, QUANTITY_BYTES, "bytes", "bytes moved in the window"},
	{"errors", PATH_ALL, QUANTITY_COUNT, "errors", "requests that failed"},
	{"window", PATH_DIR, QUANTITY_TIME, "window_ns", "measured window"},
	{"asked_iops", PATH_DIR, QUANTITY_RATE, "asked_ios_per_s", "the schedule"},
	{"asked_bw", PATH_DIR, QUANTITY_BANDWIDTH, "asked_bytes_per_s", "the schedule"},
	{"due", PATH_DIR, QUANTITY_COUNT, "due", "arrivals that fell due in the window"},
	{"late", PATH_DIR, QUANTITY_COUNT, "late", "arrivals that were issued late"},
	{"missed", PATH_DIR, QUANTITY_COUNT, "missed", "arrivals that were never issued"},
	{"lat", PATH_DIR, QUANTITY_TIME, NULL, "latency from preparing to having it back"},
	{"clat", PATH_DIR, QUANTITY_TIME, NULL, "latency from submission to completion"},
	{"slat", PATH_DIR, QUANTITY_TIME, NULL, "latency of the submission"},
	{"response", PATH_DIR, QUANTITY_TIME, NULL, "on a schedule: done - due"},
	{"lateness", PATH_DIR, QUANTITY_TIME, NULL, "on a schedule: issued - due"},
	{"sync.lat", PATH_ROW, QUANTITY_TIME, NULL, "latency of fsync and fdatasync"},
	{"sync.count", PATH_ROW, QUANTITY_COUNT, NULL, "fsync and fdatasync calls"},
	{"cpu.per_io", PATH_ROW, QUANTITY_TIME, "cpu_per_io_ns", "CPU time of a request"},
	{"depth", PATH_ROW, QUANTITY_COUNT, "depth", "requests in flight at most"},
	{"stopped", PATH_ROW, QUANTITY_TIME, "stopped_ns", "time it was stopped or suspended"},
	{"memory", PATH_ROW, QUANTITY_BYTES, "memory_bytes", "memory that the plan counts"},
	{"log_lost", PATH_ROW, QUANTITY_COUNT, "log_lost", "lines and records missing in logs"},
};
const size_t path_rows_count = COUNT_OF(path_rows);

static const struct {
	const char *name;
	enum path_stat stat;
} stats[] = {
	{"min", STAT_MIN},
	{"mean", STAT_MEAN},
	{"stddev", STAT_STDDEV},
	{"max", STAT_MAX},
	{"samples", STAT_SAMPLES},
};

static bool is_latency(const struct path_row *row)
{
	return row->quantity == QUANTITY_TIME && !row->key;
}

/* ---- reading ---- */

/* The row that TEXT is, or begins with before a dot; *ret_rest is what follows. */
static const struct path_row *row_find(const char *text, const char **ret_rest)
{
	for (size_t i = 0; i < path_rows_count; i++) {
		size_t len = strlen(path_rows[i].name);
		if (strncmp(text, path_rows[i].name, len) != 0 ||
			(text[len] && text[len] != '.'))
			continue;
		*ret_rest = text[len] ? text + len + 1 : "";
		return &path_rows[i];
	}
	return NULL;
}

/* "p99.9", "mean". */
static bool stat_read(const char *text, struct path *p)
{
	char *end;

	for (size_t i = 0; i < COUNT_OF(stats); i++) {
		if (strcmp(text, stats[i].name) != 0)
			continue;
		p->stat = stats[i].stat;
		if (p->stat == STAT_SAMPLES)
			p->quantity = QUANTITY_COUNT;
		return true;
	}
	if (text[0] != 'p' || text[1] < '0' || text[1] > '9' ||
		text[strspn(text + 1, "0123456789.") + 1])
		return false;
	double percent = strtod(text + 1, &end);
	p->stat = STAT_QUANTILE;
	p->quantile = percent / 100;
	return !*end && percent > 0 && percent < 100;
}

/* All of TEXT, a path without a job. */
static bool figure_read(const char *text, struct path *p)
{
	const char *rest;

	p->dir = PATH_NO_DIR;
	for (int dir = 0; dir < RESULT_DIRS; dir++) {
		size_t len = strlen(result_dir_name(dir));
		if (strncmp(text, result_dir_name(dir), len) == 0 && text[len] == '.') {
			p->dir = dir;
			text += len + 1;
			break;
		}
	}
	p->row = row_find(text, &rest);
	if (!p->row)
		return false;
	p->quantity = p->row->quantity;
	if ((p->row->scope == PATH_ROW) != (p->dir == PATH_NO_DIR) && p->row->scope != PATH_ALL)
		return false;
	return is_latency(p->row) ? stat_read(rest, p) : !*rest;
}

struct nearest {
	const char *typed;
	char name[64];
	unsigned distance;
};

static void nearest_take(struct nearest *n, const char *dir, const struct path_row *row,
	const char *stat)
{
	char name[64];

	snprintf(name, sizeof(name), "%s%s%s%s%s", dir, *dir ? "." : "", row->name,
		*stat ? "." : "", stat);
	/* A latency without its statistic is no mistyped other figure. */
	size_t len = strlen(n->typed);
	bool begins = *stat && strncmp(name, n->typed, len) == 0 && name[len] == '.';
	unsigned distance = begins ? 0 : str_distance(name, n->typed);
	if (n->name[0] && distance >= n->distance)
		return;
	n->distance = distance;
	memcpy(n->name, name, sizeof(name));
}

static void nearest_row(struct nearest *n, const char *dir, const struct path_row *row)
{
	static const char *const often[] = {"mean", "p50", "p99", "p99.9", "max", "min"};

	if (!is_latency(row))
		nearest_take(n, dir, row, "");
	for (size_t i = 0; i < COUNT_OF(often) && is_latency(row); i++)
		nearest_take(n, dir, row, often[i]);
}

static void nearest_find(struct nearest *n, const char *typed)
{
	n->typed = typed;
	for (size_t i = 0; i < path_rows_count; i++) {
		if (path_rows[i].scope != PATH_DIR)
			nearest_row(n, "", &path_rows[i]);
		for (int dir = 0; dir < RESULT_DIRS && path_rows[i].scope != PATH_ROW; dir++)
			nearest_row(n, result_dir_name(dir), &path_rows[i]);
	}
}

/* What may be meant by TEXT, with and without what could be a job's name. */
static int path_unknown(const char *text, struct err *reterr)
{
	struct nearest n = {0};

	nearest_find(&n, text);
	for (const char *dot = strchr(text, '.'); dot; dot = strchr(dot + 1, '.'))
		nearest_find(&n, dot + 1);
	if (n.distance * 2 > strlen(n.name))
		return err_set(reterr, -EINVAL, "'%s' is no figure; weir help paths lists them",
			text);
	return err_set(reterr, -EINVAL,
		"'%s' is no figure; did you mean '%s'? weir help paths lists them", text,
		n.name);
}

int path_read(struct arena *arena, const char *text, struct path *ret, struct err *reterr)
{
	struct path p = {0};
	const char *at = text;

	if (*text == '"') {
		const char *end = strchr(text + 1, '"');
		if (!end || end[1] != '.' || end == text + 1)
			return err_set(reterr, -EINVAL,
				"a job's name in quotes must be followed by '.' and a figure");
		p.job = arena_bytes(arena, text + 1, (size_t)(end - text) - 1);
		at = end + 2;
		if (!p.job)
			return err_set(reterr, -ENOMEM, "out of memory");
	}
	while (!figure_read(at, &p)) {
		const char *dot = strchr(at, '.');
		if (p.job || !dot)
			return path_unknown(text, reterr);
		at = dot + 1;
		if (!figure_read(at, &p))
			continue;
		p.job = arena_bytes(arena, text, (size_t)(dot - text));
		if (!p.job)
			return err_set(reterr, -ENOMEM, "out of memory");
	}
	*ret = p;
	return 0;
}

/* ---- values ---- */

const struct latency *path_latency(const struct path *p, const struct result_row *row)
{
	if (!is_latency(p->row))
		return NULL;
	if (p->dir == PATH_NO_DIR)
		return row->sync;
	const struct result_dir *d = &row->dir[p->dir];
	const struct {
		const char *name;
		const struct latency *l;
	} kinds[] = {{"lat", d->lat}, {"clat", d->clat}, {"slat", d->slat},
		{"response", d->response}, {"lateness", d->lateness}};
	for (size_t i = 0; i < COUNT_OF(kinds); i++)
		if (strcmp(p->row->name, kinds[i].name) == 0)
			return kinds[i].l;
	return NULL;
}

static bool give(double v, double *ret)
{
	*ret = v;
	return v >= 0;
}

static bool latency_value(const struct path *p, const struct latency *l, double *ret)
{
	uint64_t ns;

	if (!latency_any(l))
		return false;
	switch (p->stat) {
	case STAT_MIN:
		return give((double)l->moments.min, ret);
	case STAT_MAX:
		return give((double)l->moments.max, ret);
	case STAT_MEAN:
		return give(latency_mean(l), ret);
	case STAT_STDDEV:
		return give(latency_stddev(l), ret);
	case STAT_SAMPLES:
		return l->moments.count && give((double)l->moments.count, ret);
	default:
		return latency_find(l, p->quantile, &ns) && give((double)ns, ret);
	}
}

/* Of several: only what was recorded merges. */
static bool latency_values(const struct path *p, const struct result_row *const *rows,
	uint32_t count, double *ret, const char **ret_why)
{
	scope_mem struct latency *all = calloc(1, sizeof(*all));

	for (uint32_t i = 0; all && i < count; i++) {
		const struct latency *l = path_latency(p, rows[i]);
		if (!l)
			continue;
		if (l->told) {
			*ret_why =
				"latencies of several jobs that a report tells don't add up: "
				"use group_reporting";
			return false;
		}
		latency_merge(all, l);
	}
	return all && latency_value(p, all, ret);
}

static bool dir_value(const struct path *p, const struct result_row *row, int dir, double *ret)
{
	struct figure_value v;

	if (!figure_get(figure_find(p->row->key), row, (enum dir)dir, &v))
		return false;
	*ret = v.real;
	return true;
}

/* A figure of all directions: those that were used, added up.  One that was used and
 * isn't known makes the sum unknown. */
static bool row_value(const struct path *p, const struct result_row *row, double *ret)
{
	bool any = false;
	double v;

	if (p->dir != PATH_NO_DIR)
		return (result_dir_used(&row->dir[p->dir]) ||
			       p->row->quantity == QUANTITY_COUNT) &&
		       dir_value(p, row, p->dir, ret);
	if (strcmp(p->row->name, "sync.count") == 0)
		return (!row->told || row->told->syncs) && give((double)row->syncs, ret);
	if (p->row->scope == PATH_ROW)
		return dir_value(p, row, DIR_READ, ret);
	*ret = 0;
	for (int dir = 0; dir < DIRS; dir++) {
		if (!result_dir_used(&row->dir[dir]))
			continue;
		if (!dir_value(p, row, dir, &v))
			return false;
		*ret += v;
		any = true;
	}
	return any || (p->row->quantity == QUANTITY_COUNT && !row->told);
}

bool path_value(const struct path *p, const struct result_row *const *rows, uint32_t count,
	double *ret, const char **ret_why)
{
	double sum = 0, v = 0;
	bool mean = p->row->scope == PATH_ROW && p->row->quantity == QUANTITY_TIME;

	*ret_why = "the result does not hold this figure";
	if (is_latency(p->row) && count == 1)
		return latency_value(p, path_latency(p, rows[0]), ret);
	if (is_latency(p->row))
		return latency_values(p, rows, count, ret, ret_why);
	for (uint32_t i = 0; i < count; i++) {
		if (!row_value(p, rows[i], &v))
			return false;
		sum += v;
	}
	*ret = mean && count ? sum / count : sum;
	return count > 0;
}

/* ---- help ---- */

static void list_units(struct str *out)
{
	str_add(out,
		"\nAn assertion is PATH OP LIMIT [@CONFIDENCE%]; OP is >= <= > < == or !=.\n"
		"  IOPS and counts   430k, 2M                  k is 1000\n"
		"  bytes a second    900MB/s, 860MiB/s, 2GB/s  a unit is needed\n"
		"  times             400us, 10ms, 1s           a unit is needed\n"
		"  bytes             4GiB, 10GB\n"
		"Several stand in one text with commas between them.\n"
		"JOB. in front is for that job only; a name with blanks stands in quotes.\n");
}

void path_list(struct str *out)
{
	str_add(out, "figures that an assertion may name: [JOB.]PATH\n");
	for (size_t i = 0; i < path_rows_count; i++) {
		const struct path_row *row = &path_rows[i];
		scope_with(str_done) struct str form = {0};
		str_addf(&form, "%s%s%s",
			row->scope == PATH_DIR   ? "DIR."
			: row->scope == PATH_ALL ? "[DIR.]"
						 : "",
			row->name, is_latency(row) ? ".STAT" : "");
		str_addf(out, "  %-22s %s\n", str_text(&form), row->help);
	}
	str_add(out,
		"DIR   read, write, trim or mixed; without it all of them together\n"
		"STAT  min, mean, stddev, max, samples or a percentile: p50, p99, p99.95\n");
	list_units(out);
}
