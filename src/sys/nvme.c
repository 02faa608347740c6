/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/nvme.h"

#include "base/arena.h"
#include "base/bits.h"
#include "base/scope.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/nvme_ioctl.h>
#include <string.h>
#include <sys/ioctl.h>

#define RAW_COUNT(m)                                                                           \
	{                                                                                      \
#m, FACT_COUNT, false, FACT_AT(struct nvme_facts, raw.m, uint64_t)             \
	}
#define RAW_FLAG(m)                                                                            \
	{                                                                                      \
#m, FACT_FLAG, false, FACT_AT(struct nvme_facts, raw.m, uint64_t)              \
	}

static const struct fact nvme_rows[] = {
	SECRET_FACT(struct nvme_facts, serial),
	TEXT_FACT(struct nvme_facts, model),
	TEXT_FACT(struct nvme_facts, firmware),
	RAW_COUNT(capacity_bytes),
	RAW_COUNT(namespace_bytes),
	RAW_COUNT(namespace_capacity_bytes),
	RAW_COUNT(namespace_used_bytes),
	RAW_COUNT(format_bytes),
	RAW_COUNT(format_metadata_bytes),
	RAW_FLAG(format_best),
	RAW_FLAG(zero_after_discard),
	RAW_FLAG(volatile_cache),
	RAW_FLAG(volatile_cache_on),
	RAW_COUNT(power_states),
	RAW_COUNT(power_state),
	RAW_FLAG(autonomous_power),
	RAW_COUNT(exit_latency_max_us),
	RAW_COUNT(temperature_warning_c),
	RAW_COUNT(temperature_critical_c),
	RAW_COUNT(critical_warning),
	RAW_COUNT(temperature_c),
	RAW_COUNT(spare_percent),
	RAW_COUNT(spare_threshold_percent),
	RAW_COUNT(used_percent),
	RAW_COUNT(read_bytes),
	RAW_COUNT(written_bytes),
	RAW_COUNT(host_reads),
	RAW_COUNT(host_writes),
	RAW_COUNT(busy_minutes),
	RAW_COUNT(power_cycles),
	RAW_COUNT(power_on_hours),
	RAW_COUNT(unsafe_shutdowns),
	RAW_COUNT(media_errors),
	RAW_COUNT(error_log_entries),
	RAW_COUNT(warning_minutes),
	RAW_COUNT(critical_minutes),
	RAW_COUNT(throttle_1_count),
	RAW_COUNT(throttle_2_count),
	RAW_COUNT(throttle_1_s),
	RAW_COUNT(throttle_2_s),
	RAW_COUNT(endurance_group),
	RAW_COUNT(group_written_bytes),
	RAW_COUNT(group_media_written_bytes),
	RAW_COUNT(media_written_bytes),
};

FACT_TABLE(nvme_table, nvme_rows);

void nvme_forget(struct nvme_raw *ret)
{
	struct nvme_facts f = {0};
	facts_forget(&nvme_table, &f);
	f.raw.has_groups = f.raw.lists_logs = f.raw.has_apst = FACT_UNKNOWN;
	*ret = f.raw;
}

/* ---- bytes ---- */

/* Little endian; 16 bytes saturate. */
static uint64_t le(const uint8_t *bytes, unsigned size)
{
	uint64_t value = 0;
	for (unsigned i = size; i-- > 0;) {
		if (i >= 8 && bytes[i])
			return UINT64_MAX - 1;
		if (i < 8)
			value = value << 8 | bytes[i];
	}
	return value;
}

static uint64_t times(uint64_t value, uint64_t factor)
{
	return value > (UINT64_MAX - 1) / factor ? UINT64_MAX - 1 : value * factor;
}

/* Kelvin; 0 means not told. */
static uint64_t celsius(uint64_t kelvin)
{
	return kelvin < 273 ? FACT_UNKNOWN : kelvin - 273;
}

/* Padded with blanks. */
static void text(const uint8_t *bytes, size_t size, char to[NVME_TEXT])
{
	while (size && (bytes[size - 1] == ' ' || !bytes[size - 1]))
		size--;
	while (size && *bytes == ' ') {
		bytes++;
		size--;
	}
	memcpy(to, bytes, size);
	to[size] = '\0';
}

void nvme_decode_controller(const uint8_t *bytes, struct nvme_raw *to)
{
	text(bytes + 4, 20, to->serial);
	text(bytes + 24, 40, to->model);
	text(bytes + 64, 8, to->firmware);
	to->has_groups = le(bytes + 96, 4) >> 4 & 1;
	to->lists_logs = bytes[261] >> 5 & 1;
	to->power_states = bytes[263] + 1u;
	to->has_apst = bytes[265] & 1;
	to->temperature_warning_c = celsius(le(bytes + 266, 2));
	to->temperature_critical_c = celsius(le(bytes + 268, 2));
	uint64_t capacity = le(bytes + 280, 16);
	if (capacity)
		to->capacity_bytes = capacity;
	to->volatile_cache = bytes[525] & 1;
	uint64_t exit_us = 0;
	for (unsigned i = 0; i < MIN_OF(to->power_states, UINT64_C(32)); i++)
		exit_us = MAX_OF(exit_us, le(bytes + 2048 + 32 * i + 8, 4));
	to->exit_latency_max_us = exit_us;
}

