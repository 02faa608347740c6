/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What every engine must do, whatever it is made of.
 *
 *	conformance NAME             an engine; a shim is tried over several engines
 *	conformance 'CHAIN'          delay(psync)
 *
 * Every test runs by perform() and by submit() and reap(), where the engine has
 * them.  Files are made in a fresh folder below $WEIR_TEST_DIR or /var/tmp.
 * Exit status 77, with the reason, when the engine's probe says no. */
#include "base/bits.h"
#include "base/rng.h"
#include "base/scope.h"
#include "rig.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCK 4096u
#define DEPTH 16u
#define SKIP  77

/* A chain under test, and what may be expected of it. */
struct subject {
	const char *chain;
	const char *dir;
	bool perform, queue;
	bool moves;   /* data really goes somewhere          */
	bool extends; /* a write may make a file longer      */
	bool fd;      /* every request uses the descriptor   */
};

static struct rig_want want(const struct subject *s)
{
	return (struct rig_want){.chain = s->chain,
		.dir = s->dir,
		.depth = DEPTH,
		.block = BLOCK,
		.bytes = UINT64_C(64) * BLOCK};
}

static void fill(char *buf, uint32_t bytes, uint64_t key)
{
	for (uint32_t i = 0; i < bytes; i++)
		buf[i] = (char)rng_mix(key * BLOCK + i);
}

/* ---- tests; QUEUED says which of the two ways ---- */

static void test_lifecycle(const struct subject *s, bool queued)
{
	struct rig rig;
	struct err err = {0};
	const struct rig_want w = want(s);

	(void)queued;
	CHECK(rig_open_queue(&rig, &w, &err) == 0, "%s", err.text);
	rig_close(&rig); /* no target was ever opened */

	rig_open(&rig, &w);
	CHECK(!s->moves || rig.targets[0].fd >= 0, "fd %d", rig.targets[0].fd);
	CHECK(!s->moves || rig.targets[0].bytes == w.bytes, "bytes %llu",
		(unsigned long long)rig.targets[0].bytes);
	rig_close_target(&rig, 0);
	CHECK(rig.targets[0].fd == -1, "fd %d after close", rig.targets[0].fd);
	rig_close(&rig);
	queue_free(NULL);
}

static void test_round_trip(const struct subject *s, bool queued)
{
	static const struct {
		uint64_t offset;
		uint32_t bytes;
	} places[] = {{0, BLOCK}, {5 * BLOCK, BLOCK}, {63 * BLOCK, BLOCK}, {1, 511}, {8191, 2},
		{12345, 3210}, {17 * BLOCK, 512}};
	struct rig rig;
	const struct rig_want w = want(s);
	char truth[BLOCK];

	rig_open(&rig, &w);
	for (size_t i = 0; i < COUNT_OF(places); i++) {
		const uint32_t bytes = places[i].bytes;
		fill(truth, bytes, i + 1);
		memcpy(rig_io(&rig, 0, IO_WRITE, 0, places[i].offset, bytes)->buf, truth,
			bytes);
		int32_t res = rig_do(&rig, queued, 0);
		CHECK(res == (int32_t)bytes, "write %zu: %d", i, res);

		memset(rig_buffer(&rig, 1), 0x55, BLOCK);
		rig_io(&rig, 1, IO_READ, 0, places[i].offset, bytes);
		res = rig_do(&rig, queued, 1);
		CHECK(res == (int32_t)bytes, "read %zu: %d", i, res);
		if (!s->moves)
			continue;
		CHECK(!memcmp(rig_buffer(&rig, 1), truth, bytes),
			"read %zu is not what was written", i);
		CHECK(bytes == BLOCK || rig_buffer(&rig, 1)[bytes] == 0x55,
			"read %zu went past its buffer", i);
		scope_fd int fd = open(rig.paths[0], O_RDONLY | O_CLOEXEC);
		char plain[BLOCK];
		CHECK(pread(fd, plain, bytes, (off_t)places[i].offset) == (ssize_t)bytes &&
				!memcmp(plain, truth, bytes),
			"write %zu did not reach the file", i);
	}
	rig_close(&rig);
}

