/* HOT: supply_write() runs once a write.
 *
 * SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/source/supply.h"

#include "plan/plan.h"

void supply_write(struct supply *s, struct io *io)
{
	data_fill(&s->data, io->buf, io->bytes);
}

bool supply_init(struct supply *s, const struct plan_worker *pw, struct io *ios, uint32_t depth)
{
	const struct plan_queue *pq = &pw->queue;
	struct supply_buffers own = {ios[0].buf, pq->buffer_bytes};
	struct supply_buffers behind = {own.base + depth * own.stride, 0};

	data_init(&s->data, &pw->data);
	/* What is verified is made, and stamped, by the source around. */
	s->fresh = !data_is_still(&pw->data) && !pw->verify.stamps;
	s->buffers[0] = own;
	s->buffers[1] = pq->write_apart ? behind : own;
	if (!s->fresh && own.stride && !pw->verify.stamps)
		for (uint32_t i = 0; i < (pq->write_apart ? 1 : depth); i++)
			data_prepare(&s->data, s->buffers[1].base + i * own.stride, own.stride);
	return pq->write_apart;
}
