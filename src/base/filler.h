/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Bytes that are written again and again: what a user said as a pattern of bytes
 * (buffer_pattern, verify_pattern), with places for the offset of the block.
 *
 *   "ab" %o 0xff     61 62 [offset: 8 bytes, lowest first] ff                    */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Bytes that a hole takes, whatever the offset. */
#define FILLER_OFFSET_BYTES 8

/* A zeroed one is empty: nothing was said. */
struct filler {
	const uint8_t *bytes; /* holes are zero in it                            */
	uint32_t count;
	const uint32_t *holes; /* where an offset goes, in order                 */
	uint32_t holes_count;
};

/* Fill BUF with F from its first byte on, again and again; the last one is cut.
 * OFFSET goes into the holes.  F isn't empty.  HOT. */
void filler_fill(const struct filler *f, void *buf, size_t bytes, uint64_t offset);
