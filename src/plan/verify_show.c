/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Verification in `weir --plan`. */
#include "base/json.h"
#include "plan/draft.h"
#include "plan/show.h"
#include "verify/unit_says.h"

static void show_trims(const struct plan_verify *v, struct json *out)
{
	if (!v->trim_percent)
		return;
	json_uint(out, "trim_percent", v->trim_percent);
	json_uint(out, "trim_backlog", v->trim_backlog);
	json_uint(out, "trim_batch", v->trim_batch);
}

void show_verify(const struct plan_worker *w, struct json *out)
{
	const struct plan_verify *v = &w->verify;

	if (!verify_is_on(v))
		return;
	json_object(out, "verify");
	json_text(out, "kind", unit_kind_name(v->unit.kind));
	if (v->unit.kind == UNIT_CHECKSUM)
		json_text(out, "checksum", checksum_name(v->unit.checksum));
	json_uint(out, "unit_bytes", v->unit.bytes);
	show_some(out, "header_at", v->unit.header_at);
	show_some(out, "pattern_bytes", v->unit.pattern.count);
	show_some(out, "pattern_interval", v->unit.pattern_interval);
	if (v->by_pieces)
		json_bool(out, "by_pieces", true);
	json_bool(out, "stamps", v->stamps);
	if (v->phantom)
		json_bool(out, "phantom", true);
	json_bool(out, "checks_reads", v->checks);
	json_bool(out, "by_map", v->by_map);
	json_bool(out, "by_header", v->by_header);
	json_bool(out, "reads_back", v->rereads);
	json_bool(out, "fatal", v->fatal);
	json_bool(out, "goes_on", v->go_on);
	if (v->dump)
		json_bool(out, "dump", true);
	show_some(out, "threads", v->threads);
	show_some(out, "backlog", v->backlog);
	show_some(out, "backlog_batch", v->backlog_batch);
	show_trims(v, out);
	json_bool(out, "trim_zero", v->trim_zero);
	json_object_end(out);
}
