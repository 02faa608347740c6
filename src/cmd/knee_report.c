/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What was found, as a table and as JSON. */
#include "cmd/knee.h"

#include "base/bits.h"
#include "base/json.h"
#include "base/scope.h"
#include "base/str.h"
#include "report/checks.h"
#include "report/digits.h"
#include "report/grid.h"
#include "report/report.h"
#include "report/watch.h"
#include "result/notes/notes.h"
#include "result/result.h"

#include <math.h>

#define COLUMNS_PRESET 100

/* The point with the shortest service time, NULL: none is known. */
static const struct knee_point *point_unloaded(const struct knee *k)
{
	const struct knee_point *least = NULL;

	for (uint32_t i = 0; i < k->count; i++)
		if (k->points[i].offered > 0 && k->points[i].mean_ns > 0 &&
			(!least || k->points[i].mean_ns < least->mean_ns))
			least = &k->points[i];
	return least;
}

static const struct knee_point *point_closed(const struct knee *k)
{
	for (uint32_t i = 0; i < k->count; i++)
		if (k->points[i].offered <= 0)
			return &k->points[i];
	return NULL;
}

double knee_little(const struct knee *k)
{
	const struct knee_point *least = point_unloaded(k);

	return least ? (double)k->depth * (double)NS_PER_S / least->mean_ns : 0;
}

double knee_found(const struct knee *k)
{
	return k->search.pass;
}

/* Points by offered rate, the closed loop last. */
static void points_order(const struct knee *k, uint32_t order[KNEE_POINTS])
{
	for (uint32_t i = 0; i < k->count; i++) {
		uint32_t at = i;
		double mine = k->points[i].offered;
		while (at && mine > 0 &&
			(k->points[order[at - 1]].offered > mine ||
				k->points[order[at - 1]].offered <= 0)) {
			order[at] = order[at - 1];
			at--;
		}
		order[at] = i;
	}
}

const char *knee_word(const struct knee_point *p)
{
	if (p->offered <= 0)
		return "closed loop";
	if (p->saturated)
		return "not taken";
	if (!p->goal.known)
		return "not known";
	return p->met    ? p->sure ? "met" : "met, by its value"
	       : p->sure ? "missed"
			 : "missed, by its value";
}

enum column {
	COL_OFFERED,
	COL_ACHIEVED,
	COL_FLIGHT,
	COL_SERVICE,
	COL_MEAN,
	COL_P50,
	COL_P99,
	COL_GOAL,
	COL_WORD,
	COLS,
};

static void add_time(struct grid *g, enum column column, double ns, double error)
{
	if (ns > 0)
		checks_known(grid_cell(g, column), QUANTITY_TIME, ns, error);
}

/* Of a product: errors add up as shares. */
static double in_flight_error(const struct knee_point *p)
{
	return p->in_flight *
	       hypot(p->achieved_error / p->achieved, p->mean_error / p->mean_ns);
}

static void add_goal(struct str *out, const struct knee *k, const struct knee_point *p,
	double v)
{
	checks_beside(out, k->goal.path.quantity, v, p->goal.error, k->goal.limit);
}

static void point_row(struct grid *g, const struct knee *k, const struct knee_point *p)
{
	struct str *goal;

	grid_row(g);
	if (p->offered > 0)
		str_addf(grid_cell(g, COL_OFFERED), "%.0f", p->offered);
	digits_add(grid_cell(g, COL_ACHIEVED), p->achieved, p->achieved_error);
	if (p->mean_ns > 0)
		digits_add(grid_cell(g, COL_FLIGHT), p->in_flight, in_flight_error(p));
	add_time(g, COL_SERVICE, p->mean_ns, p->mean_error);
	if (p->has_response) {
		add_time(g, COL_MEAN, p->response_mean_ns, p->response_mean_error);
		add_time(g, COL_P50, p->response_p50_ns, p->response_p50_error);
		add_time(g, COL_P99, p->response_p99_ns, p->response_p99_error);
	}
	goal = grid_cell(g, COL_GOAL);
	if (p->offered > 0 && p->goal.known && p->goal.interval) {
		add_goal(goal, k, p, p->goal.lo);
		str_add(goal, " .. ");
		add_goal(goal, k, p, p->goal.hi);
	} else if (p->offered > 0 && p->goal.known) {
		add_goal(goal, k, p, p->goal.value);
	}
	str_add(grid_cell(g, COL_WORD), knee_word(p));
	grid_ink(g, COL_WORD, p->offered > 0 && !p->met ? INK_RED : INK_PLAIN);
}

static void add_answer(const struct knee *k, struct str *out)
{
	const struct knee_search *s = &k->search;

	if (k->stopped || k->timed_out || k->unknown)
		str_addf(out, "\nnot finished: %s\n",
			k->stopped     ? "it was interrupted"
			: k->timed_out ? "the time is up: --max-time gives more"
				       : k->unknown);
	if (s->pass <= 0)
		str_addf(out, "\nno rate that was tried meets %s\n", k->goal_text);
	else if (s->fail <= 0)
		str_addf(out,
			"\n%s is met up to %.0f a second and beyond: the load never missed it\n",
			k->goal_text, s->pass);
	else
		str_addf(out, "\n%s is met up to %.0f a second, missed at %.0f\n", k->goal_text,
			s->pass, s->fail);
	if (s->pass > 0 &&
		(s->sure_pass < s->pass || (s->fail > 0 && s->sure_fail != s->fail))) {
		str_addf(out, "by intervals: met up to %.0f", s->sure_pass);
		if (s->sure_fail > 0)
			str_addf(out, ", missed from %.0f on", s->sure_fail);
		str_add(out, "\n");
	}
	if (k->on_response)
		str_add(out,
			"latency here is the response time, from when a request was due\n");
}

