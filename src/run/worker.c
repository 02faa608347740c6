/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The life of a worker: setup, wait, loop, end. */
#include "run/worker.h"

#include "base/err.h"
#include "base/log.h"
#include "run/exec.h"
#include "run/source/flow.h"
#include "run/source/lockfile.h"
#include "run/source/overlap.h"
#include "run/preread.h"
#include "run/source/priority.h"
#include "run/source/replay_ahead.h"
#include "run/verify/by_pieces.h"
#include "run/verify/checkers.h"
#include "run/verify/verify.h"
#include "run/settle.h"
#include "sys/machine.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The end of a worker is news; other phases are seen at the next look. */
static void worker_ended(struct worker *w)
{
	shared_set_phase(w->sh, WORKER_ENDED);
	shared_ring(w->shared);
}

/* What it does, as fio's run string has it. */
static char worker_letter(const struct plan_worker *pw)
{
	const struct pattern_spec *p = &pw->pattern;
	bool r = pattern_moves(p, DIR_READ), wr = pattern_moves(p, DIR_WRITE);
	char letter = r && wr ? 'M' : p->use[DIR_TRIM] && !wr ? 'D' : wr ? 'W' : 'R';
	return p->random ? (char)(letter + ('a' - 'A')) : letter;
}

size_t worker_buffers_bytes(const struct plan_worker *pw)
{
	return round_up(plan_buffers_bytes(&pw->queue), 4096);
}

/* The buffers, and what is left of the worker's room to the arena; both before any
 * clock starts. */
static int worker_room(struct worker *w, struct err *reterr)
{
	int rc = buffers_make(&w->buffers, &w->plan->memory, worker_buffers_bytes(w->plan),
		&w->room, reterr);
	if (rc == 0)
		arena_lend(&w->arena, w->room.base, w->room.bytes);
	return rc;
}

/* Requests, each with its buffer. */
static int worker_memory(struct worker *w, struct err *reterr)
{
	const struct plan_queue *pq = &w->plan->queue;
	unsigned n = w->depth;

	w->ios = arena_array(&w->arena, n + 1, sizeof(*w->ios));
	struct io **lists = arena_array(&w->arena, (size_t)n * 3, sizeof(*lists));
	if (!w->ios || !lists)
		return err_set(reterr, -ENOMEM, "out of memory for a queue of %u requests", n);
	w->ios = (struct io *)round_up((uintptr_t)w->ios, 64);
	w->idle = lists;
	w->ready = lists + n;
	w->done = lists + 2 * (size_t)n;

	w->buffer_stride = pq->buffer_bytes;
	w->buffers_bytes = worker_buffers_bytes(w->plan);
	for (unsigned i = 0; i < n; i++) {
		struct io *io = &w->ios[i];
		io->slot = i;
		io->buf = (char *)w->buffers.first + i * w->buffer_stride;
		w->idle[w->idle_n++] = io;
	}
	return 0;
}

static int worker_queue(struct worker *w, struct err *reterr)
{
	struct queue template = {
		.clock = w->clock,
		.ios = w->ios,
		.depth = w->depth,
		.buffers = w->buffers.first,
		.buffers_bytes = w->buffers_bytes,
		.buffer_bytes = w->buffer_stride,
		.targets = w->files.targets,
		.targets_count = w->files.count,
		.direct = w->plan->queue.direct,
		.atomic = w->plan->queue.atomic,
		.seed = w->plan->pattern.seed,
		.stop = &w->sh->wait_stop,
	};
	int rc = queue_new(&w->plan->queue.chain, &template, w->plan->queue.opts, &w->queue,
		reterr);
	if (rc < 0)
		return rc;
	return 0;
}

static int worker_place(struct worker *w, struct err *reterr)
{
	const struct plan_place *pp = &w->plan->place;

	if (pp->cpus.count) {
		int rc = machine_cpus_set(pp->cpus.bits, LIMIT_CPUS / 64);
		if (rc < 0)
			return err_sys(reterr, rc,
				"cpus_allowed: these CPUs can't be used here");
	}
	if (pp->nice_given && setpriority(PRIO_PROCESS, (id_t)w->sh->tid, pp->nice) < 0)
		return err_sys(reterr, -errno, "nice=%d", pp->nice);
	if (w->plan->rate.any || w->plan->rate.think_ns)
		machine_timer_slack_set(1);
	return settle(w->plan, reterr);
}

