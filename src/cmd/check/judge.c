/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/check/judge.h"

#include "base/bits.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/check/reading.h"
#include "result/result.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CONFIDENCE_PRESET 0.95
#define CLONES_MOST       4096
#define RUNS_MOST         1000

/* What all assertions of one claim have in common. */
struct matter {
	struct judge *judge;
	const char *claim, *says, *place;
	const char *job; /* NULL: any */
	const struct condition_list *where, *needs;
};

/* The rows of one job in one result. */
struct clones {
	uint32_t result;
	const struct result_row **rows;
	uint32_t count;
};

/* The same job in several results. */
struct repeats {
	struct clones *runs;
	uint32_t count;
};

/* ---- which jobs ---- */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_job(const struct result_row *a, const struct result_row *b)
{
	return same_text(a->name, b->name) && same_text(a->what, b->what) &&
	       result_depth(a) == result_depth(b) && a->members == b->members;
}

static bool row_named(const struct result_row *row, const char *job)
{
	return !job || (row->name && strcmp(row->name, job) == 0);
}

static struct condition_subject subject_of(const struct matter *m, const struct clones *c)
{
	const struct judge *j = m->judge;
	return (struct condition_subject){
		.result = j->results[c->result],
		.row = c->rows[0],
		.source = j->sources ? j->sources[c->result] : NULL,
		.given = j->given,
		.clones = c->count,
	};
}

/* A condition that isn't known selects nothing. */
static bool clones_selected(const struct matter *m, const struct clones *c)
{
	struct condition_subject s = subject_of(m, c);
	struct result_condition found;

	for (uint32_t i = 0; m->where && i < m->where->count; i++) {
		condition_judge(m->judge->arena, &m->where->v[i], &s, &found);
		if (found.state != CONDITION_MET && found.state != CONDITION_GIVEN)
			return false;
	}
	return true;
}

/* Has an earlier row of R the same job? */
static bool seen_before(const struct result *r, uint32_t at)
{
	for (uint32_t i = 0; i < at; i++)
		if (r->rows[i].group == r->rows[at].group &&
			same_job(&r->rows[i], &r->rows[at]))
			return true;
	return false;
}

static int clones_take(const struct matter *m, uint32_t result, uint32_t at, struct clones *ret)
{
	const struct result *r = m->judge->results[result];
	uint32_t most = MIN_OF(r->rows_count - at, (uint32_t)CLONES_MOST);

	*ret = (struct clones){.result = result};
	ret->rows = arena_array(m->judge->arena, most, sizeof(*ret->rows));
	if (!ret->rows)
		return -ENOMEM;
	for (uint32_t i = at; i < r->rows_count && ret->count < most; i++)
		if (r->rows[i].group == r->rows[at].group &&
			same_job(&r->rows[i], &r->rows[at]))
			ret->rows[ret->count++] = &r->rows[i];
	return 0;
}

/* All jobs that PATH and the claim are about, each once a result. */
static int clones_find(const struct matter *m, const struct path *path, struct clones *list,
	uint32_t room, uint32_t *ret_count)
{
	const struct judge *j = m->judge;
	uint32_t count = 0;

	for (uint32_t k = 0; k < j->count; k++) {
		const struct result *r = j->results[k];
		for (uint32_t i = 0; i < r->rows_count && count < room; i++) {
			if (!row_named(&r->rows[i], path->job) ||
				!row_named(&r->rows[i], m->job) || seen_before(r, i))
				continue;
			if (clones_take(m, k, i, &list[count]) < 0)
				return -ENOMEM;
			count += clones_selected(m, &list[count]);
		}
	}
	*ret_count = count;
	return 0;
}

/* ---- a verdict ---- */

static struct result_check *check_add(struct judge *j)
{
	if (j->checks_count == j->room) {
		uint32_t room = MAX_OF(j->room * 2, 8u);
		struct result_check *longer = arena_array(j->arena, room, sizeof(*longer));
		if (!longer)
			return NULL;
		if (j->checks_count)
			memcpy(longer, j->checks, j->checks_count * sizeof(*longer));
		j->checks = longer;
		j->room = room;
	}
	return &j->checks[j->checks_count++];
}

static void check_begin(struct result_check *c, const struct matter *m,
	const struct assertion *a)
{
	*c = (struct result_check){
		.claim = m->claim,
		.says = m->says,
		.place = m->place,
		.text = a->text,
		.path = a->path_text,
		.op = comparison_name(a->compare),
		.quantity = a->path.quantity,
		.limit = a->limit,
		.confidence = a->confidence,
		.runs = 1,
		.verdict = CHECK_UNDECIDED,
		.reason = "",
	};
}

