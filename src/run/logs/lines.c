/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/logs/lines.h"

#include "base/bits.h"

#include <string.h>

/* A line in the making: nine numbers at most. */
struct line {
	char text[9 * 24];
	size_t len;
};

#define LINE_COPY 32 /* a time and its comma are shorter: a copy of a fixed size is quick */

#define TEN(d) d "0", d "1", d "2", d "3", d "4", d "5", d "6", d "7", d "8", d "9"
static const char line_pairs[100][3] = {TEN("0"), TEN("1"), TEN("2"), TEN("3"), TEN("4"),
	TEN("5"), TEN("6"), TEN("7"), TEN("8"), TEN("9")};

static unsigned line_digits(uint64_t v)
{
	unsigned n = 1;
	for (uint64_t limit = 10; n < 20 && v >= limit; n++)
		limit *= 10;
	return n;
}

/* Two digits a division: text logs are made of little else. */
static void line_number(struct line *line, uint64_t v)
{
	char *end = line->text + (line->len += line_digits(v));

	while (v >= 100) {
		end -= 2;
		memcpy(end, line_pairs[v % 100], 2);
		v /= 100;
	}
	if (v >= 10)
		memcpy(end - 2, line_pairs[v], 2);
	else
		end[-1] = (char)('0' + v);
}

static void line_comma(struct line *line)
{
	line->text[line->len++] = ',';
	line->text[line->len++] = ' ';
}

static void line_column(struct line *line, uint64_t v)
{
	line_comma(line);
	line_number(line, v);
}

#define IOPRIO_CLASS_SHIFT 13
#define IOPRIO_CLASS_RT    1

static void line_prio(struct line *line, const struct log_style *s, uint16_t own)
{
	static const char hex[] = "0123456789abcdef";
	uint16_t prio = own ? own : s->job_prio;

	line_comma(line);
	if (!s->prio) {
		line->text[line->len++] = prio >> IOPRIO_CLASS_SHIFT == IOPRIO_CLASS_RT ? '1'
											: '0';
		return;
	}
	line->text[line->len++] = '0';
	line->text[line->len++] = 'x';
	for (int shift = 12; shift >= 0; shift -= 4)
		line->text[line->len++] = hex[prio >> shift & 15];
}

static void line_put(struct line *line, const struct log_sink *to)
{
	line->text[line->len++] = '\n';
	to->put(to->ctx, line->text, line->len);
}

/* ---- a line an I/O ---- */

/* Five logs differ in the value only: what is around it is written once. */
struct around {
	struct line head, tail;
};

static void around_io(const struct log_style *s, const struct log_io *io, struct around *ret)
{
	ret->head.len = 0;
	line_number(&ret->head, s->epoch_ms + io->time_ns / NS_PER_MS);
	line_comma(&ret->head);
	ret->tail.len = 0;
	line_column(&ret->tail, (uint64_t)io->dir);
	line_column(&ret->tail, io->bytes);
	if (s->offset)
		line_column(&ret->tail, io->offset);
	line_prio(&ret->tail, s, io->prio);
}

static void lines_io_value(const struct log_lines *l, enum plan_log_kind kind, uint64_t value,
	uint64_t issued_ns, const struct around *around)
{
	struct line line;

	if (!l->to[kind].put)
		return;
	line.len = around->head.len;
	memcpy(line.text, around->head.text, LINE_COPY);
	line_number(&line, value);
	memcpy(line.text + line.len, around->tail.text, around->tail.len);
	line.len += around->tail.len;
	if (l->style.issue_time)
		line_column(&line, issued_ns);
	line_put(&line, &l->to[kind]);
}

static void lines_io(void *ctx, const struct log_io *io)
{
	const struct log_lines *l = ctx;
	uint64_t issued = io->time_ns - MIN_OF(io->clat_ns, io->time_ns);
	struct around around;

	around_io(&l->style, io, &around);
	if (io->rate) {
		uint64_t bw = (uint64_t)io->bytes * 1000000 / MAX_OF(io->clat_ns, UINT64_C(1));
		lines_io_value(l, PLAN_LOG_BW, bw, 0, &around);
		lines_io_value(l, PLAN_LOG_IOPS, 1, 0, &around);
	}
	if (io->latency) {
		lines_io_value(l, PLAN_LOG_SLAT, io->slat_ns, issued, &around);
		lines_io_value(l, PLAN_LOG_CLAT, io->clat_ns, issued, &around);
		lines_io_value(l, PLAN_LOG_LAT, io->lat_ns, 0, &around);
	}
}

/* ---- a line a window ---- */

