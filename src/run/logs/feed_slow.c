/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/logs/feed_slow.h"

#include "base/arena.h"
#include "base/bits.h"
#include "run/logs/feed.h"
#include "stat/histogram.h"
#include "sys/clock.h"

#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FEED_NAP_NS (50 * NS_PER_US)

void log_bell_ring(struct log_bell *bell)
{
	__atomic_fetch_add(&bell->rung, 1, __ATOMIC_RELEASE);
	if (__atomic_exchange_n(&bell->sleeping, 0, __ATOMIC_ACQ_REL))
		syscall(SYS_futex, &bell->rung, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

void log_bell_wait(struct log_bell *bell, uint64_t ns)
{
	struct timespec ts = {
		.tv_sec = (time_t)(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S)};
	uint32_t seen = __atomic_load_n(&bell->rung, __ATOMIC_ACQUIRE);

	__atomic_store_n(&bell->sleeping, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &bell->rung, FUTEX_WAIT, seen, &ts, NULL, 0);
	__atomic_store_n(&bell->sleeping, 0, __ATOMIC_RELEASE);
}

struct log_feed *log_feed_new(struct arena *arena, const struct plan_worker *pw,
	struct log_ring *ring, const struct clock *clock, const uint32_t *stop)
{
	const struct plan_log *l = &pw->log;
	struct log_feed *f = arena_alloc(arena, sizeof(*f));

	if (!f)
		return NULL;
	*f = (struct log_feed){
		.ring = ring,
		.slots = ring->slots,
		.size = l->ring_bytes / sizeof(struct log_record),
		.unit_shift = l->unit_shift,
		.each = l->each,
		.windows = l->windows,
		.hist = l->hist,
		.slat = !pw->queue.use_perform,
		.window_ns = l->window_ns,
		.hist_ns = l->hist_ns,
		.epoch = l->epoch,
		.epoch_clock = l->epoch_clock,
		.clock = clock,
		.stop = stop,
	};
	f->mask = f->size - 1;
	f->limit = f->size / 4;
	memcpy(f->use, pw->pattern.use, sizeof(f->use));
	memset(f->slots, 0, l->ring_bytes); /* touched here, not while it runs */
	return f;
}

void log_feed_start(struct log_feed *f, uint64_t start_ns)
{
	f->begin_ns = start_ns;
}

void log_feed_open(struct log_feed *f, uint64_t start_ns, uint64_t deadline_ns)
{
	struct log_ring *ring = f->ring;
	struct timespec now;

	f->start_ns = start_ns;
	f->last_ns = start_ns;
	f->deadline_ns = deadline_ns;
	f->window_due_ns = start_ns + f->window_ns;
	f->hist_due_ns = start_ns + f->hist_ns;
	clock_gettime(CLOCK_REALTIME, &now);
	uint64_t past = clock_now(f->clock) - start_ns;
	ring->wall_ns = (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec - past;
	if (f->epoch && clock_gettime(f->epoch_clock, &now) == 0)
		ring->epoch_ms = ((uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec -
					 MIN_OF(past, (uint64_t)now.tv_sec * NS_PER_S)) /
				 NS_PER_MS;
	__atomic_store_n(&ring->start_ns, start_ns, __ATOMIC_RELEASE);
}

static void feed_publish(struct log_feed *f)
{
	__atomic_store_n(&f->ring->head, f->head, __ATOMIC_RELEASE);
}

static bool feed_given_up(const struct log_feed *f)
{
	return __atomic_load_n(&f->ring->broken, __ATOMIC_RELAXED) ||
	       __atomic_load_n(f->stop, __ATOMIC_RELAXED) >= 2;
}

bool log_feed_wait(struct log_feed *f, unsigned n)
{
	struct log_ring *ring = f->ring;
	uint64_t from = 0;

	feed_publish(f);
	for (;;) {
		uint64_t used = f->head - __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
		uint64_t room = f->size - used;
		if (used >= f->size / 4 &&
			__atomic_load_n(&ring->bell->sleeping, __ATOMIC_RELAXED))
			log_bell_ring(ring->bell);
		/* After a wait go on only when that is worth a while. */
		if (room >= (from ? MAX_OF(n, f->size / 4) : n)) {
			f->limit = f->head + MIN_OF(room, MAX_OF(n, f->size / 4));
			break;
		}
		if (feed_given_up(f))
			return false;
		if (!from)
			from = clock_now(f->clock);
		struct timespec nap = {.tv_nsec = FEED_NAP_NS};
		nanosleep(&nap, NULL);
	}
	if (from) {
		ring->waits++;
		ring->wait_ns += clock_now(f->clock) - from;
	}
	return true;
}

static void feed_put(struct log_feed *f, struct log_record r)
{
	f->slots[f->head++ & f->mask] = r;
}

static bool feed_room(struct log_feed *f, unsigned n)
{
	return f->head + n <= f->limit || log_feed_wait(f, n);
}

/* The sums of the window, all directions that the job uses.  They are emptied before
 * the records are published: who dies between the two has lost a window, not doubled
 * it. */
static void feed_window(struct log_feed *f, uint64_t end_ns)
{
	struct log_window *window = &f->ring->window;
	struct log_sum sums[DIRS];

	if (!window->used)
		return;
	memcpy(sums, window->dir, sizeof(sums));
	for (int d = 0; d < DIRS; d++) {
		if (!f->use[d])
			continue;
		if (!feed_room(f, LOG_WINDOW_RECORDS)) {
			f->ring->lost++;
			continue;
		}
		feed_put(f, log_other(LOG_WINDOW, (enum dir)d, LOG_WINDOW_PAYLOAD,
				    window->index, end_ns - f->start_ns));
		struct log_record words[LOG_WINDOW_PAYLOAD];
		memcpy(words, &sums[d], sizeof(words));
		for (unsigned i = 0; i < LOG_WINDOW_PAYLOAD; i++)
			feed_put(f, words[i]);
	}
	window->used = false;
	memset(window->dir, 0, sizeof(window->dir));
	feed_publish(f);
}

void log_feed_turn_window(struct log_feed *f, uint64_t t_ns)
{
	feed_window(f, f->window_due_ns);
	uint64_t index = (t_ns - f->start_ns) / f->window_ns;
	f->ring->window.index = index;
	f->window_due_ns = f->start_ns + (index + 1) * f->window_ns;
}

static void feed_hist(struct log_feed *f, enum dir d, uint64_t end_ns)
{
	struct histogram *h = f->ring->hist[d];

	if (!h || !h->count)
		return;
	for (uint32_t bin = h->lo; bin <= h->hi; bin++) {
		if (!h->bins[bin])
			continue;
		if (!feed_room(f, 1)) {
			f->ring->lost++;
			break;
		}
		feed_put(f, log_other(LOG_BIN, d, 0, bin, h->bins[bin]));
	}
	if (feed_room(f, 1))
		feed_put(f, log_other(LOG_HIST, d, 0, 0, end_ns - f->start_ns));
	histogram_reset(h);
	feed_publish(f);
}

void log_feed_turn_hist(struct log_feed *f, uint64_t t_ns)
{
	for (int d = 0; d < DIRS; d++)
		feed_hist(f, (enum dir)d, f->hist_due_ns);
	uint64_t index = (t_ns - f->start_ns) / f->hist_ns;
	f->hist_due_ns = f->start_ns + (index + 1) * f->hist_ns;
}

void log_feed_close(struct log_feed *f, uint64_t end_ns)
{
	struct log_ring *ring = f->ring;

	if (!ring->start_ns)
		return;
	if (f->windows && end_ns > f->window_due_ns)
		log_feed_turn_window(f, end_ns - 1);
	feed_window(f, MIN_OF(end_ns, f->window_due_ns));
	for (int d = 0; d < DIRS && f->hist; d++)
		feed_hist(f, (enum dir)d, MIN_OF(end_ns, f->hist_due_ns));
	if (feed_room(f, 2)) {
		feed_put(f, log_other(LOG_END, DIR_READ, 1, 0, end_ns - f->start_ns));
		feed_put(f, (struct log_record){ring->ios, 0});
	}
	ring->end_ns = end_ns;
	feed_publish(f);
	log_bell_ring(ring->bell);
}
