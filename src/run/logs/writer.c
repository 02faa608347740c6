/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/logs/writer.h"

#include "base/bits.h"
#include "base/str.h"
#include "run/logs/binary.h"
#include "run/logs/decode.h"
#include "run/logs/file.h"
#include "run/logs/iolog.h"
#include "run/logs/lines.h"
#include "run/logs/ring.h"
#include "run/shared.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define WRITER_PIECE    (256u << 10) /* bytes of records at a time               */
#define WRITER_NAP_MIN  NS_PER_MS
#define WRITER_NAP_MAX  (32 * NS_PER_MS)
#define WRITER_FLUSH_NS (100 * NS_PER_MS) /* text stays in memory at most so long */

struct writing {
	const struct plan_worker *worker;
	struct log_ring *ring;
	uint64_t size; /* records in the ring                          */
	struct log_decoder *decoder;
	struct log_lines lines;
	struct log_iolog iolog;
	struct log_file file[PLAN_LOGS];
	bool decodes;  /* there are text logs                          */
	bool only_ios; /* the ring holds what the binary log holds     */
	bool begun;    /* the window has opened                        */
	bool done;
};

static void writing_put(void *ctx, const char *text, size_t len)
{
	log_file_put(ctx, text, len);
}

/* What is issued comes from the start, before the window has opened. */
static void writing_iolog(struct writing *w, const struct log_stream *from)
{
	w->iolog = (struct log_iolog){
		.worker = from->worker,
		.targets = from->targets,
		.to = {&w->file[PLAN_LOG_ISSUES], writing_put},
	};
	w->decoder->issue = log_iolog_issue;
	w->decoder->issue_ctx = &w->iolog;
	log_iolog_begin(&w->iolog);
}

/* A file that can't be opened any more is told like one that can't be written. */
static void writing_init(struct writing *w, const struct log_stream *from)
{
	const struct plan_worker *pw = from->worker;
	const struct plan_log *l = &pw->log;

	*w = (struct writing){
		.worker = pw,
		.ring = from->ring,
		.size = l->ring_bytes / sizeof(struct log_record),
		.only_ios = !l->windows && !l->hist && !l->fed[PLAN_LOG_ISSUES],
	};
	for (int k = 0; k < PLAN_LOGS; k++) {
		w->file[k].fd = -1;
		if (!l->fed[k])
			continue;
		bool binary = k == PLAN_LOG_BINARY;
		log_file_open(&w->file[k], l->path[k], l->append && !binary, !binary,
			binary ? l->zstd : 0);
		if (binary)
			continue;
		if (k != PLAN_LOG_ISSUES)
			w->lines.to[k] = (struct log_sink){&w->file[k], writing_put};
		w->decodes = true;
	}
	w->decoder = w->decodes ? calloc(1, sizeof(*w->decoder)) : NULL;
	w->decodes = w->decoder != NULL;
	if (w->decodes && l->fed[PLAN_LOG_ISSUES])
		writing_iolog(w, from);
}

/* The window has opened: what was not known before. */
static void writing_begin(struct writing *w)
{
	const struct plan_worker *pw = w->worker;
	const struct plan_log *l = &pw->log;

	w->begun = true;
	w->lines.each = !l->window_ns;
	w->lines.style = (struct log_style){
		.offset = l->offset,
		.prio = l->prio,
		.issue_time = l->issue_time,
		.value = l->value,
		.epoch_ms = w->ring->epoch_ms,
		.window_ns = l->window_ns,
		.coarseness = l->coarseness,
	};
	for (int d = 0; d < DIRS; d++) {
		const struct size_spec *size = &pw->pattern.size[d];
		uint32_t most = size->splits_count ? 0 : size->max;
		for (uint32_t i = 0; i < size->splits_count; i++)
			most = MAX_OF(most, size->splits[i].bytes);
		w->lines.style.use[d] = pw->pattern.use[d];
		w->lines.style.bytes_max[d] = most;
	}
	if (w->decodes) {
		w->decoder->unit_shift = l->unit_shift;
		w->decoder->to = log_lines_listener(&w->lines);
	}
	if (w->file[PLAN_LOG_BINARY].fd >= 0) {
		struct str head = {0};
		log_binary_head(pw, w->ring, &head);
		if (head.failed)
			w->file[PLAN_LOG_BINARY].error = ENOMEM;
		log_file_write(&w->file[PLAN_LOG_BINARY], str_text(&head), head.len);
		str_done(&head);
	}
}

/* Of a ring that holds windows, too, the binary log gets the rest. */
static void writing_ios(struct writing *w, const struct log_record *r, size_t count)
{
	struct log_file *f = &w->file[PLAN_LOG_BINARY];
	size_t from = 0;

	for (size_t i = 0; i < count;) {
		bool other = (r[i].a & 3) == LOG_KIND_OTHER;
		enum log_what what = (enum log_what)(r[i].a >> 2 & 15);
		size_t length = 1 + (other ? (size_t)(r[i].a >> 8 & 255) : 0);
		if (other && (what == LOG_WINDOW || what == LOG_BIN || what == LOG_HIST ||
				     what == LOG_ISSUE)) {
			log_file_write(f, r + from, (i - from) * sizeof(*r));
			from = i + length;
		}
		i += length;
	}
	if (from < count)
		log_file_write(f, r + from, (count - from) * sizeof(*r));
}

/* How many of COUNT records are whole, with what is behind them. */
static size_t writing_whole(const struct log_record *r, size_t count)
{
	size_t i = 0;
	while (i < count) {
		bool other = (r[i].a & 3) == LOG_KIND_OTHER;
		size_t length = 1 + (other ? (size_t)(r[i].a >> 8 & 255) : 0);
		if (i + length > count)
			break;
		i += length;
	}
	return i;
}

