/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The verb `show`: what is in a file: a binary log of weir (here), or reports of fio
 * and weir (show_report.c). */
#include "cmd/cmd.h"

#include "base/bits.h"
#include "base/err.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "cmd/show_report.h"
#include "report/digits.h"
#include "result/known.h"
#include "result/result.h"
#include "run/logs/binary.h"
#include "run/logs/file.h"
#include "run/logs/lines.h"
#include "run/logs/reader.h"
#include "stat/latency.h"
#include "stat/precision.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SHOW_RECORDS 4096
#define SHOW_BUFFER  (64u << 10)

#define SHOW_KINDS (PLAN_LOG_LAT + 1) /* those that lines of text can be made of */

/* What is summed up when no log was asked for. */
struct show_total {
	uint64_t ios[DIRS], bytes[DIRS], last_ns;
	struct latency lat[DIRS];
};

struct show {
	const char *path, *to; /* the binary log; prefix of files, NULL: stdout */
	bool wanted[SHOW_KINDS];
	unsigned kinds;
	struct log_head head;
	struct log_decoder decoder;
	struct log_lines lines;
	struct log_file files[SHOW_KINDS];
	char *names[SHOW_KINDS];
	struct str out; /* stdout's buffer */
	int error;
	struct show_total total;
};

const char show_usage[] =
	"usage: weir show FILE...                       reports of weir or fio, as a table\n"
	"       weir show --output-format=F FILE...     as json, csv, normal, ...\n"
	"       weir show FILE                          what is in a binary log\n"
	"       weir show FILE bw|iops|slat|clat|lat    as fio's text log, on stdout\n"
	"       weir show FILE --to=PREFIX [KIND...]    as files PREFIX_KIND.N.log\n"
	"  --summary                  the same as --output-format=summary\n"
	"  --units=UNIT,...           of the table's times and rates\n"
	"  --terse-version=N          form of the terse lines, 2 to 5\n"
	"  --expect=ASSERTIONS        fail (1) unless they hold, e.g. 'read.iops >= 10k'\n";

static int show_how(void)
{
	(void)output_write(STDERR_FILENO, show_usage, strlen(show_usage));
	return STATUS_REFUSED;
}

static bool show_word(struct show *s, const char *word)
{
	if (str_starts(word, "--to=") && word[5]) {
		s->to = word + 5;
		return true;
	}
	for (size_t k = 0; k < SHOW_KINDS && s->path; k++) {
		if (strcmp(word, plan_log_names[k].infix) != 0)
			continue;
		s->kinds += !s->wanted[k];
		s->wanted[k] = true;
		return true;
	}
	if (s->path || (word[0] == '-' && word[1]))
		return false;
	s->path = word;
	return true;
}

/* ---- lines ---- */

static void show_put_stdout(void *ctx, const char *text, size_t len)
{
	struct show *s = ctx;
	str_add_bytes(&s->out, text, len);
	if (s->out.len < SHOW_BUFFER || s->error)
		return;
	s->error = output_write(STDOUT_FILENO, str_text(&s->out), s->out.len);
	str_reset(&s->out);
}

static void show_put_file(void *ctx, const char *text, size_t len)
{
	log_file_put(ctx, text, len);
}

/* The kinds that the job measured, when none was named. */
static void show_choose(struct show *s)
{
	const struct log_head *h = &s->head;
	if (!s->to || s->kinds)
		return;
	s->wanted[PLAN_LOG_BW] = true;
	s->wanted[PLAN_LOG_IOPS] = true;
	s->wanted[PLAN_LOG_SLAT] = h->slat;
	s->wanted[PLAN_LOG_CLAT] = h->clat;
	s->wanted[PLAN_LOG_LAT] = h->lat;
}

static int show_open(struct show *s, struct err *reterr)
{
	for (size_t k = 0; k < SHOW_KINDS; k++) {
		if (!s->wanted[k])
			continue;
		if (!s->to) {
			s->lines.to[k] = (struct log_sink){s, show_put_stdout};
			continue;
		}
		if (asprintf(&s->names[k], "%s_%s.%u.log", s->to, plan_log_names[k].infix,
			    s->head.worker) < 0)
			return err_set(reterr, -ENOMEM, "out of memory");
		int rc = log_file_check(s->names[k], false, reterr);
		if (rc < 0)
			return rc;
		rc = log_file_open(&s->files[k], s->names[k], false, true, 0);
		if (rc < 0)
			return err_sys(reterr, rc, "%s", s->names[k]);
		s->lines.to[k] = (struct log_sink){&s->files[k], show_put_file};
	}
	return 0;
}

