/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT.  What a unit says of itself, for jobs that check what others wrote. */
#include <endian.h>
#include <string.h>

#include "verify/unit_parts.h"
#include "verify/unit_says.h"

const char *unit_kind_name(enum unit_kind kind)
{
	static const char *const names[] = {
		[UNIT_NONE] = "0",
		[UNIT_CHECKSUM] = "checksum",
		[UNIT_META] = "meta",
		[UNIT_PATTERN] = "pattern",
		[UNIT_PATTERN_HDR] = "pattern_hdr",
		[UNIT_NULL] = "null",
	};
	return names[kind];
}

const char *unit_verdict_name(enum unit_verdict v)
{
	static const char *const names[] = {
		[UNIT_RIGHT] = "right",
		[UNIT_NO_MAGIC] = "no-header",
		[UNIT_BAD_HEADER] = "bad-header",
		[UNIT_MISPLACED] = "misplaced",
		[UNIT_STALE] = "stale",
		[UNIT_OTHER_RUN] = "other-run",
		[UNIT_WRONG_DATA] = "wrong-data",
		[UNIT_NOT_ZERO] = "not-zero",
		[UNIT_WRONG_PATTERN] = "wrong-pattern",
	};
	return names[v];
}

bool unit_says(const struct unit_spec *s, const void *unit, size_t n, struct unit_word *ret)
{
	struct unit_wire wire;

	if (s->kind == UNIT_PATTERN || s->kind == UNIT_NONE || n < unit_bytes_min(s))
		return false;
	memcpy(&wire, (const uint8_t *)unit + s->header_at, UNIT_FIELDS);
	if (wire.magic != htole32(UNIT_MAGIC))
		return false;
	ret->bytes = le32toh(wire.bytes);
	ret->target = le64toh(wire.target);
	ret->run = le64toh(wire.run);
	ret->time_ns = le64toh(wire.time_ns);
	return true;
}
