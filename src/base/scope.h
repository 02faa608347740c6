/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Locals that clean up after themselves.
 *
 *	scope_fd int fd = open(...);         closed when the block ends
 *	scope_mem char *text = malloc(n);    freed when the block ends
 *	scope_file FILE *f = fopen(...);     closed when the block ends
 *	scope_with(job_set_free) struct job_set *set = ...;
 *
 * keep_fd() and keep_ptr() hand the thing over and disarm the cleanup. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

static inline int keep_fd(int *fd)
{
	int out = *fd;
	*fd = -1;
	return out;
}

#define keep_ptr(p)                                                                            \
	({                                                                                     \
		__typeof__(p) keep_out = (p);                                                  \
		(p) = NULL;                                                                    \
		keep_out;                                                                      \
	})
