/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Zones: windows that a job visits one after another (strided), and what fio has
 * for zoned devices (zbd), which weir reads and refuses. */
#include <errno.h>
#include <inttypes.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "plan/draft.h"

enum zones_mode {
	ZONES_NONE,
	ZONES_STRIDED,
	ZONES_DEVICE,
};

struct zones {
	int mode;
	uint64_t size, range;
	struct opt_size skip;
	/* of zoned devices */
	uint64_t capacity;
	bool beyond_wp, ignore_limits, recover, remainder;
	uint32_t open_max, job_open_max;
	double reset_threshold, reset_frequency;
};

static const struct opt_word zones_modes[] = {
	{"none", ZONES_NONE, "no zones"},
	{"strided", ZONES_STRIDED, "zonesize bytes in each window of zonerange"},
	{"zbd", ZONES_DEVICE, "the rules of zoned block devices"},
	{0},
};

static const struct opt zones_rows[] = {
	{.name = "zonemode",
		OPT_WORD(struct zones, mode),
		.words = zones_modes,
		.preset = "none",
		.help = "How zones are treated: none, strided or zbd"},
	{.name = "zonesize",
		OPT_BYTES(struct zones, size),
		.help = "strided: bytes to move in a zone before the next"},
	{.name = "zonerange",
		OPT_BYTES(struct zones, range),
		.help = "strided: size of the window that is a zone; not given: zonesize"},
	{.name = "zoneskip",
		OPT_SIZE(struct zones, skip),
		.help = "strided: gap between zones"},
	{.name = "zonecapacity",
		OPT_BYTES(struct zones, capacity),
		.help = "zbd: usable bytes of a zone"},
	{.name = "read_beyond_wp",
		OPT_BOOL(struct zones, beyond_wp),
		.help = "zbd: read behind the write pointer, too"},
	{.name = "max_open_zones",
		OPT_U32(struct zones, open_max),
		.max = 4096,
		.help = "zbd: zones that all jobs together have open for writing"},
	{.name = "job_max_open_zones",
		OPT_U32(struct zones, job_open_max),
		.max = 4096,
		.help = "zbd: the same of one worker"},
	{.name = "ignore_zone_limits",
		OPT_BOOL(struct zones, ignore_limits),
		.help = "zbd: max_open_zones may be more than the device says"},
	{.name = "zone_reset_threshold",
		OPT_DOUBLE(struct zones, reset_threshold),
		.help = "zbd: share of written blocks, 0 to 1, above which zones are reset"},
	{.name = "zone_reset_frequency",
		OPT_DOUBLE(struct zones, reset_frequency),
		.help = "zbd: resets per write, 0 to 1, above that threshold"},
	{.name = "recover_zbd_write_error",
		OPT_BOOL(struct zones, recover),
		.help = "zbd: repair the write pointer after a failed write"},
	{.name = "write_zone_remainder",
		OPT_BOOL(struct zones, remainder),
		.help = "zbd: fill the end of a zone by a smaller write"},
};

const struct opt_group zones_group = {
	.name = "zones",
	.rows = zones_rows,
	.count = COUNT_OF(zones_rows),
	.size = sizeof(struct zones),
};

/* ---- rules ---- */

static bool zones_without_mode(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct zones *z = block;

	(void)d;
	(void)w;
	if (z->mode != ZONES_NONE || !z->size)
		return false;
	str_add(why,
		"--zonemode=none and --zonesize are not compatible; say what the zones are: "
		"zonemode=strided");
	return true;
}

static bool zones_without_size(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct zones *z = block;

	(void)d;
	(void)w;
	if (z->mode != ZONES_STRIDED || z->size)
		return false;
	str_add(why,
		"--zonesize must be specified when using --zonemode=strided: the bytes to move "
		"in a zone before the next");
	return true;
}

static uint64_t zones_range(const struct zones *z)
{
	return z->range ? z->range : z->size;
}

static bool zones_too_small(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct zones *z = block;

	(void)d;
	if (z->mode != ZONES_STRIDED || zones_range(z) >= block_min(&w->pattern))
		return false;
	str_addf(why,
		"a window of %" PRIu64
		" bytes has no room for a block of %u; raise it or lower bs",
		zones_range(z), block_min(&w->pattern));
	return true;
}

