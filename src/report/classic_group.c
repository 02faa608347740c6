/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What stands below the job blocks of fio's normal output. */
#include "base/bits.h"
#include "base/str.h"
#include "report/classic.h"
#include "report/scaled.h"
#include "result/result.h"
#include "result/style.h"

#include <inttypes.h>

/* Style of the group's first job decides for its summary. */
static const struct result_style *group_style(const struct result *r, uint32_t id)
{
	for (uint32_t i = 0; i < r->rows_count; i++)
		if (r->rows[i].group == id && !result_row_hidden(&r->rows[i]))
			return fio_style(&r->rows[i]);
	return fio_style(NULL);
}

/* From slowest to fastest of what is reported: a row with several members counts as
 * one here, as in fio. The sums are the group's. */
static struct result_group_dir with_rows_range(const struct result *r,
	const struct result_group *g, int dir)
{
	struct result_group_dir sum = g->dir[dir];
	bool any = false;

	for (uint32_t i = 0; i < r->rows_count; i++) {
		const struct result_row *row = &r->rows[i];
		const struct result_dir *d = &row->dir[dir];
		uint64_t ms = result_runtime_ms(d);
		if (row->group != g->id || row->told || result_row_hidden(row) || !d->bytes ||
			!ms || !result_shows(row, dir))
			continue;
		uint64_t bw = mul_div(d->bytes, 1000, ms);
		sum.bw_min = any ? MIN_OF(sum.bw_min, bw) : bw;
		sum.bw_max = any ? MAX_OF(sum.bw_max, bw) : bw;
		sum.run_min_ms = any ? MIN_OF(sum.run_min_ms, ms) : ms;
		any = true;
	}
	return sum;
}

static void rate_range(const struct result_group_dir *d, const struct result_style *style,
	bool second, struct str *out)
{
	scaled_rate(out, d->bw_min, style, second);
	str_add_char(out, '-');
	scaled_rate(out, d->bw_max, style, second);
}

static void group_line(const char *label, const struct result_group_dir *d,
	const struct result_style *style, struct str *out)
{
	if (!d->run_max_ms)
		return;
	str_addf(out, "%7s: bw=", label);
	scaled_rates(out, d->bw, style);
	str_add(out, ", ");
	rate_range(d, style, false, out);
	str_add(out, " (");
	rate_range(d, style, true, out);
	str_add(out, "), io=");
	scaled_bytes(out, d->bytes, style, false);
	str_add(out, " (");
	scaled_bytes(out, d->bytes, style, true);
	str_addf(out, "), run=%" PRIu64 "-%" PRIu64 "msec\n", d->run_min_ms, d->run_max_ms);
}

void classic_groups(const struct result *r, struct str *out)
{
	static const char *const labels[RESULT_DIRS] = {"READ", "WRITE", "TRIM", "MIXED"};

	for (uint32_t i = 0; i < r->groups_count; i++) {
		const struct result_group *g = &r->groups[i];
		str_addf(out, "\nRun status group %" PRIu32 " (all jobs):\n", g->id);
		for (int dir = 0; dir < RESULT_DIRS; dir++) {
			struct result_group_dir d = with_rows_range(r, g, dir);
			group_line(labels[dir], &d, group_style(r, g->id), out);
		}
	}
}

static void disk_counters(const struct result_disk_counters *c, const char *prefix,
	const char *sectors, double util, struct str *out)
{
	str_addf(out, "%sios=%" PRIu64 "/%" PRIu64, prefix, c->ios[0], c->ios[1]);
	if (sectors)
		str_addf(out, ", %s=%" PRIu64 "/%" PRIu64, sectors, c->sectors[0],
			c->sectors[1]);
	str_addf(out, ", %smerge=%" PRIu64 "/%" PRIu64, prefix, c->merges[0], c->merges[1]);
	str_addf(out, ", %sticks=%" PRIu64 "/%" PRIu64, prefix, c->ticks_ms[0], c->ticks_ms[1]);
	str_addf(out, ", %sin_queue=%" PRIu64 ", %sutil=%.2f%%", prefix, c->in_queue_ms, prefix,
		util);
}

void classic_idle(const struct result *r, struct str *out)
{
	const struct result_idle *idle = &r->idle;
	const char *comma = "";

	if (!idle->given)
		return;
	str_addf(out, "\nCPU idleness:\n  system: %3.2f%%\n", idle->system);
	if (idle->cpu) {
		str_add(out, "  percpu: ");
		for (uint32_t i = 0; i < idle->cpus; i++) {
			if (idle->cpu[i] < 0)
				continue;
			str_addf(out, "%s%3.2f%%", comma, idle->cpu[i]);
			comma = ", ";
		}
		str_add_char(out, '\n');
	}
	str_addf(out, "  unit work: mean=%3.2fus, stddev=%3.2f\n", idle->unit_mean_us,
		idle->unit_stddev_us);
}

void classic_disks(const struct result *r, struct str *out)
{
	if (!r->disks_count)
		return;
	str_add(out, "\nDisk stats (read/write):\n");
	for (uint32_t i = 0; i < r->disks_count; i++) {
		const struct result_disk *d = &r->disks[i];
		str_addf(out, "%s%s: ", d->slaves ? "    " : "  ", d->name);
		disk_counters(&d->own, "", d->no_sectors ? NULL : "sectors",
			d->own.util_percent, out);
		if (d->slaves) {
			str_add(out, ", ");
			/* Without the second r: fio's spelling. */
			disk_counters(&d->mean, "aggr", d->no_sectors ? NULL : "aggsectors",
				d->util_max, out);
		}
		str_add_char(out, '\n');
	}
}
