/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "result/environment.h"

#include "base/bits.h"
#include "base/str.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct fact clock_rows[] = {
	TEXT_FACT(struct clock_facts, name),
	TEXT_FACT(struct clock_facts, why_not_tsc),
	REAL_FACT(struct clock_facts, stamp_cost_ns),
	REAL_FACT(struct clock_facts, step_ns),
	REAL_FACT(struct clock_facts, error_ppm),
};

FACT_TABLE(clock_table, clock_rows);

static const struct fact target_rows[] = {
	TEXT_FACT(struct target_facts, path),
	TEXT_FACT(struct target_facts, kind),
	TEXT_FACT(struct target_facts, folder),
	COUNT_FACT(struct target_facts, size_bytes),
	COUNT_FACT(struct target_facts, allocated_bytes),
	COUNT_FACT(struct target_facts, extents),
	COUNT_FACT(struct target_facts, written_bytes),
	COUNT_FACT(struct target_facts, unwritten_bytes),
	COUNT_FACT(struct target_facts, hole_bytes),
	COUNT_FACT(struct target_facts, shared_bytes),
	COUNT_FACT(struct target_facts, encoded_bytes),
	FLAG_FACT(struct target_facts, extents_complete),
	COUNT_FACT(struct target_facts, direct_memory_align),
	COUNT_FACT(struct target_facts, direct_offset_align),
	TEXT_FACT(struct target_facts, used_by),
	TEXT_FACT(struct target_facts, used_beside),
	TEXT_FACT(struct target_facts, holds),
};

FACT_TABLE(target_table, target_rows);

#define PART(key, table, member)                                                               \
	{                                                                                      \
		key, &table, offsetof(struct environment, member), 0                           \
	}
#define LAYER(key, table, member, type)                                                        \
	{                                                                                      \
		key, &table, offsetof(struct layer, member), sizeof(type)                      \
	}

const struct environment_part environment_parts[ENVIRONMENT_PARTS] = {
	PART("host", host_table, host),
	PART("clock", clock_table, clock),
	PART("cpu", cpu_table, cpu),
	PART("memory", memory_table, memory),
	PART("control_group", group_table, group),
	PART("load", load_table, load),
	PART("limits", limit_table, limits),
};

const struct environment_part layer_parts[LAYER_PARTS] = {
	LAYER("filesystem", filesystem_table, filesystem, struct filesystem_facts),
	LAYER("device", block_table, block, struct block_facts),
	LAYER("queue", queue_table, queue, struct queue_facts),
	LAYER("controller", controller_table, controller, struct controller_facts),
	LAYER("nvme", nvme_table, nvme, struct nvme_facts),
	LAYER("ata", ata_table, ata, struct ata_facts),
};

const void *environment_part_of(const struct environment *e, const struct environment_part *p)
{
	return (const char *)e + p->offset;
}

const void *layer_part_of(const struct layer *l, const struct environment_part *p)
{
	const void *part;
	memcpy(&part, (const char *)l + p->offset, sizeof(part));
	return part;
}

struct environment *environment_new(void)
{
	struct environment *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->refs = 1;
	for (size_t i = 0; i < ENVIRONMENT_PARTS; i++)
		facts_forget(environment_parts[i].table,
			(char *)e + environment_parts[i].offset);
	return e;
}

struct environment *environment_keep(struct environment *e)
{
	if (e)
		e->refs++;
	return e;
}

void environment_free(struct environment *e)
{
	if (!e || --e->refs)
		return;
	arena_done(&e->arena);
	free(e);
}

/* ---- masking ---- */

/* Values in a kernel's command line that tell which machine it is. */
static const char *mask_command_line(const char *text, struct arena *a)
{
	static const char *const keys[] = {"UUID=", "uuid=", "LABEL=", "ip=", "nfsroot=",
		"hostname=", "systemd.machine_id=", "netroot=", "iscsi_initiator=", "BOOTIF="};
	struct str out = {0};

	for (const char *at = text; *at;) {
		size_t key = 0;
		for (size_t i = 0; i < COUNT_OF(keys) && !key; i++)
			if (str_starts(at, keys[i]))
				key = strlen(keys[i]);
		if (!key) {
			str_add_char(&out, *at++);
			continue;
		}
		str_add_bytes(&out, at, key);
		str_add(&out, "(masked)");
		at += key + strcspn(at + key, " ");
	}
	const char *copy = arena_text(a, str_text(&out));
	str_done(&out);
	return copy;
}

