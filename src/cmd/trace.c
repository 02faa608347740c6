/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The verb `trace`: what is in a trace, from one pass in constant memory. */
#include "cmd/cmd.h"

#include "base/err.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/output.h"
#include "cmd/trace_view.h"

#include <errno.h>
#include <string.h>

const char trace_usage[] =
	"usage: weir trace FILE...          what is in a trace; of several, merged by time\n"
	"       weir trace --json FILE...   the same as JSON\n"
	"Traces are logs of fio's and weir's write_iolog (versions 2 and 3) and binary traces\n"
	"of blktrace (of NAME.blktrace.0 and so on say NAME), also compressed by gzip or zstd;\n"
	"- is standard input.  To replay one: weir help read_iolog.\n";

static int trace_misused(void)
{
	(void)output_write(STDERR_FILENO, trace_usage, strlen(trace_usage));
	return STATUS_REFUSED;
}

static int trace_complain(const char *text)
{
	scope_with(str_done) struct str line = {0};

	str_addf(&line, "weir: %s\n", text);
	(void)output_write(STDERR_FILENO, str_text(&line), line.len);
	return STATUS_REFUSED;
}

static int trace_read(struct trace *t, struct trace_summary *sum, struct err *reterr)
{
	struct trace_record r;
	int rc;

	while ((rc = trace_next(t, &r, reterr)) == 1)
		if (trace_summary_add(sum, &r) < 0)
			return err_set(reterr, -ENOMEM, "out of memory");
	return rc;
}

static int trace_print(const struct trace_view *v, bool json)
{
	scope_with(str_done) struct str out = {0};
	struct err err;

	if (json)
		trace_view_json(v, &out);
	else
		trace_view_text(v, &out);
	int rc = out.failed ? -ENOMEM : output_write(STDOUT_FILENO, str_text(&out), out.len);
	if (rc == 0)
		return STATUS_OK;
	err_sys(&err, rc, "standard output");
	return trace_complain(err.text);
}

/* A trace that is damaged somewhere is shown as far as it goes. */
static int trace_show(struct trace *t, const char *title, bool json)
{
	struct trace_summary *sum = calloc(1, sizeof(*sum));
	char format[128];
	struct err err;

	if (!sum)
		return trace_complain("out of memory");
	sum->deep = true;
	int failed = trace_read(t, sum, &err);
	struct trace_view v = {
		.title = title,
		.format = trace_format(t, format, sizeof(format)),
		.names = trace_names(t),
		.sum = sum,
	};
	trace_oddities(t, &v.odd);
	int status = failed < 0 && !sum->records ? STATUS_REFUSED : trace_print(&v, json);
	if (failed < 0)
		status = trace_complain(err.text);
	trace_summary_done(sum);
	free(sum);
	return status;
}

int cmd_trace(const struct cmd_call *call)
{
	scope_mem struct trace_input *inputs = calloc((size_t)call->argc + 1, sizeof(*inputs));
	scope_with(str_done) struct str title = {0};
	struct trace *t;
	uint32_t count = 0;
	bool json = false;
	struct err err;

	if (!inputs)
		return trace_complain("out of memory");
	for (int i = 0; i < call->argc; i++) {
		const char *word = call->argv[i];
		if (strcmp(word, "--json") == 0)
			json = true;
		else if (word[0] == '-' && word[1])
			return trace_misused();
		else
			inputs[count++].path = word;
	}
	if (!count)
		return trace_misused();
	str_add(&title, strcmp(inputs[0].path, "-") == 0 ? "stdin" : inputs[0].path);
	if (count > 1)
		str_addf(&title, " and %u more", count - 1);
	if (trace_open(inputs, count, &t, &err) < 0)
		return trace_complain(err.text);
	int status = trace_show(t, str_text(&title), json);
	trace_free(t);
	return status;
}
