/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "report/table_lines.h"

#include "base/bits.h"

struct walk {
	const struct result *r;
	void (*fn)(void *ctx, const struct line *line);
	void *ctx;
	bool clat;
};

bool lines_show_clat(const struct result *r)
{
	for (uint32_t i = 0; i < r->rows_count; i++)
		for (int dir = 0; dir < DIRS; dir++)
			if (r->rows[i].dir[dir].lat &&
				result_latency(&r->rows[i].dir[dir]) == r->rows[i].dir[dir].lat)
				return false;
	return true;
}

static void send_line(const struct walk *w, struct line *line)
{
	w->fn(w->ctx, line);
	line->first = false;
}

static void send_direction(const struct walk *w, struct line *line)
{
	const struct result_verify *v = line->row->verify;
	const struct result_dir *d = &line->row->dir[line->slot];

	if (v && v->again.ios && line->slot == DIR_READ)
		d = &v->own; /* what was read back has a line of its own */
	if (!result_dir_used(d))
		return;
	line->dir = d;
	line->kind = LINE_SERVICE;
	line->latency = w->clat && d->clat ? d->clat : d->lat;
	send_line(w, line);
	if (d->response) {
		line->kind = LINE_RESPONSE;
		line->latency = d->response;
		send_line(w, line);
	}
	if (d->lateness) {
		line->kind = LINE_LATENESS;
		line->latency = d->lateness;
		send_line(w, line);
	}
}

/* More of them are a list for a program: JSON has them all. */
#define LINES_TARGETS_MAX 8

static void send_targets(const struct walk *w, struct line *line)
{
	const struct result_row *row = line->row;

	line->kind = LINE_TARGET;
	for (uint32_t i = 0; i < row->targets_count && row->targets_count <= LINES_TARGETS_MAX;
		i++) {
		line->target = &row->targets[i];
		line->target_first = true;
		for (int dir = 0; dir < DIRS; dir++) {
			const struct result_dir *d = &line->target->dir[dir];
			if (!d->ios && !d->errors && !latency_any(d->lat))
				continue;
			line->slot = dir;
			line->latency = d->lat;
			send_line(w, line);
			line->target_first = false;
		}
	}
}

static void send_row(const struct walk *w, const struct result_row *row)
{
	struct line line = {.row = row, .first = true};
	unsigned used = 0;

	for (int dir = 0; dir < DIRS; dir++)
		used += result_dir_used(&row->dir[dir]);
	line.only = used == 1;
	for (int dir = 0; dir < RESULT_DIRS; dir++) {
		line.slot = dir;
		if (result_shows(row, dir) && result_dir_used(&row->dir[dir]))
			send_direction(w, &line);
	}
	send_targets(w, &line);
	if (row->verify && row->verify->again.ios) {
		line.kind = LINE_VERIFY;
		line.dir = &row->verify->again;
		line.latency = row->verify->again.lat;
		send_line(w, &line);
	}
	if (latency_any(row->sync)) {
		line.kind = LINE_SYNC;
		line.latency = row->sync;
		send_line(w, &line);
	}
	if (line.first) {
		line.kind = LINE_NOTHING;
		line.latency = NULL;
		send_line(w, &line);
	}
	if (row->end != END_DONE || row->partial) {
		line.kind = LINE_END;
		line.latency = NULL;
		send_line(w, &line);
	}
}

static void send_together(const struct walk *w, const struct result_row *last)
{
	struct line line = {.kind = LINE_TOGETHER, .row = last, .first = true};
	bool together[DIRS];
	unsigned used = 0;

	for (int dir = 0; dir < DIRS; dir++) {
		together[dir] = result_together(w->r, last->group, (enum dir)dir,
			&line.together);
		used += together[dir];
	}
	line.only = used == 1;
	for (int dir = 0; dir < DIRS; dir++) {
		if (!together[dir])
			continue;
		line.slot = dir;
		result_together(w->r, last->group, (enum dir)dir, &line.together);
		send_line(w, &line);
	}
}

void lines_each(const struct result *r, void (*fn)(void *ctx, const struct line *line),
	void *ctx)
{
	const struct walk w = {.r = r, .fn = fn, .ctx = ctx, .clat = lines_show_clat(r)};
	const struct result_row *last = NULL;

	for (uint32_t i = 0; i < r->rows_count; i++) {
		const struct result_row *row = &r->rows[i];
		if (result_row_hidden(row))
			continue;
		if (last && last->group != row->group)
			send_together(&w, last);
		send_row(&w, row);
		last = row;
	}
	if (last)
		send_together(&w, last);
}
