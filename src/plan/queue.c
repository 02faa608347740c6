/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Who does the I/O, how much of it at a time, and the buffers for it. */
#include <errno.h>
#include <inttypes.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "plan/draft.h"

enum queue_submit_mode {
	SUBMIT_INLINE,
	SUBMIT_OFFLOAD,
};

struct queue_opts {
	const char *engine;
	uint32_t depth;
	uint32_t batch;
	uint32_t complete_min, complete_max;
	uint32_t depth_low;
	int submit_mode;
	bool serialize;
};

static const struct opt_word queue_submit_modes[] = {
	{"inline", SUBMIT_INLINE, "the worker submits its requests itself"},
	{"offload", SUBMIT_OFFLOAD, "threads of the worker do"},
	{0},
};

static const struct opt queue_rows[] = {
	{.name = "ioengine",
		OPT_TEXT(struct queue_opts, engine),
		.preset = "psync",
		.help = "Who does the I/O; --enghelp lists the engines"},
	{.name = "iodepth",
		OPT_U32(struct queue_opts, depth),
		.min = 1,
		.max = LIMIT_DEPTH,
		.preset = "1",
		.help = "Requests in flight at a time"},
	{.name = "iodepth_batch",
		.alias = {"iodepth_batch_submit"},
		OPT_U32(struct queue_opts, batch),
		.max = LIMIT_DEPTH,
		.preset = "1",
		.help = "Submit when so many requests are ready; 0: iodepth; not given: what is free"},
	{.name = "iodepth_batch_complete_min",
		.alias = {"iodepth_batch_complete"},
		OPT_U32(struct queue_opts, complete_min),
		.max = LIMIT_DEPTH,
		.preset = "1",
		.help = "Wait for at least so many completions; 0: never wait"},
	{.name = "iodepth_batch_complete_max",
		OPT_U32(struct queue_opts, complete_max),
		.max = LIMIT_DEPTH,
		.help = "Take at most so many completions at a time"},
	{.name = "iodepth_low",
		OPT_U32(struct queue_opts, depth_low),
		.max = LIMIT_DEPTH,
		.help = "Once the queue is full, let it drain to this before filling it again"},
	{.name = "io_submit_mode",
		OPT_WORD(struct queue_opts, submit_mode),
		.words = queue_submit_modes,
		.preset = "inline",
		.help = "Who submits requests"},
	{.name = "serialize_overlap",
		OPT_BOOL(struct queue_opts, serialize),
		.preset = "0",
		.help = "Hold back a request that overlaps one in flight, when either writes"},
};

const struct opt_group queue_group = {
	.name = "queue",
	.rows = queue_rows,
	.count = COUNT_OF(queue_rows),
	.size = sizeof(struct queue_opts),
};

/* ---- rules ---- */

static bool queue_min_above_max(const struct draft *d, const struct plan_worker *w,
	const void *block, struct str *why)
{
	const struct queue_opts *o = block;

	(void)d;
	if (!job_gave(w->job, "iodepth_batch_complete_max") || !o->complete_max ||
		o->complete_min <= o->complete_max)
		return false;
	str_addf(why,
		"waiting for at least %u completions while taking at most %u can't be; raise "
		"it or lower iodepth_batch_complete_min",
		o->complete_min, o->complete_max);
	return true;
}

static const struct rule queue_rules[] = {
	{"iodepth_batch_complete_max", RULE_ERROR, queue_min_above_max},
};

/* ---- derivation ---- */

static void queue_engine_opts(struct plan_worker *w)
{
	for (uint32_t i = 0; i < w->queue.chain.count; i++) {
		const struct opt_group *group = w->queue.chain.link[i]->opts;
		w->queue.opts[i] = group ? job_block(w->job, group) : NULL;
	}
}

/* fio's words: programs know them. */
#define QUEUE_CAPPED                                                                           \
	"note: both iodepth >= 1 and synchronous I/O engine are selected, queue depth will "   \
	"be capped at 1"

static int queue_depth(struct draft *d, struct plan_worker *w, const struct queue_opts *o,
	struct err *reterr)
{
	struct plan_queue *q = &w->queue;
	bool queues = engine_chain_can_queue(&q->chain);

	q->depth_asked = o->depth;
	q->depth = queues ? o->depth : 1;
	q->use_perform = q->depth == 1 && engine_chain_can_perform(&q->chain);
	if (q->depth < o->depth && draft_is_first(d, w))
		return draft_note(d, w, false, QUEUE_CAPPED, reterr);
	return 0;
}

