/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "sys/block.h"

#include "base/bits.h"
#include "base/str.h"
#include "sys/device.h"
#include "sys/survey.h"
#include "sys/sysroot.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#define NODE     "/sys/dev/block/%u:%u"
#define AT(rdev) major(rdev), minor(rdev)

static const struct fact block_rows[] = {
	TEXT_FACT(struct block_facts, name),
	TEXT_FACT(struct block_facts, number),
	TEXT_FACT(struct block_facts, model),
	TEXT_FACT(struct block_facts, vendor),
	TEXT_FACT(struct block_facts, firmware),
	SECRET_FACT(struct block_facts, serial),
	SECRET_FACT(struct block_facts, wwid),
	TEXT_FACT(struct block_facts, transport),
	COUNT_FACT(struct block_facts, size_bytes),
	COUNT_FACT(struct block_facts, logical_block_bytes),
	COUNT_FACT(struct block_facts, physical_block_bytes),
	COUNT_FACT(struct block_facts, minimum_io_bytes),
	COUNT_FACT(struct block_facts, optimal_io_bytes),
	COUNT_FACT(struct block_facts, alignment_offset_bytes),
	FLAG_FACT(struct block_facts, rotational),
	FLAG_FACT(struct block_facts, removable),
	FLAG_FACT(struct block_facts, read_only),
	TEXT_FACT(struct block_facts, zoned),
	COUNT_FACT(struct block_facts, partition_start_bytes),
	COUNT_FACT(struct block_facts, io_errors),
	TEXT_FACT(struct block_facts, map_name),
	TEXT_FACT(struct block_facts, map_kind),
	TEXT_FACT(struct block_facts, md_level),
	TEXT_FACT(struct block_facts, md_state),
	TEXT_FACT(struct block_facts, md_action),
	COUNT_FACT(struct block_facts, md_chunk_bytes),
	COUNT_FACT(struct block_facts, md_missing),
	TEXT_FACT(struct block_facts, bcache_mode),
	TEXT_FACT(struct block_facts, backing_file),
	FLAG_FACT(struct block_facts, loop_direct),
	TEXT_FACT(struct block_facts, compressor),
};

FACT_TABLE(block_table, block_rows);

static const struct fact queue_rows[] = {
	TEXT_FACT(struct queue_facts, scheduler),
	TEXT_FACT(struct queue_facts, schedulers),
	COUNT_FACT(struct queue_facts, requests),
	COUNT_FACT(struct queue_facts, device_depth),
	COUNT_FACT(struct queue_facts, hardware_queues),
	COUNT_FACT(struct queue_facts, poll_queues),
	COUNT_FACT(struct queue_facts, read_ahead_bytes),
	COUNT_FACT(struct queue_facts, io_max_bytes),
	TEXT_FACT(struct queue_facts, write_cache),
	FLAG_FACT(struct queue_facts, fua),
	COUNT_FACT(struct queue_facts, write_back_throttle_us),
	COUNT_FACT(struct queue_facts, no_merges),
	COUNT_FACT(struct queue_facts, completion_affinity),
	FLAG_FACT(struct queue_facts, polling),
	COUNT_FACT(struct queue_facts, discard_granularity_bytes),
	COUNT_FACT(struct queue_facts, discard_max_bytes),
	FLAG_FACT(struct queue_facts, iostats),
};

FACT_TABLE(queue_table, queue_rows);

/* What a disk's device says of itself; nvme has it in the controller above. */
static const char *told(struct survey *s, dev_t disk, const char *name)
{
	const char *text = survey_text(s, NODE "/device/%s", AT(disk), name);
	return text ? text : survey_text(s, NODE "/%s", AT(disk), name);
}

