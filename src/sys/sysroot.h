/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Where the machine's facts are read: /proc, /sys, and what a path is.
 *
 * A real machine is sysroot_real.  A test brings a captured tree: a folder that
 * stands before every /proc and /sys path, and a function that says what is at
 * a path, as device nodes can't be kept in a repository.
 *
 * All of it only reads.  Any thread. */
#pragma once

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct str;

/* What is at a path, links followed. */
struct place {
	bool block; /* a block device: rdev says which                   */
	dev_t dev;  /* of the file system that holds it                  */
	dev_t rdev;
	uint64_t mount_id; /* field 1 of its line in mountinfo; 0: not known    */
	mode_t mode;       /* 0: not known                                      */
	uint64_t bytes;    /* size of a file                                    */
	uint64_t allocated_bytes;
	uint64_t direct_memory_align, direct_offset_align; /* of direct I/O; 0: not told,
							    * or impossible */
};

/* What statfs() says. */
struct room {
	uint64_t block_bytes;
	uint64_t bytes, free_bytes, available_bytes; /* available: to ordinary users */
	uint64_t inodes, inodes_free;
};

/* A machine to ask; const. */
struct sysroot {
	const char *prefix; /* stands before /proc and /sys; "" on a real machine */
	/* 0, or a negative errno.  NULL: ask the kernel. */
	int (*place)(void *ctx, const char *path, struct place *ret);
	/* The same of a file system. */
	int (*room)(void *ctx, const char *path, struct room *ret);
	void *ctx;
};

extern const struct sysroot sysroot_real;

/* 0 or a negative errno, as stat(2). */
int sysroot_place(const struct sysroot *r, const char *path, struct place *ret);

/* May wait for a server; -ENOSYS on a machine that was brought without it. */
int sysroot_room(const struct sysroot *r, const char *path, struct room *ret);

/* Is it this machine, of which more can be asked than files tell? */
bool sysroot_is_real(const struct sysroot *r);

/* The beginning of a file, up to SIZE - 1 bytes, without the last line end. */
int sysroot_text(const struct sysroot *r, char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* All of a file, added to OUT. */
int sysroot_load(const struct sysroot *r, struct str *out, const char *path);

/* A decimal number; "max" is UINT64_MAX. */
int sysroot_u64(const struct sysroot *r, uint64_t *ret, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* "8:1" in a file called `dev`. */
int sysroot_dev(const struct sysroot *r, dev_t *ret, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Last part of what a link points to. */
int sysroot_link_name(const struct sysroot *r, char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Is there anything at this path? */
bool sysroot_has(const struct sysroot *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* A folder to readdir(); NULL with errno.  The caller closes it. */
DIR *sysroot_dir(const struct sysroot *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The next entry that isn't "." or "..", or NULL. */
const char *sysroot_next(DIR *dir);
