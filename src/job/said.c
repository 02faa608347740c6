/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What people are told about what they said: names that are unknown, values that do nothing,
 * say something twice, or win over another. */
#include "job/reader.h"

#include "base/bits.h"
#include "base/err.h"
#include "engine/later.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- what is wrong with a name ---- */

const char *said_value(const struct said *said)
{
	return said->value ? said->value : "";
}

/* What was probably meant: "rw" for "rww", "bs=4k" for "bs 4k"; "": no idea. */
static void guess(const char *typed, const char *engine, struct str *out)
{
	struct opt_found found;
	char word[64];
	size_t len;

	while (*typed == '-')
		typed++;
	len = strcspn(typed, " \t");
	snprintf(word, sizeof(word), "%.*s", (int)MIN_OF(len, sizeof(word)), typed);
	if (opt_find(word, engine, &found) && typed[len]) {
		str_addf(out, "%s=%s", word, typed + len + strspn(typed + len, " \t"));
		return;
	}
	const char *near = opt_find(word, engine, &found) ? found.row->name
							  : opt_nearest(word, engine);
	str_add(out, near ? near : "");
}

int said_unknown(struct reader *r, const struct scope *s, const char *section,
	const struct said *said)
{
	struct place place = {said->where, section, NULL};
	struct str owners = {0}, meant = {0};
	const char *equals = said->value ? "=" : "", *dashes = said->where.file ? "" : "--";
	int rc;

	bool have;
	engine_owners(said->typed, &owners, &have);
	guess(said->typed, "", &meant);
	const char *near = str_text(&meant);
	if (owners.len)
		rc = place_fail(&place, r->err, -EINVAL,
			"option '%.100s' needs ioengine=%s%s (here it is %.100s)", said->typed,
			str_text(&owners), have ? "" : ", which weir doesn't have yet",
			s->engine ? s->engine : "none");
	else if (!r->env->native) /* fio's words: scripts look for them */
		rc = place_fail(&place, r->err, -EINVAL, "Bad option <%s%.100s%s%.100s>%s%s%s",
			dashes, said->typed, equals, said_value(said),
			*near ? "; did you mean " : "", near, *near ? "?" : "");
	else
		rc = place_fail(&place, r->err, -EINVAL,
			"unknown option '%s%.100s%s%.100s'%s%s%s", dashes, said->typed, equals,
			said_value(said), *near ? "; did you mean '" : "", near,
			*near ? "'?" : "");
	str_done(&owners);
	str_done(&meant);
	return rc;
}

/* ---- words about values ---- */

void said_no_effect(struct reader *r, const struct place *place, const struct opt *row)
{
	for (size_t i = 0; i < r->warned_count; i++)
		if (r->warned[i] == row)
			return;
	r->warned[r->warned_count++] = row;
	place_warn(place, r->env, "%s", row->no_effect);
}

bool said_override(struct reader *r, const struct said *said, const char *section)
{
	const struct opt *row = said->found.row;
	for (size_t i = r->cli_defaults.count; i--;) {
		const struct job_given *d = &r->cli_defaults.v[i];
		if (d->row != row)
			continue;
		if (row->flags & OPT_LIST || r->cli_noted[i] ||
			strcmp(d->value, said_value(said)) == 0)
			return true;
		r->cli_noted[i] = true;
		bool gather = row->flags & OPT_GATHER;
		struct place place = {.section = NULL};
		place_note(&place, r->env,
			"--%s%s%.100s is a default: %s=%.100s of %s:%u [%.100s] %s", d->typed,
			*d->value ? "=" : "", d->value, said->typed, said_value(said),
			said->where.file, said->where.line, section,
			gather ? "is used too" : "wins");
		return true;
	}
	return false;
}

#define REPEATS_SEEN 1000 /* options of a section that are compared with each other */

void said_repeat(struct reader *r, const struct place *place, const struct said *said)
{
	const struct opt *row = said->found.row;
	bool gather = row->flags & OPT_GATHER;
	if (row->flags & OPT_LIST)
		return;
	for (const struct said *before = said; before-- > r->said;) {
		if (said - before > REPEATS_SEEN)
			return;
		if (before->found.row != row)
			continue;
		if (strcmp(said_value(before), said_value(said)) == 0)
			return;
		place_note(place, r->env, "said twice: %.100s and %.100s; %s",
			said_value(before), said_value(said),
			gather ? "all of them are used" : "the last one counts");
		return;
	}
}

void said_gathered(struct reader *r, const struct place *place, const struct scope *s,
	const struct said *said)
{
	const struct given_list *d = &r->defaults.given;
	if (s == &r->defaults ||
		(said->found.row->flags & (OPT_GATHER | OPT_LIST)) != OPT_GATHER)
		return;
	for (size_t i = 0; i < d->count; i++) {
		if (d->v[i].row != said->found.row)
			continue;
		place_note(place, r->env,
			"%.100s is added to %.100s, which is a default: all are used",
			said_value(said), d->v[i].value);
		return;
	}
}
