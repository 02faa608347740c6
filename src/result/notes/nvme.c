/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What an NVMe device says of itself. */
#include "result/notes/notes.h"

#include "base/bits.h"
#include "result/environment.h"
#include "result/words.h"

#include <inttypes.h>

/* Bits of the SMART log's critical warning. */
enum {
	WARN_SPARE = 1,
	WARN_TEMPERATURE = 2,
	WARN_DEGRADED = 4,
	WARN_READ_ONLY = 8,
	WARN_BACKUP = 16,
};

static uint64_t warning(const struct nvme_raw *n)
{
	return count_or_0(n->critical_warning);
}

static bool hot(const struct note_case *c, struct note_found *f)
{
	const struct nvme_raw *n = c->layer->nvme ? &c->layer->nvme->raw : NULL;

	if (!n || !count_known(n->temperature_c))
		return false;
	bool over = count_known(n->temperature_warning_c) &&
		    n->temperature_c >= n->temperature_warning_c;
	if (!over && !(warning(n) & WARN_TEMPERATURE))
		return false;
	note_number(f, "temperature_c", (double)n->temperature_c);
	if (count_known(n->temperature_warning_c))
		note_number(f, "temperature_warning_c", (double)n->temperature_warning_c);
	return note_say(f, "it is too hot (%" PRIu64 " C): it slows down to cool",
		n->temperature_c);
}

static bool worn(const struct note_case *c, struct note_found *f)
{
	const struct nvme_raw *n = c->layer->nvme ? &c->layer->nvme->raw : NULL;

	if (!n)
		return false;
	bool used = count_known(n->used_percent) && n->used_percent >= 100;
	uint64_t bad = warning(n) & (WARN_SPARE | WARN_DEGRADED | WARN_READ_ONLY | WARN_BACKUP);
	if (!used && !bad)
		return false;
	note_number(f, "critical_warning", (double)warning(n));
	if (count_known(n->used_percent))
		note_number(f, "used_percent", (double)n->used_percent);
	if (count_known(n->spare_percent))
		note_number(f, "spare_percent", (double)n->spare_percent);
	if (bad & WARN_READ_ONLY)
		return note_say(f, "it has given up writing: its media are read-only");
	if (bad)
		return note_say(f,
			"it warns that it can't be trusted any more (critical warning %" PRIu64
			")",
			warning(n));
	return note_say(f, "it has been written %" PRIu64 " %% of what it is made for",
		n->used_percent);
}

static bool media_errors(const struct note_case *c, struct note_found *f)
{
	const struct nvme_raw *n = c->layer->nvme ? &c->layer->nvme->raw : NULL;

	if (!n || !count_known(n->media_errors) || !n->media_errors)
		return false;
	note_number(f, "media_errors", (double)n->media_errors);
	return note_say(f, "it counted %s of its media",
		words_count(n->media_errors, "error").text);
}

#define EXIT_US 1000

static bool power_saving(const struct note_case *c, struct note_found *f)
{
	const struct nvme_raw *n = c->layer->nvme ? &c->layer->nvme->raw : NULL;

	if (!n || n->autonomous_power != 1 || !count_known(n->exit_latency_max_us) ||
		n->exit_latency_max_us < EXIT_US)
		return false;
	note_number(f, "exit_latency_max_us", (double)n->exit_latency_max_us);
	return note_say(f,
		"it goes to sleep by itself, and needs up to %" PRIu64
		" \xc2\xb5s to wake up: that is in latencies at low rates",
		n->exit_latency_max_us);
}

/* Reads of what was never written, or was discarded, don't go to the flash. */
static bool fresh(const struct note_case *c, struct note_found *f)
{
	const struct nvme_raw *n = c->layer->nvme ? &c->layer->nvme->raw : NULL;

	if (!n || !count_known(n->namespace_used_bytes) || !count_known(n->namespace_bytes) ||
		!n->namespace_bytes || n->namespace_used_bytes > n->namespace_bytes / 2)
		return false;
	note_number(f, "used_bytes", (double)n->namespace_used_bytes);
	note_number(f, "bytes", (double)n->namespace_bytes);
	return note_say(f,
		"only %.0f %% of its blocks hold data: reads of the others don't go to the "
		"flash, and writes find more room than later",
		100.0 * (double)n->namespace_used_bytes / (double)n->namespace_bytes);
}

static bool format(const struct note_case *c, struct note_found *f)
{
	const struct nvme_raw *n = c->layer->nvme ? &c->layer->nvme->raw : NULL;

	if (!n || n->format_best != 0)
		return false;
	note_number(f, "block_bytes", (double)n->format_bytes);
	return note_say(f,
		"it is formatted with blocks of %" PRIu64
		" bytes, and says that another format is faster",
		n->format_bytes);
}

#define NVME(name, w, only, fn, todo)                                                          \
	{                                                                                      \
		.id = name, .weight = w, .scope = NOTE_OF_LAYER, .doctor_only = only,          \
		.check = fn, .remedy = todo                                                    \
	}

static const struct note_rule rules[] = {
	NVME("nvme-hot", NOTE_DOUBTFUL, false, hot, "cool it, and begin anew"),
	NVME("nvme-worn", NOTE_DOUBTFUL, false, worn, "don't compare it with a healthy one"),
	NVME("nvme-fresh", NOTE_DOUBTFUL, true, fresh, "fill it before you measure it"),
	NVME("nvme-errors", NOTE_INFO, true, media_errors, NULL),
	NVME("nvme-sleep", NOTE_INFO, true, power_saving,
		"nvme set-feature -f 0x0c -v 0, or nvme_core.default_ps_max_latency_us=0"),
	NVME("nvme-format", NOTE_INFO, true, format, "nvme format --lbaf (it erases all)"),
};

NOTE_TABLE(notes_nvme, rules);
