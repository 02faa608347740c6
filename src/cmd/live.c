/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/live.h"

#include "base/bits.h"
#include "base/str.h"
#include "cmd/face.h"
#include "cmd/flags.h"
#include "cmd/output.h"
#include "report/report.h"
#include "run/run.h"
#include "stat/precision.h"
#include "stat/uncertainty.h"
#include "sys/clock.h"

#include <sys/ioctl.h>
#include <unistd.h>

#define LAYOUT_DIGITS 4

static size_t terminal_columns(int fd)
{
	struct winsize size;
	return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void live_init(struct live *live, const struct face *face, const struct flags *flags,
	uint32_t formats)
{
	int fd = face->live_on_stderr ? STDERR_FILENO : STDOUT_FILENO;
	bool among_documents = !face->live_on_stderr && !flags->output &&
			       !(formats & FORMAT_CLASSIC);
	bool wanted = flags->eta == ETA_ALWAYS || (flags->eta == ETA_AUTO && isatty(fd));
	*live = (struct live){
		.fd = wanted && !among_documents ? fd : -1,
		.native = face->native,
		.leave = !face->live_on_stderr,
		.newline_ns = flags->eta_newline_ns,
		.columns = terminal_columns(fd),
	};
}

static void layout_line(const struct run_view *view, struct str *out)
{
	str_addf(out, "laying out files: %.0f%% of ",
		100.0 * (double)view->layout_bytes / (double)view->layout_total);
	report_scaled(out, view->layout_total, LAYOUT_DIGITS, 1024, "B");
}

/* What one second counts is known to its root (stat/uncertainty.h); bandwidth has three
 * digits anyway.  As fio the line is fio's. */
static uint64_t known_ios(const struct live *live, uint64_t ios)
{
	double v = (double)ios, error = v * uncertainty_count(ios, 1);

	return live->native ? (uint64_t)precision_round(v, precision_place(v, error)) : ios;
}

static void running_line(const struct live *live, const struct run_view *view, struct str *out)
{
	struct run_view_text text = {
		.running = view->running,
		.open_files = view->open_files,
		.states = view->states,
		.rate_min = view->rate_min,
		.rate_max = view->rate_max,
		.rate_ios = view->rate_ios,
		.eta_known = view->eta_known,
		.eta_s = view->eta_s,
		.percent = view->percent,
	};
	for (int d = 0; d < 3; d++) {
		text.bytes_per_s[d] = view->flow[d].bytes_per_s;
		text.ios_per_s[d] = known_ios(live, view->flow[d].ios_per_s);
		text.moved[d] = view->flow[d].moved;
	}
	report_live_line(&text, out);
}

static void cover(struct str *line, size_t shown)
{
	while (line->len < shown && !line->failed)
		str_add_char(line, ' ');
	str_add_char(line, '\r');
}

static void draw(struct live *live, const struct str *line)
{
	if (!line->failed && output_write(live->fd, str_text(line), line->len) < 0)
		live->fd = -1; /* its reader has gone; the run goes on */
}

void live_show(struct live *live, const struct run_view *view)
{
	if (live->fd < 0 || (view->layout_total && !live->native))
		return;
	struct str text = {0};
	if (view->layout_total)
		layout_line(view, &text);
	else
		running_line(live, view, &text);
	size_t len = text.len;
	if (live->columns > 1)
		len = MIN_OF(len, live->columns - 1);

	struct str line = {0};
	uint64_t now_ns = clock_kernel_ns();
	if (!live->line_began_ns)
		live->line_began_ns = now_ns;
	if (live->newline_ns && live->shown &&
		now_ns - live->line_began_ns >= live->newline_ns) {
		str_add_char(&line, '\n');
		live->line_began_ns = now_ns;
		live->shown = 0;
	}
	size_t begins = line.len;
	str_add_bytes(&line, str_text(&text), len);
	cover(&line, begins + live->shown);
	draw(live, &line);
	live->shown = len;
	str_done(&text);
	str_done(&line);
}

void live_clear(struct live *live)
{
	if (live->fd < 0 || !live->shown)
		return;
	struct str line = {0};
	cover(&line, live->shown);
	draw(live, &line);
	live->shown = 0;
	str_done(&line);
}

void live_end(struct live *live)
{
	if (!live->leave)
		live_clear(live);
	live->fd = -1;
}
