/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The verb `doctor`: what would spoil a measurement here, what could be destroyed, what
 * works.  The findings are the notes that a run would have, and those that only make sense
 * before one (result/notes). */
#include "cmd/cmd.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/json.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/around.h"
#include "cmd/ceiling.h"
#include "cmd/face.h"
#include "cmd/output.h"
#include "engine/engine.h"
#include "report/environment.h"
#include "report/report.h"
#include "result/environment.h"
#include "result/notes/notes.h"
#include "result/result.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- the machine in some lines ---- */

/* As /sys/devices/system/cpu/smt/control has it. */
static const char *smt_words(const char *control)
{
	if (!strcmp(control, "on"))
		return "SMT on";
	if (!strcmp(control, "notsupported") || !strcmp(control, "notimplemented"))
		return "no SMT";
	return "SMT off";
}

static void add_cpu(const struct environment *e, struct str *out)
{
	const struct cpu_facts *c = &e->cpu;

	str_add(out, "CPUs      ");
	if (c->online != FACT_UNKNOWN)
		str_addf(out, " %" PRIu64, c->online);
	if (c->model)
		str_addf(out, " %s", c->model);
	if (c->governor)
		str_addf(out, ", governor %s", c->governor);
	if (c->smt)
		str_addf(out, ", %s", smt_words(c->smt));
	if (c->idle_states)
		str_addf(out, ", idle states %s", c->idle_states);
	str_add_char(out, '\n');
}

static void add_size(struct str *out, const char *before, uint64_t bytes)
{
	if (bytes == FACT_UNKNOWN)
		return;
	str_add(out, before);
	report_size(out, bytes);
}

/* No line without /proc. */
static void add_memory(const struct memory_facts *m, struct str *out)
{
	if (m->total_bytes == FACT_UNKNOWN)
		return;
	add_size(out, "memory     ", m->total_bytes);
	add_size(out, ", available ", m->available_bytes);
	if (m->swap_bytes == 0)
		str_add(out, ", no swap");
	else
		add_size(out, ", swap ", m->swap_bytes);
	str_add_char(out, '\n');
}

static void add_machine(const struct environment *e, struct str *out)
{
	str_addf(out, "kernel     %s", e->host.kernel_release ? e->host.kernel_release : "?");
	if (e->host.virtual_machine)
		str_addf(out, ", virtual machine (%s)", e->host.virtual_machine);
	if (e->host.container)
		str_addf(out, ", container (%s)", e->host.container);
	str_add_char(out, '\n');
	add_cpu(e, out);
	add_memory(&e->memory, out);
	str_addf(out, "clock      %s", e->clock.name ? e->clock.name : "?");
	if (!isnan(e->clock.stamp_cost_ns))
		str_addf(out, ", %.0f ns a stamp", e->clock.stamp_cost_ns);
	if (e->clock.step_ns >= 2) /* a number, and worth a word */
		str_addf(out, ", in steps of %.0f ns", e->clock.step_ns);
	if (e->clock.why_not_tsc)
		str_addf(out, " (not the CPU's counter: %s)", e->clock.why_not_tsc);
	str_add_char(out, '\n');
}

static void add_limit(struct str *out, const char *label, uint64_t value)
{
	if (value == FACT_UNKNOWN)
		str_addf(out, ", %s without limit", label);
	else
		str_addf(out, ", %s %" PRIu64, label, value);
}

/* Of one process a limit that isn't known is none; no line without /proc, where all isn't. */
static void add_limits(const struct environment *e, struct str *out)
{
	const struct limit_facts *l = &e->limits;

	if (l->locked_memory_bytes == FACT_UNKNOWN && l->open_files == FACT_UNKNOWN &&
		l->processes == FACT_UNKNOWN && l->process_numbers == FACT_UNKNOWN)
		return;
	str_add(out, "limits     locked memory");
	add_size(out, " ", l->locked_memory_bytes);
	if (l->locked_memory_bytes == FACT_UNKNOWN)
		str_add(out, " without limit");
	add_limit(out, "open files", l->open_files);
	add_limit(out, "processes", l->processes);
	if (l->aio_requests != FACT_UNKNOWN && l->aio_requests_used != FACT_UNKNOWN)
		str_addf(out, ", libaio requests %" PRIu64 " (%" PRIu64 " taken)",
			l->aio_requests, l->aio_requests_used);
	str_add_char(out, '\n');
}

