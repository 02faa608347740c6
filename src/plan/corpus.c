/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Files of which cuttings are written.  They are mapped, so all workers share what is in the
 * page cache. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/scope.h"
#include "base/str.h"
#include "plan/draft.h"

/* Opens PATH; negative errno, -EINVAL when it's no file with bytes in it. */
static int corpus_look(const char *path, struct stat *ret)
{
	scope_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 || fstat(fd, ret) < 0)
		return -errno;
	return S_ISREG(ret->st_mode) && ret->st_size > 0 ? keep_fd(&fd) : -EINVAL;
}

bool corpus_unusable(const char *path, struct str *why)
{
	struct stat st;
	scope_fd int fd = corpus_look(path, &st);

	if (fd >= 0)
		return false;
	if (fd == -EINVAL)
		str_addf(why,
			"%s is not a file with bytes in it; give one with data of the kind that "
			"shall be written",
			path);
	else
		str_addf(why, "%s can't be read: %s", path, strerror(-fd));
	return true;
}

static void *corpus_map(const char *path, uint64_t *ret_bytes)
{
	struct stat st;
	scope_fd int fd = corpus_look(path, &st);

	if (fd < 0) {
		errno = -fd;
		return NULL;
	}
	void *map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return NULL;
	madvise(map, (size_t)st.st_size, MADV_WILLNEED);
	*ret_bytes = (uint64_t)st.st_size;
	return map;
}

int corpus_open(struct draft *d, const char *path, const struct plan_corpus **ret,
	struct err *reterr)
{
	for (const struct plan_corpus *c = d->plan->corpora; c; c = c->next) {
		if (strcmp(c->path, path) == 0) {
			*ret = c;
			return 0;
		}
	}
	struct plan_corpus *c = draft_alloc(d, 1, sizeof(*c), reterr);
	if (!c)
		return -ENOMEM;
	c->path = path;
	c->bytes = corpus_map(path, &c->count);
	if (!c->bytes)
		return err_sys(reterr, -errno, "buffer_corpus: %s", path);
	c->next = d->plan->corpora;
	d->plan->corpora = *ret = c;
	return 0;
}

void corpora_close(const struct plan *plan)
{
	for (const struct plan_corpus *c = plan->corpora; c; c = c->next)
		munmap(c->bytes, c->count);
}
