/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What follows the job blocks in fio's classic text: groups, disks, idleness. */
#include "base/bits.h"
#include "base/str.h"
#include "result/import_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- groups ---- */

void text_read_group(struct text_reader *t, const char *body)
{
	uint32_t id = (uint32_t)strtoul(body, NULL, 10);

	t->group = NULL;
	if (t->groups_count == TEXT_GROUPS)
		return;
	t->group = &t->groups[t->groups_count++];
	*t->group = (struct text_group_said){.id = id};
}

static bool rate_take(const char *body, const char *key, double unit_of_k, uint64_t *ret,
	double *ret_step)
{
	struct text_number n;

	if (!text_find(body, key, &n))
		return false;
	double unit = text_size_unit(n.suffix, true);
	if (unit_of_k != 1024 && n.suffix[0] == 'K')
		unit = unit_of_k;
	*ret = text_whole(n.v * unit);
	*ret_step = text_step(&n) * unit;
	return true;
}

/* "io=860504KB, aggrb=430036KB/s, minb=..., maxb=..., mint=2001msec, maxt=2001msec".
 * Until 1.x minb and maxb were of 1000, aggrb of 1024. */
static bool group_old(struct text_reader *t, const char *body, int dir)
{
	struct result_group_dir *d = &t->group->dir[dir];
	double k = t->major == 1 ? 1000 : 1024, least;

	return rate_take(body, "io=", 1024, &d->bytes, &t->group->bytes_step[dir]) &&
	       rate_take(body, "aggrb=", 1024, &d->bw, &t->group->step[dir]) &&
	       rate_take(body, "minb=", k, &d->bw_min, &least) &&
	       rate_take(body, "maxb=", k, &d->bw_max, &least) &&
	       text_find_whole(body, "mint=", &d->run_min_ms) &&
	       text_find_whole(body, "maxt=", &d->run_max_ms);
}

/* "bw=536MiB/s (563MB/s), 204MiB/s-333MiB/s (...), io=538MiB (564MB), run=1001-1002msec" */
static bool group_new(struct text_reader *t, const char *body, int dir)
{
	struct result_group_dir *d = &t->group->dir[dir];
	struct text_number bw, low, high, io, run;
	const char *comma = strchr(body, ',');

	if (!text_find(body, "bw=", &bw) || !comma || !text_number(comma + 1, &low) ||
		*low.end != '-' || !text_number(low.end + 1, &high) ||
		!text_find(body, "io=", &io) || !text_find(body, "run=", &run))
		return false;
	const struct {
		const struct text_number *n;
		uint64_t *to;
	} rates[] = {{&bw, &d->bw}, {&low, &d->bw_min}, {&high, &d->bw_max}, {&io, &d->bytes}};
	for (size_t i = 0; i < COUNT_OF(rates); i++)
		*rates[i].to = text_whole(rates[i].n->v *
					  text_size_unit(rates[i].n->suffix, false));
	t->group->step[dir] = text_step(&bw) * text_size_unit(bw.suffix, false);
	t->group->bytes_step[dir] = text_step(&io) * text_size_unit(io.suffix, false);
	d->run_min_ms = d->run_max_ms = text_whole(run.v);
	if (*run.end == '-' && text_number(run.end + 1, &run))
		d->run_max_ms = text_whole(run.v);
	return true;
}

void text_read_group_line(struct text_reader *t, const char *words, const char *body)
{
	static const char *const names[RESULT_DIRS] = {"READ", "WRITE", "TRIM", "MIXED"};

	for (int dir = 0; t->group && dir < RESULT_DIRS; dir++)
		if (str_starts(words, names[dir]))
			t->group->given[dir] = strstr(body, "aggrb=") ? group_old(t, body, dir)
								      : group_new(t, body, dir);
}

/* What was made of the jobs is the finer figure where it agrees with what is said. */
static uint64_t finer(uint64_t made, uint64_t said, double step)
{
	return fabs((double)made - (double)said) <= step ? made : said;
}

