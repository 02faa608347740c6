/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* The PCI device (or whatever has an address) above a disk. */
#include "base/bits.h"
#include "base/str.h"
#include "sys/block.h"
#include "sys/survey.h"
#include "sys/sysroot.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#define IRQS_MAX 64 /* that are looked at */

static const struct fact controller_rows[] = {
	TEXT_FACT(struct controller_facts, address),
	TEXT_FACT(struct controller_facts, driver),
	TEXT_FACT(struct controller_facts, link_speed),
	TEXT_FACT(struct controller_facts, link_speed_possible),
	COUNT_FACT(struct controller_facts, link_width),
	COUNT_FACT(struct controller_facts, link_width_possible),
	COUNT_FACT(struct controller_facts, numa_node),
	TEXT_FACT(struct controller_facts, numa_cpus),
	COUNT_FACT(struct controller_facts, interrupts),
	TEXT_FACT(struct controller_facts, interrupt_cpus),
	TEXT_FACT(struct controller_facts, port_speed),
	TEXT_FACT(struct controller_facts, port_speed_limit),
	TEXT_FACT(struct controller_facts, link_power),
	TEXT_FACT(struct controller_facts, aspm),
	FLAG_FACT(struct controller_facts, runtime_power),
};

FACT_TABLE(controller_table, controller_rows);

/* The nearest folder above the disk that is a PCI device, which has a `class` and an
 * `irq`; a disk of nvme multipath hangs below a subsystem, which links its controllers.
 * False: there is none. */
static bool find_folder(struct survey *s, dev_t rdev, char *buf, size_t size)
{
	char disk[64], base[160];

	snprintf(disk, sizeof(disk), "/sys/dev/block/%u:%u", major(rdev), minor(rdev));
	snprintf(base, sizeof(base), "%s", disk);
	DIR *dir = sysroot_dir(s->root, "%s/device", disk);
	const char *name;
	unsigned number;
	int end;
	while (dir && (name = sysroot_next(dir)))
		if (sscanf(name, "nvme%u%n", &number, &end) == 1 && !name[end] &&
			sysroot_has(s->root, "%s/device/%s/device/class", disk, name))
			snprintf(base, sizeof(base), "%s/device/nvme%u", disk, number);
	if (dir)
		closedir(dir);
	snprintf(buf, size, "%s", base);
	for (unsigned up = 0; up < SURVEY_UP_MAX; up++) {
		if (sysroot_has(s->root, "%s/class", buf) &&
			sysroot_has(s->root, "%s/irq", buf))
			return true;
		size_t len = strlen(buf);
		if (len + 4 > size)
			return false;
		snprintf(buf + len, size - len, "/..");
	}
	return false;
}

/* "0-3" when all may go there, else "0; 1; 2". */
static void find_interrupts(struct survey *s, const char *folder, struct controller_facts *c)
{
	struct str out = {0};
	char last[64] = "";
	DIR *dir = sysroot_dir(s->root, "%s/msi_irqs", folder);
	const char *name;
	uint64_t count = 0;

	while (dir && (name = sysroot_next(dir))) {
		char cpus[64];
		if (count++ >= IRQS_MAX ||
			sysroot_text(s->root, cpus, sizeof(cpus),
				"/proc/irq/%s/effective_affinity_list", name) < 0 ||
			strcmp(cpus, last) == 0)
			continue;
		snprintf(last, sizeof(last), "%s", cpus);
		str_addf(&out, "%s%s", out.len ? "; " : "", cpus);
	}
	if (dir)
		closedir(dir);
	if (count)
		c->interrupts = count;
	if (out.len)
		c->interrupt_cpus = survey_copy(s, str_text(&out));
	str_done(&out);
}

#define NODE      "/sys/dev/block/%u:%u"
#define AT(rdev)  major(rdev), minor(rdev)
#define LINK_NAME 64

