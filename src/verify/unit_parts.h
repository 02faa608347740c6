/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What unit.c and unit_explain.c share. */
#pragma once

#include "verify/unit.h"

#define UNIT_MAGIC  UINT32_C(0x72696577) /* "weir" */
#define UNIT_FORMAT 1
#define UNIT_REMAKE 1 /* flag: the payload follows from the header */

/* A header as it lies in a unit, little-endian. */
struct unit_wire {
	uint32_t magic;
	uint8_t format, checksum, generation, flags;
	uint32_t bytes, worker;
	uint64_t run, offset, serial, time_ns, target;
	uint8_t sum[CHECKSUM_MAX]; /* as many as unit_sum_room() */
};

/* Before the checksum. */
#define UNIT_FIELDS offsetof(struct unit_wire, sum)

/* Bytes of the header that the checksum takes, at least 8. */
uint32_t unit_sum_room(const struct unit_spec *s);

/* The checksum of a unit with header WIRE, whose other bytes are in UNIT; in what is no
 * UNIT_CHECKSUM, of the header's fields alone.  SUM beyond it is zeroed up to the room. */
void unit_sum(const struct unit_spec *s, const struct unit_wire *wire, const uint8_t *unit,
	size_t n, uint8_t sum[CHECKSUM_MAX]);

/* The payload of one unit of N bytes; STAMP->offset is its own. */
void unit_remake(const struct unit_spec *s, const struct data *d,
	const struct unit_stamp *stamp, void *unit, size_t n);

/* The pattern for bytes [OFFSET, OFFSET + N) of the target; one that has no interval and no
 * units begins at BASE. */
void unit_pattern(const struct unit_spec *s, uint64_t base, uint64_t offset, void *buf,
	size_t n);

bool unit_is_zero(const void *unit, size_t n);
