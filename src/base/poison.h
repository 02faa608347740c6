/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Memory that nobody may touch, told to AddressSanitizer: it knows malloc, not what is cut out of a
 * mapping.  Nothing in a build without it. */
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define POISON_GAP 16 /* bytes after each piece that stay poisoned */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISON_GAP 16
#endif
#endif

#ifdef POISON_GAP
#include <sanitizer/asan_interface.h>
#define poison(at, bytes)   __asan_poison_memory_region(at, bytes)
#define unpoison(at, bytes) __asan_unpoison_memory_region(at, bytes)
#else
#define POISON_GAP 0
#define poison(at, bytes)   ((void)(at), (void)(bytes))
#define unpoison(at, bytes) ((void)(at), (void)(bytes))
#endif
