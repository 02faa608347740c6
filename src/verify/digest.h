/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Cryptographic digests, by libcrypto. */
#pragma once

#include "verify/checksum.h"

/* NULL, or what is missing for KIND: the library, or the algorithm in it (a machine's
 * policy may forbid md5).  The first call loads the library and looks all algorithms up, in
 * some 5 ms. */
const char *digest_missing(enum checksum_kind kind);

/* Of the pieces one behind the other.  A thread's first call allocates, none after
 * that. */
void digest_make(enum checksum_kind kind, const struct checksum_piece *piece, unsigned count,
	uint8_t *out);
