/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The part of `weir --plan` about a trace. */
#include "base/json.h"
#include "plan/draft.h"
#include "plan/show.h"

static void show_inputs(const struct plan_replay *p, struct json *out)
{
	json_array(out, "traces");
	for (uint32_t i = 0; i < p->inputs_count; i++) {
		const struct trace_input *in = &p->inputs[i];
		json_object(out, NULL);
		json_text(out, "path", in->path);
		if (in->scale_percent > 0)
			json_double(out, "scale_percent", in->scale_percent);
		if (in->iters > 1)
			json_uint(out, "times", in->iters);
		json_object_end(out);
	}
	json_array_end(out);
}

static void show_map(const struct trace_map *m, struct json *out)
{
	json_bool(out, "redirect", m->redirect);
	if (m->scale > 1)
		json_uint(out, "scale", m->scale);
	show_some(out, "align", m->align);
	json_array(out, "left_out");
	for (int a = 0; a < TRACE_IO_ACTIONS; a++)
		if (m->skip[a])
			json_text(out, NULL, trace_action_name((enum trace_action)a));
	json_array_end(out);
}

void show_replay(const struct plan_worker *w, struct json *out)
{
	const struct plan_replay *p = &w->replay;

	if (!replay_on(w))
		return;
	json_object(out, "replay");
	show_inputs(p, out);
	show_map(&p->map, out);
	json_uint(out, "requests", p->records);
	json_uint(out, "left_out_requests", p->left_out);
	json_object(out, "of");
	for (int a = 0; a < TRACE_IO_ACTIONS; a++)
		show_some(out, trace_action_name((enum trace_action)a), p->ios[a]);
	json_object_end(out);
	json_uint(out, "span_ns", p->span_ns);
	json_bool(out, "timed", p->timed);
	json_uint(out, "speed_percent", p->speed_percent);
	json_uint(out, "loops", p->loops);
	json_uint(out, "unit", p->unit);
	json_uint(out, "ahead", p->ring);
	json_object_end(out);
}
