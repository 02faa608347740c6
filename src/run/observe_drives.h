/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What drives counted during a run: what they told before it (the environment) against what
 * they tell now.  Pure but for drives_ask(). */
#pragma once

#include <stdint.h>

#include "result/watch.h"
#include "sys/ata.h"
#include "sys/nvme.h"

struct arena;
struct environment;

#define DRIVES_NVME 8
#define DRIVES_ATA  4
#define DRIVES_ALL  (DRIVES_NVME + DRIVES_ATA)

/* Those that told something before the run. */
struct drives_asked {
	uint32_t nvme[DRIVES_NVME], ata[DRIVES_ATA]; /* layers of the environment    */
	char nvme_path[DRIVES_NVME][64], ata_path[DRIVES_ATA][64];
	uint32_t nvme_count, ata_count;
};

struct drives_told {
	uint32_t nvme_done, ata_done;
	int nvme_rc[DRIVES_NVME], ata_rc[DRIVES_ATA];
	struct nvme_raw nvme[DRIVES_NVME];
	char ata[DRIVES_ATA][ATA_TEXT]; /* last: as many of it as are asked are needed */
};

void drives_list(const struct environment *e, struct drives_asked *q);

/* Bytes of a struct drives_told for them. */
size_t drives_size(const struct drives_asked *q);

/* May wait for a device. */
void drives_ask(const struct drives_asked *q, struct drives_told *told);

/* Into RET, DRIVES_ALL of room; how many.  WRITTEN tells what the kernel wrote to a disk
 * meanwhile, or FACT_UNKNOWN.  Names are those of the layers. */
uint32_t drives_compare(const struct environment *e, const struct drives_asked *q,
	const struct drives_told *told, uint64_t (*written)(void *ctx, const char *disk),
	void *ctx, struct watch_drive *ret);

/* One drive.  Write amplification is only told where it means something: at least DRIVES_LEAST
 * bytes were written, and 16 steps of either counter (so each is off by a 16th at most). */
#define DRIVES_LEAST (UINT64_C(256) << 20)
#define DRIVES_STEPS 16u
void drive_of_nvme(const struct nvme_raw *before, const struct nvme_raw *after,
	struct watch_drive *ret);

/* KERNEL_BYTES: what the kernel wrote there.  An attribute that didn't grow like it, to within
 * two of its steps and a tenth, isn't what its name says, and nothing is made of it. */
void drive_of_ata(const struct ata_facts *before, const struct ata_facts *after,
	uint64_t kernel_bytes, struct watch_drive *ret);
