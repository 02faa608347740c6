/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Where the parts of fio's classic text begin.  Blanks in a line are single here, but
 * versions differ in whether there is one before a colon, so a pattern's '~' is a
 * blank or nothing, its '#' digits, and its '@' a unit of time. */
#include "base/bits.h"
#include "base/str.h"
#include "result/import_text.h"

#include <string.h>

struct pattern {
	const char *text;
	enum text_kind kind;
	bool keep; /* the body begins at these words */
};

/* By first letter, so that most words are passed over at once. */
static const struct pattern patterns[] = {
	{"read~: io=", TEXT_DIRECTION, false},
	{"read~: IOPS=", TEXT_DIRECTION, false},
	{"write~: io=", TEXT_DIRECTION, false},
	{"write~: IOPS=", TEXT_DIRECTION, false},
	{"trim~: io=", TEXT_DIRECTION, false},
	{"trim~: IOPS=", TEXT_DIRECTION, false},
	{"mixed~: io=", TEXT_DIRECTION, false},
	{"mixed~: IOPS=", TEXT_DIRECTION, false},
	{"slat (@)~:", TEXT_LATENCY, false},
	{"clat (@)~:", TEXT_LATENCY, false},
	{"lat (@)~:", TEXT_LATENCY, false},
	{"sync (@)~:", TEXT_LATENCY, false},
	{"clat prio #/#/# (@)~:", TEXT_LATENCY, false},
	{"lat prio #/#/# (@)~:", TEXT_LATENCY, false},
	{"high prio_clat (@)~:", TEXT_OTHER, false},
	{"low prio_clat (@)~:", TEXT_OTHER, false},
	{"high prio_lat (@)~:", TEXT_OTHER, false},
	{"low prio_lat (@)~:", TEXT_OTHER, false},
	{"slat percentiles (@)~:", TEXT_PERCENTILES, false},
	{"clat percentiles (@)~:", TEXT_PERCENTILES, false},
	{"lat percentiles (@)~:", TEXT_PERCENTILES, false},
	{"sync percentiles (@)~:", TEXT_PERCENTILES, false},
	{"clat prio #/#/# (#.#% of IOs) percentiles (@)~:", TEXT_PERCENTILES, false},
	{"lat prio #/#/# (#.#% of IOs) percentiles (@)~:", TEXT_PERCENTILES, false},
	{"high prio (#.#%) ", TEXT_LIFETIME, false},
	{"low prio (#.#%) ", TEXT_LIFETIME, false},
	{"| #.#th=[", TEXT_CELLS, true},
	{"| #th=[", TEXT_CELLS, true},
	{"bw (", TEXT_BW, true},
	{"iops~: min=", TEXT_IOPS, false},
	{"fsync/fdatasync/sync_file_range", TEXT_SYNC, false},
	{"cpu~: usr=", TEXT_CPU, true},
	{"IO depths~: ", TEXT_DEPTHS, false},
	{"submit~: 0=", TEXT_SUBMIT, true},
	{"complete~: 0=", TEXT_COMPLETE, true},
	{"issued~: total=", TEXT_ISSUED, true},
	{"issued rwt~: total=", TEXT_ISSUED, true},
	{"issued rwts~: total=", TEXT_ISSUED, true},
	{"issued r/w~: total=", TEXT_ISSUED, true},
	{"issued r/w/d~: total=", TEXT_ISSUED, true},
	{"errors~: total=", TEXT_ERRORS, true},
	{"latency~: target=", TEXT_GOAL, true},
	{"block lifetime percentiles", TEXT_LIFETIME, false},
	{"steadystate~: attained=", TEXT_STEADY, true},
	{"Description~: [", TEXT_DESCRIPTION, false},
	{"Run status group ", TEXT_GROUP, false},
	{"READ: io=", TEXT_GROUP_LINE, false},
	{"READ: bw=", TEXT_GROUP_LINE, false},
	{"WRITE: io=", TEXT_GROUP_LINE, false},
	{"WRITE: bw=", TEXT_GROUP_LINE, false},
	{"TRIM: io=", TEXT_GROUP_LINE, false},
	{"TRIM: bw=", TEXT_GROUP_LINE, false},
	{"MIXED: io=", TEXT_GROUP_LINE, false},
	{"MIXED: bw=", TEXT_GROUP_LINE, false},
	{"Disk stats (read/write):", TEXT_DISKS, false},
	{"CPU idleness:", TEXT_IDLE, false},
	{"system: #.#%", TEXT_IDLE_LINE, false},
	{"percpu: #.#%", TEXT_IDLE_LINE, false},
	{"unit work: mean=", TEXT_IDLE_LINE, false},
	{"Jobs: # (f=#)", TEXT_STATUS, false},
	{"Starting # ", TEXT_STARTING, false},
	{"fio: ", TEXT_MESSAGE, false},
};

