/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Nothing lost, nobody hurt: what a run may not do, checked for the whole plan
 * before anything is touched.
 *
 *   block device, written or trimmed
 *       used (mounted, swap, held, one of its partitions, its disk): refused;
 *       as fio `allow_mounted_write` lets a mounted one pass
 *       signature or partition table: native needs --destroy, as fio a warning
 *   regular file
 *       read and too small: extended when weir made it or the run writes it
 *       anyway, else refused; written, not empty and not weir's: native needs
 *       --destroy
 *   missing file on the file system of the device nodes, a directory, a device
 *       smaller than asked, any change with --readonly: refused
 *
 * Targets of engines that open no files are nobody's business here.  Called by
 * the supervisor; a device is read in a forked helper, so that one that hangs
 * can't hang the run. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct err;
struct plan;
struct plan_worker;
struct run_how;
struct sysroot;

/* 0, or a negative errno with the first reason against in *reterr; warnings go to
 * how->sink->message. */
int guard_check(const struct plan *plan, const struct run_how *how, struct err *reterr);

/* The same, with the devices of another machine. */
int guard_check_at(const struct sysroot *root, const struct plan *plan,
	const struct run_how *how, struct err *reterr);

/* Its engine works on files or devices: its targets are real. */
bool guard_opens_files(const struct plan_worker *w);

/* One exclusive claim per block device that a wave writes.  Held by descriptor:
 * processes forked while it is open hold it too, and may close their copy with
 * guard_claims_close(). */
struct guard_claims;

/* Fails when somebody else holds one; as fio that is only a warning, unless the
 * device turns out to be used. *ret is never NULL on success. */
int guard_claims_open(const struct plan *plan, uint32_t wave, const struct run_how *how,
	struct guard_claims **ret, struct err *reterr);
void guard_claims_close(struct guard_claims *claims);
