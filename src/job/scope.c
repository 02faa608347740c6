/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Applying what a section says. */
#include "job/reader.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/log.h"
#include "engine/engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int reader_out_of_memory(struct reader *r)
{
	return err_set(r->err, -ENOMEM, "out of memory");
}

/* ---- blocks ---- */

static int make_presets(struct reader *r)
{
	struct opt_ctx ctx = {.arena = &r->set->arena};
	struct scope *s = &r->presets;
	struct opt_found engine;

	s->blocks = arena_array(&r->set->arena, opt_groups_count, sizeof(*s->blocks));
	if (!s->blocks)
		return reader_out_of_memory(r);
	for (size_t g = 0; g < opt_groups_count; g++) {
		s->blocks[g] = arena_alloc(&r->set->arena, opt_groups[g]->size);
		if (!s->blocks[g])
			return reader_out_of_memory(r);
		int rc = opt_presets(opt_groups[g], s->blocks[g], &ctx, r->err);
		if (rc < 0)
			return rc;
	}
	s->kb_base = 1024;
	if (opt_find("ioengine", "", &engine))
		s->engine = engine.row->preset;
	return 0;
}

/* TO begins as FROM is, and shares all its blocks. */
static int copy_scope(struct reader *r, struct scope *to, const struct scope *from)
{
	to->blocks = arena_array(&r->set->arena, opt_groups_count, sizeof(*to->blocks));
	if (!to->blocks)
		return reader_out_of_memory(r);
	memcpy(to->blocks, from->blocks, opt_groups_count * sizeof(*to->blocks));
	memset(to->own, 0, opt_groups_count * sizeof(*to->own));
	to->kb_base = from->kb_base;
	to->engine = from->engine;
	to->given = (struct given_list){0};
	return 0;
}

static void *writable_block(struct reader *r, struct scope *s, size_t g)
{
	if (s->own[g])
		return s->blocks[g];
	void *copy = arena_alloc(&r->set->arena, opt_groups[g]->size);
	if (!copy)
		return NULL;
	memcpy(copy, s->blocks[g], opt_groups[g]->size);
	s->own[g] = true;
	return s->blocks[g] = copy;
}

int reader_init(struct reader *r)
{
	struct arena *arena = &r->set->arena;
	size_t rows = 0;
	for (size_t g = 0; g < opt_groups_count; g++)
		rows += opt_groups[g]->count;
	r->job_own = arena_array(arena, opt_groups_count, sizeof(bool));
	r->defaults.own = arena_array(arena, opt_groups_count, sizeof(bool));
	r->warned = arena_array(arena, rows, sizeof(*r->warned));
	if (!r->job_own || !r->defaults.own || !r->warned)
		return reader_out_of_memory(r);
	int rc = make_presets(r);
	return rc < 0 ? rc : copy_scope(r, &r->defaults, &r->presets);
}

void reader_done(struct reader *r)
{
	free(r->said);
	free(r->jobs);
	str_done(&r->warning);
}

int reader_reset_defaults(struct reader *r)
{
	return copy_scope(r, &r->defaults, &r->presets);
}

bool reader_wants(const struct reader *r, const char *section, unsigned at)
{
	const struct job_env *env = r->env;
	bool asked = false;
	for (size_t i = 0; i < env->sections_count; i++) {
		if (env->sections_at && env->sections_at[i] > at)
			continue;
		asked = true;
		if (strcmp(env->sections[i], section) == 0)
			return true;
	}
	return !asked;
}

/* ---- what was said ---- */

int reader_say(struct reader *r, const char *typed, const char *value, struct opt_where where)
{
	if (r->said_count == r->said_room) {
		size_t room = MAX_OF(r->said_room * 2, (size_t)32);
		struct said *said = reallocarray(r->said, room, sizeof(*said));
		if (!said)
			return reader_out_of_memory(r);
		r->said = said;
		r->said_room = room;
	}
	r->said[r->said_count++] = (struct said){
		.typed = typed, .value = value, .where = where};
	return 0;
}

/* Lists that are handed out are never written again: growing copies. */
static struct job_given *add_given(struct reader *r, struct given_list *list)
{
	if (list->count == list->room) {
		size_t room = MAX_OF(list->room * 2, (size_t)4);
		struct job_given *v = arena_array(&r->set->arena, room, sizeof(*v));
		if (!v)
			return NULL;
		if (list->count)
			memcpy(v, list->v, list->count * sizeof(*v));
		list->v = v;
		list->room = room;
	}
	return &list->v[list->count++];
}

