/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/facts.h"

#include "plan/plan.h"
#include "sys/clock.h"
#include "sys/look.h"
#include "sys/machine.h"
#include "sys/numa.h"
#include "sys/sysroot.h"

#include <sys/random.h>

static void look_at_machine(void *ctx, const char *path, struct look *ret)
{
	(void)ctx;
	look_at(path, ret);
}

static enum meet meet_at_machine(void *ctx, const char *path, const char *target,
	char name[MEET_NAME])
{
	(void)ctx;
	return meet_find(&sysroot_real, path, target, name);
}

static int walk_machine(void *ctx, const char *dir, bool (*found)(void *arg, const char *path),
	void *arg)
{
	(void)ctx;
	return look_below(dir, found, arg);
}

/* A machine where everything is there and big enough: what is still wrong is
 * wrong in the text. */
static int walk_nothing(void *ctx, const char *dir, bool (*found)(void *arg, const char *path),
	void *arg)
{
	(void)ctx;
	found(arg, dir);
	return 0;
}

static void look_at_nothing(void *ctx, const char *path, struct look *ret)
{
	(void)ctx, (void)path;
	*ret = (struct look){
		.kind = LOOK_BLOCK,
		.bytes = UINT64_C(1) << 60,
	};
}

/* What seeds are made of where they need not repeat. */
static uint64_t entropy(void)
{
	uint64_t bits;
	if (getrandom(&bits, sizeof(bits), 0) != sizeof(bits))
		bits = clock_wall_ms();
	return bits;
}

void facts_fill(struct plan_facts *facts, const struct machine *machine, bool text_only)
{
	facts->cpus = machine->cpus_online;
	facts->page_bytes = machine->page_bytes;
	facts->memory_bytes = machine->memory_bytes;
	facts->text_only = text_only;
	facts->nodes = text_only ? 0 : numa_online(&sysroot_real);
	facts->entropy = entropy();
	facts->run_id = entropy() | 1;
	facts->walk = text_only ? walk_nothing : walk_machine;
	facts->look = text_only ? look_at_nothing : look_at_machine;
	facts->meet = text_only ? NULL : meet_at_machine;
}
