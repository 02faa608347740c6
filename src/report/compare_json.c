/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "report/compare.h"

#include "base/json.h"
#include "base/scope.h"
#include "base/str.h"
#include "report/json_parts.h"
#include "report/compare_words.h"
#include "result/result.h"

#include <math.h>

static void write_undecided(struct json *j, const struct compare_line *line,
	const struct compare_cell *cell)
{
	struct str text = {0};

	json_text(j, "why", compare_why_word(cell->why));
	compare_add_why(&text, line, cell);
	json_text(j, "text", str_text(&text));
	if (cell->why == WHY_WIDE && cell->more && line->basis != COMPARE_BY_SERIES)
		json_uint(j, "more_runs", cell->more);
	if (cell->why == WHY_WIDE && cell->more && line->basis == COMPARE_BY_SERIES)
		json_double(j, "needed_s", cell->more * cell->length_s);
	if (cell->why == WHY_SHORT)
		json_double(j, "autocorrelation_s", cell->time_s);
	if (cell->why == WHY_DRIFT)
		json_double(j, "drift", cell->drift);
	str_done(&text);
}

static void write_cell(struct json *j, const struct compare_line *line, int figure)
{
	const struct compare_cell *cell = &line->cells[figure];

	json_object(j, compare_figures[figure].name);
	if (cell->has_a)
		json_double(j, "a", cell->a);
	if (cell->has_b)
		json_double(j, "b", cell->b);
	if (cell->estimate.known)
		json_double(j, "ratio", exp(cell->estimate.log_ratio));
	else if (cell->has_a && cell->has_b && cell->a > 0)
		json_double(j, "ratio", cell->b / cell->a);
	if (cell->interval) {
		json_double(j, "low", cell->low);
		json_double(j, "high", cell->high);
	}
	json_text(j, "verdict", compare_answer_word(cell->answer));
	if (cell->answer == ANSWER_UNDECIDED)
		write_undecided(j, line, cell);
	json_object_end(j);
}

static void write_line(struct json *j, const struct compare_line *line)
{
	json_object(j, NULL);
	json_text(j, "job", line->job);
	if (line->what)
		json_text(j, "what", line->what);
	if (line->members)
		json_uint(j, "members", line->members);
	json_text(j, "direction", result_dir_name(line->dir));
	json_text(j, "side", compare_letter(line->side));
	json_text(j, "basis", compare_basis_word(line->basis));
	json_uint(j, "runs_a", line->units_a);
	json_uint(j, "runs_b", line->units_b);
	json_text(j, "latency", line->clat ? "clat" : "lat");
	json_text(j, "deciding", compare_figures[line->deciding].name);
	json_text(j, "verdict", compare_answer_word(compare_line_answer(line)));
	json_object(j, "figures");
	for (int f = 0; f < COMPARE_FIGURES; f++)
		if (line->cells[f].has_a || line->cells[f].has_b || f == (int)line->deciding)
			write_cell(j, line, f);
	json_object_end(j);
	json_object_end(j);
}

/* Those of the comparison, and what its verdicts mean. */
static void write_notes(const struct compare *c, struct json *j)
{
	scope_with(str_done) struct str levels = {0};

	json_array(j, "notes");
	for (uint32_t i = 0; i < c->notes_count; i++)
		weir_json_note(j, &c->notes[i]);
	compare_add_levels(c, false, &levels);
	if (levels.len)
		weir_json_note(j, &(struct result_note){.text = str_text(&levels)});
	json_array_end(j);
	j->out->failed |= levels.failed;
}

void compare_json(const struct compare *c, struct str *out)
{
	struct json j;

	json_init(&j, out, JSON_FIO);
	json_object(&j, NULL);
	compare_json_keys(c, &j);
	json_object_end(&j);
}

void compare_json_keys(const struct compare *c, struct json *j)
{
	json_uint(j, "weir_compare", COMPARE_VERSION);
	json_text(j, "verdict", compare_answer_word(compare_answer(c)));
	json_double(j, "tolerance", c->tolerance);
	json_array(j, "sides");
	for (uint32_t i = 0; i < c->sides_count; i++) {
		json_object(j, NULL);
		json_text(j, "side", compare_letter(i));
		json_text(j, "name", c->sides[i].name);
		json_uint(j, "runs", c->sides[i].count);
		json_object_end(j);
	}
	json_array_end(j);
	json_array(j, "comparisons");
	for (uint32_t i = 0; i < c->lines_count; i++)
		write_line(j, &c->lines[i]);
	json_array_end(j);
	write_notes(c, j);
}