static int show_close(struct show *s, struct err *reterr)
{
	int rc = s->error;

	for (size_t k = 0; k < SHOW_KINDS; k++) {
		if (!s->names[k])
			continue;
		log_file_close(&s->files[k]);
		if (s->files[k].error)
			rc = err_sys(reterr, -s->files[k].error, "%s", s->names[k]);
		free(s->names[k]);
	}
	if (!rc && s->out.len)
		rc = output_write(STDOUT_FILENO, str_text(&s->out), s->out.len);
	if (rc < 0 && !s->to)
		err_sys(reterr, rc, "standard output");
	str_done(&s->out);
	return rc;
}

/* ---- the summary ---- */

static void show_sum(void *ctx, const struct log_io *io)
{
	struct show_total *t = &((struct show *)ctx)->total;

	t->last_ns = io->time_ns;
	if (io->rate) {
		t->ios[io->dir]++;
		t->bytes[io->dir] += io->bytes;
	}
	if (io->latency)
		latency_record(&t->lat[io->dir], io->lat_ns);
}

/* In whole nanoseconds, with the digits that so many know. */
static void show_latency(struct str *out, const struct latency *l)
{
	static const struct {
		const char *name;
		double quantile;
	} shown[] = {{"p50", 0.5}, {"p99", 0.99}};
	const struct result_row none = {0};
	double mean = latency_mean(l);

	if (!l->moments.count)
		return;
	str_add(out, "; lat ns: mean ");
	digits_add_form(out, mean, precision_place(mean, known_mean(&none, l)), 0);
	for (size_t i = 0; i < COUNT_OF(shown); i++) {
		double v = (double)latency_quantile(l, shown[i].quantile);
		double error = known_quantile(&none, l, shown[i].quantile);
		str_addf(out, ", %s ", shown[i].name);
		digits_add_form(out, v, precision_place(v, error), 0);
	}
	str_addf(out, ", max %" PRIu64, l->moments.max);
}

static void show_summary(struct show *s)
{
	const struct log_head *h = &s->head;
	struct str *out = &s->out;
	time_t start = (time_t)(h->start_unix_ns / NS_PER_S);
	struct tm tm;
	char when[40] = "";

	if (gmtime_r(&start, &tm))
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S UTC", &tm);
	str_addf(out, "binary log of job %u, %s: %s, engine %s, began %s\n", h->worker, h->job,
		h->rw, h->engine, when);
	for (int d = 0; d < DIRS; d++) {
		const struct latency *lat = &s->total.lat[d];
		if (!s->total.ios[d] && !lat->moments.count)
			continue;
		str_addf(out, "%-6s %" PRIu64 " I/Os, %" PRIu64 " bytes", dir_name((enum dir)d),
			s->total.ios[d], s->total.bytes[d]);
		show_latency(out, lat);
		str_add_char(out, '\n');
	}
	str_addf(out, "%" PRIu64 " records of I/Os over %.3f s\n", s->decoder.ios,
		(double)s->total.last_ns / 1e9);
}

/* ---- all ---- */

static int show_read(struct show *s, struct log_reader *r, struct err *reterr)
{
	static struct log_record records[SHOW_RECORDS];
	long n;

	while ((n = log_reader_next(r, records, COUNT_OF(records), reterr)) > 0 && !s->error) {
		log_decode(&s->decoder, records, (size_t)n);
		if (s->decoder.broken)
			return err_set(reterr, -EINVAL,
				"%s: is damaged behind %" PRIu64
				" I/Os; what comes before is shown",
				s->path, s->decoder.ios);
	}
	return (int)n;
}

