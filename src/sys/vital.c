/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/vital.h"

#include "base/bits.h"
#include "base/fact.h"
#include "base/str.h"
#include "sys/sysroot.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- where to look ---- */

static bool cpu_sensor(const char *name)
{
	static const char *const names[] = {
		"coretemp", "k10temp", "zenpower", "cpu_thermal", "cpu", "acpitz"};
	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static void find_sensor(struct vital *v, const char *folder)
{
	char name[64];

	if (strlen(folder) > 16 || sysroot_text(v->root, name, sizeof(name),
					   "/sys/class/hwmon/%s/name", folder) < 0)
		return;
	bool drive = !strcmp(name, "nvme") || !strcmp(name, "drivetemp");
	if (!drive && !cpu_sensor(name))
		return;
	for (int i = 1; i <= 3 && v->sensors_count < VITAL_SENSORS; i++) {
		struct vital_sensor *to = &v->sensors[v->sensors_count];
		snprintf(to->path, sizeof(to->path), "/sys/class/hwmon/%.16s/temp%d_input",
			folder, i);
		to->drive = drive;
		v->sensors_count += sysroot_has(v->root, "%s", to->path);
	}
}

static void find_sensors(struct vital *v)
{
	DIR *dir = sysroot_dir(v->root, "/sys/class/hwmon");
	const char *name;

	while (dir && (name = sysroot_next(dir)))
		find_sensor(v, name);
	if (dir)
		closedir(dir);
}

/* Evenly over all, so that both kinds of cores and all sockets are seen. */
static void find_cpus(struct vital *v)
{
	uint32_t all = 0;
	while (all < 4096 && sysroot_has(v->root, "/sys/devices/system/cpu/cpu%u", all))
		all++;
	v->cpus_count = MIN_OF(all, (uint32_t)VITAL_CPUS);
	for (uint32_t i = 0; i < v->cpus_count; i++)
		v->cpus[i] = i * all / v->cpus_count;
	v->frequencies = sysroot_has(v->root,
		"/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq");
	v->throttles = sysroot_has(v->root,
		"/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count");
}

/* "0::/a/b" is the path in the unified hierarchy. */
static void find_group(struct vital *v)
{
	char text[1024];

	if (sysroot_text(v->root, text, sizeof(text), "/proc/self/cgroup") < 0)
		return;
	const char *at = str_starts(text, "0::") ? text : strstr(text, "\n0::");
	if (!at)
		return;
	at = strstr(at, "::") + 2;
	int len = snprintf(v->group, sizeof(v->group), "/sys/fs/cgroup%.*s/cpu.stat",
		(int)strcspn(at, "\n"), at);
	if (len >= (int)sizeof(v->group) || !sysroot_has(v->root, "%s", v->group))
		v->group[0] = '\0';
}

void vital_find(const struct sysroot *root, struct vital *ret)
{
	*ret = (struct vital){.root = root};
	find_sensors(ret);
	find_cpus(ret);
	find_group(ret);
}

/* ---- looking ---- */

/* The number behind KEY, which ends in what stands before it. */
static uint64_t number_after(const char *text, const char *key)
{
	const char *at = strstr(text, key);
	uint64_t value;
	return at && sscanf(at + strlen(key), "%" SCNu64, &value) == 1 ? value : FACT_UNKNOWN;
}

/* "cpu  user nice system idle iowait irq softirq steal guest ..."; guest time is in user. */
static void look_cpu(const struct vital *v, struct vital_counts *to)
{
	char text[256];
	uint64_t t[8];

	if (sysroot_text(v->root, text, sizeof(text), "/proc/stat") < 0 ||
		sscanf(text,
			"cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
			" %" SCNu64 " %" SCNu64 " %" SCNu64,
			&t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]) != 8)
		return;
	to->cpu_ticks = 0;
	for (size_t i = 0; i < COUNT_OF(t); i++)
		to->cpu_ticks += t[i];
	to->idle_ticks = t[3] + t[4];
	to->steal_ticks = t[7];
}

