/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/help.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/check/path.h"
#include "cmd/cmd.h"
#include "cmd/debug.h"
#include "cmd/face.h"
#include "cmd/flags.h"
#include "cmd/output.h"
#include "engine/engine.h"
#include "engine/later.h"
#include "opt/opt.h"

#include <inttypes.h>
#include <string.h>

#define LABEL_WIDTH 20 /* "  default: 4k": labels end in one column */
#define NAME_WIDTH  24

static int print(const struct str *text)
{
	if (text->failed || output_write(STDOUT_FILENO, str_text(text), text->len) < 0)
		return STATUS_REFUSED;
	return STATUS_OK;
}

static void complain(const struct str *text)
{
	(void)output_write(STDERR_FILENO, str_text(text), text->len);
}

/* ---- one option ---- */

static void add_field(struct str *out, const char *label, const char *value)
{
	str_addf(out, "%*s: %s\n", LABEL_WIDTH, label, value);
}

static void add_words(struct str *out, const struct opt_word *words)
{
	const char *label = "valid values";
	for (const struct opt_word *w = words; w && w->word; w++) {
		str_addf(out, "%*s: %-10s %s\n", LABEL_WIDTH, label, w->word,
			w->help ? w->help : "");
		label = "";
	}
}

static bool is_one_number(const struct opt_type *type)
{
	return type == &opt_bytes || type == &opt_time_s || type == &opt_time_ms ||
	       type == &opt_time_us;
}

/* A bound as a user would type it. */
static void add_bound(struct str *out, const char *label, const struct opt *row, uint64_t bound)
{
	str_add(out, label);
	if (is_one_number(row->type))
		row->type->print(row, &bound, out);
	else if (row->type == &opt_i32)
		str_addf(out, "%" PRId64, (int64_t)bound);
	else
		str_addf(out, "%" PRIu64, bound);
}

void help_add_range(struct str *out, const struct opt *row)
{
	bool has_max = row->max && row->max != UINT64_MAX;
	if (!row->min && !has_max) {
		str_add_char(out, '-');
		return;
	}
	add_bound(out, "min=", row, row->min);
	if (has_max)
		add_bound(out, ", max=", row, row->max);
}

static void add_range(struct str *out, const struct opt *row)
{
	scope_with(str_done) struct str range = {0};
	help_add_range(&range, row);
	if (strcmp(str_text(&range), "-") != 0)
		add_field(out, "range", str_text(&range));
}

static void add_option(struct str *out, const struct opt *row, const char *engine)
{
	add_field(out, row->name, row->help ? row->help : "known from fio, not served");
	for (size_t i = 0; i < COUNT_OF(row->alias) && row->alias[i]; i++)
		add_field(out, "alias", row->alias[i]);
	if (engine)
		add_field(out, "engine", engine);
	if (row->refused) {
		add_field(out, "refused", row->refused);
		for (size_t i = 0; i < COUNT_OF(row->harmless) && row->harmless[i]; i++)
			add_field(out, i ? "" : "accepted", row->harmless[i]);
		return;
	}
	add_field(out, "type", *row->type->name ? row->type->name : "stands alone");
	add_field(out, "default", row->preset ? row->preset : "no default");
	add_range(out, row);
	add_words(out, row->words);
	if (row->no_effect)
		add_field(out, "no effect", row->no_effect);
}

static void add_option_line(struct str *out, const struct opt *row)
{
	if (!row->refused)
		str_addf(out, "%-*s: %s\n", NAME_WIDTH, row->name, row->help);
}

static void add_group_lines(struct str *out, const struct opt_group *g)
{
	for (size_t i = 0; i < g->count; i++)
		add_option_line(out, &g->rows[i]);
}

static const struct opt *flag_find(const char *name)
{
	for (size_t i = 0; i < flags_group.count; i++)
		if (strcmp(flags_group.rows[i].name, name) == 0)
			return &flags_group.rows[i];
	return NULL;
}

static bool add_found(struct str *out, const char *name)
{
	struct opt_found found;
	const struct opt *flag = flag_find(name);
	if (flag)
		add_option(out, flag, NULL);
	else if (opt_find(name, NULL, &found))
		add_option(out, found.row, opt_groups[found.group]->engine);
	else
		return false;
	return true;
}

