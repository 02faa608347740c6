/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The program's own flags: what is said to weir and not to a job.
 *
 * They are option rows like all others, in a group of this folder: no job holds
 * them, and a job file can't set them (OPT_CLI_ONLY).  Verbs with words of their own
 * (compare, study, ...) read these in their own files.
 *
 * A struct flags holds what was typed; what follows from it (which formats come out, whether
 * a live line is drawn) is decided where it is used. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "opt/opt.h"

struct report_format;

/* Bits of flags.formats. */
enum format_bit {
	FORMAT_TERSE = 1u << 0,
	FORMAT_JSON = 1u << 1,
	FORMAT_CLASSIC = 1u << 2,
	FORMAT_TABLE = 1u << 3,
	FORMAT_MARKDOWN = 1u << 4,
	FORMAT_CSV = 1u << 5, /* as fio the word means terse */
	FORMAT_SUMMARY = 1u << 6,
	FORMAT_BINS = 1u << 7, /* no document of its own: json+ */
};

enum eta_when {
	ETA_AUTO, /* when its stream is a terminal */
	ETA_ALWAYS,
	ETA_NEVER,
};

enum idle_asked { /* --idle-prof */
	IDLE_NONE,
	IDLE_SYSTEM,
	IDLE_PERCPU,
	IDLE_CALIBRATE, /* instead of a run */
};

/* One for a call.  Texts are the words of argv; a zeroed struct with the presets is "nothing
 * was said". */
struct flags {
	/* results */
	const char *output; /* NULL: stdout                                     */
	uint32_t formats;   /* enum format_bit; 0: the face's                   */
	bool append_terse;
	uint32_t terse_version;
	const char *units; /* fixed by --units; NULL: by the figures           */
	int eta;           /* enum eta_when                                    */
	uint64_t eta_interval_ns;
	uint64_t eta_newline_ns; /* 0: one line, drawn over and over            */
	uint64_t status_interval_ns;
	const char *bandwidth_log;   /* prefix of the aggregate logs; NULL: none      */
	const char *stream;          /* file of the stream, "-": stdout; NULL: none   */
	uint64_t stream_interval_ns; /* 0: not said; see follow->interval_ns         */
	const char *inflate;         /* a log of fio's to print; NULL: none                  */
	const char *crctest;         /* checksums to measure, "": all; NULL: none             */
	const char *metrics;         /* file of the metrics; NULL: none                     */

	/* instead of a run; a text that is NULL was not asked for, "" is all   */
	bool help, version;
	int idle; /* enum idle_asked                                            */
	bool plan, show_command, parse_only;
	const char *option_help;
	const char *engine_help; /* "", "ENGINE", "ENGINE,OPTION"               */

	/* what may run */
	bool read_only, warnings_fatal;
	bool strict;      /* an invalid note is a status of its own                  */
	bool no_notes;    /* show none                                               */
	const char *like; /* a trace that the load shall be like; NULL: none       */
	int environment;  /* enum run_environment                                  */
	struct opt_names sections;
	struct opt_names destroy;
	const char *resume;         /* a state file to read back; NULL: none           */
	struct opt_names targets;   /* where its targets are: OLD=NEW                  */
	const char *aux_path;       /* folder of fio's state files; NULL: this one     */
	struct opt_names overrides; /* "NAME=VALUE"                               */

	const char *debug;
	const char *compat;  /* read by face_choose()                           */
	const char *ignored; /* fio's flags that mean nothing here              */
};

extern const struct opt_group flags_group;

/* One of help, version, option_help, engine_help was asked for. */
bool flags_ask(const struct flags *f);

/* The formats that can come out, in the order in which they do, ended by NULL;
 * entry I belongs to the bit 1u << I. */
extern const struct report_format *const flags_formats[];

/* The bit of the format that is called NAME, 0 when there is none. */
uint32_t flags_format_bit(const char *name);
