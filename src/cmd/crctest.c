/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/crctest.h"

#include "base/bits.h"
#include "base/scope.h"
#include "cmd/cmd.h"
#include "cmd/face.h"
#include "cmd/output.h"
#include "sys/clock.h"
#include "verify/checksum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CRCTEST_BYTES (UINT32_C(1) << 20)
#define CRCTEST_NS    (50 * NS_PER_MS)

/* Bytes per second, in pieces of N. */
static double crctest_rate(enum checksum_kind kind, const void *data, size_t n)
{
	uint8_t sum[CHECKSUM_MAX];
	uint64_t from = clock_kernel_ns(), ns, bytes = 0;

	do {
		for (size_t done = 0; done < CRCTEST_BYTES / 4; done += n, bytes += n)
			checksum_make(kind, data, n, sum);
		ns = clock_kernel_ns() - from;
	} while (ns < CRCTEST_NS);
	return (double)bytes * (double)NS_PER_S / (double)ns;
}

static void crctest_line(bool native, enum checksum_kind kind, const void *data)
{
	const char *name = checksum_name(kind);
	double whole = crctest_rate(kind, data, CRCTEST_BYTES);

	if (native)
		printf("%-9s %7.2f %7.2f\n", name, crctest_rate(kind, data, 4096) / 1e9,
			whole / 1e9);
	else /* in fio's columns */
		printf("%s:%s%8.2f MiB/sec\n", name, strlen(name) < 7 ? "\t\t" : "\t",
			whole / (1 << 20));
	fflush(stdout);
}

static bool crctest_listed(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',')
		if (strcspn(p, ",") == n && memcmp(p, name, n) == 0)
			return true;
	return !*list;
}

/* The first word of LIST that is no checksum, or that this build hasn't got; NULL: none. */
static const char *crctest_unknown(const char *list, size_t *ret_len)
{
	for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',') {
		bool known = false;
		*ret_len = strcspn(p, ",");
		for (int k = CHECKSUM_NONE + 1; k < CHECKSUM_KINDS; k++) {
			const char *name = checksum_name((enum checksum_kind)k);
			known |= strlen(name) == *ret_len && !memcmp(p, name, *ret_len) &&
				 !checksum_missing((enum checksum_kind)k);
		}
		if (!known)
			return p;
	}
	return NULL;
}

int crctest(struct output *out, const char *list)
{
	scope_mem unsigned char *data = malloc(CRCTEST_BYTES);
	size_t len = 0;
	const char *unknown = crctest_unknown(list, &len);

	if (unknown || !data) {
		if (!data)
			output_say(out, SAY_ERROR, "--crctest: out of memory");
		else
			output_sayf(out, SAY_ERROR,
				"--crctest: weir has no checksum '%.*s'; without a list it "
				"measures all that it has",
				(int)len, unknown);
		return STATUS_REFUSED;
	}
	for (uint32_t i = 0; i < CRCTEST_BYTES; i++)
		data[i] = (unsigned char)(i * UINT32_C(2654435761) >> 24);
	if (out->face->native)
		printf("GB/s        4 KiB   1 MiB\n");
	for (int k = CHECKSUM_NONE + 1; k < CHECKSUM_KINDS; k++)
		if (!checksum_missing((enum checksum_kind)k) &&
			crctest_listed(list, checksum_name((enum checksum_kind)k)))
			crctest_line(out->face->native, (enum checksum_kind)k, data);
	if (!ferror(stdout))
		return STATUS_OK;
	output_say(out, SAY_ERROR, "--crctest: can't write to standard output");
	return STATUS_REFUSED;
}