int help_option(const struct cmd_call *call, const char *name)
{
	scope_with(str_done) struct str out = {0};
	if (!*name || strcmp(name, "all") == 0) {
		for (size_t i = 0; i < opt_groups_count; i++)
			if (!opt_groups[i]->engine)
				add_group_lines(&out, opt_groups[i]);
		return print(&out);
	}
	if (add_found(&out, name))
		return print(&out);

	const char *nearest = opt_nearest(name, "");
	if (!nearest)
		nearest = opt_nearest(name, NULL);
	scope_with(str_done) struct str text = {0};
	str_addf(&text,
		call->face->native ? "weir: nothing is called '%s'" : "No such command: %s",
		name);
	str_add(&text, nearest ? " - showing closest match\n" : "\n");
	complain(&text);
	if (nearest)
		add_found(&out, nearest);
	int status = print(&out);
	return call->face->native ? STATUS_REFUSED : status;
}

/* ---- engines ---- */

static void add_engines(struct str *out)
{
	str_add(out, "Available IO engines:\n");
	for (size_t i = 0; i < engines_count; i++)
		if (!(engines[i]->flags & ENGINE_HIDDEN))
			str_addf(out, "\t%s\n", engines[i]->name);
}

static const struct opt *engine_option(const struct engine *e, const char *name)
{
	for (size_t i = 0; e->opts && i < e->opts->count; i++)
		if (strcmp(e->opts->rows[i].name, name) == 0)
			return &e->opts->rows[i];
	return NULL;
}

/* One that fio has and weir doesn't. */
static void add_later(struct str *out, const struct engine_later *later, const char *option)
{
	str_addf(out, "IO engine %s (%s) is fio's; weir doesn't have it yet\n", later->name,
		later->help);
	for (size_t i = 0; later->opts && i < later->opts->count; i++) {
		const struct opt *row = &later->opts->rows[i];
		if (!option || strcmp(option, row->name) == 0)
			str_addf(out, "%-*s: %s\n", NAME_WIDTH, row->name, row->help);
	}
}

