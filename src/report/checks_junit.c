/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "base/bits.h"
#include "base/scope.h"
#include "base/str.h"
#include "report/checks.h"
#include "report/checks_words.h"
#include "report/text.h"

/* Of an attribute or an element; what XML 1.0 can't hold is '?'. */
static void add_xml(struct str *out, const char *text)
{
	static const struct {
		char c;
		const char *word;
	} words[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
	scope_with(str_done) struct str plain = {0};

	text_add(&plain, text);
	out->failed |= plain.failed;
	for (const char *c = str_text(&plain); *c; c++) {
		size_t i = 0;
		while (i < COUNT_OF(words) && words[i].c != *c)
			i++;
		if (i < COUNT_OF(words))
			str_add(out, words[i].word);
		else
			str_add_char(out, *c);
	}
}

static void add_attribute(struct str *out, const char *name, const char *text)
{
	str_addf(out, " %s=\"", name);
	add_xml(out, text);
	str_add_char(out, '"');
}

static void add_sentence(struct str *out, const struct result_check *c)
{
	str_addf(out, "expected %s, measured ", c->text);
	checks_add_measured(out, c);
	if (c->interval) {
		str_add(out, " (");
		checks_add_interval(out, c);
		str_add_char(out, ')');
	}
	if (*c->reason)
		str_addf(out, ": %s", c->reason);
}

static void add_case(struct str *out, const struct report_checks *all,
	const struct result_check *c)
{
	static const char *const elements[] = {
		[CHECK_PASS] = "system-out",
		[CHECK_FAIL] = "failure",
		[CHECK_UNDECIDED] = "skipped",
	};
	scope_with(str_done) struct str name = {0}, sentence = {0}, conditions = {0};
	const char *element = elements[c->verdict];

	if (c->claim)
		str_addf(&name, "%s: ", c->claim);
	str_add(&name, c->text);
	if (c->job)
		str_addf(&name, " [%s]", c->job);
	add_sentence(&sentence, c);
	checks_add_conditions(&conditions, c);
	out->failed |= name.failed || sentence.failed || conditions.failed;
	str_add(out, "  <testcase");
	add_attribute(out, "name", str_text(&name));
	add_attribute(out, "classname", all->product ? all->product : "weir");
	str_addf(out, ">\n    <%s", element);
	if (c->verdict != CHECK_PASS)
		add_attribute(out, "message", str_text(&sentence));
	str_add_char(out, '>');
	add_xml(out, c->verdict == CHECK_PASS ? str_text(&sentence) : "");
	if (conditions.len) {
		str_add(out, c->verdict == CHECK_PASS ? "; " : "");
		add_xml(out, str_text(&conditions));
	}
	str_addf(out, "</%s>\n  </testcase>\n", element);
}

void checks_junit(const struct report_checks *c, const struct report_how *how, struct str *out)
{
	unsigned n[3];

	(void)how;
	checks_count_verdicts(c, n);
	str_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite");
	add_attribute(out, "name", c->product ? c->product : "weir check");
	str_addf(out, " tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"%u\">\n", c->count,
		n[CHECK_FAIL], n[CHECK_UNDECIDED]);
	for (uint32_t i = 0; i < c->count; i++)
		add_case(out, c, &c->checks[i]);
	str_add(out, "</testsuite>\n");
}
