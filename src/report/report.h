/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Result to text.  Pure: reads a result, appends to a string; one file a format.
 * Includes result, stat, opt and base only.
 *
 * Two kinds.  fio's forms (classic, json, terse) are what other programs parse: they are told
 * by plain code, field by field, and change only as fio does.  weir's own (table, markdown,
 * csv, summary, and the "weir" objects of JSON) walk the rows of figures.h.
 *
 * A text that memory ran out for is known by str.failed: print() itself can't fail. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct result;
struct str;

/* Units that --units fixes; a NULL name: chosen by the figures. */
struct report_unit {
	const char *name; /* "us" is shown as its sign */
	double size;      /* of one, in ns, or in bytes */
};

/* A zeroed one fixes nothing. */
struct report_units {
	struct report_unit latency;
	struct report_unit bandwidth; /* per second */
};

/* TEXT is a comma list of units: ns us ms s, and kB MB GB KiB MiB GiB.  0 or
 * -EINVAL and what is wrong. */
struct err;
int report_units_read(const char *text, struct report_units *ret, struct err *reterr);

/* What a caller decides about the form; zeroed is valid.  Each format reads what concerns
 * it. */
struct report_how {
	bool native;            /* add weir's own objects to JSON                    */
	bool colour;            /* ANSI colours in the native table                  */
	uint32_t columns;       /* width of the terminal; 0: 100                     */
	const char *version;    /* "fio-3.42" or "weir 0.1"                        */
	bool stdout_is_mixed;   /* messages array only when the format is alone   */
	bool deciding_only;     /* of a comparison: the figure that decides, no other */
	bool bins;              /* JSON+: histograms in JSON                       */
	uint32_t terse_version; /* 2 to 5; 0: 3                                  */
	struct report_units units;
};

/* const, one per format, at the end of its file. */
struct report_format {
	const char *name; /* as in --output-format: "normal", "json", "table"  */
	bool machine;     /* words must not stand beside it                    */
	void (*print)(const struct result *r, const struct report_how *how, struct str *out);
};

extern const struct report_format report_classic;  /* fio's normal output   */
extern const struct report_format report_json;     /* fio's tree            */
extern const struct report_format report_table;    /* weir's own            */
extern const struct report_format report_terse;    /* fio's, one line a row */
extern const struct report_format report_markdown; /* the table, for a page */
extern const struct report_format report_csv;      /* all of weir's figures */
extern const struct report_format report_summary;  /* a line a job          */

/* A JSON document that is on several lines to one without a line end.  No string in it
 * holds a newline, so each one and the blanks after it are indentation. */
void report_one_line(struct str *doc);

/* Notes by themselves, for whoever has no rows: the table's, with a line "notes" above
 * them, nothing when there are none; and an array of that name in an open object. */
struct json;
void report_notes(const struct result *r, const struct report_how *how, struct str *out);
void report_notes_markdown(const struct result *r, struct str *out);
void report_json_notes(struct json *j, const struct result *r);

/* The release of fio whose output forms these are; what a program that looks for
 * "fio-3." is told. */
#define REPORT_FIO_VERSION "fio-3.42"

/* fio's num2str: VALUE with DIGITS digits (0: 4), prefix by BASE (1000 or 1024) and
 * UNIT ("B", "B/s", "bit/s", "").  It is divided by BASE until it has no more than DIGITS
 * digits; only the last remainder rounds. */
void report_scaled(struct str *out, uint64_t value, unsigned digits, unsigned base,
	const char *unit);

/* The header line of a job in classic text, printed before the run. */
struct report_job_head {
	const char *name;
	uint32_t group;
	const char *rw;
	uint64_t bs_min[3], bs_max[3];
	bool bs_by_order; /* the first is of sequential, the second of random requests */
	const char *engine;
	uint32_t depth;
	bool clones;      /* a line "..." follows */
	uint32_t kb_base; /* 1024 (0 means the same) or 1000 */
	uint32_t digits;  /* significant_figures; 0: 4 */
};
void report_classic_head(const struct report_job_head *head, struct str *out);

/* The live line in fio's form ("Jobs: 1 (f=1): [r(1)][50.0%]..."), without CR and padding. */
struct run_view_text {
	uint32_t running, open_files;
	const char *states;
	uint64_t bytes_per_s[3], ios_per_s[3];
	bool moved[3];
	uint64_t rate_min, rate_max;
	bool rate_ios;
	bool eta_known;
	uint64_t eta_s;
	double percent;
};
void report_live_line(const struct run_view_text *view, struct str *out);
