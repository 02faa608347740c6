/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/ata.h"

#include "base/arena.h"
#include "base/bits.h"
#include "base/json_read.h"
#include "base/scope.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
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
	COUNT_FACT(struct ata_facts, over_limit_count),
	COUNT_FACT(struct ata_facts, host_written_bytes),
	COUNT_FACT(struct ata_facts, media_written_bytes),
	COUNT_FACT(struct ata_facts, host_step_bytes),
	COUNT_FACT(struct ata_facts, media_step_bytes),
	COUNT_FACT(struct ata_facts, host_pages),
	COUNT_FACT(struct ata_facts, own_pages),
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

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

/* Names of smartmontools' drivedb.h that say what is counted and in which unit.  Left out:
 * those in GB (of 1000 or of 1024?), and those that name no unit.  Whether a model keeps to
 * what its name says is seen from the growth during a run, against the kernel's count
 * (run/observe_drives.h). */
static const struct written {
	const char *name;
	uint64_t step;
	size_t bytes, step_at; /* members */
} written[] = {
#define HOST(n, u)                                                                             \
	{                                                                                      \
		n, u, offsetof(struct ata_facts, host_written_bytes),                          \
			offsetof(struct ata_facts, host_step_bytes)                            \
	}
#define MEDIA(n, u)                                                                            \
	{                                                                                      \
		n, u, offsetof(struct ata_facts, media_written_bytes),                         \
			offsetof(struct ata_facts, media_step_bytes)                           \
	}
	HOST("Total_LBAs_Written", 512),
	HOST("Host_Writes_MiB", MIB),
	HOST("Host_Writes_32MiB", 32 * MIB),
	HOST("Host_Writes_GiB", GIB),
	HOST("Lifetime_Writes_GiB", GIB),
	HOST("Total_Writes_GiB", GIB),
	MEDIA("NAND_Writes_32MiB", 32 * MIB),
	MEDIA("Flash_Writes_32MiB", 32 * MIB),
	MEDIA("NAND_Writes_GiB", GIB),
	MEDIA("NAND_Writes_1GiB", GIB),
	MEDIA("Flash_Writes_GiB", GIB),
	MEDIA("Total_NAND_Writes_GiB", GIB),
	MEDIA("Total_NAND_Prog_Ct_GiB", GIB),
	MEDIA("Lifetime_NAND_Prg_GiB", GIB),
};

static uint64_t *member(struct ata_facts *f, size_t at)
{
	return (uint64_t *)(void *)((char *)f + at);
}

/* Of two that count the same the finer one. */
static void take_written(struct ata_facts *f, const char *name, uint64_t raw)
{
	for (size_t i = 0; i < COUNT_OF(written); i++) {
		const struct written *w = &written[i];
		uint64_t *step = member(f, w->step_at);
		if (strcmp(name, w->name) != 0 || *step <= w->step ||
			raw > (UINT64_MAX - 1) / w->step)
			continue;
		*step = w->step;
		*member(f, w->bytes) = raw * w->step;
	}
	if (strcmp(name, "Host_Program_Page_Count") == 0)
		f->host_pages = raw;
	if (strcmp(name, "FTL_Program_Page_Count") == 0 ||
		strcmp(name, "Bckgnd_Program_Page_Cnt") == 0)
		f->own_pages = raw;
}

/* Names of models that aren't in the database are guesses. */
static bool is_known_model(const struct json_value *doc)
{
	const struct json_value *known = json_get(doc, "in_smartctl_database");

	return known && known->kind == JSON_BOOL && known->is_true;
}

