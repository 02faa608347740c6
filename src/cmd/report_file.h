/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Files with results that are named on the command line. */
#pragma once

#include <stddef.h>

struct err;
struct import_list;
struct str;

/* All bytes of PATH ("-": stdin), at most MAX.  0 or -errno. */
int report_file_text(const char *path, size_t max, struct str *text, struct err *reterr);

/* All results of PATH, in any format that import.h reads.  On failure RET is empty. */
int report_file_read(const char *path, struct import_list *ret, struct err *reterr);