/* The table of requests that must not overlap: all workers' lists where the plan says
 * so, else only its own. */
static struct overlap *worker_overlap(struct worker *w, const struct plan *plan,
	struct err *reterr)
{
	const bool all = w->plan->queue.serialize_all;
	uint32_t count = all ? plan->workers_count : 1;
	struct overlap *o = arena_alloc(&w->arena, sizeof(*o));
	struct overlap_list **lists = arena_array(&w->arena, count, sizeof(*lists));
	struct overlap_list *mine = all ? w->at->overlap
					: arena_alloc(&w->arena, overlap_list_bytes(w->depth));

	if (!o || !lists || !mine) {
		err_set(reterr, -ENOMEM, "out of memory for serialize_overlap");
		return NULL;
	}
	mine->room = w->depth;
	*o = (struct overlap){.mine = mine, .lists = lists};
	if (!all) {
		lists[o->lists_count++] = mine;
		return o;
	}
	o->lock = w->shared->overlap_lock;
	for (uint32_t i = 0; i < plan->workers_count; i++)
		if (w->shared->places[i].overlap)
			lists[o->lists_count++] = w->shared->places[i].overlap;
	return o;
}

/* What a job asks for beyond its pattern goes around the plain source. */
static int worker_wrap_source(struct worker *w, const struct plan *plan, struct err *reterr)
{
	const struct plan_worker *pw = w->plan;
	bool limited = pw->goal.target_ns;

	for (int d = 0; d < DIRS; d++)
		limited |= pw->goal.max_ns[d] > 0;
	w->word.open_at_ns = &w->open_at_ns;
	if (pw->time.ramp_bytes)
		w->source = source_ramp_new(&w->arena, plan, pw, w->shared->workers, w->source,
			&w->word, reterr);
	if (w->source && limited)
		w->source = source_goal_new(&w->arena, pw, w->source, &w->word, &w->sh->goal,
			reterr);
	if (w->source && pw->flow.weight)
		w->source = source_flow_new(&w->arena, plan, pw, w->shared->places, w->source,
			reterr);
	if (w->source && pw->priority.any)
		w->source = priority_source(&w->arena, pw, w->source, reterr);
	w->by_priority = pw->measure.by_priority;
	w->by_target = pw->measure.by_target;
	if (w->source && pw->files.lock != LOCK_NONE) {
		w->lock_fd = lockfile_open(w->shared->lock_fd, reterr);
		if (w->lock_fd < 0)
			return w->lock_fd;
		w->source = lockfile_source(&w->arena, pw, w->source, w->lock_fd, &w->sh->stop,
			reterr);
	}
	return w->source ? 0 : reterr->code;
}

/* The innermost source: what the job's pattern or its trace says. */
static struct source *worker_source(struct worker *w, struct overlap *overlap,
	struct err *reterr)
{
	if (!w->plan->replay.inputs_count)
		return source_plain_new(&w->arena, w->plan, &w->files, overlap, w->ios,
			w->depth, reterr);
	w->ahead = replay_ahead_new(&w->arena, w->plan, reterr);
	if (!w->ahead)
		return NULL;
	return source_replay_new(&w->arena, w->plan, &w->files, w->ahead, w->ios, w->depth,
		&w->sh->replay, &w->word, reterr);
}

static int worker_setup(struct worker *w, const struct plan *plan, uint32_t open_limit,
	struct err *reterr)
{
	int rc = worker_place(w, reterr);
	if (rc == 0)
		rc = worker_room(w, reterr);
	if (rc == 0)
		rc = fileset_init(&w->files, &w->arena, plan, w->plan, open_limit, reterr);
	if (rc == 0)
		rc = worker_memory(w, reterr);
	if (rc == 0)
		rc = worker_queue(w, reterr);
	if (rc == 0)
		rc = fileset_open(&w->files, w->queue, reterr);
	if (rc == 0 && w->plan->files.pre_read)
		rc = preread(plan, w->plan, &w->sh->stop, &w->sh->progress, reterr);
	if (rc < 0)
		return rc;
	w->sh->open_files = MIN_OF(w->files.count, w->files.limit);
	struct overlap *overlap = NULL;
	if (w->plan->queue.serialize && !(overlap = worker_overlap(w, plan, reterr)))
		return reterr->code;
	w->source = worker_source(w, overlap, reterr);
	if (w->source && verify_is_on(&w->plan->verify))
		rc = worker_verify_setup(w, plan, overlap, reterr);
	if (w->source && rc == 0)
		rc = worker_wrap_source(w, plan, reterr);
	if (!w->source || rc < 0)
		return reterr->code;

