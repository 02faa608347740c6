/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* What an NVMe controller and namespace say of themselves: Identify, the SMART log, power
 * features, and what was written to the media.  Offsets are those of the NVM Express base
 * specification 2.0 (figures of Identify Controller, Identify Namespace, SMART / Health
 * Information, Endurance Group Information, Supported Log Pages) and of the OCP Datacenter NVMe
 * SSD specification 2.0 (SMART / Health Information Extended).
 *
 * Decoders are pure: bytes in, facts out.  nvme_read() asks through a port, which is an
 * ioctl on the device or, in a test, a table. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/fact.h"

struct arena;

#define NVME_IDENTIFY_BYTES 4096
#define NVME_SMART_BYTES    512
#define NVME_GROUP_BYTES    512
#define NVME_OCP_BYTES      512
#define NVME_LOGS_BYTES     1024
#define NVME_TEXT           64

#define NVME_DATA_UNIT  512000u              /* bytes of the SMART log's unit            */
#define NVME_GROUP_UNIT UINT64_C(1000000000) /* of that of an endurance group            */

/* Numbers only, and room for texts: it is filled in another process. */
struct nvme_raw {
	char serial[NVME_TEXT], model[NVME_TEXT], firmware[NVME_TEXT];
	uint64_t capacity_bytes;
	uint64_t namespace_bytes, namespace_capacity_bytes, namespace_used_bytes;
	uint64_t format_bytes, format_metadata_bytes; /* of the chosen LBA format */
	uint64_t format_best; /* flag: no other format has a better relative performance */
	uint64_t zero_after_discard; /* flag: reads of deallocated blocks are zeros */
	uint64_t volatile_cache, volatile_cache_on; /* flags                     */
	uint64_t power_states, power_state;
	uint64_t autonomous_power;    /* flag: APST is on                          */
	uint64_t exit_latency_max_us; /* of the power states                     */
	uint64_t temperature_warning_c, temperature_critical_c; /* thresholds    */
	/* health */
	uint64_t critical_warning; /* bits                                      */
	uint64_t temperature_c;
	uint64_t spare_percent, spare_threshold_percent, used_percent;
	uint64_t read_bytes, written_bytes; /* data units * 512000               */
	uint64_t host_reads, host_writes, busy_minutes;
	uint64_t power_cycles, power_on_hours, unsafe_shutdowns;
	uint64_t media_errors, error_log_entries;
	uint64_t warning_minutes, critical_minutes; /* above the thresholds       */
	uint64_t throttle_1_count, throttle_2_count, throttle_1_s, throttle_2_s;
	/* The media: of the endurance group that the namespace is in, what hosts and what the
	 * controller wrote (in steps of 10^9 bytes); of the whole drive, by OCP's log. */
	uint64_t endurance_group;
	uint64_t group_written_bytes, group_media_written_bytes;
	uint64_t media_written_bytes;
	/* what may be asked for; no facts */
	uint64_t has_groups, lists_logs, has_apst; /* flags: CTRATT bit 4, LPA bit 5, APSTA */
};

struct nvme_facts {
	struct nvme_raw raw;
	const char *serial, *model, *firmware; /* NULL: not known; serial is secret */
};

extern const struct fact_table nvme_table; /* of struct nvme_facts */

/* All unknown. */
void nvme_forget(struct nvme_raw *ret);

/* Of what Identify Controller, Identify Namespace and the SMART log (LID 02h) returned. */
void nvme_decode_controller(const uint8_t *bytes, struct nvme_raw *to);
void nvme_decode_namespace(const uint8_t *bytes, struct nvme_raw *to);
void nvme_decode_smart(const uint8_t *bytes, struct nvme_raw *to);

/* Endurance Group Information (LID 09h): Data Units Written at 64, Media Units Written at 80, 0
 * meaning that it isn't told. */
void nvme_decode_group(const uint8_t *bytes, struct nvme_raw *to);

/* OCP's SMART / Health Information Extended (LID C0h; SMART-1): Physical Media Units Written at
 * 0, in bytes.  C0h is a log of vendors: it is OCP's only with its GUID at 496. */
void nvme_decode_ocp(const uint8_t *bytes, struct nvme_raw *to);

/* An admin command: 0 with *RESULT and the data, a negative errno, or a positive NVMe
 * status. */
struct nvme_port {
	int (*admin)(void *ctx, uint8_t opcode, uint32_t nsid, const uint32_t cdw[2],
		void *data, uint32_t bytes, uint32_t *result); /* CDW10 and CDW11 */
	void *ctx;
	uint32_t nsid;
};

/* Ask all; what isn't answered stays unknown.  The first failure, or 0. */
int nvme_read(const struct nvme_port *port, struct nvme_raw *ret);

/* The same of the block device at PATH (opened read-only). -ENOTTY: no NVMe. */
int nvme_read_device(const char *path, struct nvme_raw *ret);

/* Texts into the arena. */
void nvme_from_raw(struct arena *a, const struct nvme_raw *raw, struct nvme_facts *ret);
