/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What an ATA disk says of itself, by smartmontools where that is installed. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/fact.h"

struct arena;

struct ata_facts {
	const char *model, *serial, *firmware;        /* serial is secret               */
	const char *link_speed, *link_speed_possible; /* "6.0 Gb/s"              */
	uint64_t rotation_per_minute;                 /* 0: nothing rotates             */
	uint64_t passed;                              /* flag: its own verdict          */
	uint64_t temperature_c, power_on_hours, power_cycles;
	/* attributes 5, 197, 198, 199 */
	uint64_t reallocated_sectors, pending_sectors, uncorrectable_sectors, link_errors;
};

extern const struct fact_table ata_table;

#define ATA_TEXT (64 << 10)

/* TEXT is what `smartctl --json` prints: 0, or -EINVAL when it is no such document or tells
 * nothing.  Texts go to the arena.  Pure. */
int ata_decode(struct arena *a, const char *text, struct ata_facts *ret);

/* Let smartctl ask the device at PATH, unless it sleeps; its output goes to TEXT (ATA_TEXT
 * bytes). 0, -ENOENT when it isn't installed, or a negative errno.  May wait for the device. */
int ata_ask(const char *path, char *text);
