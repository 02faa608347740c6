/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "stat/change.h"

#include "base/bits.h"
#include "stat/steady.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLIP        5.0    /* robust deviations                                      */
#define NORMAL      1.4826 /* median distance to standard deviation                  */
#define FLOOR       0.01   /* of the median: the logarithm of nothing                */
#define NOISE_LEAST 0.005  /* no rate is known better than that                       */
#define RHO_MAX     0.95
#define LEVEL_MIN   12 /* values that are divided once more for the noise         */

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* ROOM has as many values as V. */
static double median(const double *v, uint32_t n, double *room)
{
	memcpy(room, v, n * sizeof(*v));
	qsort(room, n, sizeof(*room), ascending);
	return n % 2 ? room[n / 2] : (room[n / 2 - 1] + room[n / 2]) / 2;
}

struct work {
	const double *v; /* as given                        */
	double *y;       /* logarithms, clipped              */
	double *room;
	struct changes *ret;
};

static void prepare(struct work *w, uint32_t n)
{
	double least = FLOOR * median(w->v, n, w->room);

	for (uint32_t i = 0; i < n; i++)
		w->y[i] = log(MAX_OF(w->v[i], least > 0 ? least : 1e-9));
}

/* What stands out is brought near. */
static void clip(double *y, uint32_t n, double *room)
{
	double middle = median(y, n, room);
	for (uint32_t i = 0; i < n; i++)
		room[i] = fabs(y[i] - middle);
	qsort(room, n, sizeof(*room), ascending);
	double reach = CLIP * MAX_OF(NORMAL * room[n / 2], NOISE_LEAST);
	for (uint32_t i = 0; i < n; i++)
		y[i] = MIN_OF(MAX_OF(y[i], middle - reach), middle + reach);
}

/* The step that explains most, and how far the cumulated sum goes. */
struct step {
	uint32_t at;
	double distance; /* largest, of the sum from its expected line   */
};

static struct step best_step(const double *y, uint32_t n)
{
	double mean = steady_mean(y, n), sum = 0, best = 0;
	struct step s = {.at = CHANGE_SIDE_MIN};

	for (uint32_t k = 1; k < n; k++) {
		sum += y[k - 1] - mean;
		s.distance = MAX_OF(s.distance, fabs(sum));
		if (k < CHANGE_SIDE_MIN || n - k < CHANGE_SIDE_MIN)
			continue;
		double gain = sum * sum * n / ((double)k * (n - k));
		if (gain > best) {
			best = gain;
			s.at = k;
		}
	}
	return s;
}

/* Take from Y the means of the parts that its best steps make: four of them, or fewer when it
 * is short.  What is left is noise, even where the series has gone down and up again.
 * Returns how many parts. */
static unsigned take_levels(double *y, uint32_t n, unsigned depth)
{
	if (depth && n >= LEVEL_MIN) {
		uint32_t at = best_step(y, n).at;
		return take_levels(y, at, depth - 1) + take_levels(y + at, n - at, depth - 1);
	}
	double mean = steady_mean(y, n);
	for (uint32_t i = 0; i < n; i++)
		y[i] -= mean;
	return 1;
}

/* Of the mean of many values, times the root of their number: an AR(1) fitted to what the
 * levels leave, its coefficient with the first-order correction of its bias (Kendall 1954:
 * (1 + 4 rho) / n with one mean, here with PARTS of them). */
static double long_run_deviation(double *y, uint32_t n)
{
	unsigned parts = take_levels(y, n, 2);
	double own = 0, next = 0;

	for (uint32_t i = 0; i < n; i++) {
		own += y[i] * y[i];
		next += i ? y[i] * y[i - 1] : 0;
	}
	/* of less than what counts as noise nothing is correlated: of equal values it is
	 * rounding */
	double rho = next / MAX_OF(own, n * NOISE_LEAST * NOISE_LEAST);
	rho += parts * (1 + 4 * rho) / n;
	rho = MIN_OF(MAX_OF(rho, 0.0), RHO_MAX);
	double deviation = MAX_OF(sqrt(own / (n - parts)), NOISE_LEAST);
	return deviation * sqrt((1 + rho) / (1 - rho));
}

/* Is there a step in [FROM, FROM + N)? */
static bool find_step(const struct work *w, uint32_t from, uint32_t n, struct change *ret)
{
	double *y = w->room + n;

	if (n < 8)
		return false;
	memcpy(y, w->y + from, n * sizeof(*y));
	clip(y, n, w->room);
	struct step s = best_step(y, n);
	double noise = long_run_deviation(y, n);
	if (s.distance / (noise * sqrt(n)) < CHANGE_LIMIT(n))
		return false;
	ret->at = from + s.at;
	ret->before = median(w->v + from, s.at, w->room);
	ret->after = median(w->v + from + s.at, n - s.at, w->room);
	double least = MIN_OF(ret->before, ret->after), most = MAX_OF(ret->before, ret->after);
	return most - least >= CHANGE_LEAST * most;
}

