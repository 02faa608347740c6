/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Is it the load that is meant?  What was run, against the trace that it shall be like. */
#include "result/notes/notes.h"

#include "base/bits.h"
#include "base/plain.h"
#include "base/str.h"
#include "result/work.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What counts as another load: so many points, or so many times. */
#define MIX_POINTS    10.0
#define RANDOM_POINTS 25.0
#define SIZE_TIMES    1.5
#define RATE_TIMES    1.5
#define DEPTH_TIMES   2.0
#define SYNCS_TIMES   3.0
#define SYNCS_LEAST   1.0 /* per 100 writes: fewer don't matter */

/* ---- what was run ---- */

/* Sums over rows. */
struct load {
	uint64_t ios[DIRS], bytes[DIRS], syncs;
	double random, known_random; /* I/Os */
	double ios_per_s;
	uint32_t depth_low, depth_high; /* bins of depth are octaves */
	bool depth_known;
	bool paced; /* what is in flight is the device's doing then */
};

/* As a trace counts: a request that doesn't begin where one ended is at random.  So of
 * rand...:N one in N is, or each where the others repeat its offset; and each that
 * leaves a gap (read:4k) is. */
static double random_by_argument(const struct note_case *c, bool random, const char *argument)
{
	const char *sequencer = note_option(c, "rw_sequencer");
	unsigned long n = strtoul(argument, NULL, 0);

	if (!random)
		return n || *argument == '-' ? 1 : 0;
	return n > 1 && !(sequencer && !strcmp(sequencer, "identical")) ? 1 / (double)n : 1;
}

/* Percent of DIR's offsets that are random, by the options; < 0: the trace says it. */
static double random_of(const struct note_case *c, enum dir dir)
{
	const char *rw = note_option(c, "rw"), *share = note_option(c, "percentage_random");

	if (c->row->replay.on)
		return -1;
	rw = rw ? rw : note_option(c, "readwrite");
	if (!rw)
		return 0;
	bool random = str_starts(rw, "rand");
	const char *argument = strchr(rw, ':');
	double part = argument ? random_by_argument(c, random, argument + 1) : random;
	if (!random)
		return 100 * part;
	for (int i = 0; share && i < (int)dir; i++) {
		const char *next = strpbrk(share, ",");
		if (!next)
			break; /* the last one is that of all others */
		share = next + 1;
	}
	return (share && *share ? strtod(share, NULL) : 100) * part;
}

static uint32_t median_bin(const uint64_t *depths)
{
	uint64_t all = 0, sum = 0;
	uint32_t i = 0;

	for (int k = 0; k < RESULT_DEPTHS; k++)
		all += depths[k];
	while (i < RESULT_DEPTHS - 1 && (sum += depths[i]) * 2 < all)
		i++;
	return i;
}

static void load_depth(struct load *l, const struct result_row *row)
{
	uint32_t bin = median_bin(row->depths), members = MAX_OF(row->members, 1u);
	bool counted = false;

	for (int k = 0; k < RESULT_DEPTHS; k++)
		counted |= row->depths[k] != 0;
	if (!counted)
		return;
	l->depth_known = true;
	uint32_t most = bin == RESULT_DEPTHS - 1 ? MAX_OF(row->depth, 64u) : (2u << bin) - 1;
	l->depth_low += members << bin;
	l->depth_high += members * most;
}

static void load_row(struct load *l, const struct note_case *c)
{
	const struct result_row *row = c->row;

	for (int d = 0; d < DIRS; d++) {
		const struct result_dir *dir = &row->dir[d];
		double share = random_of(c, (enum dir)d), iops = result_iops(dir);
		l->ios[d] += dir->ios;
		l->bytes[d] += dir->bytes;
		l->ios_per_s += MAX_OF(iops, 0.0);
		l->paced |= dir->asked_per_s > 0 || row->replay.on;
		if (share < 0 || d == DIR_TRIM)
			continue;
		l->known_random += (double)dir->ios;
		l->random += (double)dir->ios * share / 100;
	}
	l->syncs += row->syncs;
	load_depth(l, row);
}

static uint64_t load_ios(const struct load *l)
{
	return l->ios[DIR_READ] + l->ios[DIR_WRITE] + l->ios[DIR_TRIM];
}

static bool group_is_new(const struct result *r, uint32_t at)
{
	for (uint32_t i = 0; i < at; i++)
		if (r->rows[i].group == r->rows[at].group)
			return false;
	return true;
}

static void load_group(struct load *l, const struct result *r, uint32_t group)
{
	*l = (struct load){0};
	for (uint32_t i = 0; i < r->rows_count; i++)
		if (r->rows[i].group == group && !result_row_hidden(&r->rows[i]))
			load_row(l, &(struct note_case){.result = r, .row = &r->rows[i]});
}

/* Groups run one after the other, mostly: the one that did the most. */
static void load_of(const struct result *r, struct load *ret)
{
	struct load one;

	*ret = (struct load){0};
	for (uint32_t i = 0; i < r->rows_count; i++) {
		if (!group_is_new(r, i))
			continue;
		load_group(&one, r, r->rows[i].group);
		if (load_ios(&one) > load_ios(ret))
			*ret = one;
	}
}

static double mean_size(const struct load *l, enum dir dir)
{
	return l->ios[dir] ? (double)l->bytes[dir] / (double)l->ios[dir] : NAN;
}

