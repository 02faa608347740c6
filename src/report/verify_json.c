/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What was verified and what was wrong: "verify" in a job's `weir` object. */
#include <inttypes.h>

#include "base/json.h"
#include "base/str.h"
#include "report/figures.h"
#include "report/json_parts.h"
#include "result/result.h"

static void put_hex64(struct json *j, const char *key, uint64_t v)
{
	char text[20];

	snprintf(text, sizeof(text), "%016" PRIx64, v);
	json_text(j, key, text);
}

static void put_bytes(struct json *j, const char *key, const uint8_t *bytes, size_t n)
{
	char text[2 * CHECKSUM_MAX + 1] = "";

	for (size_t i = 0; i < n && i < CHECKSUM_MAX; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
	json_text(j, key, text);
}

static void fault_expected(struct json *j, const struct result_fault *f)
{
	const struct unit_expect *e = &f->expect;

	json_object(j, "expected");
	json_bool(j, "zeroes", e->zeroes);
	if (!e->any_run)
		put_hex64(j, "run", f->expected_run);
	if (!e->any_generation && !e->zeroes) {
		json_uint(j, "generation", e->generation);
		json_uint(j, "span", e->span);
	}
	json_object_end(j);
}

static void fault_found(struct json *j, const struct unit_fault *u)
{
	if (!u->has_header)
		return;
	json_object(j, "found");
	put_hex64(j, "run", u->found_run);
	json_uint(j, "offset", u->found_offset);
	json_uint(j, "generation", u->found_generation);
	json_uint(j, "worker", u->found_worker);
	json_uint(j, "serial", u->found_serial);
	json_uint(j, "time_ns", u->found_time_ns);
	json_uint(j, "bytes", u->found_bytes);
	put_bytes(j, "checksum", u->expected_sum, u->sum_bytes);
	put_bytes(j, "checksum_of_data", u->found_sum, u->sum_bytes);
	json_object_end(j);
}

static void fault_difference(struct json *j, const struct unit_fault *u)
{
	if (!u->has_difference)
		return;
	json_uint(j, "first_difference", u->first_difference);
	json_uint(j, "different_bytes", u->different_bytes);
	json_uint(j, "different_bits", u->different_bits);
	json_uint(j, "around_at", u->around_at);
	put_bytes(j, "around_expected", u->around_expected, sizeof(u->around_expected));
	put_bytes(j, "around_found", u->around_found, sizeof(u->around_found));
}

void verify_json_fault(struct json *j, const char *key, const struct result_fault *f,
	uint32_t unit_bytes)
{
	const struct unit_fault *u = &f->fault;

	json_object(j, key);
	json_text(j, "file", f->target);
	json_uint(j, "offset", u->offset);
	json_uint(j, "bytes", u->bytes);
	json_uint(j, "block", unit_bytes ? u->offset / unit_bytes : 0);
	json_text(j, "verdict", f->verdict);
	json_text(j, "guess", f->guess);
	json_text(j, "guess_text", f->guess_text);
	json_uint(j, "read_offset", f->read_offset);
	json_uint(j, "read_bytes", f->read_bytes);
	fault_expected(j, f);
	fault_found(j, u);
	fault_difference(j, u);
	if (f->received_file && *f->received_file)
		json_text(j, "received_file", f->received_file);
	if (f->expected_file && *f->expected_file)
		json_text(j, "expected_file", f->expected_file);
	json_object_end(j);
}

static void put_reads(struct json *j, const char *key, const struct result_dir *d)
{
	const struct result_row row = {.dir[DIR_READ] = *d}; /* figures are read from rows */

	json_object(j, key);
	figures_write_dir(j, &row, DIR_READ);
	json_object_end(j);
}

static void put_resume(struct json *j, const struct result_resume *r)
{
	json_object(j, "resume");
	json_text(j, "state", r->state);
	json_text(j, "policy", r->completed ? "completed" : "fsynced");
	json_uint(j, "synced", r->synced);
	json_uint(j, "newer", r->newer);
	json_uint(j, "older", r->older);
	json_uint(j, "beyond_state", r->later);
	json_uint(j, "unread", r->unread);
	json_bool(j, "state_ended", r->ended);
	json_uint(j, "state_end_ns", r->end_ns);
	json_uint(j, "state_writes", r->writes);
	json_uint(j, "state_trims", r->trims);
	json_uint(j, "state_syncs", r->syncs);
	json_uint(j, "state_in_flight", r->in_flight);
	json_uint(j, "state_tail_bytes", r->tail_bytes);
	json_object_end(j);
}

void verify_json(struct json *j, const struct result_row *row)
{
	const struct result_verify *v = row->verify;

	if (!v)
		return;
	json_object(j, "verify");
	put_hex64(j, "run_id", v->run_id);
	json_text(j, "kind", v->kind);
	json_uint(j, "unit_bytes", v->unit_bytes);
	json_bool(j, "stamped", v->stamped);
	json_bool(j, "checked", v->checked);
	json_uint(j, "units", v->units);
	json_uint(j, "bytes", v->bytes);
	json_uint(j, "wrong", v->wrong);
	json_uint(j, "unjudged", v->unjudged);
	if (v->skipped)
		json_bool(j, "skipped", true);
	if (v->resume)
		put_resume(j, v->resume);
	if (v->again.ios) {
		put_reads(j, "reads", &v->again);
		if (result_dir_used(&v->own))
			put_reads(j, "own_reads", &v->own);
	}
	json_array(j, "faults");
	for (uint32_t i = 0; i < v->faults_count; i++)
		verify_json_fault(j, NULL, &v->faults[i], v->unit_bytes);
	json_array_end(j);
	json_object_end(j);
}