	w->sh->bytes_total = w->source->bytes_total;

	const struct plan_measure *pm = &w->plan->measure;
	w->stamp_submit = pm->slat || pm->clat;
	w->stamp_any = w->stamp_submit || pm->lat || pm->response;
	if (w->at->log) {
		w->log = log_feed_new(&w->arena, w->plan, w->at->log, w->clock, &w->sh->stop);
		if (!w->log)
			return err_set(reterr, -ENOMEM, "out of memory for logs");
		w->log_issued = w->plan->log.fed[PLAN_LOG_ISSUES];
	}
	w->apart = w->by_priority || w->by_target || (w->log && w->plan->queue.use_perform);
	worker_learn_naps(w);
	w->late_ns = w->quantum_ns + 100 * NS_PER_US;
	memcpy(w->sh->used, w->queue->used, sizeof(w->sh->used));
	return 0;
}

/* Wait for the release.  A stop before it is a release, too. */
static void worker_wait(struct worker *w)
{
	if (w->plan->end.wait_count)
		shared_wait_word(&w->sh->go);
	else
		shared_wait_gate(w->shared, &w->sh->go);
}

static void worker_delay(struct worker *w, uint64_t from_ns)
{
	uint64_t until = from_ns + w->plan->time.delay_ns;
	if (until <= clock_now(w->clock))
		return;
	shared_set_phase(w->sh, WORKER_DELAY);
	while (clock_now(w->clock) < until &&
		!__atomic_load_n(&w->sh->stop, __ATOMIC_RELAXED)) {
		struct timespec ts = {
			.tv_sec = (time_t)(until / NS_PER_S),
			.tv_nsec = (long)(until % NS_PER_S),
		};
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
	}
}

/* False: the job is over, because of its command. */
static bool worker_command(struct worker *w, enum exec_when when)
{
	const struct plan_process *p = &w->plan->process;
	const char *command = when == EXEC_BEFORE ? p->prerun : p->postrun;
	char output[512], text[384];

	if (!command || __atomic_load_n(&w->sh->stop, __ATOMIC_RELAXED))
		return true;
	shared_set_phase(w->sh, WORKER_COMMAND);
	exec_output(w->plan, when, output, sizeof(output));
	int rc = exec_run(command, output, &w->sh->stop);
	if (rc == 0 || rc == -ECANCELED || (rc > 0 && when == EXEC_AFTER))
		return true;
	if (rc < 0)
		snprintf(text, sizeof(text),
			"exec_%s: can't run it with its output in %.120s: %s",
			when == EXEC_BEFORE ? "prerun" : "postrun", output, strerror(-rc));
	else
		snprintf(text, sizeof(text),
			"exec_prerun ended with status %d, so no I/O is done; its output is in %.120s",
			rc, output);
	if (rc < 0 || p->prerun_must)
		worker_fail(w, rc < 0 ? rc : ECANCELED, "exec_prerun", text);
	else
		snprintf(w->sh->error_text, sizeof(w->sh->error_text), "%s", text);
	w->sh->skipped = !w->sh->error;
	return false;
}