static void group_settle(const struct text_group_said *said, struct result_group *g)
{
	for (int dir = 0; dir < RESULT_DIRS; dir++) {
		const struct result_group_dir *s = &said->dir[dir];
		struct result_group_dir *d = &g->dir[dir];
		double step = said->step[dir];
		if (!said->given[dir])
			continue;
		d->bytes = finer(d->bytes, s->bytes, said->bytes_step[dir]);
		d->bw = finer(d->bw, s->bw, step);
		d->bw_min = finer(d->bw_min, s->bw_min, step);
		d->bw_max = finer(d->bw_max, s->bw_max, step);
		d->run_min_ms = s->run_min_ms;
		d->run_max_ms = s->run_max_ms;
	}
}

void text_groups_end(struct text_reader *t)
{
	struct result *r = t->in.r;

	for (uint32_t i = 0; i < t->groups_count; i++)
		for (uint32_t k = 0; k < r->groups_count; k++)
			if (r->groups[k].id == t->groups[i].id)
				group_settle(&t->groups[i], &r->groups[k]);
}

/* ---- disks ---- */

#define DISKS_MAX 256

static void pair_take(const char *body, const char *key, uint64_t *v)
{
	struct text_number n;

	if (!text_find(body, key, &n))
		return;
	v[0] = text_whole(n.v);
	if (*n.end == '/' && text_number(n.end + 1, &n))
		v[1] = text_whole(n.v);
}

/* PREFIX: "" or "aggr". */
static void counters_read(const char *body, const char *prefix, struct result_disk_counters *c,
	double *ret_util)
{
	const struct {
		const char *key;
		uint64_t *to;
	} pairs[] = {{"ios=", c->ios}, {"sectors=", c->sectors}, {"merge=", c->merges},
		{"ticks=", c->ticks_ms}};
	struct text_number n;
	char key[24];

	for (size_t i = 0; i < COUNT_OF(pairs); i++) {
		snprintf(key, sizeof(key), "%s%s", prefix, pairs[i].key);
		if (i == 2 && *prefix && !strstr(body, key))
			snprintf(key, sizeof(key), "aggrmerges=");
		pair_take(body, key, pairs[i].to);
	}
	snprintf(key, sizeof(key), "%sin_queue=", prefix);
	text_find_whole(body, key, &c->in_queue_ms);
	snprintf(key, sizeof(key), "%sutil=", prefix);
	if (text_find(body, key, &n))
		*ret_util = n.v;
}

void text_read_disk(struct text_reader *t, const char *name, const char *body)
{
	struct result *r = t->in.r;

	if (!r || !t->disks_seen || r->disks_count == DISKS_MAX)
		return;
	if (!r->disks)
		r->disks = import_alloc(&t->in, DISKS_MAX * sizeof(*r->disks));
	if (!r->disks)
		return;
	struct result_disk *d = &r->disks[r->disks_count];
	*d = (struct result_disk){.name = import_copy(&t->in, name)};
	counters_read(body, "", &d->own, &d->own.util_percent);
	d->no_sectors = !strstr(body, "sectors=");
	d->slaves = strstr(body, "aggrutil=") != NULL;
	if (d->slaves)
		counters_read(body, "aggr", &d->mean, &d->util_max);
	r->disks_count += d->name != NULL;
}

/* ---- idleness ---- */

#define CPUS_MAX 4096

static void percpu_read(struct text_reader *t, const char *at)
{
	struct result_idle *idle = &t->in.r->idle;
	double *cpu = idle->cpu ? NULL : import_alloc(&t->in, CPUS_MAX * sizeof(*cpu));
	struct text_number n;

	for (; cpu && idle->cpus < CPUS_MAX && text_number(at, &n); at = n.end + 1) {
		cpu[idle->cpus++] = n.v;
		if (*n.end != ',')
			break;
	}
	if (cpu && idle->cpus)
		idle->cpu = cpu;
}

void text_read_idle(struct text_reader *t, const char *words, const char *body)
{
	struct result *r = t->in.r;
	struct text_number n;

	if (!r || !r->idle.given)
		return;
	if (str_starts(words, "system:") && text_number(strchr(words, ':') + 1, &n))
		r->idle.system = n.v;
	else if (str_starts(words, "percpu:"))
		percpu_read(t, strchr(words, ':') + 1);
	else if (str_starts(words, "unit work:") && text_number(body, &n))
		r->idle.unit_mean_us = n.v;
	if (str_starts(words, "unit work:") && text_find(body, "stddev=", &n))
		r->idle.unit_stddev_us = n.v;
}
