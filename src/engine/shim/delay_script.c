/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "engine/shim/delay_script.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/rng.h"
#include "engine/shim/script.h"
#include "opt/opt.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static int delay_time(const char *text, uint64_t *ret_ns, struct err *reterr)
{
	return opt_read_time(text, NS_PER_US, ret_ns, reterr);
}

static int delay_parse_const(const struct script_part *p, struct delay_shape *ret,
	struct err *reterr)
{
	if (p->words != 2)
		return err_set(reterr, -EINVAL, "const takes one time: const:100us");
	ret->form = DELAY_UNIFORM;
	int rc = delay_time(p->word[1], &ret->lo_ns, reterr);
	ret->hi_ns = ret->lo_ns;
	return rc;
}

static int delay_parse_uniform(const struct script_part *p, struct delay_shape *ret,
	struct err *reterr)
{
	if (p->words != 3)
		return err_set(reterr, -EINVAL, "uniform takes two times: uniform:50us:150us");
	ret->form = DELAY_UNIFORM;
	int rc = delay_time(p->word[1], &ret->lo_ns, reterr);
	if (rc == 0)
		rc = delay_time(p->word[2], &ret->hi_ns, reterr);
	if (rc == 0 && ret->hi_ns < ret->lo_ns)
		return err_set(reterr, -EINVAL, "uniform: %s is less than %s", p->word[2],
			p->word[1]);
	return rc;
}

static int delay_parse_modal(const struct script_part *p, struct delay_shape *ret,
	struct err *reterr)
{
	uint64_t sum = 0;

	ret->form = DELAY_MODAL;
	for (unsigned i = 1; i < p->words; i++) {
		char *weight_text = strchr(p->word[i], '/');
		uint64_t weight;
		if (!weight_text)
			return err_set(reterr, -EINVAL,
				"bimodal takes times with weights: bimodal:100us/90:5ms/10");
		*weight_text++ = '\0';
		int rc = delay_time(p->word[i], &ret->mode_ns[ret->modes], reterr);
		if (rc == 0)
			rc = opt_read_u64(weight_text, &weight, reterr);
		if (rc < 0)
			return rc;
		sum += weight;
		if (sum > UINT32_MAX)
			return err_set(reterr, -ERANGE, "the weights are too big");
		ret->mode_below[ret->modes++] = (uint32_t)sum;
	}
	return sum ? 0 : err_set(reterr, -EINVAL, "bimodal needs at least one weight above 0");
}

static int delay_parse_tail(const struct script_part *p, struct delay_shape *ret,
	struct err *reterr)
{
	static const char form[] =
		"tail:pareto:SCALE:SHAPE[:MAX] or tail:lognormal:MEDIAN:SIGMA[:MAX]";

	if (p->words < 4 || p->words > 5)
		return err_set(reterr, -EINVAL, "a tail is written %s", form);
	if (!strcmp(p->word[1], "pareto"))
		ret->form = DELAY_PARETO;
	else if (!strcmp(p->word[1], "lognormal"))
		ret->form = DELAY_LOGNORMAL;
	else
		return err_set(reterr, -EINVAL, "no tail \"%s\"; it is written %s", p->word[1],
			form);
	int rc = delay_time(p->word[2], &ret->lo_ns, reterr);
	if (rc == 0)
		rc = opt_read_double(p->word[3], &ret->shape, reterr);
	if (rc == 0 && !(ret->shape > 0))
		rc = err_set(reterr, -ERANGE, "the shape of a tail must be above 0");
	if (rc == 0 && p->words == 5)
		rc = delay_time(p->word[4], &ret->hi_ns, reterr);
	return rc;
}

static int delay_parse_part(const struct script_part *p, struct delay_shape *ret,
	struct err *reterr)
{
	static const struct {
		const char *name;
		int (*parse)(const struct script_part *p, struct delay_shape *ret,
			struct err *reterr);
	} shapes[] = {
		{"const", delay_parse_const},
		{"uniform", delay_parse_uniform},
		{"bimodal", delay_parse_modal},
		{"tail", delay_parse_tail},
	};

	for (size_t i = 0; i < COUNT_OF(shapes); i++)
		if (!strcmp(p->word[0], shapes[i].name))
			return shapes[i].parse(p, ret, reterr);
	return err_set(reterr, -EINVAL,
		"no shape \"%s\"; there are const, uniform, bimodal and tail", p->word[0]);
}

int delay_script_parse(const char *text, struct delay_script *ret, struct err *reterr)
{
	struct delay_script script = {0};
	struct script_part part;
	int rc = 0;

	while (text && (rc = script_next(&text, &part, reterr)) > 0) {
		struct delay_shape shape = {0};
		rc = delay_parse_part(&part, &shape, reterr);
		if (rc < 0)
			break;
		for (int dir = 0; dir < DIRS_ALL; dir++)
			if (part.dirs & 1u << dir)
				script.shape[dir] = shape;
	}
	if (rc < 0)
		return err_within(reterr, "delay_script");
	*ret = script;
	return 0;
}

static uint64_t delay_modal(const struct delay_shape *s, struct rng *dice)
{
	uint64_t at = rng_below(dice, s->mode_below[s->modes - 1]);
	uint32_t i = 0;

	while (at >= s->mode_below[i])
		i++;
	return s->mode_ns[i];
}

static uint64_t delay_tail(const struct delay_shape *s, double factor)
{
	double ns = (double)s->lo_ns * factor;
	double max = s->hi_ns ? (double)s->hi_ns : 1e18;

	return ns < max ? (uint64_t)ns : (uint64_t)max;
}

/* Box and Muller, one of the pair. */
static double delay_normal(struct rng *dice)
{
	double u = 1.0 - rng_unit(dice), v = rng_unit(dice);

	return sqrt(-2.0 * log(u)) * cos(2.0 * 3.14159265358979323846 * v);
}

uint64_t delay_draw(const struct delay_shape *s, struct rng *dice)
{
	switch (s->form) {
	case DELAY_NONE:
		return 0;
	case DELAY_UNIFORM:
		return s->lo_ns + rng_below(dice, s->hi_ns - s->lo_ns + 1);
	case DELAY_MODAL:
		return delay_modal(s, dice);
	case DELAY_PARETO:
		return delay_tail(s, pow(1.0 - rng_unit(dice), -1.0 / s->shape));
	case DELAY_LOGNORMAL:
		return delay_tail(s, exp(s->shape * delay_normal(dice)));
	}
	return 0;
}
