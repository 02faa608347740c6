/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Fuzzing of what drives and the kernel answer.  An input is taken as each of them: smartctl's
 * document, the bytes of NVMe's commands (they repeat where it is shorter), a record of the
 * kernel's log, the description of a tracepoint, /proc/self/cgroup, the places of a file's
 * extents.  A line "#fail SEED RATE" before it makes one allocation in RATE fail.
 *
 * Whatever the input: what is told can be written as JSON, which reads back as the same, and
 *can be set against itself as before and after a run; shares are parts of their whole.
 *
 *	libFuzzer: make fuzz T=answers
 *	replay:    fuzz-answers FILE|FOLDER... */
#include "fuzz.h"

#include "base/arena.h"
#include "base/bits.h"
#include "base/json.h"
#include "base/json_read.h"
#include "base/str.h"
#include "run/observe_drives.h"
#include "sys/ata.h"
#include "sys/cgroup.h"
#include "sys/extents.h"
#include "sys/kmsg.h"
#include "sys/nvme.h"
#include "sys/tracepoint.h"

#include <errno.h>
#include <string.h>

#define FACTS_ROOM 2048 /* bytes that any struct of facts fits in */

static void write_facts(const struct fact_table *t, const void *of, struct str *out)
{
	struct json j;

	json_init(&j, out, JSON_FIO);
	json_object(&j, NULL);
	facts_write(&j, t, of);
	json_object_end(&j);
}

static void check_facts(const struct fact_table *t, const void *of)
{
	_Alignas(8) char back[FACTS_ROOM];
	struct arena a = {0};
	struct str was = {0}, is = {0};
	const struct json_value *doc;
	size_t at = 0;

	write_facts(t, of, &was);
	int rc = json_read(&a, str_text(&was), was.len, &at, &doc, NULL);
	MUST(rc == 0, "facts are no JSON: %s", str_text(&was));
	facts_forget(t, back);
	MUST(facts_read(t, back, doc, &a) == 0, "no memory");
	write_facts(t, back, &is);
	MUST(strcmp(str_text(&was), str_text(&is)) == 0, "%s\nnot\n%s", str_text(&is),
		str_text(&was));
	str_done(&was);
	str_done(&is);
	arena_done(&a);
}

static void try_smartctl(const char *text)
{
	struct arena a = {0};
	struct ata_facts f;
	struct watch_drive d;
	const char *why = NULL;
	int rc = ata_decode(&a, text, &f, &why);

	memory_fails(0, 0);
	MUST(rc == 0 || (rc == -EINVAL && why && *why), "rc %d", rc);
	if (rc == 0) {
		struct ata_facts before = f;
		check_facts(&ata_table, &f);
		before.host_written_bytes = before.media_written_bytes = 0;
		facts_forget(&watch_drive_table, &d);
		drive_of_ata(&before, &f, f.host_written_bytes, &d);
		check_facts(&watch_drive_table, &d);
	}
	arena_done(&a);
}

/* A controller that answers with the input, from where the last answer ended. */
struct port {
	const uint8_t *data;
	size_t size, at;
};

static uint8_t port_byte(struct port *p)
{
	return p->data[p->at++ % p->size];
}

static int port_admin(void *ctx, uint8_t opcode, uint32_t nsid, const uint32_t cdw[2],
	void *data, uint32_t bytes, uint32_t *result)
{
	struct port *p = ctx;
	uint8_t *to = data;

	(void)opcode, (void)nsid, (void)cdw;
	if (port_byte(p) == 0xff)
		return -EIO;
	*result = port_byte(p);
	for (uint32_t i = 0; i < bytes; i++)
		to[i] = port_byte(p);
	return 0;
}

static void try_nvme(const uint8_t *data, size_t size)
{
	struct port p = {.data = data, .size = size};
	struct arena a = {0};
	struct nvme_raw before, after;
	struct nvme_facts f;
	struct watch_drive d;

	nvme_read(&(struct nvme_port){port_admin, &p, 1}, &before);
	nvme_read(&(struct nvme_port){port_admin, &p, 1}, &after);
	facts_forget(&watch_drive_table, &d);
	drive_of_nvme(&before, &after, &d);
	check_facts(&watch_drive_table, &d);
	nvme_from_raw(&a, &before, &f);
	check_facts(&nvme_table, &f);
	arena_done(&a);
}

static void try_kernel(const char *text)
{
	static const char *const fields[] = {
		"dev", "sector", "nr_sector", "rwbs", "comm", "error"};
	char small[8], large[1024];
	struct tracepoint_field field;
	uint64_t id;

	if (kmsg_text(text, large, sizeof(large))) {
		MUST(!strchr(large, '\n'), "two lines: %s", large);
		MUST(kmsg_text(text, small, sizeof(small)), "not of a small room");
		MUST(strncmp(small, large, sizeof(small) - 1) == 0, "'%s' of '%s'", small,
			large);
		kmsg_names(large, "sda");
		kmsg_names(large, "nvme0n1");
		kmsg_names(large, small);
	}
	(void)tracepoint_id(text, &id);
	for (size_t i = 0; i < COUNT_OF(fields); i++)
		(void)tracepoint_find(text, fields[i], &field);
	(void)cgroup_own(text, "memory", small, sizeof(small));
	if (cgroup_own(text, NULL, large, sizeof(large)))
		MUST(!strchr(large, '\n'), "two lines: %s", large);
}

/* Extents of a file as the kernel never tells them: in no order, over each other, too long. */
static void try_extents(const uint8_t *data, size_t size)
{
	struct extents e = {0};
	struct extent v;
	uint64_t position = 0;

	if (size < sizeof(e.bytes))
		return;
	memcpy(&e.bytes, data, sizeof(e.bytes));
	for (size_t at = sizeof(e.bytes); size - at >= sizeof(v); at += sizeof(v)) {
		memcpy(&v, data + at, sizeof(v));
		extents_add(&e, &v, 1, &position);
	}
	extents_end(&e, position);
	MUST(e.written + e.unwritten + e.holes == e.bytes, "parts of %llu bytes",
		(unsigned long long)e.bytes);
	MUST(e.shared <= e.bytes && e.encoded <= e.bytes, "more than there is");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = memory_text(data, size, &size);

	try_smartctl(text);
	if (size)
		try_nvme((const uint8_t *)text, size);
	try_kernel(text);
	try_extents((const uint8_t *)text, size);
	free(text);
	return 0;
}