void nvme_decode_namespace(const uint8_t *bytes, struct nvme_raw *to)
{
	unsigned formats = bytes[25] + 1u,
		 chosen = (bytes[26] & 15u) | (bytes[26] >> 1 & 0x30u);
	const uint8_t *format = bytes + 128 + 4 * chosen;
	unsigned shift = format[2];

	if (chosen >= 64 || shift < 9 || shift > 31)
		return; /* the namespace isn't there */
	uint64_t block = UINT64_C(1) << shift;
	to->namespace_bytes = times(le(bytes, 8), block);
	to->namespace_capacity_bytes = times(le(bytes + 8, 8), block);
	to->namespace_used_bytes = times(le(bytes + 16, 8), block);
	if (le(bytes + 102, 2))
		to->endurance_group = le(bytes + 102, 2);
	to->format_bytes = block;
	to->format_metadata_bytes = le(format, 2);
	to->format_best = 1;
	for (unsigned i = 0; i < MIN_OF(formats, 64u); i++) {
		const uint8_t *other = bytes + 128 + 4 * i;
		if (other[2] >= 9 && (other[3] & 3) < (format[3] & 3))
			to->format_best = 0;
	}
	to->zero_after_discard = (bytes[33] & 7) == 1;
}

void nvme_decode_smart(const uint8_t *bytes, struct nvme_raw *to)
{
	to->critical_warning = bytes[0];
	to->temperature_c = celsius(le(bytes + 1, 2));
	to->spare_percent = bytes[3];
	to->spare_threshold_percent = bytes[4];
	to->used_percent = bytes[5];
	to->read_bytes = times(le(bytes + 32, 16), 512000);
	to->written_bytes = times(le(bytes + 48, 16), 512000);
	to->host_reads = le(bytes + 64, 16);
	to->host_writes = le(bytes + 80, 16);
	to->busy_minutes = le(bytes + 96, 16);
	to->power_cycles = le(bytes + 112, 16);
	to->power_on_hours = le(bytes + 128, 16);
	to->unsafe_shutdowns = le(bytes + 144, 16);
	to->media_errors = le(bytes + 160, 16);
	to->error_log_entries = le(bytes + 176, 16);
	to->warning_minutes = le(bytes + 192, 4);
	to->critical_minutes = le(bytes + 196, 4);
	to->throttle_1_count = le(bytes + 216, 4);
	to->throttle_2_count = le(bytes + 220, 4);
	to->throttle_1_s = le(bytes + 224, 4);
	to->throttle_2_s = le(bytes + 228, 4);
}

static uint64_t told(uint64_t value, uint64_t unit)
{
	return value ? times(value, unit) : FACT_UNKNOWN;
}

void nvme_decode_group(const uint8_t *bytes, struct nvme_raw *to)
{
	to->group_written_bytes = told(le(bytes + 64, 16), NVME_GROUP_UNIT);
	to->group_media_written_bytes = told(le(bytes + 80, 16), NVME_GROUP_UNIT);
}

void nvme_decode_ocp(const uint8_t *bytes, struct nvme_raw *to)
{
	/* AFD514C9-7C6F-4F9C-A4F2-BFEA2810AFC5, the last byte first. */
	static const uint8_t guid[16] = {0xc5, 0xaf, 0x10, 0x28, 0xea, 0xbf, 0xf2, 0xa4, 0x9c,
		0x4f, 0x6f, 0x7c, 0xc9, 0x14, 0xd5, 0xaf};

	if (memcmp(bytes + 496, guid, sizeof(guid)) == 0)
		to->media_written_bytes = told(le(bytes, 16), 1);
}

/* ---- asking ---- */

enum {
	OP_GET_LOG = 0x02,
	OP_IDENTIFY = 0x06,
	OP_GET_FEATURES = 0x0a,
	CNS_NAMESPACE = 0,
	CNS_CONTROLLER = 1,
	LOG_SUPPORTED = 0x00,
	LOG_SMART = 0x02,
	LOG_GROUP = 0x09,
	LOG_OCP = 0xc0,
	FEATURE_POWER = 0x02,
	FEATURE_WRITE_CACHE = 0x06,
	FEATURE_APST = 0x0c,
	ALL_NAMESPACES = 0xffffffff,
};