static void check_decide(struct result_check *c, const struct assertion *a,
	const struct reading *e)
{
	bool holds;

	if (!e->known || (a->confidence > 0 && !e->interval)) {
		c->reason = e->why;
	} else if (e->interval) {
		bool decided = comparison_decided(a->compare, e->lo, e->hi, a->limit, &holds);
		if (decided)
			c->verdict = holds ? CHECK_PASS : CHECK_FAIL;
		else
			c->reason =
				"the interval covers the limit: measure longer or more often";
	} else {
		holds = comparison_holds(a->compare, e->value, a->limit);
		c->verdict = holds ? CHECK_PASS : CHECK_FAIL;
	}
}

/* What keeps a job's figures from being a pass. */
static const char *row_fault(const struct result_row *row)
{
	static const char *const ends[] = {
		[END_DONE] = NULL,
		[END_ERROR] = "the job failed",
		[END_STOPPED] = NULL,
		[END_KILLED] = "the job was killed: its figures are partial",
		[END_STUCK] = "the job is stuck: its figures are partial",
		[END_NOT_RUN] = "the job never ran",
	};
	if (ends[row->end])
		return ends[row->end];
	if (row->ramp_only)
		return "the job ended within its ramp";
	return row->error && !row->continued_on_error ? "the job failed" : NULL;
}

/* Conditions that the claim needs; an unmet one leaves no verdict. */
static int check_needs(struct result_check *c, const struct matter *m, const struct clones *at)
{
	uint32_t count = (m->where ? m->where->count : 0) + (m->needs ? m->needs->count : 0);
	struct condition_subject s = subject_of(m, at);
	struct result_condition *list;

	if (!count)
		return 0;
	list = arena_array(m->judge->arena, count, sizeof(*list));
	if (!list)
		return -ENOMEM;
	for (uint32_t i = 0; m->where && i < m->where->count; i++)
		condition_judge(m->judge->arena, &m->where->v[i], &s,
			&list[c->conditions_count++]);
	for (uint32_t i = 0; m->needs && i < m->needs->count; i++) {
		struct result_condition *need = &list[c->conditions_count++];
		condition_judge(m->judge->arena, &m->needs->v[i], &s, need);
		if (need->state != CONDITION_UNMET)
			continue;
		c->verdict = CHECK_UNDECIDED;
		c->reason = arena_printf(m->judge->arena, "%s is not met: it is %s", need->text,
			need->found);
		if (!c->reason)
			return -ENOMEM;
	}
	c->conditions = list;
	return 0;
}

static int sources_text(const struct matter *m, const struct repeats *r, const char **ret)
{
	const struct judge *j = m->judge;
	const char *first = j->sources ? j->sources[r->runs[0].result] : NULL;

	*ret = first;
	if (!first || r->count == 1)
		return 0;
	*ret = arena_printf(j->arena, "%s and %u more", first, r->count - 1);
	return *ret ? 0 : -ENOMEM;
}

/* The figure over all runs of the job. */
static void repeats_read(const struct repeats *r, const struct assertion *a,
	struct reading *ret)
{
	double confidence = a->confidence > 0 ? a->confidence : CONFIDENCE_PRESET;
	double values[RUNS_MOST];
	uint32_t count = MIN_OF(r->count, (uint32_t)RUNS_MOST);

	for (uint32_t i = 0; i < count; i++) {
		reading_run(&a->path, r->runs[i].rows, r->runs[i].count, confidence, ret);
		if (!ret->known)
			return;
		values[i] = ret->value;
	}
	if (count > 1)
		reading_runs(values, count, confidence, ret);
}

static int repeats_judge(const struct matter *m, const struct assertion *a,
	const struct repeats *r)
{
	struct result_check *c = check_add(m->judge);
	struct reading e = {.why = ""};

	if (!c)
		return -ENOMEM;
	check_begin(c, m, a);
	c->job = r->runs[0].rows[0]->name;
	c->runs = r->count;
	repeats_read(r, a, &e);
	c->known = e.known;
	c->value = e.value;
	c->interval = e.known && e.interval;
	c->lo = e.lo;
	c->hi = e.hi;
	c->error = e.error;
	check_decide(c, a, &e);
	for (uint32_t i = 0; i < r->count; i++) {
		for (uint32_t k = 0; k < r->runs[i].count; k++) {
			const char *fault = row_fault(r->runs[i].rows[k]);
			if (!fault || c->verdict == CHECK_FAIL)
				continue;
			c->verdict = CHECK_UNDECIDED;
			c->reason = fault;
		}
	}
	int rc = check_needs(c, m, &r->runs[0]);
	return rc < 0 ? rc : sources_text(m, r, &c->source);
}

/* ---- nothing to judge ---- */

