/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/courier.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/log.h"
#include "base/scope.h"
#include "sys/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define COURIER_BUSY  (256u << 10) /* bytes that wait: news can wait, too          */
#define COURIER_MODE  0644
#define COURIER_SLICE 100   /* ms between looks at the stop flag */
#define COURIER_LAST  10000 /* ms for closing the file           */

/* Before each text, and the answer to it. */
struct courier_head {
	uint64_t bytes;
};
struct courier_answer {
	int32_t error; /* positive errno, 0: it is written */
};

/* ---- the process ---- */

static void courier_signals(void)
{
	static const int ignored[] = {
		SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGPIPE};
	for (size_t i = 0; i < COUNT_OF(ignored); i++)
		signal(ignored[i], SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
}

/* All of LEN bytes from the socket; false at its end. */
static bool courier_receive(int fd, void *to, size_t len)
{
	for (size_t have = 0; have < len;) {
		ssize_t n = read(fd, (char *)to + have, len - have);
		if (n == 0 || (n < 0 && errno != EINTR))
			return false;
		have += n > 0 ? (size_t)n : 0;
	}
	return true;
}

/* 0 or positive errno; *RET_WRITTEN in any case. */
static int courier_write(int fd, const char *text, size_t len, size_t *ret_written)
{
	size_t done = 0;
	int error = 0;

	while (done < len && !error) {
		ssize_t n = write(fd, text + done, len - done);
		if (n >= 0)
			done += (size_t)n;
		else if (errno == EAGAIN) /* a parent made the pipe non-blocking */
			poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
		else if (errno != EINTR)
			error = errno;
	}
	*ret_written = done;
	return error;
}

static int courier_add(const struct courier *c, int *file, const char *text, size_t len)
{
	size_t written;

	if (*file < 0)
		*file = open(c->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (*file < 0)
		return errno;
	int error = courier_write(*file, text, len, &written);
	if (error && written) { /* a file gives the beginning of it back */
		off_t end = lseek(*file, 0, SEEK_CUR);
		if (end >= (off_t)written && ftruncate(*file, end - (off_t)written) < 0)
			return error;
	}
	return error;
}

static int courier_replace(const struct courier *c, const char *text, size_t len)
{
	scope_with(str_done) struct str name = {0};
	size_t written;

	str_addf(&name, "%s.%d.tmp", c->path, (int)getpid());
	if (name.failed)
		return ENOMEM;
	int fd = open(name.text, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
		COURIER_MODE);
	if (fd < 0)
		return errno;
	int error = courier_write(fd, text, len, &written);
	if (close(fd) < 0 && !error)
		error = errno;
	if (!error && rename(name.text, c->path) < 0)
		error = errno;
	if (error)
		unlink(name.text);
	return error;
}

/* One text; false when there are no more. */
static bool courier_serve(const struct courier *c, int socket, int *file)
{
	struct courier_head head;

	if (!courier_receive(socket, &head, sizeof(head)))
		return false;
	scope_mem char *text = malloc(head.bytes + 1);
	int error = ENOMEM;
	if (text && !courier_receive(socket, text, head.bytes))
		return false; /* weir was killed while it gave it to us */
	if (text)
		error = c->kind == COURIER_ADD ? courier_add(c, file, text, head.bytes)
					       : courier_replace(c, text, head.bytes);
	struct courier_answer answer = {error};
	(void)!write(socket, &answer, sizeof(answer)); /* nobody may be there any more */
	/* A text that is missing in the middle would be a lie. */
	return !error || (c->kind == COURIER_REPLACE && text);
}

static void courier_main(struct courier *c, int socket)
{
	int file = c->file;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	courier_signals();
	if (file >= 0 && file <= STDERR_FILENO)
		file = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	/* Whoever waits for the end of weir's streams must not wait for us. */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO && null >= 0; fd++)
		dup2(null, fd);
	while (courier_serve(c, socket, &file))
		;
	if (file >= 0 && close(file) < 0)
		(void)!write(socket, &(struct courier_answer){errno},
			sizeof(struct courier_answer));
	_exit(0);
}

/* ---- opening ---- */

static const char *courier_flag(const struct courier *c)
{
	return c->kind == COURIER_ADD ? "--stream" : "--metrics-file";
}

/* Can a file be made beside PATH? */
static int courier_try_beside(struct courier *c, struct err *reterr)
{
	scope_with(str_done) struct str name = {0};
	struct stat st;

	if (stat(c->path, &st) == 0 && !S_ISREG(st.st_mode))
		return err_set(reterr, -EINVAL,
			"--metrics-file: %s is no regular file, and would be replaced by one",
			c->path);
	str_addf(&name, "%s.%d.tmp", c->path, (int)getpid());
	int fd = open(str_text(&name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, COURIER_MODE);
	if (fd < 0)
		return err_sys(reterr, -errno, "--metrics-file: %s", str_text(&name));
	close(fd);
	unlink(str_text(&name));
	return 0;
}

static int courier_open_file(struct courier *c, struct err *reterr)
{
	struct stat st;

	if (strcmp(c->path, "-") == 0) {
		c->file = STDOUT_FILENO;
		c->patient = fstat(c->file, &st) == 0 && !S_ISREG(st.st_mode);
		return 0;
	}
	bool there = stat(c->path, &st) == 0;
	if (there && S_ISBLK(st.st_mode))
		return err_set(reterr, -ENOTBLK, "--stream: %s is a block device, not a file",
			c->path);
	c->patient = there && S_ISCHR(st.st_mode);
	c->fifo = there && S_ISFIFO(st.st_mode);
	if (c->fifo)
		return 0; /* opening waits for its reader: the process does that */
	c->file = open(c->path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, COURIER_MODE);
	return c->file < 0 ? err_sys(reterr, -errno, "--stream: %s", c->path) : 0;
}

int courier_open(struct courier *c, enum courier_kind kind, const char *path,
	struct err *reterr)
{
	*c = (struct courier){.kind = kind, .file = -1, .socket = -1};
	if (!path)
		return 0;
	if (!*path)
		return err_set(reterr, -EINVAL, "%s: the name of the file is missing",
			kind == COURIER_ADD ? "--stream" : "--metrics-file");
	c->path = path;
	return kind == COURIER_ADD ? courier_open_file(c, reterr)
				   : courier_try_beside(c, reterr);
}

bool courier_is(const struct courier *c, dev_t dev, ino_t inode)
{
	struct stat st;

	if (!c->path)
		return false;
	int rc = c->file >= 0 ? fstat(c->file, &st) : stat(c->path, &st);
	return rc == 0 && S_ISREG(st.st_mode) && st.st_dev == dev && st.st_ino == inode;
}

int courier_start(struct courier *c, struct err *reterr)
{
	int pair[2];

	if (!c->path)
		return 0;
	if (c->file > STDERR_FILENO && ftruncate(c->file, 0) < 0 && errno != EINVAL)
		return err_sys(reterr, -errno, "%s: %s", courier_flag(c), c->path);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return err_sys(reterr, -errno, "%s", courier_flag(c));
	fflush(NULL);
	c->pid = fork();
	if (c->pid == 0) {
		close(pair[0]);
		courier_main(c, pair[1]);
	}
	int code = errno;
	close(pair[1]);
	if (c->pid < 0) {
		close(pair[0]);
		return err_sys(reterr, -code, "%s: can't start its writer", courier_flag(c));
	}
	if (c->file > STDERR_FILENO)
		close(c->file);
	c->file = -1;
	c->socket = pair[0];
	fcntl(c->socket, F_SETFL, O_NONBLOCK);
	return 0;
}

/* ---- sending ---- */

static void courier_over(struct courier *c, int error)
{
	if (c->socket >= 0)
		close(c->socket);
	c->socket = -1;
	if (error)
		c->error = error;
	str_done(&c->queue);
	c->queue = (struct str){0};
	c->begun = 0;
}

/* What the process said. */
static void courier_hear(struct courier *c)
{
	struct courier_answer answer;

	while (c->socket >= 0) {
		ssize_t n = recv(c->socket, &answer, sizeof(answer), 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n != (ssize_t)sizeof(answer)) {
			c->killed = true;
			courier_over(c, ECHILD);
			return;
		}
		c->done++;
		c->patient |= c->fifo; /* it has a reader */
		c->error = answer.error;
		if (answer.error && c->kind == COURIER_ADD)
			courier_over(c, answer.error);
	}
}

/* Into the socket, as much as it takes. */
static void courier_push(struct courier *c)
{
	while (c->socket >= 0 && c->begun < c->queue.len) {
		ssize_t n = send(c->socket, c->queue.text + c->begun, c->queue.len - c->begun,
			MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break; /* full; or gone, which courier_hear() finds out */
		c->begun += (size_t)n;
	}
	if (c->begun == c->queue.len) {
		str_reset(&c->queue);
		c->begun = 0;
	}
}

bool courier_works(const struct courier *c)
{
	return c->path && c->socket >= 0;
}

bool courier_busy(struct courier *c)
{
	if (!courier_works(c))
		return true;
	courier_push(c);
	courier_hear(c);
	if (!courier_works(c))
		return true;
	return c->kind == COURIER_ADD ? c->queue.len - c->begun > COURIER_BUSY
				      : c->done < c->sent;
}

void courier_send(struct courier *c, const struct str *text)
{
	struct courier_head head = {text->len};

	if (!courier_works(c) || !text->len)
		return;
	str_add_bytes(&c->queue, (const char *)&head, sizeof(head));
	str_add_bytes(&c->queue, str_text(text), text->len);
	if (c->queue.failed || text->failed) {
		courier_over(c, ENOMEM);
		return;
	}
	c->sent++;
	courier_push(c);
	courier_hear(c);
}

/* ---- the end ---- */

void courier_end(struct courier *c, uint64_t patience_ns)
{
	int stops = log_stop_count;
	uint64_t moved_ns = clock_kernel_ns();
	uint64_t before = c->done;

	while (courier_works(c) && c->done < c->sent) {
		size_t begun = c->begun;
		courier_push(c);
		courier_hear(c);
		if (c->socket < 0 || c->done == c->sent)
			break;
		uint64_t now = clock_kernel_ns();
		if (c->done != before || c->begun != begun)
			moved_ns = now;
		before = c->done;
		bool fruitless = !c->patient && now - moved_ns > patience_ns;
		if (fruitless || log_stop_count != stops) {
			kill(c->pid, SIGKILL);
			courier_over(c, ETIMEDOUT);
			break;
		}
		bool more = c->begun < c->queue.len;
		struct pollfd wait = {.fd = c->socket, .events = POLLIN | (more ? POLLOUT : 0)};
		poll(&wait, 1, COURIER_SLICE);
	}
}

/* All is written: the process closes its file, which may fail, and ends. */
static void courier_last_word(struct courier *c)
{
	struct courier_answer answer;
	struct pollfd wait = {.fd = c->socket, .events = POLLIN};

	shutdown(c->socket, SHUT_WR);
	if (poll(&wait, 1, COURIER_LAST) > 0 &&
		recv(c->socket, &answer, sizeof(answer), 0) == (ssize_t)sizeof(answer))
		c->error = answer.error;
}

void courier_close(struct courier *c)
{
	if (!c->path)
		return;
	if (courier_works(c) && c->done == c->sent)
		courier_last_word(c);
	courier_over(c, 0);
	if (c->file > STDERR_FILENO)
		close(c->file);
	c->file = -1;
	if (c->pid > 0)
		waitpid(c->pid, NULL, WNOHANG); /* it ends by itself, if slowly */
	c->pid = 0;
}
