/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/mounts.h"

#include "base/scope.h"
#include "base/str.h"
#include "sys/sysroot.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

/* In place: the kernel writes blanks and the like as "\040". */
static void unescape(char *text)
{
	char *to = text;
	for (const char *from = text; *from; from++) {
		unsigned code = 0;
		int digits = 0;
		if (from[0] == '\\')
			while (digits < 3 && from[1 + digits] >= '0' && from[1 + digits] <= '7')
				code = code * 8 + (unsigned)(from[1 + digits++] - '0');
		if (digits == 3) {
			*to++ = (char)code;
			from += 3;
		} else {
			*to++ = *from;
		}
	}
	*to = '\0';
}

static char *next_word(char **at)
{
	char *word = *at + strspn(*at, " ");
	if (!*word)
		return NULL;
	char *end = word + strcspn(word, " ");
	*at = *end ? end + 1 : end;
	*end = '\0';
	return word;
}

/* "36 35 98:0 / /mnt rw,noatime master:1 - ext3 /dev/root rw": the optional
 * fields before the dash are any number. */
static bool line_parse(char *line, struct mount *ret)
{
	char *words[6];
	for (size_t i = 0; i < 6; i++)
		if (!(words[i] = next_word(&line)))
			return false;
	char *word;
	while ((word = next_word(&line)) && strcmp(word, "-") != 0)
		;
	char *type = next_word(&line), *source = next_word(&line), *options = next_word(&line);
	unsigned major_no, minor_no;
	uint64_t id;
	if (!source || sscanf(words[2], "%u:%u", &major_no, &minor_no) != 2 ||
		sscanf(words[0], "%" SCNu64, &id) != 1)
		return false;
	unescape(words[4]);
	unescape(source);
	if (options)
		unescape(options);
	*ret = (struct mount){
		.id = id,
		.dev = makedev(major_no, minor_no),
		.point = words[4],
		.type = type,
		.source = source,
		.flags = words[5],
		.options = options ? options : "",
	};
	return true;
}

int mounts_load(const struct sysroot *r, struct mounts *ret)
{
	struct str text = {0};
	int rc = sysroot_load(r, &text, "/proc/self/mountinfo");
	if (rc < 0) {
		str_done(&text);
		return rc;
	}
	size_t lines = 1;
	for (const char *p = str_text(&text); *p; p++)
		lines += *p == '\n';
	struct mounts m = {.v = calloc(lines, sizeof(*m.v)), .text = text.text};
	if (!m.v) {
		str_done(&text);
		return -ENOMEM;
	}
	for (char *line = m.text; line && *line;) {
		char *end = strchr(line, '\n');
		if (end)
			*end = '\0';
		m.count += line_parse(line, &m.v[m.count]);
		line = end ? end + 1 : NULL;
	}
	*ret = m;
	return 0;
}

void mounts_done(struct mounts *m)
{
	free(m->v);
	free(m->text);
	*m = (struct mounts){0};
}

const struct mount *mounts_by_id(const struct mounts *m, uint64_t id)
{
	for (size_t i = 0; i < m->count; i++)
		if (m->v[i].id == id)
			return &m->v[i];
	return NULL;
}

const struct mount *mounts_by_dev(const struct mounts *m, dev_t dev)
{
	for (size_t i = m->count; i-- > 0;)
		if (m->v[i].dev == dev)
			return &m->v[i];
	return NULL;
}

int mount_option(const struct mount *m, const char *key, char *buf, size_t size)
{
	size_t key_len = strlen(key);
	for (const char *at = m->options; *at;) {
		size_t len = strcspn(at, ",");
		if (len > key_len && !memcmp(at, key, key_len) && at[key_len] == '=') {
			size_t value_len = len - key_len - 1;
			if (value_len >= size)
				return -ENAMETOOLONG;
			memcpy(buf, at + key_len + 1, value_len);
			buf[value_len] = '\0';
			return 0;
		}
		at += len + (at[len] == ',');
	}
	return -ENOENT;
}
