/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/output.h"

#include "base/err.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/face.h"
#include "cmd/flags.h"
#include "cmd/live.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

void output_guard_streams(void)
{
	signal(SIGPIPE, SIG_IGN);
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		/* The wrong way round: using it fails with EBADF, as if it were closed. */
		int mode = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;
		if (open("/dev/null", mode) != fd)
			_exit(STATUS_REFUSED);
	}
}

int output_status(int status)
{
	static const char words[] =
		"weir: out of memory: words are missing in what was written\n";

	if (!str_lost())
		return status;
	(void)output_write(STDERR_FILENO, words, sizeof(words) - 1);
	return status ? status : STATUS_REFUSED;
}

int output_write(int fd, const char *text, size_t len)
{
	while (len) {
		ssize_t n = write(fd, text, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN) { /* a parent made the pipe non-blocking */
			struct pollfd wait = {.fd = fd, .events = POLLOUT};
			if (poll(&wait, 1, -1) < 0 && errno != EINTR)
				return -errno;
			continue;
		}
		if (n < 0)
			return -errno;
		text += n;
		len -= (size_t)n;
	}
	return 0;
}

int output_open(struct output *o, const struct face *face, const char *path, uint32_t formats,
	struct err *reterr)
{
	*o = (struct output){
		.face = face,
		.fd = STDOUT_FILENO,
		.classic = formats & FORMAT_CLASSIC,
	};
	if (!path)
		return 0;

	struct stat st;
	if (stat(path, &st) == 0 && S_ISBLK(st.st_mode))
		return err_set(reterr, -ENOTBLK, "--output: %s is a block device, not a file",
			path);
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return err_sys(reterr, -errno, "--output: %s", path);
	o->path = path;
	o->fd = fd;
	return 0;
}

void output_begin(struct output *o)
{
	if (o->path && !o->emptied && ftruncate(o->fd, 0) < 0 && errno != EINVAL)
		o->error = errno;
	o->emptied = true;
}

static const char *stream_name(const struct output *o)
{
	return o->path ? o->path : "stdout";
}

void output_close(struct output *o)
{
	if (o->path && o->fd >= 0) {
		int rc = close(o->fd) < 0 ? errno : 0;
		o->fd = -1;
		if (rc && !o->error) {
			o->error = rc;
			output_sayf(o, SAY_ERROR, "%s: %s", o->path, strerror(rc));
		}
	}
	arena_done(&o->arena);
	str_done(&o->held);
	o->said = NULL;
	o->said_count = 0;
}

void output_let_go(struct output *o)
{
	if (!o->path)
		return;
	close(o->fd);
	o->fd = STDOUT_FILENO;
	o->path = NULL;
}

int output_check_apart(struct output *o, const char *path, dev_t dev, ino_t inode,
	struct err *reterr)
{
	struct stat st;
	if (!o->path || fstat(o->fd, &st) < 0 || !S_ISREG(st.st_mode))
		return 0;
	if (st.st_dev != dev || st.st_ino != inode)
		return 0;
	err_set(reterr, -EINVAL, "--output: %s would overwrite %s; name another file", o->path,
		path);
	output_let_go(o);
	return -EINVAL;
}

/* ---- words ---- */

static void remember(struct output *o, const char *text)
{
	const char **longer = o->said;
	if (!(o->said_count & (o->said_count - 1))) { /* room for a power of two */
		size_t room = o->said_count ? o->said_count * 2 : 1;
		longer = arena_array(&o->arena, room, sizeof(*longer));
		if (!longer)
			return;
		for (size_t i = 0; i < o->said_count; i++)
			longer[i] = o->said[i];
	}
	char *copy = arena_text(&o->arena, text);
	if (!copy)
		return;
	longer[o->said_count++] = copy;
	o->said = longer;
}

static bool in_stream(const struct output *o, enum speech what)
{
	if (!o->classic)
		return false;
	return what == SAY_FORM || (what != SAY_ERROR && o->face->words_inline);
}

static bool on_stderr(const struct output *o, enum speech what)
{
	if (what == SAY_NOTE && !o->classic && !o->face->native)
		return false;
	return what != SAY_FORM && !in_stream(o, what);
}

void output_say(struct output *o, enum speech what, const char *text)
{
	if (what >= SAY_WARNING)
		remember(o, text);
	if (o->live)
		live_clear(o->live);

	struct str line = {0};
	str_addf(&line, "%s\n", text);
	if (line.failed) { /* out of memory: then piece by piece, and to one place */
		(void)output_write(STDERR_FILENO, text, strlen(text));
		(void)output_write(STDERR_FILENO, "\n", 1);
		return;
	}
	bool copy = what == SAY_ERROR && o->path && o->fd >= 0 && o->classic &&
		    o->face->words_inline;
	if (in_stream(o, what) || copy) {
		output_begin(o);
		int rc = output_write(o->fd, str_text(&line), line.len);
		if (rc < 0 && !o->error)
			o->error = -rc;
	}
	if (on_stderr(o, what)) {
		bool hold = what == SAY_WARNING && !o->classic && !o->face->native;
		if (hold)
			str_add(&o->held, str_text(&line));
		else
			(void)output_write(STDERR_FILENO, str_text(&line), line.len);
	}
	str_done(&line);
}

void output_release(struct output *o)
{
	if (o->held.len)
		(void)output_write(STDERR_FILENO, str_text(&o->held), o->held.len);
	str_reset(&o->held);
}

void output_sayf(struct output *o, enum speech what, const char *fmt, ...)
{
	struct str text = {0};
	va_list ap;
	str_addf(&text, "%s: ", o->face->program);
	va_start(ap, fmt);
	str_addv(&text, fmt, ap);
	va_end(ap);
	output_say(o, what,
		text.failed ? "out of memory, also for the words about it" : str_text(&text));
	str_done(&text);
}

/* ---- documents ---- */

/* Write TEXT to the stream; a file that took only a part of it gives it back. */
static int write_whole(struct output *o, const struct str *text)
{
	output_begin(o);
	off_t before = o->path ? lseek(o->fd, 0, SEEK_CUR) : -1;
	int rc = output_write(o->fd, str_text(text), text->len);
	if (rc < 0 && before >= 0 && ftruncate(o->fd, before) == 0)
		(void)lseek(o->fd, before, SEEK_SET);
	return rc;
}

int output_document(struct output *o, const struct str *text)
{
	if (text->failed) {
		o->error = ENOMEM;
		output_sayf(o, SAY_ERROR, "out of memory: no room for the report");
		return -ENOMEM;
	}
	int rc = write_whole(o, text);
	if (rc == 0)
		return 0;
	o->error = -rc;
	const char *where = o->path ? "stdout" : "stderr";
	int fd = o->path ? STDOUT_FILENO : STDERR_FILENO;
	output_sayf(o, SAY_ERROR, "%s: %s; the report comes out on %s", stream_name(o),
		strerror(-rc), where);
	if (output_write(fd, str_text(text), text->len) < 0 && fd != STDERR_FILENO)
		(void)output_write(STDERR_FILENO, str_text(text), text->len);
	return rc;
}

uint32_t output_columns(int fd)
{
	const char *said = getenv("COLUMNS");
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) == 0)
		return size.ws_col;
	unsigned long columns = said ? strtoul(said, NULL, 10) : 0;
	return columns <= UINT16_MAX ? (uint32_t)columns : 0;
}

bool output_coloured(int fd)
{
	return isatty(fd) && !getenv("NO_COLOR");
}
