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

#define LATER_SPR                                                                              \
	"weir has no preconditioning in SPRandom's order; use rw=randwrite with loops=2 instead"
#define LATER_FDP                                                                              \
	"weir has no engine that sends NVMe placement directives (io_uring_cmd, xnvme)"
#define LATER_GONE "fio removed this option; leave it out"

/* clang-format off */
static const struct opt later_rows[] = {
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
