/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Cyclic redundancy checks.  Parameters are those of the catalogue of CRC algorithms
 * (Greg Cook, reveng.sourceforge.io/crc-catalogue):
 *
 *	crc7     CRC-7/MMC           crc32c   CRC-32/ISCSI
 *	crc16    CRC-16/ARC          crc64    CRC-64/XZ
 *	crc32    CRC-32/ISO-HDLC
 *
 * Each goes on from the CRC of what is before, 0 if that is nothing; any length.  The
 * longer three are isa-l's, at 15 GB/s and more; all others, and those in a build
 * without isa-l, come from tables, at some 2 GB/s. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The CRC of N bytes behind those that CRC is of.  HOT. */
uint64_t crc7_more(uint64_t crc, const void *data, size_t n);
uint64_t crc16_more(uint64_t crc, const void *data, size_t n);
uint64_t crc32_more(uint64_t crc, const void *data, size_t n);
uint64_t crc32c_more(uint64_t crc, const void *data, size_t n);
uint64_t crc64_more(uint64_t crc, const void *data, size_t n);

/* The same from tables, for tests to compare. */
uint64_t crc32_plain(uint64_t crc, const void *data, size_t n);
uint64_t crc32c_plain(uint64_t crc, const void *data, size_t n);
uint64_t crc64_plain(uint64_t crc, const void *data, size_t n);
