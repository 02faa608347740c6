/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/logs/logs.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/log.h"
#include "base/scope.h"
#include "run/logs/file.h"
#include "run/logs/total.h"
#include "run/logs/writer.h"
#include "run/supervisor.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct logs_writer {
	pid_t pid; /* 0: none runs */
	bool lost; /* it died or hung: what was not written yet is missing */
};

struct logs {
	uint32_t writers; /* processes a wave at most; worker I is with writer I % writers */
	struct logs_writer writer[LOG_WRITERS], total;
	bool *said;      /* per worker and log: its error was told */
	uint32_t failed; /* logs with something missing            */
};

/* ---- files ---- */

static int logs_check_apart(const struct plan *plan, const char *path, struct err *reterr)
{
	struct stat st;
	bool there = stat(path, &st) == 0;

	for (uint32_t i = 0; i < plan->targets_count; i++) {
		const struct plan_target *t = &plan->targets[i];
		bool same = strcmp(t->path, path) == 0 ||
			    (there && t->found.kind == LOOK_FILE && t->found.dev == st.st_dev &&
				    t->found.inode == st.st_ino);
		if (same)
			return err_set(reterr, -EINVAL,
				"log %s: is a target of this run; give the log another name",
				path);
	}
	return 0;
}

static int logs_check_worker(const struct plan *plan, const struct plan_worker *pw,
	struct err *reterr)
{
	const struct plan_log *l = &pw->log;

	if (l->zstd && l->path[PLAN_LOG_BINARY] && log_file_no_zstd())
		return err_set(reterr, -EOPNOTSUPP, "[%s] log_zstd=%d: %s; use log_zstd=0",
			pw->name, l->zstd, log_file_no_zstd());
	for (int k = 0; k < PLAN_LOGS; k++) {
		const char *path = l->path[k];
		if (!path)
			continue;
		int rc = logs_check_apart(plan, path, reterr);
		if (rc == 0)
			rc = log_file_check(path, l->append && k != PLAN_LOG_BINARY, reterr);
		if (rc < 0)
			return err_within(reterr, "[%s]", pw->name);
	}
	return 0;
}

int logs_check(const struct plan *plan, const char *total, struct err *reterr)
{
	int rc = 0;

	for (uint32_t i = 0; i < plan->workers_count && rc == 0; i++)
		rc = logs_check_worker(plan, &plan->workers[i], reterr);
	for (int d = 0; d < DIRS && total && rc == 0; d++) {
		scope_mem char *path = log_total_path(total, (enum dir)d);
		if (!path)
			return err_set(reterr, -ENOMEM, "out of memory");
		rc = logs_check_apart(plan, path, reterr);
		if (rc == 0)
			rc = log_file_check(path, false, reterr);
	}
	return rc;
}

/* ---- who writes what ---- */

int logs_begin(struct supervisor *s, struct err *reterr)
{
	uint32_t logging = 0;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	for (uint32_t i = 0; i < s->plan->workers_count; i++)
		logging += s->shared.places[i].log != NULL;
	if (!logging && !s->how->bandwidth_log)
		return 0;
	s->logs = calloc(1, sizeof(*s->logs));
	if (s->logs)
		s->logs->said = calloc((size_t)s->plan->workers_count * PLAN_LOGS,
			sizeof(*s->logs->said));
	if (!s->logs || !s->logs->said)
		return err_set(reterr, -ENOMEM, "out of memory for %u jobs",
			s->plan->workers_count);
	s->logs->writers = MIN_OF((uint32_t)MAX_OF(cpus, 1L), (uint32_t)LOG_WRITERS);
	for (uint32_t i = 0; i < s->plan->workers_count; i++) {
		const struct shared_places *at = &s->shared.places[i];
		if (!at->log)
			continue;
		memcpy(at->log->hist, at->log_hist, sizeof(at->log->hist));
		at->log->bell = &s->shared.head->bells[i % s->logs->writers];
	}
	return 0;
}

/* A writer that died, or never was, leaves rings that nobody reads: workers must not wait for
 * it. */
static void logs_break(struct supervisor *s, uint32_t which)
{
	for (uint32_t i = s->first; i < s->end; i++) {
		struct log_ring *ring = s->shared.places[i].log;
		if (ring && i % s->logs->writers == which && !ring->done)
			__atomic_store_n(&ring->broken, 1, __ATOMIC_RELEASE);
	}
}

