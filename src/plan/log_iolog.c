/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Names of the traces that jobs write.  fio appends all of a name to one file, whose
 * sections then can't be told apart; here each worker has a file of its own:
 *
 *	NAME, NAME.1, NAME.2, ...   the clones of the job that says NAME first
 *	NAME.N, ...                 workers of later jobs that say it, too
 *
 * $jobname and $jobnum in a name stand for the job's name and the clone's number. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "plan/draft.h"

static void iolog_expand(const struct plan_worker *w, const char *name, struct str *out)
{
	for (const char *p = name; *p;) {
		if (!strncasecmp(p, "$jobname", 8)) {
			str_add(out, w->job->section);
			p += 8;
		} else if (!strncasecmp(p, "$jobnum", 7)) {
			str_addf(out, "%u", w->clone);
			p += 7;
		} else {
			str_add_char(out, *p++);
		}
	}
}

static bool iolog_room(struct draft *d, uint32_t index)
{
	if (index < d->iologs_room)
		return true;
	uint32_t room = MAX_OF(d->iologs_room * 2, index + 16);
	struct draft_iolog *by = realloc(d->iologs_by, room * sizeof(*by));
	if (!by)
		return false;
	memset(by + d->iologs_room, 0, (room - d->iologs_room) * sizeof(*by));
	d->iologs_by = by;
	d->iologs_room = room;
	return true;
}

int log_iolog_path(struct draft *d, struct plan_worker *w, const char *name, struct err *reterr)
{
	struct str base = {0};

	iolog_expand(w, name, &base);
	int64_t index = base.failed ? -ENOMEM
				    : trace_names_add(&d->iologs, str_text(&base), base.len);
	if (index >= 0 && iolog_room(d, (uint32_t)index)) {
		struct draft_iolog *by = &d->iologs_by[index];
		by->job = by->job ? by->job : w->job;
		uint32_t number = by->job == w->job && by->workers ? MAX_OF(w->clone, 1u)
								   : by->workers;
		by->workers++;
		w->log.path[PLAN_LOG_ISSUES] = number ? arena_printf(&d->plan->arena, "%s.%u",
								str_text(&base), number)
						      : arena_text(&d->plan->arena,
								str_text(&base));
	}
	str_done(&base);
	w->log.any = true;
	if (!w->log.path[PLAN_LOG_ISSUES])
		return err_set(reterr, -ENOMEM, "out of memory for the names of logs");
	return 0;
}
