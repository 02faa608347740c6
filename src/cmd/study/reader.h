/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Reading the file of a study, private to file.c (lines and sections) and keys.c. */
#pragma once

#include "cmd/ini.h"
#include "cmd/study/study.h"

/* The section that a line belongs to. */
enum section {
	SECTION_NONE,
	SECTION_STUDY,
	SECTION_GLOBAL,
	SECTION_VARIANT,
	SECTION_WORKLOAD,
};

struct study_reader {
	struct ini file;
	struct study *study;
	enum section section;
	struct study_part *part; /* of that section, in STUDY; NULL: [study]      */
	bool said_study;         /* [study] was there                             */
	uint32_t keys;           /* of [study], that were there: a bit each, by
				  * their order in keys.c                         */
};

/* KEY of the section in hand; VALUE (NULL: there is no '=') may be written to.  0, or a
 * negative errno with "PATH:LINE: ...". */
int study_key_read(struct study_reader *r, const char *key, char *value);
