/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* How reap() waits, on requests that don't finish until they are let go:
 *
 *	waits delay CHAIN            a delay shim outermost: they take 900 ms
 *	waits hang CHAIN             a fault shim outermost: they never come
 *	waits pipe CHAIN             reads of an empty pipe, until it is written to
 *	waits frozen CHAIN DEV DIR   writes to a loop device whose file lies on the
 *	                             file system DIR, which is frozen (stuck.sh)
 *
 * Whatever holds them: never back before the deadline, soon after it; soon after
 * the stop flag although nobody sends a signal; at once after a signal. */
#include "base/bits.h"
#include "engine/wait.h"
#include "rig.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#define FLYING 4u
#define BLOCK  4096u
#define LATE   (1500 * NS_PER_MS) /* what a busy machine may add */

enum kind {
	KIND_DELAY,
	KIND_HANG,
	KIND_PIPE,
	KIND_FROZEN,
};

struct scene {
	enum kind kind;
	const char *chain, *path, *frozen_dir;
	int fd; /* of the pipe's other end, or of frozen_dir */
};

static void hold(const struct scene *s)
{
	if (s->kind == KIND_FROZEN && ioctl(s->fd, FIFREEZE, 0) < 0) {
		perror("freeze");
		exit(1);
	}
}

static void let_go(const struct scene *s)
{
	char data[FLYING * BLOCK] = {0};

	if (s->kind == KIND_FROZEN)
		CHECK(ioctl(s->fd, FITHAW, 0) == 0, "thaw: %s", strerror(errno));
	if (s->kind == KIND_PIPE)
		CHECK(write(s->fd, data, sizeof(data)) == sizeof(data), "pipe");
}

/* reap() that must return nothing, between LEAST and MOST ns from now. */
static void expect_nothing(struct rig *rig, const char *what, unsigned min, uint64_t until_ns,
	uint64_t least, uint64_t most)
{
	const uint64_t start_ns = rig_now(rig);
	unsigned got = call_reap(rig->queue, rig->done, FLYING, min, until_ns);
	const uint64_t took_ns = rig_now(rig) - start_ns;

	CHECK(got == 0, "%s: %u came", what, got);
	CHECK(took_ns >= least, "%s: back after %.3f ms, too early", what,
		(double)took_ns / 1e6);
	CHECK(took_ns <= most, "%s: back after %.3f ms, too late", what, (double)took_ns / 1e6);
	printf("%s: %.3f ms\n", what, (double)took_ns / 1e6);
}

static void *set_stop_later(void *arg)
{
	struct rig *rig = arg;
	const struct timespec pause = wait_timespec(60 * NS_PER_MS);

	clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	__atomic_store_n(&rig->stop, 1, __ATOMIC_RELAXED);
	return NULL;
}

static void test_stop(struct rig *rig)
{
	sigset_t all, before;
	pthread_t thread;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	pthread_create(&thread, NULL, set_stop_later, rig);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	expect_nothing(rig, "stop flag", 1, UINT64_MAX, 50 * NS_PER_MS,
		60 * NS_PER_MS + WAIT_SLICE_NS + LATE);
	pthread_join(thread, NULL);
	expect_nothing(rig, "stop flag, set before", 1, UINT64_MAX, 0, LATE);
	rig->stop = 0;
}

static void on_alarm(int sig)
{
	(void)sig;
}

