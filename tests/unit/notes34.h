/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* How each note is provoked, by theme; private to tests/unit/notes34*.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct world;

/* A note, and a change that makes it, and no other, in a quiet world. */
struct note_played {
	const char *id;
	bool doctor; /* `weir doctor` says it before a run, too */
	void (*make)(struct world *w);
};

struct note_played_list {
	const struct note_played *v;
	size_t count;
};

extern const struct note_played_list played_by_run, played_by_machine;
