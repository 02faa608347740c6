/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/logs/binary.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "run/logs/ring.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A value on one line, whatever is in it. */
static void binary_text(struct str *out, const char *key, const char *value)
{
	str_addf(out, "%s=", key);
	for (; *value; value++)
		str_add_char(out, *value == '\n' ? ' ' : *value);
	str_add_char(out, '\n');
}

static void binary_number(struct str *out, const char *key, uint64_t v)
{
	str_addf(out, "%s=%" PRIu64 "\n", key, v);
}

void log_binary_head(const struct plan_worker *pw, const struct log_ring *ring, struct str *out)
{
	const struct plan_log *l = &pw->log;
	struct str text = {0};

	binary_text(&text, "job", pw->name);
	binary_text(&text, "rw", pw->rw);
	binary_text(&text, "engine", pw->queue.engine);
	binary_number(&text, "worker", pw->index + 1);
	binary_number(&text, "unit_bytes", UINT64_C(1) << l->unit_shift);
	binary_number(&text, "slat", pw->measure.slat);
	binary_number(&text, "clat", pw->measure.clat);
	binary_number(&text, "lat", pw->measure.lat);
	binary_number(&text, "log_offset", l->offset);
	binary_number(&text, "log_prio", l->prio);
	binary_number(&text, "log_issue_time", l->issue_time);
	binary_number(&text, "epoch_ms", ring->epoch_ms);
	binary_number(&text, "start_unix_ns", ring->wall_ns);

	uint32_t bytes = (uint32_t)round_up(LOG_BINARY_FIXED + text.len + 1, 16);
	uint32_t words[2] = {LOG_BINARY_VERSION, bytes};
	str_add_bytes(out, LOG_BINARY_MAGIC, 8);
	str_add_bytes(out, (const char *)words, sizeof(words));
	str_add_bytes(out, str_text(&text), text.len);
	out->failed |= text.failed;
	while (out->len < bytes && !out->failed)
		str_add_char(out, '\0');
	str_done(&text);
}

size_t log_binary_size(const unsigned char *fixed, struct err *reterr)
{
	uint32_t words[2];

	if (memcmp(fixed, LOG_BINARY_MAGIC, 8) != 0) {
		err_set(reterr, -EINVAL, "is not a binary log of weir");
		return 0;
	}
	memcpy(words, fixed + 8, sizeof(words));
	if (words[0] != LOG_BINARY_VERSION) {
		err_set(reterr, -EINVAL,
			"is a binary log of version %u; this weir reads version %u", words[0],
			LOG_BINARY_VERSION);
		return 0;
	}
	if (words[1] <= LOG_BINARY_FIXED || words[1] % 16 || words[1] > LOG_BINARY_MAX) {
		err_set(reterr, -EINVAL, "has a damaged head: it says that it is %u bytes long",
			words[1]);
		return 0;
	}
	return words[1];
}

static void binary_copy(char *to, size_t room, const char *from)
{
	snprintf(to, room, "%s", from);
}

static void binary_key(struct log_head *h, const char *key, const char *value)
{
	uint64_t v = strtoull(value, NULL, 10);

	if (strcmp(key, "job") == 0)
		binary_copy(h->job, sizeof(h->job), value);
	else if (strcmp(key, "rw") == 0)
		binary_copy(h->rw, sizeof(h->rw), value);
	else if (strcmp(key, "engine") == 0)
		binary_copy(h->engine, sizeof(h->engine), value);
	else if (strcmp(key, "worker") == 0)
		h->worker = (uint32_t)v;
	else if (strcmp(key, "unit_bytes") == 0)
		h->unit_shift = bits_is_power_of_2(v) ? bits_top(v) : 64;
	else if (strcmp(key, "slat") == 0)
		h->slat = v;
	else if (strcmp(key, "clat") == 0)
		h->clat = v;
	else if (strcmp(key, "lat") == 0)
		h->lat = v;
	else if (strcmp(key, "log_offset") == 0)
		h->offset = v;
	else if (strcmp(key, "log_prio") == 0)
		h->prio = v;
	else if (strcmp(key, "log_issue_time") == 0)
		h->issue_time = v;
	else if (strcmp(key, "epoch_ms") == 0)
		h->epoch_ms = v;
	else if (strcmp(key, "start_unix_ns") == 0)
		h->start_unix_ns = v;
}

int log_binary_read(const char *text, size_t len, struct log_head *ret, struct err *reterr)
{
	char *copy = strndup(text, len), *save = NULL;

	*ret = (struct log_head){.unit_shift = 64};
	if (!copy)
		return err_set(reterr, -ENOMEM, "out of memory");
	for (char *line = strtok_r(copy, "\n", &save); line;
		line = strtok_r(NULL, "\n", &save)) {
		char *equals = strchr(line, '=');
		if (!equals)
			continue;
		*equals = '\0';
		binary_key(ret, line, equals + 1);
	}
	free(copy);
	if (ret->unit_shift > 20)
		return err_set(reterr, -EINVAL,
			"has a damaged head: no unit_bytes of 1 to 1 MiB");
	return 0;
}
