/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/flags.h"

#include "base/bits.h"
#include "cmd/debug.h"
#include "cmd/flag_types.h"
#include "report/report.h"
#include "run/run.h"

#include <string.h>

/* ---- rows ---- */

static const struct opt_word format_words[] = {
	{"normal", FORMAT_CLASSIC, "fio's text"},
	{"json+", FORMAT_JSON | FORMAT_BINS, "fio's tree with histograms"},
	{"json", FORMAT_JSON, "fio's tree"},
	{"terse", FORMAT_TERSE, "fio's lines of fields"},
	{"minimal", FORMAT_TERSE, "the same"},
	{"csv", FORMAT_CSV, "weir's figures in columns; as fio: terse"},
	{"table", FORMAT_TABLE, "weir's own"},
	{"markdown", FORMAT_MARKDOWN, "the table, for a page"},
	{"summary", FORMAT_SUMMARY, "a line a job"},
	{0},
};

static const struct opt_word idle_words[] = {
	{"system", IDLE_SYSTEM, "all CPUs together"},
	{"percpu", IDLE_PERCPU, "each of them, too"},
	{"calibrate", IDLE_CALIBRATE, "run no job, measure a piece of work"},
	{0},
};

static const struct opt_word environment_words[] = {
	{"masked", RUN_ENV_MASKED, "without serial numbers and the host's name"},
	{"full", RUN_ENV_FULL, "with them"},
	{"none", RUN_ENV_NONE, "nothing is looked at"},
	{0},
};

static const struct opt_word eta_words[] = {
	{"auto", ETA_AUTO, "when the line's stream is a terminal"},
	{"always", ETA_ALWAYS, NULL},
	{"never", ETA_NEVER, NULL},
	{0},
};

#define FLAG_SWITCH(field)  OPT_AS(struct flags, field, bool, flag_switch)
#define FLAG_FORMATS(field) OPT_AS(struct flags, field, uint32_t, flag_formats)
#define FLAG_TEXT(field, label)                                                                \
	.type = FLAG_TEXT_TYPE(label, false),                                                  \
	.offset = OPT_OFFSET(struct flags, field, const char *)
#define FLAG_OPTIONAL(field, label)                                                            \
	.type = FLAG_TEXT_TYPE(label, true),                                                   \
	.offset = OPT_OFFSET(struct flags, field, const char *)
#define FLAG_LIST(field, label)                                                                \
	.type = FLAG_LIST_TYPE(label),                                                         \
	.offset = OPT_OFFSET(struct flags, field, struct opt_names)

/* A flag of fio that weir knows and does not serve. */
#define FLAG_REFUSED(label, optional, sentence)                                                \
	.type = FLAG_TEXT_TYPE(label, optional), .refused = (sentence), .flags = OPT_CLI_ONLY

#define LATER_HOSTS    "comes with many hosts, over ssh, which weir doesn't do yet"
#define LATER_TRIGGERS "triggers come with many hosts"
#define FLAG_NO_MERGE                                                                            \
	"weir merges traces while it replays them, and writes no merged file: name them all in " \
	"read_iolog, with merge_blktrace_file"

