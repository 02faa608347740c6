/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/extents.h"

#include "base/bits.h"
#include "base/scope.h"
#include "sys/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#define BATCH 256

#define ENCODED (FIEMAP_EXTENT_ENCODED | FIEMAP_EXTENT_DATA_ENCRYPTED)

void extents_add(struct extents *e, const struct extent *v, uint32_t count, uint64_t *position)
{
	for (uint32_t i = 0; i < count; i++) {
		uint64_t from = MIN_OF(v[i].at, e->bytes);
		uint64_t end = v[i].bytes > e->bytes - from ? e->bytes : from + v[i].bytes;
		uint64_t begin = MAX_OF(from, *position);
		uint64_t bytes = end > begin ? end - begin : 0;

		e->count++;
		e->holes += begin - *position;
		if (v[i].flags & FIEMAP_EXTENT_UNWRITTEN)
			e->unwritten += bytes;
		else
			e->written += bytes;
		e->shared += v[i].flags & FIEMAP_EXTENT_SHARED ? bytes : 0;
		e->encoded += v[i].flags & ENCODED ? bytes : 0;
		e->delayed |= v[i].flags & FIEMAP_EXTENT_DELALLOC;
		*position = MAX_OF(end, begin);
	}
}

void extents_end(struct extents *e, uint64_t position)
{
	if (position < e->bytes)
		e->holes += e->bytes - position;
	e->complete = true;
}

/* A struct fiemap with BATCH extents behind it. */
struct request {
	_Alignas(struct fiemap) char bytes[sizeof(struct fiemap) +
					   BATCH * sizeof(struct fiemap_extent)];
};

/* One batch from *POSITION.  0 or a negative errno. */
static int batch(int fd, struct request *q, struct extents *e, uint64_t *position, bool *last)
{
	struct fiemap *map = (struct fiemap *)q->bytes;
	struct extent v[BATCH];

	memset(map, 0, sizeof(*map));
	map->fm_start = *position;
	map->fm_length = UINT64_MAX - *position;
	map->fm_extent_count = BATCH;
	if (ioctl(fd, FS_IOC_FIEMAP, map) < 0)
		return -errno;
	uint32_t n = MIN_OF(map->fm_mapped_extents, (uint32_t)BATCH);
	*last = !n || map->fm_extents[n - 1].fe_flags & FIEMAP_EXTENT_LAST;
	for (uint32_t i = 0; i < n; i++)
		v[i] = (struct extent){map->fm_extents[i].fe_logical,
			map->fm_extents[i].fe_length, map->fm_extents[i].fe_flags};
	uint64_t before = *position;
	extents_add(e, v, n, position);
	*last |= *position == before || *position >= e->bytes;
	return 0;
}

int extents_find(const char *path, uint64_t max_ns, struct extents *ret)
{
	return extents_find_range(path, 0, UINT64_MAX, max_ns, ret);
}

int extents_find_range(const char *path, uint64_t from, uint64_t end, uint64_t max_ns,
	struct extents *ret)
{
	uint64_t position = from, until = clock_kernel_ns() + max_ns;
	struct extents e = {0};
	struct request q;
	struct stat st;
	bool last = false;
	scope_fd int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EOPNOTSUPP;
	e.bytes = MIN_OF((uint64_t)st.st_size, end);
	while (!last && e.bytes > from) {
		int rc = batch(fd, &q, &e, &position, &last);
		if (rc < 0)
			return rc;
		if (!last && clock_kernel_ns() > until)
			break;
	}
	if (last || e.bytes <= from)
		extents_end(&e, position);
	*ret = e;
	return 0;
}
