/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/describe.h"

#include "base/arena.h"
#include "base/str.h"
#include "job/job.h"
#include "plan/plan.h"
#include "result/result.h"

#include <string.h>

static const char *describe_rw(const struct pattern_spec *p)
{
	bool r = p->use[DIR_READ], w = p->use[DIR_WRITE], t = p->use[DIR_TRIM];

	if (t)
		return w ? (p->random ? "randtrimwrite" : "trimwrite")
			 : (p->random ? "randtrim" : "trim");
	if (r && w)
		return p->random ? "randrw" : "rw";
	if (w)
		return p->random ? "randwrite" : "write";
	return p->random ? "randread" : "read";
}

static void describe_bytes(struct str *out, uint64_t bytes)
{
	static const char units[] = "kmgt";
	unsigned u = 0;

	if (bytes < 1024 || bytes % 1024) {
		str_addf(out, "%llu", (unsigned long long)bytes);
		return;
	}
	for (bytes /= 1024; bytes >= 1024 && bytes % 1024 == 0 && u < 3; u++)
		bytes /= 1024;
	str_addf(out, "%llu%c", (unsigned long long)bytes, units[u]);
}

static void describe_size(struct str *out, const struct size_spec *s)
{
	describe_bytes(out, s->min);
	if (s->max == s->min)
		return;
	str_add_char(out, '-');
	describe_bytes(out, s->max);
}

static bool describe_same_size(const struct size_spec *a, const struct size_spec *b)
{
	return a->min == b->min && a->max == b->max;
}

const char *describe_what(struct arena *a, const struct plan_worker *pw)
{
	const struct pattern_spec *p = &pw->pattern;
	struct str text = {0};
	int last = -1;

	str_add(&text, describe_rw(p));
	for (int d = 0; d < DIRS; d++) {
		if (!p->use[d] ||
			(last >= 0 && describe_same_size(&p->size[last], &p->size[d])))
			continue;
		str_add_char(&text, last < 0 ? ' ' : '/');
		describe_size(&text, &p->size[d]);
		last = d;
	}
	char *out = arena_text(a, str_text(&text));
	str_done(&text);
	return out;
}

/* In the words of docs/options/data.md. */
const char *describe_data(struct arena *a, const struct plan_worker *pw)
{
	static const char *const kinds[] = {
		[DATA_FRESH] = "random",
		[DATA_CONSTANT] = "constant",
		[DATA_ZERO] = "zeroes",
		[DATA_PATTERN] = "pattern",
		[DATA_CORPUS] = "corpus",
	};
	const struct data_spec *s = &pw->data;
	struct str text = {0};

	if (pw->pattern.use[DIR_WRITE])
		str_add(&text, kinds[s->kind]);
	if (pw->pattern.use[DIR_WRITE] && s->compress_percent)
		str_addf(&text, ", %u %% compressible", s->compress_percent);
	if (pw->pattern.use[DIR_WRITE] && s->dedupe.percent)
		str_addf(&text, ", %u %% repeated", s->dedupe.percent);
	char *out = arena_text(a, str_text(&text));
	str_done(&text);
	return out;
}

const char *describe_engine(struct arena *a, const struct plan_worker *pw)
{
	const struct engine_chain *c = &pw->queue.chain;
	struct str text = {0};

	for (uint32_t i = 0; i < c->count; i++)
		str_addf(&text, "%s%s", i ? "(" : "", c->link[i]->name);
	for (uint32_t i = 1; i < c->count; i++)
		str_add_char(&text, ')');
	char *out = arena_text(a, str_text(&text));
	str_done(&text);
	return out;
}

const char *describe_targets(struct arena *a, const struct plan *plan)
{
	if (!plan->targets_count)
		return "";
	if (plan->targets_count == 1)
		return arena_text(a, plan->targets[0].path);
	return arena_printf(a, "%s and %u more", plan->targets[0].path,
		plan->targets_count - 1);
}

static const char *describe_find(const struct job_given *given, size_t count, const char *name)
{
	for (size_t i = count; i > 0; i--)
		if (strcmp(given[i - 1].name, name) == 0)
			return given[i - 1].value;
	return NULL;
}

const char *describe_text(const struct job *job, const char *name)
{
	const char *own = describe_find(job->given, job->given_count, name);
	return own ? own : describe_find(job->globals, job->globals_count, name);
}

const struct result_option *describe_options(struct arena *a, const struct job_given *given,
	size_t count, uint32_t *ret_count)
{
	struct result_option *out = arena_array(a, count + 1, sizeof(*out));
	uint32_t n = 0;

	for (size_t i = 0; out && i < count; i++)
		out[n++] = (struct result_option){
			.name = given[i].name, .value = given[i].value};
	*ret_count = n;
	return n ? out : NULL;
}