static const char *find_transport(struct survey *s, dev_t disk, const char *name)
{
	static const struct {
		const char *subsystem, *name;
	} kinds[] = {{"nvme", "nvme"}, {"virtio", "virtio"}, {"usb", "usb"}, {"mmc", "mmc"},
		{"xen", "xen"}, {"ata_port", "sata"}, {"sas_port", "sas"}, {"fc_host", "fc"},
		{"iscsi_session", "iscsi"}, {"nd", "pmem"}, {"ubd", "ubd"}};
	const char *nvme = str_starts(name, "nvme")
				   ? survey_text(s, NODE "/device/transport", AT(disk))
				   : NULL;

	if (nvme)
		return strcmp(nvme, "pcie") == 0 ? "nvme"
						 : survey_printf(s, "nvme over %s", nvme);
	for (unsigned up = 0; up < SURVEY_UP_MAX; up++) {
		const char *subsystem = survey_link(s, NODE SURVEY_ABOVE "/subsystem", AT(disk),
			SURVEY_UP(up));
		for (size_t i = 0; subsystem && i < COUNT_OF(kinds); i++)
			if (strcmp(subsystem, kinds[i].subsystem) == 0)
				return kinds[i].name;
		if (sysroot_has(s->root, NODE SURVEY_ABOVE "/ata_port", AT(disk),
			    SURVEY_UP(up)))
			return "sata";
	}
	return NULL;
}

static void find_identity(struct survey *s, dev_t disk, struct block_facts *b)
{
	b->model = told(s, disk, "model");
	b->vendor = survey_text(s, NODE "/device/vendor", AT(disk));
	if (b->vendor && str_starts(b->vendor, "0x")) /* of virtio: a number */
		b->vendor = NULL;
	b->firmware = told(s, disk, "firmware_rev");
	if (!b->firmware)
		b->firmware = told(s, disk, "rev");
	b->serial = told(s, disk, "serial");
	b->wwid = told(s, disk, "wwid");
	b->removable = survey_count(s, NODE "/removable", AT(disk));
	b->zoned = survey_text(s, NODE "/queue/zoned", AT(disk));
	b->rotational = survey_count(s, NODE "/queue/rotational", AT(disk));
	b->logical_block_bytes = survey_count(s, NODE "/queue/logical_block_size", AT(disk));
	b->physical_block_bytes = survey_count(s, NODE "/queue/physical_block_size", AT(disk));
	b->minimum_io_bytes = survey_count(s, NODE "/queue/minimum_io_size", AT(disk));
	b->optimal_io_bytes = survey_count(s, NODE "/queue/optimal_io_size", AT(disk));
	const char *errors = survey_text(s, NODE "/device/ioerr_cnt", AT(disk));
	if (errors)
		sscanf(errors, "%" SCNx64, &b->io_errors);
}

/* "CRYPT-LUKS2-...", "LVM-...", "mpath-...". */
static const char *map_kind(const char *uuid)
{
	static const struct {
		const char *prefix, *name;
	} kinds[] = {{"CRYPT-", "crypt"}, {"LVM-", "lvm"}, {"mpath-", "multipath"},
		{"part", "partition"}, {"DMRAID-", "raid"}, {"VDO-", "vdo"},
		{"stratis-", "stratis"}};

	for (size_t i = 0; uuid && i < COUNT_OF(kinds); i++)
		if (str_starts(uuid, kinds[i].prefix))
			return kinds[i].name;
	return "mapped";
}

static void find_stacked(struct survey *s, dev_t rdev, struct block_facts *b)
{
	b->map_name = survey_text(s, NODE "/dm/name", AT(rdev));
	if (b->map_name)
		b->map_kind = map_kind(survey_text(s, NODE "/dm/uuid", AT(rdev)));
	b->md_level = survey_text(s, NODE "/md/level", AT(rdev));
	if (b->md_level) {
		b->md_state = survey_text(s, NODE "/md/array_state", AT(rdev));
		b->md_action = survey_text(s, NODE "/md/sync_action", AT(rdev));
		b->md_chunk_bytes = survey_count(s, NODE "/md/chunk_size", AT(rdev));
		b->md_missing = survey_count(s, NODE "/md/degraded", AT(rdev));
	}
	b->bcache_mode = survey_chosen(s, survey_text(s, NODE "/bcache/cache_mode", AT(rdev)));
	b->backing_file = survey_text(s, NODE "/loop/backing_file", AT(rdev));
	if (b->backing_file)
		b->loop_direct = survey_count(s, NODE "/loop/dio", AT(rdev));
	b->compressor = survey_chosen(s, survey_text(s, NODE "/comp_algorithm", AT(rdev)));
}