/* Which row each name means.  The engine comes first, wherever it stands: its
 * private options are known by it. */
static void find_rows(struct reader *r, struct scope *s)
{
	struct engine_chain chain = {.count = 0};
	size_t unknown = 0;

	for (size_t i = 0; i < r->said_count; i++) {
		struct said *said = &r->said[i];
		if (!opt_find(said->typed, "", &said->found))
			unknown++;
		else if (said->value && strcmp(said->found.row->name, "ioengine") == 0)
			s->engine = said->value;
	}
	if (!unknown || !s->engine)
		return;
	if (engine_chain_parse(s->engine, &chain, NULL) < 0) {
		/* One that weir doesn't have: its options are known as refused. */
		for (size_t i = 0; i < r->said_count; i++)
			if (!r->said[i].found.row)
				opt_find(r->said[i].typed, s->engine, &r->said[i].found);
		return;
	}
	for (size_t i = 0; i < r->said_count; i++)
		for (uint32_t k = 0; k < chain.count && !r->said[i].found.row; k++)
			opt_find(r->said[i].typed, chain.link[k]->name, &r->said[i].found);
}

/* ---- overrides ---- */

static int say_overrides(struct reader *r)
{
	int rc = 0;
	for (size_t i = 0; i < r->env->overrides_count && rc == 0; i++) {
		const struct job_word *w = &r->env->overrides[i];
		rc = reader_say(r, w->name, w->value, (struct opt_where){.file = NULL});
		if (rc == 0)
			r->said[r->said_count - 1].override = true;
	}
	return rc;
}

/* What is overridden is not applied, and an override only the last of its name. */
static void mark_overridden(struct reader *r)
{
	for (size_t i = 0; i < r->said_count; i++) {
		struct said *said = &r->said[i];
		size_t k = MAX_OF(i + 1, r->said_count - r->env->overrides_count);
		while (k < r->said_count && r->said[k].found.row != said->found.row)
			k++;
		said->overridden = said->found.row && k < r->said_count;
	}
}

/* As if nobody had said anything: lists would be added to. */
static void forget_value(const struct reader *r, void *block, const struct opt_found *found)
{
	const struct opt *row = found->row;
	memcpy((char *)block + row->offset,
		(const char *)r->presets.blocks[found->group] + row->offset, row->type->size);
}

/* ---- applying ---- */

/* A value that nobody inherits is checked and not kept. */
static int parse_into_nothing(struct reader *r, const struct said *said,
	const struct opt_ctx *ctx, struct err *e)
{
	void *block = arena_alloc(&r->set->arena, opt_groups[said->found.group]->size);
	return block ? opt_parse(said->found.row, said->value, block, ctx, e)
		     : err_set(e, -ENOMEM, "out of memory");
}

static int parse_value(struct reader *r, struct scope *s, const struct said *said,
	const struct opt_ctx *ctx, struct err *e)
{
	const struct opt *row = said->found.row;
	if (s == &r->defaults && row->flags & OPT_NO_INHERIT)
		return parse_into_nothing(r, said, ctx, e);
	void *block = writable_block(r, s, said->found.group);
	if (!block)
		return err_set(e, -ENOMEM, "out of memory");
	if (said->override)
		forget_value(r, block, &said->found);
	/* In a file "write_bw_log=" and "write_bw_log" are the same, as in fio. */
	bool alone = row->flags & OPT_CLI_VALUE && said->where.file && said->value &&
		     !*said->value;
	return opt_parse(row, alone ? NULL : said->value, block, ctx, e);
}

static int keep_given(struct reader *r, struct scope *s, const struct said *said)
{
	const struct opt *row = said->found.row;

	if (strcmp(row->name, "kb_base") == 0)
		s->kb_base = strcmp(said->value, "1000") == 0 ? 1000 : 1024;
	struct job_given *given = add_given(r, &s->given);
	if (!given)
		return reader_out_of_memory(r);
	*given = (struct job_given){row, row->name, said->typed, said_value(said), said->where};
	return 0;
}