/* ---- engines ---- */

static void add_ceiling(double ios_per_s, struct str *out)
{
	if (ios_per_s > 0)
		str_addf(out,
			"generator  a worker can make %.3g million I/Os a second here, without a device\n",
			ios_per_s / 1e6);
}

static bool engine_works(const struct engine *e, struct err *err)
{
	return !e->probe || e->probe(err) == 0;
}

static void add_engines(struct str *out)
{
	struct err err;

	str_add(out, "engines   ");
	for (size_t i = 0; i < engines_count; i++)
		if (!(engines[i]->flags & ENGINE_HIDDEN) && engine_works(engines[i], &err))
			str_addf(out, " %s", engines[i]->name);
	str_add_char(out, '\n');
	for (size_t i = 0; i < engines_count; i++)
		if (!(engines[i]->flags & ENGINE_HIDDEN) && !engine_works(engines[i], &err))
			str_addf(out, "           not here: %s (%s)\n", engines[i]->name,
				err.text);
}

static void engines_json(struct json *j)
{
	json_array(j, "engines");
	for (size_t i = 0; i < engines_count; i++) {
		struct err err;
		if (engines[i]->flags & ENGINE_HIDDEN)
			continue;
		bool works = engine_works(engines[i], &err);
		json_object(j, NULL);
		json_text(j, "name", engines[i]->name);
		json_bool(j, "works", works);
		if (!works)
			json_text(j, "reason", err.text);
		json_object_end(j);
	}
	json_array_end(j);
}

/* ---- what a job that writes would do ---- */

enum writing {
	WRITING_FREE,    /* nothing is lost, as far as can be seen */
	WRITING_CONSENT, /* --destroy=TARGET                       */
	WRITING_UNKNOWN, /* what it holds can't be seen: the same  */
	WRITING_REFUSED,
};

static bool is_gap(const struct environment *e, const char *path)
{
	for (uint32_t i = 0; i < e->gaps_count; i++)
		if (!strcmp(e->gaps[i].path, path))
			return true;
	return e->gaps_more;
}

/* A mount's flags and its file system's options begin with one of rw and ro. */
static bool is_ro(const char *flags)
{
	return flags && (!strcmp(flags, "ro") || str_starts(flags, "ro,"));
}

/* What lets nobody write there; NULL: nothing does. */
static const char *closed_by(const struct environment *e, const struct target_facts *t)
{
	const struct layer *l = t->on < e->stack.count ? &e->stack.v[t->on] : NULL;

	if (l && l->block && l->block->read_only == 1)
		return "it is a read-only device";
	if (l && l->filesystem &&
		(is_ro(l->filesystem->flags) || is_ro(l->filesystem->options)))
		return "the file system is mounted read-only";
	return NULL;
}

static enum writing writing_of(const struct environment *e, const struct target_facts *t)
{
	if (closed_by(e, t))
		return WRITING_REFUSED;
	if (t->used_by || !strcmp(t->kind, "not accessible") || !strcmp(t->kind, "directory") ||
		(!strcmp(t->kind, "missing") && !t->folder))
		return WRITING_REFUSED;
	if (!t->holds && !strcmp(t->kind, "block device") && is_gap(e, t->path))
		return WRITING_UNKNOWN;
	return t->holds ? WRITING_CONSENT : WRITING_FREE;
}

static void add_writing(const struct environment *e, struct str *out)
{
	static const char *const words[] = {
		[WRITING_FREE] = "nothing would be lost",
		[WRITING_CONSENT] = "would be overwritten, with --destroy: ",
		[WRITING_UNKNOWN] = "needs --destroy, as what it holds can't be seen",
		[WRITING_REFUSED] = "is refused",
	};

	for (uint32_t i = 0; i < e->targets_count; i++) {
		const struct target_facts *t = &e->targets[i];
		enum writing w = writing_of(e, t);
		str_addf(out, "%s %s: %s", i ? "          " : "writing   ", t->path, words[w]);
		if (w == WRITING_CONSENT)
			str_add(out, t->holds);
		else if (t->used_by)
			str_addf(out, ": %s", t->used_by);
		else if (closed_by(e, t))
			str_addf(out, ": %s", closed_by(e, t));
		else if (!strcmp(t->kind, "directory"))
			str_add(out, ": it is a directory; directory=PATH makes files in it");
		str_add_char(out, '\n');
	}
}

