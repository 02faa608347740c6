/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What a device gives to a loop that measures nothing: direct random 4 KiB reads for a
 * second each way, without weir's engines, stamps or statistics.  What weir doesn't
 * reach beyond this is not weir's to reach.
 *
 *	bare DEVICE        IOPS of pread(), and of io_uring at depth 32 with everything
 *	                   registered: tried in the submitter or given to the kernel's
 *	                   workers at once, woken for each completion or for several */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <liburing.h>

#include "base/rng.h"
#include "sys/clock.h"

#define BLOCK  4096u
#define DEPTH  32u
#define SECOND UINT64_C(1000000000)

struct bare {
	int fd;
	uint64_t blocks;
	unsigned char *buffers; /* DEPTH of them */
	struct rng dice;
};

static uint64_t bare_offset(struct bare *b)
{
	return rng_below(&b->dice, b->blocks) * BLOCK;
}

static void bare_pread(struct bare *b)
{
	uint64_t start = clock_kernel_ns(), now = start, done = 0;

	while (now - start < SECOND) {
		for (int i = 0; i < 64; i++, done++)
			if (pread(b->fd, b->buffers, BLOCK, (off_t)bare_offset(b)) != BLOCK)
				exit(1);
		now = clock_kernel_ns();
	}
	printf("pread                                    %9.0f IOPS\n",
		(double)done * 1e9 / (double)(now - start));
}

static void bare_fill(struct bare *b, struct io_uring *ring, unsigned char *idle, unsigned n,
	unsigned flags)
{
	while (n) {
		struct io_uring_sqe *sqe = io_uring_get_sqe(ring);
		unsigned slot = idle[--n];
		io_uring_prep_read_fixed(sqe, 0, b->buffers + slot * BLOCK, BLOCK,
			bare_offset(b), 0);
		sqe->flags = (uint8_t)(IOSQE_FIXED_FILE | flags);
		sqe->user_data = slot;
	}
}

static void bare_uring(struct bare *b, bool async, unsigned wake)
{
	struct io_uring ring;
	struct io_uring_params params = {.flags = IORING_SETUP_SINGLE_ISSUER |
						  IORING_SETUP_DEFER_TASKRUN |
						  IORING_SETUP_SUBMIT_ALL};
	struct iovec all = {b->buffers, DEPTH * BLOCK};
	unsigned char idle[DEPTH];
	unsigned idle_n = DEPTH;
	uint64_t start = clock_kernel_ns(), now = start, done = 0;

	if (io_uring_queue_init_params(DEPTH, &ring, &params) < 0 ||
		io_uring_register_buffers(&ring, &all, 1) < 0 ||
		io_uring_register_files(&ring, &b->fd, 1) < 0) {
		printf("io_uring                                  not possible here\n");
		return;
	}
	io_uring_register_ring_fd(&ring);
	for (unsigned i = 0; i < DEPTH; i++)
		idle[i] = (unsigned char)i;
	while (now - start < SECOND) {
		struct io_uring_cqe *cqe;
		unsigned head, got = 0;
		bare_fill(b, &ring, idle, idle_n, async ? IOSQE_ASYNC : 0);
		idle_n = 0;
		io_uring_submit_and_wait(&ring, wake);
		io_uring_for_each_cqe(&ring, head, cqe)
		{
			if (cqe->res != (int)BLOCK)
				exit(1);
			idle[idle_n++] = (unsigned char)cqe->user_data;
			got++;
		}
		io_uring_cq_advance(&ring, got);
		done += got;
		now = clock_kernel_ns();
	}
	io_uring_queue_exit(&ring);
	printf("io_uring, %s, woken for %2u       %9.0f IOPS\n",
		async ? "kernel's workers" : "tried at first  ", wake,
		(double)done * 1e9 / (double)(now - start));
}

int main(int argc, char **argv)
{
	struct bare b = {.fd = argc == 2 ? open(argv[1], O_RDONLY | O_DIRECT | O_NOATIME) : -1};
	uint64_t bytes = 0;
	struct stat st;

	if (b.fd < 0 || fstat(b.fd, &st) < 0) {
		fprintf(stderr, "usage: bare DEVICE (a block device, or a file of your own)\n");
		return 2;
	}
	bytes = (uint64_t)st.st_size;
	if (S_ISBLK(st.st_mode) && ioctl(b.fd, BLKGETSIZE64, &bytes) < 0)
		return 1;
	b.blocks = bytes / BLOCK;
	b.buffers = mmap(NULL, DEPTH * BLOCK, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (!b.blocks || b.buffers == MAP_FAILED)
		return 1;
	rng_init(&b.dice, 1);
	for (int round = 0; round < 3; round++) {
		bare_pread(&b);
		bare_uring(&b, false, 1);
		bare_uring(&b, true, 1);
		bare_uring(&b, true, 4);
		bare_uring(&b, true, 16);
	}
	return 0;
}
