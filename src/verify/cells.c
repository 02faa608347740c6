/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT.
 *
 *	 7 6 5 4     3 2         1 0
 *	generation  in flight   span
 *
 * In flight 3 means spoiled; then span is what is in flight.  What may be there when
 * none is in flight is the generation and SPAN before it.  Why that holds:
 *
 *   A write that begins while none is in flight is the only one that can stay, whatever
 *   was before: span 0.
 *   One that begins while others are may stay, or be covered by one of those; they all
 *   began since none was in flight, so they are among the SPAN + 1 last.  A write may stay
 *   in flight while others come and go, so the span grows with each, and when it
 *   can't, the next waits until none is in flight.
 *   The generation before the first of a span isn't known (14, 0 or a trim come before 1), so
 *   trims are alone: they wait for all, and all wait for them. */
#include "verify/cells.h"

#include "base/bits.h"

#define FLIGHT_SHIFT   2
#define FLIGHT_MAX     2u
#define FLIGHT_SPOILED 3u
#define SPAN_MAX       3u
#define GROUP          64 /* cells that share a counter of changes */

static inline unsigned cell_generation(uint8_t cell)
{
	return cell >> 4;
}

static inline unsigned cell_flight(uint8_t cell)
{
	return cell >> FLIGHT_SHIFT & 3;
}

static inline unsigned cell_span(uint8_t cell)
{
	return cell & 3;
}

static inline uint8_t cell_of(unsigned generation, unsigned flight, unsigned span)
{
	return (uint8_t)(generation << 4 | flight << FLIGHT_SHIFT | span);
}

static inline bool cell_swap(uint8_t *cell, uint8_t *was, uint8_t now)
{
	return __atomic_compare_exchange_n(cell, was, now, false, __ATOMIC_ACQ_REL,
		__ATOMIC_ACQUIRE);
}

uint8_t cells_next(uint8_t generation)
{
	return generation >= CELL_GENERATIONS ? 1 : (uint8_t)(generation + 1);
}

static inline uint8_t cell_generation_next(uint8_t was, bool trim)
{
	return trim ? CELL_TRIMMED : cells_next((uint8_t)cell_generation(was));
}

/* None is in flight: whatever was there is hidden.  Else it must be one more that fits. */
static inline bool cell_begun(const struct cells *c, uint8_t was, bool trim, uint8_t *ret)
{
	unsigned flight = cell_flight(was), span = cell_span(was);
	uint8_t generation = cell_generation_next(was, trim);

	if (flight == 0 || (flight == FLIGHT_SPOILED && span == 0)) {
		*ret = cell_of(generation, 1, 0);
		return true;
	}
	if (c->exclusive || trim || cell_generation(was) == CELL_TRIMMED ||
		flight >= FLIGHT_MAX || span == SPAN_MAX)
		return false;
	*ret = cell_of(generation, flight + 1, span + 1);
	return true;
}

/* What WAS is without the last write that began, which had made it from BEFORE.  Others
 * may have ended since.  One that began since can't be undone from under: then
 * what this one has done to the cell (hidden what was there) stays wrong. */
static inline bool cell_unbegun(uint8_t was, uint8_t before, uint8_t mine, uint8_t *ret)
{
	unsigned flight = cell_flight(was);

	if (flight == FLIGHT_SPOILED || cell_generation(was) != cell_generation(mine))
		return false;
	if (cell_flight(before) == FLIGHT_SPOILED)
		*ret = before;
	else
		*ret = cell_of(cell_generation(before), flight - 1, cell_span(before));
	return true;
}

static uint8_t cell_ended(uint8_t was, bool failed)
{
	unsigned flight = cell_flight(was), span = cell_span(was);

	if (flight == FLIGHT_SPOILED)
		return cell_of(cell_generation(was), FLIGHT_SPOILED, span - 1);
	if (failed)
		return cell_of(cell_generation(was), FLIGHT_SPOILED, flight - 1);
	return cell_of(cell_generation(was), flight - 1, span);
}

static void cell_end(uint8_t *cell, bool failed)
{
	uint8_t was = __atomic_load_n(cell, __ATOMIC_RELAXED);

	while (!cell_swap(cell, &was, cell_ended(was, failed)))
		;
}

static void cell_undo(uint8_t *cell, uint8_t before, bool trim)
{
	uint8_t was = __atomic_load_n(cell, __ATOMIC_RELAXED), now;
	const uint8_t mine = cell_of(cell_generation_next(before, trim), 0, 0);

	do {
		if (!cell_unbegun(was, before, mine, &now)) {
			cell_end(cell, true);
			return;
		}
	} while (!cell_swap(cell, &was, now));
}

/* After the cells and before the write is issued: who sees the write sees this.  The fence
 * keeps stores of the data (mmap: by this CPU) behind both; where stores stay in order
 * (x86-64) it is no instruction. */
static void cells_changed(struct cells *c, uint64_t first, uint32_t n)
{
	for (uint64_t g = first / GROUP; g <= (first + n - 1) / GROUP; g++)
		__atomic_fetch_add(&c->changes[g % CELLS_CHANGES], 1, __ATOMIC_RELEASE);
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

bool cells_begin(struct cells *c, uint64_t first, uint32_t n, bool trim, uint8_t *generations)
{
	uint32_t done;

	/* What was before stands there until all are taken. */
	for (done = 0; done < n; done++) {
		uint8_t *cell = &c->cell[first + done], now;
		generations[done] = __atomic_load_n(cell, __ATOMIC_RELAXED);
		do {
			if (unlikely(!cell_begun(c, generations[done], trim, &now)))
				goto undo;
		} while (!cell_swap(cell, &generations[done], now));
	}
	cells_changed(c, first, n);
	for (uint32_t i = 0; i < n; i++)
		generations[i] = cell_generation_next(generations[i], trim);
	return true;
undo:
	if (done)
		cells_changed(c, first, done);
	while (done--)
		cell_undo(&c->cell[first + done], generations[done], trim);
	return false;
}

void cells_end(struct cells *c, uint64_t first, uint32_t n, bool failed)
{
	for (uint32_t i = 0; i < n; i++)
		cell_end(&c->cell[first + i], failed);
}

/* The fence of the reader: data that were looked at were read before this. */
uint64_t cells_changes(const struct cells *c, uint64_t first, uint32_t n)
{
	uint64_t sum = 0;

	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	for (uint64_t g = first / GROUP; g <= (first + n - 1) / GROUP; g++)
		sum += __atomic_load_n(&c->changes[g % CELLS_CHANGES], __ATOMIC_ACQUIRE);
	return sum;
}

bool cells_expect(const struct cells *c, uint64_t i, uint8_t was, struct unit_expect *ret)
{
	unsigned generation = cell_generation(was);

	__atomic_thread_fence(__ATOMIC_ACQUIRE); /* as in cells_changes() */
	if (cell_flight(was) || !generation || cells_look(c, i) != was)
		return false;
	ret->offset = i * c->unit_bytes;
	ret->any_generation = false;
	ret->zeroes = generation == CELL_TRIMMED;
	ret->zeroes_too = false;
	ret->generation = (uint8_t)generation;
	ret->span = (uint8_t)cell_span(was);
	return true;
}