static bool zones_skip_percent(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct zones *z = block;

	(void)d;
	(void)w;
	if (!z->skip.percent)
		return false;
	str_add(why, "a gap is bytes, or zones (2z), not a percentage");
	return true;
}

static bool zones_share_odd(double v, struct str *why)
{
	if (v >= 0 && v <= 1)
		return false;
	str_addf(why, "value out of range: %g (0 to 1)", v);
	return true;
}

static bool zones_threshold_odd(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	(void)d;
	(void)w;
	return zones_share_odd(((const struct zones *)block)->reset_threshold, why);
}

static bool zones_frequency_odd(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	(void)d;
	(void)w;
	return zones_share_odd(((const struct zones *)block)->reset_frequency, why);
}

static const struct rule zones_rules[] = {
	{"zonesize", RULE_ERROR, zones_without_mode},
	{"zonemode", RULE_ERROR, zones_without_size},
	{"zonerange", RULE_ERROR, zones_too_small},
	{"zoneskip", RULE_ERROR, zones_skip_percent},
	{"zone_reset_threshold", RULE_ERROR, zones_threshold_odd},
	{"zone_reset_frequency", RULE_ERROR, zones_frequency_odd},
};

/* ---- derivation ---- */

/* Options that the mode doesn't read. */
static int zones_remarks(struct draft *d, const struct plan_worker *w, const struct zones *z,
	struct err *reterr)
{
	static const char *const strided[] = {"zonerange", "zoneskip"};
	static const char *const device[] = {"zonecapacity", "read_beyond_wp", "max_open_zones",
		"job_max_open_zones", "ignore_zone_limits", "zone_reset_threshold",
		"zone_reset_frequency", "recover_zbd_write_error", "write_zone_remainder"};
	int rc = 0;

	for (size_t i = 0; i < COUNT_OF(strided) && rc == 0 && z->mode == ZONES_NONE; i++)
		if (job_gave(w->job, strided[i]))
			rc = draft_remark(d, w, strided[i], false,
				"without zonemode=strided this changes nothing", reterr);
	for (size_t i = 0; i < COUNT_OF(device) && rc == 0; i++)
		if (job_gave(w->job, device[i]))
			rc = draft_remark(d, w, device[i], false,
				"without zonemode=zbd this changes nothing", reterr);
	return rc;
}

/* fio keeps zones of its own on what has none, when it knows their size. */
static int zones_device(const struct draft *d, const struct plan_worker *w,
	const struct zones *z, struct err *reterr)
{
	for (uint32_t i = 0; i < w->files.count; i++) {
		const struct plan_target *t = targets_at(d->targets, w->files.targets[i]);
		if (t->found.zoned)
			return job_fail(w->job, "zonemode", reterr, -ENOTSUP,
				"\"%s\" is a zoned block device, and this version of weir can't "
				"drive one yet: it would have to follow its write pointers",
				t->path);
		if (!z->size)
			return job_fail(w->job, "zonemode", reterr, -EINVAL,
				"%s: Specifying the zone size is mandatory for regular file/block "
				"device with --zonemode=zbd; for windows on an ordinary target use "
				"zonemode=strided",
				t->path);
	}
	return job_fail(w->job, "zonemode", reterr, -ENOTSUP,
		"zones with write pointers on a target that has none are not in this version of "
		"weir yet; for windows on an ordinary target use zonemode=strided");
}

static int zones_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct zones *z = block;
	struct pattern_spec *p = &w->pattern;

	if (z->mode == ZONES_DEVICE)
		return zones_device(d, w, z, reterr);
	int rc = draft_is_first(d, w) ? zones_remarks(d, w, z, reterr) : 0;
	if (rc < 0 || z->mode == ZONES_NONE)
		return rc;
	uint64_t skip = z->skip.bytes;
	if (z->skip.zones)
		skip = mul_div(z->skip.zones, z->size, 1);
	/* Beyond any file there is no second window. */
	p->zone_size = z->size;
	p->zone_range = MIN_OF(zones_range(z), UINT64_C(1) << 62);
	p->zone_skip = MIN_OF(skip, UINT64_C(1) << 62);
	return 0;
}

const struct part zones_part = {
	.group = &zones_group,
	.rules = zones_rules,
	.rules_count = COUNT_OF(zones_rules),
	.derive = zones_derive,
};