static void show_end(struct show *s, const struct log_reader *r)
{
	scope_with(str_done) struct str text = {0};
	if (s->decoder.ended && !log_reader_rest(r))
		return;
	str_addf(&text,
		"%s: has no end: the run was killed or its disk was full; %" PRIu64
		" I/Os are in it",
		s->path, s->decoder.ios);
	say_line("%s", str_text(&text));
}

static void show_listen(struct show *s)
{
	bool lines = s->kinds || s->to;

	s->lines.each = true;
	s->lines.style = (struct log_style){
		.offset = s->head.offset,
		.prio = s->head.prio,
		.issue_time = s->head.issue_time,
		.epoch_ms = s->head.epoch_ms,
	};
	s->decoder.unit_shift = s->head.unit_shift;
	s->decoder.to = lines ? log_lines_listener(&s->lines)
			      : (struct log_listener){.ctx = s, .io = show_sum};
}

static int show_run(struct show *s)
{
	struct err err;
	struct log_reader *r = log_reader_new(s->path, &s->head, &err);
	if (!r)
		return say_status(STATUS_REFUSED, "%s", err.text);
	show_choose(s);
	show_listen(s);
	int rc = show_open(s, &err);
	if (rc == 0)
		rc = show_read(s, r, &err);
	if (!s->kinds && !s->to && s->decoder.ios + s->decoder.ended)
		show_summary(s);
	if (rc == 0)
		show_end(s, r);
	if (rc < 0)
		say_line("%s", err.text);
	if (show_close(s, &err) < 0 && rc == 0)
		rc = say_status(STATUS_REFUSED, "%s", err.text) ? -EIO : 0;
	bool whole = s->decoder.ended;
	log_reader_free(r);
	return rc < 0 || !whole ? STATUS_REFUSED : STATUS_OK;
}

/* The first bytes of PATH; those of stdin stay there for the next reader.  0: none to
 * be had. */
static size_t show_peek(const char *path, char *bytes, size_t size)
{
	bool is_stdin = !strcmp(path, "-");
	scope_fd int own = is_stdin ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int fd = is_stdin ? STDIN_FILENO : own, ends[2];
	ssize_t n = pread(fd, bytes, size, is_stdin ? MAX_OF(lseek(fd, 0, SEEK_CUR), 0) : 0);

	if (n >= 0)
		return (size_t)n;
	if (errno != ESPIPE || pipe2(ends, O_CLOEXEC) < 0)
		return 0;
	n = tee(fd, ends[1], size, 0);
	if (n > 0)
		n = read(ends[0], bytes, size);
	close(ends[0]);
	close(ends[1]);
	return n > 0 ? (size_t)n : 0;
}

/* Is it a binary log, as it is or compressed? */
static bool show_is_log(const char *path)
{
	static const char zstd[] = {0x28, (char)0xb5, 0x2f, (char)0xfd};
	char bytes[8];
	size_t n = show_peek(path, bytes, sizeof(bytes));

	return (n == sizeof(bytes) && !memcmp(bytes, LOG_BINARY_MAGIC, sizeof(bytes))) ||
	       (n >= sizeof(zstd) && !memcmp(bytes, zstd, sizeof(zstd)));
}

/* Anything but "FILE KIND...", "FILE --to=PREFIX" and a FILE that is a log. */
static bool show_wants_report(const struct cmd_call *call)
{
	const char *first = NULL;

	for (int i = 0; i < call->argc; i++) {
		const char *word = call->argv[i];
		if (str_starts(word, "--to="))
			return false;
		for (size_t k = 0; k < SHOW_KINDS && first; k++)
			if (!strcmp(word, plan_log_names[k].infix))
				return false;
		if (!first && (word[0] != '-' || !word[1]))
			first = word;
	}
	return first && !show_is_log(first);
}

int cmd_show(const struct cmd_call *call)
{
	if (show_wants_report(call))
		return show_reports(call);
	struct show *s = calloc(1, sizeof(*s));

	if (!s)
		return say_status(STATUS_REFUSED, "out of memory");
	int status = -1;
	for (int i = 0; i < call->argc && status < 0; i++)
		if (!show_word(s, call->argv[i]))
			status = show_how();
	if (status < 0 && (!s->path || (s->kinds > 1 && !s->to)))
		status = show_how();
	if (status < 0)
		status = show_run(s);
	free(s);
	return status;
}
