/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/states.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "plan/plan.h"
#include "run/verify/verify.h"
#include "sys/clock.h"

/* ---- those that are read back ---- */

/* One that an earlier worker reads, too. */
static struct state *states_shared(const struct states *s, const struct plan *plan, uint32_t i)
{
	for (uint32_t k = 0; k < i; k++)
		if (plan->workers[k].state.resume == plan->workers[i].state.resume)
			return s->loaded[k];
	return NULL;
}

/* The plan has looked at the head only. */
static bool states_same(const struct state_head *a, const struct state_head *b)
{
	bool same = a->run == b->run && a->start_ns == b->start_ns &&
		    a->targets_count == b->targets_count && a->specs_count == b->specs_count;

	for (uint32_t i = 0; same && i < a->targets_count; i++)
		same = a->targets[i].unit_bytes == b->targets[i].unit_bytes &&
		       a->targets[i].bytes == b->targets[i].bytes;
	return same;
}

static int states_load(struct states *s, const struct plan *plan, struct err *reterr)
{
	int rc = 0;

	for (uint32_t i = 0; plan->resumes && i < plan->workers_count && rc == 0; i++) {
		const struct plan_resume *r = plan->workers[i].state.resume;
		if (!r)
			continue;
		s->loaded[i] = states_shared(s, plan, i);
		if (!s->loaded[i])
			rc = state_load(r->path, r->completed, &s->loaded[i], reterr);
		if (rc == 0 && !states_same(&r->head, &s->loaded[i]->head))
			rc = err_set(reterr, -EAGAIN, "%s: it was written anew meanwhile",
				r->path);
	}
	return rc;
}

/* ---- those that are told ---- */

/* All targets and workers of the run, in its order, whoever tells this file. */
static int states_head(const struct states *s, const struct plan *plan,
	const struct clock *clock, struct arena *arena, struct state_head *ret,
	struct err *reterr)
{
	struct state_target *targets = arena_array(arena, plan->targets_count + 1,
		sizeof(*targets));
	struct unit_spec *specs = arena_array(arena, plan->workers_count + 1, sizeof(*specs));
	uint32_t *spec_of = arena_array(arena, plan->workers_count + 1, sizeof(*spec_of));

	if (!targets || !specs || !spec_of)
		return err_set(reterr, -ENOMEM, "out of memory for the head of a state file");
	*ret = (struct state_head){
		.run = plan->run_id,
		.start_ns = clock_now(clock) + s->wall_ns,
		.targets = targets,
		.specs = specs,
		.spec_of = spec_of,
		.targets_count = plan->targets_count,
		.workers_count = plan->workers_count,
	};
	for (uint32_t i = 0; i < plan->targets_count; i++) {
		const struct plan_target *t = &plan->targets[i];
		targets[i] = (struct state_target){
			.name = t->path,
			.identity = verify_identity(t->path),
			.bytes = t->units * t->unit_bytes,
			.unit_bytes = t->unit_bytes ? t->unit_bytes : 1,
		};
	}
	for (uint32_t i = 0; i < plan->workers_count; i++) {
		const struct plan_worker *pw = &plan->workers[i];
		if (!i || pw->job != pw[-1].job)
			specs[ret->specs_count++] = pw->verify.unit;
		spec_of[i] = ret->specs_count - 1;
	}
	return 0;
}

static int states_create(const struct plan_state *ps, struct state_head *head, int *ret_fd,
	struct err *reterr)
{
	head->atomic = ps->atomic;
	int rc = state_create(ps->path, head, ret_fd, reterr);
	if (rc < 0 || !ps->durable)
		return rc;
	/* O_DSYNC can't be set later on: open it once more. */
	if (fsync(*ret_fd) < 0)
		return err_sys(reterr, -errno, "%s", ps->path);
	close(*ret_fd);
	*ret_fd = open(ps->path, O_WRONLY | O_APPEND | O_CLOEXEC | O_DSYNC);
	if (*ret_fd >= 0 && flock(*ret_fd, LOCK_EX | LOCK_NB) < 0)
		return err_set(reterr, -EBUSY, "%s: another run is telling it", ps->path);
	return *ret_fd < 0 ? err_sys(reterr, -errno, "%s", ps->path) : 0;
}

static int states_tell(struct states *s, const struct plan *plan, const struct clock *clock,
	struct err *reterr)
{
	struct arena arena = {0};
	struct state_head head;
	int rc = 0;

	for (uint32_t i = 0; i < plan->workers_count && rc == 0; i++) {
		const struct plan_state *ps = &plan->workers[i].state;
		if (!ps->path)
			continue;
		for (uint32_t k = 0; k < i && s->told[i] < 0; k++)
			if (plan->workers[k].state.path &&
				!strcmp(plan->workers[k].state.path, ps->path))
				s->told[i] = s->told[k];
		if (s->told[i] >= 0)
			continue;
		rc = arena.chunks ? 0 : states_head(s, plan, clock, &arena, &head, reterr);
		if (rc == 0)
			rc = states_create(ps, &head, &s->told[i], reterr);
		if (rc < 0)
			err_within(reterr, "verify_state");
	}
	arena_done(&arena);
	return rc;
}

int states_begin(struct states *s, const struct plan *plan, const struct clock *clock,
	struct err *reterr)
{
	*s = (struct states){.count = plan->workers_count};
	if (!plan->run_id)
		return 0;
	s->wall_ns = clock_wall_ms() * NS_PER_MS - clock_now(clock);
	s->told = calloc(s->count, sizeof(*s->told));
	s->loaded = calloc(s->count, sizeof(struct state *));
	if (!s->told || !s->loaded)
		return err_set(reterr, -ENOMEM, "out of memory for the states of %u jobs",
			s->count);
	for (uint32_t i = 0; i < s->count; i++)
		s->told[i] = -1;
	int rc = states_load(s, plan, reterr);
	return rc < 0 ? rc : states_tell(s, plan, clock, reterr);
}

void states_done(struct states *s, const struct plan *plan)
{
	for (uint32_t i = s->count; s->told && i-- > 0;) {
		bool shared = false;
		for (uint32_t k = 0; k < i; k++)
			shared |= s->told[k] == s->told[i];
		if (s->told[i] >= 0 && !shared)
			close(s->told[i]);
		if (s->loaded && s->loaded[i] && states_shared(s, plan, i) != s->loaded[i])
			state_free(s->loaded[i]);
	}
	free(s->told);
	free(s->loaded);
	*s = (struct states){0};
}
