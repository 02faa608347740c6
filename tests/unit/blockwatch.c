/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* CPUs that come online while block devices are watched: here all but the first are watched
 * late, as if they had come then.  Needs root, tracepoints and a loop device. */
#include "sys/blockwatch.h"

#include "base/bits.h"
#include "base/err.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

#define DISK_BYTES (1 << 20)
#define BLOCK      4096

/* A loop device of memory; -1: there is none to have. */
static int disk_open(dev_t *ret_number)
{
	char path[32];
	int memory = memfd_create("weir-unit-blockwatch", MFD_CLOEXEC);
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	int fd = -1;
	struct stat st;

	/* Somebody else may take the free one in between. */
	for (int tries = 0; control >= 0 && memory >= 0 && fd < 0 && tries < 100; tries++) {
		snprintf(path, sizeof(path), "/dev/loop%d", ioctl(control, LOOP_CTL_GET_FREE));
		fd = open(path, O_RDWR | O_DIRECT | O_CLOEXEC);
		if (fd < 0)
			break;
		if (ftruncate(memory, DISK_BYTES) < 0 || ioctl(fd, LOOP_SET_FD, memory) < 0) {
			close(fd);
			fd = -1;
		}
	}
	if (control >= 0)
		close(control);
	if (memory >= 0)
		close(memory);
	if (fd < 0 || fstat(fd, &st) < 0)
		return -1;
	*ret_number = st.st_rdev;
	return fd;
}

/* The last CPU that this thread may use, and moves to; 0: there is only the first. */
static int last_cpu(void)
{
	cpu_set_t set, one;
	int last = 0;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return 0;
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set))
			last = i;
	CPU_ZERO(&one);
	CPU_SET(last, &one);
	return sched_setaffinity(0, sizeof(one), &one) < 0 ? 0 : last;
}

struct seen {
	int cpu;
	uint32_t queued;
};

static int take(void *ctx, const struct block_event *e)
{
	struct seen *s = ctx;

	s->queued += e->kind == BLOCK_QUEUED && e->cpu == s->cpu &&
		     e->pid == (uint32_t)getpid();
	return 0;
}

static void read_some(int fd, int count)
{
	void *buf = NULL;

	assert_int_equal(posix_memalign(&buf, BLOCK, BLOCK), 0);
	for (int i = 0; i < count; i++)
		assert_int_equal(pread(fd, buf, BLOCK, i * BLOCK), BLOCK);
	free(buf);
}

static void test_cpu_that_comes(void **state)
{
	struct block_watch *w;
	struct err err;
	dev_t number = 0;
	struct seen seen = {.cpu = last_cpu()};
	int fd = geteuid() == 0 && seen.cpu ? disk_open(&number) : -1;

	(void)state;
	if (fd < 0)
		skip();
	const uint32_t disk = major(number) << 20 | minor(number);
	const struct block_watch_how how = {
		.devices = &disk, .devices_count = 1, .cpus_first = 1};
	int rc = block_watch_open(&how, &w, &err);
	if (rc == 0) {
		read_some(fd, 3); /* of a CPU that nobody watches yet */
		rc = block_watch_read(w, true, take, &seen);
		assert_int_equal(rc, 0);
		assert_int_equal(seen.queued, 0);
		assert_int_equal(block_watch_late(w).came, 0);

		block_watch_cpus(w);
		uint32_t came = block_watch_late(w).came;
		assert_true(came >= 1);
		assert_int_equal(block_watch_late(w).unwatched, 0);
		read_some(fd, 5);
		assert_int_equal(block_watch_read(w, true, take, &seen), 0);
		assert_int_equal(seen.queued, 5);

		block_watch_cpus(w); /* nobody came */
		assert_int_equal(block_watch_late(w).came, came);
		block_watch_close(w);
	}
	ioctl(fd, LOOP_CLR_FD, 0);
	close(fd);
	if (rc < 0) {
		print_message("no tracepoints: %s\n", err.text);
		skip();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cpu_that_comes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
