/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "report/checks_words.h"

#include "base/bits.h"
#include "base/str.h"
#include "report/checks.h"
#include "report/digits.h"
#include "report/text.h"
#include "stat/precision.h"

#include <math.h>
#include <string.h>

struct step {
	double from, size;
	const char *unit;
};

static const struct step steps_count[] = {
	{1e9, 1e9, "G"}, {1e6, 1e6, "M"}, {1e4, 1e3, "k"}, {0, 1, ""}};
static const struct step steps_bytes[] = {{1e12, 1e12, " TB"}, {1e9, 1e9, " GB"},
	{1e6, 1e6, " MB"}, {1e3, 1e3, " kB"}, {0, 1, " B"}};
static const struct step steps_bandwidth[] = {
	{1e10, 1e9, " GB/s"}, {1e6, 1e6, " MB/s"}, {1e3, 1e3, " kB/s"}, {0, 1, " B/s"}};
static const struct step steps_time[] = {
	{1e9, 1e9, " s"}, {1e6, 1e6, " ms"}, {1e3, 1e3, " \xc2\xb5s"}, {0, 1, " ns"}};

void checks_value(struct str *out, enum quantity quantity, double v)
{
	checks_known(out, quantity, v, 0);
}

void checks_known(struct str *out, enum quantity quantity, double v, double error)
{
	static const struct step *const steps[] = {
		[QUANTITY_COUNT] = steps_count,
		[QUANTITY_RATE] = steps_count,
		[QUANTITY_BYTES] = steps_bytes,
		[QUANTITY_BANDWIDTH] = steps_bandwidth,
		[QUANTITY_TIME] = steps_time,
	};
	const struct step *s = steps[quantity];

	if (v < 0) {
		str_add_char(out, '-');
		v = -v;
	}
	if (quantity == QUANTITY_COUNT && v == floor(v) && v < 1e15) {
		str_addf(out, "%.0f", v);
		return;
	}
	while (v < s->from)
		s++;
	double shown = v / s->size;
	int digits = shown == floor(shown) || shown >= 999.5 ? 0 : shown >= 99.95 ? 1 : 2;
	digits_add_form(out, shown, precision_place(shown, error / s->size), digits);
	str_add(out, s->unit);
}

void checks_beside(struct str *out, enum quantity quantity, double v, double error,
	double limit)
{
	for (int i = 0; i < 15 && error > 0; i++, error /= 10) {
		double shown = precision_round(v, precision_place(v, error));
		if ((v > limit) == (shown > limit) && (v < limit) == (shown < limit))
			break;
	}
	checks_known(out, quantity, v, error);
}

void checks_add_measured(struct str *out, const struct result_check *c)
{
	if (!c->known) {
		str_add_char(out, '-');
		return;
	}
	checks_beside(out, c->quantity, c->value, c->error, c->limit);
	if (c->runs > 1)
		str_addf(out, ", mean of %u", c->runs);
}

void checks_add_interval(struct str *out, const struct result_check *c)
{
	if (!c->interval)
		return;
	checks_beside(out, c->quantity, c->lo, c->error, c->limit);
	str_add(out, " .. ");
	checks_beside(out, c->quantity, c->hi, c->error, c->limit);
	if (c->confidence > 0 && c->confidence != 0.95)
		str_addf(out, " @%.4g%%", c->confidence * 100);
}

static const char *state_word(enum condition_state s)
{
	static const char *const words[] = {
		[CONDITION_MET] = "met",
		[CONDITION_UNMET] = "not met",
		[CONDITION_UNKNOWN] = "not known",
		[CONDITION_GIVEN] = "as you say",
	};
	return words[s];
}

void checks_add_conditions(struct str *out, const struct result_check *c)
{
	static const enum condition_state order[] = {
		CONDITION_MET, CONDITION_UNMET, CONDITION_GIVEN, CONDITION_UNKNOWN};

	for (size_t k = 0; k < COUNT_OF(order); k++) {
		const char *between = out->len ? "; " : "";
		for (uint32_t i = 0; i < c->conditions_count; i++) {
			const struct result_condition *cond = &c->conditions[i];
			if (cond->state != order[k])
				continue;
			str_add(out, between);
			if (*between != ',')
				str_addf(out, "%s: ", state_word(order[k]));
			text_add(out, cond->text);
			if (order[k] == CONDITION_UNMET && cond->found)
				str_addf(out, " (it is %s)", cond->found);
			between = ", ";
		}
	}
}

void checks_count_verdicts(const struct report_checks *c, unsigned counts[3])
{
	memset(counts, 0, 3 * sizeof(*counts));
	for (uint32_t i = 0; i < c->count; i++)
		counts[c->checks[i].verdict]++;
}

void checks_add_chance(struct str *out, const struct result_check *c)
{
	str_addf(out,
		"one run (n = 1), %.2g %% from the limit: the same job run twice commonly differs by "
		"2 to 4 %%",
		100 * fabs(c->value / c->limit - 1));
}
