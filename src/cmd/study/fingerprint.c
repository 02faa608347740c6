/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "base/err.h"
#include "base/limits.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/report_file.h"
#include "cmd/study/study.h"

#include <errno.h>
#include <inttypes.h>

static void add_options(struct str *out, const char *kind, const struct study_options *o)
{
	for (uint32_t i = 0; i < o->count; i++)
		str_addf(out, "%s %s=%s\n", kind, o->v[i].name,
			o->v[i].value ? o->v[i].value : "");
}

static void add_script(struct str *out, const char *kind, const struct study_script *script)
{
	if (script->text)
		str_addf(out, "%s %s\n", kind, script->text);
}

static int add_part(struct str *out, const struct study_part *p, struct err *reterr)
{
	int rc = 0;

	str_addf(out, "[%s]\n", p->name ? p->name : "");
	add_script(out, "setup", &p->setup);
	add_script(out, "teardown", &p->teardown);
	add_options(out, "env", &p->env);
	add_options(out, "option", &p->options);
	for (uint32_t i = 0; i < p->sweeps.count; i++) {
		str_addf(out, "sweep %s=", p->sweeps.v[i].name);
		for (uint32_t k = 0; k < p->sweeps.v[i].count; k++)
			str_addf(out, "\"%s\" ", p->sweeps.v[i].values[k]);
	}
	if (p->job)
		rc = report_file_text(p->job, LIMIT_JOB_FILE, out, reterr);
	return rc;
}

/* FNV-1a, 64 bits: for telling texts apart, not against anybody's will. */
static uint64_t hash(const char *text, size_t len)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return h;
}

int study_fingerprint(const struct study *s, uint64_t *ret, struct err *reterr)
{
	scope_with(str_done) struct str text = {0};
	int rc = add_part(&text, &s->global, reterr);

	if (s->seeded)
		str_addf(&text, "seed %" PRIu64 "\n", s->seed);
	str_addf(&text, "per %d\n", s->setup_per_round);
	for (uint32_t i = 0; i < s->variants_count && rc == 0; i++)
		rc = add_part(&text, &s->variants[i], reterr);
	for (uint32_t i = 0; i < s->workloads_count && rc == 0; i++)
		rc = add_part(&text, &s->workloads[i], reterr);
	if (rc == 0 && text.failed)
		rc = err_set(reterr, -ENOMEM, "out of memory");
	if (rc == 0)
		*ret = hash(str_text(&text), text.len);
	return rc;
}
