/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A state file begins. */
#include "verify/state_parts.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/scope.h"
#include "base/str.h"

static int write_all(int fd, const char *data, size_t n)
{
	while (n) {
		ssize_t rc = write(fd, data, n);
		if (rc < 0 && errno != EINTR)
			return -errno;
		if (rc > 0) {
			data += rc;
			n -= (size_t)rc;
		}
	}
	return 0;
}

static int write_head(int fd, const struct state_head *head)
{
	scope_with(str_done) struct str out = {0};
	struct state_block block = {
		.magic = htole32(STATE_MAGIC), .worker = htole32(STATE_HEAD)};

	str_add_bytes(&out, (const char *)&block, sizeof(block));
	state_head_make(head, &out);
	if (out.failed)
		return -ENOMEM;
	if (out.len - sizeof(block) > STATE_BLOCK_MAX)
		return -EFBIG;
	block.bytes = htole32((uint32_t)(out.len - sizeof(block)));
	block.crc = htole32(state_crc(&block, out.text + sizeof(block)));
	memcpy(out.text, &block, sizeof(block));
	return write_all(fd, out.text, out.len);
}

int state_create(const char *path, const struct state_head *head, int *ret_fd,
	struct err *reterr)
{
	scope_fd int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return err_sys(reterr, -errno, "%s", path);
	if (!S_ISREG(st.st_mode))
		return err_set(reterr, -EINVAL,
			"%s: not a regular file; give one that isn't "
			"on what is tested",
			path);
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return err_set(reterr, -EBUSY,
			"%s: another run is telling it; give another file", path);
	if (ftruncate(fd, 0) < 0)
		return err_sys(reterr, -errno, "%s", path);
	int rc = write_head(fd, head);
	if (rc < 0)
		return err_sys(reterr, rc, "%s", path);
	*ret_fd = keep_fd(&fd);
	return 0;
}
