/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The environment as JSON, and the stack of a target as a tree of lines. */
#include "report/environment.h"

#include "base/bits.h"
#include "base/json.h"
#include "base/str.h"
#include "report/text.h"
#include "result/environment.h"

#include <inttypes.h>
#include <string.h>

/* ---- JSON ---- */

static void layer_json(struct json *j, const struct stack *st, const struct layer *l)
{
	json_object(j, NULL);
	json_text(j, "id", l->id);
	json_text(j, "kind", l->kind);
	json_array(j, "on");
	for (uint32_t i = 0; i < l->on_count; i++)
		json_text(j, NULL, st->v[l->on[i]].id);
	json_array_end(j);
	for (size_t i = 0; i < LAYER_PARTS; i++) {
		const void *part = layer_part_of(l, &layer_parts[i]);
		if (!part)
			continue;
		json_object(j, layer_parts[i].key);
		facts_write(j, layer_parts[i].table, part);
		json_object_end(j);
	}
	json_object_end(j);
}

static void stack_json(struct json *j, const struct environment *e)
{
	json_array(j, "targets");
	for (uint32_t i = 0; i < e->targets_count; i++) {
		json_object(j, NULL);
		facts_write(j, &target_table, &e->targets[i]);
		if (e->targets[i].on != STACK_NOTHING)
			json_text(j, "on", e->stack.v[e->targets[i].on].id);
		json_object_end(j);
	}
	json_array_end(j);
	if (e->targets_more)
		json_uint(j, "targets_more", e->targets_more);
	json_array(j, "layers");
	for (uint32_t i = 0; i < e->stack.count; i++)
		layer_json(j, &e->stack, &e->stack.v[i]);
	json_array_end(j);
}

static void gaps_json(struct json *j, const struct environment *e)
{
	json_array(j, "not_read");
	for (uint32_t i = 0; i < e->gaps_count; i++) {
		json_object(j, NULL);
		json_text(j, "path", e->gaps[i].path);
		json_text(j, "reason", e->gaps[i].reason);
		json_object_end(j);
	}
	json_array_end(j);
	if (e->gaps_more)
		json_uint(j, "not_read_more", e->gaps_more);
}

void report_json_environment(struct json *j, const struct environment *e, bool stack_only)
{
	json_object(j, "environment");
	json_bool(j, "masked", e->masked);
	for (size_t i = 0; !stack_only && i < ENVIRONMENT_PARTS; i++) {
		json_object(j, environment_parts[i].key);
		facts_write(j, environment_parts[i].table,
			environment_part_of(e, &environment_parts[i]));
		json_object_end(j);
	}
	stack_json(j, e);
	gaps_json(j, e);
	json_object_end(j);
}

/* ---- the tree ---- */

void report_size(struct str *out, uint64_t bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
	double value = (double)bytes;
	size_t unit = 0;

	for (; value >= 1023.5 && unit + 1 < COUNT_OF(units); unit++)
		value /= 1024;
	bool whole = unit == 0 || value == (double)(uint64_t)value || value >= 99.5;
	str_addf(out, whole ? "%.0f %s" : "%.1f %s", value, units[unit]);
}

/* Lines below a node have their text behind INDENT. */
struct tree {
	const struct environment *e;
	struct str *out;
	char indent[256];
	bool *shown; /* layers whose facts stand further up */
};

static void say(struct str *line, const char *what)
{
	str_addf(line, "%s%s", line->len ? ", " : "", what);
}

static void say_text(struct str *line, const char *label, const char *value)
{
	if (value)
		str_addf(line, "%s%s%s%s", line->len ? ", " : "", label, *label ? " " : "",
			value);
}

static void say_size(struct str *line, const char *before, uint64_t bytes, const char *after)
{
	if (bytes == FACT_UNKNOWN)
		return;
	str_addf(line, "%s%s%s", line->len ? ", " : "", before, *before ? " " : "");
	report_size(line, bytes);
	if (*after)
		str_addf(line, " %s", after);
}

