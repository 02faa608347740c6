/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* fio's log files: lines of numbers.
 *
 *	time_ms, value, direction, bs[, offset][, prio][, issue time]   an I/O each, or a window
 *	time_ms, direction, bs, count, count, ...                       histogram
 *
 * A line doesn't say what its value is: the file's name does ("x_bw.1.log").  With
 * log_avg_msec lines are windows and their bs is 0. What a log doesn't have is the run's
 * length: rates are up to the last line. */
#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "result/import_parts.h"
#include "result/words.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EPOCH_MS 100000000000 /* 1973: times of log_unix_epoch are later */
#define COLUMNS  7            /* at most, of a log that is no histogram   */

enum log_kind {
	LOG_NONE,
	LOG_BW,
	LOG_IOPS,
	LOG_LAT,
	LOG_SLAT,
	LOG_CLAT,
	LOG_HIST,
};

/* Rows of one direction that are windows. */
struct log_windows {
	uint64_t count, last_ms;
	double sum, squares, least, most;
	double total; /* value times length */
};

struct log {
	struct import *in;
	enum log_kind kind;
	size_t line;
	bool windows;
	unsigned coarse; /* log2 of how many bins are one */
	uint64_t start_ms, last_ms;
	bool started;
	struct result_row *row;
	struct log_windows of[DIRS];
};

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

/* How many numbers stand in the line at AT, "1, 2, 0x0003"; 0: something else does. */
static size_t columns(const char *at, const char *end)
{
	size_t n = 0;

	while (at < end) {
		if (!digit(*at))
			return 0;
		while (at < end && (digit(*at) || *at == 'x' || (*at >= 'a' && *at <= 'f')))
			at++;
		n++;
		if (at < end && *at == '\r')
			at++;
		if (at == end)
			return n;
		if (*at != ',')
			return 0;
		for (at++; at < end && *at == ' ';)
			at++;
	}
	return n;
}

static const char *line_end(const char *text, const char *end)
{
	const char *at = memchr(text, '\n', (size_t)(end - text));
	return at ? at : end;
}

/* By the first two lines: the last one may be cut. */
bool import_is_log(const char *text, size_t len)
{
	const char *end = text + len, *first = line_end(text, end);
	size_t n = columns(text, first);

	if (n < 4 || (n > COLUMNS + 1 && n < 32))
		return false;
	if (first == end || first + 1 == end)
		return true;
	const char *second = line_end(first + 1, end);
	return second == end || columns(first + 1, second) == n;
}

static enum log_kind kind_named(const char *name)
{
	static const struct {
		const char *mark;
		enum log_kind kind;
	} marks[] = {{"_bw.", LOG_BW}, {"_iops.", LOG_IOPS}, {"_slat.", LOG_SLAT},
		{"_clat.", LOG_CLAT}, {"_lat.", LOG_LAT}};
	const char *base = strrchr(name, '/');

	for (size_t i = 0; i < COUNT_OF(marks); i++)
		if (strstr(base ? base : name, marks[i].mark))
			return marks[i].kind;
	return LOG_NONE;
}

/* ---- a line ---- */

static int fault(struct log *g, const char *what)
{
	if (g->in->rc == 0)
		g->in->rc = err_set(g->in->err, -EINVAL, "%s: line %zu: %s", g->in->name,
			g->line, what);
	return g->in->rc;
}

static const char *take(const char *at, uint64_t *ret)
{
	char *end;
	*ret = strtoull(at, &end, 0);
	return *end == ',' ? end + 1 + (end[1] == ' ') : end;
}

static uint64_t since_start(struct log *g, uint64_t ms)
{
	if (!g->started)
		g->start_ms = ms >= EPOCH_MS ? ms : 0;
	g->started = true;
	ms = ms > g->start_ms ? ms - g->start_ms : 0;
	g->last_ms = MAX_OF(g->last_ms, ms);
	return ms;
}

static struct latency **latency_place(struct log *g, struct result_dir *d)
{
	return g->kind == LOG_SLAT ? &d->slat : g->kind == LOG_LAT ? &d->lat : &d->clat;
}