static int feature(const struct nvme_port *p, uint32_t id, uint32_t *ret)
{
	/* APST comes with a table. */
	uint8_t data[256];
	return p->admin(p->ctx, OP_GET_FEATURES, 0, (const uint32_t[]){id, 0}, data,
		id == FEATURE_APST ? sizeof(data) : 0, ret);
}

static void read_features(const struct nvme_port *p, struct nvme_raw *r)
{
	uint32_t value;

	if (feature(p, FEATURE_POWER, &value) == 0)
		r->power_state = value & 31;
	if (r->has_apst == 1 && feature(p, FEATURE_APST, &value) == 0)
		r->autonomous_power = value & 1;
	if (r->volatile_cache == 1 && feature(p, FEATURE_WRITE_CACHE, &value) == 0)
		r->volatile_cache_on = value & 1;
}

static int identify(const struct nvme_port *p, uint32_t nsid, uint32_t cns, uint8_t *data)
{
	uint32_t result;

	return p->admin(p->ctx, OP_IDENTIFY, nsid, (const uint32_t[]){cns, 0}, data,
		NVME_IDENTIFY_BYTES, &result);
}

/* SPECIFIC: the log specific identifier, of a log that has several. */
static int get_log(const struct nvme_port *p, uint32_t nsid, uint32_t id, uint32_t specific,
	uint8_t *data, uint32_t bytes)
{
	const uint32_t cdw[] = {id | (bytes / 4 - 1) << 16, specific << 16};
	uint32_t result;

	return p->admin(p->ctx, OP_GET_LOG, nsid, cdw, data, bytes, &result);
}

/* Only logs that the controller says it has: one that it refuses is an entry in its log of
 * errors.  For a log of vendors it says so from NVMe 2.0 on. */
static void read_media(const struct nvme_port *p, struct nvme_raw *r)
{
	uint8_t data[NVME_LOGS_BYTES];

	if (r->has_groups == 1 && r->endurance_group != FACT_UNKNOWN &&
		get_log(p, 0, LOG_GROUP, (uint32_t)r->endurance_group, data,
			NVME_GROUP_BYTES) == 0)
		nvme_decode_group(data, r);
	if (r->lists_logs != 1 || get_log(p, 0, LOG_SUPPORTED, 0, data, NVME_LOGS_BYTES) != 0 ||
		!(data[4 * LOG_OCP] & 1))
		return;
	if (get_log(p, ALL_NAMESPACES, LOG_OCP, 0, data, NVME_OCP_BYTES) == 0)
		nvme_decode_ocp(data, r);
}

int nvme_read(const struct nvme_port *p, struct nvme_raw *ret)
{
	uint8_t data[NVME_IDENTIFY_BYTES];

	nvme_forget(ret);
	int rc = identify(p, 0, CNS_CONTROLLER, data);
	if (rc == 0)
		nvme_decode_controller(data, ret);
	int first = rc;
	rc = identify(p, p->nsid, CNS_NAMESPACE, data);
	if (rc == 0)
		nvme_decode_namespace(data, ret);
	first = first ? first : rc;
	rc = get_log(p, ALL_NAMESPACES, LOG_SMART, 0, data, NVME_SMART_BYTES);
	if (rc == 0)
		nvme_decode_smart(data, ret);
	read_media(p, ret);
	read_features(p, ret);
	return first ? first : rc;
}

/* No time limit but the kernel's own: it resets a controller whose command takes too long, and
 * a busy drive may.  Who asks doesn't wait (sys/apart.h). */
static int real_admin(void *ctx, uint8_t opcode, uint32_t nsid, const uint32_t cdw[2],
	void *data, uint32_t bytes, uint32_t *result)
{
	struct nvme_admin_cmd cmd = {
		.opcode = opcode,
		.nsid = nsid,
		.addr = bytes ? (uint64_t)(uintptr_t)data : 0,
		.data_len = bytes,
		.cdw10 = cdw[0],
		.cdw11 = cdw[1],
	};
	int rc = ioctl(*(const int *)ctx, NVME_IOCTL_ADMIN_CMD, &cmd);
	if (rc == 0)
		*result = cmd.result;
	return rc < 0 ? -errno : rc;
}

int nvme_read_device(const char *path, struct nvme_raw *ret)
{
	scope_fd int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	nvme_forget(ret);
	if (fd < 0)
		return -errno;
	int nsid = ioctl(fd, NVME_IOCTL_ID);
	if (nsid < 0)
		return -ENOTTY;
	return nvme_read(&(struct nvme_port){real_admin, &fd, (uint32_t)nsid}, ret);
}

static const char *copy(struct arena *a, const char *from)
{
	return *from ? arena_text(a, from) : NULL;
}

void nvme_from_raw(struct arena *a, const struct nvme_raw *raw, struct nvme_facts *ret)
{
	*ret = (struct nvme_facts){
		.raw = *raw,
		.serial = copy(a, raw->serial),
		.model = copy(a, raw->model),
		.firmware = copy(a, raw->firmware),
	};
}
