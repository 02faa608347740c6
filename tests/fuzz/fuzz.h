/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What fuzz targets share. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(holds, ...)                                                                       \
	do {                                                                                   \
		if (!(holds)) {                                                                \
			fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #holds);            \
			fprintf(stderr, __VA_ARGS__);                                          \
			fputc('\n', stderr);                                                   \
			abort();                                                               \
		}                                                                              \
	} while (0)

/* From here on one allocation in RATE fails, which ones is decided by SEED; RATE 0:
 * none. */
void memory_fails(uint32_t seed, uint32_t rate);

/* The input behind its "#fail SEED RATE\n" as a text, which the caller frees; from here on that
 * line is obeyed. */
char *memory_text(const uint8_t *data, size_t size, size_t *ret_len);

/* Take "#fail SEED RATE\n" off the beginning of an input, and obey it. */
void memory_fails_as_said(const uint8_t **data, size_t *size, uint32_t *ret_seed,
	uint32_t *ret_rate);