static void writing_binary(struct writing *w, const struct log_record *r, size_t count)
{
	if (w->only_ios)
		log_file_write(&w->file[PLAN_LOG_BINARY], r, count * sizeof(*r));
	else
		writing_ios(w, r, count);
}

/* A piece of the ring to the files. Where payload goes on behind the ring's end, the
 * piece is put together first: only a mixed ring has to know where records begin. */
static size_t writing_piece(struct writing *w, uint64_t tail, uint64_t count)
{
	static struct log_record joint[WRITER_PIECE / sizeof(struct log_record)];
	uint64_t at = tail & (w->size - 1);
	size_t n = MIN_OF((size_t)count, COUNT_OF(joint));
	const struct log_record *r = &w->ring->slots[at];
	bool binary = w->worker->log.fed[PLAN_LOG_BINARY];

	if (at + n > w->size && (w->only_ios || !binary)) {
		n = (size_t)(w->size - at);
	} else if (at + n > w->size) {
		size_t first = (size_t)(w->size - at);
		memcpy(joint, r, first * sizeof(*r));
		memcpy(joint + first, w->ring->slots, (n - first) * sizeof(*r));
		r = joint;
	}
	if (!w->only_ios && binary)
		n = writing_whole(r, n);
	if (w->decodes)
		log_decode(w->decoder, r, n);
	if (binary)
		writing_binary(w, r, n);
	return n;
}

/* True when there was something. */
static bool writing_drain(struct writing *w)
{
	struct log_ring *ring = w->ring;
	uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
	bool some = false;

	if (!w->begun && __atomic_load_n(&ring->start_ns, __ATOMIC_ACQUIRE))
		writing_begin(w);
	while (ring->tail != head) {
		size_t n = writing_piece(w, ring->tail, head - ring->tail);
		if (!n)
			break; /* its rest is still to be published */
		__atomic_store_n(&ring->tail, ring->tail + n, __ATOMIC_RELEASE);
		some = true;
	}
	return some;
}

static void writing_tell(struct writing *w)
{
	for (int k = 0; k < PLAN_LOGS; k++) {
		w->ring->outcome[k].lines_lost = w->file[k].lost;
		__atomic_store_n(&w->ring->outcome[k].error, w->file[k].error,
			__ATOMIC_RELEASE);
	}
}

static void writing_flush(struct writing *w)
{
	for (int k = 0; k < PLAN_LOGS; k++)
		log_file_flush(&w->file[k]);
	writing_tell(w);
}

/* The worker died before it could close its feed: what it had summed up so far. */
static void writing_rest(struct writing *w)
{
	struct log_window *window = &w->ring->window;
	struct log_lines *l = &w->lines;
	uint64_t length = l->style.window_ns;
	uint64_t now = clock_kernel_ns() - w->ring->start_ns;

	if (w->worker->log.windows && window->used && window->index >= l->next_window) {
		uint64_t end = MIN_OF(now, (window->index + 1) * length);
		for (int d = 0; d < DIRS; d++)
			if (l->style.use[d])
				log_lines_window(l, (enum dir)d, window->index,
					MAX_OF(end, window->index * length), &window->dir[d]);
	}
	for (int d = 0; d < DIRS && w->worker->log.hist; d++) {
		const struct histogram *h = w->ring->hist[d];
		uint64_t *bins = w->decoder->bins[d];
		if (!h || !h->count)
			continue;
		memset(bins, 0, sizeof(w->decoder->bins[d]));
		for (uint32_t bin = h->lo; bin <= h->hi && bin < HISTOGRAM_BINS; bin++)
			bins[histogram_fio_bin(bin)] += h->bins[bin];
		w->decoder->to.hist(l, (enum dir)d, now, bins);
	}
}

static void writing_close(struct writing *w, struct shared *shared)
{
	if (w->begun && w->decodes && !w->decoder->ended)
		writing_rest(w);
	if (w->iolog.worker)
		log_iolog_end(&w->iolog);
	for (int k = 0; k < PLAN_LOGS; k++)
		log_file_close(&w->file[k]);
	free(w->decoder);
	writing_tell(w);
	w->done = true;
	__atomic_store_n(&w->ring->done, 1, __ATOMIC_RELEASE);
	shared_ring(shared);
}

/* Many jobs have many logs: as many files as may be. */
static void writer_limits(void)
{
	struct rlimit files;
	if (getrlimit(RLIMIT_NOFILE, &files) < 0)
		return;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}

void log_writer_main(struct shared *shared, const struct log_stream *streams, uint32_t count,
	struct log_bell *bell, pid_t parent)
{
	struct writing *all = calloc(count, sizeof(*all));
	uint64_t nap = WRITER_NAP_MIN, flushed = 0;
	uint32_t left = count;

	if (!all)
		return; /* the supervisor sees it, and says so */
	writer_limits();
	for (uint32_t i = 0; i < count; i++)
		writing_init(&all[i], &streams[i]);
	while (left) {
		bool some = false, orphan = getppid() != parent;
		uint64_t now = clock_kernel_ns();
		bool flush = now - flushed >= WRITER_FLUSH_NS;
		for (uint32_t i = 0; i < count; i++) {
			struct writing *w = &all[i];
			if (w->done)
				continue;
			bool over = orphan || __atomic_load_n(&w->ring->over, __ATOMIC_ACQUIRE);
			some |= writing_drain(w);
			if (over) {
				writing_close(w, shared);
				left--;
			} else if (flush) {
				writing_flush(w);
			}
		}
		if (flush)
			flushed = now;
		nap = some ? WRITER_NAP_MIN : MIN_OF(nap * 2, WRITER_NAP_MAX);
		if (left)
			log_bell_wait(bell, nap);
	}
	free(all);
}
