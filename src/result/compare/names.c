/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Is one place the other but for a name that says nothing: the number of a device that the
 * kernel numbers as they come, the directory that mktemp made? */
#include "base/bits.h"
#include "result/compare/parts.h"

#include <ctype.h>
#include <string.h>

/* Does WORD stand at AT in TEXT, or before it? */
static bool stands_at(const char *at, const char *word)
{
	return !strncmp(at, word, strlen(word));
}

static bool stands_before(const char *text, const char *at, const char *word)
{
	size_t len = strlen(word);
	return (size_t)(at - text) >= len && stands_at(at - len, word);
}

static const char *after_digits(const char *at)
{
	return at + strspn(at, "0123456789");
}

/* Behind the "loop2" that begins at AT in TEXT; AT: there is none. */
static const char *after_device(const char *text, const char *at, const char *name)
{
	if ((at != text && !stands_before(text, at, "/dev/")) || !stands_at(at, name))
		return at;
	const char *number = at + strlen(name), *end = after_digits(number);
	bool whole = !isalnum((unsigned char)*end) ||
		     (*end == 'p' && isdigit((unsigned char)end[1]));
	return end > number && whole ? end : at;
}

/* Behind the "/tmp/NAME" that begins at AT in TEXT; AT: there is none. */
static const char *after_temporary(const char *text, const char *at, const char *place)
{
	if ((at != text && (isalnum((unsigned char)at[-1]) || at[-1] == '/')) ||
		!stands_at(at, place))
		return at;
	at += strlen(place);
	return at + strcspn(at, "/, ");
}

typedef const char *after_fn(const char *text, const char *at, const char *name);

struct place {
	const char *text, *at;
};

/* Go behind NAME in both. */
static bool skip(struct place *a, struct place *b, after_fn *after, const char *const *names,
	size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *of_a = after(a->text, a->at, names[i]);
		const char *of_b = after(b->text, b->at, names[i]);
		if (of_a == a->at || of_b == b->at)
			continue;
		a->at = of_a;
		b->at = of_b;
		return true;
	}
	return false;
}

bool compare_same_place(const char *text_a, const char *text_b)
{
	static const char *const devices[] = {"loop", "nbd", "zram", "ram", "dm-", "md"};
	static const char *const temporary[] = {"/tmp/", "/var/tmp/", "/dev/shm/"};
	struct place a = {text_a, text_a}, b = {text_b, text_b};

	while (*a.at && *b.at) {
		if (skip(&a, &b, after_device, devices, COUNT_OF(devices)) ||
			skip(&a, &b, after_temporary, temporary, COUNT_OF(temporary)))
			continue;
		if (*a.at++ != *b.at++)
			return false;
	}
	return *a.at == *b.at;
}
