/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Memory that runs out by seed.  The linker sends what the libraries call here
 * (-Wl,--wrap). */
#include "fuzz.h"

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__real_reallocarray(void *p, size_t n, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t n);
void *__real_mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset);

void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void *__wrap_reallocarray(void *p, size_t n, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t n);
void *__wrap_mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset);

static uint32_t fail_rate;
static uint64_t fail_state;

void memory_fails(uint32_t seed, uint32_t rate)
{
	fail_rate = rate;
	fail_state = seed;
}

static bool fails(void)
{
	if (!fail_rate)
		return false;
	/* A small generator of its own: whose quality doesn't matter. */
	fail_state = fail_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(fail_state >> 33) % fail_rate == 0;
}

void *__wrap_malloc(size_t n)
{
	return fails() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
	return fails() ? NULL : __real_realloc(p, n);
}

void *__wrap_reallocarray(void *p, size_t n, size_t size)
{
	return fails() ? NULL : __real_reallocarray(p, n, size);
}

char *__wrap_strdup(const char *text)
{
	return fails() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t n)
{
	return fails() ? NULL : __real_strndup(text, n);
}

void *__wrap_mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset)
{
	return fails() ? MAP_FAILED : __real_mmap(at, n, prot, flags, fd, offset);
}

static uint32_t take_number(const uint8_t **data, size_t *size)
{
	uint32_t v = 0;
	while (*size && (**data == ' ' || (**data >= '0' && **data <= '9'))) {
		if (**data == ' ' && v)
			break;
		v = **data == ' ' ? v : v * 10 + (uint32_t)(**data - '0');
		++*data;
		--*size;
	}
	return v;
}

void memory_fails_as_said(const uint8_t **data, size_t *size, uint32_t *ret_seed,
	uint32_t *ret_rate)
{
	static const char mark[] = "#fail ";
	size_t len = sizeof(mark) - 1;

	*ret_seed = *ret_rate = 0;
	if (*size < len || memcmp(*data, mark, len) != 0)
		return;
	*data += len;
	*size -= len;
	*ret_seed = take_number(data, size);
	*ret_rate = take_number(data, size);
	while (*size && **data != '\n') {
		++*data;
		--*size;
	}
	if (*size) {
		++*data;
		--*size;
	}
}

char *memory_text(const uint8_t *data, size_t size, size_t *ret_len)
{
	uint32_t seed, rate;

	memory_fails_as_said(&data, &size, &seed, &rate);
	char *text = malloc(size + 1);
	MUST(text, "no memory for the input");
	memcpy(text, data, size);
	text[size] = '\0';
	*ret_len = size;
	memory_fails(seed, rate);
	return text;
}
