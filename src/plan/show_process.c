/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The parts of `weir --plan` that most jobs don't have: what stands there only where
 * it isn't the default. */
#include "base/json.h"
#include "plan/draft.h"
#include "sys/ioprio.h"
#include "sys/numa.h"

void show_nodes(struct json *out, const char *key, uint64_t nodes)
{
	if (!nodes)
		return;
	json_array(out, key);
	for (unsigned i = 0; i < NUMA_NODES; i++)
		if (nodes >> i & 1)
			json_uint(out, NULL, i);
	json_array_end(out);
}

const char *show_numa_mode(int mode)
{
	static const char *const names[] = {
		[NUMA_DEFAULT] = "default",
		[NUMA_PREFER] = "prefer",
		[NUMA_BIND] = "bind",
		[NUMA_INTERLEAVE] = "interleave",
		[NUMA_LOCAL] = "local",
	};
	return names[mode];
}

void show_open_more(const struct plan_worker *w, struct json *out)
{
	if (w->files.lock != LOCK_NONE)
		json_text(out, "lockfile",
			w->files.lock == LOCK_EXCLUSIVE ? "exclusive" : "readwrite");
	if (w->files.scheduler)
		json_text(out, "scheduler", w->files.scheduler);
	if (w->files.how.life)
		json_int(out, "write_hint", w->files.how.life);
	if (w->files.pre_read)
		json_bool(out, "pre_read", true);
	if (w->files.unlink_each)
		json_bool(out, "unlink_each_loop", true);
	if (w->queue.atomic)
		json_bool(out, "atomic", true);
}

/* cmdprio_*: what share of which requests has which priority */
void show_priority(const struct plan_worker *w, struct json *out)
{
	if (!w->priority.any)
		return;
	json_array(out, "priorities");
	for (int d = 0; d < DIRS; d++)
		for (uint32_t i = 0; i < w->priority.rules_count[d]; i++) {
			const struct priority_rule *r = &w->priority.rules[d][i];
			json_object(out, NULL);
			json_text(out, "of", dir_name((enum dir)d));
			if (r->bytes)
				json_uint(out, "bytes", r->bytes);
			json_double(out, "percent", 100.0 * (double)r->share / 4294967296.0);
			json_uint(out, "class", ioprio_class_of(r->value));
			json_uint(out, "level", ioprio_level_of(r->value));
			json_uint(out, "hint", ioprio_hint_of(r->value));
			json_object_end(out);
		}
	json_array_end(out);
}

void show_process(const struct plan_worker *w, struct json *out)
{
	const struct plan_process *p = &w->process;

	if (!p->prerun && !p->postrun && !p->comm && !p->uid_given && !p->gid_given &&
		!p->prio_given && !p->cgroup)
		return;
	json_object(out, "process");
	if (p->prerun)
		json_text(out, "prerun", p->prerun);
	if (p->postrun)
		json_text(out, "postrun", p->postrun);
	if (p->comm)
		json_text(out, "comm", p->comm);
	if (p->uid_given)
		json_uint(out, "uid", p->uid);
	if (p->gid_given)
		json_uint(out, "gid", p->gid);
	if (p->prio_given) {
		json_uint(out, "ioprio_class", ioprio_class_of(p->ioprio));
		json_uint(out, "ioprio_level", ioprio_level_of(p->ioprio));
		json_uint(out, "ioprio_hint", ioprio_hint_of(p->ioprio));
	}
	if (p->cgroup) {
		json_text(out, "cgroup", p->cgroup);
		json_uint(out, "cgroup_weight", p->cgroup_weight);
		json_bool(out, "cgroup_keep", p->cgroup_keep);
	}
	json_object_end(out);
}
