/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "run/settle.h"

#include "base/bits.h"
#include "base/err.h"
#include "plan/plan.h"
#include "sys/cgroup.h"
#include "sys/identity.h"
#include "sys/ioprio.h"
#include "sys/machine.h"
#include "sys/numa.h"
#include "sys/sysroot.h"

#include <errno.h>
#include <limits.h>

static int settle_nodes(const struct plan_place *pp, struct err *reterr)
{
	uint64_t bits[LIMIT_CPUS / 64] = {0};
	uint64_t any = 0;
	int rc;

	if (pp->numa_cpus) {
		rc = numa_cpus(&sysroot_real, pp->numa_cpus, bits, COUNT_OF(bits));
		for (size_t i = 0; i < COUNT_OF(bits); i++) {
			if (pp->cpus.count)
				bits[i] &= pp->cpus.bits[i];
			any |= bits[i];
		}
		if (rc == 0 && !any)
			return err_set(reterr, -EINVAL,
				"numa_cpu_nodes: none of the CPUs of cpus_allowed is on these nodes");
		if (rc == 0)
			rc = machine_cpus_set(bits, COUNT_OF(bits));
		if (rc < 0)
			return err_sys(reterr, rc,
				"numa_cpu_nodes: the CPUs of these nodes can't be used here");
	}
	if (!pp->numa_given)
		return 0;
	rc = numa_set_policy((enum numa_mode)pp->numa_mode, pp->numa_nodes);
	return rc < 0 ? err_sys(reterr, rc, "numa_mem_policy: the kernel refuses it") : 0;
}

static int settle_group(const struct plan_process *p, struct err *reterr)
{
	char path[PATH_MAX];

	if (!p->cgroup)
		return 0;
	int rc = cgroup_path(&sysroot_real, p->cgroup, path, sizeof(path), reterr);
	return rc < 0 ? rc : cgroup_join(path, p->cgroup_weight, reterr);
}

static int settle_prio(const struct plan_process *p, struct err *reterr)
{
	int rc = p->prio_given ? ioprio_set_thread(p->ioprio) : 0;

	if (rc == -EPERM)
		return err_set(reterr, rc,
			"prioclass=%u: this class needs root (CAP_SYS_ADMIN or CAP_SYS_NICE); use "
			"prioclass=2",
			ioprio_class_of(p->ioprio));
	if (rc < 0)
		return err_sys(reterr, rc,
			"prioclass=%u, prio=%u, priohint=%u: the kernel refuses it",
			ioprio_class_of(p->ioprio), ioprio_level_of(p->ioprio),
			ioprio_hint_of(p->ioprio));
	return 0;
}

static int settle_identity(const struct plan_process *p, struct err *reterr)
{
	int rc = identity_take(p->uid_given ? &p->uid : NULL, p->gid_given ? &p->gid : NULL);

	if (rc < 0)
		return err_sys(reterr, rc, "%s=%u: can't become that%s",
			p->uid_given ? "uid" : "gid", p->uid_given ? p->uid : p->gid,
			rc == -EPERM ? "; run as root" : "");
	return 0;
}

int settle(const struct plan_worker *pw, struct err *reterr)
{
	const struct plan_process *p = &pw->process;
	int rc = settle_nodes(&pw->place, reterr);

	if (rc == 0)
		rc = settle_group(p, reterr);
	if (rc == 0)
		rc = settle_prio(p, reterr);
	if (rc == 0 && p->comm)
		identity_name(p->comm);
	return rc == 0 ? settle_identity(p, reterr) : rc;
}
