/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "rig.h"

#include "base/bits.h"
#include "opt/opt.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

unsigned rig_failures;

static _Noreturn void rig_die(const char *what, const char *text)
{
	fprintf(stderr, "can't set up the test: %s: %s\n", what, text);
	exit(1);
}

static const struct opt *group_row(const struct opt_group *g, const char *name, size_t len)
{
	for (size_t i = 0; i < g->count; i++)
		if (strlen(g->rows[i].name) == len && !memcmp(g->rows[i].name, name, len))
			return &g->rows[i];
	return NULL;
}

/* The option block of one link, from its presets and those of OPTS it knows. */
static const void *rig_block(struct rig *rig, const struct engine *engine,
	const char *const *opts)
{
	const struct opt_group *g = engine->opts;
	const struct opt_ctx ctx = {.arena = &rig->arena};
	struct err err;

	if (!g)
		return NULL;
	void *block = arena_alloc(&rig->arena, g->size);
	if (!block || opt_presets(g, block, &ctx, &err) < 0)
		rig_die(engine->name, block ? err.text : "no memory");
	for (; opts && *opts; opts++) {
		const char *equals = strchr(*opts, '=');
		const struct opt *row = group_row(g, *opts, (size_t)(equals - *opts));
		if (row && opt_parse(row, equals + 1, block, &ctx, &err) < 0)
			rig_die(*opts, err.text);
	}
	return block;
}

static void rig_make_file(const char *path, uint64_t bytes)
{
	int fd = open(path, O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0644);
	char zero[4096] = {0};

	if (fd < 0)
		rig_die(path, strerror(errno));
	for (uint64_t at = 0; at < bytes;) {
		ssize_t n = pwrite(fd, zero, MIN_OF(sizeof(zero), bytes - at), (off_t)at);
		if (n <= 0)
			rig_die(path, strerror(errno));
		at += (uint64_t)n;
	}
	close(fd);
}

static void rig_make_targets(struct rig *rig, const struct rig_want *want)
{
	static unsigned serial;

	rig->fresh = !want->path;
	for (uint32_t i = 0; i < rig->files; i++) {
		if (want->path)
			snprintf(rig->paths[i], sizeof(rig->paths[i]), "%s", want->path);
		else
			snprintf(rig->paths[i], sizeof(rig->paths[i]), "%s/f%d.%u", want->dir,
				(int)getpid(), serial++);
		if (rig->fresh && !(engine_chain_base(&rig->chain)->flags & ENGINE_NO_FILES))
			rig_make_file(rig->paths[i], want->bytes);
		rig->targets[i] = (struct target){.path = rig->paths[i], .fd = -1, .index = i};
	}
}

static void rig_make_memory(struct rig *rig)
{
	const size_t bytes = (size_t)rig->depth * rig->block;

	rig->ios = aligned_alloc(64, rig->depth * sizeof(*rig->ios));
	rig->ptr = calloc(rig->depth, sizeof(*rig->ptr));
	rig->done = calloc(rig->depth, sizeof(*rig->done));
	rig->buffers = aligned_alloc(4096, round_up(bytes, 4096));
	if (!rig->ios || !rig->ptr || !rig->done || !rig->buffers)
		rig_die("requests", "no memory");
	memset(rig->ios, 0, rig->depth * sizeof(*rig->ios));
	memset(rig->buffers, 0, bytes);
	for (uint32_t i = 0; i < rig->depth; i++) {
		rig->ios[i].slot = i;
		rig->ios[i].buf = rig_buffer(rig, i);
		rig->ptr[i] = &rig->ios[i];
	}
}

