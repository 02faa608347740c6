/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Locals that clean up after themselves.
 *
 *	scope_fd int fd = open(...);         closed when the block ends
 *	scope_mem char *text = malloc(n);    freed when the block ends
 *	scope_file FILE *f = fopen(...);     closed when the block ends
 *	scope_with(job_set_free) struct job_set *set = ...;
 *
 * keep_fd() and keep_ptr() hand the thing over and disarm the cleanup.
 *
 * The local must have a value where it is declared: the cleanup runs on every way out,
 * also on one before the first assignment.  -1 and NULL are "nothing to do".  Cleanups
 * run in reverse order of declaration, after the value of `return` was computed; errno
 * may be another one afterwards. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* FN gets a pointer to the local: for a local that is a pointer itself, a pointer to that. */
#define scope_with(fn) __attribute__((cleanup(fn)))

static inline void scope_close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void scope_free_mem(void *ptr)
{
	void *mem;
	__builtin_memcpy(&mem, ptr, sizeof(mem));
	free(mem);
}

static inline void scope_close_file(FILE **f)
{
	if (*f)
		fclose(*f);
}

#define scope_fd   scope_with(scope_close_fd)
#define scope_mem  scope_with(scope_free_mem)
#define scope_file scope_with(scope_close_file)

/* return keep_fd(&fd): the caller closes it now. */
static inline int keep_fd(int *fd)
{
	int out = *fd;
	*fd = -1;
	return out;
}

/* The pointer, and NULL is left in its place.  P is evaluated more than once. */
#define keep_ptr(p)                                                                            \
	({                                                                                     \
		__typeof__(p) keep_out = (p);                                                  \
		(p) = NULL;                                                                    \
		keep_out;                                                                      \
	})