static void writing_json(struct json *j, const struct environment *e)
{
	static const char *const words[] = {[WRITING_FREE] = "free",
		[WRITING_CONSENT] = "consent",
		[WRITING_UNKNOWN] = "unknown",
		[WRITING_REFUSED] = "refused"};

	json_array(j, "writing");
	for (uint32_t i = 0; i < e->targets_count; i++) {
		json_object(j, NULL);
		json_text(j, "target", e->targets[i].path);
		json_text(j, "state", words[writing_of(e, &e->targets[i])]);
		json_object_end(j);
	}
	json_array_end(j);
}

/* ---- all of it ---- */

static int verdict(const struct result *r)
{
	if (notes_count(r, NOTE_INVALID))
		return STATUS_UNFIT;
	return notes_count(r, NOTE_DOUBTFUL) ? STATUS_DOUBTFUL : STATUS_OK;
}

static const char *verdict_word(int status)
{
	return status == STATUS_UNFIT      ? note_weight_name(NOTE_INVALID)
	       : status == STATUS_DOUBTFUL ? note_weight_name(NOTE_DOUBTFUL)
					   : "fit";
}

static void print_json(const struct cmd_call *call, const struct result *r, struct str *out)
{
	struct json j;

	json_init(&j, out, JSON_FIO);
	json_object(&j, NULL);
	json_text(&j, "version", call->face->version);
	json_text(&j, "verdict", verdict_word(verdict(r)));
	report_json_notes(&j, r);
	writing_json(&j, r->environment);
	engines_json(&j);
	double ceiling = ceiling_find(call->face->version);
	if (ceiling > 0)
		json_double(&j, "generator_ios_per_s", ceiling);
	report_json_environment(&j, r->environment, false);
	json_object_end(&j);
	str_add_char(out, '\n');
}

static void print_text(const struct cmd_call *call, const struct result *r, struct str *out)
{
	const struct environment *e = r->environment;
	struct report_how how = {.native = true, .colour = output_coloured(STDOUT_FILENO)};

	how.columns = output_columns(STDOUT_FILENO);
	add_machine(e, out);
	add_limits(e, out);
	add_engines(out);
	add_ceiling(ceiling_find(call->face->version), out);
	add_writing(e, out);
	if (e->targets_count)
		str_add_char(out, '\n');
	report_stack(e, out);
	report_notes(r, &how, out);
	report_gaps(e, out);
	if (verdict(r) == STATUS_OK)
		str_add(out,
			"\nnothing here spoils a measurement, as far as can be seen from here\n");
}

const char doctor_usage[] =
	"usage: weir doctor [FLAG...] [TARGET...]    without a target: of this machine\n"
	"  --json\n"
	"  --env=full         serial numbers and the host's name, too; else they are masked\n"
	"It changes nothing but a small cache of weir's. Status: 0 when nothing spoils a\n"
	"measurement, 2 when something makes it doubtful, 3 when it makes it invalid.\n";

int cmd_doctor(const struct cmd_call *call)
{
	scope_with(around_done) struct around a;
	scope_with(str_done) struct str out = {0};

	if (!around_look(call, "doctor", true, &a))
		return STATUS_REFUSED;
	struct result *r = result_new();
	if (!r) {
		fputs("weir: doctor: out of memory\n", stderr);
		return STATUS_REFUSED;
	}
	r->environment = environment_keep(a.environment);
	r->final = true;
	int failed = notes_doctor(r), status = verdict(r);
	if (a.json)
		print_json(call, r, &out);
	else
		print_text(call, r, &out);
	result_free(r);
	out.failed |= failed < 0;
	return around_print(&out, status);
}