void knee_notes(struct knee *k)
{
	const struct note_rule *rule = &notes_compared.rules[COMPARED_ISSUED_LATE];
	scope_with(str_done) struct str text = {0};
	uint32_t late = 0;

	for (uint32_t i = 0; i < k->count; i++)
		late += k->points[i].late;
	if (!late)
		return;
	str_addf(&text,
		"at %u rate%s requests waited longer than they took though half of the depth was "
		"free: this machine was busy, not the disk",
		late, late > 1 ? "s" : "");
	const struct result_evidence rates = {"rates", late};
	k->gathered.failed |= text.failed;
	gathered_put(&k->gathered, &(struct result_note){
					   .id = rule->id,
					   .weight = rule->weight,
					   .text = str_text(&text),
					   .remedy = rule->remedy,
					   .evidence = &rates,
					   .evidence_count = 1,
				   });
}

static void add_saturation(const struct knee *k, struct str *out)
{
	const struct knee_point *unloaded = point_unloaded(k), *closed = point_closed(k);
	double little = knee_little(k);

	str_add(out, "saturation: ");
	digits_add(out, k->search.capacity, closed ? closed->achieved_error : NAN);
	str_addf(out, " a second with %u in flight", k->depth);
	if (unloaded) {
		str_addf(out, "; by Little's law %u / ", k->depth);
		checks_known(out, QUANTITY_TIME, unloaded->mean_ns, unloaded->mean_error);
		str_add(out, " = ");
		digits_add(out, little, little * unloaded->mean_error / unloaded->mean_ns);
		str_add(out, " if latency stayed as it is unloaded");
	}
	str_add(out, "\n");
}

void knee_table(const struct knee *k, bool colour, uint32_t columns, struct str *out)
{
	static const struct grid_column titles[COLS] = {
		[COL_OFFERED] = {"offered/s", NULL, true, false},
		[COL_ACHIEVED] = {"taken/s", NULL, true, false},
		[COL_FLIGHT] = {"in flight", NULL, true, false},
		[COL_SERVICE] = {"service", NULL, true, false},
		[COL_MEAN] = {"mean", "response time", true, false},
		[COL_P50] = {"p50", "response time", true, false},
		[COL_P99] = {"p99", "response time", true, false},
		[COL_GOAL] = {"goal's figure", NULL, true, false},
		[COL_WORD] = {"goal", NULL, false, false},
	};
	uint32_t order[KNEE_POINTS];
	struct grid g;

	grid_init(&g, titles, COLS);
	points_order(k, order);
	for (uint32_t i = 0; i < k->count; i++)
		point_row(&g, k, &k->points[order[i]]);
	grid_print(&g, columns ? columns : COLUMNS_PRESET, colour, out);
	if (g.failed)
		out->failed = true;
	grid_done(&g);
	add_answer(k, out);
	add_saturation(k, out);
	const struct report_how how = {.native = true, .colour = colour, .columns = columns};
	gathered_text(&k->gathered, &how, out);
}

/* ---- JSON ---- */

static void write_point(struct json *j, const struct knee_point *p)
{
	json_object(j, NULL);
	if (p->offered > 0)
		json_double(j, "offered_per_s", p->offered);
	json_double(j, "achieved_per_s", p->achieved);
	json_double(j, "in_flight", p->in_flight);
	json_double(j, "service_mean_ns", p->mean_ns);
	if (p->has_response) {
		json_double(j, "response_mean_ns", p->response_mean_ns);
		json_double(j, "response_p50_ns", p->response_p50_ns);
		json_double(j, "response_p99_ns", p->response_p99_ns);
	}
	json_double(j, "seconds", (double)p->runtime_ns / (double)NS_PER_S);
	if (p->offered > 0) {
		if (p->goal.known)
			json_double(j, "goal_figure", p->goal.value);
		if (p->goal.known && p->goal.interval) {
			json_double(j, "goal_low", p->goal.lo);
			json_double(j, "goal_high", p->goal.hi);
		}
		json_bool(j, "saturated", p->saturated);
		json_bool(j, "issued_late", p->late);
		json_bool(j, "met", p->met);
		json_bool(j, "by_interval", p->sure);
	}
	if (p->kept)
		json_text(j, "result", p->kept);
	if (p->watch)
		report_json_watch(j, p->watch);
	json_object_end(j);
}

void knee_json(const struct knee *k, struct str *out)
{
	const struct knee_search *s = &k->search;
	struct json j;

	json_init(&j, out, JSON_FIO);
	json_object(&j, NULL);
	json_text(&j, "version", k->version);
	json_text(&j, "goal", k->goal_text);
	json_bool(&j, "on_response_time", k->on_response);
	json_bool(&j, "partial", k->stopped || k->timed_out || k->unknown);
	if (k->unknown)
		json_text(&j, "why_partial", k->unknown);
	if (s->pass > 0)
		json_double(&j, "rate_per_s", s->pass);
	if (s->fail > 0)
		json_double(&j, "missed_per_s", s->fail);
	if (s->sure_pass > 0)
		json_double(&j, "rate_low_per_s", s->sure_pass);
	if (s->sure_fail > 0)
		json_double(&j, "rate_high_per_s", s->sure_fail);
	json_uint(&j, "depth", k->depth);
	json_double(&j, "saturation_per_s", s->capacity);
	if (knee_little(k) > 0)
		json_double(&j, "little_per_s", knee_little(k));
	json_array(&j, "points");
	for (uint32_t i = 0; i < k->count; i++)
		write_point(&j, &k->points[i]);
	json_array_end(&j);
	gathered_json(&k->gathered, &j);
	json_object_end(&j);
}