static void io_take(struct log *g, struct result_dir *d, int dir, uint64_t ms, uint64_t value,
	uint64_t bytes)
{
	d->ios++;
	d->bytes += bytes;
	series_add(&g->row->series, ms * NS_PER_MS, (enum dir)dir, 1, bytes, NULL, NULL);
	if (g->kind < LOG_LAT)
		return;
	struct latency **l = latency_place(g, d);
	if (!*l)
		*l = import_alloc(g->in, sizeof(**l));
	if (*l)
		latency_record(*l, value);
}

static void window_take(struct log *g, int dir, uint64_t ms, double value)
{
	struct log_windows *w = &g->of[dir];
	double seconds = (double)(ms > w->last_ms ? ms - w->last_ms : 0) / 1000;

	w->least = w->count ? MIN_OF(w->least, value) : value;
	w->most = MAX_OF(w->most, value);
	w->count++;
	w->sum += value;
	w->squares += value * value;
	w->total += value * seconds;
	uint64_t middle = (w->last_ms + ms) / 2 * NS_PER_MS;
	uint64_t amount = (uint64_t)(value * seconds + 0.5);
	if (g->kind == LOG_BW)
		series_add(&g->row->series, middle, (enum dir)dir, 0, amount, NULL, NULL);
	else if (g->kind == LOG_IOPS)
		series_add(&g->row->series, middle, (enum dir)dir, amount, 0, NULL, NULL);
	w->last_ms = MAX_OF(w->last_ms, ms);
}

static void line_take(struct log *g, const char *at)
{
	uint64_t ms, value, dir, bytes;

	at = take(take(take(take(at, &ms), &value), &dir), &bytes);
	if (dir >= DIRS) {
		fault(g,
			"the third number is a direction, 0 to 2; with log_window_value=both logs "
			"have two values, which can't be read");
		return;
	}
	if (ms > UINT64_MAX / NS_PER_MS / 2 || bytes > UINT64_C(1) << 40) {
		fault(g, "a time or a block size is too large for one");
		return;
	}
	ms = since_start(g, ms);
	import_dir_told(&g->row->dir[dir])->present = true;
	if (!bytes && g->line == 1)
		g->windows = true;
	if (g->windows)
		window_take(g, (int)dir, ms, (double)value * (g->kind == LOG_BW ? 1024 : 1));
	else
		io_take(g, &g->row->dir[dir], (int)dir, ms, value, bytes);
}

static void histogram_take(struct log *g, const char *at, size_t n)
{
	uint64_t ms, dir, bytes, ios = 0, count;

	at = take(take(take(at, &ms), &dir), &bytes);
	if (dir >= DIRS || ms > UINT64_MAX / NS_PER_MS / 2) {
		fault(g,
			"a histogram's line begins with time, direction (0 to 2) and block size");
		return;
	}
	struct result_dir *d = &g->row->dir[dir];
	import_dir_told(d)->present = true;
	if (!d->clat)
		d->clat = import_latency(g->in);
	if (!d->clat)
		return;
	for (size_t i = 0; i < n - 3; i++) {
		at = take(at, &count);
		uint32_t bin = (uint32_t)(i << g->coarse) +
			       (g->coarse ? 1u << (g->coarse - 1) : 0);
		if (count && count < UINT64_C(1) << 48)
			histogram_record_bin(&d->clat->histogram, bin, count);
		ios += count < UINT64_C(1) << 48 ? count : 0;
	}
	d->ios += ios;
	series_add(&g->row->series, since_start(g, ms) * NS_PER_MS, (enum dir)dir, ios, 0, NULL,
		NULL);
}

/* ---- all ---- */

