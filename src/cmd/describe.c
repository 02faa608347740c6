/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The verb `describe`: what a target lies on. */
#include "cmd/cmd.h"

#include "base/json.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/around.h"
#include "cmd/face.h"
#include "report/environment.h"
#include "result/environment.h"

#include <stdio.h>
#include <string.h>

/* A target that can't be looked at is no success. */
static int status_of(const struct environment *e)
{
	for (uint32_t i = 0; i < e->targets_count; i++)
		if (!strcmp(e->targets[i].kind, "not accessible"))
			return STATUS_REFUSED;
	return STATUS_OK;
}

const char describe_usage[] =
	"usage: weir describe [FLAG...] TARGET...    TARGET: a file, a device, a directory, or\n"
	"                                            where one will be\n"
	"  --json\n"
	"  --env=full         serial numbers, too; else they are masked\n"
	"Status: 0; 1 where a target can't be looked at.\n";

int cmd_describe(const struct cmd_call *call)
{
	scope_with(around_done) struct around a;
	scope_with(str_done) struct str out = {0};

	if (!around_look(call, "describe", false, &a))
		return STATUS_REFUSED;
	if (!a.paths_count) {
		fprintf(stderr,
			"weir: describe what? weir describe TARGET..., where a target is a "
			"file, a device, a folder, or where one will be\n");
		return STATUS_REFUSED;
	}
	if (a.json) {
		struct json j;
		json_init(&j, &out, JSON_FIO);
		json_object(&j, NULL);
		json_text(&j, "version", call->face->version);
		report_json_environment(&j, a.environment, true);
		json_object_end(&j);
		str_add_char(&out, '\n');
	} else {
		report_stack(a.environment, &out);
		report_gaps(a.environment, &out);
	}
	return around_print(&out, status_of(a.environment));
}