static void logs_no_writer(struct supervisor *s, uint32_t which, const char *why)
{
	s->logs->writer[which] = (struct logs_writer){.lost = true};
	logs_break(s, which);
	supervisor_say(s, RUN_ERROR, "logs: can't start their writer: %s", why);
}

static void logs_start_writer(struct supervisor *s, uint32_t which)
{
	uint32_t count = 0, writers = s->logs->writers;
	scope_mem struct log_stream *streams = calloc(s->end - s->first + 1, sizeof(*streams));

	for (uint32_t i = s->first; i < s->end && streams; i++)
		if (i % writers == which && s->shared.places[i].log && !s->workers[i].gone)
			streams[count++] = (struct log_stream){&s->plan->workers[i],
				s->shared.places[i].log, s->plan->targets};
	if (!streams)
		logs_no_writer(s, which, strerror(ENOMEM));
	if (!count)
		return;
	pid_t parent = getpid(), pid = fork();
	if (pid == 0) {
		crew_become_helper(s);
		log_writer_main(&s->shared, streams, count, &s->shared.head->bells[which],
			parent);
		_exit(0);
	}
	if (pid < 0)
		logs_no_writer(s, which, strerror(errno));
	else
		s->logs->writer[which] = (struct logs_writer){.pid = pid};
}

void logs_start_wave(struct supervisor *s)
{
	if (!s->logs)
		return;
	fflush(NULL);
	for (uint32_t k = 0; k < s->logs->writers; k++)
		logs_start_writer(s, k);
}

void logs_start_total(struct supervisor *s)
{
	if (!s->logs || !s->how->bandwidth_log)
		return;
	fflush(NULL);
	pid_t parent = getpid(), pid = fork();
	if (pid == 0) {
		crew_become_helper(s);
		log_total_main(&s->shared, s->plan->workers_count, s->how->bandwidth_log,
			parent);
		_exit(0);
	}
	s->logs->total = (struct logs_writer){.pid = MAX_OF(pid, 0), .lost = pid < 0};
}

/* ---- watching ---- */

bool logs_child_ended(struct supervisor *s, pid_t pid, int signal)
{
	struct logs *logs = s->logs;

	if (!logs)
		return false;
	if (pid == logs->total.pid) {
		logs->total.pid = 0;
		return true;
	}
	for (uint32_t k = 0; k < logs->writers; k++) {
		if (logs->writer[k].pid != pid)
			continue;
		logs->writer[k].pid = 0;
		logs_break(s, k);
		if (!signal)
			return true;
		logs->writer[k].lost = true;
		logs->failed++;
		supervisor_say(s, RUN_ERROR,
			"logs: their writer (pid %d) was killed by signal %d (%s): they end there",
			pid, signal, strsignal(signal));
		return true;
	}
	return false;
}

void logs_worker_over(struct supervisor *s, uint32_t worker)
{
	struct log_ring *ring = s->logs ? s->shared.places[worker].log : NULL;
	if (!ring)
		return;
	__atomic_store_n(&ring->over, 1, __ATOMIC_RELEASE);
	log_bell_ring(ring->bell);
}

static void logs_look_at(struct supervisor *s, uint32_t i)
{
	const struct log_ring *ring = s->shared.places[i].log;

	for (int k = 0; ring && k < PLAN_LOGS; k++) {
		const struct log_outcome *out = &ring->outcome[k];
		int error = __atomic_load_n(&out->error, __ATOMIC_ACQUIRE);
		bool *said = &s->logs->said[(size_t)i * PLAN_LOGS + (size_t)k];
		if (!error || *said)
			continue;
		*said = true;
		s->logs->failed++;
		supervisor_say(s, RUN_ERROR, "log %s: %s%s: it ends here, the job goes on",
			s->plan->workers[i].log.path[k], strerror(error),
			error == EMFILE ? " (raise ulimit -n)" : "");
	}
}

void logs_look(struct supervisor *s)
{
	for (uint32_t i = s->first; i < s->end && s->logs; i++)
		logs_look_at(s, i);
}

/* ---- the end ---- */

static uint64_t logs_progress(const struct supervisor *s)
{
	uint64_t sum = 0;
	for (uint32_t i = s->first; i < s->end; i++)
		if (s->shared.places[i].log)
			sum += __atomic_load_n(&s->shared.places[i].log->tail,
				       __ATOMIC_RELAXED) +
			       s->shared.places[i].log->done;
	return sum;
}

