/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/ceiling.h"

#include "base/err.h"
#include "base/scope.h"
#include "base/str.h"
#include "result/import.h"
#include "result/result.h"
#include "sys/sysroot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEY_MAX  512
#define TEXT_MAX 1024

/* "VERSION; KERNEL; CPU": of another one the figure says nothing. */
static void key_make(const char *version, char key[KEY_MAX])
{
	char text[2048] = "";
	struct utsname name = {0};

	(void)uname(&name);
	if (sysroot_text(&sysroot_real, text, sizeof(text), "/proc/cpuinfo") < 0)
		text[0] = '\0';
	const char *model = strstr(text, "model name");
	model = model ? model : strstr(text, "CPU part"); /* arm64 */
	model = model ? strchr(model, ':') : NULL;
	model = model ? model + 2 : "";
	snprintf(key, KEY_MAX, "%.60s; %.60s; %.*s", version, name.release,
		(int)strcspn(model, "\n"), model);
}

/* The folder that holds it, with MAKE made. */
static bool folder_of(char folder[PATH_MAX], bool make)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int len;

	if (cache && *cache == '/')
		len = snprintf(folder, PATH_MAX, "%s", cache);
	else if (home && *home == '/')
		len = snprintf(folder, PATH_MAX, "%s/.cache", home);
	else
		return false;
	if (len < 0 || len + 16 >= PATH_MAX)
		return false;
	if (make)
		mkdir(folder, 0700);
	snprintf(folder + len, 16, "/weir");
	if (make)
		mkdir(folder, 0700);
	return true;
}

/* Two lines: the key, the figure. */
double ceiling_known(const char *version)
{
	char folder[PATH_MAX], path[PATH_MAX + 16], text[TEXT_MAX], key[KEY_MAX];

	if (!folder_of(folder, false))
		return 0;
	snprintf(path, sizeof(path), "%s/ceiling", folder);
	scope_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	ssize_t len = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (len <= 0)
		return 0;
	text[len] = '\0';
	key_make(version, key);
	size_t keylen = strlen(key);
	double figure = 0;
	if (strncmp(text, key, keylen) != 0 || text[keylen] != '\n' ||
		sscanf(text + keylen, "%lf", &figure) != 1 || !(figure > 0))
		return 0;
	return figure;
}

static void keep(const char *version, double figure)
{
	char folder[PATH_MAX], path[PATH_MAX + 16], fresh[PATH_MAX + 16], key[KEY_MAX];

	if (!folder_of(folder, true))
		return;
	snprintf(path, sizeof(path), "%s/ceiling", folder);
	snprintf(fresh, sizeof(fresh), "%s/ceiling.XXXXXX", folder);
	int fd = mkstemp(fresh);
	if (fd < 0)
		return;
	key_make(version, key);
	bool written = dprintf(fd, "%s\n%.0f\n", key, figure) > 0;
	if (close(fd) < 0 || !written || rename(fresh, path) < 0)
		unlink(fresh);
}

static void run_it(int to)
{
	char *const words[] = {"weir", "run", "--env=none", "--output-format=json",
		"--name=ceiling", "--ioengine=null", "--rw=randread", "--bs=4k", "--size=1t",
		"--runtime=100ms", "--time_based", NULL};
	int nothing = open("/dev/null", O_RDWR);

	if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(to, STDOUT_FILENO) < 0 ||
		dup2(nothing, STDERR_FILENO) < 0)
		_exit(1);
	execv("/proc/self/exe", words);
	_exit(1);
}

/* By the CPU time that it got, so that other programs don't make it smaller. */
static double figure_of(const struct str *text)
{
	scope_with(import_done) struct import_list list = {0};
	struct err err;

	if (import_text("ceiling", str_text(text), text->len, &list, &err) < 0 || !list.count ||
		!list.results[0]->rows_count)
		return 0;
	const struct result_row *row = &list.results[0]->rows[0];
	double busy_ms = row->cpu.user_ms + row->cpu.system_ms;
	return busy_ms > 1 ? (double)row->dir[DIR_READ].ios * 1e3 / busy_ms : 0;
}

static double measure(void)
{
	scope_with(str_done) struct str text = {0};
	int ends[2], status = 1;
	char piece[4096];
	ssize_t got;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return 0;
	pid_t pid = fork();
	if (pid == 0)
		run_it(ends[1]);
	close(ends[1]);
	while (pid > 0 && ((got = read(ends[0], piece, sizeof(piece))) > 0 ||
				  (got < 0 && errno == EINTR)))
		if (got > 0)
			str_add_bytes(&text, piece, (size_t)got);
	close(ends[0]);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return pid > 0 && status == 0 && !text.failed ? figure_of(&text) : 0;
}

double ceiling_find(const char *version)
{
	double figure = ceiling_known(version);

	if (figure > 0)
		return figure;
	figure = measure();
	if (figure > 0)
		keep(version, figure);
	return figure;
}
