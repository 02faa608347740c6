/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* HOT.  trickle: reap() hands back one request a call, as a device does that
 * finishes them one by one.  (More only when the caller insists on a minimum.) */
#include "base/bits.h"
#include "engine/shim/shim.h"

static void trickle_perform(struct queue *q, struct io *io)
{
	call_perform(q->inner, io);
}

static unsigned trickle_submit(struct queue *q, struct io **ios, unsigned n)
{
	return call_submit(q->inner, ios, n);
}

static unsigned trickle_reap(struct queue *q, struct io **done, unsigned max, unsigned min,
	uint64_t until_ns)
{
	return call_reap(q->inner, done, MIN_OF(max, MAX_OF(min, 1u)), min, until_ns);
}

const struct engine engine_trickle = {
	.name = "trickle",
	.alias = {"one_at_a_time"},
	.help = "Shim: reap() hands back one request a call",
	.flags = ENGINE_HIDDEN,
	.shim = true,
	.target = &target_shim,
	.perform = trickle_perform,
	.submit = trickle_submit,
	.reap = trickle_reap,
};
