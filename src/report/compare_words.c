/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "report/compare_words.h"

#include "base/plain.h"
#include "base/str.h"
#include "report/text.h"

#include <math.h>

const char *compare_answer_text(enum compare_answer answer)
{
	static const char *const texts[] = {
		[ANSWER_NONE] = "",
		[ANSWER_BETTER] = "better",
		[ANSWER_WORSE] = "worse",
		[ANSWER_SAME] = "same",
		[ANSWER_UNDECIDED] = "can't tell",
	};
	return texts[answer];
}

const char *compare_answer_word(enum compare_answer answer)
{
	if (answer == ANSWER_NONE)
		return "none";
	return answer == ANSWER_UNDECIDED ? "undecided" : compare_answer_text(answer);
}

const char *compare_why_word(enum compare_why why)
{
	static const char *const words[] = {
		[WHY_WIDE] = "wide",
		[WHY_SHORT] = "short",
		[WHY_DRIFT] = "drift",
		[WHY_ONE] = "one-run",
		[WHY_GRAIN] = "grain",
		[WHY_TAIL] = "tail",
		[WHY_BROKEN] = "broken",
		[WHY_ABSENT] = "absent",
	};
	return words[why];
}

const char *compare_basis_word(enum compare_basis basis)
{
	static const char *const words[] = {
		[COMPARE_BY_ONE] = "one",
		[COMPARE_BY_SERIES] = "series",
		[COMPARE_BY_RUNS] = "runs",
		[COMPARE_BY_PAIRS] = "pairs",
	};
	return words[basis];
}

static void add_wide(struct str *out, const struct compare_line *line,
	const struct compare_cell *cell)
{
	if (!cell->more)
		return;
	if (line->basis == COMPARE_BY_SERIES)
		str_addf(out, "runs of %s s would",
			plain_number(cell->more * cell->length_s, 3).text);
	else if (cell->more > 1000)
		str_add(out, "more than 1000 runs would");
	else
		str_addf(out, "%u more run%s each would", cell->more,
			cell->more > 1 ? "s" : "");
}

static void add_short(struct str *out, const struct compare_cell *cell)
{
	double need_s = fmax(50 * cell->time_s, fmax(20, cell->length_s));
	str_addf(out, "%s s is short: about %.0f s would do",
		plain_number(cell->length_s, 3).text, need_s);
}

void compare_add_why(struct str *out, const struct compare_line *line,
	const struct compare_cell *cell)
{
	switch (cell->why) {
	case WHY_WIDE:
		add_wide(out, line, cell);
		break;
	case WHY_SHORT:
		add_short(out, cell);
		break;
	case WHY_DRIFT:
		str_addf(out, "it drifts by %+.0f %% in the run", 100 * cell->drift);
		break;
	case WHY_ONE:
		str_add(out, "one run each");
		break;
	case WHY_GRAIN:
		str_addf(out, "it is known to %s %% only",
			plain_number(100 * cell->grain, 2).text);
		break;
	case WHY_TAIL:
		str_add(out, "too few samples so far out");
		break;
	case WHY_BROKEN:
		str_add(out, "failed or cut short");
		break;
	case WHY_ABSENT:
		str_add(out, "not in the results");
		break;
	}
}

double compare_unit(enum compare_figure figure, double v, const char **ret_name)
{
	*ret_name = figure == COMPARE_BW ? "MB/s" : "";
	if (!compare_figures[figure].is_time)
		return figure == COMPARE_BW ? 1e6 : 1;
	*ret_name = v < 1e3 ? "ns" : v < 1e6 ? "\xc2\xb5s" : "ms";
	return v < 1e3 ? 1 : v < 1e6 ? 1e3 : 1e6;
}

void compare_add_side(struct str *out, const struct compare_side *side)
{
	text_add(out, side->name);
	str_addf(out, " (%u run%s)", side->count, side->count > 1 ? "s" : "");
}
