/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/machine.h"

#include "base/bits.h"
#include "base/str.h"
#include "sys/cgroup.h"
#include "sys/mounts.h"
#include "sys/sysroot.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/utsname.h>

/* "6.18.44-fc-v782" to "6.18". */
static void kernel_name(char *buf, size_t size)
{
	struct utsname u;
	unsigned version, level;
	if (uname(&u) < 0)
		snprintf(buf, size, "Linux");
	else if (sscanf(u.release, "%u.%u", &version, &level) == 2)
		snprintf(buf, size, "%s %u.%u", u.sysname, version, level);
	else
		snprintf(buf, size, "%s %s", u.sysname, u.release);
}

static uint64_t conf(int name, uint64_t otherwise)
{
	long value = sysconf(name);
	return value > 0 ? (uint64_t)value : otherwise;
}

void machine_look(struct machine *ret)
{
	struct machine m = {
		.cpus_configured = (uint32_t)conf(_SC_NPROCESSORS_CONF, 1),
		.cpus_online = (uint32_t)conf(_SC_NPROCESSORS_ONLN, 1),
		.page_bytes = conf(_SC_PAGESIZE, 4096),
	};
	m.memory_bytes = conf(_SC_PHYS_PAGES, 0) * m.page_bytes;
	kernel_name(m.kernel, sizeof(m.kernel));
	*ret = m;
}

static bool bit_is_set(const uint64_t *bits, size_t cpu)
{
	return (bits[cpu / 64] >> (cpu % 64)) & 1;
}

int machine_cpus_set(const uint64_t *bits, size_t words)
{
	cpu_set_t *set = CPU_ALLOC(words * 64);
	size_t size = CPU_ALLOC_SIZE(words * 64);
	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(size, set);
	for (size_t cpu = 0; cpu < words * 64; cpu++)
		if (bit_is_set(bits, cpu))
			CPU_SET_S(cpu, size, set);
	int rc = sched_setaffinity(0, size, set) < 0 ? -errno : 0;
	CPU_FREE(set);
	return rc;
}

int machine_cpus_set_one(const uint64_t *bits, size_t words, uint32_t k)
{
	unsigned count = 0;
	for (size_t i = 0; i < words; i++)
		count += (unsigned)__builtin_popcountll(bits[i]);
	if (!count)
		return -EINVAL;
	k %= count;
	for (size_t cpu = 0; cpu < words * 64; cpu++) {
		if (!bit_is_set(bits, cpu) || k--)
			continue;
		cpu_set_t *set = CPU_ALLOC(words * 64);
		size_t size = CPU_ALLOC_SIZE(words * 64);
		if (!set)
			return -ENOMEM;
		CPU_ZERO_S(size, set);
		CPU_SET_S(cpu, size, set);
		int rc = sched_setaffinity(0, size, set) < 0 ? -errno : 0;
		CPU_FREE(set);
		return rc;
	}
	return -EINVAL;
}

int machine_timer_slack_set(uint64_t ns)
{
	return prctl(PR_SET_TIMERSLACK, ns, 0, 0, 0) < 0 ? -errno : 0;
}

uint64_t machine_memory_available(const struct sysroot *r)
{
	struct str text = {0};
	uint64_t kib = UINT64_MAX;
	if (sysroot_load(r, &text, "/proc/meminfo") == 0) {
		const char *line = strstr(str_text(&text), "MemAvailable:");
		if (line)
			sscanf(line, "MemAvailable: %" SCNu64, &kib);
	}
	str_done(&text);
	return mul_capped(kib, 1024);
}

uint64_t machine_hugepage_bytes(const struct sysroot *r)
{
	struct str text = {0};
	uint64_t kib = 2048;

	if (sysroot_load(r, &text, "/proc/meminfo") == 0) {
		const char *line = strstr(str_text(&text), "\nHugepagesize:");
		if (!line || sscanf(line, " Hugepagesize: %" SCNu64, &kib) != 1)
			kib = 2048;
	}
	str_done(&text);
	return kib << 10;
}

