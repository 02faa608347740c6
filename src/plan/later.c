/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Options of fio that weir knows and refuses, each with the reason, so that a job
 * is never run as something else than it says.  Who adds one takes its row from
 * here to the file that reads it. */
#include "base/bits.h"
#include "opt/opt.h"

struct later {
	const char *ignored;
};

#define LATER_DATA                                                                             \
	"data verification is not in this version of weir; it comes with data integrity"
#define LATER_YET "not in this version of weir yet"
#define LATER_SPR                                                                              \
	"weir has no preconditioning in SPRandom's order; use rw=randwrite with loops=2 instead"
#define LATER_FDP                                                                              \
	"weir has no engine that sends NVMe placement directives (io_uring_cmd, xnvme)"
#define LATER_GONE "fio removed this option; leave it out"

/* clang-format off */
static const struct opt later_rows[] = {
	/* Data verification */
	{.name = "verify", OPT_REFUSED(LATER_DATA),
		.harmless = {"0"},
		.help = "Stamp what is written and check it when read back"},
	{.name = "do_verify", OPT_REFUSED(LATER_DATA),
		.harmless = {"1", "0"},
		.help = "Check after writing"},
	{.name = "verify_only", OPT_REFUSED(LATER_DATA),
		.harmless = {"0"},
		.help = "Check without writing"},
	{.name = "verify_policy", OPT_REFUSED(LATER_DATA),
		.harmless = {"completed"},
		.help = "Which writes a saved state covers"},
	{.name = "verify_pattern", OPT_REFUSED(LATER_DATA),
		.help = "Pattern to write and check"},
	{.name = "verify_pattern_interval", OPT_REFUSED(LATER_DATA),
		.harmless = {"0"},
		.help = "Make the pattern anew every so many bytes"},
	{.name = "verify_interval", OPT_REFUSED(LATER_DATA),
		.help = "Bytes covered by one header"},
	{.name = "verify_offset", OPT_REFUSED(LATER_DATA),
		.harmless = {"0"},
		.help = "Where in the interval the header is"},
	{.name = "verify_fatal", OPT_REFUSED(LATER_DATA),
		.harmless = {"0"},
		.help = "Stop at the first wrong block"},
	{.name = "verify_dump", OPT_REFUSED(LATER_DATA),
		.harmless = {"0"},
		.help = "Save wrong blocks to files"},
	{.name = "verify_async", OPT_REFUSED(LATER_DATA),
		.harmless = {"0"},
		.help = "Threads that check"},
	{.name = "verify_async_cpus", OPT_REFUSED(LATER_DATA),
		.help = "CPUs of those threads"},
	{.name = "verify_backlog", OPT_REFUSED(LATER_DATA),
		.harmless = {"0"},
		.help = "Check after every so many writes"},
	{.name = "verify_backlog_batch", OPT_REFUSED(LATER_DATA),
		.harmless = {"0"},
		.help = "How many to check at a time"},
	{.name = "verify_state_save", OPT_REFUSED(LATER_DATA),
		.harmless = {"1", "0"},
		.help = "Save how far writing came"},
	{.name = "verify_state_load", OPT_REFUSED(LATER_DATA),
		.harmless = {"0"},
		.help = "Check only as far as a saved state says"},
	{.name = "experimental_verify", OPT_REFUSED(LATER_DATA),
		.harmless = {"0"},
		.help = "Repeat the pattern to check, not a list"},
	{.name = "verify_write_sequence", OPT_REFUSED(LATER_DATA),
		.harmless = {"1"},
		.help = "Check the sequence number in headers"},
	{.name = "verify_header_seed", OPT_REFUSED(LATER_DATA),
		.harmless = {"1"},
		.help = "Check the seed in headers"},
	{.name = "trim_percentage", OPT_REFUSED(LATER_DATA),
		.harmless = {"0"},
		.help = "Percent of the checked blocks to trim"},
	{.name = "trim_verify_zero", OPT_REFUSED(LATER_DATA),
		.harmless = {"1"},
		.help = "Trimmed blocks must read as zeroes"},
	{.name = "trim_backlog", OPT_REFUSED(LATER_DATA),
		.harmless = {"0"},
		.help = "Trim after every so many writes"},
	{.name = "trim_backlog_batch", OPT_REFUSED(LATER_DATA),
		.harmless = {"0"},
		.help = "How many to trim at a time"},
	/* Removed or without meaning */
	{.name = "percentage_sequential", OPT_REFUSED(LATER_GONE),
		.help = "Removed from fio"},
	{.name = "rwmixcycle", OPT_REFUSED(LATER_GONE),
		.help = "Removed from fio"},
	/* Patterns and sizes */
	{.name = "sprandom",
		OPT_REFUSED(LATER_SPR),
		.harmless = {"0"},
		.help = "Precondition in SPRandom's order"},
	{.name = "spr_num_regions",
		OPT_REFUSED(LATER_SPR),
		.harmless = {"100"},
		.help = "Regions of sprandom"},
	{.name = "spr_op",
		OPT_REFUSED(LATER_SPR),
		.harmless = {"0.15"},
		.help = "Over-provisioning for sprandom"},
	{.name = "spr_cs",
		OPT_REFUSED(LATER_SPR),
		.harmless = {"0"},
		.help = "Device cache for sprandom"},
	/* Memory and queue */
	{.name = "gpu_dev_id",
		OPT_REFUSED("weir has no engine that moves data to a GPU's memory"),
		.harmless = {"0"},
		.help = "GPU whose memory is used"},
	/* Errors, reports, profiles */
	{.name = "block_error_percentiles",
		OPT_REFUSED("weir counts errors by kind, not by block"),
		.harmless = {"0"},
		.help = "Histogram of errors per block"},
	{.name = "profile",
		OPT_REFUSED("weir has no built-in sets of jobs; write them as a job file"),
		.help = "Built-in sets of jobs"},
	/* Placement */
	{.name = "fdp",
		OPT_REFUSED(LATER_FDP),
		.harmless = {"0"},
		.help = "Flexible data placement"},
	{.name = "dataplacement", .alias = {"data_placement"},
		OPT_REFUSED(LATER_FDP),
		.harmless = {"none"},
		.help = "Placement directive"},
	{.name = "plid_select", .alias = {"fdp_pli_select"},
		OPT_REFUSED(LATER_FDP),
		.harmless = {"roundrobin"},
		.help = "Which placement comes next"},
	{.name = "plids", .alias = {"fdp_pli"},
		OPT_REFUSED(LATER_FDP),
		.help = "Placements allowed"},
	{.name = "dp_scheme",
		OPT_REFUSED(LATER_FDP),
		.help = "File that maps offsets to placements"},
	/* Without effect in fio, too */
	{.name = "verifysort", OPT_TEXT(struct later, ignored),
		.help = "Sort blocks before they are checked", .no_effect = "fio ignores it, too: this changes nothing"},
	{.name = "verifysort_nr", OPT_TEXT(struct later, ignored),
		.help = "How many to sort", .no_effect = "fio ignores it, too: this changes nothing"},
	{.name = "flow_watermark", OPT_TEXT(struct later, ignored),
		.help = "Balance of a flow", .no_effect = "fio ignores it, too: this changes nothing"},
};
/* clang-format on */

const struct opt_group later_group = {
	.name = "later",
	.rows = later_rows,
	.count = COUNT_OF(later_rows),
	.size = sizeof(struct later),
};
