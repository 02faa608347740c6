/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The figures of the live line. */
#include "base/bits.h"
#include "base/str.h"
#include "run/supervisor.h"

/* One letter a worker, as fio has them. */
static char view_letter(const struct supervisor *s, uint32_t i)
{
	const struct supervised *sv = &s->workers[i];
	const struct shared_worker *sh = &s->shared.workers[i];

	if (sv->end == END_KILLED || sv->end == END_STUCK)
		return 'K';
	if (sv->gone && sh->error)
		return 'X';
	if (sv->gone)
		return sv->started ? '_' : 'P';
	switch (shared_phase(sh)) {
	case WORKER_NONE:
		return sv->started ? 'C' : 'P';
	case WORKER_SETUP:
	case WORKER_READY:
	case WORKER_DELAY:
		return 'I';
	case WORKER_RAMP:
		return '/';
	case WORKER_RUNNING:
		return sh->letter;
	case WORKER_VERIFY:
		return 'V';
	case WORKER_DRAIN:
		return 'f';
	case WORKER_COMMAND:
		return 'I';
	case WORKER_SYNCING:
		return 'F';
	case WORKER_ENDED:
		break;
	}
	return 'E';
}

static void view_states(struct supervisor *s)
{
	char last = 0;
	uint32_t run = 0;

	str_reset(&s->states);
	for (uint32_t i = 0; i <= s->plan->workers_count; i++) {
		char letter = i < s->plan->workers_count ? view_letter(s, i) : 0;
		if (letter == last) {
			run++;
			continue;
		}
		if (last)
			str_addf(&s->states, "%s%c(%u)", s->states.len ? "," : "", last, run);
		last = letter;
		run = 1;
	}
}

/* Nanoseconds that worker I still has to go; false when nothing tells. */
static bool view_left(const struct supervisor *s, uint32_t i, uint64_t now, uint64_t *ret)
{
	const struct plan_worker *pw = &s->plan->workers[i];
	const struct shared_worker *sh = &s->shared.workers[i];
	uint64_t by_time = UINT64_MAX, by_bytes = UINT64_MAX;

	if (pw->time.runtime_ns) {
		uint64_t from = sh->start_ns ? sh->start_ns : now + pw->time.delay_ns;
		uint64_t end = from + pw->time.ramp_ns + pw->time.runtime_ns;
		by_time = end > now ? end - now : 0;
	}
	uint64_t moved = 0;
	for (int d = 0; d < DIRS; d++)
		moved += sh->count[d].bytes;
	uint64_t total = sh->bytes_total;
	if (total && moved && sh->window_start_ns && now > sh->window_start_ns)
		by_bytes = mul_div(now - sh->window_start_ns, total > moved ? total - moved : 0,
			moved);
	*ret = MIN_OF(by_time, by_bytes);
	return *ret != UINT64_MAX;
}

/* The longest worker of this wave; later waves add their times where they are known. */
static void view_eta(const struct supervisor *s, struct run_view *v, uint64_t now)
{
	uint64_t longest = 0;
	bool known = false;

	for (uint32_t i = s->first; i < s->end; i++) {
		uint64_t left;
		if (s->workers[i].gone)
			continue;
		if (shared_phase(&s->shared.workers[i]) == WORKER_ENDED)
			continue;
		if (!view_left(s, i, now, &left))
			return;
		known = true;
		longest = MAX_OF(longest, left);
	}
	uint64_t most = 0;
	for (uint32_t i = s->end; i < s->plan->workers_count; i++) {
		const struct plan_worker *pw = &s->plan->workers[i];
		if (pw->wave != s->plan->workers[i - 1].wave) {
			longest += most;
			most = 0;
		}
		most = MAX_OF(most, pw->time.ramp_ns + pw->time.runtime_ns);
	}
	longest += most;
	v->eta_known = known;
	v->eta_s = div_up(longest, NS_PER_S);
	uint64_t elapsed = now - s->began_ns;
	v->percent = known && elapsed + longest
			     ? 100.0 * (double)elapsed / (double)(elapsed + longest)
			     : -1;
}

static void view_flow(struct supervisor *s, struct run_view *v, uint64_t now)
{
	double seconds = (double)(now - s->view_ns) / 1e9;

	for (int d = 0; d < DIRS; d++) {
		uint64_t ios = 0, bytes = 0;
		for (uint32_t i = 0; i < s->plan->workers_count; i++) {
			ios += s->shared.workers[i].count[d].live_ios;
			bytes += s->shared.workers[i].count[d].live_bytes;
		}
		struct run_flow *f = &v->flow[d];
		f->ios = ios;
		f->bytes = bytes;
		f->moved = ios != s->view_ios[d];
		if (seconds > 0) {
			f->ios_per_s = (uint64_t)((double)(ios - s->view_ios[d]) / seconds);
			f->bytes_per_s = (uint64_t)((double)(bytes - s->view_bytes[d]) /
						    seconds);
		}
		s->view_ios[d] = ios;
		s->view_bytes[d] = bytes;
	}
	s->view_ns = now;
}

void view_make(struct supervisor *s, struct run_view *ret)
{
	uint64_t now = clock_now(&s->clock);

	*ret = (struct run_view){.percent = -1};
	for (uint32_t i = 0; i < s->plan->workers_count; i++) {
		const struct shared_worker *sh = &s->shared.workers[i];
		enum worker_phase phase = shared_phase(sh);
		const struct plan_rate *pr = &s->plan->workers[i].rate;
		if (phase == WORKER_NONE || phase == WORKER_ENDED || s->workers[i].gone)
			continue;
		ret->running++;
		ret->open_files += sh->open_files;
		for (int d = 0; d < DIRS; d++) {
			ret->rate_max += pr->arrival[d].per_second;
			ret->rate_ios |= pr->arrival[d].per_second && !pr->arrival[d].bytes;
		}
	}
	view_states(s);
	view_flow(s, ret, now);
	view_eta(s, ret, now);
	ret->states = str_text(&s->states);
	ret->elapsed_ms = (now - s->how->started_ns) / NS_PER_MS;
}