bool machine_hugepages_free(const struct sysroot *r, uint64_t page_bytes, uint64_t *ret)
{
	uint64_t free, reserved = 0, surplus = 0, more = 0;
	char folder[96];

	snprintf(folder, sizeof(folder), "/sys/kernel/mm/hugepages/hugepages-%" PRIu64 "kB",
		page_bytes >> 10);
	if (sysroot_u64(r, &free, "%s/free_hugepages", folder) < 0)
		return false;
	sysroot_u64(r, &reserved, "%s/resv_hugepages", folder);
	sysroot_u64(r, &surplus, "%s/surplus_hugepages", folder);
	sysroot_u64(r, &more, "%s/nr_overcommit_hugepages", folder);
	/* For a moment, when pages that a ring had locked come back, it is below zero. */
	if (reserved > INT64_MAX)
		reserved = 0;
	*ret = (free > reserved ? free - reserved : 0) + (more > surplus ? more - surplus : 0);
	return true;
}

/* ---- control groups ---- */

/* One controller, by the names that the two versions of the interface have. */
struct controller {
	const char *name;
	const char *max_v1, *used_v1;
	const char *max_v2, *used_v2;
};

static const struct controller controller_memory = {
	.name = "memory",
	.max_v1 = "memory.limit_in_bytes",
	.used_v1 = "memory.usage_in_bytes",
	.max_v2 = "memory.max",
	.used_v2 = "memory.current",
};

static const struct controller controller_pids = {
	.name = "pids",
	.max_v1 = "pids.max",
	.used_v1 = "pids.current",
	.max_v2 = "pids.max",
	.used_v2 = "pids.current",
};

/* Each level from our folder up to the mount point may set a limit. */
static void tighten(const struct sysroot *r, const char *mount_point, char *folder,
	const char *max_file, const char *used_file, struct machine_limit *l)
{
	for (;;) {
		uint64_t max, used;
		const char *path = strcmp(folder, "/") == 0 ? "" : folder;
		if (sysroot_u64(r, &max, "%s%s/%s", mount_point, path, max_file) == 0 &&
			sysroot_u64(r, &used, "%s%s/%s", mount_point, path, used_file) == 0) {
			uint64_t room = max > used ? max - used : 0;
			uint64_t room_now = l->max > l->used ? l->max - l->used : 0;
			if (l->max == UINT64_MAX ? max < INT64_MAX / 2 : room < room_now)
				*l = (struct machine_limit){.max = max, .used = used};
		}
		char *slash = strrchr(folder, '/');
		if (!slash || !*path)
			return;
		*slash = '\0';
	}
}

static void cgroup_limit(const struct sysroot *r, const struct controller *c,
	struct machine_limit *ret)
{
	struct machine_limit l = {.max = UINT64_MAX};
	struct mounts mounts = {0};
	struct str lines = {0};
	char folder[PATH_MAX];

	if (sysroot_load(r, &lines, "/proc/self/cgroup") == 0 && mounts_load(r, &mounts) == 0) {
		for (size_t i = 0; i < mounts.count; i++) {
			const struct mount *m = &mounts.v[i];
			bool v2 = strcmp(m->type, "cgroup2") == 0;
			bool v1 = strcmp(m->type, "cgroup") == 0 &&
				  cgroup_lists(m->options, strlen(m->options), c->name);
			if ((v1 || v2) && cgroup_own(str_text(&lines), v1 ? c->name : NULL,
						  folder, sizeof(folder)))
				tighten(r, m->point, folder, v1 ? c->max_v1 : c->max_v2,
					v1 ? c->used_v1 : c->used_v2, &l);
		}
	}
	mounts_done(&mounts);
	str_done(&lines);
	*ret = l;
}

void machine_cgroup_memory(const struct sysroot *r, struct machine_limit *ret)
{
	cgroup_limit(r, &controller_memory, ret);
}

void machine_cgroup_pids(const struct sysroot *r, struct machine_limit *ret)
{
	cgroup_limit(r, &controller_pids, ret);
}