/* The job that meets most of `where`, and what it doesn't meet. */
static void add_nearest(const struct matter *m, const struct path *path, struct str *out)
{
	scope_with(str_done) struct str best = {0}, text = {0};
	uint32_t best_met = 0;

	for (uint32_t k = 0; k < m->judge->count; k++) {
		for (uint32_t i = 0; i < m->judge->results[k]->rows_count; i++) {
			const struct result_row *row = &m->judge->results[k]->rows[i];
			struct clones one = {.result = k, .rows = &row, .count = 1};
			struct condition_subject s = subject_of(m, &one);
			uint32_t met = 0;
			if (!row_named(row, path->job) || !row_named(row, m->job))
				continue;
			str_reset(&text);
			for (uint32_t c = 0; c < m->where->count; c++) {
				struct result_condition found;
				condition_judge(m->judge->arena, &m->where->v[c], &s, &found);
				met += found.state == CONDITION_MET;
				if (found.state == CONDITION_UNMET)
					str_addf(&text, "; %s is %s", m->where->v[c].name,
						found.found);
				if (found.state == CONDITION_UNKNOWN)
					str_addf(&text, "; %s is not known",
						m->where->v[c].name);
			}
			if (met <= best_met)
				continue;
			best_met = met;
			str_reset(&best);
			str_addf(&best, "; nearest is %s%s", row->name, str_text(&text));
		}
	}
	str_add(out, str_text(&best));
}

/* Why no job was found. */
static const char *nobody(const struct matter *m, const struct path *path)
{
	scope_with(str_done) struct str text = {0};
	const char *job = path->job ? path->job : m->job;
	bool where = m->where && m->where->count;

	if (job)
		str_addf(&text, "no job is called '%s'", job);
	for (int dir = 0; job && dir < RESULT_DIRS; dir++)
		if (str_distance(job, result_dir_name(dir)) <= 2)
			str_addf(&text, " (if '%s' is meant, it is mistyped)",
				result_dir_name(dir));
	if (!job)
		str_add(&text, "there is no job");
	if (where)
		str_add(&text, " with");
	for (uint32_t i = 0; where && i < m->where->count; i++)
		str_addf(&text, " %s", m->where->v[i].text);
	if (where)
		add_nearest(m, path, &text);
	return arena_text(m->judge->arena, str_text(&text));
}

/* An assertion about one direction is for jobs that used it, when some did. */
static void keep_used(const struct assertion *a, struct clones *list, uint32_t *count)
{
	uint32_t kept = 0;

	if (a->path.dir == PATH_NO_DIR)
		return;
	for (uint32_t i = 0; i < *count; i++)
		if (result_dir_used(&list[i].rows[0]->dir[a->path.dir]))
			list[kept++] = list[i];
	if (kept)
		*count = kept;
}

/* Jobs of one name in several results become one. */
static int repeats_all(const struct matter *m, const struct assertion *a, struct clones *list,
	uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct repeats r = {
			.runs = arena_array(m->judge->arena, count, sizeof(*r.runs))};
		if (!r.runs)
			return -ENOMEM;
		if (!list[i].count)
			continue;
		const struct result_row *first = list[i].rows[0];
		for (uint32_t k = i; k < count; k++) {
			bool other = k == i || list[k].result != r.runs[r.count - 1].result;
			if (!list[k].count || !other || !same_job(first, list[k].rows[0]))
				continue;
			r.runs[r.count++] = list[k];
			if (k != i)
				list[k].count = 0;
		}
		int rc = repeats_judge(m, a, &r);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int assertion_judge(const struct matter *m, const struct assertion *a)
{
	uint32_t room = 0, count = 0;

	for (uint32_t i = 0; i < m->judge->count; i++)
		room += m->judge->results[i]->rows_count;
	scope_mem struct clones *list = calloc(MAX_OF(room, 1u), sizeof(*list));
	if (!list || clones_find(m, &a->path, list, room, &count) < 0)
		return -ENOMEM;
	keep_used(a, list, &count);
	if (count)
		return repeats_all(m, a, list, count);
	struct result_check *c = check_add(m->judge);
	if (!c)
		return -ENOMEM;
	check_begin(c, m, a);
	c->reason = nobody(m, &a->path);
	return c->reason ? 0 : -ENOMEM;
}

static int list_judge(const struct matter *m, const struct assertion_list *list)
{
	int rc = 0;
	for (uint32_t i = 0; i < list->count && rc == 0; i++)
		rc = assertion_judge(m, &list->v[i]);
	return rc;
}

int judge_claim(struct judge *j, const struct spec_claim *claim, const char *path)
{
	int rc = 0;

	for (uint32_t i = 0; i < claim->expects_count && rc == 0; i++) {
		struct matter m = {
			.judge = j,
			.claim = claim->name,
			.says = claim->says,
			.place = arena_printf(j->arena, "%s:%u", path, claim->expects_line[i]),
			.where = &claim->where,
			.needs = &claim->needs,
		};
		rc = m.place ? list_judge(&m, &claim->expects[i]) : -ENOMEM;
	}
	return rc;
}

int judge_expect(struct judge *j, const struct assertion_list *list, const char *job,
	const char *place)
{
	struct matter m = {.judge = j, .job = job, .place = place};
	return list_judge(&m, list);
}
