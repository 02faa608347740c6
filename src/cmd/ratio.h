/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Values of flags that verbs about several runs share. */
#pragma once

struct err;

/* For messages: what --metric takes. */
#define COMPARE_METRICS "iops, bw, mean, p50, p99, p99.9, cpu, response_p50, response_p99"

/* "2%", "±2%", "+-2%", "0.5%": above 0 and below 100 %.  WHAT is in front of the message. */
int ratio_read(const char *what, const char *text, double *ret, struct err *reterr);
