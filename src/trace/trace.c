/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Several traces as one: which files there are, and whose record is next. */
#include "trace/trace.h"

#include "base/bits.h"
#include "base/err.h"
#include "trace/bytes.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* 146 years: sums of two times don't overflow. */
#define TRACE_TIME_MAX (UINT64_C(1) << 62)

/* A file, and its next record. */
struct trace_stream {
	struct trace_reader *reader;
	struct trace_record next;
	bool any;
	uint32_t *names; /* its names' numbers in the whole */
	uint32_t names_count, names_room;
};

/* The files of one input. */
struct trace_part {
	char **paths;
	struct trace_stream *streams;
	uint32_t count;
	bool completions;     /* are wanted                                      */
	double scale;         /* 1: as it is                                     */
	uint32_t iters_left;  /* after this one                                  */
	uint64_t zero_ns;     /* of its own times                                */
	uint64_t base_ns;     /* of the whole, where this iteration begins       */
	uint64_t last_ns;     /* of the whole                                    */
	uint32_t first;       /* stream that has the next record                 */
	struct trace_odd odd; /* of iterations that are over                    */
};

struct trace {
	struct trace_part *parts;
	uint32_t count;
	struct trace_names names;
	const struct trace_stream *last; /* who gave the last record */
	uint64_t last_number;
};

/* ---- which files ---- */

static bool part_add(struct trace_part *p, const char *path)
{
	char **paths = realloc(p->paths, (p->count + 1) * sizeof(*paths));
	if (!paths)
		return false;
	p->paths = paths;
	p->paths[p->count] = strdup(path);
	return p->paths[p->count] && ++p->count;
}

/* NAME.blktrace.N, those that are not empty: a CPU that did nothing has an empty one. */
static int part_per_cpu(struct trace_part *p, const char *path, struct err *reterr)
{
	char pattern[4200];
	glob_t found;
	int rc = 0;

	snprintf(pattern, sizeof(pattern), "%.4096s.blktrace.[0-9]*", path);
	if (glob(pattern, GLOB_NOESCAPE, NULL, &found) != 0)
		return err_sys(reterr, -ENOENT, "%s: can't be opened", path);
	for (size_t i = 0; i < found.gl_pathc && rc == 0; i++) {
		struct stat st;
		if (stat(found.gl_pathv[i], &st) == 0 && !st.st_size)
			continue;
		if (!part_add(p, found.gl_pathv[i]))
			rc = err_set(reterr, -ENOMEM, "%s: out of memory", path);
	}
	globfree(&found);
	if (rc == 0 && !p->count)
		rc = err_set(reterr, -EINVAL, "%s: all of its files are empty", path);
	return rc;
}

static int part_find(struct trace_part *p, const char *path, struct err *reterr)
{
	struct stat st;

	if (strcmp(path, "-") != 0 && stat(path, &st) < 0 && errno == ENOENT)
		return part_per_cpu(p, path, reterr);
	return part_add(p, path) ? 0 : err_set(reterr, -ENOMEM, "%s: out of memory", path);
}

/* ---- streams ---- */

static void stream_done(struct trace_stream *s)
{
	trace_reader_free(s->reader);
	free(s->names);
	*s = (struct trace_stream){0};
}

/* The number in the whole of the name that is S's number INDEX. */
static int stream_name(struct trace *t, struct trace_stream *s, uint32_t *index,
	struct err *reterr)
{
	const struct trace_names *own = &s->reader->names;

	while (s->names_count < own->count) {
		if (s->names_count == s->names_room) {
			uint32_t room = s->names_room ? s->names_room * 2 : 16;
			uint32_t *names = realloc(s->names, room * sizeof(*names));
			if (!names)
				return err_set(reterr, -ENOMEM, "out of memory");
			s->names = names;
			s->names_room = room;
		}
		const char *name = own->v[s->names_count];
		int64_t at = trace_names_add(&t->names, name, strlen(name));
		if (at < 0)
			return trace_fail(s->reader, reterr, (int)at,
				at == -E2BIG ? "names more files than weir can use at a time"
					     : "out of memory");
		s->names[s->names_count++] = (uint32_t)at;
	}
	*index = s->names[*index];
	return 0;
}

static int stream_advance(struct trace *t, struct trace_stream *s, struct err *reterr)
{
	int rc = trace_reader_next(s->reader, &s->next, reterr);

	s->any = rc == 1;
	return rc == 1 ? stream_name(t, s, &s->next.name, reterr) : rc;
}

/* ---- parts ---- */

static void part_choose(struct trace_part *p)
{
	p->first = p->count;
	for (uint32_t i = 0; i < p->count; i++)
		if (p->streams[i].any &&
			(p->first == p->count ||
				p->streams[i].next.time_ns < p->streams[p->first].next.time_ns))
			p->first = i;
}

static int part_begin(struct trace *t, struct trace_part *p, struct err *reterr)
{
	int rc = 0;

	for (uint32_t i = 0; i < p->count && rc == 0; i++) {
		struct trace_stream *s = &p->streams[i];
		rc = trace_reader_open(p->paths[i], &s->reader, reterr);
		if (rc < 0)
			break;
		s->reader->completions = p->completions;
		rc = stream_advance(t, s, reterr);
	}
	if (rc < 0)
		return rc;
	part_choose(p);
	if (p->first < p->count && p->streams[p->first].reader->format->absolute)
		p->zero_ns = p->streams[p->first].next.time_ns;
	return 0;
}

static void odd_add(struct trace_odd *to, const struct trace_odd *from)
{
	if (!to->backwards)
		to->back_first = from->back_first;
	to->backwards += from->backwards;
	to->back_most_ns = MAX_OF(to->back_most_ns, from->back_most_ns);
	to->passed_over += from->passed_over;
	to->empty += from->empty;
	to->sections += from->sections;
}