void block_find(struct survey *s, dev_t rdev, struct block_facts *ret)
{
	struct device self, disk;
	struct block_facts b;

	facts_forget(&block_table, &b);
	*ret = b;
	if (device_find(s->root, rdev, &self) < 0 || device_whole(s->root, rdev, &disk) < 0)
		return;
	b.name = survey_copy(s, self.name);
	b.number = survey_printf(s, "%u:%u", AT(rdev));
	b.size_bytes = mul_capped(survey_count(s, NODE "/size", AT(rdev)), 512);
	b.alignment_offset_bytes = survey_count(s, NODE "/alignment_offset", AT(rdev));
	b.read_only = survey_count(s, NODE "/ro", AT(rdev));
	if (device_is_partition(s->root, rdev)) {
		b.partition_start_bytes = mul_capped(survey_count(s, NODE "/start", AT(rdev)),
			512);
		b.logical_block_bytes = survey_count(s, NODE "/queue/logical_block_size",
			AT(disk.rdev));
		b.physical_block_bytes = survey_count(s, NODE "/queue/physical_block_size",
			AT(disk.rdev));
	} else {
		find_identity(s, rdev, &b);
		b.transport = find_transport(s, rdev, self.name);
		find_stacked(s, rdev, &b);
	}
	*ret = b;
}

/* ---- its queue ---- */

static uint64_t count_entries(struct survey *s, dev_t rdev, const char *folder)
{
	DIR *dir = sysroot_dir(s->root, NODE "/%s", AT(rdev), folder);
	uint64_t count = 0;

	while (dir && sysroot_next(dir))
		count++;
	if (dir)
		closedir(dir);
	return count ? count : FACT_UNKNOWN;
}

void queue_find(struct survey *s, dev_t rdev, struct queue_facts *ret)
{
	struct queue_facts q;
	struct device self;

	facts_forget(&queue_table, &q);
	q.schedulers = survey_text(s, NODE "/queue/scheduler", AT(rdev));
	q.scheduler = survey_chosen(s, q.schedulers);
	q.requests = survey_count(s, NODE "/queue/nr_requests", AT(rdev));
	q.device_depth = survey_count(s, NODE "/device/queue_depth", AT(rdev));
	q.hardware_queues = count_entries(s, rdev, "mq");
	if (device_find(s->root, rdev, &self) == 0 && str_starts(self.name, "nvme"))
		q.poll_queues = survey_count(s, "/sys/module/nvme/parameters/poll_queues");
	q.read_ahead_bytes = mul_capped(survey_count(s, NODE "/queue/read_ahead_kb", AT(rdev)),
		1024);
	q.io_max_bytes = mul_capped(survey_count(s, NODE "/queue/max_sectors_kb", AT(rdev)),
		1024);
	q.write_cache = survey_text(s, NODE "/queue/write_cache", AT(rdev));
	q.fua = survey_count(s, NODE "/queue/fua", AT(rdev));
	q.write_back_throttle_us = survey_count(s, NODE "/queue/wbt_lat_usec", AT(rdev));
	q.no_merges = survey_count(s, NODE "/queue/nomerges", AT(rdev));
	q.completion_affinity = survey_count(s, NODE "/queue/rq_affinity", AT(rdev));
	q.polling = survey_count(s, NODE "/queue/io_poll", AT(rdev));
	q.discard_granularity_bytes = survey_count(s, NODE "/queue/discard_granularity",
		AT(rdev));
	q.discard_max_bytes = survey_count(s, NODE "/queue/discard_max_bytes", AT(rdev));
	q.iostats = survey_count(s, NODE "/queue/iostats", AT(rdev));
	*ret = q;
}
