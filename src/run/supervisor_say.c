/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What the supervisor says: lines that the sink shows and the result keeps. */
#include "run/supervisor.h"

#include "base/bits.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void supervisor_say(struct supervisor *s, enum run_weight weight, const char *fmt, ...)
{
	char text[768];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);

	if (s->how->sink && s->how->sink->message)
		s->how->sink->message(s->how->sink->ctx, weight, text);
	const char **more = realloc(s->messages, (s->messages_count + 1) * sizeof(*more));
	if (!more)
		return;
	s->messages = more;
	char *copy = strdup(text);
	if (copy)
		s->messages[s->messages_count++] = copy;
}

void supervisor_phase(struct supervisor *s, enum run_phase phase, const char *text)
{
	if (s->how->sink && s->how->sink->phase)
		s->how->sink->phase(s->how->sink->ctx, phase, text);
}

void supervisor_say_error(struct supervisor *s, uint32_t i)
{
	const struct shared_worker *sh = &s->shared.workers[i];
	const struct supervised *sv = &s->workers[i];

	if (sv->end == END_KILLED && !sv->killed)
		supervisor_say(s, RUN_ERROR,
			"%s (pid %d) was killed by signal %d (%s): its figures end there",
			s->plan->workers[i].name, sv->pid, sv->signal,
			sv->signal ? strsignal(sv->signal) : "it exited by itself");
	if (sh->skipped)
		supervisor_say(s, RUN_WARNING, "%s: %s", s->plan->workers[i].name,
			sh->error_text);
	if (!sh->error)
		return;
	if (sh->error_text[0]) /* empty: another's says it, too */
		supervisor_say(s, RUN_ERROR, "%s: %s", s->plan->workers[i].name,
			sh->error_text);
	if (s->how->native || !*sh->error_func)
		return; /* fio's second line says nothing new, or it has none */
	supervisor_say(s, sv->started ? RUN_INFO : RUN_ERROR,
		"pid=%d, err=%d/%s, func=%s, error=%s", sh->pid, sh->error, RESULT_ERROR_PLACE,
		sh->error_func, result_error_text(sh->error));
}

void supervisor_say_dumps(struct supervisor *s, uint32_t i)
{
	static const char *const names[] = {"read", "write", "trim", "fsync", "fdatasync"};
	const struct shared_worker *sh = &s->shared.workers[i];
	struct supervised *sv = &s->workers[i];
	uint64_t count = __atomic_load_n(&sh->dumps_count, __ATOMIC_ACQUIRE);

	if (count - sv->dumps_said > SHARED_DUMPS) {
		supervisor_say(s, RUN_ERROR, "%s: %llu more tolerated errors, not shown",
			s->plan->workers[i].name,
			(unsigned long long)(count - sv->dumps_said - SHARED_DUMPS));
		sv->dumps_said = count - SHARED_DUMPS;
	}
	for (; sv->dumps_said < count; sv->dumps_said++) {
		const struct shared_dump *e = &sh->dumps[sv->dumps_said % SHARED_DUMPS];
		supervisor_say(s, RUN_ERROR,
			"io_u error on file %s: %s: %s offset=%llu, buflen=%u",
			e->target < s->plan->targets_count ? s->plan->targets[e->target].path
							   : "?",
			strerror(e->code), names[e->kind % COUNT_OF(names)],
			(unsigned long long)e->offset, e->bytes);
	}
}

void supervisor_say_start(struct supervisor *s)
{
	uint32_t threads = 0, processes = 0;
	char text[128];

	for (uint32_t i = 0; i < s->plan->workers_count; i++)
		*(s->plan->workers[i].thread ? &threads : &processes) += 1;
	const char *ts = threads == 1 ? "" : "s", *ps = processes == 1 ? "" : "es";
	if (threads && processes)
		snprintf(text, sizeof(text), "Starting %u thread%s and %u process%s", threads,
			ts, processes, ps);
	else if (threads)
		snprintf(text, sizeof(text), "Starting %u thread%s", threads, ts);
	else
		snprintf(text, sizeof(text), "Starting %u process%s", processes, ps);
	supervisor_phase(s, RUN_START, text);
}
