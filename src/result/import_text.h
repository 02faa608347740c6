/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What the parts of the reader of fio's classic text share.  Private to result/.
 *
 *	bytes ──▶ lines ──▶ logical lines ──▶ segments ──▶ one run ──▶ result
 *	          import_text_lines.c         import_text_scan.c
 *	                                      import_text_job.c, _group.c
 *
 * A segment begins with words of fio ("clat (usec):", "cpu :") and reaches up to the
 * next ones, wherever lines were broken: so text reads the same when it is quoted,
 * wrapped, indented, or all on one line.  Nothing here is an error but memory: what
 * isn't fio's is passed over. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result/import_parts.h"

/* ---- lines (import_text_lines.c) ---- */

#define TEXT_ROOM 65536 /* bytes of a logical line; longer ones are read in parts */

/* A logical line: a line of fio's with what mail programs broke off it, blanks joined
 * to one. Its lines are joined with '\n' where one began, for names of jobs. */
struct text_lines {
	char raw[TEXT_ROOM]; /* the line that is being fed    */
	size_t raw_len;
	char line[TEXT_ROOM]; /* the logical line; ends in NUL */
	size_t len;
	unsigned joined; /* lines in it                              */
	bool after_cr;   /* a '\n' now ends no line                  */
	bool soft;       /* the last line ended in "=" (quoted-printable): no blank   */
	bool lost;       /* line breaks are: parts of fio's text begin within lines    */
	uint64_t number; /* of the line that is being fed, from 1    */
	uint64_t first;  /* of the logical line                      */
	void *ctx;
	/* A whole logical line, or with MORE all but its rest: how much of it was used. */
	size_t (*take)(void *ctx, char *line, size_t len, bool more);
};

/* Any pieces of a text, in order; take() is called for each line that became whole.  At the end
 * what is left is a line. */
void text_lines_feed(struct text_lines *l, const char *bytes, size_t len);
void text_lines_end(struct text_lines *l);

/* ---- segments (import_text_scan.c) ---- */

/* What a segment is: the line or part of a line in fio's classic output, by the words that it
 * begins with. */
enum text_kind {
	TEXT_NONE,
	TEXT_HEADER,  /* "mix: (g=0): rw=randrw, ..." */
	TEXT_VERSION, /* "fio-3.33" */
	TEXT_STARTING,
	TEXT_STATUS, /* "Jobs: 1 (f=1): [r(1)]..." */
	TEXT_MESSAGE,
	TEXT_HEAD, /* "mix: (groupid=0, jobs=2): err= 0: pid=1" */
	TEXT_DESCRIPTION,
	TEXT_DIRECTION,
	TEXT_LATENCY,     /* also the distribution: "lat (usec) : 2=0.01%" */
	TEXT_PERCENTILES, /* title */
	TEXT_CELLS,
	TEXT_BW,
	TEXT_IOPS,
	TEXT_SYNC,
	TEXT_CPU,
	TEXT_DEPTHS,
	TEXT_SUBMIT,
	TEXT_COMPLETE,
	TEXT_ISSUED,
	TEXT_ERRORS,
	TEXT_GOAL,
	TEXT_LIFETIME,
	TEXT_STEADY,
	TEXT_GROUP,
	TEXT_GROUP_LINE,
	TEXT_DISKS,
	TEXT_DISK,
	TEXT_IDLE,
	TEXT_IDLE_LINE,
	TEXT_OTHER, /* fio's words without figures */
};

/* A part of a line that has a meaning of its own; offsets in bytes. */
struct text_segment {
	enum text_kind kind;
	size_t begin; /* with its name, where it has one     */
	size_t body;  /* behind the words that it is known by */
};

/* The first segment of LINE that begins at FROM or later.  FLOOR: where the one before
 * has its body, or 0. */
bool text_scan(const char *line, size_t from, size_t floor, struct text_segment *ret);

/* Does a line begin like one of fio's? */
bool text_begins(const char *line);

/* Does a part of fio's text that has lines of its own begin inside LINE? */
bool text_begins_within(const char *line);

/* "fio-2.1.11", "fio 1.59" or "2.0.8": its length, else 0. */
size_t text_version(const char *at);

/* ---- values (import_text_values.c) ---- */

/* A figure as it stands in a text, and what follows it. */
struct text_number {
	double v;
	unsigned decimals;
	char suffix[12]; /* "KB/s", "msec", "k", "" */
	const char *end;
};

/* At AT, blanks before it passed over; none beyond IMPORT_REAL_MAX. */
bool text_number(const char *at, struct text_number *ret);

/* Behind "KEY" (which ends in '=') where it begins a word. */
bool text_find(const char *body, const char *key, struct text_number *ret);
bool text_find_whole(const char *body, const char *key, uint64_t *ret);

/* Bytes (per second) of a number with its unit.  OLD: fio 2.16 and older, where KB is
 * 1024 bytes; later kB is 1000 and KiB 1024.  0: no unit of size. */
