/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/cmd.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/face.h"
#include "cmd/output.h"
#include "config.h"
#include "engine/engine.h"
#include "sys/clock.h"
#include "sys/machine.h"

#include <unistd.h>

static const struct {
	const char *name;
	bool built_in;
	const char *without; /* what is missing then */
} libraries[] = {
	{"liburing", HAVE_LIBURING, "the engine io_uring"},
	{"libaio", HAVE_LIBAIO, "the engine libaio"},
	{"libblkid", HAVE_LIBBLKID, "the look for file systems on block devices"},
	{"libzstd", HAVE_LIBZSTD, "compressed binary logs (log_zstd) and traces"},
	{"zlib", HAVE_ZLIB, "traces compressed by gzip, and fio's compressed logs"},
	{"isa-l", HAVE_LIBISAL, "fast crc32, crc32c and crc64 (verify)"},
	{"xxhash", HAVE_XXHASH, "verify=xxhash"},
	{"libcrypto", HAVE_LIBCRYPTO, "verify=md5, sha1, sha256, sha512 and sha3"},
};

static void add_libraries(struct str *out)
{
	str_add(out, "built with  ");
	for (size_t i = 0; i < COUNT_OF(libraries); i++)
		if (libraries[i].built_in)
			str_addf(out, " %s", libraries[i].name);
	str_add(out, "\n");
	for (size_t i = 0; i < COUNT_OF(libraries); i++)
		if (!libraries[i].built_in)
			str_addf(out, "left out     %s: without %s\n", libraries[i].name,
				libraries[i].without);
}

static void add_engines(struct str *out)
{
	str_add(out, "engines     ");
	for (size_t i = 0; i < engines_count; i++)
		if (!(engines[i]->flags & ENGINE_HIDDEN))
			str_addf(out, " %s", engines[i]->name);
	str_add(out, "\n");
	for (size_t i = 0; i < engines_count; i++) {
		struct err err;
		if (engines[i]->probe && engines[i]->probe(&err) < 0)
			str_addf(out, "not here     %s: %s\n", engines[i]->name, err.text);
	}
}

static void add_machine(struct str *out)
{
	struct machine machine;
	struct clock clock;
	machine_look(&machine);
	str_addf(out, "kernel       %s\n", machine.kernel);
	if (clock_init(&clock, CLOCK_AUTO, NULL) < 0)
		return;
	str_addf(out, "clock        %s, %.0f ns a stamp", clock.name, clock.stamp_cost_ns);
	if (clock.step_ns >= 2)
		str_addf(out, ", in steps of %.0f ns", clock.step_ns);
	if (clock.why)
		str_addf(out, " (not the CPU's counter: %s)", clock.why);
	str_add(out, "\n");
}

int cmd_version(const struct cmd_call *call)
{
	scope_with(str_done) struct str out = {0};
	str_addf(&out, "%s\n", call->face->version);
	if (call->face->native) {
		add_libraries(&out);
		add_engines(&out);
		add_machine(&out);
	}
	if (!out.failed && output_write(STDOUT_FILENO, str_text(&out), out.len) == 0)
		return STATUS_OK;
	return STATUS_REFUSED;
}
