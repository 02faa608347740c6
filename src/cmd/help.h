/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Help: walks over rows.  All of it goes to stdout, a complaint about a name to
 * stderr; each function returns the exit status. */
#pragma once

struct cmd_call;

/* The page of --help. */
int help_usage(const struct cmd_call *call);

/* --cmdhelp[=NAME]: "" and "all" list every job option.  As fio an unknown name is
 * 0, too. */
int help_option(const struct cmd_call *call, const char *name);

/* --enghelp[=ENGINE[,OPTION]]: "" lists the engines. */
int help_engine(const char *what);
