/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/cmd.h"

#include "cmd/face.h"

#include <string.h>

const struct verb verbs[] = {
	{"run", "do what job files and options say, and report (the default)", cmd_run},
	{"help", "about an option, an engine, a verb: weir help NAME", cmd_help},
	{"version", "of weir, what it was built with, what this kernel can do", cmd_version},
	{0},
};

const struct verb *verb_choose(struct cmd_call *call)
{
	if (!call->face->verbs || call->argc < 1)
		return &verbs[0];
	for (const struct verb *v = verbs; v->name; v++) {
		if (strcmp(call->argv[0], v->name) != 0)
			continue;
		call->argc--;
		call->argv++;
		return v;
	}
	return &verbs[0];
}
