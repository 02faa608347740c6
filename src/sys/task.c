/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/task.h"

#include "base/bits.h"
#include "sys/sysroot.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

/* The calls that an I/O generator can hang in; others are shown by number. */
static const struct {
	long number;
	const char *name;
} call_names[] = {
#define CALL(name)                                                                             \
	{                                                                                      \
		SYS_##name, #name                                                              \
	}
	CALL(read),
	CALL(write),
	CALL(pread64),
	CALL(pwrite64),
	CALL(readv),
	CALL(writev),
	CALL(preadv),
	CALL(pwritev),
	CALL(preadv2),
	CALL(pwritev2),
	CALL(fsync),
	CALL(fdatasync),
	CALL(sync_file_range),
	CALL(syncfs),
	CALL(io_submit),
	CALL(io_getevents),
	CALL(io_destroy),
	CALL(io_uring_setup),
	CALL(io_uring_enter),
	CALL(io_uring_register),
	CALL(ioctl),
	CALL(fallocate),
	CALL(ftruncate),
	CALL(fadvise64),
	CALL(msync),
	CALL(munmap),
	CALL(mmap),
	CALL(openat),
	CALL(close),
	CALL(unlinkat),
	CALL(lseek),
	CALL(futex),
	CALL(clock_nanosleep),
	CALL(nanosleep),
	CALL(ppoll),
	CALL(exit_group),
	CALL(wait4),
#ifdef SYS_open
	CALL(open),
	CALL(unlink),
	CALL(stat),
	CALL(poll),
#endif
#undef CALL
};

static void name_call(const char *text, char *name, size_t size)
{
	long number;
	name[0] = '\0';
	if (sscanf(text, "%ld", &number) != 1 || number < 0) /* "running", or -1: none */
		return;
	for (size_t i = 0; i < COUNT_OF(call_names); i++) {
		if (call_names[i].number == number) {
			snprintf(name, size, "%s", call_names[i].name);
			return;
		}
	}
	snprintf(name, size, "number %ld", number);
}

int task_look(const struct sysroot *r, pid_t pid, pid_t tid, struct task *ret)
{
	struct task t = {0};
	char text[512];

	if (sysroot_text(r, text, sizeof(text), "/proc/%d/task/%d/stat", (int)pid, (int)tid) <
		0)
		return -ESRCH;
	const char *after = strrchr(text, ')'); /* the name may hold anything */
	if (!after || after[1] != ' ' || !isalpha((unsigned char)after[2]))
		return -ESRCH;
	t.state = after[2];
	if (sysroot_text(r, text, sizeof(text), "/proc/%d/task/%d/syscall", (int)pid,
		    (int)tid) == 0)
		name_call(text, t.call, sizeof(t.call));
	if (sysroot_text(r, t.wchan, sizeof(t.wchan), "/proc/%d/task/%d/wchan", (int)pid,
		    (int)tid) < 0 ||
		strcmp(t.wchan, "0") == 0)
		t.wchan[0] = '\0';
	*ret = t;
	return 0;
}

const char *task_text(const struct task *t, char *buf, size_t size)
{
	snprintf(buf, size, "in state %c%s%s%s%s", t->state, t->call[0] ? ", call " : "",
		t->call, t->wchan[0] ? ", waiting in " : "", t->wchan);
	return buf;
}