static void divide(struct work *w, uint32_t from, uint32_t n)
{
	struct change c;

	if (w->ret->count == CHANGES_MAX || !find_step(w, from, n, &c))
		return;
	uint32_t i = w->ret->count++;
	for (; i && w->ret->v[i - 1].at > c.at; i--)
		w->ret->v[i] = w->ret->v[i - 1];
	w->ret->v[i] = c;
	divide(w, from, c.at - from);
	divide(w, c.at, from + n - c.at);
}

/* Sum of squares that the parts leave, and that a line leaves. */
static double left_by_parts(const struct work *w, uint32_t n)
{
	double left = 0;
	for (uint32_t i = 0, from = 0; i <= w->ret->count; i++) {
		uint32_t end = i < w->ret->count ? w->ret->v[i].at : n;
		double mean = steady_mean(w->y + from, end - from);
		for (; from < end; from++)
			left += (w->y[from] - mean) * (w->y[from] - mean);
	}
	return left;
}

static double left_by_line(const double *y, uint32_t n, double *ret_from, double *ret_to)
{
	double mean = steady_mean(y, n), slope = steady_slope(y, n), left = 0;
	double middle = ((double)n - 1) / 2;

	for (uint32_t i = 0; i < n; i++) {
		double e = y[i] - mean - slope * (i - middle);
		left += e * e;
	}
	*ret_from = exp(mean - slope * middle);
	*ret_to = exp(mean + slope * middle);
	return left;
}

/* A slope that was cut into steps leaves more than a line with fewer parameters: two each
 * step, by the criterion of Schwarz. */
static void judge_trend(const struct work *w, uint32_t n)
{
	struct changes *c = w->ret;
	double from, to;
	double line = left_by_line(w->y, n, &from, &to), steps = left_by_parts(w, n);
	double least = n * NOISE_LEAST * NOISE_LEAST;

	line = MAX_OF(line, least);
	steps = MAX_OF(steps, least);
	if (n * log(line) + 2 * log(n) > n * log(steps) + (2 * c->count + 1) * log(n))
		return;
	*c = (struct changes){.trend = true, .from = from, .to = to};
}

/* Levels between neighbouring changes: that of the parts as they are in the end. */
static void levels(const struct work *w, uint32_t n)
{
	struct changes *c = w->ret;
	for (uint32_t i = 0; i < c->count; i++) {
		uint32_t from = i ? c->v[i - 1].at : 0, at = c->v[i].at;
		uint32_t end = i + 1 < c->count ? c->v[i + 1].at : n;
		c->v[i].before = median(w->v + from, at - from, w->room);
		c->v[i].after = median(w->v + at, end - at, w->room);
	}
}

/* ---- two levels ---- */

struct group {
	double mean, square; /* of the squared distances, their mean */
	uint32_t count;
};

static void groups_of(const double *y, uint32_t n, double border, struct group g[2])
{
	g[0] = g[1] = (struct group){0};
	for (uint32_t i = 0; i < n; i++) {
		struct group *to = &g[y[i] > border];
		to->count++;
		to->mean += y[i];
	}
	for (int k = 0; k < 2; k++)
		g[k].mean = g[k].count ? g[k].mean / g[k].count : border;
	for (uint32_t i = 0; i < n; i++) {
		struct group *to = &g[y[i] > border];
		to->square += (y[i] - to->mean) * (y[i] - to->mean) / to->count;
	}
}

static void judge_waves(const struct work *w, uint32_t n)
{
	double *y = w->y, border = steady_mean(y, n);
	struct group g[2];
	uint32_t turns = 0;

	for (int i = 0; i < 10; i++) {
		groups_of(y, n, border, g);
		border = (g[0].mean + g[1].mean) / 2;
	}
	double wide = MAX_OF(sqrt((g[0].square + g[1].square) / 2), NOISE_LEAST);
	double gap = g[1].mean - g[0].mean;
	if (MIN_OF(g[0].count, g[1].count) < 0.15 * n || gap < CHANGE_APART * wide ||
		1 - exp(-gap) < CHANGE_LEAST)
		return;
	for (uint32_t i = 1; i < n; i++)
		turns += (y[i] > border) != (y[i - 1] > border);
	if (turns < 3)
		return;
	w->ret->turns = turns;
	w->ret->low = exp(g[0].mean);
	w->ret->high = exp(g[1].mean);
}

int changes_find(const double *v, uint32_t n, struct changes *ret)
{
	*ret = (struct changes){0};
	if (n < CHANGE_VALUES_MIN)
		return 0;
	double *memory = malloc((size_t)n * 3 * sizeof(*memory));
	if (!memory)
		return -ENOMEM;
	struct work w = {.v = v, .y = memory, .room = memory + n, .ret = ret};
	prepare(&w, n);
	divide(&w, 0, n);
	levels(&w, n);
	if (ret->count)
		judge_trend(&w, n);
	else
		judge_waves(&w, n);
	free(memory);
	return 0;
}

bool change_steady(const double *rounds, uint32_t n)
{
	double least = INFINITY, most = 0, mean = steady_mean(rounds, n);

	for (uint32_t i = 0; i < n; i++) {
		least = fmin(least, rounds[i]);
		most = fmax(most, rounds[i]);
	}
	return n > 1 && mean > 0 && most - least <= 0.2 * mean &&
	       fabs(steady_slope(rounds, n)) * (n - 1) <= 0.1 * mean;
}