static bool logs_running(const struct supervisor *s)
{
	for (uint32_t k = 0; k < s->logs->writers; k++)
		if (s->logs->writer[k].pid)
			return true;
	return false;
}

static void logs_abandon(struct supervisor *s, struct logs_writer *w)
{
	if (!w->pid)
		return;
	supervisor_say(s, RUN_ERROR,
		"logs: their writer (pid %d) hangs: what it had not written yet is missing",
		w->pid);
	kill(w->pid, SIGKILL);
	w->pid = 0;
	w->lost = true;
	s->logs->failed++;
}

/* Records that came too late, and those that nobody has read. */
static uint64_t logs_lost(const struct log_ring *ring)
{
	return ring->lost + (ring->done ? 0 : ring->head - ring->tail);
}

static void logs_say_missing(struct supervisor *s, uint32_t i)
{
	const struct log_ring *ring = s->shared.places[i].log;

	for (int k = 0; ring && k < PLAN_LOGS; k++) {
		const struct log_outcome *out = &ring->outcome[k];
		if (!out->lines_lost)
			continue;
		supervisor_say(s, RUN_ERROR,
			"log %s: %" PRIu64 " %s are missing at its end (%s)",
			s->plan->workers[i].log.path[k], out->lines_lost,
			k == PLAN_LOG_BINARY ? "records" : "lines",
			out->error ? strerror(out->error) : "out of memory");
	}
	if (ring && logs_lost(ring)) {
		s->logs->failed++;
		supervisor_say(s, RUN_ERROR, "%s: %" PRIu64 " records are missing in its logs",
			s->plan->workers[i].name, logs_lost(ring));
	}
}

/* A slow disk is waited for as long as it moves. */
void logs_finish_wave(struct supervisor *s)
{
	uint64_t moved_ns = clock_now(&s->clock), before = 0;

	if (!s->logs)
		return;
	while (logs_running(s)) {
		uint32_t seen = __atomic_load_n(&s->shared.head->bell, __ATOMIC_ACQUIRE);
		uint64_t progress = logs_progress(s), now = clock_now(&s->clock);
		crew_reap(s);
		if (progress != before)
			moved_ns = now;
		before = progress;
		if (now - moved_ns > (log_stop_count > 1 ? NS_PER_S : s->how->drain_ns))
			break;
		if (logs_running(s))
			shared_wait(&s->shared, seen, 5 * NS_PER_MS);
	}
	for (uint32_t k = 0; k < s->logs->writers; k++)
		logs_abandon(s, &s->logs->writer[k]);
	logs_look(s);
	for (uint32_t i = s->first; i < s->end; i++)
		logs_say_missing(s, i);
}

void logs_finish_total(struct supervisor *s)
{
	if (!s->logs || !s->how->bandwidth_log)
		return;
	uint64_t until = clock_now(&s->clock) + s->how->drain_ns;

	__atomic_store_n(&s->shared.head->total_over, 1, __ATOMIC_RELEASE);
	log_bell_ring(&s->shared.head->total_bell);
	while (s->logs->total.pid && clock_now(&s->clock) < until) {
		uint32_t seen = __atomic_load_n(&s->shared.head->bell, __ATOMIC_ACQUIRE);
		crew_reap(s);
		if (s->logs->total.pid)
			shared_wait(&s->shared, seen, NS_PER_MS);
	}
	logs_abandon(s, &s->logs->total);
	if (s->shared.head->total_error) {
		s->logs->failed++;
		supervisor_say(s, RUN_ERROR, "--bandwidth-log: %s: its lines end there",
			strerror(s->shared.head->total_error));
	}
}

void logs_gather(const struct supervisor *s, uint32_t i, struct result_row *row)
{
	const struct log_ring *ring = s->shared.places[i].log;
	if (!ring)
		return;
	row->logged = true;
	row->log_wait_ns = ring->wait_ns;
	row->log_lost = ring->lost;
	if (ring->broken)
		row->log_lost = logs_lost(ring);
	for (int k = 0; k < PLAN_LOGS; k++)
		row->log_lost += ring->outcome[k].lines_lost;
}

uint32_t logs_failed(const struct supervisor *s)
{
	return s->logs ? s->logs->failed : 0;
}

void logs_free(struct logs *logs)
{
	if (!logs)
		return;
	free(logs->said);
	free(logs);
}