static struct work work_of(const struct load *l)
{
	return (struct work){
		.requests = load_ios(l),
		.ios_per_s = l->ios_per_s,
		.read_percent = 100 * (double)l->ios[DIR_READ] / (double)load_ios(l),
		.read_bytes = mean_size(l, DIR_READ),
		.write_bytes = mean_size(l, DIR_WRITE),
		.random_percent = l->known_random > 0 ? 100 * l->random / l->known_random : NAN,
		.depth = l->depth_known ? (double)l->depth_low : NAN,
		.syncs_percent = l->ios[DIR_WRITE]
					 ? 100 * (double)l->syncs / (double)l->ios[DIR_WRITE]
					 : NAN,
	};
}

/* ---- is it like it? ---- */

struct unlike {
	struct note_found *f;
	char text[800];
	const char *comma;
};

static void differs(struct unlike *u, const char *key, const char *like_key, double is,
	double like, const char *fmt, ...) __attribute__((format(printf, 6, 7)));

static void differs(struct unlike *u, const char *key, const char *like_key, double is,
	double like, const char *fmt, ...)
{
	size_t len = strlen(u->text);
	va_list ap;

	len += (size_t)snprintf(u->text + len, sizeof(u->text) - len, "%s", u->comma);
	va_start(ap, fmt);
	vsnprintf(u->text + len, sizeof(u->text) - len, fmt, ap);
	va_end(ap);
	u->comma = ", ";
	note_number(u->f, key, is);
	note_number(u->f, like_key, like);
}

static bool times_off(double is, double like, double times)
{
	return is > 0 && like > 0 && (is > like * times || like > is * times);
}

/* NaN compares as no difference. */
static void compare_mix(struct unlike *u, const struct work *is, const struct work *like)
{
	if (fabs(is->read_percent - like->read_percent) > MIX_POINTS)
		differs(u, "read_percent", "like_read_percent", is->read_percent,
			like->read_percent, "%.0f %% reads (there %.0f %%)", is->read_percent,
			like->read_percent);
	if (fabs(is->random_percent - like->random_percent) > RANDOM_POINTS)
		differs(u, "random_percent", "like_random_percent", is->random_percent,
			like->random_percent, "%.0f %% at random (there %.0f %%)",
			is->random_percent, like->random_percent);
}

static void compare_sizes(struct unlike *u, const struct work *is, const struct work *like)
{
	if (times_off(is->read_bytes, like->read_bytes, SIZE_TIMES))
		differs(u, "read_bytes", "like_read_bytes", is->read_bytes, like->read_bytes,
			"reads of %s KiB in the mean (there %s)",
			plain_number(is->read_bytes / 1024, 4).text,
			plain_number(like->read_bytes / 1024, 4).text);
	if (times_off(is->write_bytes, like->write_bytes, SIZE_TIMES))
		differs(u, "write_bytes", "like_write_bytes", is->write_bytes,
			like->write_bytes, "writes of %s KiB in the mean (there %s)",
			plain_number(is->write_bytes / 1024, 4).text,
			plain_number(like->write_bytes / 1024, 4).text);
}

static void compare_pace(struct unlike *u, const struct load *l, const struct work *is,
	const struct work *like)
{
	if (l->depth_known && !l->paced && like->depth > 0 &&
		(like->depth > l->depth_high * DEPTH_TIMES ||
			l->depth_low > like->depth * DEPTH_TIMES))
		differs(u, "depth", "like_depth", is->depth, like->depth,
			"%.0f%s in flight (there %.0f)", is->depth,
			l->depth_high > l->depth_low ? " or more" : "", like->depth);
	if (times_off(is->ios_per_s, like->ios_per_s, RATE_TIMES))
		differs(u, "ios_per_s", "like_ios_per_s", is->ios_per_s, like->ios_per_s,
			"%.*f IOPS (there %.*f)", is->ios_per_s < 10, is->ios_per_s,
			like->ios_per_s < 10, like->ios_per_s);
}

static void compare_syncs(struct unlike *u, const struct work *is, const struct work *like)
{
	if (MAX_OF(is->syncs_percent, like->syncs_percent) < SYNCS_LEAST ||
		isnan(is->syncs_percent) || isnan(like->syncs_percent))
		return;
	if (!(is->syncs_percent > 0) || !(like->syncs_percent > 0) ||
		times_off(is->syncs_percent, like->syncs_percent, SYNCS_TIMES))
		differs(u, "syncs_percent", "like_syncs_percent", is->syncs_percent,
			like->syncs_percent, "%s syncs per 100 writes (there %s)",
			plain_number(is->syncs_percent, 3).text,
			plain_number(like->syncs_percent, 3).text);
}

static bool unlike_work(const struct note_case *c, struct note_found *f)
{
	const struct work *like = c->result->like;
	struct unlike u = {.f = f, .comma = ""};
	struct load l;

	if (!like || !c->result->final)
		return false;
	load_of(c->result, &l);
	if (!load_ios(&l))
		return false;
	const struct work is = work_of(&l);
	compare_mix(&u, &is, like);
	compare_sizes(&u, &is, like);
	compare_pace(&u, &l, &is, like);
	compare_syncs(&u, &is, like);
	if (!*u.text)
		return false;
	note_remedy(f,
		"weir trace --job %s makes a job that is like it; read_iolog=%s replays it",
		like->trace, like->trace);
	return note_say(f, "this wasn't the load of %s: %s", like->trace, u.text);
}

static const struct note_rule rules[] = {
	{.id = "unlike-work",
		.weight = NOTE_DOUBTFUL,
		.scope = NOTE_OF_RUN,
		.check = unlike_work},
};

NOTE_TABLE(notes_work, rules);
