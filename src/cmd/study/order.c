/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/study/order.h"

#include "base/bits.h"
#include "base/rng.h"
#include "base/scope.h"
#include "base/str.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

const char *const run_status_names[] = {
	[RUN_PENDING] = "pending",
	[RUN_RUNNING] = "running",
	[RUN_DONE] = "done",
	[RUN_FAILED] = "failed",
	[RUN_SETUP_FAILED] = "setup failed",
};

/* ---- making ---- */

static void shuffle(struct rng *rng, uint32_t *v, uint32_t count)
{
	for (uint32_t i = count; i > 1; i--) {
		uint32_t k = (uint32_t)rng_below(rng, i), last = v[i - 1];
		v[i - 1] = v[k];
		v[k] = last;
	}
}

/* Configs of a variant are neighbours in the list of configs. */
static void round_make(const struct study *s, uint64_t seed, uint32_t round,
	struct study_order *o, uint32_t *scratch)
{
	uint32_t groups = s->setup_per_round ? s->variants_count : 1;
	uint32_t size = o->configs_count / groups, *configs = scratch + groups, at = 0;
	struct rng rng;

	rng_init(&rng, rng_mix(seed) + round);
	for (uint32_t g = 0; g < groups; g++)
		scratch[g] = g;
	shuffle(&rng, scratch, groups);
	for (uint32_t g = 0; g < groups; g++) {
		for (uint32_t i = 0; i < size; i++)
			configs[i] = scratch[g] * size + i;
		shuffle(&rng, configs, size);
		for (uint32_t i = 0; i < size; i++)
			o->runs[round * o->configs_count + at++] = (struct study_run){
				.round = round, .config = configs[i]};
	}
}

static void configs_make(const struct study *s, struct study_order *o)
{
	for (uint32_t v = 0; v < s->variants_count; v++)
		for (uint32_t w = 0; w < s->workloads_count; w++)
			for (uint32_t p = 0; p < s->workloads[w].points; p++)
				o->configs[o->configs_count++] = (struct study_config){
					.variant = v, .workload = w, .point = p};
}

int order_make(const struct study *s, uint64_t seed, struct study_order *ret)
{
	uint32_t points = 0;

	*ret = (struct study_order){.configs = NULL};
	for (uint32_t w = 0; w < s->workloads_count; w++)
		points += s->workloads[w].points;
	size_t configs = (size_t)points * s->variants_count;
	uint32_t *scratch = arena_array(&ret->arena, configs + s->variants_count + 1,
		sizeof(*scratch));
	ret->configs = arena_array(&ret->arena, configs, sizeof(*ret->configs));
	ret->runs = arena_array(&ret->arena, configs * s->repeats, sizeof(*ret->runs));
	if (!scratch || !ret->configs || !ret->runs)
		return -ENOMEM;
	configs_make(s, ret);
	for (uint32_t round = 0; round < s->repeats; round++)
		round_make(s, seed, round, ret, scratch);
	ret->runs_count = ret->configs_count * s->repeats;
	return 0;
}

void order_done(struct study_order *o)
{
	arena_done(&o->arena);
}

/* ---- names ---- */

#define POINT_LENGTH 120

/* Values may hold anything; two that would look alike get the number of the point. */
static void point_dir(const struct study_part *w, uint32_t point, struct str *out)
{
	scope_with(str_done) struct str text = {0};
	bool changed = false;

	study_point_add(w, point, ",", &text);
	for (size_t i = 0; i < text.len && i < POINT_LENGTH; i++) {
		bool plain = isalnum((unsigned char)text.text[i]) ||
			     strchr("._+-=,:%", text.text[i]);
		changed |= !plain;
		str_add_char(out, plain ? text.text[i] : '_');
	}
	if (changed || text.len > POINT_LENGTH)
		str_addf(out, "~%" PRIu32, point + 1);
}

void order_config_dir(const struct study *s, const struct study_order *o, uint32_t config,
	struct str *out)
{
	const struct study_config *c = &o->configs[config];
	const struct study_part *w = &s->workloads[c->workload];

	str_addf(out, "runs/%s/", w->name);
	if (w->sweeps.count) {
		point_dir(w, c->point, out);
		str_add_char(out, '/');
	}
	str_add(out, s->variants[c->variant].name);
}

/* ---- time ---- */

struct taken {
	double sum;
	uint32_t n;
};

static double mean_of(const struct taken *t)
{
	return t->n ? t->sum / t->n : 0;
}

/* What runs took that are done: each config's, and beyond what was planned. */
static bool taken_count(const struct study_order *o, struct taken **ret, struct taken *all,
	struct taken *beyond)
{
	*ret = calloc(o->configs_count, sizeof(**ret));
	for (uint32_t i = 0; *ret && i < o->runs_count; i++) {
		const struct study_run *run = &o->runs[i];
		const struct study_config *c = &o->configs[run->config];
		if (run->status != RUN_DONE)
			continue;
		(*ret)[run->config].sum += run->seconds;
		(*ret)[run->config].n++;
		all->sum += run->seconds;
		all->n++;
		beyond->sum += c->seconds > 0 ? run->seconds - c->seconds : 0;
		beyond->n += c->seconds > 0;
	}
	return *ret;
}

double order_seconds_left(const struct study *s, const struct study_order *o,
	const bool *wanted)
{
	scope_mem struct taken *taken = NULL;
	struct taken all = {0}, beyond = {0};
	double left = 0;

	if (!taken_count(o, &taken, &all, &beyond))
		return -1;
	for (uint32_t i = 0; i < o->runs_count; i++) {
		const struct study_run *run = &o->runs[i];
		const struct study_config *c = &o->configs[run->config];
		if (run->status == RUN_DONE || !wanted[c->variant])
			continue;
		if (taken[run->config].n)
			left += mean_of(&taken[run->config]);
		else if (c->seconds > 0)
			left += MAX_OF(c->seconds + mean_of(&beyond), 0.0);
		else if (all.n)
			left += mean_of(&all);
		else
			return -1;
		left += (double)s->cooldown_ns / (double)NS_PER_S;
	}
	return left;
}
