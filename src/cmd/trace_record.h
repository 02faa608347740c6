/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* `weir trace record`: what is asked of a device, by whomever, into a file. */
#pragma once

struct cmd_call;

/* CALL's words after "record".  Returns the exit status. */
int trace_record(const struct cmd_call *call);
