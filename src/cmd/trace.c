/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The verb `trace`: what is in a trace, from one pass in constant memory. */
#include "cmd/cmd.h"

#include "base/err.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "cmd/trace_profile.h"
#include "cmd/trace_record.h"
#include "cmd/trace_view.h"

#include <errno.h>
#include <string.h>

const char trace_usage[] =
	"usage: weir trace FILE...          what is in a trace; of several, merged by time\n"
	"       weir trace --json FILE...   the same as JSON\n"
	"       weir trace --job FILE...    a job file whose load is like it\n"
	"       weir trace record [--time=60s] [--output=FILE] TARGET...\n"
	"                                   what programs ask of a device, into a trace (root)\n"
	"Traces are logs of fio's and weir's write_iolog (versions 2 and 3) and binary traces\n"
	"of blktrace (of NAME.blktrace.0 and so on say NAME), also compressed by gzip or zstd;\n"
	"- is standard input.  To replay one: weir help read_iolog.\n";

static int trace_misused(void)
{
	(void)output_write(STDERR_FILENO, trace_usage, strlen(trace_usage));
	return STATUS_REFUSED;
}

enum trace_form {
	TRACE_TEXT,
	TRACE_JSON,
	TRACE_JOB,
};

static int trace_read(struct trace *t, struct trace_summary *sum, struct profile_look *look,
	struct err *reterr)
{
	struct trace_record r;
	int rc;

	while ((rc = trace_next(t, &r, reterr)) == 1)
		if (trace_summary_add(sum, &r) < 0 || profile_look_add(look, &r) < 0)
			return err_set(reterr, -ENOMEM, "out of memory");
	return rc;
}

static int trace_print(const struct trace_view *v, enum trace_form form)
{
	scope_with(str_done) struct str out = {0};
	struct err err;

	if (form == TRACE_JOB && !profile_ios(v->profile))
		return say_status(STATUS_REFUSED,
			"no read, write or trim is in it, so there is no job like it");
	if (form == TRACE_JOB)
		trace_profile_job(v->profile, v->title, &out);
	else if (form == TRACE_JSON)
		trace_view_json(v, &out);
	else
		trace_view_text(v, &out);
	int rc = out.failed ? -ENOMEM : output_write(STDOUT_FILENO, str_text(&out), out.len);
	if (rc == 0)
		return STATUS_OK;
	err_sys(&err, rc, "standard output");
	return say_status(STATUS_REFUSED, "%s", err.text);
}

/* A trace that is damaged somewhere is shown as far as it goes. */
static int trace_show(struct trace *t, const char *title, enum trace_form form)
{
	scope_mem struct trace_summary *sum = calloc(1, sizeof(*sum));
	scope_mem struct trace_profile *profile = calloc(1, sizeof(*profile));
	struct profile_look *look = profile_look_new();
	char format[128];
	struct err err;

	if (!sum || !profile || !look) {
		profile_look_free(look);
		return say_status(STATUS_REFUSED, "out of memory");
	}
	sum->deep = true;
	int failed = trace_read(t, sum, look, &err);
	profile_look_end(look, profile);
	profile_look_free(look);
	struct trace_view v = {
		.title = title,
		.format = trace_format(t, format, sizeof(format)),
		.names = trace_names(t),
		.sum = sum,
		.profile = profile,
	};
	trace_oddities(t, &v.odd);
	int status = failed < 0 && !sum->records ? STATUS_REFUSED : trace_print(&v, form);
	if (failed < 0)
		status = say_status(STATUS_REFUSED, "%s", err.text);
	trace_summary_done(sum);
	return status;
}

int cmd_trace(const struct cmd_call *call)
{
	scope_mem struct trace_input *inputs = calloc((size_t)call->argc + 1, sizeof(*inputs));
	scope_with(str_done) struct str title = {0};
	enum trace_form form = TRACE_TEXT;
	struct trace *t;
	uint32_t count = 0;
	struct err err;

	if (call->argc && strcmp(call->argv[0], "record") == 0)
		return trace_record(&(struct cmd_call){
			call->face, call->argc - 1, call->argv + 1, call->started_ns});
	if (!inputs)
		return say_status(STATUS_REFUSED, "out of memory");
	for (int i = 0; i < call->argc; i++) {
		const char *word = call->argv[i];
		if (strcmp(word, "--json") == 0)
			form = TRACE_JSON;
		else if (strcmp(word, "--job") == 0)
			form = TRACE_JOB;
		else if (word[0] == '-' && word[1])
			return trace_misused();
		else
			inputs[count++] = (struct trace_input){
				.path = word, .completions = true};
	}
	if (!count)
		return trace_misused();
	str_add(&title, strcmp(inputs[0].path, "-") == 0 ? "stdin" : inputs[0].path);
	if (count > 1)
		str_addf(&title, " and %u more", count - 1);
	if (trace_open(inputs, count, &t, &err) < 0)
		return say_status(STATUS_REFUSED, "%s", err.text);
	int status = trace_show(t, str_text(&title), form);
	trace_free(t);
	return status;
}
