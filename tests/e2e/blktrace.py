# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""A writer of blktrace's binary files, from linux/blktrace_api.h."""
import struct

READ, WRITE, FLUSH, SYNC, QUEUE, ISSUE, COMPLETE, FS = 1, 2, 4, 8, 0x10, 0x40, 0x80, 0x100
NOTIFY, DISCARD = 0x400, 0x2000
ACT_QUEUE, ACT_ISSUE, ACT_COMPLETE = 1, 7, 8
MAGIC = 0x65617407
SECOND = 10**9


class Writer:
    """Records of one device to files of several CPUs."""

    def __init__(self, name, cpus=2, order="<", device=(8, 16)):
        self.files = [open(f"{name}.blktrace.{i}", "wb") for i in range(cpus)]
        self.order = order
        self.device = device[0] << 20 | device[1]
        self.sequence = [0] * cpus

    def event(self, cpu, time_ns, sector, size, kinds, act, data=b""):
        self.sequence[cpu] += 1
        self.files[cpu].write(struct.pack(
            self.order + "IIQQIIIIIHH", MAGIC, self.sequence[cpu], time_ns, sector, size,
            kinds << 16 | act, 1234, self.device, cpu, 0, len(data)) + data)

    def request(self, cpu, time_ns, sector, size, kinds, took_ns=100_000):
        """Queued, issued, completed."""
        self.event(cpu, time_ns, sector, size, kinds | QUEUE | FS, ACT_QUEUE)
        self.event(cpu, time_ns + 5000, sector, size, kinds | ISSUE | FS, ACT_ISSUE)
        self.event(cpu, time_ns + took_ns, sector, size, kinds | COMPLETE | FS, ACT_COMPLETE)

    def message(self, cpu, time_ns, text):
        self.event(cpu, time_ns, 0, 0, NOTIFY, 2, text)

    def close(self):
        for f in self.files:
            f.close()
