/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/observe_drives.h"

#include "base/arena.h"
#include "base/bits.h"
#include "base/scope.h"
#include "result/environment.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- asking ---- */

static bool fits(const struct layer *l)
{
	return !strcmp(l->kind, "disk") && strlen(l->id) < 48;
}

void drives_list(const struct environment *e, struct drives_asked *q)
{
	*q = (struct drives_asked){.nvme_count = 0};
	for (uint32_t i = 0; i < e->stack.count; i++) {
		const struct layer *l = &e->stack.v[i];
		if (l->nvme && fits(l) && q->nvme_count < DRIVES_NVME) {
			snprintf(q->nvme_path[q->nvme_count], 64, "/dev/%s", l->id);
			q->nvme[q->nvme_count++] = i;
		}
		if (l->ata && fits(l) && q->ata_count < DRIVES_ATA) {
			snprintf(q->ata_path[q->ata_count], 64, "/dev/%s", l->id);
			q->ata[q->ata_count++] = i;
		}
	}
}

size_t drives_size(const struct drives_asked *q)
{
	return offsetof(struct drives_told, ata) + q->ata_count * ATA_TEXT;
}

void drives_ask(const struct drives_asked *q, struct drives_told *told)
{
	for (; told->nvme_done < q->nvme_count; told->nvme_done++)
		told->nvme_rc[told->nvme_done] = nvme_read_device(q->nvme_path[told->nvme_done],
			&told->nvme[told->nvme_done]);
	for (; told->ata_done < q->ata_count; told->ata_done++)
		told->ata_rc[told->ata_done] = ata_ask(q->ata_path[told->ata_done], ATA_SURE,
			told->ata[told->ata_done]);
}

/* ---- what grew ---- */

static double amplification(uint64_t host, uint64_t host_step, uint64_t media,
	uint64_t media_step)
{
	if (host == FACT_UNKNOWN || media == FACT_UNKNOWN || host < DRIVES_LEAST ||
		host / host_step < DRIVES_STEPS || media / media_step < DRIVES_STEPS)
		return (double)NAN;
	return (double)media / (double)host;
}

void drive_of_nvme(const struct nvme_raw *before, const struct nvme_raw *after,
	struct watch_drive *ret)
{
	uint64_t group = count_grown(after->group_written_bytes, before->group_written_bytes);
	uint64_t group_media = count_grown(after->group_media_written_bytes,
		before->group_media_written_bytes);

	ret->host_read_bytes = count_grown(after->read_bytes, before->read_bytes);
	ret->host_written_bytes = count_grown(after->written_bytes, before->written_bytes);
	ret->throttled = count_grown(count_sum(after->throttle_1_count,
					     after->throttle_2_count),
		count_sum(before->throttle_1_count, before->throttle_2_count));
	ret->hot_minutes = count_grown(count_sum(after->warning_minutes,
					       after->critical_minutes),
		count_sum(before->warning_minutes, before->critical_minutes));
	ret->media_errors = count_grown(after->media_errors, before->media_errors);
	ret->error_log_entries = count_grown(after->error_log_entries,
		before->error_log_entries);
	ret->temperature_c = after->temperature_c;
	ret->media_written_bytes = count_grown(after->media_written_bytes,
		before->media_written_bytes);
	ret->write_amplification = amplification(ret->host_written_bytes, NVME_DATA_UNIT,
		ret->media_written_bytes, NVME_DATA_UNIT);
	if (ret->media_written_bytes != FACT_UNKNOWN)
		return;
	/* In large steps, but of all controllers of the drive alike. */
	ret->media_written_bytes = group_media;
	ret->write_amplification = amplification(group, NVME_GROUP_UNIT, group_media,
		NVME_GROUP_UNIT);
}

static bool as_the_kernel(uint64_t host, uint64_t step, uint64_t kernel)
{
	double off = fabs((double)host - (double)kernel);

	return host != FACT_UNKNOWN && kernel != FACT_UNKNOWN &&
	       off <= 2 * (double)step + 0.1 * (double)kernel;
}

static void ata_media(const struct ata_facts *before, const struct ata_facts *after,
	uint64_t kernel_bytes, struct watch_drive *ret)
{
	uint64_t host = count_grown(after->host_written_bytes, before->host_written_bytes);
	uint64_t media = count_grown(after->media_written_bytes, before->media_written_bytes);
	uint64_t pages = count_grown(after->host_pages, before->host_pages);
	uint64_t own = count_grown(after->own_pages, before->own_pages);

	if (!as_the_kernel(host, after->host_step_bytes, kernel_bytes))
		return;
	ret->host_written_bytes = host;
	ret->media_written_bytes = media;
	if (media != FACT_UNKNOWN)
		ret->write_amplification = amplification(host, after->host_step_bytes, media,
			after->media_step_bytes);
	else if (host >= DRIVES_LEAST && own != FACT_UNKNOWN && pages != FACT_UNKNOWN &&
		 pages >= DRIVES_STEPS)
		ret->write_amplification = ((double)pages + (double)own) / (double)pages;
}

void drive_of_ata(const struct ata_facts *before, const struct ata_facts *after,
	uint64_t kernel_bytes, struct watch_drive *ret)
{
	ret->reallocated_sectors = count_grown(after->reallocated_sectors,
		before->reallocated_sectors);
	ret->pending_sectors = count_grown(after->pending_sectors, before->pending_sectors);
	ret->uncorrectable_sectors = count_grown(after->uncorrectable_sectors,
		before->uncorrectable_sectors);
	ret->link_errors = count_grown(after->link_errors, before->link_errors);
	ret->over_limit = count_grown(after->over_limit_count, before->over_limit_count);
	ret->temperature_c = after->temperature_c;
	ata_media(before, after, kernel_bytes, ret);
}

static struct watch_drive *begin(struct watch_drive *to, const char *name)
{
	facts_forget(&watch_drive_table, to);
	to->name = name;
	return to;
}

uint32_t drives_compare(const struct environment *e, const struct drives_asked *q,
	const struct drives_told *told, uint64_t (*written)(void *ctx, const char *disk),
	void *ctx, struct watch_drive *ret)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < MIN_OF(q->nvme_count, told->nvme_done); i++) {
		const struct layer *l = &e->stack.v[q->nvme[i]];
		if (told->nvme_rc[i] == 0)
			drive_of_nvme(&l->nvme->raw, &told->nvme[i],
				begin(&ret[count++], l->id));
	}
	for (uint32_t i = 0; i < MIN_OF(q->ata_count, told->ata_done); i++) {
		scope_with(arena_done) struct arena texts = {0};
		const struct layer *l = &e->stack.v[q->ata[i]];
		struct ata_facts after;
		const char *why;
		if (told->ata_rc[i] == 0 && ata_decode(&texts, told->ata[i], &after, &why) == 0)
			drive_of_ata(l->ata, &after, written(ctx, l->id),
				begin(&ret[count++], l->id));
	}
	return count;
}
