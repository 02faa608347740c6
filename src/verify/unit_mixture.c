/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Units larger than what a device writes whole may, after a power cut, have pieces of
 * several writes.  Each write that may be there is made again; a piece that equals none of them
 * is torn, or worse.  The header tells only its own write, but with that all of its piece. */
#include "verify/unit_parts.h"

#include <endian.h>
#include <string.h>

#include "base/bits.h"

struct mixture {
	const struct unit_spec *s;
	const struct unit_expect *e;
	const uint8_t *unit;
	size_t n, head, head_end; /* where the header is                              */
	uint32_t atomic;
	uint8_t *made, *known; /* N bytes; one for each piece: it is accounted for    */
};

/* Piece I: [from, to).  They are aligned in the target. */
static bool piece_at(const struct mixture *m, size_t i, size_t *from, size_t *to)
{
	const size_t shift = m->e->offset % m->atomic;

	*from = i ? i * m->atomic - shift : 0;
	*to = MIN_OF((i + 1) * m->atomic - shift, m->n);
	return *from < m->n;
}

static bool same(const struct mixture *m, size_t from, size_t to)
{
	return from >= to || !memcmp(m->unit + from, m->made + from, to - from);
}

/* WHOLE: also the bytes of the header; else a piece with part of it can't be told. */
static void account(struct mixture *m, bool whole)
{
	size_t from, to;

	for (size_t i = 0; piece_at(m, i, &from, &to); i++) {
		bool header = from < m->head_end && m->head < to;
		if (!header || whole)
			m->known[i] |= same(m, from, to);
	}
}

/* A header that lies in several pieces may be a mixture, too: nothing is asked of it. */
static void account_without_header(struct mixture *m)
{
	size_t from, to;

	for (size_t i = 0; piece_at(m, i, &from, &to); i++)
		m->known[i] |= same(m, from, MIN_OF(to, MAX_OF(from, m->head))) &&
			       same(m, MAX_OF(from, MIN_OF(to, m->head_end)), to);
}

static bool header_is_cut(const struct mixture *m)
{
	const size_t shift = m->e->offset % m->atomic;

	return (m->head + shift) / m->atomic != (m->head_end - 1 + shift) / m->atomic;
}

/* Does the header say that WRITE wrote it?  Then it is put into what is made. */
static bool put_header(struct mixture *m, const struct unit_stamp *write)
{
	struct unit_wire wire;

	memcpy(&wire, m->unit + m->head, m->head_end - m->head);
	if (wire.magic != htole32(UNIT_MAGIC) || le64toh(wire.run) != m->s->run ||
		le32toh(wire.worker) != write->worker ||
		le64toh(wire.serial) != write->serial || le64toh(wire.offset) != m->e->offset ||
		le64toh(wire.target) != m->e->target || le32toh(wire.bytes) != m->n)
		return false;
	unit_sum(m->s, &wire, m->made, m->n, wire.sum);
	memcpy(m->made + m->head, &wire, m->head_end - m->head);
	return true;
}

static void account_write(struct mixture *m, const struct unit_stamp *write)
{
	struct unit_stamp stamp = *write;
	struct data d;

	stamp.offset = m->e->offset;
	unit_data_init(m->s, &d, write->worker);
	unit_remake(m->s, &d, &stamp, m->made, m->n);
	if (m->head < m->head_end && header_is_cut(m))
		account_without_header(m);
	else
		account(m, put_header(m, write));
}

bool unit_is_mixture(const struct unit_spec *s, const struct unit_expect *e,
	const struct unit_stamp *writes, uint32_t count, uint32_t atomic, const void *unit,
	size_t n, void *scratch)
{
	struct mixture m = {
		.s = s,
		.e = e,
		.unit = unit,
		.n = n,
		.head = s->header_at,
		.head_end = s->header_at + unit_header_bytes(s),
		.atomic = atomic,
		.made = scratch,
		.known = (uint8_t *)scratch + n,
	};
	size_t from, to;

	if (e->before_too || s->data.dedupe.percent)
		return true;
	memset(m.known, 0, n / atomic + 2);
	for (uint32_t i = 0; i < count; i++)
		account_write(&m, &writes[i]);
	for (size_t i = 0; piece_at(&m, i, &from, &to); i++)
		if (!m.known[i] && !(e->zeroes_too && unit_is_zero(m.unit + from, to - from)))
			return false;
	return true;
}