static void add_unknown_engine(struct str *out, const char *name)
{
	const char *near = name ? engine_nearest(name) : NULL;
	str_addf(out, "IO engine %s not found%s%s%s\n", name ? name : "",
		near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

int help_engine(const char *what)
{
	scope_with(str_done) struct str out = {0};
	if (!*what) {
		add_engines(&out);
		return print(&out);
	}

	size_t len = strcspn(what, ",");
	const char *option = what[len] ? what + len + 1 : NULL;
	scope_mem char *name = strndup(what, len);
	const struct engine *e = name ? engine_find(name) : NULL;
	const struct opt *row = e && option ? engine_option(e, option) : NULL;
	const struct engine_later *later = name && !e ? engine_later_find(name) : NULL;
	if (later)
		add_later(&out, later, option);
	else if (!e)
		add_unknown_engine(&out, name);
	else if (!e->opts)
		str_addf(&out, "IO engine %s has no options\n", e->name);
	else if (!option)
		add_group_lines(&out, e->opts);
	else if (!row)
		str_addf(&out, "IO engine %s has no option %s\n", e->name, option);
	else
		add_option(&out, row, e->name);

	bool found = e && e->opts && (!option || row);
	int status = print(&out);
	return found ? status : STATUS_REFUSED;
}

int help_debug(void)
{
	scope_with(str_done) struct str out = {0};
	debug_list(&out);
	return print(&out);
}

/* ---- the page ---- */

/* What a flag looks like when it is typed. */
static void add_flag_form(struct str *out, const struct opt *row)
{
	str_addf(out, "--%s", row->name);
	if (row->words && row->type == &opt_word)
		str_add(out, "=WHEN");
	else if (row->type == &opt_time_s)
		str_add(out, "=TIME");
	else if (row->type == &opt_u32)
		str_add(out, "=N");
	else if (*row->type->name)
		str_addf(out, row->type->bare ? "[=%s]" : "=%s", row->type->name);
}

static void add_flags(struct str *out)
{
	for (size_t i = 0; i < flags_group.count; i++) {
		const struct opt *row = &flags_group.rows[i];
		if (row->refused || row->no_effect)
			continue;
		scope_with(str_done) struct str form = {0};
		add_flag_form(&form, row);
		str_addf(out, "  %-*s %s\n", HELP_FLAG_WIDTH, str_text(&form), row->help);
	}
}

static void add_verbs(struct str *out)
{
	str_add(out, "verbs\n");
	for (const struct verb *v = verbs; v->name; v++)
		str_addf(out, "  %-*s %s\n", HELP_FLAG_WIDTH, v->name, v->help);
	str_add(out, "\n");
}

int help_usage(const struct cmd_call *call)
{
	const struct face *face = call->face;
	scope_with(str_done) struct str out = {0};
	str_addf(&out, "%s\n", face->version);
	str_addf(&out, "%s %s[options] [job options] <job file(s)>\n\n", face->program,
		face->verbs ? "[verb] " : "");
	if (face->verbs)
		add_verbs(&out);
	str_add(&out, "options\n");
	add_flags(&out);
	str_add(&out,
		"\njob options: --OPTION=VALUE, as in a job file; --name=NAME begins a job.\n"
		"--cmdhelp lists them, --cmdhelp=OPTION explains one.\n");
	if (face->verbs)
		str_add(&out, "weir help THEME tells more: weir help themes lists them.\n");
	return print(&out);
}

/* ---- the verb ---- */

static void add_engine(struct str *out, const struct engine *e)
{
	str_addf(out, "%s: %s\n", e->name, e->help);
	if (e->opts)
		add_group_lines(out, e->opts);
	help_add_engine_prose(out, e->name);
}

/* `weir help options [THEME]`. */
static int help_options(const struct cmd_call *call)
{
	scope_with(str_done) struct str out = {0};
	if (call->argc < 2)
		return help_option(call, "");
	if (help_add_theme(&out, call->argv[1]))
		return print(&out);
	scope_with(str_done) struct str text = {0};
	str_addf(&text, "weir: there is no theme '%s'; weir help themes lists them\n",
		call->argv[1]);
	complain(&text);
	return STATUS_REFUSED;
}

static bool add_list(struct str *out, const char *name)
{
	if (strcmp(name, "rows") == 0)
		help_add_rows(out);
	else if (strcmp(name, "themes") == 0)
		help_add_themes(out);
	else if (strcmp(name, "notes") == 0)
		help_add_notes(out);
	else if (strcmp(name, "paths") == 0)
		path_list(out);
	return out->len > 0;
}

/* `weir help note:ID`. */
static int help_note(const char *id)
{
	scope_with(str_done) struct str out = {0};
	if (help_add_note(&out, id))
		return print(&out);
	scope_with(str_done) struct str text = {0};
	str_addf(&text, "weir: there is no note '%s'; weir help notes lists them\n", id);
	complain(&text);
	return STATUS_REFUSED;
}

const char help_verb_usage[] =
	"usage: weir help NAME          an option, an engine, a verb, a theme of options\n"
	"       weir help options       all options; options THEME: of one theme\n"
	"       weir help engines       all engines\n"
	"       weir help note:ID       what a note means, and what to do\n";

int cmd_help(const struct cmd_call *call)
{
	if (call->argc < 1)
		return help_usage(call);

	const char *name = call->argv[0] + strspn(call->argv[0], "-");
	if (strcmp(name, "options") == 0)
		return help_options(call);
	if (strcmp(name, "engines") == 0)
		return help_engine("");
	if (str_starts(name, "note:"))
		return help_note(name + strlen("note:"));

	scope_with(str_done) struct str out = {0};
	const struct verb *verb = verb_find(name);
	const struct engine *engine = engine_find(name);
	struct opt_found found;
	if (add_list(&out, name))
		return print(&out);
	if (verb)
		str_addf(&out, "weir %s: %s\n%s", verb->name, verb->help,
			verb->usage ? verb->usage : "weir --help lists the options\n");
	if (engine)
		add_engine(&out, engine);
	if (add_found(&out, name) && opt_find(name, "", &found))
		help_add_prose(&out, found.row->name);
	if (!out.len)
		help_add_theme(&out, name);
	return out.len ? print(&out) : help_option(call, name);
}
