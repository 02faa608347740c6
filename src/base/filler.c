/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT. */
#include "base/filler.h"

#include <string.h>

#include "base/bits.h"

static void filler_holes(const struct filler *f, unsigned char *to, size_t bytes,
	uint64_t offset)
{
	for (uint32_t i = 0; i < f->holes_count; i++) {
		for (unsigned k = 0; k < FILLER_OFFSET_BYTES; k++) {
			size_t at = f->holes[i] + k;
			if (at < bytes)
				to[at] = (unsigned char)(offset >> (8 * k));
		}
	}
}

void filler_fill(const struct filler *f, void *buf, size_t bytes, uint64_t offset)
{
	unsigned char *to = buf;
	size_t done = MIN_OF((size_t)f->count, bytes);

	memcpy(to, f->bytes, done);
	filler_holes(f, to, done, offset);
	if (f->count == 1 && bytes) {
		memset(to, to[0], bytes);
		return;
	}
	/* What is there is whole copies of it, so it can be doubled. */
	while (done < bytes) {
		size_t more = MIN_OF(done, bytes - done);
		memcpy(to + done, to, more);
		done += more;
	}
}
