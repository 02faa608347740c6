/* HOT: one call a batch, or an I/O. No option is read here and nothing is allocated.
 *
 * SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors
 *
 * I/Os to records.  The common case is a batch that fits: one word is the same for
 * all but the first (its delta), of the other only the offset differs.  The ring is
 * looked at when `limit` is reached: four times a round, not once a record, so that
 * its tail's cache line rarely moves between the CPUs. */
#include "base/bits.h"
#include "run/logs/feed.h"
#include "run/logs/feed_slow.h"
#include "stat/histogram.h"

/* Room for N records, N less than a quarter of the ring. */
static inline bool feed_room(struct log_feed *f, unsigned n)
{
	return likely(f->head + n <= f->limit) || log_feed_wait(f, n);
}

static inline void feed_put(struct log_feed *f, struct log_record r)
{
	f->slots[f->head++ & f->mask] = r;
}

/* One I/O that does not fit into a record. */
static void feed_wide(struct log_feed *f, const struct io *io, uint64_t t2, unsigned counts)
{
	uint64_t lat = t2 - io->prepared_ns;
	uint64_t slat = f->slat ? io->submitted_ns - io->prepared_ns : 0;
	uint64_t arg = io->prio | (uint64_t)(counts & (LOG_RATE | LOG_LATENCY)) << 14;

	if (!feed_room(f, LOG_WIDE_RECORDS)) {
		f->ring->lost++;
		return;
	}
	feed_put(f, log_other(LOG_WIDE, (enum dir)io->kind, LOG_WIDE_RECORDS - 1, arg,
			    t2 - f->start_ns));
	feed_put(f, (struct log_record){lat, slat});
	feed_put(f, (struct log_record){io->offset, io->bytes});
	f->last_ns = t2;
	f->ring->ios++;
}

static inline bool feed_fits(const struct log_feed *f, const struct io *io, uint64_t delta,
	uint64_t lat, uint64_t slat)
{
	uint64_t odd = io->bytes & ((UINT64_C(1) << f->unit_shift) - 1);
	return !(delta >> LOG_DELTA_BITS | lat >> LOG_LAT_BITS | slat >> LOG_SLAT_BITS | odd |
		 (uint64_t)io->bytes >> f->unit_shift >> LOG_BYTES_BITS | io->prio);
}

/* The same, one by one: some of them don't fit. */
static void feed_singly(struct log_feed *f, struct io *const *ios, unsigned n, uint64_t t2,
	unsigned counts)
{
	for (unsigned i = 0; i < n; i++)
		feed_wide(f, ios[i], t2, counts);
}

/* At most LOG_BATCH I/Os with the same stamps, direction and size. */
static void feed_batch(struct log_feed *f, struct io *const *ios, unsigned n, uint64_t t2,
	unsigned counts)
{
	const struct io *io = ios[0];
	uint64_t lat = t2 - io->prepared_ns, delta = t2 - f->last_ns;
	uint64_t slat = f->slat ? io->submitted_ns - io->prepared_ns : 0;
	unsigned shift = f->unit_shift;
	uint64_t odd = 0;

	for (unsigned i = 0; i < n; i++)
		odd |= ios[i]->offset;
	odd = (odd & ((UINT64_C(1) << shift) - 1)) | odd >> shift >> LOG_OFFSET_BITS;
	if (unlikely(odd || !feed_fits(f, io, delta, lat, slat))) {
		feed_singly(f, ios, n, t2, counts);
		return;
	}
	if (unlikely(!feed_room(f, n))) {
		f->ring->lost += n;
		return;
	}
	uint64_t same = io->kind | counts | lat << LOG_LAT_SHIFT;
	uint64_t b = (uint64_t)io->bytes >> shift << LOG_BYTES_SHIFT | slat << LOG_SLAT_SHIFT;
	uint64_t a = same | delta << LOG_DELTA_SHIFT;
	uint64_t head = f->head, mask = f->mask; /* or each store would reload them */
	struct log_record *slots = f->slots;

	for (unsigned i = 0; i < n; i++) {
		slots[head++ & mask] = (struct log_record){a, b | ios[i]->offset >> shift};
		a = same;
	}
	f->head = head;
	f->last_ns = t2;
	f->ring->ios += n;
}

static inline void feed_sum(struct log_feed *f, const struct io *io, uint64_t n, uint64_t t2,
	unsigned counts)
{
	struct log_sum *sum = &f->ring->window.dir[io->kind];
	uint64_t lat = t2 - io->prepared_ns, clat = t2 - io->submitted_ns;
	uint64_t slat = io->submitted_ns - io->prepared_ns;

	if (!f->slat) {
		clat = lat;
		slat = 0;
	}
	f->ring->window.used = true;
	if (counts & LOG_RATE) {
		sum->ios += n;
		sum->bytes += n * io->bytes;
	}
	if (!(counts & LOG_LATENCY))
		return;
	sum->count += n;
	sum->lat_sum += n * lat;
	sum->lat_max = MAX_OF(sum->lat_max, lat);
	sum->clat_sum += n * clat;
	sum->clat_max = MAX_OF(sum->clat_max, clat);
	sum->slat_sum += n * slat;
	sum->slat_max = MAX_OF(sum->slat_max, slat);
}

void log_feed_ios(struct log_feed *f, struct io *const *ios, unsigned n, uint64_t t2,
	unsigned counts)
{
	const struct io *io = ios[0];
	bool turns = counts & LOG_RATE && t2 < f->deadline_ns;

	if (f->windows) {
		if (unlikely(turns && t2 >= f->window_due_ns))
			log_feed_turn_window(f, t2);
		feed_sum(f, io, n, t2, counts);
	}
	if (f->hist && counts & LOG_LATENCY) {
		if (unlikely(turns && t2 >= f->hist_due_ns))
			log_feed_turn_hist(f, t2);
		histogram_record_bin(f->ring->hist[io->kind],
			histogram_bin(t2 - (f->slat ? io->submitted_ns : io->prepared_ns)), n);
	}
	if (f->each) {
		for (; n > LOG_BATCH; n -= LOG_BATCH, ios += LOG_BATCH)
			feed_batch(f, ios, LOG_BATCH, t2, counts);
		feed_batch(f, ios, n, t2, counts);
		__atomic_store_n(&f->ring->head, f->head, __ATOMIC_RELEASE);
	}
}

void log_feed_issued(struct log_feed *f, struct io *const *ios, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const struct io *io = ios[i];
		uint64_t arg = io->kind | (uint64_t)io->target->index << 8;
		if (!feed_room(f, LOG_ISSUE_RECORDS)) {
			f->ring->lost++;
			continue;
		}
		feed_put(f, log_other(LOG_ISSUE, DIR_READ, LOG_ISSUE_RECORDS - 1, arg,
				    io->prepared_ns - f->begin_ns));
		feed_put(f, (struct log_record){io->offset, io->bytes});
	}
	__atomic_store_n(&f->ring->head, f->head, __ATOMIC_RELEASE);
}
