/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Values for reads, writes and trims, with commas between.  Private to opt/.
 *
 *	a        all three            a,b,     reads and writes only
 *	a,b      b for trims too      a,       reads only
 *	a,b,c    each its own         ,b       reads keep theirs; b for trims too */
#pragma once

#include "opt/span.h"

struct err;
struct str;

/* A text cut in parts for reads, writes and trims. */
struct triple {
	struct span part[3]; /* spread already                           */
	bool given[3];
	char odd; /* a separator other than ',' that was used */
};

/* SEPARATORS are those that fio takes: ',' alone, or also ':' and '-'. */
int triple_cut(const char *text, const char *separators, struct triple *ret,
	struct err *reterr);

/* The shortest text that triple_cut() takes for the same. */
void triple_print(const bool given[3], const void *src,
	void (*print_at)(const void *src, unsigned i, struct str *out), struct str *out);
