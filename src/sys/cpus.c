/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "base/bits.h"
#include "base/str.h"
#include "sys/host.h"
#include "sys/survey.h"
#include "sys/sysroot.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#define CPU          "/sys/devices/system/cpu"
#define POLICIES_MAX 256 /* that are looked at */
#define STATES_MAX   16

static const struct fact cpu_rows[] = {
	TEXT_FACT(struct cpu_facts, model),
	COUNT_FACT(struct cpu_facts, online),
	COUNT_FACT(struct cpu_facts, present),
	TEXT_FACT(struct cpu_facts, allowed),
	TEXT_FACT(struct cpu_facts, smt),
	TEXT_FACT(struct cpu_facts, governor),
	TEXT_FACT(struct cpu_facts, frequency_driver),
	TEXT_FACT(struct cpu_facts, energy_preference),
	COUNT_FACT(struct cpu_facts, frequency_min_khz),
	COUNT_FACT(struct cpu_facts, frequency_max_khz),
	FLAG_FACT(struct cpu_facts, boost),
	TEXT_FACT(struct cpu_facts, idle_driver),
	TEXT_FACT(struct cpu_facts, idle_governor),
	TEXT_FACT(struct cpu_facts, idle_states),
	COUNT_FACT(struct cpu_facts, idle_latency_max_us),
	COUNT_FACT(struct cpu_facts, numa_nodes),
	TEXT_FACT(struct cpu_facts, isolated),
};

FACT_TABLE(cpu_table, cpu_rows);

/* How many numbers are in "0-3,8,10-11"; unknown when it is none. */
static uint64_t list_count(const char *list)
{
	uint64_t count = 0;
	unsigned from, to;
	int used;

	for (const char *at = list; at && *at; at += *at == ',') {
		if (sscanf(at, "%u%n", &from, &used) != 1)
			return FACT_UNKNOWN;
		at += used;
		to = from;
		if (*at == '-') {
			if (sscanf(at, "-%u%n", &to, &used) != 1 || to < from)
				return FACT_UNKNOWN;
			at += used;
		}
		count += to - from + 1;
	}
	return list ? count : FACT_UNKNOWN;
}

/* "model name : AMD ..." of the first CPU; arm64 has no name, but two numbers: who
 * designed it, and which of its CPUs it is. */
static const char *find_model(struct survey *s)
{
	static const char *const keys[] = {"model name", "cpu model", "uarch"};
	char text[2048];
	unsigned implementer, part;

	if (sysroot_text(s->root, text, sizeof(text), "/proc/cpuinfo") < 0)
		return NULL;
	for (size_t i = 0; i < COUNT_OF(keys); i++) {
		const char *line = strstr(text, keys[i]);
		const char *value = line ? strchr(line, ':') : NULL;
		if (value)
			return survey_printf(s, "%.*s", (int)strcspn(value + 1, "\n") - 1,
				value + 2);
	}
	const char *who = strstr(text, "CPU implementer"), *which = strstr(text, "CPU part");
	if (who && which && sscanf(who, "CPU implementer : %x", &implementer) == 1 &&
		sscanf(which, "CPU part : %x", &part) == 1)
		return survey_printf(s, "implementer 0x%02x part 0x%03x", implementer, part);
	return NULL;
}

/* ---- frequency ---- */

static void add_word(struct str *list, const char *word)
{
	for (const char *at = str_text(list); word && (at = strstr(at, word)); at++)
		return;
	if (word)
		str_addf(list, "%s%s", list->len ? ", " : "", word);
}

static void find_policies(struct survey *s, struct cpu_facts *c)
{
	struct str governors = {0};
	DIR *dir = sysroot_dir(s->root, CPU "/cpufreq");
	const char *name;
	unsigned seen = 0;

	while (dir && seen < POLICIES_MAX && (name = sysroot_next(dir))) {
		char governor[64];
		if (!str_starts(name, "policy") ||
			sysroot_text(s->root, governor, sizeof(governor),
				CPU "/cpufreq/%s/scaling_governor", name) < 0)
			continue;
		add_word(&governors, governor);
		if (seen++)
			continue;
		c->frequency_driver = survey_text(s, CPU "/cpufreq/%s/scaling_driver", name);
		c->energy_preference = survey_text(s,
			CPU "/cpufreq/%s/energy_performance_preference", name);
		c->frequency_min_khz = survey_count(s, CPU "/cpufreq/%s/scaling_min_freq",
			name);
		c->frequency_max_khz = survey_count(s, CPU "/cpufreq/%s/scaling_max_freq",
			name);
	}
	if (dir)
		closedir(dir);
	if (governors.len)
		c->governor = survey_copy(s, str_text(&governors));
	str_done(&governors);
	c->boost = survey_count(s, CPU "/cpufreq/boost");
	uint64_t no_turbo = survey_count(s, CPU "/intel_pstate/no_turbo");
	if (no_turbo != FACT_UNKNOWN)
		c->boost = !no_turbo;
}

/* ---- idle states ---- */

static void find_idle(struct survey *s, struct cpu_facts *c)
{
	struct str states = {0};

	c->idle_driver = survey_text(s, CPU "/cpuidle/current_driver");
	c->idle_governor = survey_text(s, CPU "/cpuidle/current_governor");
	for (unsigned i = 0; i < STATES_MAX; i++) {
		const char *name = survey_text(s, CPU "/cpu0/cpuidle/state%u/name", i);
		if (!name)
			break;
		bool off = survey_count(s, CPU "/cpu0/cpuidle/state%u/disable", i) == 1;
		uint64_t us = survey_count(s, CPU "/cpu0/cpuidle/state%u/latency", i);
		str_addf(&states, "%s%s%s", states.len ? " " : "", name, off ? "(off)" : "");
		if (!off && us != FACT_UNKNOWN &&
			(c->idle_latency_max_us == FACT_UNKNOWN || us > c->idle_latency_max_us))
			c->idle_latency_max_us = us;
	}
	if (states.len)
		c->idle_states = survey_copy(s, str_text(&states));
	str_done(&states);
}

static const char *find_allowed(struct survey *s)
{
	const char *text = survey_load(s, "/proc/self/status");
	const char *line = text ? strstr(text, "Cpus_allowed_list:") : NULL;
	if (!line)
		return NULL;
	line += strlen("Cpus_allowed_list:");
	line += strspn(line, " \t");
	return survey_printf(s, "%.*s", (int)strcspn(line, "\n"), line);
}

void cpu_find(struct survey *s, struct cpu_facts *ret)
{
	struct cpu_facts c;

	facts_forget(&cpu_table, &c);
	c.model = find_model(s);
	c.online = list_count(survey_text(s, CPU "/online"));
	c.present = list_count(survey_text(s, CPU "/present"));
	c.allowed = find_allowed(s);
	c.smt = survey_text(s, CPU "/smt/control");
	find_policies(s, &c);
	find_idle(s, &c);
	c.numa_nodes = list_count(survey_text(s, "/sys/devices/system/node/online"));
	c.isolated = survey_text(s, CPU "/isolated");
	*ret = c;
}
