/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/kmsg.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define RECORDS_MAX    256
#define LEVEL_MASK     7
#define LEVEL_WARNING  4
#define FACILITY_SHIFT 3

int kmsg_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (lseek(fd, 0, SEEK_END) < 0) {
		int rc = -errno;
		close(fd);
		return rc;
	}
	return fd;
}

bool kmsg_text(const char *record, char *buf, size_t size)
{
	const char *text = strchr(record, ';');
	unsigned head;

	if (!text || sscanf(record, "%u,", &head) != 1 || head >> FACILITY_SHIFT ||
		(head & LEVEL_MASK) > LEVEL_WARNING)
		return false;
	snprintf(buf, size, "%.*s", (int)strcspn(text + 1, "\n"), text + 1);
	return true;
}

bool kmsg_next(int fd, char *buf, size_t size)
{
	char record[2048];

	for (int i = 0; i < RECORDS_MAX; i++) {
		ssize_t len = read(fd, record, sizeof(record) - 1);
		if (len < 0 && (errno == EPIPE || errno == EINTR || errno == EINVAL))
			continue; /* overwritten, or longer than a record should be */
		if (len <= 0)
			return false;
		record[len] = '\0';
		if (kmsg_text(record, buf, size))
			return true;
	}
	return false;
}

bool kmsg_names(const char *text, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = text; len && (at = strstr(at, name)); at += len) {
		const char *end = at + len;
		if (at > text && isalnum((unsigned char)at[-1]))
			continue;
		if (*end == 'p' && isdigit((unsigned char)end[1]))
			end++;
		if (end > at + len ||
			!isdigit((unsigned char)end[-1])) /* a partition's number */
			while (isdigit((unsigned char)*end))
				end++;
		if (!isalnum((unsigned char)*end))
			return true;
	}
	return false;
}
