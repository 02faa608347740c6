/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT: data_fill() runs before each write. */
#include "gen/data.h"

#include <string.h>

#include "base/bits.h"
#include "base/rng.h"

void data_init(struct data *d, const struct data_spec *spec)
{
	*d = (struct data){.spec = *spec};
	noise_init(&d->noise, spec->seed, spec->path);
	dedupe_init(&d->dedupe, &spec->dedupe);
}

/* VALUE, uniform in 64 bits, as one below N. */
static inline uint64_t mul_high(uint64_t value, uint64_t n)
{
	__extension__ unsigned __int128 wide = (unsigned __int128)value * n;
	return (uint64_t)(wide >> 64);
}

/* The end of each chunk, to the nearest byte; a last chunk that is shorter gets its
 * share. */
static void data_soften(const struct data *d, unsigned char *buf, size_t bytes)
{
	const struct data_spec *s = &d->spec;
	size_t chunk = s->compress_chunk && s->compress_chunk < bytes ? s->compress_chunk
								      : bytes;
	size_t soft = (chunk * s->compress_percent + 50) / 100;

	for (size_t at = 0; at < bytes; at += chunk) {
		if (unlikely(chunk > bytes - at)) {
			chunk = bytes - at;
			soft = (chunk * s->compress_percent + 50) / 100;
		}
		unsigned char *from = buf + at + chunk - soft;
		if (s->filler.count)
			filler_fill(&s->filler, from, soft, 0);
		else
			memset(from, 0, soft);
	}
}

/* From a place that follows from the number on; what is behind the file's end is its
 * beginning. */
static void data_cut(const struct data *d, uint64_t number, unsigned char *to, size_t bytes)
{
	const struct data_spec *s = &d->spec;
	const uint64_t grid = s->corpus_bytes < 2 * DATA_CORPUS_GRID ? 1 : DATA_CORPUS_GRID;
	uint64_t mixed = rng_mix(d->noise.key + number);
	uint64_t at = mul_high(mixed, s->corpus_bytes / grid) * grid;

	while (bytes) {
		size_t part = MIN_OF(s->corpus_bytes - at, (uint64_t)bytes);
		memcpy(to, s->corpus + at, part);
		to += part;
		bytes -= part;
		at = 0;
	}
}

static void data_random(const struct data *d, uint64_t number, void *buf, size_t bytes)
{
	if (unlikely(d->spec.kind == DATA_CORPUS)) {
		data_cut(d, number, buf, bytes);
		return;
	}
	noise_fill(&d->noise, number, buf, bytes);
	if (d->spec.compress_percent)
		data_soften(d, buf, bytes);
}

void data_fill_as(const struct data *d, uint64_t number, void *buf, size_t bytes)
{
	switch (d->spec.kind) {
	case DATA_FRESH:
	case DATA_CORPUS:
		data_random(d, number, buf, bytes);
		break;
	case DATA_CONSTANT:
		data_random(d, 0, buf, bytes);
		break;
	case DATA_ZERO:
		memset(buf, 0, bytes);
		break;
	case DATA_PATTERN:
		filler_fill(&d->spec.filler, buf, bytes, 0);
		break;
	}
}

void data_prepare(struct data *d, void *buf, size_t bytes)
{
	data_fill_as(d, d->serial++, buf, bytes);
}

void data_fill(struct data *d, void *buf, size_t bytes)
{
	if (data_is_still(&d->spec))
		return;
	uint64_t number = unlikely(d->spec.dedupe.percent) ? dedupe_next(&d->dedupe)
							   : d->serial++;
	data_random(d, number, buf, bytes);
}
