/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/signature.h"

#include "config.h"

#include <errno.h>

#if HAVE_LIBBLKID

#include "base/scope.h"

#include <blkid/blkid.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void free_probe(blkid_probe *p)
{
	if (*p)
		blkid_free_probe(*p);
}

static const char *value_of(blkid_probe p, const char *name)
{
	const char *value;
	return blkid_probe_lookup_value(p, name, &value, NULL) == 0 ? value : NULL;
}

/* The signature that the probe stands on. */
static void add_found(blkid_probe p, char *text, size_t size)
{
	const char *table = value_of(p, "PTTYPE"), *type = value_of(p, "TYPE");
	const char *usage = value_of(p, "USAGE");
	const char *what = table                                       ? "partition table"
			   : usage && strcmp(usage, "filesystem") == 0 ? "file system"
								       : "signature";
	char found[128];

	if (!table && !type)
		return;
	snprintf(found, sizeof(found), "%s %s", table ? table : type, what);
	if (strstr(text, found)) /* a back-up copy of the same */
		return;
	size_t used = strlen(text);
	snprintf(text + used, size - used, "%s%s", used ? ", " : "", found);
}

int signature_find(const char *path, char *text, size_t size)
{
	scope_fd int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	scope_with(free_probe) blkid_probe p = blkid_new_probe();
	if (!p || blkid_probe_set_device(p, fd, 0, 0) != 0)
		return p ? -EIO : -ENOMEM;
	blkid_probe_enable_superblocks(p, 1);
	blkid_probe_set_superblocks_flags(p, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE);
	blkid_probe_enable_partitions(p, 1);

	/* Every signature, as a device can have several: the safe probe of
	 * libblkid gives none when it finds two. */
	int rc;
	text[0] = '\0';
	while ((rc = blkid_do_probe(p)) == 0)
		add_found(p, text, size);
	return text[0] ? 1 : rc < 0 ? -EIO : 0;
}

#else

int signature_find(const char *path, char *text, size_t size)
{
	(void)path, (void)text, (void)size;
	return -ENOSYS;
}

#endif