/* All of it again, behind what was. */
static int part_again(struct trace *t, struct trace_part *p, struct err *reterr)
{
	for (uint32_t i = 0; i < p->count; i++) {
		odd_add(&p->odd, &p->streams[i].reader->odd);
		stream_done(&p->streams[i]);
	}
	p->iters_left--;
	p->base_ns = p->last_ns;
	return part_begin(t, p, reterr);
}

static uint64_t part_time(const struct trace_part *p)
{
	uint64_t own = p->streams[p->first].next.time_ns;

	own -= MIN_OF(own, p->zero_ns);
	if (p->scale != 1)
		own = (uint64_t)MIN_OF((double)own * p->scale, 0x1p62);
	return MIN_OF(p->base_ns + MIN_OF(own, TRACE_TIME_MAX), TRACE_TIME_MAX);
}

static int part_advance(struct trace *t, struct trace_part *p, struct err *reterr)
{
	p->last_ns = part_time(p);
	int rc = stream_advance(t, &p->streams[p->first], reterr);
	if (rc < 0)
		return rc;
	part_choose(p);
	return p->first == p->count && p->iters_left ? part_again(t, p, reterr) : 0;
}

static void part_done(struct trace_part *p)
{
	for (uint32_t i = 0; i < p->count; i++) {
		if (p->streams)
			stream_done(&p->streams[i]);
		free(p->paths[i]);
	}
	free(p->streams);
	free(p->paths);
}

/* ---- the whole ---- */

static int trace_add_part(struct trace *t, const struct trace_input *in, struct err *reterr)
{
	struct trace_part *p = &t->parts[t->count++];

	*p = (struct trace_part){
		.completions = in->completions,
		.scale = in->scale_percent > 0 ? in->scale_percent / 100 : 1,
		.iters_left = MAX_OF(in->iters, 1u) - 1,
	};
	int rc = part_find(p, in->path, reterr);
	if (rc < 0)
		return rc;
	p->streams = calloc(p->count, sizeof(*p->streams));
	return p->streams ? part_begin(t, p, reterr)
			  : err_set(reterr, -ENOMEM, "out of memory");
}

int trace_open(const struct trace_input *inputs, uint32_t count, struct trace **ret,
	struct err *reterr)
{
	struct trace *t = calloc(1, sizeof(*t));
	int rc = 0;

	if (t)
		t->parts = calloc(count, sizeof(*t->parts));
	if (!t || !t->parts)
		rc = err_set(reterr, -ENOMEM, "out of memory");
	for (uint32_t i = 0; i < count && rc == 0; i++)
		rc = trace_add_part(t, &inputs[i], reterr);
	if (rc < 0) {
		trace_free(t);
		return rc;
	}
	*ret = t;
	return 0;
}

void trace_free(struct trace *t)
{
	if (!t)
		return;
	for (uint32_t i = 0; i < t->count; i++)
		part_done(&t->parts[i]);
	trace_names_done(&t->names);
	free(t->parts);
	free(t);
}

int trace_next(struct trace *t, struct trace_record *ret, struct err *reterr)
{
	struct trace_part *from = NULL;
	uint64_t best = UINT64_MAX;

	for (uint32_t i = 0; i < t->count; i++) {
		struct trace_part *p = &t->parts[i];
		uint64_t at = p->first < p->count ? part_time(p) : UINT64_MAX;
		if (at < best) {
			best = at;
			from = p;
		}
	}
	if (!from)
		return 0;
	t->last = &from->streams[from->first];
	t->last_number = t->last->next.number;
	*ret = t->last->next;
	ret->time_ns = best;
	int rc = part_advance(t, from, reterr);
	return rc < 0 ? rc : 1;
}

const struct trace_names *trace_names(const struct trace *t)
{
	return &t->names;
}

const char *trace_where(const struct trace *t, char *buf, size_t size)
{
	const struct trace_reader *r = t->last ? t->last->reader : NULL;

	if (!r)
		snprintf(buf, size, "its end");
	else if (strcmp(r->format->unit, "line") == 0)
		snprintf(buf, size, "%s:%" PRIu64, trace_reader_path(r), t->last_number);
	else
		snprintf(buf, size, "%s: record %" PRIu64, trace_reader_path(r),
			t->last_number);
	return buf;
}

const char *trace_format(const struct trace *t, char *buf, size_t size)
{
	const struct trace_reader *r = t->parts[0].streams[0].reader;
	const char *packed = trace_bytes_packed(r->bytes);
	uint32_t files = 0;
	bool same = true;

	for (uint32_t i = 0; i < t->count; i++) {
		files += t->parts[i].count;
		for (uint32_t k = 0; k < t->parts[i].count; k++)
			same &= t->parts[i].streams[k].reader->format == r->format;
	}
	int n = snprintf(buf, size, "%s%s%s%s%s", r->format->name, packed ? " (" : "",
		packed ? packed : "", packed ? ")" : "", same ? "" : " and others");
	if (files > 1 && n > 0 && (size_t)n < size)
		snprintf(buf + n, size - (size_t)n, ", %u files", files);
	return buf;
}

bool trace_has_devices(const struct trace *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		if (t->parts[i].streams[0].reader->format == &trace_blktrace)
			return true;
	return false;
}

void trace_oddities(const struct trace *t, struct trace_odd *ret)
{
	*ret = (struct trace_odd){0};
	for (uint32_t i = 0; i < t->count; i++) {
		odd_add(ret, &t->parts[i].odd);
		for (uint32_t k = 0; k < t->parts[i].count; k++)
			odd_add(ret, &t->parts[i].streams[k].reader->odd);
	}
}
