/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Types of values that only flags have; their names are what --help shows.  Texts and lists
 * are copied into the arena of the call. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "opt/opt.h"

/* bool: a flag that stands alone; and one that may have a value, which says nothing. */
extern const struct opt_type flag_switch, flag_anyhow;

/* uint32_t: a comma list of the row's words as the set of their bits; and flags that stand
 * alone for one format.  The last said counts. */
extern const struct opt_type flag_formats, flag_minimal, flag_summary;

/* const char *: a text; LABEL stands for it in --help. */
#define FLAG_TEXT_TYPE(label, optional)                                                        \
	(&(const struct opt_type){                                                             \
		.name = (label),                                                               \
		.size = sizeof(const char *),                                                  \
		.bare = (optional),                                                            \
		.parse = flag_text_parse,                                                      \
		.print = flag_text_print,                                                      \
	})

/* struct opt_names: a flag that may be repeated; each value is kept whole, colons and all. */
#define FLAG_LIST_TYPE(label)                                                                  \
	(&(const struct opt_type){                                                             \
		.name = (label),                                                               \
		.size = sizeof(struct opt_names),                                              \
		.parse = flag_list_parse,                                                      \
		.print = flag_list_print,                                                      \
	})

/* Of those two. */
int flag_text_parse(const struct opt *o, const char *text, void *dst, const struct opt_ctx *ctx,
	struct err *reterr);
void flag_text_print(const struct opt *o, const void *src, struct str *out);
int flag_list_parse(const struct opt *o, const char *text, void *dst, const struct opt_ctx *ctx,
	struct err *reterr);
void flag_list_print(const struct opt *o, const void *src, struct str *out);