static void say_count(struct str *line, const char *label, uint64_t value, const char *unit)
{
	if (value != FACT_UNKNOWN)
		str_addf(line, "%s%s %" PRIu64 "%s", line->len ? ", " : "", label, value, unit);
}

/* One line of facts below a node, if there are any. */
static void line_end(struct tree *t, struct str *line)
{
	if (line->len) {
		str_addf(t->out, "%s", t->indent);
		text_add(t->out, str_text(line));
		str_add_char(t->out, '\n');
	}
	str_done(line);
}

static void filesystem_lines(struct tree *t, const struct filesystem_facts *f)
{
	struct str line = {0};

	say_size(&line, "", f->size_bytes, "");
	say_size(&line, "", f->available_bytes, "free");
	if (f->size_bytes != FACT_UNKNOWN && f->size_bytes &&
		f->available_bytes <= f->size_bytes)
		str_addf(&line, " (%.0f %%)",
			100.0 * (double)f->available_bytes / (double)f->size_bytes);
	say_size(&line, "blocks of", f->block_bytes, "");
	if (f->remote == 1)
		say(&line, "on another machine");
	if (f->errors != FACT_UNKNOWN && f->errors)
		say_count(&line, "errors", f->errors, "");
	line_end(t, &line);
	say_text(&line, "mounted", f->flags);
	if (f->options && f->flags && strcmp(f->options, f->flags) != 0)
		say_text(&line, "options", f->options);
	line_end(t, &line);
}

static void block_lines(struct tree *t, const struct block_facts *b)
{
	struct str line = {0};

	say_size(&line, "", b->size_bytes, "");
	say_text(&line, "model", b->model);
	say_text(&line, "by", b->vendor);
	say_text(&line, "firmware", b->firmware);
	if (b->serial && strcmp(b->serial, FACT_MASKED) != 0)
		say_text(&line, "serial", b->serial);
	say_text(&line, "by", b->transport);
	say_text(&line, "level", b->md_level);
	say_text(&line, "state", b->md_state);
	if (b->md_action && strcmp(b->md_action, "idle") != 0)
		say_text(&line, "busy with", b->md_action);
	say_size(&line, "chunks of", b->md_chunk_bytes, "");
	say_text(&line, "cache", b->bcache_mode);
	say_text(&line, "named", b->map_name);
	say_text(&line, "over the file", b->backing_file);
	if (b->backing_file && b->loop_direct != FACT_UNKNOWN)
		say(&line, b->loop_direct ? "direct" : "through the page cache");
	say_text(&line, "compressed by", b->compressor);
	say_size(&line, "begins at", b->partition_start_bytes, "");
	if (b->read_only == 1)
		say(&line, "read-only");
	if (b->rotational == 1)
		say(&line, "rotational");
	if (b->zoned && strcmp(b->zoned, "none") != 0)
		say_text(&line, "zones", b->zoned);
	line_end(t, &line);
	say_size(&line, "blocks of", b->logical_block_bytes, "logical");
	say_size(&line, "", b->physical_block_bytes, "physical");
	if (b->optimal_io_bytes != FACT_UNKNOWN && b->optimal_io_bytes)
		say_size(&line, "", b->optimal_io_bytes, "optimal");
	if (b->alignment_offset_bytes != FACT_UNKNOWN && b->alignment_offset_bytes)
		say_size(&line, "", b->alignment_offset_bytes, "off its alignment");
	line_end(t, &line);
}

static void queue_lines(struct tree *t, const struct queue_facts *q)
{
	struct str line = {0};

	say_text(&line, "scheduler", q->scheduler);
	say_count(&line, "requests", q->requests, "");
	say_count(&line, "device depth", q->device_depth, "");
	say_count(&line, "queues", q->hardware_queues, "");
	say_size(&line, "read-ahead", q->read_ahead_bytes, "");
	say_size(&line, "requests up to", q->io_max_bytes, "");
	line_end(t, &line);
	say_text(&line, "write cache:", q->write_cache);
	if (q->write_back_throttle_us != FACT_UNKNOWN && q->write_back_throttle_us)
		say_count(&line, "writeback throttled at", q->write_back_throttle_us, " us");
	if (q->no_merges != FACT_UNKNOWN && q->no_merges)
		say_count(&line, "nomerges", q->no_merges, "");
	if (q->polling == 1)
		say(&line, "polling");
	if (q->poll_queues != FACT_UNKNOWN && q->poll_queues)
		say_count(&line, "poll queues", q->poll_queues, "");
	line_end(t, &line);
}

