/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* All of weir's figures as comma separated values (RFC 4180): a line per job and
 * direction that it used, a column per figure, empty where it was not measured. */
#include "base/str.h"
#include "report/figures.h"
#include "report/report.h"
#include "result/result.h"

#include <inttypes.h>
#include <string.h>

static void csv_text(struct str *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		str_add(out, text);
		return;
	}
	str_add_char(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			str_add_char(out, '"');
		str_add_char(out, *text);
	}
	str_add_char(out, '"');
}

static void csv_titles(struct str *out)
{
	str_add(out, "job,group,jobs,what,direction");
	for (size_t i = 0; i < figures_dir_count; i++)
		str_addf(out, ",%s", figures_dir[i].key);
	for (size_t i = 0; i < figures_row_count; i++)
		str_addf(out, ",job_%s", figures_row[i].key);
	str_add_char(out, '\n');
}

static void csv_figures(struct str *out, const struct figure *list, size_t count,
	const struct result_row *row, enum dir dir)
{
	for (size_t i = 0; i < count; i++) {
		struct figure_value v;
		str_add_char(out, ',');
		if (!figure_get(&list[i], row, dir, &v))
			continue;
		if (list[i].kind == FIGURE_REAL)
			str_addf(out, "%f", v.real);
		else
			str_addf(out, "%" PRIu64, v.whole);
	}
}

static void csv_line(struct str *out, const struct result_row *row, enum dir dir)
{
	csv_text(out, row->name);
	str_addf(out, ",%" PRIu32 ",", row->group);
	if (row->members) /* 0: imported, and not said */
		str_addf(out, "%" PRIu32, row->members);
	str_add_char(out, ',');
	csv_text(out, row->what ? row->what : "");
	str_addf(out, ",%s", dir_name(dir));
	csv_figures(out, figures_dir, figures_dir_count, row, dir);
	csv_figures(out, figures_row, figures_row_count, row, dir);
	str_add_char(out, '\n');
}

static void csv_print(const struct result *r, const struct report_how *how, struct str *out)
{
	(void)how;
	csv_titles(out);
	for (uint32_t i = 0; i < r->rows_count; i++)
		for (int dir = 0; dir < DIRS; dir++)
			if (!result_row_hidden(&r->rows[i]) &&
				result_dir_used(&r->rows[i].dir[dir]))
				csv_line(out, &r->rows[i], (enum dir)dir);
}

const struct report_format report_csv = {
	.name = "csv",
	.machine = true,
	.print = csv_print,
};
