/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* `weir`.`environment` of weir's own JSON, as it was captured. */
#include "base/bits.h"
#include "result/environment.h"
#include "result/import_parts.h"

#include <string.h>

static uint32_t layer_named(const struct stack *st, const char *id)
{
	for (uint32_t i = 0; id && i < st->count; i++)
		if (!strcmp(st->v[i].id, id))
			return i;
	return STACK_NOTHING;
}

static void read_facts(struct import *in, const struct fact_table *t, void *to,
	const struct json_value *of)
{
	if (facts_read(t, to, of, &in->r->arena) < 0)
		import_no_memory(in);
}

static void read_parts(struct import *in, const struct json_value *of, struct layer *l)
{
	for (size_t i = 0; i < LAYER_PARTS; i++) {
		const struct json_value *v = import_object(in, of, layer_parts[i].key);
		void *part = v ? import_alloc(in, layer_parts[i].size) : NULL;
		if (!part)
			continue;
		read_facts(in, layer_parts[i].table, part, v);
		memcpy((char *)l + layer_parts[i].offset, &part, sizeof(part));
	}
}

/* Names first: a layer may lie on one that stands below it in the list. */
static void read_layers(struct import *in, const struct json_value *of, struct stack *st)
{
	const struct json_value *list = import_array(in, of, "layers"), *v;

	st->v = import_alloc(in, STACK_LAYERS * sizeof(*st->v));
	if (!list || !st->v)
		return;
	for (v = list->first; v && st->count < STACK_LAYERS; v = v->next) {
		struct layer *l = &st->v[st->count++];
		l->id = import_string(in, v, "id");
		l->kind = import_string(in, v, "kind");
		l->id = l->id ? l->id : "";
		l->kind = l->kind ? l->kind : "";
		read_parts(in, v, l);
	}
	uint32_t i = 0;
	for (v = list->first; v && i < st->count; v = v->next, i++) {
		const struct json_value *on = import_array(in, v, "on");
		for (on = on ? on->first : NULL; on; on = on->next) {
			uint32_t below = on->kind == JSON_STRING ? layer_named(st, on->text)
								 : STACK_NOTHING;
			if (below != STACK_NOTHING && st->v[i].on_count < STACK_BELOW)
				st->v[i].on[st->v[i].on_count++] = below;
		}
	}
}

static void read_targets(struct import *in, const struct json_value *of, struct environment *e)
{
	const struct json_value *list = import_array(in, of, "targets"), *v;
	uint64_t more = 0;

	e->targets = import_alloc(in, ENVIRONMENT_TARGETS * sizeof(*e->targets));
	for (v = list ? list->first : NULL; e->targets && v; v = v->next) {
		if (e->targets_count == ENVIRONMENT_TARGETS)
			break;
		struct target_facts *t = &e->targets[e->targets_count++];
		read_facts(in, &target_table, t, v);
		t->on = layer_named(&e->stack, import_string(in, v, "on"));
		t->path = t->path ? t->path : "";
		t->kind = t->kind ? t->kind : "";
	}
	import_whole(in, of, "targets_more", &more);
	e->targets_more = (uint32_t)MIN_OF(more, (uint64_t)UINT32_MAX);
}

static void read_gaps(struct import *in, const struct json_value *of, struct environment *e)
{
	const struct json_value *list = import_array(in, of, "not_read"), *v;
	struct survey_gap *gaps = import_alloc(in, SURVEY_GAPS * sizeof(*gaps));
	uint64_t more = 0;

	for (v = list ? list->first : NULL; gaps && v && e->gaps_count < SURVEY_GAPS;
		v = v->next) {
		struct survey_gap gap = {
			import_string(in, v, "path"), import_string(in, v, "reason")};
		if (gap.path && gap.reason)
			gaps[e->gaps_count++] = gap;
	}
	e->gaps = gaps;
	import_whole(in, of, "not_read_more", &more);
	e->gaps_more = (uint32_t)MIN_OF(more, (uint64_t)UINT32_MAX);
}

void import_weir_environment(struct import *in, const struct json_value *weir)
{
	const struct json_value *of = import_object(in, weir, "environment");
	struct environment *e;

	if (!of || in->rc < 0)
		return;
	e = environment_new();
	if (!e) {
		import_no_memory(in);
		return;
	}
	environment_free(in->r->environment); /* a document that has it twice */
	in->r->environment = e;
	import_bool(in, of, "masked", &e->masked);
	for (size_t i = 0; i < ENVIRONMENT_PARTS; i++) {
		const struct json_value *v = import_object(in, of, environment_parts[i].key);
		if (v)
			read_facts(in, environment_parts[i].table,
				(char *)e + environment_parts[i].offset, v);
	}
	read_layers(in, of, &e->stack);
	read_targets(in, of, e);
	read_gaps(in, of, e);
}
