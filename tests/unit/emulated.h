/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Tests of an arm64 build run under qemu-user (tools/arm64.sh), which is not all of a
 * kernel: a test that needs the rest says what, and is skipped. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* WHAT qemu-user doesn't do.  True, and said, where it runs this program. */
static inline bool emulated_without(const char *what)
{
	if (!getenv("WEIR_EMULATED"))
		return false;
	printf("skipped under emulation: %s\n", what);
	return true;
}
