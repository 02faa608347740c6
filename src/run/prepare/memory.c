/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/prepare/memory.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "plan/plan.h"
#include "run/run.h"
#include "sys/machine.h"
#include "sys/sysroot.h"

#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <unistd.h>

/* ---- what is needed ---- */

/* The unit of shmall and of segments: arm64 has kernels with 16 and 64 KiB. */
static uint64_t memory_page(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t memory_buffers(const struct plan_worker *w)
{
	uint64_t bytes = plan_buffers_bytes(&w->queue);
	return bytes ? bytes + w->memory.align : 0;
}

static void memory_add_huge(struct memory_need *n, uint64_t page_bytes, uint64_t pages)
{
	uint32_t i = 0;

	while (i < n->huge_count && n->huge[i].page_bytes != page_bytes)
		i++;
	if (i == MEMORY_PAGE_KINDS) /* the machine's own, and it knows no more sizes */
		return;
	n->huge_count = MAX_OF(n->huge_count, i + 1);
	n->huge[i].page_bytes = page_bytes;
	n->huge[i].pages += pages;
}

static void memory_add(struct memory_need *n, const struct plan_worker *w, uint64_t page_bytes,
	uint64_t *locked)
{
	const struct plan_memory *m = &w->memory;
	uint64_t bytes = memory_buffers(w);
	uint64_t page = m->hugepage_bytes ? m->hugepage_bytes : page_bytes;

	/* A file on hugetlbfs has pages of its mount: what that gives, it says itself. */
	if (bytes && memory_is_huge(m) && !m->file)
		memory_add_huge(n, page, div_up(bytes, page));
	if (bytes && (m->kind == MEMORY_SEGMENT || m->kind == MEMORY_SEGMENT_HUGE)) {
		n->segments++;
		n->segments_bytes += round_up(bytes, memory_is_huge(m) ? page : memory_page());
	}
	if (w->thread)
		*locked += m->lock_bytes;
	n->locked_bytes = MAX_OF(n->locked_bytes, w->thread ? *locked : m->lock_bytes);
}

static void memory_most(struct memory_need *most, const struct memory_need *n)
{
	for (uint32_t i = 0; i < n->huge_count; i++) {
		uint32_t k = 0;
		while (k < most->huge_count &&
			most->huge[k].page_bytes != n->huge[i].page_bytes)
			k++;
		if (k == MEMORY_PAGE_KINDS)
			continue;
		most->huge_count = MAX_OF(most->huge_count, k + 1);
		most->huge[k].page_bytes = n->huge[i].page_bytes;
		most->huge[k].pages = MAX_OF(most->huge[k].pages, n->huge[i].pages);
	}
	most->segments = MAX_OF(most->segments, n->segments);
	most->segments_bytes = MAX_OF(most->segments_bytes, n->segments_bytes);
	most->locked_bytes = MAX_OF(most->locked_bytes, n->locked_bytes);
}

void memory_need(const struct plan *plan, uint64_t page_bytes, struct memory_need *ret)
{
	struct memory_need most = {0};

	for (uint32_t wave = 0, i = 0; wave < plan->waves_count; wave++) {
		struct memory_need n = {0};
		uint64_t locked = 0;
		for (; i < plan->workers_count && plan->workers[i].wave == wave; i++)
			memory_add(&n, &plan->workers[i], page_bytes, &locked);
		memory_most(&most, &n);
	}
	*ret = most;
}

/* ---- what there is ---- */

static int memory_compare_huge(const struct sysroot *r, uint64_t page_bytes, uint64_t pages,
	struct err *reterr)
{
	uint64_t kib = page_bytes >> 10, free, standard = machine_hugepage_bytes(r);

	if (!machine_hugepages_free(r, page_bytes, &free))
		return err_set(reterr, -EINVAL,
			"the machine has no huge pages of %" PRIu64 " KiB "
			"(/sys/kernel/mm/hugepages lists the sizes, the default is %" PRIu64
			" KiB); leave hugepage-size out, or give one of them",
			kib, standard >> 10);
	if (pages <= free)
		return 0;
	char place[96] = "/proc/sys/vm/nr_hugepages";
	if (page_bytes != standard)
		snprintf(place, sizeof(place),
			"/sys/kernel/mm/hugepages/hugepages-%" PRIu64 "kB/nr_hugepages", kib);
	return err_set(reterr, -ENOMEM,
		"the buffers need huge pages of %" PRIu64 " KiB: %" PRIu64
		" of them, and %" PRIu64 " can be had; raise the number in %s by %" PRIu64
		", or lower iodepth, bs or numjobs",
		kib, pages, free, place, pages - free);
}

static int memory_compare_segments(const struct sysroot *r, const struct memory_need *n,
	struct err *reterr)
{
	uint64_t most, pages;

	if (n->segments && sysroot_u64(r, &most, "/proc/sys/kernel/shmmni") == 0 &&
		n->segments > most)
		return err_set(reterr, -ENOSPC,
			"the buffers need %" PRIu64 " System V segments, the limit is %" PRIu64
			"; raise it with sysctl kernel.shmmni, lower numjobs, or use "
			"mem=mmapshared",
			n->segments, most);
	if (n->segments && sysroot_u64(r, &pages, "/proc/sys/kernel/shmall") == 0 &&
		n->segments_bytes / memory_page() > pages)
		return err_set(reterr, -ENOSPC,
			"the buffers need %" PRIu64
			" bytes in System V segments, the limit is %" PRIu64
			" pages; raise it with sysctl kernel.shmall, or use mem=mmapshared",
			n->segments_bytes, pages);
	return 0;
}

int memory_compare(const struct sysroot *root, const struct memory_need *need,
	uint64_t lock_max, struct err *reterr)
{
	int rc = 0;

	for (uint32_t i = 0; i < need->huge_count && rc == 0; i++)
		rc = memory_compare_huge(root, need->huge[i].page_bytes, need->huge[i].pages,
			reterr);
	if (rc == 0)
		rc = memory_compare_segments(root, need, reterr);
	if (rc == 0 && need->locked_bytes > lock_max)
		rc = err_set(reterr, -ENOMEM,
			"lockmem needs %" PRIu64
			" bytes locked in one process, the limit is %" PRIu64
			"; raise it with ulimit -l, or lower lockmem",
			need->locked_bytes, lock_max);
	return rc;
}

/* What lies elsewhere has ordinary pages; fio takes those without a word. */
static int memory_check_hugetlbfs(const struct plan *plan, const struct run_how *how,
	struct err *reterr)
{
	const char *seen = NULL; /* of clones it is one text */

	for (uint32_t i = 0; i < plan->workers_count; i++) {
		const struct plan_memory *m = &plan->workers[i].memory;
		char folder[PATH_MAX];
		struct statfs fs;
		struct err e;

		if (m->kind != MEMORY_HUGE || !m->file || m->file == seen)
			continue;
		seen = m->file;
		snprintf(folder, sizeof(folder), "%s", m->file);
		if (statfs(dirname(folder), &fs) < 0 || fs.f_type == HUGETLBFS_MAGIC)
			continue;
		err_set(&e, -EINVAL,
			"%s: mem=mmaphuge: \"%s\" is not on a hugetlbfs, so its pages would not be "
			"huge; mount one (mount -t hugetlbfs none FOLDER), or give no file",
			plan->workers[i].name, m->file);
		if (how->native)
			return err_set(reterr, e.code, "%s", e.text);
		if (how->sink && how->sink->message)
			how->sink->message(how->sink->ctx, RUN_WARNING, e.text);
	}
	return 0;
}

int memory_check(const struct plan *plan, const struct run_how *how, struct err *reterr)
{
	struct memory_need need;
	struct rlimit lock = {RLIM_INFINITY, RLIM_INFINITY};

	memory_need(plan, machine_hugepage_bytes(&sysroot_real), &need);
	/* Root may lock what it likes. */
	bool bound = geteuid() != 0 && getrlimit(RLIMIT_MEMLOCK, &lock) == 0 &&
		     lock.rlim_cur != RLIM_INFINITY;
	int rc = memory_compare(&sysroot_real, &need, bound ? lock.rlim_cur : UINT64_MAX,
		reterr);
	return rc < 0 ? rc : memory_check_hugetlbfs(plan, how, reterr);
}
