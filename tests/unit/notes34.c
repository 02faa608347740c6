/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The 34 usual mistakes: each has its row in docs/notes/README.md, each note that a row names
 * exists, and each of these notes is provoked here, on a made-up machine that has none without
 * it.
 *
 * usage: unit-notes34 docs/notes/README.md */
#include "base/bits.h"
#include "result/compare.h"
#include "result/notes/notes.h"
#include "tests/unit/note_world.h"
#include "tests/unit/notes34.h"
#include "tests/unit/report_fill.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MISTAKES 34

static const char *page;

/* ---- each is found, and nothing else ---- */

static void test_nothing(void **state)
{
	struct world w;

	(void)state;
	for (int doctor = 0; doctor < 2; doctor++) {
		world_make(&w);
		world_ask(&w, doctor);
		if (w.r->notes_count)
			fail_msg("%s: %s", w.r->notes[0].id, w.r->notes[0].text);
		world_done(&w);
	}
}

static void check_each(const struct note_played_list *list)
{
	struct world w;

	for (size_t i = 0; i < list->count; i++) {
		const struct note_played *p = &list->v[i];
		world_make(&w);
		p->make(&w);
		world_ask(&w, p->doctor);
		if (!w.r->notes_count)
			fail_msg("no note %s", p->id);
		for (uint32_t k = 0; k < w.r->notes_count; k++)
			if (strcmp(w.r->notes[k].id, p->id) != 0)
				fail_msg("%s gives %s: %s", p->id, w.r->notes[k].id,
					w.r->notes[k].text);
		world_done(&w);
	}
}

static void test_each(void **state)
{
	(void)state;
	check_each(&played_by_run);
	check_each(&played_by_machine);
}

/* ---- between runs ---- */

#define SIDES_RUNS 5

/* Runs of a side, and what is different in B. */
struct pair {
	uint32_t count;
	struct world a[SIDES_RUNS], b[SIDES_RUNS];
};

static void pair_one_run(struct pair *p)
{
	p->count = 1;
}

static void pair_means_hide(struct pair *p)
{
	static const struct fill_kind kind = {52, 1920, 15}; /* the mean is 80, too */

	for (uint32_t i = 0; i < SIDES_RUNS; i++)
		p->b[i].row->dir[DIR_READ].lat = fill_humps(p->b[i].r, 100 + i, &kind);
}

static void pair_settings(struct pair *p)
{
	p->a[0].queue.scheduler = "none";
	p->b[0].queue.scheduler = "bfq";
}

static void pair_other_work(struct pair *p)
{
	for (uint32_t i = 0; i < SIDES_RUNS; i++)
		p->b[i].row->what = "randread 8k";
}

static void pair_in_sequence(struct pair *p)
{
	for (uint32_t i = 0; i < SIDES_RUNS; i++)
		p->b[i].r->time_ms += 1000;
}

static const struct {
	const char *id;
	void (*make)(struct pair *p);
} compared[] = {
	{NULL, NULL},
	{"one-run", pair_one_run},
	{"means-hide", pair_means_hide},
	{"settings-changed", pair_settings},
	{"other-work", pair_other_work},
	{"in-sequence", pair_in_sequence},
};

static void pair_make(struct pair *p)
{
	static const struct fill_kind kind = {80, 0, 0};

	p->count = SIDES_RUNS;
	for (uint32_t i = 0; i < SIDES_RUNS; i++) {
		struct world *both[] = {&p->a[i], &p->b[i]};
		for (uint32_t k = 0; k < 2; k++) {
			world_make(both[k]);
			both[k]->r->time_ms = 100 + 10 * i + k;
			for (int d = 0; d <= DIR_WRITE; d++)
				both[k]->row->dir[d].lat = fill_humps(both[k]->r, 2 * i + k,
					&kind);
		}
	}
}

/* Each is found, and nothing else that has an id. */
static void test_compared(void **state)
{
	struct pair *p = calloc(1, sizeof(*p));
	const struct result *runs[2][SIDES_RUNS];
	struct compare_side sides[2] = {
		{.name = "a", .runs = runs[0]}, {.name = "b", .runs = runs[1]}};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(compared); i++) {
		bool found = false;
		pair_make(p);
		if (compared[i].make)
			compared[i].make(p);
		for (uint32_t k = 0; k < SIDES_RUNS; k++) {
			runs[0][k] = p->a[k].r;
			runs[1][k] = p->b[k].r;
		}
		sides[0].count = sides[1].count = p->count;
		struct compare *c = compare_make(sides, 2, COMPARE_BY_JOB, 0.02);
		for (uint32_t k = 0; k < c->notes_count; k++) {
			const struct result_note *n = &c->notes[k];
			if (!n->id)
				continue;
			if (!compared[i].id || strcmp(n->id, compared[i].id) != 0)
				fail_msg("%s gives %s: %s",
					compared[i].id ? compared[i].id : "nothing", n->id,
					n->text);
			found = true;
		}
		if (compared[i].id && !found)
			fail_msg("no note %s", compared[i].id);
		compare_free(c);
		for (uint32_t k = 0; k < SIDES_RUNS; k++) {
			world_done(&p->a[k]);
			world_done(&p->b[k]);
		}
	}
	free(p);
}

/* ---- the table of mistakes ---- */

static bool is_id(const char *id)
{
	for (size_t t = 0; note_tables[t]; t++)
		for (size_t i = 0; i < note_tables[t]->count; i++)
			if (!strcmp(note_tables[t]->rules[i].id, id))
				return true;
	return false;
}

static bool is_played(const struct note_played_list *list, const char *id)
{
	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->v[i].id, id))
			return true;
	return false;
}

static bool provoked(const char *id)
{
	if (is_played(&played_by_run, id) || is_played(&played_by_machine, id))
		return true;
	for (size_t i = 0; i < COUNT_OF(compared); i++)
		if (compared[i].id && !strcmp(compared[i].id, id))
			return true;
	return false;
}

/* The words in backquotes of the last column; `weir ...` is a command. */
static unsigned check_row(unsigned number, char *notes)
{
	unsigned count = 0;

	for (char *save = NULL, *part = strtok_r(notes, "`", &save); part;
		part = strtok_r(NULL, "`", &save)) {
		part = strtok_r(NULL, "`", &save);
		if (!part || !strncmp(part, "weir ", 5))
			continue;
		if (!is_id(part))
			fail_msg("mistake %u: there is no note %s", number, part);
		if (!provoked(part))
			fail_msg("mistake %u: %s is not provoked", number, part);
		count++;
	}
	return count;
}

static void test_table(void **state)
{
	FILE *f = fopen(page, "r");
	char line[512];
	unsigned next = 1, with = 0;

	(void)state;
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		unsigned number;
		char *last = strrchr(line, '|');
		if (sscanf(line, "| %u |", &number) != 1 || !last)
			continue;
		assert_int_equal(number, next);
		next++;
		*last = '\0';
		last = strrchr(line, '|') + 1;
		bool none = !strncmp(last, " none", 5);
		unsigned notes = check_row(number, last);
		if (!none && !notes)
			fail_msg("mistake %u has no note", number);
		with += notes > 0;
	}
	fclose(f);
	assert_int_equal(next, MISTAKES + 1);
	assert_int_equal(with, MISTAKES);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_each),
		cmocka_unit_test(test_compared),
		cmocka_unit_test(test_table),
	};
	page = argc > 1 ? argv[1] : "docs/notes/README.md";
	return cmocka_run_group_tests(tests, NULL, NULL);
}
