/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/command_line.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/face.h"
#include "engine/engine.h"
#include "engine/later.h"
#include "job/job.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- names: a walk over all that are known at a place of the line ---- */

/* One spelling of one option. */
struct spelling {
	const struct opt *row;
	const char *name;
};

#define CANDIDATES_SHOWN 10

/* How NAME came to be matched. */
struct search {
	const char *typed;
	bool own;  /* may beginnings of weir's own options match? */
	bool near; /* look for the nearest: costs a while     */
	struct spelling exact;
	struct spelling begins; /* the first that begins with it           */
	unsigned begin_rows;    /* how many rows have such a spelling      */
	struct str candidates;  /* their names, for the error              */
	const char *nearest;
	unsigned distance;
};

static void search_done(struct search *s)
{
	str_done(&s->candidates);
}

static void search_spelling(struct search *s, const struct opt *row, const char *name)
{
	if (strcmp(name, s->typed) == 0 && !s->exact.row)
		s->exact = (struct spelling){row, name};
	if (!s->near)
		return;
	unsigned distance = str_distance(name, s->typed);
	if (!s->nearest || distance < s->distance) {
		s->nearest = name;
		s->distance = distance;
	}
}

static void search_row(struct search *s, const struct opt *row)
{
	const char *begins = str_starts(row->name, s->typed) ? row->name : NULL;
	search_spelling(s, row, row->name);
	for (size_t i = 0; i < COUNT_OF(row->alias) && row->alias[i]; i++) {
		if (!row->alias[i][1]) /* short forms are no long names */
			continue;
		search_spelling(s, row, row->alias[i]);
		if (!begins && str_starts(row->alias[i], s->typed))
			begins = row->alias[i];
	}
	if (!begins || (row->flags & OPT_NATIVE && !s->own))
		return;
	if (!s->begin_rows++)
		s->begins = (struct spelling){row, begins};
	if (s->begin_rows <= CANDIDATES_SHOWN)
		str_addf(&s->candidates, "%s--%s", s->begin_rows > 1 ? ", " : "", begins);
}

static void search_group(struct search *s, const struct opt_group *g)
{
	for (size_t i = 0; i < g->count; i++)
		search_row(s, &g->rows[i]);
}

/* Everything known where ENGINE is selected. */
static void search_all(struct search *s, const char *engine)
{
	search_group(s, &flags_group);
	for (size_t i = 0; i < opt_groups_count; i++)
		if (!opt_groups[i]->engine)
			search_group(s, opt_groups[i]);

	struct engine_chain chain;
	if (!engine)
		return;
	if (engine_chain_parse(engine, &chain, NULL) < 0) {
		/* One that weir doesn't have: its options are known as refused. */
		const struct engine_later *later = engine_later_find(engine);
		if (later && later->opts)
			search_group(s, later->opts);
		return;
	}
	for (uint32_t i = 0; i < chain.count; i++)
		if (chain.link[i]->opts)
			search_group(s, chain.link[i]->opts);
}

static int ambiguous_option(const struct search *s, struct err *reterr)
{
	char more[32] = "";
	if (s->begin_rows > CANDIDATES_SHOWN)
		snprintf(more, sizeof(more), " or %u others", s->begin_rows - CANDIDATES_SHOWN);
	return err_set(reterr, -EINVAL, "option '--%s' is ambiguous; it may be %s%s", s->typed,
		str_text(&s->candidates), more);
}

static int unknown_option(struct search *s, const char *engine, struct err *reterr)
{
	scope_with(str_done) struct str owners = {0};
	struct engine_chain chain;
	bool have;
	engine_owners(s->typed, &owners, &have);
	/* The engine was said, but isn't one: that is the mistake. */
	if (owners.len && have && engine && !engine_later_find(engine) &&
		engine_chain_parse(engine, &chain, reterr) < 0)
		return err_within(reterr, "--ioengine");
	if (owners.len)
		return err_set(reterr, -EINVAL, "option '--%s' belongs to the engine %s%s",
			s->typed, str_text(&owners),
			have ? ": put --ioengine before it" : ", which weir doesn't have yet");
	s->near = true;
	search_all(s, engine);
	if (s->nearest && s->distance * 2 <= strlen(s->typed))
		return err_set(reterr, -EINVAL, "unknown option '--%s'; did you mean '--%s'?",
			s->typed, s->nearest);
	return err_set(reterr, -EINVAL, "unknown option '--%s'; --help lists them", s->typed);
}

/* The option that NAME means, in full or as a unique beginning (weir's own options make
 * no beginning ambiguous that is unique in fio), among the flags,
 * the options of all jobs and those of the engines in ENGINE ("io_uring",
 * "delay(null)"; NULL: none).  *ret_name is its full spelling. */
static int find_option(const char *name, const char *engine, const struct opt **ret_row,
	const char **ret_name, struct err *reterr)
{
	scope_with(search_done) struct search s = {.typed = name};
	search_all(&s, engine);
	if (!s.exact.row && !s.begin_rows) {
		s.own = true;
		search_all(&s, engine);
	}

	const struct spelling *found = s.exact.row ? &s.exact : &s.begins;
	if (!found->row || !*name)
		return unknown_option(&s, engine, reterr);
	if (!s.exact.row && s.begin_rows > 1)
		return ambiguous_option(&s, reterr);
	*ret_row = found->row;
	*ret_name = found->name;
	return 0;
}

