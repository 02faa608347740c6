/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/verify/fault.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bits.h"
#include "run/verify/verify.h"
#include "verify/state.h"

/* A new file: one that is there, of an earlier run or of somebody else, is left alone and
 * another name is tried.  Returns 0 or a positive errno. */
static int fault_save(const char *path, uint64_t offset, const char *what, const void *data,
	size_t n, char *ret, size_t room)
{
	const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	int fd = -1;

	for (int again = 0; fd < 0 && again < 100; again++) {
		char suffix[16] = "";
		if (again)
			snprintf(suffix, sizeof(suffix), ".%d", again);
		snprintf(ret, room, "%.48s.%" PRIu64 ".%s%s", base, offset, what, suffix);
		fd = open(ret, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	int code = fd < 0 ? errno : 0;
	if (fd >= 0 && write(fd, data, n) != (ssize_t)n)
		code = errno ? errno : ENOSPC;
	if (fd >= 0)
		close(fd);
	if (code)
		*ret = '\0';
	return code;
}

/* What should be there is what unit_explain() has made again, if it could. */
static void fault_dump(const struct verify *v, struct shared_fault *f, const char *path,
	const unsigned char *unit, const unsigned char *right, uint32_t n)
{
	if (!v->plan->dump)
		return;
	f->dump_error = fault_save(path, f->fault.offset, "received", unit, n, f->dump[0],
		sizeof(f->dump[0]));
	if (f->fault.has_difference && !f->dump_error)
		f->dump_error = fault_save(path, f->fault.offset, "expected", right, n,
			f->dump[1], sizeof(f->dump[1]));
}

/* Room for one more; NULL: only counted. */
static struct shared_fault *fault_next(struct verify *v, const struct verify_slot *s,
	const struct unit_expect *e)
{
	uint64_t number = __atomic_fetch_add(&v->sh->faults_count, 1, __ATOMIC_RELAXED);

	if (number >= SHARED_FAULTS)
		return NULL;
	struct shared_fault *f = &v->sh->faults[number];
	f->target = v->worker->files.targets[s->file];
	f->offset = s->offset;
	f->bytes = s->bytes;
	f->expect = *e;
	f->run = v->resume ? v->resume->head.run : v->spec.run;
	return f;
}

void fault_tell_known(struct verify *v, const struct verify_slot *s,
	const struct unit_expect *e, const struct unit_fault *known, const unsigned char *found,
	const unsigned char *right)
{
	struct shared_fault *f = fault_next(v, s, e);

	if (!f)
		return;
	f->fault = *known;
	fault_dump(v, f, v->paths[s->file], found, right, known->bytes);
	__atomic_store_n(&f->ready, 1, __ATOMIC_RELEASE);
}

void fault_tell(struct verify *v, const struct verify_slot *s, const struct unit_spec *spec,
	const struct unit_expect *e, const unsigned char *unit, uint32_t n)
{
	struct shared_fault *f = fault_next(v, s, e);
	unsigned char *scratch = f ? malloc(n) : NULL;

	if (!f)
		return;
	if (scratch) {
		memset(scratch, 0, n);
		unit_explain(spec, e, unit, n, scratch, &f->fault);
		fault_dump(v, f, v->paths[s->file], unit, scratch, n);
	} else {
		f->fault = (struct unit_fault){.offset = e->offset, .bytes = n};
	}
	free(scratch);
	__atomic_store_n(&f->ready, 1, __ATOMIC_RELEASE);
}
