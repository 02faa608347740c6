/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What differs between the machines of two sides, as their results say: words and switches of
 * every part, numbers only where they are settings.  What moves by itself (load, free
 * memory, health, how long the machine is up) is no difference, nor is another name of the
 * same (loop2, loop5). */
#include "base/bits.h"
#include "base/scope.h"
#include "base/str.h"
#include "result/compare/parts.h"
#include "result/environment.h"

#include <string.h>

#define FACTS_SHOWN 16

struct listing {
	struct str text;
	uint32_t count;
};

static bool one_of(const char *key, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(list[i], key))
			return true;
	return false;
}

static bool is_setting(const char *part, const struct fact *f)
{
	static const char *const numbers[] = {"queue", "limits"};
	/* Said in the result's head; a login session's; what is in use; and names of places:
	 * what is there has facts of its own. */
	static const char *const left_out[] = {"kernel_release", "path", "aio_requests_used",
		"number", "point", "backing_file"};

	if (one_of(f->key, left_out, COUNT_OF(left_out)))
		return false;
	if (f->kind == FACT_TEXT || f->kind == FACT_FLAG)
		return true;
	return f->kind == FACT_COUNT && one_of(part, numbers, COUNT_OF(numbers));
}

static bool same(const struct fact *f, const void *a, const void *b)
{
	const char *of_a, *of_b;

	if (fact_same(f, a, b) || f->kind != FACT_TEXT)
		return fact_same(f, a, b);
	memcpy(&of_a, (const char *)a + f->offset, sizeof(of_a));
	memcpy(&of_b, (const char *)b + f->offset, sizeof(of_b));
	return compare_same_place(of_a, of_b);
}

/* OF: the layer's name, "" for the machine. */
static void list_facts(struct listing *l, const char *part, const char *of,
	const struct fact_table *t, const void *a, const void *b)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct fact *f = &t->rows[i];
		char of_a[160], of_b[160];
		if (!is_setting(part, f) || !fact_known(f, a) || !fact_known(f, b) ||
			same(f, a, b) || ++l->count > FACTS_SHOWN)
			continue;
		str_addf(&l->text, "%s%s.%s%s%s %s -> %s", l->text.len ? ", " : "", part,
			f->key, *of ? " of " : "", of, fact_show(f, a, of_a, sizeof(of_a)),
			fact_show(f, b, of_b, sizeof(of_b)));
	}
}

static void list_machine(struct listing *l, const struct environment *a,
	const struct environment *b)
{
	for (size_t i = 0; i < ENVIRONMENT_PARTS; i++) {
		const struct environment_part *p = &environment_parts[i];
		if (strcmp(p->key, "load") != 0)
			list_facts(l, p->key, "", p->table, environment_part_of(a, p),
				environment_part_of(b, p));
	}
}

/* The layers that targets lie on, by their place in the stack. */
static void list_layers(struct listing *l, const struct environment *a,
	const struct environment *b)
{
	static const char *const health[] = {"nvme", "ata"};
	uint32_t count = MIN_OF(a->stack.count, b->stack.count);

	for (uint32_t i = 0; i < count; i++) {
		const struct layer *x = &a->stack.v[i], *y = &b->stack.v[i];
		for (size_t k = 0; k < LAYER_PARTS; k++) {
			const struct environment_part *p = &layer_parts[k];
			const void *of_a = layer_part_of(x, p), *of_b = layer_part_of(y, p);
			if (of_a && of_b && !one_of(p->key, health, COUNT_OF(health)))
				list_facts(l, p->key, x->id ? x->id : "", p->table, of_a, of_b);
		}
	}
}

void compare_environment(struct compare *c, uint32_t side)
{
	const struct environment *a = c->sides[0].runs[0]->environment;
	const struct environment *b = c->sides[side].runs[0]->environment;
	struct listing l = {0};

	if (!a || !b)
		return;
	list_machine(&l, a, b);
	list_layers(&l, a, b);
	if (l.count > FACTS_SHOWN)
		str_addf(&l.text, " and %u others", l.count - FACTS_SHOWN);
	if (l.count)
		compare_say(c, COMPARED_SETTINGS, NULL, "the machines of %s / %s differ: %s",
			compare_letter(0), compare_letter(side), str_text(&l.text));
	str_done(&l.text);
}
