/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* How weir prints a figure for people: as many digits as its uncertainty leaves
 * (stat/precision.h), and no more than the form has.  All native forms print their measured
 * figures by this; counts, sizes and what was asked for stay exact.  Numbers for
 * programs don't come here. */
#pragma once

struct str;

/* V with three digits or, where it is larger, all of its whole part: 0.77, 12.9, 445231; below
 * a tenth with two: 0.0051.  Of these, those that ERROR (a standard error in V's unit) leaves;
 * 0: V is exact; NAN: nothing is known. */
void digits_add(struct str *out, double v, double error);

/* The same with the place of the last digit given, as by precision_place(), for figures
 * that stand beside each other: an interval's ends have the digits of what is between. */
void digits_add_at(struct str *out, double v, int place);

/* The same with a form of its own: MOST decimals. */
void digits_add_form(struct str *out, double v, int place, int most);

/* Decimals of the form for V. */
int digits_form(double v);

/* SHARE, an uncertainty, in percent: two digits and one decimal at most (GUM, 7.2.6). */
void digits_add_share(struct str *out, double share);