/* These have a name before them. */
static const struct pattern named[] = {
	{": (groupid=#, jobs=#)", TEXT_HEAD, true},
	{": (g=#): rw=", TEXT_HEADER, true},
	{": Laying out IO file", TEXT_OTHER, false},
	{": ios=#/#", TEXT_DISK, true},
};

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Length of what matches PATTERN at TEXT, 0: nothing. */
static size_t matches(const char *pattern, const char *text)
{
	const char *at = text;

	for (; *pattern; pattern++) {
		if (*pattern == '~') {
			at += *at == ' ' || *at == '\n';
		} else if (*pattern == '#') {
			if (!digit(*at))
				return 0;
			at += strspn(at, "0123456789");
		} else if (*pattern == '@') {
			if (!*at || !strchr("num", *at) || at[1] != 's')
				return 0;
			at += !strncmp(at + 1, "sec", 3) ? 4 : 2;
		} else if (*at != *pattern && !(*pattern == ' ' && *at == '\n')) {
			return 0;
		} else {
			at++;
		}
	}
	return (size_t)(at - text);
}

/* Places of `patterns` by their first letter: from `first`, so many as `count`. */
static void index_make(uint8_t *first, uint8_t *count)
{
	for (size_t i = 0; i < COUNT_OF(patterns); i++) {
		unsigned c = (unsigned char)patterns[i].text[0] & 127;
		if (!count[c])
			first[c] = (uint8_t)i;
		count[c] = (uint8_t)(i - first[c] + 1);
	}
}

static const struct pattern *word_match(const char *text, size_t *ret_len)
{
	static uint8_t first[128], count[128];
	static bool made;
	unsigned c = (unsigned char)text[0];

	if (!made)
		index_make(first, count);
	made = true;
	if (c > 127)
		return NULL;
	for (size_t i = first[c]; i < (size_t)first[c] + count[c]; i++) {
		*ret_len = matches(patterns[i].text, text);
		if (*ret_len)
			return &patterns[i];
	}
	return NULL;
}

static const struct pattern *name_match(const char *text, size_t *ret_len)
{
	for (size_t i = 0; i < COUNT_OF(named); i++) {
		*ret_len = matches(named[i].text, text);
		if (*ret_len)
			return &named[i];
	}
	return NULL;
}

size_t text_version(const char *at)
{
	static const char digits[] = "0123456789.", tail[] = "-_+abcdefghijklmnopqrstuvwxyz";
	bool full = str_starts(at, "fio-") || str_starts(at, "fio ");
	const char *begin = at;

	at += full ? 4 : 0;
	if (!digit(*at) || at[strspn(at, "0123456789")] != '.')
		return 0;
	while (*at && (strchr(digits, *at) || (full && strchr(tail, *at))))
		at++;
	return *at && *at != ' ' && *at != '\n' ? 0 : (size_t)(at - begin);
}

/* Words that stand before a name where line breaks are lost. */
static bool is_figure(const char *word, size_t len)
{
	static const char *const words[] = {"process", "processes", "thread", "threads"};

	for (size_t i = 0; i < COUNT_OF(words); i++)
		if (strlen(words[i]) == len && !memcmp(words[i], word, len))
			return true;
	if (len >= 4 && !memcmp(word, "IOPS", 4))
		return true; /* the end of a status line, and what is glued to it */
	return len && (memchr(word, '=', len) || strchr("%])", word[len - 1]));
}

/* Where the name before COLON begins: with its line; in a text without lines behind the
 * last word that is no name.  Names of devices are one word. */
static size_t name_begin(const char *line, size_t floor, size_t colon, enum text_kind kind)
{
	size_t word = colon;

	if (!floor && kind != TEXT_DISK)
		return 0;
	while (word > floor) {
		size_t end = word;
		while (word > floor && line[word - 1] != ' ' && line[word - 1] != '\n')
			word--;
		if (end < colon && (kind == TEXT_DISK || is_figure(line + word, end - word)))
			return end + 1;
		word -= word > floor;
	}
	return floor;
}

bool text_scan(const char *line, size_t from, size_t floor, struct text_segment *ret)
{
	bool word = !from || line[from - 1] == ' ' || line[from - 1] == '\n';
	size_t len;

	for (size_t at = from; line[at]; at++) {
		const struct pattern *p = NULL;
		size_t begin = at;
		if (word)
			p = word_match(line + at, &len);
		if (!p && line[at] == ':' && at > from) {
			p = name_match(line + at, &len);
			begin = p ? name_begin(line, floor, at, p->kind) : at;
			if (p && begin < from)
				begin = from;
		}
		if (p) {
			*ret = (struct text_segment){.kind = p->kind,
				.begin = begin,
				.body = p->keep ? at : at + len};
			if (p->kind == TEXT_DIRECTION || p->kind == TEXT_GROUP_LINE)
				ret->body = at + strcspn(line + at, ":") + 1;
			return true;
		}
		word = line[at] == ' ' || line[at] == '\n';
	}
	return false;
}

/* A line is a beginning when fio's words, or a name and fio's words, come first. */
bool text_begins(const char *line)
{
	size_t len;

	if (word_match(line, &len) || !strcmp(line, "..."))
		return true;
	if (text_version(line) && !line[text_version(line)])
		return true;
	for (const char *at = strchr(line, ':'); at; at = strchr(at + 1, ':'))
		if (name_match(at, &len))
			return !memchr(line, '=', (size_t)(at - line));
	return false;
}

bool text_begins_within(const char *line)
{
	size_t len;

	if (str_starts(line, "Jobs: "))
		return false; /* glued to anything */
	for (const char *at = strchr(line, ' '); at; at = strchr(at + 1, ' '))
		if (word_match(at + 1, &len))
			return true;
	return false;
}
