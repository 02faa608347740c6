/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The supervisor's side of logs: makes the files, starts and watches the processes that
 * fill them, and tells what went wrong.  It writes no log itself. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct err;
struct logs;
struct plan;
struct result;
struct result_row;
struct supervisor;

/* Make all log files (TOTAL: prefix of the aggregate bandwidth logs, or NULL); refuses
 * what can't be made and what is a target. */
int logs_check(const struct plan *plan, const char *total, struct err *reterr);

/* The shared memory is there: who writes what. */
int logs_begin(struct supervisor *s, struct err *reterr);

/* Fork the writer of the aggregate logs, and those of the running wave. */
void logs_start_total(struct supervisor *s);
void logs_start_wave(struct supervisor *s);

/* A child ended, by SIGNAL or (0) by itself: was it one of ours? */
bool logs_child_ended(struct supervisor *s, pid_t pid, int signal);

/* Nothing more comes from WORKER. */
void logs_worker_over(struct supervisor *s, uint32_t worker);

/* Say what went wrong since the last look. */
void logs_look(struct supervisor *s);

/* Wait until all is in the files: of the wave, and in the end of the run. */
void logs_finish_wave(struct supervisor *s);
void logs_finish_total(struct supervisor *s);

/* What the logs cost worker I, and what is missing in them. */
void logs_gather(const struct supervisor *s, uint32_t i, struct result_row *row);
uint32_t logs_failed(const struct supervisor *s);

void logs_free(struct logs *logs);