static void lines_window_value(const struct log_lines *l, enum plan_log_kind kind, enum dir dir,
	uint64_t end_ns, uint64_t mean, uint64_t max)
{
	const struct log_style *s = &l->style;
	struct line line = {.len = 0};

	if (!l->to[kind].put)
		return;
	line_number(&line, s->epoch_ms + div_up(end_ns, NS_PER_MS));
	line_column(&line, s->value == PLAN_LOG_MAX ? max : mean);
	if (s->value == PLAN_LOG_BOTH)
		line_column(&line, max);
	line_column(&line, (uint64_t)dir);
	line_column(&line, 0);
	if (s->offset)
		line_column(&line, 0);
	line_prio(&line, s, 0);
	if (s->issue_time)
		line_column(&line, 0);
	line_put(&line, &l->to[kind]);
}

static uint64_t lines_per(uint64_t amount, uint64_t times, uint64_t per)
{
	return per ? mul_div(amount, times, per) : 0;
}

static void lines_sum(const struct log_lines *l, enum dir dir, uint64_t index, uint64_t end_ns,
	const struct log_sum *sum)
{
	uint64_t length = end_ns - MIN_OF(index * l->style.window_ns, end_ns);
	uint64_t bw = lines_per(sum->bytes, NS_PER_S, length) / 1024;
	uint64_t iops = lines_per(sum->ios, NS_PER_S, length);
	uint64_t n = sum->count, half = n / 2; /* to the nearest */

	lines_window_value(l, PLAN_LOG_BW, dir, end_ns, bw, bw);
	lines_window_value(l, PLAN_LOG_IOPS, dir, end_ns, iops, iops);
	if (!n)
		return;
	lines_window_value(l, PLAN_LOG_SLAT, dir, end_ns, (sum->slat_sum + half) / n,
		sum->slat_max);
	lines_window_value(l, PLAN_LOG_CLAT, dir, end_ns, (sum->clat_sum + half) / n,
		sum->clat_max);
	lines_window_value(l, PLAN_LOG_LAT, dir, end_ns, (sum->lat_sum + half) / n,
		sum->lat_max);
}

/* Windows before window INDEX in which nothing happened. */
static void lines_zeros(struct log_lines *l, uint64_t index)
{
	static const struct log_sum nothing = {0};

	for (; l->next_window < index; l->next_window++)
		for (int d = 0; d < DIRS; d++)
			if (l->style.use[d])
				lines_sum(l, (enum dir)d, l->next_window,
					(l->next_window + 1) * l->style.window_ns, &nothing);
}

void log_lines_window(struct log_lines *l, enum dir dir, uint64_t index, uint64_t end_ns,
	const struct log_sum *sum)
{
	lines_zeros(l, index);
	lines_sum(l, dir, index, end_ns, sum);
	l->next_window = index; /* the next direction may still come */
	for (int d = (int)dir + 1; d < DIRS; d++)
		if (l->style.use[d])
			return;
	l->next_window = index + 1;
}

void log_lines_end(struct log_lines *l, uint64_t end_ns)
{
	uint64_t window = l->style.window_ns;
	uint64_t index = window ? end_ns / window : 0;

	if (!window)
		return;
	lines_zeros(l, index);
	if (index < l->next_window || index * window == end_ns)
		return;
	static const struct log_sum nothing = {0};
	for (int d = 0; d < DIRS; d++)
		if (l->style.use[d])
			lines_sum(l, (enum dir)d, index, end_ns, &nothing);
	l->next_window = index + 1;
}

static void lines_window(void *ctx, enum dir dir, uint64_t index, uint64_t end_ns,
	const struct log_sum *sum)
{
	log_lines_window(ctx, dir, index, end_ns, sum);
}

static void lines_ended(void *ctx, uint64_t end_ns, uint64_t ios)
{
	(void)ios;
	log_lines_end(ctx, end_ns);
}

/* ---- a line of bins ---- */

static void lines_hist(void *ctx, enum dir dir, uint64_t end_ns, const uint64_t *bins)
{
	struct log_lines *l = ctx;
	const struct log_sink *to = &l->to[PLAN_LOG_HIST];
	unsigned step = 1u << l->style.coarseness;
	struct line line = {.len = 0};

	if (!to->put)
		return;
	line_number(&line, l->style.epoch_ms + div_up(end_ns, NS_PER_MS));
	line_column(&line, (uint64_t)dir);
	line_column(&line, l->style.bytes_max[dir]);
	for (unsigned i = 0; i < HISTOGRAM_FIO_BINS; i += step) {
		uint64_t count = 0;
		for (unsigned k = 0; k < step && i + k < HISTOGRAM_FIO_BINS; k++)
			count += bins[i + k];
		line_column(&line, count);
		if (line.len > sizeof(line.text) - 24) {
			to->put(to->ctx, line.text, line.len);
			line.len = 0;
		}
	}
	line_put(&line, to);
}

struct log_listener log_lines_listener(struct log_lines *l)
{
	return (struct log_listener){
		.ctx = l,
		.io = l->each ? lines_io : NULL,
		.window = l->each ? NULL : lines_window,
		.hist = lines_hist,
		.end = l->each ? NULL : lines_ended,
	};
}
