/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* `weir help rows`: every row for programs (the man page and the tests are made of
 * it): one a line, tabs between, a '-' where there is nothing:
 *
 *	flag|option  name  aliases  engine  group  type  default  range  words
 *	state  sentence  harmless  help
 *
 * Lists have commas; state is works, ignored or refused, and the sentence says
 * why. */
#include "cmd/help.h"

#include "base/bits.h"
#include "base/str.h"
#include "cmd/flags.h"
#include "opt/opt.h"

#include <inttypes.h>

static void add_cell(struct str *out, const char *text)
{
	str_addf(out, "\t%s", text && *text ? text : "-");
}

static void add_list(struct str *out, const char *const *texts, size_t count)
{
	size_t i = 0;
	str_add_char(out, '\t');
	for (; i < count && texts[i]; i++)
		str_addf(out, "%s%s", i ? "," : "", texts[i]);
	if (!i)
		str_add_char(out, '-');
}

static void add_words(struct str *out, const struct opt_word *words)
{
	str_add_char(out, '\t');
	for (const struct opt_word *w = words; w && w->word; w++)
		str_addf(out, "%s%s", w == words ? "" : ",", w->word);
	if (!words)
		str_add_char(out, '-');
}

static void add_row(struct str *out, const char *kind, const struct opt_group *g,
	const struct opt *row)
{
	str_addf(out, "%s\t%s", kind, row->name);
	add_list(out, row->alias, COUNT_OF(row->alias));
	add_cell(out, g->engine);
	add_cell(out, g->name);
	add_cell(out, row->type->name);
	add_cell(out, row->preset);
	str_add_char(out, '\t');
	help_add_range(out, row);
	add_words(out, row->words);
	add_cell(out, row->refused ? "refused" : row->no_effect ? "ignored" : "works");
	add_cell(out, row->refused ? row->refused : row->no_effect);
	add_list(out, row->harmless, COUNT_OF(row->harmless));
	add_cell(out, row->help);
	str_add_char(out, '\n');
}

void help_add_rows(struct str *out)
{
	for (size_t i = 0; i < flags_group.count; i++)
		add_row(out, "flag", &flags_group, &flags_group.rows[i]);
	for (size_t g = 0; g < opt_groups_count; g++)
		for (size_t i = 0; i < opt_groups[g]->count; i++)
			add_row(out, "option", opt_groups[g], &opt_groups[g]->rows[i]);
}
