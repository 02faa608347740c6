/* HOT: a few calls a request, for jobs that verify.
 *
 * SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/verify/verify.h"

#include "base/bits.h"
#include "run/verify/by_pieces.h"
#include "run/verify/checkers.h"
#include "run/verify/tell.h"

struct verify_slot *verify_note(struct verify *v, const struct io *io)
{
	struct verify_slot *s = &v->slots[io->slot];

	s->offset = io->offset;
	s->bytes = io->bytes;
	s->file = io->target->index;
	s->kind = io->kind;
	const struct cells *c = verify_cells(v, s);
	const uint32_t unit = c->unit_bytes ? c->unit_bytes : v->spec.bytes;
	s->out = true;
	s->first = s->units = 0;
	if (unlikely(!unit))
		return s; /* by pieces */
	s->first = div_up(io->offset, unit);
	const uint64_t end = (io->offset + io->bytes) / unit;
	s->units = end > s->first ? (uint32_t)(end - s->first) : 0;
	return s;
}

/* Payload once for the write; header and checksum for each unit. */
static void verify_make(struct verify *v, const struct verify_slot *s, uint64_t time_ns)
{
	const uint32_t unit = v->spec.bytes;
	struct unit_stamp stamp = {
		.offset = s->offset,
		.target = v->identity[s->file],
		.serial = s->serial,
		.time_ns = time_ns,
		.worker = v->worker->index,
	};

	unit_payload(&v->spec, &v->data, &stamp, s->buf, s->bytes);
	for (uint32_t i = 0; i < s->units; i++) {
		stamp.offset = s->offset + (uint64_t)i * unit;
		stamp.generation = s->cells[i];
		unit_stamp(&v->spec, &stamp, s->buf + (size_t)i * unit, unit);
	}
}

bool verify_stamp(struct verify *v, struct io *io, uint64_t now_ns)
{
	struct verify_slot *s = verify_note(v, io);
	const bool trim = io->kind == IO_TRIM;
	uint64_t time_ns = now_ns + v->wall_ns;

	if (unlikely(v->pieces != NULL) && !by_pieces_begin(v, s, v->serial)) {
		s->out = false;
		return false;
	}
	if (s->units && !cells_begin(verify_cells(v, s), s->first, s->units, trim, s->cells)) {
		s->out = false;
		return false;
	}
	v->dirty = true;
	if (likely(!trim) || v->tell)
		s->serial = v->serial++;
	if (unlikely(v->tell != NULL))
		time_ns = tell_begun(v->tell, s);
	if (trim)
		return true;
	verify_make(v, s, time_ns);
	if (unlikely(v->ring != NULL) && v->ring_n < v->ring_room)
		v->ring[(v->ring_at + v->ring_n++) % v->ring_room] = (struct verify_write){
			.offset = s->offset, .bytes = s->bytes, .file = s->file};
	return true;
}

void verify_look(struct verify *v, const struct io *io)
{
	struct verify_slot *s = verify_note(v, io);
	const struct cells *c = verify_cells(v, s);

	s->look = c->cell && s->units;
	if (!s->look)
		return;
	s->changes = cells_changes(c, s->first, s->units);
	for (uint32_t i = 0; i < s->units; i++)
		s->cells[i] = cells_look(c, s->first + i);
}

/* A state that can't be written is worth nothing: the job ends. */
static void verify_told(struct verify *v)
{
	if (unlikely(tell_error(v->tell) < 0))
		v->failed = true;
}

static __attribute__((noinline)) void verify_back_told(struct verify *v,
	const struct verify_slot *s, const struct io *io)
{
	tell_ended(v->tell, s, io->res);
	verify_told(v);
}

void verify_back(struct verify *v, const struct io *io)
{
	struct verify_slot *s = &v->slots[io->slot];

	if (!s->out)
		return;
	s->out = false;
	if (unlikely(v->pieces != NULL) && io->res < 0)
		by_pieces_undo(v, s);
	if (s->units)
		cells_end(verify_cells(v, s), s->first, s->units, io->res < 0);
	if (unlikely(v->tell != NULL))
		verify_back_told(v, s, io);
}

void verify_sync(struct verify *v, const struct io *io)
{
	struct verify_slot *s = &v->slots[io->slot];

	if (!v->tell || !io->target || (io->kind != IO_FSYNC && io->kind != IO_FDATASYNC))
		return;
	s->serial = tell_sync_begun(v->tell, io->target->index);
	s->syncing = true;
}

void verify_synced(struct verify *v, const struct io *io)
{
	struct verify_slot *s = &v->slots[io->slot];

	if (!v->tell || !s->syncing)
		return;
	s->syncing = false;
	tell_sync_ended(v->tell, s->serial, io->res < 0);
	verify_told(v);
}

void verify_read(struct verify *v, struct verify_slot *s)
{
	if (!v->checkers || !checkers_give(v->checkers, s))
		verify_check(v, s, s->buf);
}
