/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Is B different from A, and by how much?  Estimates of the ratio of two means, and
 * what they allow to be said.  Pure.
 *
 * All is done with the logarithm of the ratio: it is symmetric (A against B is B
 * against A with the other sign), the interval of a ratio is never below zero, and
 * a share of the value is what storage people ask for.  Its error is by the delta
 * method: var(ln mean) = var(mean) / mean^2, which holds while the means are known to
 * some 20 %; Fieller's interval is then the same to three digits and has cases
 * without an end.
 *
 * Sources: B. L. Welch, The generalization of "Student's" problem when several
 * different population variances are involved, Biometrika 34 (1947); D. J. Schuirmann,
 * two one-sided tests (1987), here with both at half of the level, so that "same" means
 * that the interval shown lies inside the tolerance; S. Holm, A simple sequentially
 * rejective multiple test procedure, Scand. J. Statist. 6 (1979). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* N independent values. */
struct sample {
	uint32_t n;
	double mean;
	double variance; /* of one value, by n - 1; 0 below two */
};

/* Mean and variance of V[0 .. N-1]. */
struct sample sample_of(const double *v, uint32_t n);

/* ln(B / A) = log_ratio, with its standard error, which has DF degrees of freedom. */
struct estimate {
	bool known; /* false: nothing can be said                          */
	double log_ratio, se, df;
};

/* Of means of unequal variance (Welch).  Where one side has a single value its relative
 * variance is taken to be that of the other.  Unknown when a mean isn't above zero
 * or neither side has two values. */
struct estimate estimate_means(const struct sample *a, const struct sample *b);

/* Of pairs: A[i] and B[i] ran in the same block, one after the other.  The mean of
 * their log ratios. */
struct estimate estimate_pairs(const double *a, const double *b, uint32_t n);

/* SHARE is a known relative error (one standard deviation) that more values don't make
 * smaller: the resolution of a histogram. */
void estimate_blur(struct estimate *e, double share);

/* Interval of the ratio that holds with CONFIDENCE (0.95). */
void estimate_interval(const struct estimate *e, double confidence, double *ret_low,
	double *ret_high);

/* P of seeing this much difference where there is none. */
double estimate_p_different(const struct estimate *e);

/* Twice the P of seeing this little difference where the ratio is outside 1 / (1 +
 * TOLERANCE) to 1 + TOLERANCE: below 0.05 when the 95 % interval lies inside. */
double estimate_p_same(const struct estimate *e, double tolerance);

/* LESS and MORE say nothing about good and bad: that is the figure's. */
enum verdict {
	VERDICT_UNDECIDED, /* can't tell                                      */
	VERDICT_SAME,      /* within the tolerance, whatever the difference is */
	VERDICT_LESS,      /* B is less than A                                 */
	VERDICT_MORE,
};

/* At level ALPHA (0.05).  "Same" goes first: a difference that is real and smaller than
 * anybody cares about is none. */
enum verdict estimate_verdict(const struct estimate *e, double tolerance, double alpha);

/* P of the better founded of both claims, "same" and "different"; NAN: unknown. */
double estimate_claim(const struct estimate *e, double tolerance);

/* Holm's procedure over the claims P: RET_ALPHA[i] is the level at which estimate_verdict() of
 * the i-th may be had, so that one wrong claim among all has at most probability ALPHA.
 * 0 where the procedure stopped before it.  A claim that is NAN counts for nothing. */
void holm_levels(const double *p, uint32_t count, double alpha, double *ret_alpha);

/* How many independent values each side would need, were they as these are, for a
 * verdict with probability 0.8: "different" if the ratio seen is the truth, or "same",
 * whichever needs fewer.  0: none is known; at most VALUES_NEEDED_MAX. */
#define VALUES_NEEDED_MAX 100000
uint32_t estimate_values_needed(const struct estimate *e, const struct sample *a,
	const struct sample *b, double tolerance);