static void windows_settle(struct log *g, struct result_dir *d, const struct log_windows *w)
{
	struct result_dir_told *told = import_dir_told(d);
	double n = (double)w->count, mean = n > 0 ? w->sum / n : 0;
	double spread = n > 1 ? (w->squares - n * mean * mean) / (n - 1) : 0;
	struct samples s = {.count = w->count,
		.min = w->least,
		.max = w->most,
		.mean = mean,
		.stddev = sqrt(MAX_OF(spread, 0.0))};

	d->runtime_ns = w->last_ms * NS_PER_MS;
	if (g->kind == LOG_BW) {
		d->bw = s;
		d->bytes = (uint64_t)(w->total + 0.5);
		told->bw = told->bw_count = true;
	} else if (g->kind == LOG_IOPS) {
		d->iops = s;
		d->ios = (uint64_t)(w->total + 0.5);
		told->ios = told->iops = true;
		told->no_bytes = true;
	} else if (result_note_add(g->in->r, "windows", NOTE_INFO, NULL,
			   "%s: %" PRIu64
			   " windows, whose mean latencies are %s to %s; how many I/Os "
			   "each had isn't in the log, so nothing can be said of all",
			   result_dir_name((int)(d - g->row->dir)), w->count,
			   words_time((uint64_t)llround(w->least)).text,
			   words_time((uint64_t)llround(w->most)).text) < 0) {
		import_no_memory(g->in);
	}
}

static void settle(struct log *g)
{
	for (int dir = 0; dir < DIRS; dir++) {
		struct result_dir *d = &g->row->dir[dir];
		struct result_dir_told *told = import_dir_told(d);
		if (!told->present)
			continue;
		if (g->windows) {
			windows_settle(g, d, &g->of[dir]);
			continue;
		}
		d->runtime_ns = MAX_OF(g->last_ms, UINT64_C(1)) * NS_PER_MS;
		told->ios = true;
		told->no_bytes = g->kind == LOG_HIST;
		if (g->kind == LOG_HIST && d->clat && d->clat->histogram.count)
			import_latency_bins(d->clat, &d->clat->histogram);
		else if (g->kind == LOG_HIST)
			d->clat = NULL;
	}
	g->row->runtime_ns = g->last_ms * NS_PER_MS;
	if (g->row->series.failed)
		import_no_memory(g->in);
}

static void row_make(struct log *g)
{
	struct import *in = g->in;
	const char *base = strrchr(in->name, '/');
	struct result_row *row = import_alloc(in, sizeof(*row));

	if (!row)
		return;
	*row = (struct result_row){0};
	import_row_init(in, row);
	if (in->rc < 0)
		return;
	row->name = import_copy(in, base ? base + 1 : in->name);
	row->series.interval_ns = NS_PER_S;
	in->r->rows = g->row = row;
	in->r->rows_count = 1;
	in->r->final = true;
}

static void lines_take(struct log *g, const char *at, size_t len, size_t n)
{
	const char *end = at + len;

	for (g->line = 1; at < end && g->in->rc == 0; g->line++) {
		const char *stop = line_end(at, end);
		size_t here = stop > at ? columns(at, stop) : n;
		if (here != n && stop == end)
			break; /* cut */
		if (here != n)
			fault(g, "has another number of columns than the first line");
		else if (stop > at && g->kind == LOG_HIST)
			histogram_take(g, at, n);
		else if (stop > at)
			line_take(g, at);
		at = stop + 1;
	}
}

void import_log(struct import *in, size_t len)
{
	const char *text = in->text;
	size_t n = columns(text, line_end(text, text + len));
	struct log g = {.in = in, .kind = n >= 32 ? LOG_HIST : kind_named(in->name)};

	if (g.kind == LOG_NONE) {
		in->rc = err_set(in->err, -EINVAL,
			"%s: is an interval log of fio, and its name doesn't say of what: "
			"..._bw.log, _iops, _lat, _slat or _clat (also _bw.1.log) is understood",
			in->name);
		return;
	}
	while (g.kind == LOG_HIST && (n - 3) << g.coarse < HISTOGRAM_FIO_BINS)
		g.coarse++;
	if (g.kind == LOG_HIST && (n - 3) << g.coarse != HISTOGRAM_FIO_BINS) {
		g.line = 1;
		fault(&g,
			"a histogram of fio 3 has 1856 bins, or a half, a quarter, ... of them");
		return;
	}
	row_make(&g);
	if (in->rc == 0)
		lines_take(&g, text, len, n);
	if (in->rc == 0)
		settle(&g);
}
