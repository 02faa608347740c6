/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/host.h"

#include "base/bits.h"
#include "base/str.h"
#include "sys/survey.h"
#include "sys/sysroot.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct fact host_rows[] = {
	SECRET_FACT(struct host_facts, host_name),
	TEXT_FACT(struct host_facts, kernel_release),
	TEXT_FACT(struct host_facts, kernel_version),
	TEXT_FACT(struct host_facts, command_line),
	TEXT_FACT(struct host_facts, mitigations),
	TEXT_FACT(struct host_facts, kernel_debug),
	TEXT_FACT(struct host_facts, vendor),
	TEXT_FACT(struct host_facts, product),
	TEXT_FACT(struct host_facts, virtual_machine),
	TEXT_FACT(struct host_facts, container),
	TEXT_FACT(struct host_facts, clock_source),
	TEXT_FACT(struct host_facts, clock_sources),
	COUNT_FACT(struct host_facts, uptime_s),
};

FACT_TABLE(host_table, host_rows);

/* ---- what slows a kernel down, or the CPU ---- */

#define VULNERABILITIES "/sys/devices/system/cpu/vulnerabilities"

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_name(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static const char *find_mitigations(struct survey *s)
{
	struct dirent **names = NULL;
	struct str out = {0};
	char folder[512];

	snprintf(folder, sizeof(folder), "%s" VULNERABILITIES, s->root->prefix);
	int n = scandir(folder, &names, is_name, by_name);
	for (int i = 0; i < n; i++) {
		char text[512];
		if (sysroot_text(s->root, text, sizeof(text), VULNERABILITIES "/%s",
			    names[i]->d_name) == 0 &&
			!str_starts(text, "Not affected"))
			str_addf(&out, "%s%s: %s", out.len ? "; " : "", names[i]->d_name, text);
		free(names[i]);
	}
	free(names);
	const char *found = out.len ? survey_copy(s, str_text(&out)) : NULL;
	str_done(&out);
	return found;
}

static const char *find_debug(struct survey *s, const char *release, const char *version)
{
	static const struct {
		const char *path, *name;
	} marks[] = {
		{"/proc/lockdep", "lockdep"},
		{"/proc/lock_stat", "lock statistics"},
		{"/sys/kernel/debug/kmemleak", "kmemleak"},
		{"/sys/kernel/debug/fail_page_alloc", "fault injection"},
		{"/sys/module/kasan", "kasan"},
		{"/proc/sys/kernel/kcsan", "kcsan"},
	};
	struct str out = {0};

	for (size_t i = 0; i < COUNT_OF(marks); i++)
		if (sysroot_has(s->root, "%s", marks[i].path))
			str_addf(&out, "%s%s", out.len ? ", " : "", marks[i].name);
	if ((release && strstr(release, "debug")) || (version && strstr(version, "DEBUG")))
		str_addf(&out, "%sa debug build", out.len ? ", " : "");
	const char *found = out.len ? survey_copy(s, str_text(&out)) : NULL;
	str_done(&out);
	return found;
}

/* ---- inside what ---- */

static const char *find_virtual_machine(struct survey *s, const struct host_facts *h)
{
	static const struct {
		const char *in, *name;
	} vendors[] = {
		{"QEMU", "qemu"},
		{"KVM", "kvm"},
		{"Amazon EC2", "amazon"},
		{"Google Compute", "google"},
		{"VMware", "vmware"},
		{"VirtualBox", "virtualbox"},
		{"Xen", "xen"},
		{"Virtual Machine", "microsoft"},
		{"OpenStack", "openstack"},
		{"Parallels", "parallels"},
		{"Firecracker", "firecracker"},
	};
	const char *type = survey_text(s, "/sys/hypervisor/type");
	char text[8192];

	if (type)
		return type;
	for (size_t i = 0; i < COUNT_OF(vendors); i++)
		if ((h->vendor && strstr(h->vendor, vendors[i].in)) ||
			(h->product && strstr(h->product, vendors[i].in)))
			return vendors[i].name;
	if (h->clock_sources && strstr(h->clock_sources, "kvm-clock"))
		return "kvm";
	if (h->clock_sources && strstr(h->clock_sources, "hyperv"))
		return "microsoft";
	/* The first CPU's flags; the file is long on a big machine. */
	if (sysroot_text(s->root, text, sizeof(text), "/proc/cpuinfo") == 0) {
		const char *flags = strstr(text, "\nflags");
		const char *end = flags ? strchr(flags + 1, '\n') : NULL;
		const char *mark = flags ? strstr(flags, " hypervisor") : NULL;
		if (mark && (!end || mark < end))
			return "yes";
	}
	return NULL;
}

static const char *find_container(struct survey *s)
{
	static const struct {
		const char *in, *name;
	} groups[] = {
		{"/docker", "docker"},
		{"/kubepods", "kubernetes"},
		{"/lxc", "lxc"},
		{"libpod", "podman"},
		{"/machine.slice/machine-", "systemd-nspawn"},
		{"/garden/", "garden"},
	};
	char text[4096];

	if (sysroot_has(s->root, "/.dockerenv"))
		return "docker";
	if (sysroot_has(s->root, "/run/.containerenv"))
		return "podman";
	const char *told = survey_text(s, "/run/systemd/container");
	if (told)
		return told;
	if (sysroot_text(s->root, text, sizeof(text), "/proc/self/cgroup") < 0)
		return NULL;
	for (size_t i = 0; i < COUNT_OF(groups); i++)
		if (strstr(text, groups[i].in))
			return groups[i].name;
	return NULL;
}

void host_find(struct survey *s, struct host_facts *ret)
{
	struct host_facts h;

	facts_forget(&host_table, &h);
	h.host_name = survey_text(s, "/proc/sys/kernel/hostname");
	h.kernel_release = survey_text(s, "/proc/sys/kernel/osrelease");
	h.kernel_version = survey_text(s, "/proc/sys/kernel/version");
	h.command_line = survey_text(s, "/proc/cmdline");
	h.mitigations = find_mitigations(s);
	h.kernel_debug = find_debug(s, h.kernel_release, h.kernel_version);
	h.vendor = survey_text(s, "/sys/class/dmi/id/sys_vendor");
	h.product = survey_text(s, "/sys/class/dmi/id/product_name");
	h.clock_source = survey_text(s, "%s",
		"/sys/devices/system/clocksource/clocksource0/current_clocksource");
	h.clock_sources = survey_text(s, "%s",
		"/sys/devices/system/clocksource/clocksource0/available_clocksource");
	h.virtual_machine = find_virtual_machine(s, &h);
	h.container = find_container(s);
	h.uptime_s = survey_count(s, "/proc/uptime");
	*ret = h;
}

/* ---- memory ---- */

static const struct fact memory_rows[] = {
	COUNT_FACT(struct memory_facts, total_bytes),
	COUNT_FACT(struct memory_facts, available_bytes),
	COUNT_FACT(struct memory_facts, swap_bytes),
	COUNT_FACT(struct memory_facts, swap_used_bytes),
	COUNT_FACT(struct memory_facts, dirty_bytes),
	COUNT_FACT(struct memory_facts, writeback_bytes),
	COUNT_FACT(struct memory_facts, dirty_ratio_percent),
	COUNT_FACT(struct memory_facts, dirty_background_ratio_percent),
	COUNT_FACT(struct memory_facts, dirty_limit_bytes),
	COUNT_FACT(struct memory_facts, dirty_background_bytes),
	COUNT_FACT(struct memory_facts, swappiness),
	COUNT_FACT(struct memory_facts, huge_page_bytes),
	COUNT_FACT(struct memory_facts, huge_pages),
	COUNT_FACT(struct memory_facts, huge_pages_free),
	TEXT_FACT(struct memory_facts, transparent_huge_pages),
};

FACT_TABLE(memory_table, memory_rows);

static uint64_t kib(const char *text, const char *key)
{
	uint64_t value = text ? survey_key(text, key) : FACT_UNKNOWN;
	return value > UINT64_MAX >> 10 ? FACT_UNKNOWN : value << 10;
}

void memory_find(struct survey *s, struct memory_facts *ret)
{
	const char *text = survey_load(s, "/proc/meminfo");
	struct memory_facts m;

	facts_forget(&memory_table, &m);
	m.total_bytes = kib(text, "MemTotal");
	m.available_bytes = kib(text, "MemAvailable");
	m.swap_bytes = kib(text, "SwapTotal");
	uint64_t swap_free = kib(text, "SwapFree");
	if (m.swap_bytes != FACT_UNKNOWN && swap_free <= m.swap_bytes)
		m.swap_used_bytes = m.swap_bytes - swap_free;
	m.dirty_bytes = kib(text, "Dirty");
	m.writeback_bytes = kib(text, "Writeback");
	m.dirty_ratio_percent = survey_count(s, "/proc/sys/vm/dirty_ratio");
	m.dirty_background_ratio_percent = survey_count(s,
		"/proc/sys/vm/dirty_background_ratio");
	m.dirty_limit_bytes = survey_count(s, "/proc/sys/vm/dirty_bytes");
	m.dirty_background_bytes = survey_count(s, "/proc/sys/vm/dirty_background_bytes");
	m.swappiness = survey_count(s, "/proc/sys/vm/swappiness");
	m.huge_page_bytes = kib(text, "Hugepagesize");
	m.huge_pages = text ? survey_key(text, "HugePages_Total") : FACT_UNKNOWN;
	m.huge_pages_free = text ? survey_key(text, "HugePages_Free") : FACT_UNKNOWN;
	m.transparent_huge_pages = survey_chosen(s,
		survey_text(s, "/sys/kernel/mm/transparent_hugepage/enabled"));
	*ret = m;
}

/* ---- load ---- */

static const struct fact load_rows[] = {
	REAL_FACT(struct load_facts, load_1min),
	COUNT_FACT(struct load_facts, runnable),
	REAL_FACT(struct load_facts, pressure_cpu_percent),
	REAL_FACT(struct load_facts, pressure_io_percent),
	REAL_FACT(struct load_facts, pressure_memory_percent),
	REAL_FACT(struct load_facts, steal_percent),
};

FACT_TABLE(load_table, load_rows);

static void pressure(struct survey *s, const char *of, double *ret)
{
	const char *text = survey_text(s, "/proc/pressure/%s", of);
	if (text)
		sscanf(text, "some avg10=%lf", ret);
}

/* "cpu  user nice system idle iowait irq softirq steal ...": guest time is in user. */
static void steal(struct survey *s, double *ret)
{
	const char *text = survey_text(s, "/proc/stat");
	uint64_t t[8], all = 0;

	if (!text || sscanf(text,
			     "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
			     " %" SCNu64 " %" SCNu64 " %" SCNu64,
			     &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]) != 8)
		return;
	for (size_t i = 0; i < COUNT_OF(t); i++)
		all += t[i];
	if (all)
		*ret = 100.0 * (double)t[7] / (double)all;
}

