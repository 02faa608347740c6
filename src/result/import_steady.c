/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Steady states of fio's JSON. */
#include "base/bits.h"
#include "base/limits.h"
#include "base/str.h"
#include "result/import_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "iops:5.000000%", "bw_slope:0.1%", "lat:100.000000". */
static void read_rule(struct steady_rule *rule, const char *text)
{
	const char *colon = strchr(text, ':');
	char *end;

	rule->figure = str_starts(text, "bw")    ? STEADY_BW
		       : str_starts(text, "lat") ? STEADY_LAT
						 : STEADY_IOPS;
	rule->slope = strstr(text, "_slope") != NULL;
	if (!colon)
		return;
	rule->limit = strtod(colon + 1, &end);
	rule->percent = *end == '%';
}

static double *read_list(struct import *in, const struct json_value *of, const char *key,
	uint32_t *ret_count)
{
	const struct json_value *list = import_array(in, of, key);
	uint32_t n = 0;

	for (const struct json_value *v = list ? list->first : NULL; v; v = v->next)
		n++;
	double *to = n ? import_alloc(in, n * sizeof(*to)) : NULL;
	*ret_count = 0;
	for (const struct json_value *v = to ? list->first : NULL; v; v = v->next)
		if (v->kind == JSON_NUMBER)
			to[(*ret_count)++] = v->real;
	return to;
}

/* The lists, where all that the rule needs are there and equally long. */
static void read_lists(struct import *in, const struct json_value *data,
	struct result_steady *s)
{
	static const char *const keys[STEADY_FIGURES] = {
		[STEADY_IOPS] = "iops", [STEADY_BW] = "bw", [STEADY_LAT] = "lat_ns"};
	uint32_t count[STEADY_FIGURES];

	for (int i = 0; i < STEADY_FIGURES; i++)
		s->v[i] = read_list(in, data, keys[i], &count[i]);
	if (!s->v[STEADY_LAT])
		s->v[STEADY_LAT] = read_list(in, data, "lat", &count[STEADY_LAT]);
	uint32_t n = count[s->rule.figure];
	bool equal = n && count[STEADY_IOPS] == n && count[STEADY_BW] == n;
	s->count = equal ? n : 0;
	s->full = s->count && s->count * NS_PER_S >= s->window_ns;
}

/* fio writes "11.4%", or a number; NAN: nothing. */
static double read_criterion(const struct json_value *of)
{
	const struct json_value *v = json_get(of, "criterion");
	char *end;

	if (v && v->kind == JSON_NUMBER)
		return v->real;
	if (!v || v->kind != JSON_STRING)
		return NAN;
	double criterion = strtod(v->text, &end);
	return end > v->text ? criterion : NAN;
}

void import_json_steady(struct import *in, const struct json_value *of, struct result_row *row)
{
	struct result_steady *s = of ? import_steady(in) : NULL;
	const struct json_value *data = import_object(in, of, "data");
	uint64_t seconds = 0, attained = 0;

	if (!s)
		return;
	const char *rule = import_string(in, of, "ss");
	if (rule) {
		s->text = rule;
		read_rule(&s->rule, rule);
	}
	import_whole(in, of, "duration", &seconds);
	import_whole(in, of, "attained", &attained);
	s->window_ns = MIN_OF(seconds, UINT64_MAX / NS_PER_S) * NS_PER_S;
	s->attained = attained != 0;
	s->told_criterion = read_criterion(of);
	import_real(in, data, "iops_mean", &s->told_mean[STEADY_IOPS]);
	import_real(in, data, "bw_mean", &s->told_mean[STEADY_BW]);
	import_real(in, data, "lat_mean", &s->told_mean[STEADY_LAT]);
	read_lists(in, data, s);
	if (in->rc == 0)
		row->steady = s;
}
