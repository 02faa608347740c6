/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Private to the layout: what supervisor and helpers share, and the work of a
 * helper.  All of it lies in one shared mapping made before the first fork; single
 * words are read and written relaxed, as nobody but the owner acts on them before
 * the helper's end. */
#pragma once

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct plan;

#define LAYOUT_HELPERS 8
#define LAYOUT_NONE    UINT32_MAX

/* In this order; kept so that one who hangs or fails can be told by what it was doing. */
enum layout_step {
	LAYOUT_WAITING, /* nobody has taken it */
	LAYOUT_FOLDER,
	LAYOUT_OPEN,
	LAYOUT_CHECK,
	LAYOUT_ALLOCATE,
	LAYOUT_WRITE,
	LAYOUT_SYNC,
	LAYOUT_DONE,
};

/* One target.  Written by the helper that took it, and by the supervisor when
 * that helper is gone. */
struct layout_item {
	dev_t dev;
	ino_t inode;
	uint64_t from, goal; /* bytes when opened, bytes wanted                     */
	uint64_t done;       /* bytes filled, FROM included                         */
	int error;           /* negative errno                                      */
	uint16_t helper;     /* who took it, from 1                                 */
	uint8_t step;        /* enum layout_step: how far it came                   */
	bool listed;         /* it is in todo                                       */
	bool made;           /* it was missing or empty: what is in it is weir's    */
};

/* A forked process that lays files out. */
struct layout_helper {
	alignas(64) uint64_t beats; /* any step forward                             */
	uint32_t item;              /* index of its target, or LAYOUT_NONE          */
	pid_t pid;                  /* 0: not running; the supervisor's             */
	char doing[160];            /* how it was found when it was given up        */
};

/* At the beginning of the shared mapping; lists follow in it. */
struct layout {
	size_t map_bytes;
	const struct plan *plan;
	uint32_t todo_count;
	uint64_t total;            /* bytes to be filled                           */
	uint32_t *todo;            /* indices of items, in the plan's order        */
	struct layout_item *items; /* one per target of the plan                   */
	struct layout_helper helper[LAYOUT_HELPERS];
	alignas(64) uint32_t next;   /* in todo: the next one to take                */
	uint32_t stop;               /* not 0: no more                               */
	alignas(64) uint64_t filled; /* bytes, by all helpers                       */
	char text[512];              /* of layout_error_text()                       */
};

#define LAYOUT_READ(field)       __atomic_load_n(&(field), __ATOMIC_RELAXED)
#define LAYOUT_SET(field, value) __atomic_store_n(&(field), (value), __ATOMIC_RELAXED)

/* What helper NUMBER does from its fork to its end: takes items until there are
 * none. */
void layout_helper_main(struct layout *l, const struct plan *plan, uint16_t number,
	pid_t parent) __attribute__((noreturn));
