/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What docs/options/THEME.md say, put into the program by the build; and docs/engines
 * and docs/notes, as themes whose options are the engines and the notes. */
#pragma once

/* const, made by tools/prose.py: paragraphs in lines, Markdown's marks taken out. */
struct prose {
	const char *theme;
	const char *option; /* NULL: the beginning of the theme, its title first */
	const char *text;   /* lines                                            */
};

/* Theme by theme, each begins with its beginning; ended by a NULL theme. */
extern const struct prose prose_all[];