static int apply_one(struct reader *r, struct scope *s, const char *section,
	const struct said *said)
{
	const struct opt *row = said->found.row;
	if (said->overridden)
		return 0;
	if (!row || row->flags & OPT_CLI_ONLY)
		return said_unknown(r, s, section, said);

	struct place place = {said->where, section, row->name};
	struct opt_ctx ctx = {
		.arena = &r->set->arena,
		.kb_base = s->kb_base,
		.native = r->env->native,
		.warning = &r->warning,
	};
	struct err e = {0};
	str_reset(&r->warning);
	int rc = parse_value(r, s, said, &ctx, &e);
	if (rc < 0)
		return place_fail(&place, r->err, rc, "%s", e.text);
	log_debug(LOG_JOB, "%s: %s=%s", section ? section : "command line", row->name,
		said_value(said));

	if (r->warning.len)
		place_warn(&place, r->env, "%s", str_text(&r->warning));
	if (row->no_effect && !opt_harmless(row, said->value))
		said_no_effect(r, &place, row);
	if (s == &r->defaults && row->flags & OPT_NO_INHERIT && strcmp(row->name, "name") != 0)
		place_warn(&place, r->env, "jobs don't inherit it: say it in each job");
	if (said->override)
		return keep_given(r, s, said);
	said_repeat(r, &place, said);
	if (r->file_index != 1 || !said_override(r, said, section))
		said_gathered(r, &place, s, said);
	return keep_given(r, s, said);
}

static unsigned apply_class(const struct said *said)
{
	const struct opt *row = said->found.row;
	return !row || !(row->flags & (OPT_EARLY | OPT_LATE)) ? 1
	       : row->flags & OPT_EARLY                       ? 0
							      : 2;
}

static int apply_all(struct reader *r, struct scope *s, const struct section *section)
{
	bool by_class = section->where.file != NULL;
	int rc = 0;

	if (s != &r->defaults)
		rc = say_overrides(r);
	find_rows(r, s);
	if (s != &r->defaults && rc == 0 && r->env->overrides_count)
		mark_overridden(r);
	for (unsigned class = 0; class < 3; class ++) {
		for (size_t i = 0; i < r->said_count && rc == 0; i++)
			if (by_class ? apply_class(&r->said[i]) == class : class == 0)
				rc = apply_one(r, s, section->name, &r->said[i]);
	}
	return rc;
}

static int grow_jobs(struct reader *r)
{
	if (r->jobs_count < r->jobs_room)
		return 0;
	size_t room = MAX_OF(r->jobs_room * 2, (size_t)16);
	struct job *jobs = reallocarray(r->jobs, room, sizeof(*jobs));
	if (!jobs)
		return reader_out_of_memory(r);
	r->jobs = jobs;
	r->jobs_room = room;
	return 0;
}

/* name= in a section only renames what is reported. */
static const char *label_of(const struct scope *s, const struct section *section)
{
	const char *label = section->name;
	for (size_t i = 0; i < s->given.count; i++)
		if (strcmp(s->given.v[i].name, "name") == 0)
			label = s->given.v[i].value;
	return label;
}

static int make_job(struct reader *r, const struct section *section)
{
	struct scope s = {.own = r->job_own};
	struct place place = {section->where, section->name, NULL};

	if (r->jobs_count == LIMIT_JOBS)
		return place_fail(&place, r->err, -E2BIG, "more than %d jobs", LIMIT_JOBS);
	int rc = grow_jobs(r);
	if (rc == 0)
		rc = copy_scope(r, &s, &r->defaults);
	if (rc == 0)
		rc = apply_all(r, &s, section);
	if (rc < 0)
		return rc;
	r->jobs[r->jobs_count++] = (struct job){
		.name = label_of(&s, section),
		.section = section->name,
		.where = section->where,
		.file_index = r->file_index,
		.stonewalled = r->file_index > 1 && r->first_of_file,
		.blocks = s.blocks,
		.given = s.given.v,
		.given_count = s.given.count,
		.globals = r->defaults.given.v,
		.globals_count = r->defaults.given.count,
	};
	r->first_of_file = false;
	return 0;
}

/* Jobs share the blocks of the defaults: from here on they are others'. */
static int edit_defaults(struct reader *r, const struct section *section)
{
	struct scope *s = &r->defaults;
	void **blocks = arena_array(&r->set->arena, opt_groups_count, sizeof(*blocks));
	if (!blocks)
		return reader_out_of_memory(r);
	memcpy(blocks, s->blocks, opt_groups_count * sizeof(*blocks));
	s->blocks = blocks;
	memset(s->own, 0, opt_groups_count * sizeof(*s->own));
	return apply_all(r, s, section);
}

int reader_section(struct reader *r, const struct section *section)
{
	int rc = section->defaults ? edit_defaults(r, section) : make_job(r, section);
	r->said_count = 0;
	return rc;
}