void load_find(struct survey *s, struct load_facts *ret)
{
	const char *text = survey_text(s, "/proc/loadavg");
	struct load_facts l;

	facts_forget(&load_table, &l);
	if (text)
		sscanf(text, "%lf %*s %*s %" SCNu64, &l.load_1min, &l.runnable);
	pressure(s, "cpu", &l.pressure_cpu_percent);
	pressure(s, "io", &l.pressure_io_percent);
	pressure(s, "memory", &l.pressure_memory_percent);
	steal(s, &l.steal_percent);
	*ret = l;
}

/* ---- limits ---- */

static const struct fact limit_rows[] = {
	COUNT_FACT(struct limit_facts, locked_memory_bytes),
	COUNT_FACT(struct limit_facts, open_files),
	COUNT_FACT(struct limit_facts, processes),
	COUNT_FACT(struct limit_facts, aio_requests),
	COUNT_FACT(struct limit_facts, aio_requests_used),
	COUNT_FACT(struct limit_facts, process_numbers),
	COUNT_FACT(struct limit_facts, threads),
	COUNT_FACT(struct limit_facts, mappings),
	COUNT_FACT(struct limit_facts, io_uring_disabled),
};

FACT_TABLE(limit_table, limit_rows);

void limit_find(struct survey *s, struct limit_facts *ret)
{
	const char *text = survey_load(s, "/proc/self/limits");
	struct limit_facts l;

	facts_forget(&limit_table, &l);
	if (text) {
		l.locked_memory_bytes = survey_key(text, "Max locked memory");
		l.open_files = survey_key(text, "Max open files");
		l.processes = survey_key(text, "Max processes");
	}
	l.aio_requests = survey_count(s, "/proc/sys/fs/aio-max-nr");
	l.aio_requests_used = survey_count(s, "/proc/sys/fs/aio-nr");
	l.process_numbers = survey_count(s, "/proc/sys/kernel/pid_max");
	l.threads = survey_count(s, "/proc/sys/kernel/threads-max");
	l.mappings = survey_count(s, "/proc/sys/vm/max_map_count");
	l.io_uring_disabled = survey_count(s, "/proc/sys/kernel/io_uring_disabled");
	*ret = l;
}
