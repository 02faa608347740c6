/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/ioprio.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#define IOPRIO_WHO_PROCESS 1 /* with id 0: the calling thread */

int ioprio_set_thread(uint16_t value)
{
	return syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, value) < 0 ? -errno : 0;
}
