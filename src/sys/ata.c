/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/ata.h"

#include "base/arena.h"
#include "base/bits.h"
#include "base/json_read.h"
#include "base/scope.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct fact ata_rows[] = {
	TEXT_FACT(struct ata_facts, model),
	SECRET_FACT(struct ata_facts, serial),
	TEXT_FACT(struct ata_facts, firmware),
	TEXT_FACT(struct ata_facts, link_speed),
	TEXT_FACT(struct ata_facts, link_speed_possible),
	COUNT_FACT(struct ata_facts, rotation_per_minute),
	FLAG_FACT(struct ata_facts, passed),
	COUNT_FACT(struct ata_facts, temperature_c),
	COUNT_FACT(struct ata_facts, power_on_hours),
	COUNT_FACT(struct ata_facts, power_cycles),
	COUNT_FACT(struct ata_facts, reallocated_sectors),
	COUNT_FACT(struct ata_facts, pending_sectors),
	COUNT_FACT(struct ata_facts, uncorrectable_sectors),
	COUNT_FACT(struct ata_facts, link_errors),
};

FACT_TABLE(ata_table, ata_rows);

/* ---- its document ---- */

static const struct json_value *at(const struct json_value *v, const char *a, const char *b,
	const char *c)
{
	v = json_get(v, a);
	if (b)
		v = json_get(v, b);
	return c ? json_get(v, c) : v;
}

static uint64_t count(const struct json_value *v)
{
	return v && v->kind == JSON_NUMBER && v->is_whole && v->real >= 0 ? v->whole
									  : FACT_UNKNOWN;
}

static const char *words(struct arena *a, const struct json_value *v)
{
	return v && v->kind == JSON_STRING ? arena_text(a, v->text) : NULL;
}

static void read_attributes(const struct json_value *doc, struct ata_facts *f)
{
	const struct json_value *table = at(doc, "ata_smart_attributes", "table", NULL);

	for (const struct json_value *v = table ? table->first : NULL; v; v = v->next) {
		uint64_t raw = count(at(v, "raw", "value", NULL));
		switch (count(json_get(v, "id"))) {
		case 5:
			f->reallocated_sectors = raw;
			break;
		case 197:
			f->pending_sectors = raw;
			break;
		case 198:
			f->uncorrectable_sectors = raw;
			break;
		case 199:
			f->link_errors = raw;
			break;
		default:
			break;
		}
	}
}

int ata_decode(struct arena *a, const char *text, struct ata_facts *ret)
{
	scope_with(arena_done) struct arena tree = {0};
	const struct json_value *doc;
	struct ata_facts f;
	size_t offset = 0;

	if (json_read(&tree, text, strlen(text), &offset, &doc, NULL) < 0)
		return -EINVAL;
	facts_forget(&ata_table, &f);
	f.model = words(a, json_get(doc, "model_name"));
	f.serial = words(a, json_get(doc, "serial_number"));
	f.firmware = words(a, json_get(doc, "firmware_version"));
	f.link_speed = words(a, at(doc, "interface_speed", "current", "string"));
	f.link_speed_possible = words(a, at(doc, "interface_speed", "max", "string"));
	f.rotation_per_minute = count(json_get(doc, "rotation_rate"));
	const struct json_value *passed = at(doc, "smart_status", "passed", NULL);
	if (passed && passed->kind == JSON_BOOL)
		f.passed = passed->is_true;
	f.temperature_c = count(at(doc, "temperature", "current", NULL));
	f.power_on_hours = count(at(doc, "power_on_time", "hours", NULL));
	f.power_cycles = count(json_get(doc, "power_cycle_count"));
	read_attributes(doc, &f);
	if (!facts_any(&ata_table, &f))
		return -EINVAL;
	*ret = f;
	return 0;
}

/* ---- asking ---- */

static void read_all(int fd, char *text)
{
	size_t len = 0;
	while (len < ATA_TEXT - 1) {
		ssize_t n = read(fd, text + len, ATA_TEXT - 1 - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		len += (size_t)n;
	}
	text[len] = '\0';
}

int ata_ask(const char *path, char *text)
{
	char *const argv[] = {"smartctl", "--json=c", "--nocheck=standby", "-i", "-H", "-A",
		(char *)(uintptr_t)path, NULL};
	char *const env[] = {
		"PATH=/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/sbin", "LC_ALL=C", NULL};
	static const char *const places[] = {"/usr/sbin/smartctl", "/usr/local/sbin/smartctl",
		"/usr/bin/smartctl", "/sbin/smartctl"};
	posix_spawn_file_actions_t actions;
	const char *program = NULL;
	int ends[2];
	pid_t pid;

	for (size_t i = 0; i < COUNT_OF(places) && !program; i++)
		if (access(places[i], X_OK) == 0)
			program = places[i];
	if (!program)
		return -ENOENT;
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	scope_fd int from = ends[0];
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	int rc = posix_spawn(&pid, program, &actions, NULL, argv, env);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (rc)
		return -rc;
	read_all(from, text);
	waitpid(pid, NULL,
		0); /* its status has bits for what ails the disk: the text says it */
	return *text ? 0 : -EIO;
}
