/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Prose beside the rows: weir help OPTION, weir help THEME. */
#include "cmd/help.h"

#include "base/str.h"
#include "cmd/prose.h"
#include "opt/opt.h"
#include "result/notes/notes.h"

#include <string.h>

static const struct prose *prose_of(const char *theme, const char *option)
{
	for (const struct prose *p = prose_all; p->theme; p++) {
		if (theme && strcmp(p->theme, theme) != 0)
			continue;
		if (option ? p->option && strcmp(p->option, option) == 0 : !p->option)
			return p;
	}
	return NULL;
}

void help_add_prose(struct str *out, const char *option)
{
	const struct prose *p = prose_of(NULL, option);
	if (!p)
		return;
	str_addf(out, "\n%s", p->text);
	str_addf(out, "\nMore of its kind: weir help options %s\n", p->theme);
}

void help_add_engine_prose(struct str *out, const char *engine)
{
	const struct prose *p = prose_of("engines", engine);
	if (p)
		str_addf(out, "\n%s", p->text);
}

bool help_add_note(struct str *out, const char *id)
{
	const struct prose *p = prose_of("notes", id);
	if (p)
		str_addf(out, "%s\n\n%s", id, p->text);
	return p;
}

/* Several rules may tell of the same: an id is listed once. */
static bool rule_is_first(const struct note_rule *rule)
{
	for (size_t t = 0; note_tables[t]; t++) {
		for (size_t i = 0; i < note_tables[t]->count; i++) {
			const struct note_rule *one = &note_tables[t]->rules[i];
			if (!strcmp(one->id, rule->id))
				return one == rule;
		}
	}
	return true;
}

void help_add_notes(struct str *out)
{
	const struct prose *begin = prose_of("notes", NULL);
	str_addf(out, "%s\n", begin ? begin->text : "");
	for (size_t t = 0; note_tables[t]; t++) {
		for (size_t i = 0; i < note_tables[t]->count; i++) {
			const struct note_rule *rule = &note_tables[t]->rules[i];
			if (rule_is_first(rule))
				str_addf(out, "  %-*s %s\n", HELP_FLAG_WIDTH, rule->id,
					note_weight_name(rule->weight));
		}
	}
}

bool help_add_theme(struct str *out, const char *theme)
{
	const struct prose *begin = prose_of(theme, NULL);
	if (!begin)
		return false;
	str_add(out, begin->text);
	for (const struct prose *p = begin + 1; p->theme && p->option; p++) {
		struct opt_found found;
		str_addf(out, "\n%s", p->option);
		if (opt_find(p->option, "", &found) && found.row->help)
			str_addf(out, ": %s", found.row->help);
		str_addf(out, "\n\n%s", p->text);
	}
	return true;
}

void help_add_themes(struct str *out)
{
	str_add(out, "themes\n");
	for (const struct prose *p = prose_all; p->theme; p++)
		if (!p->option)
			str_addf(out, "  %-*s %.*s\n", HELP_FLAG_WIDTH, p->theme,
				(int)strcspn(p->text, "\n"), p->text);
	str_add(out, "\n");
}