/* "-o": fio's short form of a flag. */
static const struct opt *short_flag(const char *letter)
{
	for (size_t i = 0; i < flags_group.count; i++)
		if (flags_group.rows[i].alias[0] &&
			strcmp(flags_group.rows[i].alias[0], letter) == 0)
			return &flags_group.rows[i];
	return NULL;
}

/* ---- reading ---- */

struct reader {
	const struct cmd_call *call;
	struct command_line *line;
	struct opt_ctx ctx;
	int at; /* index of the word in call->argv */
	bool in_job;
	const char *default_engine, *job_engine; /* as selected so far */
};

/* A word that begins with a dash, cut at its first '='. */
struct option_word {
	char *name;
	const char *value; /* NULL: none in this word */
	bool one_dash;
};

static int option_word_cut(struct reader *r, const char *word, struct option_word *ret,
	struct err *reterr)
{
	ret->one_dash = word[1] != '-';
	word += ret->one_dash ? 1 : 2;
	size_t len = strcspn(word, "=");
	ret->name = arena_bytes(&r->line->arena, word, len);
	if (!ret->name)
		return err_set(reterr, -ENOMEM, "out of memory");
	ret->value = word[len] ? word + len + 1 : NULL;
	return 0;
}

static bool is_flag(const struct opt *row)
{
	return row >= flags_group.rows && row < flags_group.rows + flags_group.count;
}

static int flag_set(struct reader *r, const struct opt *row, const char *value,
	struct err *reterr)
{
	int rc = row->refused ? err_set(reterr, -EOPNOTSUPP, "%s", row->refused)
			      : opt_parse(row, value, &r->line->flags, &r->ctx, reterr);
	if (rc < 0)
		return err_within(reterr, "--%s", row->name);
	if (strcmp(row->name, "section") == 0)
		r->line->sections_at[r->line->flags.sections.count - 1] = (unsigned)r->at;
	return 0;
}

/* Remember which engine's options may follow. */
static void follow_engine(struct reader *r, const struct opt *row, const char *value)
{
	if (strcmp(row->name, "name") == 0) {
		r->in_job = !str_starts(value, "global");
		r->job_engine = NULL;
	} else if (strcmp(row->name, "ioengine") == 0) {
		*(r->in_job ? &r->job_engine : &r->default_engine) = value;
	}
}

static void add_word(struct reader *r, const char *name, const char *value)
{
	r->line->words[r->line->count++] = (struct job_word){
		.name = name,
		.value = value,
		.index = (unsigned)r->at,
	};
}

static int read_option(struct reader *r, struct err *reterr)
{
	struct option_word word = {0};
	int rc = option_word_cut(r, r->call->argv[r->at], &word, reterr);
	if (rc < 0)
		return rc;

	const char *name = word.name;
	const struct opt *row = word.one_dash && name[0] && !name[1] ? short_flag(name) : NULL;
	if (!row) {
		const char *engine = r->job_engine ? r->job_engine : r->default_engine;
		rc = find_option(word.name, engine, &row, &name, reterr);
		if (rc < 0)
			return rc;
	}

	if (!word.value && (!row->type->bare || row->flags & OPT_CLI_VALUE)) {
		if (r->at + 1 >= r->call->argc)
			return err_set(reterr, -EINVAL, "option '--%s' needs a value", name);
		word.value = r->call->argv[++r->at];
	}
	if (is_flag(row))
		return flag_set(r, row, word.value, reterr);
	follow_engine(r, row, word.value);
	add_word(r, name, word.value);
	return 0;
}

int command_line_read(const struct cmd_call *call, struct command_line *ret, struct err *reterr)
{
	*ret = (struct command_line){0};
	struct reader r = {
		.call = call,
		.line = ret,
		.ctx = {.arena = &ret->arena, .native = call->face->native},
	};
	ret->words = arena_array(&ret->arena, (size_t)call->argc + 1, sizeof(*ret->words));
	ret->sections_at = arena_array(&ret->arena, (size_t)call->argc + 1, sizeof(unsigned));
	if (!ret->words || !ret->sections_at)
		return err_set(reterr, -ENOMEM, "out of memory");
	int rc = opt_presets(&flags_group, &ret->flags, &r.ctx, reterr);

	bool options = true;
	for (r.at = 0; rc == 0 && r.at < call->argc && !flags_ask(&ret->flags); r.at++) {
		const char *word = call->argv[r.at];
		if (options && strcmp(word, "--") == 0)
			options = false;
		else if (options && word[0] == '-' && word[1])
			rc = read_option(&r, reterr);
		else
			add_word(&r, NULL, word);
	}
	return rc;
}

void command_line_done(struct command_line *line)
{
	arena_done(&line->arena);
}

const struct job_word *command_line_overrides(struct command_line *line)
{
	const struct opt_names *said = &line->flags.overrides;
	struct job_word *words = arena_array(&line->arena, said->count + 1, sizeof(*words));

	for (size_t i = 0; words && i < said->count; i++) {
		char *name = arena_text(&line->arena, said->v[i]);
		if (!name)
			return NULL;
		char *equals = strchr(name, '=');
		if (equals)
			*equals++ = '\0';
		words[i] = (struct job_word){.name = name, .value = equals};
	}
	return words;
}
