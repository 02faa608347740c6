/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "base/bits.h"
#include "base/err.h"
#include "base/scope.h"
#include "base/str.h"
#include "cmd/study/study.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int value_add(struct arena *a, struct study_sweep *s, const char *text, size_t len,
	struct err *reterr)
{
	if (s->count == STUDY_PARTS_MOST)
		return err_set(reterr, -EINVAL, "more than %d values", STUDY_PARTS_MOST);
	if (!len)
		return err_set(reterr, -EINVAL, "a value is missing");
	char *copy = arena_bytes(a, text, len);
	if (!copy)
		return err_set(reterr, -ENOMEM, "out of memory");
	for (uint32_t i = 0; i < s->count; i++)
		if (strcmp(s->values[i], copy) == 0)
			return err_set(reterr, -EINVAL, "'%.100s' stands twice", copy);
	s->values[s->count++] = copy;
	return 0;
}

/* ---- ranges ---- */

/* A number and what follows it: "4k". */
struct amount {
	uint64_t number;
	const char *unit;
};

static bool amount_read(const char *text, struct amount *ret)
{
	char *end;

	errno = 0;
	ret->number = strtoull(text, &end, 10);
	ret->unit = end;
	return end > text && isdigit((unsigned char)*text) && !errno;
}

/* Power of 1024 of "k", "M", "GiB"; -1: another unit. */
static int power_of(const char *unit)
{
	static const char letters[] = "kmgtp";
	const char *at = *unit ? strchr(letters, tolower((unsigned char)*unit)) : NULL;

	if (!*unit)
		return 0;
	if (!at || (unit[1] && strcasecmp(unit + 1, "ib") != 0))
		return -1;
	return (int)(at - letters) + 1;
}

/* Ends in one unit; those that differ become plain numbers. */
static bool same_unit(struct amount *a, struct amount *b)
{
	int pa = power_of(a->unit), pb = power_of(b->unit);

	if (strcmp(a->unit, b->unit) == 0)
		return true;
	if (pa < 0 || pb < 0 || a->number > UINT64_MAX >> (10 * pa) ||
		b->number > UINT64_MAX >> (10 * pb))
		return false;
	a->number <<= 10 * pa;
	b->number <<= 10 * pb;
	a->unit = b->unit = "";
	return true;
}

/* N with the largest unit that it is a whole number of, where WITH_UNITS. */
static void amount_print(uint64_t n, const char *unit, bool with_units, struct str *out)
{
	static const char *const units[] = {"", "k", "m", "g", "t", "p"};
	int power = 0;

	while (with_units && n && !(n & 1023) && power < 5) {
		n >>= 10;
		power++;
	}
	str_addf(out, "%" PRIu64 "%s", n, with_units ? units[power] : unit);
}

struct step {
	bool times;
	uint64_t by;
};

/* "*2", "+10", "" */
static int step_read(const char *text, const char *unit, struct step *ret, struct err *reterr)
{
	struct amount by;

	*ret = (struct step){.times = false, .by = 1};
	if (!*text)
		return 0;
	ret->times = *text == '*';
	bool known = amount_read(text + 1, &by);
	if (known && *by.unit && !ret->times) {
		int power = power_of(by.unit);
		if (strcmp(by.unit, unit) != 0 && (*unit || power < 0))
			known = false;
		else if (!*unit)
			by.number <<= 10 * power;
	} else if (known) {
		known = !*by.unit;
	}
	if (!known || by.number < (ret->times ? 2 : 1))
		return err_set(reterr, -EINVAL,
			"'%.50s' is no step; steps are *2 (a factor from 2) and +8 (a number)",
			text);
	ret->by = by.number;
	return 0;
}

