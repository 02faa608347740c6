/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Facts about one block device, by its device number: what it is, how its queue is set, and
 * where its controller is.  Through struct sysroot, from sysfs. */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "base/fact.h"

struct survey;

/* What it is.  A partition has its own size and start, the rest of its disk. */
struct block_facts {
	const char *name;   /* the kernel's, '/' in it is '!'                      */
	const char *number; /* "8:1", as control groups name it                   */
	const char *model, *vendor, *firmware;
	const char *serial, *wwid; /* secret                                    */
	const char *transport;     /* "nvme", "virtio", "sata", "usb", ...           */
	uint64_t size_bytes;
	uint64_t logical_block_bytes, physical_block_bytes;
	uint64_t minimum_io_bytes, optimal_io_bytes;
	uint64_t alignment_offset_bytes;
	uint64_t rotational, removable, read_only; /* flags                     */
	const char *zoned;
	uint64_t partition_start_bytes;
	uint64_t io_errors; /* that a SCSI disk counted                        */
	/* of what it is built of */
	const char *map_name, *map_kind; /* device mapper: "vg-data", "lvm"     */
	const char *md_level, *md_state, *md_action;
	uint64_t md_chunk_bytes, md_missing; /* degraded: so many members       */
	const char *bcache_mode;
	const char *backing_file; /* of a loop device                           */
	uint64_t loop_direct;     /* flag: it reads and writes it directly      */
	const char *compressor;   /* zram                                       */
};

/* How its request queue is set: /sys/block/NAME/queue, of a partition that of its disk. */
struct queue_facts {
	const char *scheduler, *schedulers;
	uint64_t requests;     /* nr_requests                              */
	uint64_t device_depth; /* that a SCSI disk is given at a time      */
	uint64_t hardware_queues;
	uint64_t poll_queues; /* of the nvme driver                       */
	uint64_t read_ahead_bytes, io_max_bytes;
	const char *write_cache;
	uint64_t fua;                            /* flag                                     */
	uint64_t write_back_throttle_us;         /* wbt_lat_usec; 0: off               */
	uint64_t no_merges, completion_affinity; /* nomerges, rq_affinity        */
	uint64_t polling;                        /* flag: io_poll                            */
	uint64_t discard_granularity_bytes, discard_max_bytes;
	uint64_t iostats; /* flag                                     */
};

/* What it hangs on: the nearest PCI device above it, or whatever else has an address. */
struct controller_facts {
	const char *address; /* of the PCI device                        */
	const char *driver;
	const char *link_speed, *link_speed_possible; /* "16.0 GT/s PCIe"       */
	uint64_t link_width, link_width_possible;
	uint64_t numa_node;
	const char *numa_cpus; /* CPUs near it                             */
	uint64_t interrupts;
	const char *interrupt_cpus; /* where they may go: "0-3", "0; 1; 2"      */
	/* Of the cable: SATA's as it is and the limit that is known of, USB's: "3.0 Gbps", "480
	 * Mb/s" */
	const char *port_speed, *port_speed_limit;
	const char *link_power; /* link_power_management_policy             */
	const char *aspm;       /* the kernel's policy                      */
	uint64_t runtime_power; /* flag: it may be suspended when idle      */
};

extern const struct fact_table block_table, queue_table, controller_table;

/* Each fills all it finds about RDEV. */
void block_find(struct survey *s, dev_t rdev, struct block_facts *ret);
void queue_find(struct survey *s, dev_t rdev, struct queue_facts *ret);
void controller_find(struct survey *s, dev_t rdev, struct controller_facts *ret);