static void queue_batches(struct plan_worker *w, const struct queue_opts *o)
{
	struct plan_queue *q = &w->queue;

	if (job_gave(w->job, "iodepth_batch"))
		q->batch = !o->batch || o->batch > q->depth ? q->depth : o->batch;
	if (job_gave(w->job, "iodepth_batch_complete_min")) {
		q->batch_min = MIN_OF(o->complete_min, q->depth);
		q->batch_poll = !o->complete_min;
		q->batch_max = q->batch_min;
	}
	if (o->complete_max)
		q->batch_max = MIN_OF(o->complete_max, q->depth);
	q->depth_low = q->depth;
	if (o->depth_low)
		q->depth_low = MIN_OF(o->depth_low, q->depth);
}

static int queue_trims(const struct plan_worker *w, struct err *reterr)
{
	if (!w->pattern.use[DIR_TRIM] || queue_flags(w) & ENGINE_TRIM)
		return 0;
	return job_fail(w->job, replay_on(w) ? "read_iolog" : "rw", reterr, -ENOTSUP,
		"%s needs an engine that can trim, and %s can't; use ioengine=psync, say",
		w->rw, engine_chain_base(&w->queue.chain)->name);
}

/* SHIM becomes the outermost link. */
static void queue_wrap(struct plan_worker *w, const struct engine *shim, const void *opts)
{
	struct engine_chain *chain = &w->queue.chain;

	for (uint32_t i = chain->count++; i > 0; i--) {
		chain->link[i] = chain->link[i - 1];
		w->queue.opts[i] = w->queue.opts[i - 1];
	}
	chain->link[0] = shim;
	w->queue.opts[0] = opts;
}

/* io_submit_mode=offload: threads around the engine, so that nothing which blocks in it
 * keeps the worker from its schedule. */
static int queue_offload(struct plan_worker *w, const struct queue_opts *o, struct err *reterr)
{
	const struct engine_chain *chain = &w->queue.chain;

	if (o->submit_mode == SUBMIT_INLINE)
		return 0;
	if (chain->count == ENGINE_CHAIN)
		return job_fail(w->job, "io_submit_mode", reterr, -E2BIG,
			"offload puts one more shim around the engine, and %s has the most already: %d",
			o->engine, ENGINE_CHAIN - 1);
	w->queue.offload = true;
	queue_wrap(w, engine_find("threads"), NULL);
	return 0;
}

/* --debug=io: an outermost link that tells what comes back, in fio's words. */
static int queue_trace(struct draft *d, struct plan_worker *w, struct err *reterr)
{
	struct engine_chain *chain = &w->queue.chain;
	const struct engine *trace = engine_find("trace");
	const struct opt_ctx ctx = {.kb_base = 1024};
	struct opt_found form;

	if (chain->count == ENGINE_CHAIN || !opt_find("trace_form", "trace", &form))
		return 0;
	void *block = draft_alloc(d, 1, trace->opts->size, reterr);
	if (!block)
		return -ENOMEM;
	int rc = opt_presets(trace->opts, block, &ctx, reterr);
	if (rc == 0)
		rc = opt_parse(form.row, "fio", block, &ctx, reterr);
	if (rc < 0)
		return rc;
	queue_wrap(w, trace, block);
	return 0;
}

static int queue_derive(struct draft *d, struct plan_worker *w, const void *block,
	struct err *reterr)
{
	const struct queue_opts *o = block;
	struct err e;

	w->queue.engine = o->engine;
	int rc = engine_chain_parse(o->engine, &w->queue.chain, &e);
	if (rc < 0)
		return job_fail(w->job, "ioengine", reterr, rc, "%s", e.text);
	queue_engine_opts(w);
	rc = queue_offload(w, o, reterr);
	if (rc == 0 && d->facts->trace_io)
		rc = queue_trace(d, w, reterr);
	if (rc == 0)
		rc = queue_trims(w, reterr);
	if (rc == 0)
		rc = queue_depth(d, w, o, reterr);
	queue_batches(w, o);
	/* Who only reads, or has one request in flight by itself, overlaps nothing. */
	bool changes = w->pattern.use[DIR_WRITE] || w->pattern.use[DIR_TRIM];
	w->queue.serialize_all = o->serialize && w->queue.offload;
	w->queue.serialize = w->queue.serialize_all ||
			     (o->serialize && changes && w->queue.depth > 1);
	return rc;
}

const struct part queue_part = {
	.group = &queue_group,
	.rules = queue_rules,
	.rules_count = COUNT_OF(queue_rules),
	.derive = queue_derive,
};

void queue_size_buffers(struct plan_worker *w, uint32_t granule)
{
	const struct pattern_spec *p = &w->pattern;
	uint32_t most = 0; /* a trim needs no buffer */

	if (p->use[DIR_READ])
		most = p->size[DIR_READ].max;
	if (p->use[DIR_WRITE])
		most = MAX_OF(most, p->size[DIR_WRITE].max);
	w->queue.buffer_align = granule;
	w->queue.buffer_bytes = (uint32_t)round_up(most, granule);
}
