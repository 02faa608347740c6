/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/face.h"

#include "base/str.h"
#include "config.h"
#include "report/report.h"

#include <stdio.h>
#include <string.h>

static const struct face face_weir = {
	.name = "none",
	.program = "weir",
	.version = "weir " WEIR_VERSION,
	.format = "table",
	.native = true,
	.verbs = true,
	.live_on_stderr = true,
	.json_lines = true,
};

static const struct face face_fio = {
	.name = "fio",
	.program = "fio",
	.version = REPORT_FIO_VERSION,
	.format = "normal",
	.words_inline = true,
};

/* The value of --compat, or NULL; the last one counts. */
static const char *compat_asked(int argc, char **argv)
{
	const char *asked = NULL;
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *word = argv[i];
		if (*word != '-')
			continue;
		word += 1 + (word[1] == '-');
		if (str_starts(word, "compat="))
			asked = word + strlen("compat=");
		else if (strcmp(word, "compat") == 0 && i + 1 < argc)
			asked = argv[++i];
	}
	return asked;
}

const struct face *face_choose(int argc, char **argv)
{
	const char *asked = compat_asked(argc, argv);
	if (!asked) {
		const char *slash = argc ? strrchr(argv[0], '/') : NULL;
		const char *program = slash ? slash + 1 : argc ? argv[0] : "";
		return str_ends(program, "fio") ? &face_fio : &face_weir;
	}
	if (strcmp(asked, face_fio.name) == 0)
		return &face_fio;
	if (strcmp(asked, face_weir.name) == 0)
		return &face_weir;
	fprintf(stderr, "weir: --compat: unknown program '%s'; fio or none\n", asked);
	return NULL;
}
