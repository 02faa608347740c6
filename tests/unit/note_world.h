/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A machine and a run on it in which there is nothing to note, for the tests of notes: what
 * spoils the figures is what a test changes. */
#pragma once

#include "result/environment.h"
#include "result/result.h"
#include "result/style.h"
#include "result/watch.h"

#define WORLD_SECONDS 60
#define MIB           (UINT64_C(1) << 20)

/* A quiet machine: a file on ext4 on an NVMe drive, a job that reads and writes it directly for
 * a minute at 10000 I/Os a second. */
struct world {
	struct result *r;
	struct result_row *row;
	struct watch w;
	struct watch_job job;
	struct watch_target after;
	struct watch_drive drive;
	struct watch_device device;
	struct layer layers[2];
	struct filesystem_facts fs;
	struct block_facts block;
	struct queue_facts queue;
	struct controller_facts controller;
	struct nvme_facts nvme;
	struct target_facts target;
	struct result_option option;
	struct result_steady steady;
	const char *line;
	struct result_style style;
};

/* Fresh; world_done() frees what it made. */
void world_make(struct world *w);
void world_done(struct world *w);

/* Make the notes of a run, or of `weir doctor`. */
void world_ask(struct world *w, bool doctor);

/* Writes of 4 KiB, about RATE a second. */
void world_series(struct world *w, double (*rate)(uint32_t second));

/* 10000, and from second 30 on 4000. */
double world_cliff(uint32_t second);

/* 32 requests at once, of which the first hundredth takes 20 us, the median 200: 10 times
 * that. */
void world_saturated(struct world *w);
