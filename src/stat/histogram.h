/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Latency histogram: how often each duration was seen.
 *
 *   Holds      nanoseconds, any uint64_t.  Nothing is ever dropped or clipped.
 *   Bins       log-linear, 64 sub-buckets an octave: values below 128 have a bin
 *              each; above, a bin is 2^(m-6) wide, m being the top bit.  These
 *              are fio's bins without its upper end (fio has 1856 and folds the
 *              rest into the last one; histogram_fio_bin() does that).
 *   Precision  a bin's midpoint is within 1/128 of every value in it.
 *   Size       3776 counters of 64 bits, fixed, no pointer inside: it may be
 *              copied with =, put in shared memory or on the wire.
 *   Threads    one writer.
 *   Merging    commutative and associative: holds exactly what recording both
 *              streams into one would have held.
 *
 * lo and hi are the lowest and highest bin ever used (when count > 0), so that
 * merge, reset and quantiles touch only what is there.  A zeroed struct is a
 * valid empty histogram. */
#pragma once

#include <stdint.h>

#include "base/bits.h"

#define HISTOGRAM_BINS     3776
#define HISTOGRAM_FIO_BINS 1856

/* `lo` to `hi`: the bins that may hold something; all of it is 0 when nothing does. */
struct histogram {
	uint64_t count;
	uint32_t lo, hi;
	uint64_t bins[HISTOGRAM_BINS];
};

/* Bin of a value: a shift and a count of leading zeros, no branch. */
static inline uint32_t histogram_bin(uint64_t ns)
{
	unsigned shift = bits_top(ns | 127) - 6; /* 0 below 128: one bin each */
	return (uint32_t)((uint64_t)shift * 64 + (ns >> shift));
}

/* The smallest value in BIN. */
static inline uint64_t histogram_bin_low(uint32_t bin)
{
	if (bin < 128)
		return bin;
	unsigned shift = bin / 64 - 1;
	return (uint64_t)(64 + bin % 64) << shift;
}

/* The value a bin reports: itself below 128, else its middle. */
static inline uint64_t histogram_bin_mid(uint32_t bin)
{
	if (bin < 128)
		return bin;
	return histogram_bin_low(bin) + (UINT64_C(1) << (bin / 64 - 1)) / 2;
}

/* TIMES values of BIN at once.  Two rare branches and two additions. */
static inline void histogram_record_bin(struct histogram *h, uint32_t bin, uint64_t times)
{
	if (unlikely(bin < h->lo || !h->count))
		h->lo = bin;
	if (unlikely(bin > h->hi || !h->count))
		h->hi = bin;
	h->count += times;
	h->bins[bin] += times;
}

/* One value.  Two rare branches and two additions behind the bin. */
static inline void histogram_record(struct histogram *h, uint64_t ns)
{
	histogram_record_bin(h, histogram_bin(ns), 1);
}

/* Bin of fio's histogram: the same below 1855, all the rest in 1855. */
static inline uint32_t histogram_fio_bin(uint32_t bin)
{
	return MIN_OF(bin, (uint32_t)HISTOGRAM_FIO_BINS - 1);
}

/* Adds FROM; touches only its used bins. */
void histogram_merge(struct histogram *h, const struct histogram *from);
void histogram_reset(struct histogram *h);

/* The midpoint of the smallest bin at which the running count reaches
 * quantile * count (0 < QUANTILE <= 1).  0 when empty.  Not clamped to min and
 * max: latency_quantile() does that. */
uint64_t histogram_quantile(const struct histogram *h, double quantile);
