/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The part of `weir --plan` about schedules, pauses, latency goals and flows. */
#include "base/json.h"
#include "plan/plan.h"
#include "plan/show.h"

static void show_arrival(const struct arrival_spec *a, const char *dir, struct json *out)
{
	json_object(out, dir);
	json_uint(out, "per_second", a->per_second);
	json_text(out, "of", a->bytes ? "bytes" : "requests");
	json_text(out, "process", a->process == ARRIVAL_POISSON ? "poisson" : "linear");
	show_seed(out, a->seed);
	json_object_end(out);
}

static void show_floors(const struct plan_rate *r, struct json *out)
{
	json_object(out, "at_least");
	for (int i = 0; i < DIRS; i++) {
		if (!r->floor[i].per_second)
			continue;
		json_object(out, dir_name((enum dir)i));
		json_uint(out, "per_second", r->floor[i].per_second);
		json_text(out, "of", r->floor[i].bytes ? "bytes" : "requests");
		json_object_end(out);
	}
	json_uint(out, "window_ns", r->floor_ns);
	json_object_end(out);
}

static void show_rate(const struct plan_worker *w, struct json *out)
{
	const struct plan_rate *r = &w->rate;

	if (r->any) {
		json_object(out, "schedule");
		for (int i = 0; i < DIRS; i++)
			if (r->arrival[i].per_second)
				show_arrival(&r->arrival[i], dir_name((enum dir)i), out);
		json_uint(out, "quantum_ns", r->quantum_ns);
		json_object_end(out);
	}
	if (r->think_ns) {
		json_object(out, "think");
		json_uint(out, "pause_ns", r->think_ns);
		json_uint(out, "spin_ns", r->think_spin_ns);
		json_uint(out, "blocks", r->think_blocks);
		if (r->think_issued)
			json_text(out, "counts", "issued");
		show_some(out, "every_ns", r->think_every_ns);
		if (r->think_shifts)
			json_bool(out, "moves_schedule", true);
		json_object_end(out);
	}
	show_some(out, "think_cycles", r->think_cycles);
	if (r->floor_ns)
		show_floors(r, out);
}

static void show_goal(const struct plan_worker *w, struct json *out)
{
	const struct plan_goal *g = &w->goal;

	if (g->max_ns[0] || g->max_ns[1] || g->max_ns[2]) {
		json_object(out, "max_latency_ns");
		for (int i = 0; i < DIRS; i++)
			show_some(out, dir_name((enum dir)i), g->max_ns[i]);
		json_object_end(out);
	}
	if (!g->target_ns)
		return;
	json_object(out, "latency_target");
	json_uint(out, "target_ns", g->target_ns);
	json_uint(out, "window_ns", g->window_ns);
	json_double(out, "percent", g->percent);
	json_bool(out, "run_on", g->run_on);
	json_object_end(out);
}

static void show_steady(const struct plan_worker *w, struct json *out)
{
	const struct plan_steady *s = &w->steady;

	if (!s->samples)
		return;
	json_object(out, "steady");
	json_text(out, "rule", s->text);
	json_uint(out, "window_ns", s->window_ns);
	json_uint(out, "ramp_ns", s->ramp_ns);
	json_uint(out, "interval_ns", s->interval_ns);
	json_uint(out, "samples", s->samples);
	json_object_end(out);
}

static void show_flow(const struct plan_worker *w, struct json *out)
{
	if (!w->flow.weight)
		return;
	json_object(out, "flow");
	json_int(out, "id", w->flow.id);
	json_uint(out, "weight", w->flow.weight);
	json_uint(out, "sleep_ns", w->flow.sleep_ns);
	json_object_end(out);
}

void show_pace(const struct plan_worker *w, struct json *out)
{
	show_rate(w, out);
	show_goal(w, out);
	show_steady(w, out);
	show_flow(w, out);
}