/* "server:/export" to "(host):/export". */
static const char *mask_server(const char *source, struct arena *a)
{
	const char *colon = *source == '/' ? NULL : strstr(source, ":/");
	if (str_starts(source, "//")) {
		const char *share = strchr(source + 2, '/');
		return arena_printf(a, "//(host)%s", share ? share : "");
	}
	return colon ? arena_printf(a, "(host)%s", colon) : source;
}

/* Length of the UUID at TEXT (8-4-4-4-12 digits), or 0. */
static size_t uuid_at(const char *text)
{
	static const uint8_t groups[] = {8, 4, 4, 4, 12};
	size_t at = 0;

	for (size_t i = 0; i < COUNT_OF(groups); i++) {
		if (i && text[at++] != '-')
			return 0;
		if (strspn(text + at, "0123456789abcdefABCDEF") < groups[i])
			return 0;
		at += groups[i];
	}
	return at;
}

/* As in "/dev/mapper/luks-UUID".  NULL: there is none. */
static const char *mask_uuids(const char *text, struct arena *a)
{
	struct str out = {0};
	bool any = false;

	for (size_t len; text && *text; text += MAX_OF(len, (size_t)1)) {
		len = uuid_at(text);
		any |= len > 0;
		if (len)
			str_add(&out, FACT_MASKED);
		else
			str_add_char(&out, *text);
	}
	const char *copy = any ? arena_text(a, str_text(&out)) : NULL;
	str_done(&out);
	return any && !copy ? FACT_MASKED : copy;
}

static void mask_uuids_of(const char **text, struct arena *a)
{
	const char *masked = mask_uuids(*text, a);
	if (masked)
		*text = masked;
}

static int mask_layer(struct environment *e, struct layer *l, const char *host)
{
	int failed = 0;

	for (size_t i = 0; i < LAYER_PARTS; i++) {
		void *part;
		memcpy(&part, (const char *)l + layer_parts[i].offset, sizeof(part));
		if (part)
			failed |= facts_mask(layer_parts[i].table, part, host, &e->arena);
	}
	if (l->filesystem && l->filesystem->remote == 1 && l->filesystem->source) {
		l->filesystem->source = mask_server(l->filesystem->source, &e->arena);
		l->filesystem->options = "(masked)"; /* addresses are among them */
	}
	if (l->filesystem) {
		mask_uuids_of(&l->filesystem->source, &e->arena);
		mask_uuids_of(&l->filesystem->options, &e->arena);
	}
	if (l->block)
		mask_uuids_of(&l->block->map_name, &e->arena);
	l->id = fact_mask_text(l->id, host, &e->arena);
	return failed;
}

#define SECRET_LEAST 6 /* letters: less stands elsewhere by chance */

/* As in names of links in /dev/disk/by-id: of "naa.5000c500a1b2c3d4" what follows the dot. */
struct secrets {
	const char *v[4 * STACK_LAYERS];
	uint32_t count;
};

static void add_secret(struct secrets *s, const char *text)
{
	if (text && strlen(text) >= SECRET_LEAST)
		s->v[s->count++] = text;
}

static void find_secrets(const struct environment *e, struct secrets *s)
{
	for (uint32_t i = 0; i < e->stack.count && i < STACK_LAYERS; i++) {
		const struct layer *l = &e->stack.v[i];
		const char *wwid = l->block ? l->block->wwid : NULL;
		const char *dot = wwid ? strchr(wwid, '.') : NULL;
		add_secret(s, dot ? dot + 1 : wwid);
		add_secret(s, l->block ? l->block->serial : NULL);
		add_secret(s, l->nvme ? l->nvme->serial : NULL);
		add_secret(s, l->ata ? l->ata->serial : NULL);
	}
}

/* Not in the names of targets: these were typed, and stand among the job's options, too. */
static int hide(struct environment *e, const char *secret)
{
	int failed = 0;

	for (size_t i = 0; i < ENVIRONMENT_PARTS; i++)
		failed |= facts_hide(environment_parts[i].table,
			(char *)e + environment_parts[i].offset, secret, &e->arena);
	for (uint32_t i = 0; i < e->stack.count; i++) {
		struct layer *l = &e->stack.v[i];
		if (l->filesystem)
			failed |= facts_hide(&filesystem_table, l->filesystem, secret,
				&e->arena);
		if (l->block)
			failed |= facts_hide(&block_table, l->block, secret, &e->arena);
	}
	return failed;
}

