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
	uint64_t over_limit_count; /* times that it was found too warm (SCT status)        */
	/* In its life, by attributes whose name, as smartctl's database gives it for this
	 * model, has the unit (Host_Writes_32MiB): what hosts and what the media wrote, and the
	 * steps of both. */
	uint64_t host_written_bytes, media_written_bytes;
	uint64_t host_step_bytes, media_step_bytes;
	/* Micron: flash pages programmed for the host, and for the drive itself. */
	uint64_t host_pages, own_pages;
};

extern const struct fact_table ata_table;

#define ATA_TEXT (64 << 10)

/* TEXT is what `smartctl --json` prints: 0, or -EINVAL when it is no such document or tells
 * nothing, with *RET_WHY (in the arena, or constant): what it says instead, or that the disk
 * sleeps.  Texts go to the arena.  Pure. */
int ata_decode(struct arena *a, const char *text, struct ata_facts *ret, const char **ret_why);

/* How smartctl is to find out whether a disk sleeps. */
enum ata_kind {
	ATA_SURE,  /* the kernel knows it as ATA: every smartctl can ask it      */
	ATA_MAYBE, /* SCSI, or behind a bridge: smartctl before 7.3 wakes what is SCSI, and a
		    * bridge may not pass the question on; then it isn't asked   */
};

/* Let smartctl (of PATH, or where systems have it; root's must be a file of root, in a folder
 * of root, that not everybody may write to) ask the device at PATH, unless it sleeps;
 * its output goes to TEXT (ATA_TEXT bytes).  0, -ENOENT when it isn't installed, or a negative
 * errno. May wait for the device; smartctl dies with the caller's thread. */
int ata_ask(const char *path, enum ata_kind kind, char *text);
