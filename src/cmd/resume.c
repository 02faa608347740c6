/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/resume.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/command_line.h"
#include "job/job.h"
#include "verify/state.h"

#define RESUME_BLOCK (UINT32_C(1) << 20) /* bytes of a read, about */
#define RESUME_WORDS 9                   /* of a job, at most      */

struct resuming {
	struct command_line *line;
	struct state_head head;
	bool out_of_memory;
};

static bool given(const struct command_line *line, const char *name)
{
	for (size_t i = 0; i < line->count; i++)
		if (line->words[i].name && strcmp(line->words[i].name, name) == 0)
			return true;
	return false;
}

static uint32_t targets(const struct state_head *h)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < h->targets_count; i++)
		n += h->targets[i].bytes > 0;
	return n;
}

/* OLD=NEW, or NEW when there is only one.  NULL: it's not about the target NAME. */
static const char *renamed(const struct state_head *h, const char *name, const char *word)
{
	const size_t n = strlen(name);

	if (strncmp(word, name, n) == 0 && word[n] == '=')
		return word + n + 1;
	return targets(h) == 1 && !strchr(word, '=') ? word : NULL;
}

static const char *new_name(const struct resuming *r, const char *name)
{
	const struct opt_names *given_names = &r->line->flags.targets;
	const char *found = name;

	for (size_t i = 0; i < given_names->count; i++) {
		const char *to = renamed(&r->head, name, given_names->v[i]);
		found = to ? to : found;
	}
	return found;
}

static void add(struct resuming *r, const char *name, const char *value)
{
	r->out_of_memory |= !value;
	r->line->words[r->line->count++] = (struct job_word){.name = name, .value = value};
}

/* A colon in a name would end it. */
static const char *as_filename(struct arena *arena, const char *path)
{
	char *out = arena_alloc(arena, 2 * strlen(path) + 1), *to = out;

	for (; out && *path; *to++ = *path++)
		if (*path == ':')
			*to++ = '\\';
	return out;
}

static const char *job_name(struct arena *arena, const char *path)
{
	const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;

	return str_starts(base, "global") ? arena_printf(arena, "_%s", base) : base;
}

static void add_job(struct resuming *r, const struct state_target *t, bool block, bool go_on)
{
	struct arena *arena = &r->line->arena;
	const char *path = new_name(r, t->name);
	const uint32_t bytes = t->unit_bytes > RESUME_BLOCK
				       ? t->unit_bytes
				       : (uint32_t)round_down(RESUME_BLOCK, t->unit_bytes);

	add(r, "name", job_name(arena, t->name));
	add(r, "filename", as_filename(arena, path));
	add(r, "rw", "read");
	add(r, "verify_resume", r->line->flags.resume);
	add(r, "verify_target", t->name);
	add(r, "size", arena_printf(arena, "%" PRIu64, t->bytes));
	if (block)
		add(r, "bs", arena_printf(arena, "%" PRIu32, bytes));
	if (go_on)
		add(r, "continue_on_error", "verify");
}

/* Each --target must be of one. */
static int check_targets(const struct resuming *r, struct err *reterr)
{
	const struct opt_names *given_names = &r->line->flags.targets;

	for (size_t i = 0; i < given_names->count; i++) {
		const struct state_head *h = &r->head;
		bool known = false;
		for (uint32_t k = 0; k < h->targets_count && !known; k++)
			known = h->targets[k].bytes &&
				renamed(h, h->targets[k].name, given_names->v[i]);
		if (!known)
			return err_set(reterr, -ENOENT,
				"--target=%s: %s is of %s%s; write --target=%s=PATH",
				given_names->v[i], r->line->flags.resume, h->targets[0].name,
				targets(h) > 1 ? " and others" : "", h->targets[0].name);
	}
	return 0;
}

int resume_words(struct command_line *line, struct err *reterr)
{
	struct resuming r = {.line = line};
	const char *path = line->flags.resume;

	if (!path)
		return line->flags.targets.count
			       ? err_set(reterr, -EINVAL,
					 "--target has no meaning without --verify-resume=STATE")
			       : 0;
	for (size_t i = 0; i < line->count; i++)
		if (!line->words[i].name || strcmp(line->words[i].name, "name") == 0)
			return err_set(reterr, -EINVAL,
				"--verify-resume makes its jobs itself, one for each target of the "
				"state; leave out '%s'",
				line->words[i].value);
	int rc = state_look(path, &line->arena, &r.head, reterr);
	if (rc < 0)
		return rc;
	if (!targets(&r.head))
		return err_set(reterr, -ENODATA, "%s: it is of no target", path);
	rc = check_targets(&r, reterr);
	if (rc < 0)
		return rc;
	const bool block = !given(line, "bs"), go_on = !given(line, "continue_on_error");
	struct job_word *words = arena_array(&line->arena,
		line->count + (size_t)targets(&r.head) * RESUME_WORDS, sizeof(*words));
	if (!words)
		return err_set(reterr, -ENOMEM, "out of memory");
	memcpy(words, line->words, line->count * sizeof(*words));
	line->words = words;
	for (uint32_t i = 0; i < r.head.targets_count; i++)
		if (r.head.targets[i].bytes)
			add_job(&r, &r.head.targets[i], block, go_on);
	return r.out_of_memory ? err_set(reterr, -ENOMEM, "out of memory") : 0;
}