static void test_end_of_file(const struct subject *s, bool queued)
{
	struct rig rig;
	struct rig_want w = want(s);

	if (!s->moves)
		return;
	w.bytes = BLOCK + 100;
	rig_open(&rig, &w);
	rig_io(&rig, 0, IO_READ, 0, BLOCK, BLOCK);
	int32_t res = rig_do(&rig, queued, 0);
	CHECK(res == 100, "a read across the end: %d", res);
	rig_io(&rig, 0, IO_READ, 0, 2 * BLOCK, BLOCK);
	res = rig_do(&rig, queued, 0);
	CHECK(res == 0, "a read behind the end: %d", res);
	if (!s->extends) {
		rig_io(&rig, 0, IO_WRITE, 0, 4 * BLOCK, BLOCK);
		res = rig_do(&rig, queued, 0);
		CHECK(res < 0, "a write behind the end: %d", res);
	}
	rig_close(&rig);
}

static void test_sync_and_trim(const struct subject *s, bool queued)
{
	struct rig rig;
	const struct rig_want w = want(s);

	rig_open(&rig, &w);
	rig_io(&rig, 0, IO_WRITE, 0, 0, BLOCK);
	CHECK(rig_do(&rig, queued, 0) == (int32_t)BLOCK, "write");
	rig_io(&rig, 0, IO_FSYNC, 0, 0, 0);
	int32_t res = rig_do(&rig, queued, 0);
	CHECK(res == 0, "fsync: %d", res);
	rig_io(&rig, 0, IO_FDATASYNC, 0, 0, 0);
	res = rig_do(&rig, queued, 0);
	CHECK(res == 0, "fdatasync: %d", res);
	rig_io(&rig, 0, IO_SYNC_RANGE, 0, 0, BLOCK)->flags = SYNC_FILE_RANGE_WRITE;
	res = rig_do(&rig, queued, 0);
	CHECK(res == 0, "sync_file_range: %d", res);
	rig_io(&rig, 0, IO_TRIM, 0, 0, BLOCK);
	res = rig_do(&rig, queued, 0);
	CHECK(res == (int32_t)BLOCK, "trim: %d", res);
	if (s->moves) { /* a hole, and the file keeps its size */
		static const char zeros[BLOCK];
		struct io *io = rig_io(&rig, 0, IO_READ, 0, 0, BLOCK);
		res = rig_do(&rig, queued, 0);
		CHECK(res == (int32_t)BLOCK && memcmp(io->buf, zeros, BLOCK) == 0,
			"a read of what was trimmed: %d", res);
	}
	rig_close(&rig);
}

static void test_many_targets(const struct subject *s, bool queued)
{
	struct rig rig;
	struct rig_want w = want(s);
	struct err err;

	w.files = RIG_FILES;
	w.bytes = 4 * BLOCK;
	rig_open(&rig, &w);
	for (int round = 0; round < 3; round++) {
		for (uint32_t f = 0; f < RIG_FILES; f++) {
			const uint64_t key = 100 * (uint64_t)round + f;
			fill(rig_io(&rig, 0, IO_WRITE, f, BLOCK, BLOCK)->buf, BLOCK, key);
			CHECK(rig_do(&rig, queued, 0) == (int32_t)BLOCK, "write, file %u", f);
		}
		for (uint32_t f = 0; f < RIG_FILES; f++) {
			char truth[BLOCK];
			fill(truth, BLOCK, 100 * (uint64_t)round + f);
			rig_io(&rig, 1, IO_READ, f, BLOCK, BLOCK);
			CHECK(rig_do(&rig, queued, 1) == (int32_t)BLOCK, "read, file %u", f);
			CHECK(!s->moves || !memcmp(rig_buffer(&rig, 1), truth, BLOCK),
				"file %u", f);
		}
		/* The others keep working while some are closed and opened again. */
		for (uint32_t f = 0; f < RIG_FILES; f += 3)
			rig_close_target(&rig, f);
		rig_io(&rig, 0, IO_READ, 1, 0, BLOCK);
		CHECK(rig_do(&rig, queued, 0) == (int32_t)BLOCK, "read with others closed");
		for (uint32_t f = 0; f < RIG_FILES; f += 3)
			CHECK(rig_open_target(&rig, f, &err) == 0, "reopen: %s", err.text);
	}
	rig_close(&rig);
}