double text_size_unit(const char *suffix, bool old);

/* 1, 1000 of "k", ...; 0: no such. */
double text_count_unit(const char *suffix);

/* V UNITs, at most 1e18: what no figure ever is still fits 64 bits. */
double text_times(double v, double unit);

/* How much the last digit is worth. */
double text_step(const struct text_number *n);

/* "usec", "msec", "nsec" (also "us", ...); 0: none of them. */
double text_time_unit(const char *suffix);

/* Non-negative and below 2^63, rounded. */
uint64_t text_whole(double v);

/* ---- a run ---- */

#define TEXT_UNKNOWN (UINT64_MAX - 1) /* a percentile that was told in two ways */
#define TEXT_NAME    256
#define TEXT_ROWS    4096 /* job blocks of a run; more begin another result */
#define TEXT_HEADERS 1024
#define TEXT_GROUPS  1024

/* "mix: (g=0): rw=randrw, bs=4K-4K/4K-4K, ioengine=libaio, iodepth=8" */
struct text_header {
	char name[TEXT_NAME], rw[24], engine[40];
	uint32_t group, depth;
	double least[DIRS], most[DIRS]; /* block sizes; 0: not said */
	bool clash;                     /* several of the name that differ */
};

/* What a direction line said, for checks when all of the block is known. */
struct text_said {
	double iops_step; /* 0: written in full; else what its last digit is worth */
	double bytes_step;
};

/* What the lines of a group said. */
struct text_group_said {
	uint32_t id;
	bool given[RESULT_DIRS];
	struct result_group_dir dir[RESULT_DIRS];
	double step[RESULT_DIRS]; /* of rates: what the last digit is worth */
	double bytes_step[RESULT_DIRS];
};

/* One text being read.  Everything below `lines` is what was said before the place where it
 * stands. */
struct text_reader {
	struct import in; /* in.r: the run that is being read; NULL: none */
	struct import_sink sink;
	struct text_lines lines;
	uint64_t results, empty;      /* runs that came out; without any job */
	char last_message[TEXT_NAME]; /* of an empty run */
	char comment[TEXT_NAME];      /* "# ..." above a run */
	bool stopped;                 /* by the sink         */

	/* Of the run.  What stood at its beginning is for the next one too when that
	 * has no beginning and is of the same process: --status-interval. */
	struct text_header headers[TEXT_HEADERS];
	uint32_t headers_count;
	char version[64];
	unsigned major; /* of the version; 0: not said */
	bool stale;     /* all of these are of the run before, whose first pid was: */
	int stale_pid;
	uint32_t rows_room;
	struct text_group_said groups[TEXT_GROUPS];
	uint32_t groups_count;
	struct text_group_said *group; /* the one being read */
	bool groups_seen, disks_seen;

	/* Of the job block. */
	bool in_row;
	int dir; /* of the direction being read; -1: none */
	bool old;
	bool in_sync;
	bool has_depths;
	struct latency *table; /* whose percentiles are being read; NULL: nobody's */
	uint64_t table_ns;
	struct text_said said[RESULT_DIRS];
};

/* NAME: of the file. Whoever feeds ends it, too; then all results are out.
 * Memory: one run. 0, the sink's or -ENOMEM. */
struct text_reader *text_reader_new(const char *name, const struct import_sink *to,
	struct err *err);
int text_reader_feed(struct text_reader *t, const char *bytes, size_t len);
int text_reader_end(struct text_reader *t);
/* That nothing was in BYTES of text: -EINVAL, and what was looked for. */
int text_reader_fault(const struct text_reader *t, uint64_t bytes);
void text_reader_free(struct text_reader *t);

/* The row being read, or NULL. */
struct result_row *text_row(struct text_reader *t);
struct result_style *text_style(struct text_reader *t);

/* The header of ROW, or NULL. */
const struct text_header *text_header_of(const struct text_reader *t, const char *name,
	uint32_t group);

/* Parts of a block: BODY ends in NUL. NAME: what stands before it. */
void text_read_header(struct text_reader *t, const char *name, const char *body);
void text_read_head(struct text_reader *t, const char *name, const char *body);
void text_read_direction(struct text_reader *t, const char *words, const char *body);
void text_read_latency(struct text_reader *t, const char *words, const char *body);
void text_read_percentiles(struct text_reader *t, const char *words);
void text_read_cells(struct text_reader *t, const char *body);
void text_read_bw(struct text_reader *t, const char *words, const char *body);
void text_read_iops(struct text_reader *t, const char *body);
void text_read_row(struct text_reader *t, enum text_kind kind, const char *body);
void text_row_end(struct text_reader *t);

void text_read_group(struct text_reader *t, const char *body);
void text_read_group_line(struct text_reader *t, const char *words, const char *body);
void text_read_disk(struct text_reader *t, const char *name, const char *body);
void text_read_idle(struct text_reader *t, const char *words, const char *body);
void text_groups_end(struct text_reader *t);
