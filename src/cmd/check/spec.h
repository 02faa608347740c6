/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A spec file: what somebody claims of a product, and under which conditions.
 *
 *	[product]
 *	name = ACME 400 GB
 *
 *	[claim "Random 4K read"]
 *	says = "up to 430,000 IOPS"           the vendor's words
 *	where = rw=randread bs=4k depth>=32   which jobs it is about
 *	needs = direct=1 preconditioned       what must hold for it to be judged
 *	expect = read.iops >= 430k            assertions; the line may be repeated
 *
 * A comment begins with # or ; at the beginning of a line or behind a blank, outside
 * quotes.  A file with NUL bytes is refused. */
#pragma once

#include "base/arena.h"
#include "cmd/check/condition.h"

#include <stddef.h>

/* A [claim "..."]; what it has stands in the arena of its spec. */
struct spec_claim {
	const char *name, *says; /* says may be NULL */
	unsigned line;           /* of its head      */
	struct condition_list where, needs;
	struct assertion_list *expects; /* a list for each line */
	unsigned *expects_line;
	uint32_t expects_count;
};

/* A spec file; everything is in its arena.  spec_done(). */
struct spec {
	struct arena arena;
	const char *path;
	const char *product, *source; /* or NULL */
	struct spec_claim *claims;
	uint32_t count;
};

/* TEXT (LEN bytes) of the file PATH.  0, -ENOMEM, or -EINVAL with "PATH:LINE: ...".
 * RET is valid for spec_done() in any case. */
int spec_read(const char *path, const char *text, size_t len, struct spec *ret,
	struct err *reterr);

void spec_done(struct spec *spec);
