/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "result/result.h"

#include "base/bits.h"
#include "result/environment.h"
#include "result/style.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct result *result_new(void)
{
	return calloc(1, sizeof(struct result));
}

void result_free(struct result *r)
{
	if (!r)
		return;
	for (uint32_t i = 0; i < r->rows_count; i++) {
		series_done(&r->rows[i].series);
		series_done(&r->rows[i].bins);
	}
	environment_free(r->environment);
	arena_done(&r->arena);
	free(r);
}

static const char *note_text(struct result *r, const char *text, bool *failed)
{
	const char *copy = text ? arena_text(&r->arena, text) : NULL;
	*failed |= text && !copy;
	return copy;
}

static const struct result_evidence *note_evidence(struct result *r,
	const struct result_note *note, bool *failed)
{
	struct result_evidence *copy = arena_array(&r->arena, note->evidence_count + 1,
		sizeof(*copy));
	*failed |= !copy;
	for (uint32_t i = 0; copy && i < note->evidence_count; i++) {
		copy[i].key = note_text(r, note->evidence[i].key, failed);
		copy[i].value = note->evidence[i].value;
	}
	return copy;
}

int result_note_put(struct result *r, const struct result_note *note)
{
	struct result_note *notes = arena_longer(&r->arena, r->notes, r->notes_count,
		sizeof(*notes));
	bool failed = false;
	if (!notes)
		return -ENOMEM;
	r->notes = notes;

	struct result_note copy = {
		.id = note_text(r, note->id, &failed),
		.weight = note->weight,
		.job = note_text(r, note->job, &failed),
		.target = note_text(r, note->target, &failed),
		.text = note_text(r, note->text, &failed),
		.remedy = note_text(r, note->remedy, &failed),
		.evidence_count = note->evidence_count,
	};
	if (note->evidence_count)
		copy.evidence = note_evidence(r, note, &failed);
	if (failed)
		return -ENOMEM;
	r->notes[r->notes_count++] = copy;
	return 0;
}

int result_note_add(struct result *r, const char *id, enum note_weight weight, const char *job,
	const char *fmt, ...)
{
	char text[1024];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return result_note_put(r,
		&(struct result_note){.id = id, .weight = weight, .job = job, .text = text});
}

int result_message_add(struct result *r, const char *text)
{
	const char **messages = arena_longer(&r->arena, r->messages, r->messages_count,
		sizeof(*messages));
	if (!messages)
		return -ENOMEM;
	r->messages = messages;
	const char *copy = arena_text(&r->arena, text);
	if (!copy)
		return -ENOMEM;
	r->messages[r->messages_count++] = copy;
	return 0;
}

static bool has_quantiles(const struct latency *l)
{
	return l && (!l->told || l->told->count || l->histogram.count);
}

const struct latency *result_latency(const struct result_dir *d)
{
	return d->lat && (has_quantiles(d->lat) || !has_quantiles(d->clat)) ? d->lat : d->clat;
}

static double per_second(uint64_t amount, uint64_t runtime_ns)
{
	return runtime_ns ? (double)amount * (double)NS_PER_S / (double)runtime_ns : 0.0;
}

double result_iops(const struct result_dir *d)
{
	if (d->told && !d->told->ios)
		return d->told->ios_per_s;
	return per_second(d->ios, d->runtime_ns);
}

double result_bw(const struct result_dir *d)
{
	if (d->told && d->told->no_bytes)
		return -1;
	return per_second(d->bytes, d->runtime_ns);
}

uint32_t result_depth(const struct result_row *row)
{
	return row->told && !row->depth ? row->depth_asked : row->depth;
}

uint64_t result_runtime_ms(const struct result_dir *d)
{
	return d->runtime_ns ? MAX_OF(div_up(d->runtime_ns, NS_PER_MS), UINT64_C(1)) : 0;
}

bool result_dir_used(const struct result_dir *d)
{
	return d->ios || d->issued || d->errors || d->due || (d->told && d->bytes);
}

const char *result_dir_name(int dir)
{
	return dir == RESULT_MIXED ? "mixed" : dir_name((enum dir)dir);
}

bool result_shows(const struct result_row *row, int dir)
{
	enum result_unified how = row->style ? row->style->unified : UNIFIED_NONE;
	return how == UNIFIED_BOTH || (dir == RESULT_MIXED) == (how == UNIFIED_MIXED);
}

bool result_row_did_io(const struct result_row *row)
{
	for (int dir = 0; dir < RESULT_DIRS; dir++)
		if (row->dir[dir].bytes || row->dir[dir].issued)
			return true;
	return false;
}

bool result_row_hidden(const struct result_row *row)
{
	return row->style && row->style->hidden;
}

double result_steady_mean(const struct result_steady *s, enum steady_figure figure)
{
	return s->count || !s->told ? steady_mean(s->v[figure], s->count)
				    : s->told_mean[figure];
}

double result_steady_criterion(const struct result_steady *s)
{
	if (s->told && !isnan(s->told_criterion))
		return s->told_criterion;
	if (!s->count)
		return s->told ? NAN : 0;
	return steady_criterion(&s->rule, s->v[s->rule.figure], s->count);
}

bool result_is_clean(const struct result *r)
{
	if (r->failed || r->stop_signal || r->partial)
		return false;
	for (uint32_t i = 0; i < r->rows_count; i++) {
		const struct result_row *row = &r->rows[i];
		if (row->error || row->total_errors || row->end != END_DONE)
			return false;
	}
	return true;
}

const char *result_error_text(int code)
{
	return code == EILSEQ ? "wrong data" : strerror(code);
}
