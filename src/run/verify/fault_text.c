/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* A wrong unit in words: fio's lines first, word for word where it has any, since
 * programs look for them; then what weir knows beyond. */
#include "run/verify/fault.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/bits.h"
#include "base/str.h"
#include "plan/plan.h"
#include "run/shared.h"
#include "verify/unit_says.h"

static void fault_sum(struct str *out, const uint8_t *sum, uint8_t bytes)
{
	for (uint8_t i = 0; i < bytes; i++)
		str_addf(out, "%02x", sum[i]);
}

static void fault_place(struct str *out, const char *path, const struct shared_fault *f,
	bool flags)
{
	str_addf(out,
		" at file %s offset %" PRIu64 ", length %u (requested block: offset=%" PRIu64
		", length=%u%s)\n",
		path, f->fault.offset, f->fault.bytes, f->offset, f->bytes,
		flags ? ", flags=8" : "");
}

static const char *fault_kind(const struct plan_worker *pw)
{
	const struct unit_spec *s = &pw->verify.unit;
	return s->kind == UNIT_CHECKSUM ? checksum_name(s->checksum) : unit_kind_name(s->kind);
}

static void fault_pattern(struct str *out, const struct shared_fault *f)
{
	const struct unit_fault *u = &f->fault;
	uint32_t at = u->first_difference - u->around_at;

	if (!u->has_difference || u->first_difference < u->around_at || at >= 16)
		return;
	str_addf(out, "got pattern '%02x', wanted '%02x'. Bad bits %u\n", u->around_found[at],
		u->around_expected[at],
		(unsigned)__builtin_popcount(u->around_found[at] ^ u->around_expected[at]));
	str_addf(out, "bad pattern block offset %u\n", u->first_difference);
}

/* As fio 3.33 has it. */
static void fault_as_fio(struct str *out, const struct plan_worker *pw, const char *path,
	const struct shared_fault *f)
{
	const struct unit_fault *u = &f->fault;

	switch (u->verdict) {
	case UNIT_NO_MAGIC:
		str_add(out, "verify: bad magic header");
		fault_place(out, path, f, false);
		return;
	case UNIT_WRONG_PATTERN:
		fault_pattern(out, f);
		str_addf(out, "%s: verify failed", fault_kind(pw));
		fault_place(out, path, f, true);
		return;
	case UNIT_NOT_ZERO:
		str_add(out, "trim: verify failed");
		fault_place(out, path, f, false);
		return;
	default:
		break;
	}
	str_addf(out, "%s: verify failed", fault_kind(pw));
	fault_place(out, path, f, true);
	if (u->verdict != UNIT_WRONG_DATA || !u->sum_bytes)
		return;
	str_add(out, "       Expected CRC: ");
	fault_sum(out, u->expected_sum, u->sum_bytes);
	str_add(out, "\n       Received CRC: ");
	fault_sum(out, u->found_sum, u->sum_bytes);
	str_add_char(out, '\n');
}

/* ---- weir's own ---- */

static void fault_wall(struct str *out, uint64_t ns)
{
	time_t s = (time_t)(ns / NS_PER_S);
	struct tm tm;
	char text[32];

	if (!ns || !localtime_r(&s, &tm))
		return;
	strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm);
	str_addf(out, " at %s.%03u", text, (unsigned)(ns / NS_PER_MS % 1000));
}

static void fault_by_state(struct str *out, const struct shared_fault *f)
{
	const struct unit_expect *e = &f->expect;

	str_addf(out, "run %016" PRIx64 ", offset %" PRIu64, f->run, e->offset);
	if (e->since_ns)
		str_add(out, ", written");
	fault_wall(out, e->since_ns);
	if (e->since_ns)
		str_add(out, " (that was synced) or later");
	if (e->before_too)
		str_add(out, ", whole, or what was before the run: it was never synced");
	else if (e->zeroes_too)
		str_add(out, ", or zeroes: it was trimmed");
	str_add_char(out, '\n');
}

static void fault_expected(struct str *out, const struct plan_worker *pw,
	const struct shared_fault *f)
{
	const struct unit_expect *e = &f->expect;

	str_add(out, "       wanted: ");
	if (e->zeroes)
		str_add(out, "zeroes, it was trimmed\n");
	else if (pw->verify.unit.kind == UNIT_PATTERN)
		str_add(out, "the pattern\n");
	else if (pw->verify.by_pieces)
		str_add(out, "what was written there last\n");
	else if (e->any_run)
		str_addf(out, "a whole unit of offset %" PRIu64 ", of any run\n", e->offset);
	else if (pw->state.resume)
		fault_by_state(out, f);
	else if (e->span)
		str_addf(out,
			"run %016" PRIx64 ", offset %" PRIu64
			", generation %u or one of the %u "
			"before it, that were written at the same time\n",
			f->run, e->offset, e->generation, e->span);
	else
		str_addf(out, "run %016" PRIx64 ", offset %" PRIu64 ", generation %u\n", f->run,
			e->offset, e->generation);
}

static void fault_found(struct str *out, const struct shared_fault *f)
{
	const struct unit_fault *u = &f->fault;

	if (!u->has_header)
		return;
	str_addf(out,
		"       found:  run %016" PRIx64 ", offset %" PRIu64
		", generation %u, written as number %" PRIu64 " by job %u",
		u->found_run, u->found_offset, u->found_generation, u->found_serial,
		u->found_worker + 1);
	fault_wall(out, u->found_time_ns);
	str_addf(out, ", %u bytes\n", u->found_bytes);
}

static void fault_bytes(struct str *out, const char *what, const uint8_t *b)
{
	str_addf(out, "         %s", what);
	for (int i = 0; i < 16; i++)
		str_addf(out, " %02x", b[i]);
	str_add_char(out, '\n');
}

static void fault_difference(struct str *out, const struct shared_fault *f)
{
	const struct unit_fault *u = &f->fault;

	if (!u->has_difference)
		return;
	str_addf(out,
		"       %u byte%s (%u bit%s) differ, the first at %" PRIu64
		" (byte %u of the unit); from byte %u on:\n",
		u->different_bytes, u->different_bytes == 1 ? "" : "s", u->different_bits,
		u->different_bits == 1 ? "" : "s", u->offset + u->first_difference,
		u->first_difference, u->around_at);
	fault_bytes(out, "wanted", u->around_expected);
	fault_bytes(out, "found ", u->around_found);
}

static void fault_dumps(struct str *out, const struct shared_fault *f)
{
	if (f->dump[0][0])
		str_addf(out, "       received data dumped as %s\n", f->dump[0]);
	if (f->dump[1][0])
		str_addf(out, "       expected data dumped as %s\n", f->dump[1]);
	if (f->dump_error)
		str_addf(out, "       can't dump it: %s\n", strerror(f->dump_error));
}

void fault_text(const struct plan *plan, const struct plan_worker *pw,
	const struct shared_fault *f, struct str *out)
{
	const struct unit_fault *u = &f->fault;
	const struct plan_target *t = &plan->targets[f->target];
	uint32_t unit = t->unit_bytes ? t->unit_bytes : u->bytes;

	fault_as_fio(out, pw, t->path, f);
	fault_dumps(out, f);
	str_addf(out, "       %s: %s, block %" PRIu64 " of %s, %u bytes at %" PRIu64 ": %s\n",
		pw->name, unit_guess_name(u->guess), unit ? u->offset / unit : 0, t->path,
		u->bytes, u->offset, unit_guess_words(u->guess));
	fault_expected(out, pw, f);
	fault_found(out, f);
	fault_difference(out, f);
}