static void look_pressure(const struct vital *v, struct vital_counts *to)
{
	static const char *const names[] = {
		[VITAL_CPU] = "cpu", [VITAL_IO] = "io", [VITAL_MEMORY] = "memory"};
	char text[256];

	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (sysroot_text(v->root, text, sizeof(text), "/proc/pressure/%s", names[i]) ==
			0)
			to->pressure_us[i] = number_after(text, "total=");
}

static void look_memory(const struct vital *v, struct vital_counts *to)
{
	char text[4096];

	if (sysroot_text(v->root, text, sizeof(text), "/proc/meminfo") < 0)
		return;
	uint64_t dirty = number_after(text, "\nDirty:"),
		 writeback = number_after(text, "\nWriteback:");
	to->dirty_bytes = dirty == FACT_UNKNOWN ? dirty : dirty << 10;
	to->writeback_bytes = writeback == FACT_UNKNOWN ? writeback : writeback << 10;
}

static void look_cpus(const struct vital *v, struct vital_counts *to)
{
	static const char *const counts[] = {"core_throttle_count", "package_throttle_count"};
	uint64_t value;

	if (v->throttles)
		to->throttled = 0;
	for (uint32_t i = 0; i < v->cpus_count; i++) {
		if (v->frequencies &&
			sysroot_u64(v->root, &value,
				"/sys/devices/system/cpu/cpu%u/cpufreq/scaling_cur_freq",
				v->cpus[i]) == 0)
			to->frequency_khz = MIN_OF(to->frequency_khz, value);
		for (size_t k = 0; v->throttles && k < COUNT_OF(counts); k++)
			if (sysroot_u64(v->root, &value,
				    "/sys/devices/system/cpu/cpu%u/thermal_throttle/%s",
				    v->cpus[i], counts[k]) == 0)
				to->throttled += value;
	}
}

static void hotter(uint64_t *most, uint64_t milli_c)
{
	uint64_t c = milli_c / 1000;
	if (milli_c < 200000 && (*most == FACT_UNKNOWN || c > *most))
		*most = c;
}

static void look_sensors(const struct vital *v, bool drives, struct vital_counts *to)
{
	for (uint32_t i = 0; i < v->sensors_count; i++) {
		const struct vital_sensor *s = &v->sensors[i];
		uint64_t value;
		if ((!s->drive || drives) && sysroot_u64(v->root, &value, "%s", s->path) == 0)
			hotter(s->drive ? &to->drive_c : &to->cpu_c, value);
	}
}

void vital_look(const struct vital *v, bool drives, struct vital_counts *ret)
{
	char text[1024];

	memset(ret, 0xff, sizeof(*ret)); /* FACT_UNKNOWN */
	look_cpu(v, ret);
	look_pressure(v, ret);
	look_memory(v, ret);
	look_cpus(v, ret);
	look_sensors(v, drives, ret);
	if (*v->group && sysroot_text(v->root, text, sizeof(text), "%s", v->group) == 0)
		ret->group_throttled_us = number_after(text, "\nthrottled_usec ");
}

/* ---- tasks ---- */

int vital_task(const struct sysroot *root, pid_t pid, pid_t tid, struct vital_task *ret)
{
	struct vital_task t;
	char text[128];
	int rc = tid ? sysroot_text(root, text, sizeof(text), "/proc/%d/task/%d/schedstat",
			       (int)pid, (int)tid)
		     : sysroot_text(root, text, sizeof(text), "/proc/%d/schedstat", (int)pid);

	if (rc < 0)
		return rc;
	if (sscanf(text, "%" SCNu64 " %" SCNu64, &t.run_ns, &t.wait_ns) != 2)
		return -EINVAL;
	*ret = t;
	return 0;
}

int vital_io(const struct sysroot *root, pid_t pid, struct vital_io *ret)
{
	char text[512];
	int rc = pid ? sysroot_text(root, text, sizeof(text), "/proc/%d/io", (int)pid)
		     : sysroot_text(root, text, sizeof(text), "/proc/self/io");

	if (rc < 0)
		return rc;
	uint64_t got = number_after(text, "\nread_bytes: ");
	uint64_t put = number_after(text, "\nwrite_bytes: ");
	if (got == FACT_UNKNOWN || put == FACT_UNKNOWN)
		return -EINVAL;
	*ret = (struct vital_io){.read_bytes = got, .written_bytes = put};
	return 0;
}
