/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What was verified and what was wrong: "verify" in a job's `weir` object. */
#include "base/bits.h"
#include "result/import_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sixteen hexadecimal digits, a number as text: JSON's have 53 bits in most programs. */
static bool read_hex(struct import *in, const struct json_value *of, const char *key,
	uint64_t *ret)
{
	const char *text = import_string(in, of, key);

	if (!text)
		return false;
	*ret = strtoull(text, NULL, 16);
	return true;
}

/* At most N bytes, two digits each; how many. */
static uint8_t read_bytes(struct import *in, const struct json_value *of, const char *key,
	uint8_t *to, size_t n)
{
	const char *text = import_string(in, of, key);
	unsigned byte;
	uint8_t got = 0;

	while (text && got < n && sscanf(text + 2 * (size_t)got, "%2x", &byte) == 1) {
		to[got++] = (uint8_t)byte;
		if (!text[2 * got - 1] || !text[2 * got])
			break;
	}
	return got;
}

static bool read_u32(struct import *in, const struct json_value *of, const char *key,
	uint32_t *ret)
{
	uint64_t v;

	if (!import_whole(in, of, key, &v))
		return false;
	*ret = (uint32_t)MIN_OF(v, (uint64_t)UINT32_MAX);
	return true;
}

static bool read_u8(struct import *in, const struct json_value *of, const char *key,
	uint8_t *ret)
{
	uint32_t v;

	if (!read_u32(in, of, key, &v))
		return false;
	*ret = (uint8_t)MIN_OF(v, (uint32_t)UINT8_MAX);
	return true;
}

static void read_expected(struct import *in, const struct json_value *of,
	struct result_fault *f)
{
	struct unit_expect *e = &f->expect;

	e->any_run = e->any_generation = true;
	if (!of || in->rc < 0)
		return;
	import_bool(in, of, "zeroes", &e->zeroes);
	e->any_run = !read_hex(in, of, "run", &f->expected_run);
	e->any_generation = !read_u8(in, of, "generation", &e->generation);
	read_u8(in, of, "span", &e->span);
}

static void read_found(struct import *in, const struct json_value *of, struct unit_fault *u)
{
	if (!of || in->rc < 0)
		return;
	u->has_header = true;
	read_hex(in, of, "run", &u->found_run);
	import_whole(in, of, "offset", &u->found_offset);
	read_u8(in, of, "generation", &u->found_generation);
	read_u32(in, of, "worker", &u->found_worker);
	import_whole(in, of, "serial", &u->found_serial);
	import_whole(in, of, "time_ns", &u->found_time_ns);
	read_u32(in, of, "bytes", &u->found_bytes);
	u->sum_bytes = read_bytes(in, of, "checksum", u->expected_sum, CHECKSUM_MAX);
	read_bytes(in, of, "checksum_of_data", u->found_sum, CHECKSUM_MAX);
}

static void read_fault(struct import *in, const struct json_value *of, struct result_fault *f)
{
	struct unit_fault *u = &f->fault;

	f->target = import_string(in, of, "file");
	import_whole(in, of, "offset", &u->offset);
	read_u32(in, of, "bytes", &u->bytes);
	f->verdict = import_string(in, of, "verdict");
	f->guess = import_string(in, of, "guess");
	f->guess_text = import_string(in, of, "guess_text");
	import_whole(in, of, "read_offset", &f->read_offset);
	read_u32(in, of, "read_bytes", &f->read_bytes);
	read_expected(in, import_object(in, of, "expected"), f);
	read_found(in, import_object(in, of, "found"), u);
	u->has_difference = read_u32(in, of, "first_difference", &u->first_difference);
	read_u32(in, of, "different_bytes", &u->different_bytes);
	read_u32(in, of, "different_bits", &u->different_bits);
	read_u32(in, of, "around_at", &u->around_at);
	read_bytes(in, of, "around_expected", u->around_expected, sizeof(u->around_expected));
	read_bytes(in, of, "around_found", u->around_found, sizeof(u->around_found));
	f->received_file = import_string(in, of, "received_file");
	f->expected_file = import_string(in, of, "expected_file");
	/* what a report prints as a text is one */
	f->target = f->target ? f->target : "?";
	f->verdict = f->verdict ? f->verdict : "";
	f->guess = f->guess ? f->guess : "";
	f->guess_text = f->guess_text ? f->guess_text : "";
}

static void read_reads(struct import *in, const struct json_value *of, struct result_dir *d)
{
	struct result_dir_told *told = import_alloc(in, sizeof(*told));

	if (!told)
		return;
	*told = (struct result_dir_told){.ios_per_s = -1, .bw_percent = -1};
	d->told = told;
	if (of && in->rc == 0)
		import_weir_direction(in, of, d);
}

static void read_faults(struct import *in, const struct json_value *list,
	struct result_verify *v)
{
	struct result_fault *faults = import_alloc(in, RESULT_FAULTS * sizeof(*faults));

	if (!faults)
		return;
	v->faults = faults;
	for (const struct json_value *f = list ? list->first : NULL;
		f && in->rc == 0 && v->faults_count < RESULT_FAULTS; f = f->next)
		read_fault(in, f, &faults[v->faults_count++]);
}

void import_weir_verify(struct import *in, const struct json_value *job, struct result_row *row)
{
	const struct json_value *of = import_object(in, job, "verify");

	if (!of || in->rc < 0)
		return;
	struct result_verify *v = import_alloc(in, sizeof(*v));
	if (!v)
		return;
	read_hex(in, of, "run_id", &v->run_id);
	v->kind = import_string(in, of, "kind");
	v->kind = v->kind ? v->kind : "";
	read_u32(in, of, "unit_bytes", &v->unit_bytes);
	import_bool(in, of, "stamped", &v->stamped);
	import_bool(in, of, "checked", &v->checked);
	import_bool(in, of, "skipped", &v->skipped);
	import_whole(in, of, "units", &v->units);
	import_whole(in, of, "bytes", &v->bytes);
	import_whole(in, of, "wrong", &v->wrong);
	import_whole(in, of, "unjudged", &v->unjudged);
	read_reads(in, import_object(in, of, "reads"), &v->again);
	read_reads(in, import_object(in, of, "own_reads"), &v->own);
	read_faults(in, import_array(in, of, "faults"), v);
	row->verify = v;
}