static void controller_lines(struct tree *t, const struct controller_facts *c)
{
	struct str line = {0};

	say_text(&line, "at", c->address);
	say_text(&line, "driver", c->driver);
	say_text(&line, "link", c->link_speed);
	if (c->link_width != FACT_UNKNOWN)
		str_addf(&line, " x%" PRIu64, c->link_width);
	if (c->link_speed_possible) {
		str_addf(&line, " of %s", c->link_speed_possible);
		if (c->link_width_possible != FACT_UNKNOWN)
			str_addf(&line, " x%" PRIu64, c->link_width_possible);
	}
	say_text(&line, "port at", c->port_speed);
	if (c->port_speed_limit)
		str_addf(&line, ", limited to %s", c->port_speed_limit);
	say_count(&line, "NUMA node", c->numa_node, "");
	say_text(&line, "near CPUs", c->numa_cpus);
	say_text(&line, "interrupts on CPUs", c->interrupt_cpus);
	line_end(t, &line);
}

static void nvme_lines(struct tree *t, const struct nvme_facts *n)
{
	struct str line = {0};

	say_count(&line, "temperature", n->raw.temperature_c, " C");
	say_count(&line, "used up", n->raw.used_percent, " %");
	say_count(&line, "spare", n->raw.spare_percent, " %");
	say_count(&line, "media errors", n->raw.media_errors, "");
	say_size(&line, "", n->raw.written_bytes, "written");
	if (n->raw.media_written_bytes != FACT_UNKNOWN)
		say_size(&line, "", n->raw.media_written_bytes, "written to the media");
	else
		say_size(&line, "", n->raw.group_media_written_bytes, "written to the media");
	say_size(&line, "", n->raw.read_bytes, "read");
	say_size(&line, "namespace uses", n->raw.namespace_used_bytes, "");
	say_count(&line, "power state", n->raw.power_state, "");
	if (n->raw.autonomous_power != FACT_UNKNOWN)
		say(&line, n->raw.autonomous_power ? "APST on" : "APST off");
	line_end(t, &line);
}

static void ata_lines(struct tree *t, const struct ata_facts *a)
{
	struct str line = {0};

	if (a->passed != FACT_UNKNOWN)
		say(&line, a->passed ? "says it is well" : "says it is failing");
	say_text(&line, "link", a->link_speed);
	if (a->link_speed_possible)
		str_addf(&line, " of %s", a->link_speed_possible);
	say_count(&line, "temperature", a->temperature_c, " C");
	say_count(&line, "reallocated sectors", a->reallocated_sectors, "");
	say_count(&line, "pending sectors", a->pending_sectors, "");
	say_count(&line, "link errors", a->link_errors, "");
	say_size(&line, "", a->host_written_bytes, "written");
	say_size(&line, "", a->media_written_bytes, "written to the media");
	say_count(&line, "hours", a->power_on_hours, "");
	line_end(t, &line);
}

static void node(struct tree *t, uint32_t at, unsigned depth, bool last);

static void nodes_below(struct tree *t, const struct layer *l, unsigned depth)
{
	for (uint32_t i = 0; i < l->on_count && depth < 16; i++)
		node(t, l->on[i], depth + 1, i + 1 == l->on_count);
}

#define BRANCH "\xe2\x94\x9c\xe2\x94\x80 " /* the signs of a tree, as others draw it */
#define CORNER "\xe2\x94\x94\xe2\x94\x80 "
#define TRUNK  "\xe2\x94\x82  "

