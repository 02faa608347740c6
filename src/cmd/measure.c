/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/measure.h"

#include "base/bits.h"
#include "base/err.h"
#include "cmd/ceiling.h"
#include "cmd/cmd.h"
#include "cmd/face.h"
#include "cmd/facts.h"
#include "cmd/head.h"
#include "cmd/say.h"
#include "job/job.h"
#include "plan/plan.h"
#include "result/result.h"
#include "run/run.h"
#include "sys/machine.h"

#include <string.h>

#define HANG_NS  (30 * NS_PER_S)
#define DRAIN_NS (10 * NS_PER_S)

static void on_words(void *ctx, const char *text)
{
	const struct measure *m = ctx;
	if (!m->how->quiet)
		say_line("%s", text);
}

static void on_message(void *ctx, enum run_weight weight, const char *text)
{
	(void)ctx;
	(void)weight;
	say_line("%s", text);
}

bool measure_word(const char *word, struct measure_told *to)
{
	static const char *const words[] = {
		[RUN_ENV_NONE] = "--env=none",
		[RUN_ENV_MASKED] = "--env=masked",
		[RUN_ENV_FULL] = "--env=full",
	};

	for (size_t i = 0; i < COUNT_OF(words); i++)
		if (strcmp(word, words[i]) == 0) {
			to->environment = (int)i;
			return true;
		}
	bool strict = strcmp(word, "--strict") == 0, none = strcmp(word, "--no-notes") == 0;
	to->strict |= strict;
	to->no_notes |= none;
	return strict || none;
}

int measure_plan(struct measure *m, const struct measure_how *how, const struct job_word *words,
	size_t count, struct err *reterr)
{
	struct machine machine;

	*m = (struct measure){.how = how};
	machine_look(&machine);
	struct job_env env = {
		.native = true,
		.cpus = machine.cpus_configured,
		.page_bytes = machine.page_bytes,
		.memory_mb = machine.memory_bytes >> 20,
		.warn = on_words,
		.warn_ctx = m,
	};
	struct plan_facts facts = {.read_only = how->read_only, .native = true};
	facts_fill(&facts, &machine, false);
	int rc = job_read(words, count, &env, &m->jobs, reterr);
	if (rc == 0)
		rc = plan_make(m->jobs, &facts, &m->plan, reterr);
	for (uint32_t i = 0; rc == 0 && i < m->plan->notes_count; i++)
		on_words(m, m->plan->notes[i].text);
	return rc;
}

int measure_run(struct measure *m, const char *title, struct err *reterr)
{
	const struct run_sink sink = {.message = on_message};
	const struct run_how how = {
		.sink = &sink,
		.native = true,
		.environment = (enum run_environment)m->how->told.environment,
		.no_notes = m->how->told.no_notes,
		.ceiling_ios_per_s = ceiling_known(m->how->call->face->version),
		.read_only = m->how->read_only,
		.destroy = m->how->destroy,
		.destroy_count = m->how->destroy_count,
		.hang_ns = HANG_NS,
		.drain_ns = DRAIN_NS,
		.started_ns = m->how->call->started_ns,
	};
	int rc = run_signals_install(reterr);

	if (rc == 0)
		rc = run_plan(m->plan, &how, &m->result, reterr);
	if (rc < 0)
		return rc;
	if (title)
		m->result->title = arena_text(&m->result->arena, title);
	head_fill_result(m->plan, m->result);
	return 0;
}

void measure_done(struct measure *m)
{
	result_free(m->result);
	plan_free(m->plan);
	job_set_free(m->jobs);
	*m = (struct measure){.how = NULL};
}
