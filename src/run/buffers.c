/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/buffers.h"

#include "base/bits.h"
#include "base/err.h"
#include "plan/plan.h"
#include "sys/machine.h"
#include "sys/sysroot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

#define HUGE_SHIFT 26 /* of the logarithm of the page size, in flags of mmap and shmget */

/* Fault pages in.  The kernel's own way says when there are none; touching them
 * would be a SIGBUS then. */
static int buffers_touch(void *map, size_t bytes)
{
	if (madvise(map, bytes, MADV_POPULATE_WRITE) == 0)
		return 0;
	if (errno != EINVAL)
		return -errno;
	for (size_t at = 0; at < bytes; at += 4096)
		((volatile char *)map)[at] = 0;
	return 0;
}

static int buffers_huge_flags(const struct plan_memory *pm, int plain)
{
	if (!pm->hugepage_bytes)
		return plain;
	return plain | __builtin_ctzll(pm->hugepage_bytes) << HUGE_SHIFT;
}

static int buffers_anonymous(struct buffers *b, const struct plan_memory *pm,
	struct err *reterr)
{
	int flags = pm->kind == MEMORY_SHARED ? MAP_SHARED : MAP_PRIVATE;

	if (pm->kind == MEMORY_HUGE)
		flags |= buffers_huge_flags(pm, MAP_HUGETLB);
	void *map = mmap(NULL, b->map_bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1,
		0);
	if (map == MAP_FAILED)
		return err_sys(reterr, -errno, "mem=%s: no memory for %zu KiB of buffers%s",
			pm->word, b->map_bytes >> 10,
			pm->kind == MEMORY_HUGE
				? " in huge pages; raise /proc/sys/vm/nr_hugepages"
				: "; lower iodepth or bs");
	b->map = map;
	return 0;
}

/* A file of our own, that nobody else can name: what is there already stays. */
static int buffers_file(const struct plan_memory *pm, struct err *reterr)
{
	char path[PATH_MAX];

	int len = snprintf(path, sizeof(path), "%s.XXXXXX", pm->file);
	if (len < 0 || (size_t)len >= sizeof(path))
		return err_set(reterr, -ENAMETOOLONG, "mem=%s: the name is too long", pm->word);
	int fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return err_sys(reterr, -errno, "mem=%s: can't make a file beside \"%s\"",
			pm->word, pm->file);
	unlink(path);
	return fd;
}

static int buffers_mapped(struct buffers *b, const struct plan_memory *pm, struct err *reterr)
{
	int fd = buffers_file(pm, reterr), rc = 0;

	if (fd < 0)
		return fd;
	if (ftruncate(fd, (off_t)b->map_bytes) < 0)
		rc = -errno;
	/* A page that the file system has no block for would be a SIGBUS later. */
	if (rc == 0 && fallocate(fd, 0, 0, (off_t)b->map_bytes) < 0 && errno != EOPNOTSUPP)
		rc = -errno;
	if (rc == 0) {
		int flags = pm->kind == MEMORY_PRIVATE ? MAP_PRIVATE : MAP_SHARED;
		void *map = mmap(NULL, b->map_bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
		if (map == MAP_FAILED)
			rc = -errno;
		else
			b->map = map;
	}
	close(fd);
	if (rc < 0)
		return err_sys(reterr, rc,
			"mem=%s: no room for %zu KiB of buffers in a file beside "
			"\"%s\"",
			pm->word, b->map_bytes >> 10, pm->file);
	return 0;
}

/* The segment is removed at once; it lives as long as it is attached. */
static int buffers_segment(struct buffers *b, const struct plan_memory *pm, struct err *reterr)
{
	int flags = IPC_CREAT | 0600;

	if (pm->kind == MEMORY_SEGMENT_HUGE)
		flags |= buffers_huge_flags(pm, SHM_HUGETLB);
	int id = shmget(IPC_PRIVATE, b->map_bytes, flags);
	if (id < 0)
		return err_sys(reterr, -errno,
			"mem=%s: no segment of %zu KiB for the buffers%s", pm->word,
			b->map_bytes >> 10,
			pm->kind == MEMORY_SEGMENT_HUGE
				? "; raise /proc/sys/vm/nr_hugepages"
				: "; see kernel.shmmax, shmall and shmmni, or use mem=mmapshared");
	void *map = shmat(id, NULL, 0);
	int code = -errno;
	shmctl(id, IPC_RMID, NULL);
	if (map == (void *)-1)
		return err_sys(reterr, code, "mem=%s: can't attach %zu KiB", pm->word,
			b->map_bytes >> 10);
	b->map = map;
	b->segment = true;
	return 0;
}

static int buffers_map(struct buffers *b, const struct plan_memory *pm, struct err *reterr)
{
	int rc;

	if (pm->kind == MEMORY_SEGMENT || pm->kind == MEMORY_SEGMENT_HUGE)
		rc = buffers_segment(b, pm, reterr);
	else if (pm->file)
		rc = buffers_mapped(b, pm, reterr);
	else
		rc = buffers_anonymous(b, pm, reterr);
	if (rc < 0)
		return rc;
	rc = buffers_touch(b->map, b->map_bytes);
	if (rc < 0)
		return err_sys(reterr, rc,
			"mem=%s: the pages of %zu KiB of buffers are not to be had", pm->word,
			b->map_bytes >> 10);
	return 0;
}

static int buffers_lock(struct buffers *b, const struct plan_memory *pm, struct err *reterr)
{
	size_t bytes = round_up(pm->lock_bytes, 4096);

	if (!bytes)
		return 0;
	void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		0);
	if (map == MAP_FAILED)
		return err_sys(reterr, -errno, "lockmem: no memory for %zu MiB", bytes >> 20);
	b->locked = map;
	b->locked_bytes = bytes;
	if (mlock(map, bytes) < 0)
		return err_sys(reterr, -errno,
			"lockmem: %zu MiB can't be locked; lower it, or raise the limit (ulimit -l)",
			bytes >> 20);
	return 0;
}

static size_t buffers_rounded(const struct plan_memory *pm, size_t bytes)
{
	uint64_t page = 4096;

	if (memory_is_huge(pm))
		page = pm->hugepage_bytes ? pm->hugepage_bytes
					  : machine_hugepage_bytes(&sysroot_real);
	return (size_t)round_up(bytes + pm->align, page);
}

int buffers_make(struct buffers *b, const struct plan_memory *pm, size_t bytes,
	struct slab_room *room, struct err *reterr)
{
	int rc = 0;

	*b = (struct buffers){0};
	if (bytes) {
		size_t all = buffers_rounded(pm, bytes);
		if (pm->kind == MEMORY_PRIVATE && !pm->file && all <= room->bytes) {
			b->first = (char *)room->base + pm->align;
			rc = buffers_touch(room->base, all);
			room->base = (char *)room->base + all;
			room->bytes -= all;
		} else {
			b->map_bytes = all;
			rc = buffers_map(b, pm, reterr);
			b->first = (char *)b->map + pm->align;
		}
	}
	if (rc == 0)
		rc = buffers_lock(b, pm, reterr);
	if (rc < 0)
		buffers_done(b);
	return rc;
}

void buffers_done(struct buffers *b)
{
	if (b->map && b->segment)
		shmdt(b->map);
	else if (b->map)
		munmap(b->map, b->map_bytes);
	if (b->locked)
		munmap(b->locked, b->locked_bytes);
	*b = (struct buffers){0};
}
