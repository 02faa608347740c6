/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What AddressSanitizer is told of memory that is cut out of a mapping, as it knows only
 * malloc: what nobody may touch, and where pointers to what malloc gave may lie.  Nothing in a
 * build without it. */
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
#include <sanitizer/lsan_interface.h>
#define poison(at, bytes)     __asan_poison_memory_region(at, bytes)
#define unpoison(at, bytes)   __asan_unpoison_memory_region(at, bytes)
#define roots_add(at, bytes)  __lsan_register_root_region(at, bytes)
#define roots_drop(at, bytes) __lsan_unregister_root_region(at, bytes)
#else
#define POISON_GAP            0
#define poison(at, bytes)     ((void)(at), (void)(bytes))
#define unpoison(at, bytes)   ((void)(at), (void)(bytes))
#define roots_add(at, bytes)  ((void)(at), (void)(bytes))
#define roots_drop(at, bytes) ((void)(at), (void)(bytes))
#endif
