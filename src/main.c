/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* weir: an I/O workload generator and storage benchmark that takes fio's place.
 *
 * The map of the tree.  One pipeline, a folder a stage, and a folder includes
 * only folders above it in this list:
 *
 *   base/     errors, scope cleanup, arenas, strings, JSON writing, random bits
 *   sys/      Linux: clock, CPUs, block devices, file systems, marks on files
 *   opt/      options as data: types, rows, groups; knows no job
 *   stat/     histograms, moments, series; pure
 *   gen/      what comes next: offsets, sizes, mixes, data, arrivals; pure, seeded
 *   trace/    logs of I/Os: fio's and blktrace's, read and written
 *   verify/   what was written, and whether it came back: checksums, units, states
 *   engine/   who does the I/O: engine.h and one file an engine; shims wrap them
 *   result/   what was seen: the one model of a measurement
 *   job/      what was asked:   job files and command line    -> struct job_set
 *   plan/     what will be done: jobs and the machine's facts  -> struct plan
 *   run/      doing it: supervisor, workers, phases            -> struct result
 *   report/   result to text, one file a format
 *   cmd/      what was typed, to the right stage; the only one that prints
 *
 *   text --> job --> plan --> run --> result --> report     (cmd/run.c: cmd_run)
 *
 * A value's way through it: an option is a row beside the struct it fills
 * (plan/ and its likes), an I/O goes from gen/ through engine/ into stat/, a
 * reported number from result/ into each report.  docs/internals/architecture.md
 * walks all three. */
#include "cmd/cmd.h"
#include "cmd/face.h"
#include "cmd/output.h"
#include "sys/clock.h"

int main(int argc, char **argv)
{
	struct cmd_call call = {.started_ns = clock_kernel_ns()};
	output_guard_streams();

	call.face = face_choose(argc, argv);
	if (!call.face)
		return STATUS_REFUSED;
	if (argc > 1) {
		call.argc = argc - 1;
		call.argv = argv + 1;
	}
	const struct verb *verb = verb_choose(&call);
	return output_status(verb ? verb->main(&call) : STATUS_REFUSED);
}
