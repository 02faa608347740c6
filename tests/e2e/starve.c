/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Memory that runs out (LD_PRELOAD, starve.py): WEIR_STARVE=N lets the Nth request for memory
 * of each process fail, N+ also all those after it, =N each of malloc's for exactly N bytes.  A
 * process that was refused makes the file WEIR_STARVE_MARK: so a test knows when N was more
 * than is ever asked for. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);

static long starve_left;    /* until the one that fails; 0: none */
static size_t starve_bytes; /* of "=N"; 0: none */
static bool starve_on, starving;

static void __attribute__((constructor)) starve_begin(void)
{
	const char *text = getenv("WEIR_STARVE");

	if (text && *text == '=')
		starve_bytes = strtoul(text + 1, NULL, 10);
	else
		starve_left = text ? strtol(text, NULL, 10) : 0;
	starve_on = text && strchr(text, '+');
}

static void starve_mark(void)
{
	const char *mark = getenv("WEIR_STARVE_MARK");
	long fd = mark ? syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY, 0600) : -1;

	if (fd >= 0)
		syscall(SYS_close, fd);
}

static bool starve_fails(size_t n)
{
	if (starve_bytes && n == starve_bytes) {
		starve_mark();
	} else if (!starving) {
		if (__atomic_load_n(&starve_left, __ATOMIC_RELAXED) <= 0 ||
			__atomic_sub_fetch(&starve_left, 1, __ATOMIC_RELAXED) != 0)
			return false;
		starve_mark();
		starving = starve_on;
	}
	errno = ENOMEM;
	return true;
}

void *malloc(size_t n)
{
	return starve_fails(n) ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	return starve_fails(n * size) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
	return starve_fails(n) ? NULL : __libc_realloc(p, n);
}

void *reallocarray(void *p, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(p, bytes);
}

void *mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset)
{
	if (starve_fails(0))
		return MAP_FAILED;
	return (void *)syscall(SYS_mmap, at, n, prot, flags, fd, offset);
}
