/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/sink.h"

#include "base/bits.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/collate.h"
#include "cmd/face.h"
#include "cmd/flags.h"
#include "cmd/follow.h"
#include "plan/plan.h"
#include "report/report.h"
#include "result/result.h"

#include <stdlib.h>
#include <unistd.h>

/* fio says a note once a worker, and nothing in front of it. */
static void say_notes_as_fio(struct output *out, const struct plan *plan)
{
	for (uint32_t i = 0; i < plan->notes_count; i++)
		for (uint32_t w = 0; w < MAX_OF(plan->notes[i].workers, 1u); w++)
			if (!plan->notes[i].warning)
				output_say(out, SAY_NOTE, plan->notes[i].text);
}

void sink_say_notes(struct output *out, const struct plan *plan)
{
	struct collate notes = {.lines = NULL};
	if (out->classic && out->face->words_inline) {
		say_notes_as_fio(out, plan);
		return;
	}
	for (uint32_t i = 0; i < plan->notes_count; i++)
		if (!plan->notes[i].warning)
			collate_add(&notes, SAY_NOTE, plan->notes[i].text);
	collate_say(&notes, out);
}

static void on_phase(void *ctx, enum run_phase phase, const char *text)
{
	struct sink *s = ctx;
	if (text && *text && (phase == RUN_LAYOUT || phase == RUN_START))
		output_say(s->out, SAY_FORM, text);
	if (phase == RUN_RUNNING)
		sink_say_notes(s->out, s->plan);
	follow_phase(s->follow, phase, text);
}

static void on_tick(void *ctx, const struct run_view *view)
{
	struct sink *s = ctx;
	live_show(&s->live, view);
	if (view->layout_total)
		follow_layout(s->follow, view->layout_bytes, view->layout_total);
}

static void on_message(void *ctx, enum run_weight weight, const char *text)
{
	struct sink *s = ctx;
	if (s->out->face->words_inline && str_starts(text, "terminating"))
		output_say(s->out, SAY_FORM, ""); /* it may stand after a live line */
	/* What a run has to say matters also where plain notes are not wanted. */
	if (weight == RUN_DATA)
		output_say(s->out, SAY_ERROR, text);
	else
		output_sayf(s->out, weight == RUN_ERROR ? SAY_ERROR : SAY_WARNING, "%s", text);
	follow_message(s->follow, weight, text);
}

static void on_fault(void *ctx, uint32_t row, const char *job, const struct result_fault *f,
	uint32_t unit_bytes)
{
	struct sink *s = ctx;
	follow_fault(s->follow, row, job, f, unit_bytes);
}

static void on_partial(void *ctx, const struct result *so_far)
{
	struct sink *s = ctx;
	live_clear(&s->live);
	sink_report(s, so_far);
	follow_partial(s->follow, so_far);
}

static bool on_listens(void *ctx)
{
	struct sink *s = ctx;
	return follow_listens(s->follow);
}

static void on_pulse(void *ctx, const struct pulse *pulse)
{
	struct sink *s = ctx;
	follow_pulse(s->follow, pulse);
}

void sink_init(struct sink *s, struct output *out, struct follow *follow,
	const struct plan *plan, const struct flags *flags, uint32_t formats)
{
	*s = (struct sink){
		.run = {.ctx = s,
			.phase = on_phase,
			.tick = on_tick,
			.message = on_message,
			.fault = on_fault,
			.partial = on_partial,
			.listens = on_listens,
			.pulse = on_pulse},
		.out = out,
		.follow = follow,
		.plan = plan,
		.terse_version = flags->terse_version,
		.formats = formats,
		.many = flags->status_interval_ns != 0,
	};
	live_init(&s->live, out->face, flags, formats);
	out->live = &s->live;
}

void sink_end(struct sink *s)
{
	live_end(&s->live);
	s->out->live = NULL;
}

void sink_report(struct sink *s, const struct result *r)
{
	const struct face *face = s->out->face;
	struct report_how how = {
		.native = face->native,
		.colour = output_coloured(s->out->fd),
		.columns = output_columns(s->out->fd),
		.version = face->version,
		.stdout_is_mixed = s->out->classic,
		.bins = s->formats & FORMAT_BINS,
		.terse_version = s->terse_version,
		.units = s->units,
	};
	for (uint32_t i = 0; flags_formats[i]; i++) {
		if (!(s->formats & 1u << i))
			continue;
		scope_with(str_done) struct str doc = {0};
		flags_formats[i]->print(r, &how, &doc);
		if (s->many && face->json_lines && 1u << i == FORMAT_JSON && doc.len) {
			report_one_line(&doc);
			str_add_char(&doc, '\n');
		}
		output_document(s->out, &doc);
	}
}
