/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What there is at a path, found without opening it for writing and without
 * changing anything.  The plan is made from these facts. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* By stat(2), links followed. */
enum look_kind {
	LOOK_NOTHING, /* the path does not exist                          */
	LOOK_FILE,
	LOOK_BLOCK,
	LOOK_CHAR,
	LOOK_DIRECTORY,
	LOOK_PIPE,
	LOOK_OTHER,
};

/* What was found, at one moment: by the time of the run it may be another thing, and the run
 * looks again where that would hurt. */
struct look {
	enum look_kind kind;
	uint64_t bytes;         /* of a file or block device; 0 for the rest   */
	uint32_t logical_block; /* direct I/O granule of a block device, 512.. */
	dev_t dev;              /* of the file system that holds it            */
	dev_t rdev;             /* of the device it is                         */
	ino_t inode;
	bool marked;         /* a file that weir made (see sys/mark.h)      */
	bool parent_missing; /* of LOOK_NOTHING: so is its directory        */
	bool on_dev;         /* it is, or would be, on /dev's file system   */
	bool zoned;          /* a zoned block device                        */
	int error;           /* negative errno that kept us from looking    */
};

/* By the type bits of st_mode. */
enum look_kind look_kind_of(mode_t mode);

/* Call FOUND for each regular file below DIR, by name within each directory, links
 * left out, until it returns false.  0, or a negative errno. */
int look_below(const char *dir, bool (*found)(void *arg, const char *path), void *arg);

/* Always fills *ret; a failure other than "not there" is in ret->error. */
void look_at(const char *path, struct look *ret);