static void test_bad_descriptor(const struct subject *s, bool queued)
{
	struct rig rig;
	const struct rig_want w = want(s);

	if (!s->fd)
		return;
	rig_open(&rig, &w);
	/* As a device that went away: the engine's registration is undone, too. */
	const int fd = rig.targets[0].fd;
	rig_close_target(&rig, 0);
	rig.targets[0].fd = fd;
	rig_io(&rig, 0, IO_READ, 0, 0, BLOCK);
	int32_t res = rig_do(&rig, queued, 0);
	CHECK(res == -EBADF, "read: %d", res);
	rig_io(&rig, 0, IO_WRITE, 0, 0, BLOCK);
	res = rig_do(&rig, queued, 0);
	CHECK(res == -EBADF, "write: %d", res);
	rig.targets[0].fd = -1;
	rig_close(&rig);
}

static void test_misaligned_direct(const struct subject *s, bool queued)
{
	struct rig rig;
	struct rig_want w = want(s);

	if (!s->fd)
		return;
	w.direct = true;
	rig_open(&rig, &w);
	/* Some file systems take it; then the engine must, too. */
	ssize_t plain = pread(rig.targets[0].fd, rig_buffer(&rig, 1), 100, 3);
	const int32_t expected = plain < 0 ? -errno : (int32_t)plain;
	rig_io(&rig, 0, IO_READ, 0, 3, 100);
	int32_t res = rig_do(&rig, queued, 0);
	CHECK(res == expected, "%d, pread() says %d", res, expected);
	rig_io(&rig, 0, IO_READ, 0, BLOCK, BLOCK);
	res = rig_do(&rig, queued, 0);
	CHECK(res == (int32_t)BLOCK, "aligned: %d", res);
	rig_close(&rig);
}

/* Run FN in a child, so that limits and mounts don't stay. */
static void in_child(void (*fn)(const struct subject *s, bool queued), const struct subject *s,
	bool queued)
{
	int status = 0;

	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0) {
		rig_failures = 0;
		fn(s, queued);
		fflush(NULL);
		_exit(rig_failures ? 1 : 0);
	}
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid, "fork");
	CHECK(status == 0, "the child failed: status 0x%x", (unsigned)status);
}

static void child_file_limit(const struct subject *s, bool queued)
{
	struct rig rig;
	const struct rig_want w = want(s);
	const struct rlimit limit = {w.bytes, w.bytes};

	rig_open(&rig, &w);
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	rig_io(&rig, 0, IO_WRITE, 0, w.bytes, BLOCK);
	int32_t res = rig_do(&rig, queued, 0);
	CHECK(res == -EFBIG, "write behind RLIMIT_FSIZE: %d", res);
	rig_io(&rig, 0, IO_WRITE, 0, w.bytes - BLOCK, BLOCK);
	res = rig_do(&rig, queued, 0);
	CHECK(res == (int32_t)BLOCK, "write before it: %d", res);
	rig_close(&rig);
}

static void test_file_limit(const struct subject *s, bool queued)
{
	if (s->moves && s->extends)
		in_child(child_file_limit, s, queued);
}

/* mount(2): its header, <sys/mount.h>, has the name of one of ours. */
static int mount_raw(const char *what, const char *where, const char *type, unsigned long flags,
	const char *data)
{
	return (int)syscall(SYS_mount, what, where, type, flags, data);
}