static void read_attributes(const struct json_value *doc, struct ata_facts *f)
{
	const struct json_value *table = at(doc, "ata_smart_attributes", "table", NULL);
	bool named = is_known_model(doc);

	for (const struct json_value *v = table ? table->first : NULL; v; v = v->next) {
		const struct json_value *name = json_get(v, "name");
		uint64_t raw = count(at(v, "raw", "value", NULL));
		if (named && raw != FACT_UNKNOWN && name && name->kind == JSON_STRING)
			take_written(f, name->text, raw);
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

/* "Device is in STANDBY mode, exit(2)", "/dev/sda: Permission denied". */
static const char *why(struct arena *a, const struct json_value *doc)
{
	const struct json_value *list = at(doc, "smartctl", "messages", NULL);
	const char *said = NULL;

	for (const struct json_value *v = list ? list->first : NULL; v; v = v->next) {
		const char *text = words(a, json_get(v, "string"));
		if (text && (strstr(text, "STANDBY") || strstr(text, "SLEEP")))
			return "it sleeps, and was left asleep";
		if (text && strstr(text, "INVALID ARGUMENT TO -n"))
			return "smartctl before 7.3 would wake it if it slept: it wasn't asked";
		said = said ? said : text;
	}
	if (json_get(doc, "power_mode") && !said)
		return "it sleeps, and was left asleep";
	return said ? arena_printf(a, "smartctl: %s", said) : "smartctl gets no answer";
}

/* Of an answer: a disk that sleeps, or that isn't ATA, has a model at most. */
static bool told_anything(const struct ata_facts *f)
{
	struct ata_facts less = *f;

	less.model = less.serial = less.firmware = NULL;
	less.link_speed = less.link_speed_possible = NULL;
	less.rotation_per_minute = FACT_UNKNOWN;
	return facts_any(&ata_table, &less);
}

int ata_decode(struct arena *a, const char *text, struct ata_facts *ret, const char **ret_why)
{
	scope_with(arena_done) struct arena tree = {0};
	const struct json_value *doc;
	struct ata_facts f;
	size_t offset = 0;

	*ret_why = "smartctl gets no answer";
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
	f.over_limit_count = count(at(doc, "ata_sct_status", "temperature",
		"over_limit_count"));
	f.power_on_hours = count(at(doc, "power_on_time", "hours", NULL));
	f.power_cycles = count(json_get(doc, "power_cycle_count"));
	read_attributes(doc, &f);
	if (!told_anything(&f)) {
		*ret_why = why(a, doc);
		return -EINVAL;
	}
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

static bool only_roots(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && st.st_uid == 0 && !(st.st_mode & S_IWOTH);
}

/* Root runs nothing that somebody else could have put there: it isn't a command that was typed.
 */
static bool may_run(char *path)
{
	if (access(path, X_OK) < 0)
		return false;
	if (geteuid() != 0)
		return true;
	char *slash = strrchr(path, '/');
	if (!only_roots(path))
		return false;
	*slash = '\0';
	bool fits = only_roots(*path ? path : "/");
	*slash = '/';
	return fits;
}

/* Where it is: of the user's PATH, or where an ordinary user's doesn't lead. */
static int find_program(char path[PATH_MAX])
{
	const char *list = secure_getenv("PATH");
	const char *const all[] = {
		list ? list : "", "/usr/sbin:/usr/local/sbin:/sbin:/usr/bin"};

	for (size_t i = 0; i < COUNT_OF(all); i++)
		for (const char *one = all[i]; *one;) {
			size_t len = strcspn(one, ":");
			int n = snprintf(path, PATH_MAX, "%.*s/smartctl", (int)len, one);
			if (*one == '/' && n < PATH_MAX && may_run(path))
				return 0;
			one += len + (one[len] == ':');
		}
	return -ENOENT;
}

/* With a second status it leaves a disk alone that can't be asked whether it sleeps.  Versions
 * that don't know of that (before 7.3: and those don't ask what is SCSI) refuse the word
 * before they open the disk. */
static const char *const nocheck[] = {
	[ATA_SURE] = "--nocheck=standby",
	[ATA_MAYBE] = "--nocheck=standby,2,2",
};

static void become_smartctl(const char *program, const char *device, enum ata_kind kind, int to,
	pid_t asks)
{
	char *const argv[] = {"smartctl", "--json=c", (char *)(uintptr_t)nocheck[kind], "-i",
		"-H", "-A", "-l", "scttempsts", (char *)(uintptr_t)device, NULL};
	char *const env[] = {
		"PATH=/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/sbin", "LC_ALL=C", NULL};
	/* Above the three: who asks has none of them (sys/apart.c), so TO may be one. */
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int none = fcntl(null, F_DUPFD_CLOEXEC, 3), out = fcntl(to, F_DUPFD_CLOEXEC, 3);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_DFL);
	if (getppid() == asks && dup2(out, STDOUT_FILENO) >= 0 &&
		dup2(none, STDIN_FILENO) >= 0 && dup2(none, STDERR_FILENO) >= 0)
		execve(program, argv, env);
	_exit(127);
}

int ata_ask(const char *path, enum ata_kind kind, char *text)
{
	char program[PATH_MAX];
	int ends[2];
	int rc = find_program(program);

	if (rc < 0)
		return rc;
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	pid_t asks = getpid(), pid = fork();
	if (pid == 0)
		become_smartctl(program, path, kind, ends[1], asks);
	rc = pid < 0 ? -errno : 0;
	close(ends[1]);
	if (rc == 0)
		read_all(ends[0], text);
	close(ends[0]); /* before the wait: one that says too much gets SIGPIPE */
	if (rc < 0)
		return rc;
	/* Its status has bits for what ails the disk: the text says it. */
	waitpid(pid, NULL, 0);
	return *text ? 0 : -EIO;
}
