/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "engine/shim/fault_script.h"

#include "base/bits.h"
#include "base/err.h"
#include "engine/shim/script.h"
#include "opt/opt.h"

#include <errno.h>
#include <string.h>

#define FAULT_ERRNO_MAX 4095

static int fault_parse_rate(const struct script_part *p, struct fault_rule *ret,
	struct err *reterr)
{
	double rate;
	int rc = opt_read_double(p->word[1], &rate, reterr);

	if (rc < 0)
		return rc;
	if (!(rate >= 0 && rate <= 1))
		return err_set(reterr, -ERANGE, "a rate is between 0 and 1, not %s",
			p->word[1]);
	ret->number = (uint64_t)(rate * 0x1p32);
	return 0;
}

static int fault_parse_number(const struct script_part *p, struct fault_rule *ret,
	struct err *reterr)
{
	int rc = opt_read_u64(p->word[1], &ret->number, reterr);

	if (rc == 0 && !ret->number && ret->when != FAULT_AFTER)
		return err_set(reterr, -ERANGE, "%s counts from 1", p->word[0]);
	return rc;
}

static int fault_parse_range(const struct script_part *p, struct fault_rule *ret,
	struct err *reterr)
{
	const struct opt_ctx ctx = {0};
	int rc = opt_read_bytes(p->word[1], &ctx, &ret->number, reterr);

	if (rc == 0)
		rc = opt_read_bytes(p->word[2], &ctx, &ret->number_end, reterr);
	if (rc == 0 && ret->number_end <= ret->number)
		return err_set(reterr, -EINVAL, "range: %s is not behind %s", p->word[2],
			p->word[1]);
	return rc;
}

static int fault_errno(const char *text)
{
	uint64_t number;

	for (int code = 1; code < FAULT_ERRNO_MAX; code++) {
		const char *name = strerrorname_np(code);
		if (name && !strcmp(name, text))
			return code;
	}
	if (opt_read_u64(text, &number, NULL) == 0 && number > 0 && number < FAULT_ERRNO_MAX)
		return (int)number;
	return 0;
}

/* WORD[0] of COUNT words says what happens. */
static int fault_parse_what(char *const *word, unsigned count, struct fault_rule *ret,
	struct err *reterr)
{
	static const struct {
		const char *name;
		enum fault_what what;
	} whats[] = {
		{"short", FAULT_SHORT},
		{"flip", FAULT_FLIP},
		{"lost", FAULT_LOST},
		{"hang", FAULT_HANG},
		{"torn", FAULT_TORN},
		{"misplaced", FAULT_MISPLACED},
	};
	uint64_t bytes = 0;

	ret->what = FAULT_NONE;
	for (size_t i = 0; i < COUNT_OF(whats); i++)
		if (!strcmp(word[0], whats[i].name))
			ret->what = whats[i].what;
	if (!ret->what) {
		ret->what = FAULT_ERROR;
		ret->error = -fault_errno(word[0]);
	}
	if (!ret->error && ret->what == FAULT_ERROR)
		return err_set(reterr, -EINVAL,
			"\"%s\" is no error's name; there are also short, flip, lost, torn, "
			"misplaced and hang",
			word[0]);
	if (count == 1)
		return 0;
	if (count > 2 || ret->what != FAULT_SHORT)
		return err_set(reterr, -EINVAL, "nothing may follow \"%s\"", word[0]);
	int rc = opt_read_bytes(word[1], &(const struct opt_ctx){0}, &bytes, reterr);
	if (rc == 0 && (!bytes || bytes > INT32_MAX))
		return err_set(reterr, -ERANGE, "short:%s is not a number of bytes", word[1]);
	ret->bytes = (uint32_t)bytes;
	return rc;
}

static int fault_parse_rule(const struct script_part *p, struct fault_rule *ret,
	struct err *reterr)
{
	static const struct {
		const char *name;
		enum fault_when when;
		unsigned words; /* its own, with the name */
		int (*parse)(const struct script_part *p, struct fault_rule *ret,
			struct err *reterr);
	} whens[] = {
		{"rate", FAULT_RATE, 2, fault_parse_rate},
		{"every", FAULT_EVERY, 2, fault_parse_number},
		{"nth", FAULT_NTH, 2, fault_parse_number},
		{"after", FAULT_AFTER, 2, fault_parse_number},
		{"range", FAULT_RANGE, 3, fault_parse_range},
	};

	for (size_t i = 0; i < COUNT_OF(whens); i++) {
		if (strcmp(p->word[0], whens[i].name) != 0)
			continue;
		if (p->words <= whens[i].words)
			return err_set(reterr, -EINVAL,
				"a rule is WHEN:WHAT, as in rate:0.01:EIO, "
				"after:1000:ENOSPC or range:1m:2m:short");
		*ret = (struct fault_rule){.when = whens[i].when, .dirs = p->dirs};
		int rc = whens[i].parse(p, ret, reterr);
		if (rc < 0)
			return rc;
		return fault_parse_what(p->word + whens[i].words, p->words - whens[i].words,
			ret, reterr);
	}
	return err_set(reterr, -EINVAL,
		"no rule \"%s\"; there are rate, every, nth, after and range", p->word[0]);
}

int fault_script_parse(const char *text, struct fault_script *ret, struct err *reterr)
{
	struct fault_script script = {0};
	struct script_part part;
	int rc = 0;

	while (text && (rc = script_next(&text, &part, reterr)) > 0) {
		if (script.count == FAULT_RULES)
			rc = err_set(reterr, -E2BIG, "more than %d rules", FAULT_RULES);
		else
			rc = fault_parse_rule(&part, &script.rules[script.count++], reterr);
		if (rc < 0)
			break;
	}
	if (rc < 0)
		return err_within(reterr, "fault_script");
	*ret = script;
	return 0;
}

static bool fault_rule_strikes(const struct fault_rule *r, const struct io *io,
	struct rng *dice)
{
	switch (r->when) {
	case FAULT_RATE:
		return rng_next(dice) >> 32 < r->number;
	case FAULT_EVERY:
		return r->seen % r->number == 0;
	case FAULT_NTH:
		return r->seen == r->number;
	case FAULT_AFTER:
		return r->seen > r->number;
	case FAULT_RANGE:
		return io->kind < IO_FSYNC && io->offset < r->number_end &&
		       io->offset + io->bytes > r->number;
	}
	return false;
}

const struct fault_rule *fault_strike(struct fault_script *s, const struct io *io,
	struct rng *dice)
{
	const unsigned dir = 1u << io_dir(io->kind);
	const struct fault_rule *first = NULL;

	for (uint32_t i = 0; i < s->count; i++) {
		struct fault_rule *r = &s->rules[i];
		if (!(r->dirs & dir))
			continue;
		r->seen++;
		if (fault_rule_strikes(r, io, dice) && !first)
			first = r;
	}
	return first;
}

void fault_forget(struct fault_script *s, const struct io *io)
{
	for (uint32_t i = 0; i < s->count; i++)
		if (s->rules[i].dirs & 1u << io_dir(io->kind))
			s->rules[i].seen--;
}