int rig_open_queue(struct rig *rig, const struct rig_want *want, struct err *reterr)
{
	const void *blocks[ENGINE_CHAIN];
	struct err err;

	*rig = (struct rig){.depth = want->depth, .block = want->block};
	rig->files = want->files ? want->files : 1;
	if (clock_init(&rig->clock, CLOCK_AUTO, &err) < 0 ||
		engine_chain_parse(want->chain, &rig->chain, &err) < 0)
		rig_die(want->chain, err.text);
	rig->how = (struct target_how){
		.read = true, .write = !want->read_only, .direct = want->direct, .advice = -1};
	rig_make_targets(rig, want);
	rig_make_memory(rig);
	for (uint32_t i = 0; i < rig->chain.count; i++)
		blocks[i] = rig_block(rig, rig->chain.link[i], want->opts);

	const struct queue template = {
		.clock = &rig->clock,
		.ios = rig->ios,
		.depth = rig->depth,
		.buffers = rig->buffers,
		.buffers_bytes = (size_t)rig->depth * rig->block,
		.buffer_bytes = rig->block,
		.targets = rig->targets,
		.targets_count = rig->files,
		.direct = want->direct,
		.seed = want->seed,
		.stop = &rig->stop,
	};
	return queue_new(&rig->chain, &template, blocks, &rig->queue, reterr);
}

int rig_open_target(struct rig *rig, uint32_t i, struct err *reterr)
{
	return call_target_open(rig->queue, &rig->targets[i], &rig->how, reterr);
}

void rig_close_target(struct rig *rig, uint32_t i)
{
	call_target_close(rig->queue, &rig->targets[i]);
}

void rig_open(struct rig *rig, const struct rig_want *want)
{
	struct err err;

	if (rig_open_queue(rig, want, &err) < 0)
		rig_die(want->chain, err.text);
	for (uint32_t i = 0; i < rig->files; i++)
		if (rig_open_target(rig, i, &err) < 0)
			rig_die(want->chain, err.text);
}

void rig_close(struct rig *rig)
{
	if (rig->queue)
		for (uint32_t i = 0; i < rig->files; i++)
			rig_close_target(rig, i);
	queue_free(rig->queue);
	for (uint32_t i = 0; i < rig->files; i++)
		if (rig->fresh)
			unlink(rig->paths[i]);
	free(rig->ios);
	free(rig->ptr);
	free(rig->done);
	free(rig->buffers);
	arena_done(&rig->arena);
}

char *rig_buffer(const struct rig *rig, uint32_t slot)
{
	return rig->buffers + (size_t)slot * rig->block;
}

struct io *rig_io(struct rig *rig, uint32_t slot, enum io_kind kind, uint32_t file,
	uint64_t offset, uint32_t bytes)
{
	struct io *io = &rig->ios[slot];

	io->kind = (uint8_t)kind;
	io->target = &rig->targets[file];
	io->offset = offset;
	io->bytes = bytes;
	io->res = INT32_MIN; /* an engine that forgets it is found out */
	return io;
}

int32_t rig_do(struct rig *rig, bool queued, uint32_t slot)
{
	struct io *io = &rig->ios[slot];

	if (!queued) {
		call_perform(rig->queue, io);
		return io->res;
	}
	struct io *back = NULL;
	unsigned taken = call_submit(rig->queue, &io, 1);
	unsigned got = call_reap(rig->queue, &back, 1, 1, rig_now(rig) + 10 * NS_PER_S);
	CHECK(taken == 1 && got == 1 && back == io, "taken %u, got %u", taken, got);
	return io->res;
}

void rig_do_all(struct rig *rig, uint32_t n)
{
	const uint64_t until_ns = rig_now(rig) + 20 * NS_PER_S;
	uint32_t submitted = 0, reaped = 0;

	while (reaped < n && rig_now(rig) < until_ns) {
		if (submitted < n)
			submitted += call_submit(rig->queue, rig->ptr + submitted,
				n - submitted);
		if (submitted > reaped)
			reaped += call_reap(rig->queue, rig->done + reaped, n - reaped, 1,
				until_ns);
	}
	CHECK(reaped == n, "%u of %u came back", reaped, n);
}

uint64_t rig_now(const struct rig *rig)
{
	return clock_now(&rig->clock);
}

unsigned rig_open_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned n = 0;

	if (!dir)
		rig_die("/proc/self/fd", strerror(errno));
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}