/* One-letter aliases are fio's undocumented short forms: after one dash only. */
static const struct opt rows[] = {
	{.name = "output",
		.alias = {"o"},
		FLAG_TEXT(output, "FILE"),
		.flags = OPT_CLI_ONLY,
		.help = "write the report to FILE instead of stdout"},
	{.name = "output-format",
		.alias = {"F"},
		FLAG_FORMATS(formats),
		.words = format_words,
		.flags = OPT_CLI_ONLY,
		.help = "one or more of normal, json, json+, terse, table, markdown, csv, "
			"summary"},
	{.name = "summary",
		OPT_AS(struct flags, formats, uint32_t, flag_summary),
		.words = format_words,
		.flags = OPT_CLI_ONLY | OPT_NATIVE,
		.help = "the same as --output-format=summary"},
	{.name = "units",
		FLAG_TEXT(units, "UNIT,..."),
		.flags = OPT_CLI_ONLY | OPT_NATIVE,
		.help = "of the table's times and rates: ns us ms s, kB MB GB KiB MiB GiB"},
	{.name = "eta",
		.alias = {"e"},
		OPT_WORD(struct flags, eta),
		.words = eta_words,
		.preset = "auto",
		.flags = OPT_CLI_ONLY,
		.help = "show the live line: always, never, auto (on a terminal)"},
	{.name = "eta-interval",
		.alias = {"O"},
		OPT_TIME_S(struct flags, eta_interval_ns),
		.preset = "1",
		.flags = OPT_CLI_ONLY,
		.min = 250 * NS_PER_MS,
		.help = "draw the live line so often, at most every 250 ms"},
	{.name = "eta-newline",
		.alias = {"E"},
		OPT_TIME_S(struct flags, eta_newline_ns),
		.min = 1,
		.flags = OPT_CLI_ONLY,
		.help = "begin a new live line so often"},
	{.name = "status-interval",
		.alias = {"L"},
		OPT_TIME_S(struct flags, status_interval_ns),
		.min = NS_PER_MS,
		.flags = OPT_CLI_ONLY,
		.help = "a full interim report so often"},

	{.name = "bandwidth-log",
		.alias = {"b"},
		FLAG_OPTIONAL(bandwidth_log, "PREFIX"),
		.flags = OPT_CLI_ONLY,
		.help = "log the bandwidth of all jobs to PREFIX-read_bw.log, ... (agg)"},

	{.name = "stream",
		FLAG_TEXT(stream, "FILE"),
		.flags = OPT_CLI_ONLY | OPT_NATIVE,
		.help = "NDJSON while it runs: figures of each second, the result (-: stdout)"},
	{.name = "stream-interval",
		OPT_TIME_S(struct flags, stream_interval_ns),
		.min = 10 * NS_PER_MS,
		.max = 3600 * NS_PER_S,
		.flags = OPT_CLI_ONLY | OPT_NATIVE,
		.help = "figures in the stream and the metrics so often (1 s)"},
	{.name = "metrics-file",
		FLAG_TEXT(metrics, "FILE"),
		.flags = OPT_CLI_ONLY | OPT_NATIVE,
		.help = "OpenMetrics while it runs: FILE is replaced each second"},

	{.name = "plan",
		FLAG_SWITCH(plan),
		.flags = OPT_CLI_ONLY | OPT_NATIVE,
		.help = "print as JSON what would be done; touch nothing"},
	{.name = "parse-only",
		.alias = {"P"},
		FLAG_SWITCH(parse_only),
		.flags = OPT_CLI_ONLY,
		.help = "check the text of jobs and options; look at no target"},
	{.name = "showcmd",
		.alias = {"s"},
		FLAG_SWITCH(show_command),
		.flags = OPT_CLI_ONLY,
		.help = "print the jobs as one command line"},

	{.name = "readonly",
		.alias = {"r"},
		FLAG_SWITCH(read_only),
		.flags = OPT_CLI_ONLY,
		.help = "refuse jobs that write or trim; lay out no file"},
	{.name = "destroy",
		FLAG_LIST(destroy, "TARGET"),
		.flags = OPT_CLI_ONLY | OPT_NATIVE,
		.help = "consent to overwrite what is on TARGET (repeatable)"},
	{.name = "verify-resume",
		FLAG_TEXT(resume, "STATE"),
		.flags = OPT_CLI_ONLY | OPT_NATIVE,
		.help = "read back and check all that a verify_state file says was written"},
	{.name = "target",
		FLAG_LIST(targets, "OLD=NEW"),
		.flags = OPT_CLI_ONLY | OPT_NATIVE,
		.help = "where a target of that state is now (repeatable)"},
	{.name = "override",
		FLAG_LIST(overrides, "OPTION=VALUE"),
		.flags = OPT_CLI_ONLY | OPT_NATIVE,
		.help = "every job has this, whatever its file says (repeatable)"},
	{.name = "section",
		.alias = {"x"},
		FLAG_LIST(sections, "NAME"),
		.flags = OPT_CLI_ONLY,
		.help = "run only this section of the job file (repeatable)"},
	{.name = "warnings-fatal",
		.alias = {"w"},
		FLAG_SWITCH(warnings_fatal),
		.flags = OPT_CLI_ONLY,
		.help = "refuse to run after a warning"},
	{.name = "env",
		OPT_WORD(struct flags, environment),
		.words = environment_words,
		.preset = "masked",
		.flags = OPT_CLI_ONLY | OPT_NATIVE,
		.help = "machine facts in the result: masked, full (serials, host name), none"},
	{.name = "strict",
		FLAG_SWITCH(strict),
		.flags = OPT_CLI_ONLY | OPT_NATIVE,
		.help = "end with status 125 when a note says that a figure is invalid"},
	{.name = "like",
		FLAG_TEXT(like, "TRACE"),
		.flags = OPT_CLI_ONLY | OPT_NATIVE,
		.help = "note in what the load differs from that of TRACE"},
	{.name = "no-notes",
		FLAG_SWITCH(no_notes),
		.flags = OPT_CLI_ONLY | OPT_NATIVE,
		.help = "show no notes about the figures"},
	{.name = "compat",
		FLAG_TEXT(compat, "PROGRAM"),
		.flags = OPT_CLI_ONLY | OPT_NATIVE,
		.help = "behave as PROGRAM: fio, or none (weir's own face)"},
	{.name = "debug",
		.alias = {"d"},
		FLAG_TEXT(debug, "AREA,..."),
		.flags = OPT_CLI_ONLY,
		.help = "trace " DEBUG_AREAS " on stderr; help: about them"},

	{.name = "help",
		.alias = {"h"},
		FLAG_SWITCH(help),
		.flags = OPT_CLI_ONLY,
		.help = "print this page"},
	{.name = "version",
		.alias = {"v"},
		FLAG_SWITCH(version),
		.flags = OPT_CLI_ONLY,
		.help = "print the version"},
	{.name = "cmdhelp",
		.alias = {"c"},
		FLAG_OPTIONAL(option_help, "OPTION"),
		.flags = OPT_CLI_ONLY,
		.help = "about one option; without a name about all"},
	{.name = "enghelp",
		.alias = {"i"},
		FLAG_OPTIONAL(engine_help, "ENGINE[,OPTION]"),
		.flags = OPT_CLI_ONLY,
		.help = "the engines, or the options of one"},

	{.name = "max-jobs",
		.alias = {"j"},
		FLAG_TEXT(ignored, "N"),
		.flags = OPT_CLI_ONLY,
		.help = "accepted for fio's sake",
		.no_effect = "the limit is the machine's"},
	{.name = "alloc-size",
		.alias = {"a"},
		FLAG_TEXT(ignored, "KIB"),
		.flags = OPT_CLI_ONLY,
		.help = "accepted for fio's sake",
		.no_effect = "memory needs no pool size"},

	{.name = "minimal",
		.alias = {"m"},
		OPT_AS(struct flags, formats, uint32_t, flag_minimal),
		.words = format_words,
		.flags = OPT_CLI_ONLY,
		.help = "the same as --output-format=terse"},
	{.name = "append-terse",
		.alias = {"f"},
		OPT_AS(struct flags, append_terse, bool, flag_anyhow),
		.flags = OPT_CLI_ONLY,
		.help = "terse lines, besides"},
	{.name = "terse-version",
		.alias = {"V"},
		OPT_U32(struct flags, terse_version),
		.min = 2,
		.max = 5,
		.preset = "3",
		.flags = OPT_CLI_ONLY,
		.help = "form of the terse lines, 2 to 5"},
	{.name = "inflate-log",
		.alias = {"X"},
		FLAG_TEXT(inflate, "FILE"),
		.flags = OPT_CLI_ONLY,
		.help = "print a log that fio wrote with log_store_compressed, and do no more"},
	{.name = "latency-log",
		.alias = {"l"},
		FLAG_REFUSED("FILE", false,
			"fio removed it too; write_lat_log=FILE is the option")},
	{.name = "client", .alias = {"C"}, FLAG_REFUSED("HOST", false, LATER_HOSTS)},
	{.name = "server",
		.alias = {"S"},
		FLAG_REFUSED("ADDRESS", true, "weir opens no port; this " LATER_HOSTS)},
	{.name = "daemonize",
		.alias = {"D"},
		FLAG_REFUSED("PIDFILE", false, "weir opens no port; this " LATER_HOSTS)},
	{.name = "remote-config", .alias = {"R"}, FLAG_REFUSED("FILE", false, LATER_HOSTS)},
	{.name = "trigger", .alias = {"H"}, FLAG_REFUSED("COMMAND", false, LATER_TRIGGERS)},
	{.name = "trigger-remote", .alias = {"J"}, FLAG_REFUSED("COMMAND", false, LATER_HOSTS)},
	{.name = "trigger-file", .alias = {"W"}, FLAG_REFUSED("FILE", false, LATER_TRIGGERS)},
	{.name = "trigger-timeout",
		.alias = {"B"},
		FLAG_REFUSED("TIME", false, LATER_TRIGGERS)},
	{.name = "aux-path",
		.alias = {"K"},
		FLAG_TEXT(aux_path, "DIR"),
		.flags = OPT_CLI_ONLY,
		.help = "folder of verify_state_save and verify_state_load"},
	{.name = "idle-prof",
		.alias = {"I"},
		OPT_WORD(struct flags, idle),
		.words = idle_words,
		.flags = OPT_CLI_ONLY,
		.help = "tell how idle the CPUs were: system, percpu; calibrate: only a piece of work"},
	{.name = "merge-blktrace-only", .alias = {"A"}, FLAG_REFUSED("", true, FLAG_NO_MERGE)},
	{.name = "cpuclock-test",
		.alias = {"T"},
		FLAG_REFUSED("", true,
			"weir checks its clock at every start: see weir --version")},
	{.name = "crctest",
		.alias = {"G"},
		FLAG_OPTIONAL(crctest, "LIST"),
		.flags = OPT_CLI_ONLY,
		.help = "measure how fast checksums are made, all or those of LIST, and do no more"},
	{.name = "memcpytest",
		.alias = {"M"},
		FLAG_REFUSED("LIST", true, "weir measures storage, not memcpy")},
};

const struct opt_group flags_group = {
	.name = "flags",
	.rows = rows,
	.count = COUNT_OF(rows),
	.size = sizeof(struct flags),
};

bool flags_ask(const struct flags *f)
{
	return f->help || f->version || f->idle == IDLE_CALIBRATE || f->option_help ||
	       f->engine_help || f->inflate || f->crctest || debug_asks(f->debug);
}

const struct report_format *const flags_formats[] = {
	&report_terse,
	&report_json,
	&report_classic,
	&report_table,
	&report_markdown,
	&report_csv,
	&report_summary,
	NULL,
};

_Static_assert(FORMAT_TERSE == 1u << 0 && FORMAT_JSON == 1u << 1 && FORMAT_CLASSIC == 1u << 2 &&
		       FORMAT_TABLE == 1u << 3 && FORMAT_MARKDOWN == 1u << 4 &&
		       FORMAT_CSV == 1u << 5 && FORMAT_SUMMARY == 1u << 6,
	"bit I is entry I of flags_formats");

uint32_t flags_format_bit(const char *name)
{
	for (const struct opt_word *w = format_words; w->word; w++)
		if (strcmp(w->word, name) == 0)
			return (uint32_t)w->value;
	return 0;
}