static int mask_gaps(struct environment *e, const char *host, const struct secrets *s)
{
	for (uint32_t i = 0; i < e->gaps_count; i++) {
		struct survey_gap *g = &e->gaps[i];
		g->path = fact_mask_text(g->path, host, &e->arena);
		g->reason = fact_mask_text(g->reason, host, &e->arena);
		for (uint32_t k = 0; k < s->count && g->reason; k++)
			g->reason = fact_hide_text(g->reason, s->v[k], &e->arena);
		if (!g->path || !g->reason)
			return -ENOMEM;
	}
	return 0;
}

int environment_mask(struct environment *e)
{
	const char *host = e->host.host_name;
	struct secrets secrets = {.count = 0};
	int failed = 0;

	find_secrets(e, &secrets);

	for (size_t i = 0; i < ENVIRONMENT_PARTS; i++)
		failed |= facts_mask(environment_parts[i].table,
			(char *)e + environment_parts[i].offset, host, &e->arena);
	if (e->host.command_line)
		e->host.command_line = mask_command_line(e->host.command_line, &e->arena);
	for (uint32_t i = 0; i < e->stack.count; i++)
		failed |= mask_layer(e, &e->stack.v[i], host);
	for (uint32_t i = 0; i < e->targets_count; i++)
		failed |= facts_mask(&target_table, &e->targets[i], host, &e->arena);
	for (uint32_t i = 0; i < secrets.count && !failed; i++)
		failed |= hide(e, secrets.v[i]);
	failed |= mask_gaps(e, host, &secrets);
	e->masked = true;
	return failed ? -ENOMEM : 0;
}

/* ---- the headline ---- */

/* The device that is at the bottom of what the layer AT lies on, if it is one; else NULL. */
static const struct layer *device_below(const struct environment *e, uint32_t at)
{
	uint32_t list[2];
	return stack_bottom(&e->stack, at, list, 2) == 1 ? &e->stack.v[list[0]] : NULL;
}

/* "400 GB": decimal, as disks are sold. */
static void add_size(struct str *out, uint64_t bytes)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
	double value = (double)bytes;
	size_t unit = 0;

	for (; value >= 999.5 && unit + 1 < COUNT_OF(units); unit++)
		value /= 1000;
	str_addf(out, value < 9.95 && unit ? " %.1f %s" : " %.0f %s", value, units[unit]);
}

static void add_device(struct str *out, const struct layer *l)
{
	const struct block_facts *b = l->block;
	const char *firmware = b->firmware ? b->firmware : l->nvme ? l->nvme->firmware : NULL;

	str_add(out, b->model ? b->model : b->name ? b->name : l->id);
	if (b->size_bytes != FACT_UNKNOWN)
		add_size(out, b->size_bytes);
	if (firmware)
		str_addf(out, "  firmware %s", firmware);
	if (l->queue && l->queue->scheduler)
		str_addf(out, "  scheduler %s", l->queue->scheduler);
}

/* "ext4 on ", and where a loop device makes a file a disk, "ext4 on loop0 over ext4 on ": from
 * the layer AT to the hardware; other layers in between aren't named. */
static void add_above(struct str *out, const struct stack *st, uint32_t at)
{
	bool named = true;

	for (uint32_t depth = 0; depth < STACK_LAYERS && at < st->count; depth++) {
		const struct layer *l = &st->v[at];
		bool loop = !strcmp(l->kind, "loop") && l->on_count;
		if (named && l->filesystem && l->filesystem->type)
			str_addf(out, "%s on ", l->filesystem->type);
		if (loop)
			str_addf(out, "%s over ", l->id);
		named = loop;
		if (!l->on_count)
			return;
		at = l->on[0];
	}
}

const char *environment_headline(const struct environment *e, struct arena *a)
{
	struct str out = {0};

	if (e->targets_count != 1 || e->targets_more || e->targets[0].on == STACK_NOTHING)
		return "";
	const struct layer *top = &e->stack.v[e->targets[0].on];
	const struct layer *device = device_below(e, e->targets[0].on);
	if (device) {
		add_above(&out, &e->stack, e->targets[0].on);
		add_device(&out, device);
	} else if (top->filesystem && top->filesystem->type) {
		str_add(&out, top->filesystem->type);
	}
	const char *text = arena_text(a, str_text(&out));
	str_done(&out);
	return text ? text : "";
}
