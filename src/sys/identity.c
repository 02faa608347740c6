/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/identity.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* By system call: the C library's functions change all threads of the process. */
int identity_take(const uint32_t *uid, const uint32_t *gid)
{
	if (geteuid() == 0 && (uid || gid) && syscall(SYS_setgroups, 0, NULL) < 0)
		return -errno;
	if (gid && syscall(SYS_setresgid, *gid, *gid, *gid) < 0)
		return -errno;
	if (uid && syscall(SYS_setresuid, *uid, *uid, *uid) < 0)
		return -errno;
	if (uid || gid)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return 0;
}

void identity_name(const char *name)
{
	prctl(PR_SET_NAME, name);
}
