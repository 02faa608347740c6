/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Everything a user can ask for has a limit; all of them stand here, and each
 * has an error that names it.
 *
 * A limit is there so that a mistake (iodepth=1000000, a job file that is a disk image)
 * ends in a sentence and not in an OOM kill; and so that sums of what was checked can't
 * overflow.  Raising one is safe as long as memory lasts, but for LIMIT_BLOCK: what a request
 * moved is told in 31 bits (struct io). */
#pragma once

#define LIMIT_JOBS          100000     /* workers of a run, clones counted      */
#define LIMIT_DEPTH         65536      /* requests in flight of one worker      */
#define LIMIT_FILES         1000000    /* files of one job                      */
#define LIMIT_LINE          65536      /* bytes of a line in a job file         */
#define LIMIT_JOB_FILE      (64 << 20) /* bytes of a job file                   */
#define LIMIT_NESTING       16         /* include within include                */
#define LIMIT_REPORT_FILE   (1 << 30)  /* bytes of a file with reports           */
#define LIMIT_PERCENTILES   20         /* entries of percentile_list (as fio)   */
#define LIMIT_SPLITS        64         /* entries of bssplit per direction      */
#define LIMIT_FILLER        (1 << 20)  /* bytes of a pattern (buffer_pattern)   */
#define LIMIT_BLOCK         (1u << 30) /* bytes of one I/O                      */
#define LIMIT_CPUS          1024       /* highest CPU number + 1                */
#define LIMIT_INTERVALS     4096       /* records of a series before it merges  */
#define LIMIT_INTERVALS_ALL 65536 /* of the series of all rows, about: more rows keep fewer */
#define LIMIT_INTERVALS_ROW 256   /* but never fewer than these             */
