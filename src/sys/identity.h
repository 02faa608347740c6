/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Who a thread is: its user, its group, its name. */
#pragma once

#include <stdint.h>

/* The calling thread alone becomes group GID and user UID (NULL: stays as it is);
 * as root it also gives up supplementary groups.  The kernel forgets with that
 * which signal the parent's death is: SIGKILL is set again.  0 or a negative
 * errno: -EPERM for who is not root. */
int identity_take(const uint32_t *uid, const uint32_t *gid);

/* At most 15 letters; the kernel cuts off the rest. */
void identity_name(const char *name);
