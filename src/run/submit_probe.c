/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/submit_probe.h"

#define SINGLES      8  /* turns of one request                            */
#define SLEPT        6  /* of them: submit itself waits                    */
#define BATCHES      2  /* turns of several ...                            */
#define BATCH        8  /* ... of so many                                  */
#define ALONE        64 /* of one, where several never come                */
#define UNSURE_LIMIT 64 /* a CPU so busy that nothing can be said          */

static void stage_set(struct submit_probe *p, enum submit_stage stage)
{
	static const unsigned rooms[] = {
		[SUBMIT_OVER] = 0,
		[SUBMIT_SINGLE] = 1,
		[SUBMIT_BATCH] = BATCH,
		[SUBMIT_WATCH] = 1,
	};
	p->stage = stage;
	p->room = rooms[stage];
	p->sure = 0;
}

void submit_probe_begin(struct submit_probe *p, uint64_t slow_ns)
{
	*p = (struct submit_probe){.slow_ns = slow_ns};
	stage_set(p, SUBMIT_SINGLE);
}

static void single_turn(struct submit_probe *p, const struct submit_turn *t)
{
	p->slept += t->slept;
	if (++p->sure == SINGLES)
		stage_set(p, p->slept >= SLEPT ? SUBMIT_WATCH : SUBMIT_BATCH);
}

static void batch_turn(struct submit_probe *p, const struct submit_turn *t)
{
	if (t->issued < 2)
		p->alone++;
	else
		p->sure++;
	if (p->sure == BATCHES || p->alone == ALONE)
		stage_set(p, SUBMIT_WATCH);
}

void submit_probe_turn(struct submit_probe *p, const struct submit_turn *t)
{
	if (!t->done) {
		stage_set(p, SUBMIT_OVER);
		return;
	}
	if (p->stage == SUBMIT_WATCH || p->stage == SUBMIT_OVER)
		return;
	if (t->unsure) {
		if (++p->unsure == UNSURE_LIMIT)
			stage_set(p, SUBMIT_OVER);
		return;
	}
	if (t->took_ns < t->issued * p->slow_ns)
		stage_set(p, SUBMIT_OVER);
	else if (p->stage == SUBMIT_SINGLE)
		single_turn(p, t);
	else
		batch_turn(p, t);
}
