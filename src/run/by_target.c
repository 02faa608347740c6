/* HOT: by_target_account() runs once a batch of jobs that ask for it.
 *
 * SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/by_target.h"

#include "base/arena.h"
#include "result/result.h"
#include "run/account.h"
#include "run/verify/verify.h"

#include <errno.h>

/* Is IO, which came back just now, a read of the verification? */
static inline bool by_target_again(const struct worker *w, const struct io *io)
{
	return w->verify && io->kind == IO_READ && w->verify->slots[io->slot].reread;
}

static inline void by_target_count(struct worker *w, struct shared_target *t, enum dir d,
	uint64_t ios, uint64_t bytes, uint64_t t2_ns)
{
	if (unlikely(t2_ns > w->window_end_ns))
		return;
	t->ios[d] += ios;
	t->bytes[d] += bytes;
}

void by_target_account(struct worker *w, struct io *const *ios, unsigned n, uint64_t t2_ns)
{
	for (unsigned i = 0; i < n; i++) {
		const struct io *io = ios[i];
		const enum dir d = (enum dir)io->kind;

		if (unlikely(io->kind > IO_TRIM || !io->target))
			continue;
		struct shared_target *t = &w->at->targets[io->target->index];
		if (unlikely(io->res != (int32_t)io->bytes)) {
			t->errors[d]++;
			continue;
		}
		if (by_target_again(w, io)) {
			t->again_ios++;
			t->again_bytes += io->bytes;
			continue;
		}
		by_target_count(w, t, d, 1, io->bytes, t2_ns);
		if (w->at->target_lat[d] && account_in_window(w, io))
			account_latency(&w->at->target_lat[d][io->target->index],
				t2_ns - io->prepared_ns, 1);
	}
}

void by_target_short(struct worker *w, const struct io *io, uint64_t bytes, uint64_t t2_ns)
{
	struct shared_target *t = &w->at->targets[io->target->index];

	if (by_target_again(w, io))
		t->again_bytes += bytes;
	else
		by_target_count(w, t, (enum dir)io->kind, 0, bytes, t2_ns);
}

void by_target_forget(struct worker *w)
{
	for (uint32_t k = 0; k < w->plan->files.count; k++) {
		struct shared_target *t = &w->at->targets[k];
		for (int d = 0; d < DIRS; d++) {
			t->ios[d] = t->bytes[d] = 0;
			if (w->at->target_lat[d] && w->at->target_lat[d][k].moments.count)
				latency_reset(&w->at->target_lat[d][k]);
		}
	}
}

int by_target_gather(struct result *r, const struct plan *plan, uint32_t i,
	const struct shared_places *at, struct result_row *row)
{
	const struct plan_files *files = &plan->workers[i].files;
	const struct result_verify *v = row->verify;

	if (!at->targets || !row->window_start_ns)
		return 0;
	row->targets = arena_array(&r->arena, files->count, sizeof(*row->targets));
	if (!row->targets)
		return -ENOMEM;
	row->targets_count = files->count;
	for (uint32_t k = 0; k < files->count; k++) {
		struct result_target *to = &row->targets[k];
		to->path = plan->targets[files->targets[k]].path;
		to->again_ios = at->targets[k].again_ios;
		to->again_bytes = at->targets[k].again_bytes;
		for (int d = 0; d < DIRS; d++)
			to->dir[d] = (struct result_dir){
				.bytes = at->targets[k].bytes[d],
				.ios = at->targets[k].ios[d],
				.errors = at->targets[k].errors[d],
				.runtime_ns = d == DIR_READ && v && v->again.ios
						      ? v->own.runtime_ns
						      : row->dir[d].runtime_ns,
				.lat = at->target_lat[d] ? &at->target_lat[d][k] : NULL,
			};
	}
	return 0;
}
