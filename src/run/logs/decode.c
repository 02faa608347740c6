/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/logs/decode.h"

#include "base/bits.h"

#include <string.h>

static uint64_t decode_field(uint64_t word, unsigned shift, unsigned bits)
{
	return word >> shift & ((UINT64_C(1) << bits) - 1);
}

static void decode_io(struct log_decoder *d, const struct log_record *r)
{
	struct log_io io = {
		.dir = (enum dir)(r->a & 3),
		.rate = r->a & LOG_RATE,
		.latency = r->a & LOG_LATENCY,
		.lat_ns = r->a >> LOG_LAT_SHIFT,
		.slat_ns = r->b >> LOG_SLAT_SHIFT,
		.offset = decode_field(r->b, 0, LOG_OFFSET_BITS) << d->unit_shift,
		.bytes = (uint32_t)(decode_field(r->b, LOG_BYTES_SHIFT, LOG_BYTES_BITS)
				    << d->unit_shift),
	};

	d->time_ns += decode_field(r->a, LOG_DELTA_SHIFT, LOG_DELTA_BITS);
	d->ios++;
	io.time_ns = d->time_ns;
	io.clat_ns = io.lat_ns - MIN_OF(io.slat_ns, io.lat_ns);
	if (d->to.io)
		d->to.io(d->to.ctx, &io);
}

static void decode_wide(struct log_decoder *d)
{
	const struct log_record *r = d->parts;
	uint64_t arg = r->a >> 16;
	struct log_io io = {
		.dir = (enum dir)MIN_OF((unsigned)(r->a >> 6 & 3), DIRS - 1u),
		.prio = (uint16_t)arg,
		.rate = arg >> 16 & 1,
		.latency = arg >> 17 & 1,
		.time_ns = r->b,
		.lat_ns = r[1].a,
		.slat_ns = r[1].b,
		.offset = r[2].a,
		.bytes = (uint32_t)r[2].b,
	};

	d->time_ns = r->b;
	d->ios++;
	io.clat_ns = io.lat_ns - MIN_OF(io.slat_ns, io.lat_ns);
	if (d->to.io)
		d->to.io(d->to.ctx, &io);
}

static void decode_bin(struct log_decoder *d, enum dir dir, uint64_t bin, uint64_t count)
{
	if (bin < HISTOGRAM_BINS)
		d->bins[dir][histogram_fio_bin((uint32_t)bin)] += count;
}

static void decode_issue(struct log_decoder *d)
{
	const struct log_record *r = d->parts;
	const struct log_issue issue = {
		.time_ns = r->b,
		.kind = (uint8_t)(r->a >> 16),
		.file = (uint32_t)(r->a >> 24),
		.offset = r[1].a,
		.bytes = r[1].b,
	};

	if (d->issue)
		d->issue(d->issue_ctx, &issue);
}

static void decode_other(struct log_decoder *d)
{
	const struct log_record *r = d->parts;
	enum dir dir = (enum dir)MIN_OF((unsigned)(r->a >> 6 & 3), DIRS - 1u);
	struct log_sum sum;

	switch ((enum log_what)(r->a >> 2 & 15)) {
	case LOG_WIDE:
		decode_wide(d);
		break;
	case LOG_WINDOW:
		memcpy(&sum, r + 1, sizeof(sum));
		if (d->to.window)
			d->to.window(d->to.ctx, dir, r->a >> 16, r->b, &sum);
		break;
	case LOG_BIN:
		decode_bin(d, dir, r->a >> 16, r->b);
		break;
	case LOG_HIST:
		if (d->to.hist)
			d->to.hist(d->to.ctx, dir, r->b, d->bins[dir]);
		memset(d->bins[dir], 0, sizeof(d->bins[dir]));
		break;
	case LOG_ISSUE:
		decode_issue(d);
		break;
	case LOG_END:
		d->ended = true;
		if (d->to.end)
			d->to.end(d->to.ctx, r->b, r[1].a);
		break;
	}
}

/* How many records it has behind it; > LOG_PAYLOAD_MAX: it is none of ours. */
static unsigned decode_payload(const struct log_record *r)
{
	static const unsigned payload[] = {
		[LOG_WIDE] = LOG_WIDE_RECORDS - 1,
		[LOG_WINDOW] = LOG_WINDOW_PAYLOAD,
		[LOG_BIN] = 0,
		[LOG_HIST] = 0,
		[LOG_END] = 1,
		[LOG_ISSUE] = LOG_ISSUE_RECORDS - 1,
	};
	unsigned what = r->a >> 2 & 15, said = r->a >> 8 & 255;

	if (what >= COUNT_OF(payload) || payload[what] != said)
		return LOG_PAYLOAD_MAX + 1;
	return said;
}

void log_decode(struct log_decoder *d, const struct log_record *records, size_t count)
{
	for (size_t i = 0; i < count && !d->broken; i++) {
		const struct log_record *r = &records[i];
		if (d->have) {
			d->parts[d->have++] = *r;
		} else if ((r->a & 3) != LOG_KIND_OTHER) {
			decode_io(d, r);
			continue;
		} else {
			unsigned payload = decode_payload(r);
			d->broken = payload > LOG_PAYLOAD_MAX;
			d->want = 1 + payload;
			d->have = 1;
			d->parts[0] = *r;
		}
		if (d->have < d->want || d->broken)
			continue;
		d->have = 0;
		decode_other(d);
	}
}
