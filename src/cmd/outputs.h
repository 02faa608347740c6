/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Is each file that a run writes results to a file of its own? */
#pragma once

struct err;
struct flags;
struct plan;

/* Compares --output, --stream, --metrics-file, --bandwidth-log and the logs of all jobs with
 * one another, by what they are on disk (a file: device and inode; not there yet: its folder
 * and name). Logs that jobs share by per_job_logs=0 are meant; devices and pipes may have
 * many writers.  -EEXIST names both places. */
int outputs_check(const struct plan *plan, const struct flags *flags, struct err *reterr);
