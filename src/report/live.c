/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What fio prints before and during a run: the header line of a job, and the
 * status line. */
#include "base/bits.h"
#include "base/str.h"
#include "report/report.h"
#include "report/scaled.h"

#include <inttypes.h>

static void block_sizes(const struct report_job_head *head, int dir, struct str *out)
{
	static const char letters[] = "RWT";
	unsigned base = head->kb_base == 1000 ? 1000 : 1024;

	str_addf(out, "(%c) ", letters[dir]);
	report_scaled(out, head->bs_min[dir], head->digits, base, "B");
	str_add_char(out, '-');
	report_scaled(out, head->bs_max[dir], head->digits, base, "B");
	str_add(out, ", ");
}

void report_classic_head(const struct report_job_head *head, struct str *out)
{
	str_addf(out, "%s: (g=%" PRIu32 "): rw=%s, bs=", head->name, head->group, head->rw);
	for (int dir = 0; dir < (head->bs_by_order ? 2 : 3); dir++)
		block_sizes(head, dir, out);
	if (head->bs_by_order)
		str_add(out, "bs_is_seq_rand, ");
	str_addf(out, "ioengine=%s, iodepth=%" PRIu32 "\n", head->engine, head->depth);
	if (head->clones)
		str_add(out, "...\n");
}

static void live_limits(const struct run_view_text *view, struct str *out)
{
	if (!view->rate_min && !view->rate_max)
		return;
	if (view->rate_ios) {
		str_addf(out, ", %" PRIu64 "-%" PRIu64 " IOPS", view->rate_min, view->rate_max);
		return;
	}
	str_add(out, ", ");
	report_scaled(out, view->rate_min, 4, 1024, "B/s");
	str_add_char(out, '-');
	report_scaled(out, view->rate_max, 4, 1024, "B/s");
}

static void live_bandwidth(struct str *out, uint64_t bytes_per_s)
{
	scaled_from(out, bytes_per_s / 1024, 4, 1024, 1, "B/s");
}

static void live_ios(struct str *out, uint64_t ios_per_s)
{
	report_scaled(out, ios_per_s, 4, 1000, "");
}

/* "[r=400KiB/s,w=1024KiB/s]": only what moved, nothing when nothing did. */
static void live_flow(const struct run_view_text *view, const uint64_t *per_s,
	void (*print)(struct str *out, uint64_t per_s), const char *unit, struct str *out)
{
	static const char letters[] = "rwt";
	char before = '[';

	for (int dir = 0; dir < 3; dir++) {
		if (!view->moved[dir])
			continue;
		str_addf(out, "%c%c=", before, letters[dir]);
		print(out, per_s[dir]);
		before = ',';
	}
	if (before == ',')
		str_addf(out, "%s]", unit);
}

static void live_eta(uint64_t seconds, struct str *out)
{
	uint64_t minutes = seconds / 60, hours = minutes / 60, days = hours / 24;

	str_add(out, "[eta ");
	if (days)
		str_addf(out, "%02" PRIu64 "d:", days);
	if (hours)
		str_addf(out, "%02" PRIu64 "h:", hours % 24);
	str_addf(out, "%02" PRIu64 "m:%02" PRIu64 "s]", minutes % 60, seconds % 60);
}

void report_live_line(const struct run_view_text *view, struct str *out)
{
	str_addf(out, "Jobs: %" PRIu32 " (f=%" PRIu32 ")", view->running, view->open_files);
	live_limits(view, out);
	if (!view->eta_known || !view->running)
		return;
	str_addf(out, ": [%s]", view->states);
	if (view->percent < 0)
		str_add(out, "[-.-%]");
	else
		str_addf(out, "[%.1f%%]", view->percent);
	live_flow(view, view->bytes_per_s, live_bandwidth, "", out);
	live_flow(view, view->ios_per_s, live_ios, " IOPS", out);
	live_eta(view->eta_s, out);
}