/* "link1" of FOLDER/link1/ata_link; false: FOLDER is no port of ATA. */
static bool find_ata_link(struct survey *s, dev_t rdev, unsigned up, char name[LINK_NAME])
{
	DIR *dir = sysroot_dir(s->root, NODE SURVEY_ABOVE, AT(rdev), SURVEY_UP(up));
	const char *one;
	bool found = false;

	while (dir && !found && (one = sysroot_next(dir))) {
		found = str_starts(one, "link") && strlen(one) < LINK_NAME &&
			sysroot_has(s->root, NODE SURVEY_ABOVE "/%s/ata_link", AT(rdev),
				SURVEY_UP(up), one);
		if (found)
			snprintf(name, LINK_NAME, "%s", one);
	}
	if (dir)
		closedir(dir);
	return found;
}

static const char *known_speed(const char *text)
{
	return text && *text >= '0' && *text <= '9' ? text : NULL;
}

/* The nearest port of ATA or device of USB above the disk. */
static void find_port(struct survey *s, dev_t rdev, struct controller_facts *c)
{
	char name[LINK_NAME];

	for (unsigned up = 2; up < SURVEY_UP_MAX && !c->port_speed; up++) {
		if (sysroot_has(s->root, NODE SURVEY_ABOVE "/bDeviceClass", AT(rdev),
			    SURVEY_UP(up))) {
			const char *speed = known_speed(survey_text(s,
				NODE SURVEY_ABOVE "/speed", AT(rdev), SURVEY_UP(up)));
			c->port_speed = speed ? survey_printf(s, "%s Mb/s", speed) : NULL;
			return;
		}
		if (!find_ata_link(s, rdev, up, name))
			continue;
		c->port_speed = known_speed(survey_text(s,
			NODE SURVEY_ABOVE "/%s/ata_link/%s/sata_spd", AT(rdev), SURVEY_UP(up),
			name, name));
		c->port_speed_limit = known_speed(survey_text(s,
			NODE SURVEY_ABOVE "/%s/ata_link/%s/sata_spd_limit", AT(rdev),
			SURVEY_UP(up), name, name));
		return;
	}
}

static const char *find_link_power(struct survey *s, dev_t rdev)
{
	for (unsigned up = 0; up < SURVEY_UP_MAX; up++) {
		DIR *dir = sysroot_dir(s->root,
			"/sys/dev/block/%u:%u" SURVEY_ABOVE "/scsi_host", major(rdev),
			minor(rdev), SURVEY_UP(up));
		const char *host = dir ? sysroot_next(dir) : NULL;
		const char *found = host ? survey_text(s, "/sys/class/scsi_host/%s/%s", host,
						   "link_power_management_policy")
					 : NULL;
		if (dir)
			closedir(dir);
		if (found)
			return found;
	}
	return NULL;
}

void controller_find(struct survey *s, dev_t rdev, struct controller_facts *ret)
{
	struct controller_facts c;
	char folder[256];

	facts_forget(&controller_table, &c);
	c.link_power = find_link_power(s, rdev);
	find_port(s, rdev, &c);
	if (find_folder(s, rdev, folder, sizeof(folder))) {
		const char *event = survey_load(s, "%s/uevent", folder);
		const char *slot = event ? strstr(event, "PCI_SLOT_NAME=") : NULL;
		if (slot)
			c.address = survey_printf(s, "%.*s", (int)strcspn(slot + 14, "\n"),
				slot + 14);
		c.driver = survey_link(s, "%s/driver", folder);
		c.link_speed = survey_text(s, "%s/current_link_speed", folder);
		c.link_speed_possible = survey_text(s, "%s/max_link_speed", folder);
		c.link_width = survey_count(s, "%s/current_link_width", folder);
		c.link_width_possible = survey_count(s, "%s/max_link_width", folder);
		c.numa_node = survey_count(s, "%s/numa_node", folder);
		c.numa_cpus = survey_text(s, "%s/local_cpulist", folder);
		c.aspm = survey_chosen(s,
			survey_text(s, "/sys/module/pcie_aspm/parameters/policy"));
		const char *power = survey_text(s, "%s/power/control", folder);
		if (power)
			c.runtime_power = strcmp(power, "auto") == 0;
		find_interrupts(s, folder, &c);
	}
	*ret = c;
}
