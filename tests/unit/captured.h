/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* For tests of what was captured: a layer by its name, and whether a page tells of all facts.
 * Include <cmocka.h> before. */
#pragma once

#include <stdio.h>
#include <string.h>

#include "result/environment.h"

/* Fails the running test when there is none. */
static inline const struct layer *captured_layer(const struct environment *e, const char *id)
{
	for (uint32_t i = 0; i < e->stack.count; i++)
		if (!strcmp(e->stack.v[i].id, id))
			return &e->stack.v[i];
	fail_msg("no layer %s", id);
	return NULL;
}

/* PAGE, a path, has the key of each row of T in backquotes; PART is T's name. */
static inline void captured_in_page(const char *page, const char *part,
	const struct fact_table *t)
{
	static char text[64 << 10];
	FILE *f = fopen(page, "r");

	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	for (size_t i = 0; i < t->count; i++) {
		char key[128];
		snprintf(key, sizeof(key), "`%s`", t->rows[i].key);
		if (!strstr(text, key))
			fail_msg("%s doesn't tell of %s.%s", page, part, t->rows[i].key);
	}
}