/* Again and again, as the supervisor does: one alone may come between two sleeps. */
static void test_signal(struct rig *rig)
{
	const struct itimerval soon = {{.tv_usec = 60000}, {.tv_usec = 60000}}, never = {0};
	const struct sigaction act = {.sa_handler = on_alarm}; /* no SA_RESTART */

	sigaction(SIGALRM, &act, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	expect_nothing(rig, "signal", 1, UINT64_MAX, 50 * NS_PER_MS, 60 * NS_PER_MS + LATE);
	setitimer(ITIMER_REAL, &never, NULL);
}

static void test_deadline(struct rig *rig)
{
	expect_nothing(rig, "no wait", 0, 0, 0, LATE);
	expect_nothing(rig, "no wait, but wanted", FLYING, 0, 0, LATE);
	expect_nothing(rig, "deadline gone", 1, rig_now(rig) - 1, 0, LATE);
	expect_nothing(rig, "deadline in 3 ms", 1, rig_now(rig) + 3 * NS_PER_MS,
		2900 * NS_PER_US, 3 * NS_PER_MS + LATE);
	/* Longer than a slice. */
	expect_nothing(rig, "deadline in 120 ms", FLYING, rig_now(rig) + 120 * NS_PER_MS,
		119900 * NS_PER_US, 120 * NS_PER_MS + LATE);
}

static void run(const struct scene *s)
{
	static const char *const opts[] = {
		"delay_script=const:900ms", "fault_script=every:1:hang", NULL};
	const struct rig_want want = {.chain = s->chain,
		.path = s->path,
		.dir = "/var/tmp",
		.bytes = FLYING * BLOCK,
		.depth = FLYING,
		.block = BLOCK,
		.direct = s->kind == KIND_FROZEN,
		.read_only = s->kind == KIND_PIPE,
		.opts = s->kind == KIND_DELAY  ? opts
			: s->kind == KIND_HANG ? opts + 1
					       : NULL};
	struct rig rig;

	rig_open(&rig, &want);
	hold(s);
	for (uint32_t i = 0; i < FLYING; i++)
		rig_io(&rig, i, s->kind == KIND_PIPE ? IO_READ : IO_WRITE, 0,
			s->kind == KIND_PIPE ? 0 : i * BLOCK, BLOCK);
	CHECK(call_submit(rig.queue, rig.ptr, FLYING) == FLYING, "submit");
	test_deadline(&rig);
	test_stop(&rig);
	test_signal(&rig);
	let_go(s);
	if (s->kind != KIND_HANG) {
		unsigned got = 0;
		const uint64_t until_ns = rig_now(&rig) + 10 * NS_PER_S;
		while (got < FLYING && rig_now(&rig) < until_ns)
			got += call_reap(rig.queue, rig.done, FLYING - got, 1, until_ns);
		CHECK(got == FLYING, "%u of %u came in the end", got, FLYING);
		for (uint32_t i = 0; i < FLYING; i++)
			CHECK(rig.ios[i].res == (int32_t)BLOCK, "slot %u: %d", i,
				rig.ios[i].res);
	}
	rig_close(&rig);
}

static int skip_if_impossible(const char *text)
{
	struct engine_chain chain;
	struct err err;

	if (engine_chain_parse(text, &chain, &err) < 0 ||
		(engine_chain_base(&chain)->probe &&
			engine_chain_base(&chain)->probe(&err) < 0)) {
		printf("skipped %s: %s\n", text, err.text);
		return 77;
	}
	return 0;
}

int main(int argc, char **argv)
{
	static const char *const kinds[] = {"delay", "hang", "pipe", "frozen"};
	struct scene scene = {.fd = -1};
	char fifo[64];

	for (size_t i = 0; argc > 2 && i < COUNT_OF(kinds); i++)
		if (!strcmp(argv[1], kinds[i]) && argc == (i == KIND_FROZEN ? 5 : 3)) {
			scene.kind = (enum kind)i;
			scene.chain = argv[2];
		}
	if (!scene.chain) {
		fprintf(stderr,
			"usage: waits delay|hang|pipe CHAIN, waits frozen CHAIN DEVICE DIR\n");
		return 2;
	}
	int skip = skip_if_impossible(scene.chain);
	if (skip)
		return skip;
	if (scene.kind == KIND_PIPE) {
		snprintf(fifo, sizeof(fifo), "/var/tmp/weir-waits.%d", (int)getpid());
		scene.path = fifo;
		if (mkfifo(fifo, 0600) < 0 || (scene.fd = open(fifo, O_RDWR | O_CLOEXEC)) < 0) {
			perror(fifo);
			return 1;
		}
	} else if (scene.kind == KIND_FROZEN) {
		scene.path = argv[3];
		scene.fd = open(argv[4], O_RDONLY | O_CLOEXEC);
	}
	run(&scene);
	if (scene.kind == KIND_PIPE)
		unlink(fifo);
	if (scene.fd >= 0)
		close(scene.fd);
	return rig_failures ? 1 : 0;
}
