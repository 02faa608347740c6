/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Part of the verb `show`: results that were printed earlier, printed anew. */
#pragma once

struct cmd_call;

/* CALL's words: --output-format=F,..., --summary, --units=U,..., --terse-version=N, files.
 * Returns the exit status: a file that can't be read doesn't keep the others from
 * being shown. */
int show_reports(const struct cmd_call *call);