static uint64_t worker_start_ms(int clock_id)
{
	struct timespec ts = {0};
	clock_gettime(clock_id, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / NS_PER_MS;
}

static void worker_start(struct worker *w)
{
	const struct plan_time *pt = &w->plan->time;

	w->start_ns = clock_now(w->clock);
	w->last_ns = w->start_ns;
	w->window_start_ns = w->start_ns;
	w->open_at_ns = w->start_ns + pt->ramp_ns;
	w->set_end_ns = UINT64_MAX; /* a ramp is one interval */
	w->deadline_ns = pt->runtime_ns && !pt->ramp_bytes ? w->open_at_ns + pt->runtime_ns
							   : UINT64_MAX;
	w->window_end_ns = w->deadline_ns; /* if nothing ends it before */
	bool ramps = pt->ramp_bytes || w->plan->goal.target_ns;
	if (ramps)
		w->open_at_ns = UINT64_MAX; /* the source says when */
	w->sh->start_ns = w->start_ns;
	w->sh->wall_start_ms = worker_start_ms(pt->start_clock);
	if (w->log)
		log_feed_start(w->log, w->start_ns);
	w->source->ops->start(w->source, w->start_ns);
	worker_usage_begin(w);
	if (pt->ramp_ns || ramps)
		shared_set_phase(w->sh, WORKER_RAMP);
}

static void worker_see_missed(void *ctx, enum dir dir, uint64_t due_ns)
{
	struct worker *w = ctx;
	struct histogram *h = w->filling_response[dir];

	if (due_ns < w->window_start_ns)
		return;
	w->sh->count[dir].due++;
	w->sh->count[dir].late++;
	w->sh->count[dir].missed++;
	if (!h)
		return;
	uint64_t age = w->window_end_ns - due_ns;
	moments_record(&w->sh->response[dir], age);
	histogram_record(h, age);
	w->filling->used = 1;
}

static void worker_finish(struct worker *w)
{
	worker_hear_failure(w);
	bool cut = w->why == WHY_TIME || w->why == WHY_STOPPED;
	if (!cut) /* by the budget or an error: it ends with the last completion */
		w->window_end_ns = MIN_OF(w->window_end_ns,
			MAX_OF(w->last_ns, w->window_start_ns));
	if (cut && w->source->ops->missed)
		w->source->ops->missed(w->source, w->window_end_ns, worker_see_missed, w);
	if (w->reread && __atomic_load_n(&w->sh->stop, __ATOMIC_RELAXED) < 2)
		worker_last_sync(w);
	if (w->reread)
		worker_reread_last(w);
	if (w->verify)
		worker_verify_end(w);
	if (w->log)
		log_feed_close(w->log, w->window_end_ns);
	w->sh->window_end_ns = w->window_end_ns;
	w->sh->depth = w->depth;
	worker_usage_end(w);
	worker_finish_series(w);
	if (!w->reread && __atomic_load_n(&w->sh->stop, __ATOMIC_RELAXED) < 2)
		worker_last_sync(w);
}

/* Memory that the kernel may still write to is not given back when the drain was
 * cut short: the process ends soon, and with it the memory. */
static void worker_done(struct worker *w)
{
	if (w->lock_fd >= 0)
		close(w->lock_fd);
	replay_ahead_stop(w->ahead, w->plan->thread);
	if (w->verify)
		checkers_end(w->verify->checkers);
	if (w->in_flight)
		return;
	fileset_close(&w->files);
	queue_free(w->queue);
	if (!w->plan->thread)
		return; /* the process ends now: unmapping would cost more than it gives */
	buffers_done(&w->buffers);
	if (w->verify)
		by_pieces_done(w->verify);
	arena_done(&w->arena);
}

void worker_main(struct shared *shared, const struct plan *plan, uint32_t index,
	const struct clock *clock, uint32_t open_limit, uint64_t program_start_ns,
	struct slab_room room)
{
	struct worker worker = {
		.plan = &plan->workers[index],
		.clock = clock,
		.shared = shared,
		.sh = &shared->workers[index],
		.at = &shared->places[index],
		.depth = plan->workers[index].queue.depth,
		.window_end_ns = UINT64_MAX,
		.room = room,
		.lock_fd = -1,
	};
	struct worker *w = &worker;
	struct err e = {0};

	worker_fill_set(w, 0);
	w->sh->tid = (int32_t)syscall(SYS_gettid);
	w->sh->letter = worker_letter(w->plan);
	shared_set_phase(w->sh, WORKER_SETUP);
	if (worker_setup(w, plan, open_limit, &e) < 0) {
		bool stopped = e.code == -EINTR &&
			       __atomic_load_n(&w->sh->stop, __ATOMIC_RELAXED);
		if (!stopped)
			worker_fail(w, e.code, "setup", e.text);
		w->sh->why = stopped ? WHY_STOPPED : WHY_ERROR;
		worker_done(w);
		worker_ended(w);
		shared_arrive(w->shared);
		return;
	}
	shared_set_phase(w->sh, WORKER_READY);
	shared_arrive(w->shared);
	worker_wait(w);
	worker_delay(w, program_start_ns);
	if (worker_command(w, EXEC_BEFORE)) {
		worker_start(w);
		if (w->plan->queue.use_perform)
			loop_perform(w);
		else
			loop_queue(w);
		worker_finish(w);
		worker_command(w, EXEC_AFTER);
	}
	if (w->at->flow)
		flow_leave(w->at->flow);
	if (w->at->overlap)
		overlap_clear(w->at->overlap);
	worker_done(w);
	w->sh->open_files = 0;
	worker_ended(w);
}