static void node(struct tree *t, uint32_t at, unsigned depth, bool last)
{
	const struct layer *l = &t->e->stack.v[at];
	size_t len = strlen(t->indent);

	str_addf(t->out, "%s%s", t->indent, last ? CORNER : BRANCH);
	if (l->filesystem) {
		str_addf(t->out, "%s at ", l->filesystem->type ? l->filesystem->type : l->kind);
		text_add(t->out, l->id);
	} else {
		str_addf(t->out, "%s %s", l->kind, l->id);
	}
	if (t->shown[at]) {
		str_add(t->out, " (above)\n");
		return;
	}
	t->shown[at] = true;
	str_add_char(t->out, '\n');
	/* The lines of facts stand left of the trunk that goes on to what is below. */
	snprintf(t->indent + len, sizeof(t->indent) - len, "%s", last ? "   " : TRUNK);
	size_t own = strlen(t->indent);
	snprintf(t->indent + own, sizeof(t->indent) - own, "%s", l->on_count ? TRUNK : "   ");
	if (l->filesystem)
		filesystem_lines(t, l->filesystem);
	if (l->block)
		block_lines(t, l->block);
	if (l->queue)
		queue_lines(t, l->queue);
	if (l->controller)
		controller_lines(t, l->controller);
	if (l->nvme)
		nvme_lines(t, l->nvme);
	if (l->ata)
		ata_lines(t, l->ata);
	t->indent[own] = '\0';
	nodes_below(t, l, depth);
	t->indent[len] = '\0';
}

static void target_lines(struct tree *t, const struct target_facts *f)
{
	struct str line = {0};

	if (f->folder)
		say_text(&line, "doesn't exist; it would be made in", f->folder);
	else if (!strcmp(f->kind, "missing"))
		say(&line, "doesn't exist");
	say_size(&line, "", f->size_bytes, "");
	if (f->size_bytes != FACT_UNKNOWN && f->allocated_bytes != FACT_UNKNOWN)
		say_size(&line, "", f->allocated_bytes, "allocated");
	if (f->extents != FACT_UNKNOWN) {
		str_addf(&line, "%s%" PRIu64 " extent%s", line.len ? ", " : "", f->extents,
			f->extents == 1 ? "" : "s");
		say_size(&line, "", f->written_bytes, "written");
		if (f->unwritten_bytes)
			say_size(&line, "", f->unwritten_bytes, "never written");
		if (f->hole_bytes)
			say_size(&line, "", f->hole_bytes, "in holes");
		if (f->shared_bytes)
			say_size(&line, "", f->shared_bytes, "shared");
		if (f->encoded_bytes)
			say_size(&line, "", f->encoded_bytes, "compressed or encrypted");
		if (f->extents_complete == 0)
			say(&line, "not looked at to the end");
	}
	line_end(t, &line);
	say_size(&line, "direct I/O in units of", f->direct_offset_align, "");
	line_end(t, &line);
}

void report_stack(const struct environment *e, struct str *out)
{
	bool shown[STACK_LAYERS] = {false};

	for (uint32_t i = 0; i < e->targets_count; i++) {
		const struct target_facts *f = &e->targets[i];
		struct tree t = {.e = e, .out = out, .shown = shown};
		if (i)
			str_add_char(out, '\n');
		text_add(out, f->path);
		str_addf(out, "  %s\n", f->kind);
		snprintf(t.indent, sizeof(t.indent), "%s",
			f->on != STACK_NOTHING && strcmp(f->kind, "block device") ? TRUNK
										  : "   ");
		target_lines(&t, f);
		t.indent[0] = '\0';
		if (f->on != STACK_NOTHING)
			node(&t, f->on, 0, true);
	}
	if (e->targets_more)
		str_addf(out, "\nand %" PRIu32 " more\n", e->targets_more);
}

void report_gaps(const struct environment *e, struct str *out)
{
	for (uint32_t i = 0; i < e->gaps_count; i++) {
		str_add(out, i ? "  " : "\nnot read\n  ");
		text_add(out, e->gaps[i].path);
		str_add(out, ": ");
		text_add(out, e->gaps[i].reason);
		str_add_char(out, '\n');
	}
	if (e->gaps_more)
		str_addf(out, "  and %" PRIu32 " more\n", e->gaps_more);
}
