/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What a process or thread is doing right now, by /proc: for the watchdog. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct sysroot;

struct task {
	char state;     /* R running, S sleeping, D in the kernel's hands, T stopped,
			 * t traced, Z ended                                      */
	char call[32];  /* system call it is in: "pwrite64"; "" none or not known  */
	char wchan[64]; /* kernel function it waits in; "" none or not known       */
};

/* 0, or -ESRCH when it is gone. Never waits. */
int task_look(const struct sysroot *r, pid_t pid, pid_t tid, struct task *ret);

/* "in state D, call pwrite64, waiting in folio_wait_bit". Returns BUF. */
const char *task_text(const struct task *t, char *buf, size_t size);

static inline bool task_is_stopped(const struct task *t)
{
	return t->state == 'T' || t->state == 't';
}
