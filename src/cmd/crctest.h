/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* --crctest: how fast this machine makes checksums. */
#pragma once

struct output;

/* Measure those of LIST ("crc32c,md5"; "": all that this build has) and print a line for
 * each on stdout; errors are said on OUT.  Returns the exit status. */
int crctest(struct output *out, const char *list);
