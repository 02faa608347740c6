/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/numa.h"

#include "sys/sysroot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* "0-3,8" to bits; what is beyond them or no number ends the reading. */
static void numa_read_list(const char *text, uint64_t *bits, size_t words)
{
	while (*text) {
		char *end;
		unsigned long from = strtoul(text, &end, 10), to = from;
		if (end == text)
			return;
		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		for (unsigned long i = from; i <= to && i < words * 64; i++)
			bits[i / 64] |= UINT64_C(1) << i % 64;
		text = *end == ',' ? end + 1 : "";
	}
}

uint64_t numa_online(const struct sysroot *r)
{
	char text[256];
	uint64_t nodes = 0;

	if (sysroot_text(r, text, sizeof(text), "/sys/devices/system/node/online") == 0)
		numa_read_list(text, &nodes, 1);
	return nodes;
}

int numa_cpus(const struct sysroot *r, uint64_t nodes, uint64_t *bits, size_t words)
{
	int rc = -ENOENT;

	for (unsigned node = 0; node < NUMA_NODES; node++) {
		char text[4096];
		if (!(nodes >> node & 1) ||
			sysroot_text(r, text, sizeof(text),
				"/sys/devices/system/node/node%u/cpulist", node) < 0)
			continue;
		numa_read_list(text, bits, words);
		rc = 0;
	}
	return rc;
}

int numa_set_policy(enum numa_mode mode, uint64_t nodes)
{
	unsigned long mask = nodes;

	/* The kernel takes one bit less than it is told. */
	if (syscall(SYS_set_mempolicy, mode, nodes ? &mask : NULL, nodes ? NUMA_NODES + 1 : 0) <
		0)
		return -errno;
	return 0;
}