static int range_add(struct arena *a, struct study_sweep *s, const struct amount *from,
	const struct amount *to, const struct step *step, bool with_units, struct err *reterr)
{
	uint64_t n = from->number;
	int rc = 0;

	while (rc == 0 && n <= to->number) {
		scope_with(str_done) struct str text = {0};
		amount_print(n, from->unit, with_units, &text);
		rc = value_add(a, s, str_text(&text), text.len, reterr);
		if (step->times ? !n || n > UINT64_MAX / step->by : n > UINT64_MAX - step->by)
			break;
		n = step->times ? n * step->by : n + step->by;
	}
	return rc;
}

/* "4k..1m*2".  DOTS is where the dots are. */
static int range_read(struct arena *a, struct study_sweep *s, char *text, char *dots,
	struct err *reterr)
{
	struct amount from, to;
	struct step step;

	*dots = '\0';
	char *high = dots + 2, *op = high + strcspn(high, "*+");
	scope_mem char *step_text = strdup(op);
	*op = '\0';
	if (!step_text)
		return err_set(reterr, -ENOMEM, "out of memory");
	if (!amount_read(text, &from) || !amount_read(high, &to))
		return err_set(reterr, -EINVAL, "'%.50s..%.50s' is no range of whole numbers",
			text, high);
	bool with_units = strcmp(from.unit, to.unit) != 0;
	if (!same_unit(&from, &to))
		return err_set(reterr, -EINVAL, "'%.50s..%.50s': the units don't fit", text,
			high);
	if (from.number > to.number)
		return err_set(reterr, -EINVAL, "'%.50s..%.50s' runs backwards", text, high);
	if (step_read(step_text, from.unit, &step, reterr) < 0)
		return -EINVAL;
	if (step.times && !from.number)
		return err_set(reterr, -EINVAL, "a range by a factor can't begin at 0");
	return range_add(a, s, &from, &to, &step, with_units, reterr);
}

/* ---- lists ---- */

static int item_read(struct arena *a, struct study_sweep *s, char *item, struct err *reterr)
{
	item = str_trim(item);
	size_t len = strlen(item);
	char *dots = strstr(item, "..");

	if (len > 1 && *item == '"' && item[len - 1] == '"')
		return value_add(a, s, item + 1, len - 2, reterr);
	if (strchr(item, '"'))
		return err_set(reterr, -EINVAL, "a '\"' without its other");
	if (dots && isdigit((unsigned char)*item))
		return range_read(a, s, item, dots, reterr);
	return value_add(a, s, item, len, reterr);
}

/* The comma behind the item at AT, or its end. */
static char *item_end(char *at)
{
	bool quoted = false;

	for (; *at && (quoted || *at != ','); at++)
		quoted ^= *at == '"';
	return at;
}

int study_values_read(struct arena *a, const char *text, struct study_sweep *ret,
	struct err *reterr)
{
	scope_mem char *copy = strdup(text);
	bool more = true;
	int rc = 0;

	ret->count = 0;
	ret->values = arena_array(a, STUDY_PARTS_MOST, sizeof(*ret->values));
	if (!copy || !ret->values)
		return err_set(reterr, -ENOMEM, "out of memory");
	for (char *at = copy; more && rc == 0;) {
		char *end = item_end(at);
		more = *end == ',';
		*end = '\0';
		rc = item_read(a, ret, at, reterr);
		at = end + 1;
	}
	return rc;
}

/* ---- points ---- */

const char *study_value(const struct study_part *w, uint32_t point, uint32_t k)
{
	uint32_t below = 1;

	for (uint32_t i = k + 1; i < w->sweeps.count; i++)
		below *= w->sweeps.v[i].count;
	return w->sweeps.v[k].values[point / below % w->sweeps.v[k].count];
}

void study_point_add(const struct study_part *w, uint32_t point, const char *separator,
	struct str *out)
{
	for (uint32_t k = 0; k < w->sweeps.count; k++)
		str_addf(out, "%s%s=%s", k ? separator : "", w->sweeps.v[k].name,
			study_value(w, point, k));
}
