/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A unit was found wrong while others near it were written: maybe it was itself, so often
 * that its cell looks as before.  It is read again, alone, until that can't be. */
#include "run/verify/again.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/bits.h"
#include "run/verify/verify.h"

#define AGAIN_TRIES 8
#define AGAIN_ALIGN 4096 /* what O_DIRECT may want */

/* The unit at OFFSET, somewhere in BUF, which has room around it; NULL on failure. */
static unsigned char *again_read(int fd, unsigned char *buf, uint64_t offset, uint32_t n)
{
	const uint64_t from = round_down(offset, AGAIN_ALIGN);
	const uint64_t end = round_up(offset + n, AGAIN_ALIGN);
	ssize_t got = pread(fd, buf, end - from, (off_t)from);

	return got >= (ssize_t)(offset - from + n) ? buf + (offset - from) : NULL;
}

bool verify_still_wrong(struct verify *v, const struct verify_slot *s,
	const struct unit_spec *spec, uint64_t unit)
{
	const struct cells *c = verify_cells(v, s);
	const int fd = v->targets[s->file].fd;
	unsigned char *buf = NULL;
	bool wrong = false;

	if (fd < 0 || posix_memalign((void **)&buf, AGAIN_ALIGN, spec->bytes + 2 * AGAIN_ALIGN))
		return false;
	for (int i = 0; i < AGAIN_TRIES; i++) {
		struct unit_expect e = {.target = v->identity[s->file]};
		const uint64_t changes = cells_changes(c, unit, 1);
		const uint8_t was = cells_look(c, unit);
		const unsigned char *got = again_read(fd, buf, unit * spec->bytes, spec->bytes);
		wrong = got && cells_expect(c, unit, was, &e) &&
			unit_check(spec, &e, got, spec->bytes) != UNIT_RIGHT;
		if (!wrong || cells_changes(c, unit, 1) == changes)
			break;
	}
	free(buf);
	return wrong;
}
