/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* From a path down to the hardware: file systems and block devices, each once, each knowing
 * what it lies on.
 *
 *   /data/f ──▶ "/data" xfs ──▶ loop0 ──▶ "/" ext4 ──▶ sda1 ──▶ sda
 *
 * Followed: partitions, device mapper (crypt, lvm), md, loop devices by their backing
 * file, bcache, btrfs by its members, overlay by its upper and lower folders, zram. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/fact.h"
#include "sys/ata.h"
#include "sys/block.h"
#include "sys/nvme.h"

struct mounts;
struct place;
struct survey;

#define STACK_LAYERS 256 /* in all                  */
#define STACK_BELOW  32  /* that one layer lies on  */

struct filesystem_facts {
	const char *type, *point, *source;
	const char *flags, *options; /* of the mount, of the file system         */
	uint64_t block_bytes, size_bytes, free_bytes, available_bytes;
	uint64_t inodes, inodes_free;
	uint64_t remote;               /* flag: its blocks are on another machine  */
	uint64_t errors;               /* that ext4 or xfs counted                 */
	uint64_t lifetime_write_bytes; /* ext4                                     */
};

extern const struct fact_table filesystem_table;

/* One thing that others lie on. */
struct layer {
	const char *id;   /* a mount point, or a device's name           */
	const char *kind; /* "filesystem", "partition", "disk", "crypt", "lvm", "mapped",
			   * "multipath", "md", "loop", "bcache", "zram", "nbd", "ram"  */
	uint32_t on[STACK_BELOW]; /* indices of layers, ... */
	uint32_t on_count;
	bool on_more;                        /* ... and there are others                    */
	struct filesystem_facts *filesystem; /* each NULL where it is none        */
	struct block_facts *block;
	struct queue_facts *queue;
	struct controller_facts *controller; /* of a disk that has one            */
	struct nvme_facts *nvme;             /* health, if it was asked           */
	struct ata_facts *ata;               /* the same                          */
};

struct stack {
	struct layer *v; /* in the arena; STACK_LAYERS of room */
	uint32_t count;
	bool truncated;
};

#define STACK_NOTHING UINT32_MAX

/* Add what PLACE lies on.  Returns the index of the file system or the device,
 * or STACK_NOTHING when it isn't known. */
uint32_t stack_add(struct survey *s, const struct mounts *mounts, struct stack *st,
	const struct place *place);

/* The hardware at the bottom below layer AT, into LIST (at most MAX); how many. */
uint32_t stack_bottom(const struct stack *st, uint32_t at, uint32_t *list, uint32_t max);