static void child_disk_full(const struct subject *s, bool queued)
{
	char dir[256];
	struct rig rig;
	struct rig_want w = want(s);
	int32_t res = 0;

	snprintf(dir, sizeof(dir), "%s/full", s->dir);
	mkdir(dir, 0700);
	if (unshare(CLONE_NEWNS) < 0 ||
		mount_raw(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
		mount_raw("tmpfs", dir, "tmpfs", 0, "size=64k") < 0) {
		printf("  (disk full: not tried, no right to mount: %s)\n", strerror(errno));
		return;
	}
	w.dir = dir;
	w.bytes = BLOCK;
	rig_open(&rig, &w);
	for (uint32_t i = 0; i < 32 && res >= 0; i++) {
		rig_io(&rig, 0, IO_WRITE, 0, i * (uint64_t)BLOCK, BLOCK);
		res = rig_do(&rig, queued, 0);
	}
	CHECK(res == -ENOSPC, "%d", res);
	rig_close(&rig);
}

static void test_disk_full(const struct subject *s, bool queued)
{
	if (s->moves && s->extends)
		in_child(child_disk_full, s, queued);
}

/* ---- tests of queues ---- */

static void test_depth_full(const struct subject *s, bool queued)
{
	struct rig rig;
	const struct rig_want w = want(s);
	bool seen[DEPTH] = {0};

	(void)queued;
	rig_open(&rig, &w);
	for (uint32_t i = 0; i < DEPTH; i++)
		rig_io(&rig, i, IO_READ, 0, i * BLOCK, BLOCK);
	rig_do_all(&rig, DEPTH);
	for (uint32_t i = 0; i < DEPTH; i++) {
		const struct io *io = rig.done[i];
		CHECK(!seen[io->slot], "slot %u came back twice", io->slot);
		seen[io->slot] = true;
		CHECK(io->res == (int32_t)BLOCK, "slot %u: %d", io->slot, io->res);
	}
	/* Nothing is in flight: no reap may wait for it. */
	const uint64_t start_ns = rig_now(&rig);
	CHECK(call_reap(rig.queue, rig.done, DEPTH, 0, 0) == 0, "something came of nothing");
	CHECK(call_reap(rig.queue, rig.done, DEPTH, DEPTH, UINT64_MAX) == 0, "nothing");
	CHECK(rig_now(&rig) - start_ns < NS_PER_S, "it waited for nothing");
	rig_close(&rig);
}

static void test_small_bites(const struct subject *s, bool queued)
{
	struct rig rig;
	const struct rig_want w = want(s);
	unsigned reaped = 0, submitted = 0;

	(void)queued;
	rig_open(&rig, &w);
	for (uint32_t i = 0; i < DEPTH; i++)
		rig_io(&rig, i, i % 2 ? IO_READ : IO_WRITE, 0, i * BLOCK, BLOCK);
	while (submitted < DEPTH)
		submitted += call_submit(rig.queue, rig.ptr + submitted,
			MIN_OF(3u, DEPTH - submitted));
	while (reaped < DEPTH) {
		unsigned got = call_reap(rig.queue, rig.done, 1, 1, UINT64_MAX);
		CHECK(got == 1 && rig.done[0]->res == (int32_t)BLOCK, "got %u", got);
		reaped += got;
		if (!got)
			break;
	}
	rig_close(&rig);
}

/* MIN is a promise: with no deadline, no signal and no stop flag it is kept. */
static void test_min_is_kept(const struct subject *s, bool queued)
{
	struct rig rig;
	const struct rig_want w = want(s);

	(void)queued;
	rig_open(&rig, &w);
	for (uint32_t min = 1; min <= DEPTH; min++) {
		unsigned submitted = 0, reaped;
		for (uint32_t i = 0; i < DEPTH; i++)
			rig_io(&rig, i, IO_READ, 0, (DEPTH - 1 - i) * BLOCK, BLOCK);
		while (submitted < DEPTH)
			submitted += call_submit(rig.queue, rig.ptr + submitted,
				DEPTH - submitted);
		reaped = call_reap(rig.queue, rig.done, DEPTH, min, UINT64_MAX);
		CHECK(reaped >= min, "min %u, got %u", min, reaped);
		while (reaped < DEPTH) {
			unsigned got = call_reap(rig.queue, rig.done, DEPTH, 1, UINT64_MAX);
			CHECK(got > 0, "the rest did not come");
			if (!got)
				break;
			reaped += got;
		}
	}
	rig_close(&rig);
}

static void test_polling(const struct subject *s, bool queued)
{
	struct rig rig;
	const struct rig_want w = want(s);
	const unsigned n = 4;
	unsigned submitted = 0, reaped = 0;

	(void)queued;
	rig_open(&rig, &w);
	for (uint32_t i = 0; i < n; i++)
		rig_io(&rig, i, IO_READ, 0, i * BLOCK, BLOCK);
	while (submitted < n)
		submitted += call_submit(rig.queue, rig.ptr + submitted, n - submitted);
	const uint64_t until_ns = rig_now(&rig) + 10 * NS_PER_S;
	while (reaped < n && rig_now(&rig) < until_ns)
		reaped += call_reap(rig.queue, rig.done + reaped, n - reaped, 0, 0);
	CHECK(reaped == n, "only looking, %u of %u came", reaped, n);
	rig_close(&rig);
}

/* Any order of submits and reaps; each slot owns its part of the file and knows
 * what is in it. */
static void test_random_order(const struct subject *s, bool queued)
{
	struct rig rig;
	const struct rig_want w = want(s);
	struct rng dice;
	uint64_t key[DEPTH] = {0};
	bool flying[DEPTH] = {0};
	unsigned in_flight = 0, turns = 0;
	const uint64_t seed = (uint64_t)getpid() * 2654435761u;

	(void)queued;
	rng_init(&dice, seed);
	rig_open(&rig, &w);
	while (turns < 600 || in_flight) {
		struct io *batch[DEPTH];
		unsigned n = 0;
		turns++;
		for (uint32_t i = 0; i < DEPTH && turns < 600; i++) {
			if (flying[i] || rng_below(&dice, 3))
				continue;
			bool writes = !key[i] || rng_below(&dice, 2);
			batch[n++] = rig_io(&rig, i, writes ? IO_WRITE : IO_READ, 0, i * BLOCK,
				BLOCK);
			if (writes)
				fill(rig_buffer(&rig, i), BLOCK, key[i] = turns * 100 + i);
			else
				memset(rig_buffer(&rig, i), 0, BLOCK);
		}
		unsigned taken = n ? call_submit(rig.queue, batch, n) : 0;
		for (unsigned i = 0; i < taken; i++)
			flying[batch[i]->slot] = true;
		for (unsigned i = taken; i < n; i++)
			key[batch[i]->slot] = batch[i]->kind == IO_WRITE ? 0
									 : key[batch[i]->slot];
		in_flight += taken;

		unsigned max = 1 + (unsigned)rng_below(&dice, DEPTH);
		unsigned min = (unsigned)rng_below(&dice, MIN_OF(max, in_flight) + 1);
		unsigned got = call_reap(rig.queue, rig.done, max, min, UINT64_MAX);
		CHECK(got >= min, "seed %llu turn %u: min %u, got %u", (unsigned long long)seed,
			turns, min, got);
		for (unsigned i = 0; i < got; i++) {
			const struct io *io = rig.done[i];
			char truth[BLOCK];
			fill(truth, BLOCK, key[io->slot]);
			CHECK(flying[io->slot] && io->res == (int32_t)BLOCK,
				"seed %llu turn %u: slot %u, %d", (unsigned long long)seed,
				turns, io->slot, io->res);
			CHECK(!s->moves || !memcmp(io->buf, truth, BLOCK),
				"seed %llu turn %u: data", (unsigned long long)seed, turns);
			flying[io->slot] = false;
		}
		in_flight -= got;
	}
	rig_close(&rig);
}

static void test_free_in_flight(const struct subject *s, bool queued)
{
	struct rig rig;
	struct rig_want w = want(s);

	(void)queued;
	w.direct = s->fd;
	for (int round = 0; round < 5; round++) {
		rig_open(&rig, &w);
		for (uint32_t i = 0; i < DEPTH; i++)
			rig_io(&rig, i, i % 2 ? IO_READ : IO_WRITE, 0, i * BLOCK, BLOCK);
		(void)call_submit(rig.queue, rig.ptr, DEPTH);
		rig_close(&rig);
	}
}

/* ---- running them ---- */

static const struct {
	const char *name;
	void (*run)(const struct subject *s, bool queued);
	bool queue_only;
} tests[] = {
	/* These fork, and come first: the C library's aio threads don't survive it. */
	{"file limit", test_file_limit, false},
	{"disk full", test_disk_full, false},
	{"lifecycle", test_lifecycle, false},
	{"round trip", test_round_trip, false},
	{"end of file", test_end_of_file, false},
	{"sync and trim", test_sync_and_trim, false},
	{"many targets", test_many_targets, false},
	{"bad descriptor", test_bad_descriptor, false},
	{"misaligned direct", test_misaligned_direct, false},
	{"depth full", test_depth_full, true},
	{"small bites", test_small_bites, true},
	{"min is kept", test_min_is_kept, true},
	{"polling", test_polling, true},
	{"random order", test_random_order, true},
	{"free in flight", test_free_in_flight, true},
};

static void run_test(const struct subject *s, size_t i, bool queued)
{
	const unsigned failures = rig_failures, descriptors = rig_open_descriptors();

	tests[i].run(s, queued);
	const unsigned now = rig_open_descriptors();
	CHECK(now == descriptors, "%u descriptors before, %u after", descriptors, now);
	printf("%s %s: %s%s\n", rig_failures == failures ? "ok    " : "not ok", s->chain,
		tests[i].name, queued ? ", queued" : "");
}

static int run_chain(const char *text, const char *dir)
{
	struct engine_chain chain;
	struct err err;

	if (engine_chain_parse(text, &chain, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	const struct engine *base = engine_chain_base(&chain);
	if (base->probe && base->probe(&err) < 0) {
		printf("skipped %s: %s\n", text, err.text);
		return SKIP;
	}
	const struct subject s = {
		.chain = text,
		.dir = dir,
		.perform = engine_chain_can_perform(&chain),
		.queue = engine_chain_can_queue(&chain),
		.moves = !(base->flags & ENGINE_NO_FILES),
		.extends = !(base->flags & (ENGINE_NO_FILES | ENGINE_NO_EXTEND)),
		.fd = !(base->flags & ENGINE_NO_FILES) && base->flags & ENGINE_DIRECT_OK,
	};
	CHECK(s.perform || s.queue, "%s has neither perform nor submit", text);
	CHECK(base->submit ? base->reap != NULL : !base->reap, "%s: submit and reap", text);
	for (size_t i = 0; i < COUNT_OF(tests); i++) {
		if (s.perform && !tests[i].queue_only)
			run_test(&s, i, false);
		if (s.queue)
			run_test(&s, i, true);
	}
	return rig_failures ? 1 : 0;
}

/* A shim's name alone: over engines of each kind, and over another shim. */
static int run_name(const char *name, const char *dir)
{
	static const char *const inside[] = {"null", "psync", "vsync", "mmap", "libaio",
		"posixaio", "io_uring", "trickle(fault(null))"};
	const struct engine *engine = engine_find(name);
	int worst = 0;

	if (!engine || !engine->shim)
		return run_chain(name, dir);
	for (size_t i = 0; i < COUNT_OF(inside); i++) {
		char chain[128];
		struct engine_chain parsed;
		snprintf(chain, sizeof(chain), "%s(%s)", name, inside[i]);
		if (engine_chain_parse(chain, &parsed, NULL) < 0)
			continue; /* not in this build */
		if (run_chain(chain, dir) == 1)
			worst = 1;
	}
	return worst;
}

int main(int argc, char **argv)
{
	const char *base = getenv("WEIR_TEST_DIR");
	char dir[200], full[256];

	if (argc != 2) {
		fprintf(stderr, "usage: conformance ENGINE\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	snprintf(dir, sizeof(dir), "%s/weir-conformance-XXXXXX", base ? base : "/var/tmp");
	if (!mkdtemp(dir)) {
		perror(dir);
		return 1;
	}
	int status = run_name(argv[1], dir);
	snprintf(full, sizeof(full), "%s/full", dir);
	rmdir(full);
	CHECK(rmdir(dir) == 0, "files were left in %s", dir);
	return rig_failures ? 1 : status;
}
