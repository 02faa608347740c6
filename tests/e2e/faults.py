#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Disks that fail, under a loop device: what verify makes of errors, of changed and lost data,
and of a device that is full.  Each is found and named, nothing else is, the exit status isn't
0, and the run ends in order."""
import subprocess

from disk import EIO, READ, WRITE, Disk
from harness import Skip, check, need_root, run_all, weir, weir_json

SIZE = 4 << 20
BAD = 77 * 4096
CHECK = ["--rw=randwrite", "--bs=4k", "--direct=1", "--verify=crc32c"]


def verify(s, dev, *args, status=1):
    doc, p = weir_json(s, "run", "--name=w", f"--filename={dev}", f"--destroy={dev}", *CHECK, *args,
                       status=status)
    return doc["jobs"][0], p


def touches(offset, n):
    return offset <= BAD < offset + n


ENGINES = (["--ioengine=psync"], ["--ioengine=io_uring", "--iodepth=16"])


def test_none(s):
    """Nothing wrong: nothing said."""
    disk = Disk(s, SIZE)
    for engine in ENGINES:
        job, p = verify(s, disk.dev, *engine, status=0)
        check(job["weir"]["verify"]["units"] == 1024 and not job["weir"]["verify"]["wrong"], p.stderr)


def test_failing_writes(s):
    """The write says so: an error, and its block isn't judged."""
    disk = Disk(s, SIZE)
    disk.fail = lambda kind, offset, n: EIO if kind == WRITE and touches(offset, n) else 0
    for engine in ENGINES:
        job, p = verify(s, disk.dev, *engine, "--continue_on_error=write", "--fsync=16", status=0)
        v = job["weir"]["verify"]
        check(not v["wrong"] and v["units"] == 1023 and job["total_err"] == 1, v)
        job, p = verify(s, disk.dev, *engine)
        check("Input/output error" in p.stderr and str(BAD) in p.stderr, p.stderr)
        check(job["error"] == EIO, job["error"])


def test_failing_reads(s):
    disk = Disk(s, SIZE)
    disk.fail = lambda kind, offset, n: EIO if kind == READ and touches(offset, n) else 0
    for engine in ENGINES:
        job, p = verify(s, disk.dev, *engine, "--continue_on_error=read", status=0)
        v = job["weir"]["verify"]
        # the kernel may have read its neighbours with it
        check(not v["wrong"] and 1024 - 64 <= v["units"] < 1024, v)
        check(job["total_err"] >= 1, job["total_err"])
        job, p = verify(s, disk.dev, *engine)
        check("Input/output error: read" in p.stderr and job["error"] == EIO, p.stderr)


def test_corrupting(s):
    """A bit on its way to the medium."""
    disk = Disk(s, SIZE)

    def flip(offset, data):
        if not touches(offset, len(data)):
            return data
        data = bytearray(data)
        data[BAD - offset + 1234] ^= 4
        return bytes(data)
    disk.change = flip
    for engine in ENGINES:
        job, p = verify(s, disk.dev, *engine, "--continue_on_error=verify")
        v = job["weir"]["verify"]
        check(v["wrong"] == 1 and v["units"] == 1024, v)
        f = v["faults"][0]
        check((f["offset"], f["guess"], f["first_difference"], f["different_bits"]) ==
              (BAD, "bit-flip", 1234, 1), f)
        check(f"{BAD}" in p.stderr and job["error"], p.stderr)


def test_lost_and_misplaced(s):
    """A write that never comes, and one that comes elsewhere."""
    disk = Disk(s, SIZE)
    plain = disk.write
    disk.write = lambda offset, data: None if touches(offset, len(data)) else plain(offset, data)
    job, _ = verify(s, disk.dev, "--continue_on_error=verify")
    f = job["weir"]["verify"]["faults"]
    check([(x["offset"], x["guess"]) for x in f] == [(BAD, "zeroes")], f)
    job, _ = verify(s, disk.dev, "--continue_on_error=verify", "--randseed=5")
    f = job["weir"]["verify"]["faults"]
    check([(x["offset"], x["guess"]) for x in f] == [(BAD, "zeroes")], f)
    disk.write = lambda offset, data: plain(offset + 4096 if touches(offset, len(data)) else offset,
                                            data)
    job, _ = verify(s, disk.dev, "--rw=write", "--continue_on_error=verify")
    f = job["weir"]["verify"]["faults"]
    check(f[0]["offset"] == BAD and f[0]["guess"] == "zeroes" and len(f) == 1, f)
    job, _ = verify(s, disk.dev, "--rw=write", "--io_size=2m", "--offset_align=4k", "--bs=4k",
                    "--continue_on_error=verify", "--rw=randwrite", "--randseed=3", status=None)
    for x in job["weir"]["verify"]["faults"]:
        check(x["offset"] in (BAD, BAD + 4096) and x["guess"] in ("zeroes", "misplaced"), x)


def test_errors_by_a_state(s):
    """What failed is not asked for after a power cut, and what can't be read isn't called right."""
    disk = Disk(s, SIZE)
    disk.fail = lambda kind, offset, n: EIO if kind == WRITE and touches(offset, n) else 0
    verify(s, disk.dev, "--continue_on_error=write", "--do_verify=0", "--verify_state=state",
           "--end_fsync=1", status=0)
    disk.fail = lambda kind, offset, n: 0
    doc, _ = weir_json(s, "run", "--verify-resume=state", "--bs=4k", "--direct=1")
    v = doc["jobs"][0]["weir"]["verify"]
    check(v["units"] == 1023 and v["unjudged"] == 1 and not v["wrong"], v)
    disk.fail = lambda kind, offset, n: EIO if kind == READ and touches(offset, n) else 0
    doc, p = weir_json(s, "run", "--verify-resume=state", "--bs=4k", "--direct=1",
                       "--continue_on_error=all", "--strict", status=125)
    v = doc["jobs"][0]["weir"]["verify"]
    check(v["resume"]["unread"] >= 1 and not v["wrong"], v)
    check(any(n["id"] == "not-verified" for n in doc["weir"]["notes"]), doc["weir"]["notes"])
    weir(s, "run", "--verify-resume=state", "--bs=4k", "--direct=1", status=1)


def test_full_tmpfs(s):
    """Writes go to the page cache of the loop device, and can't go on from there: the error
    comes at the sync."""
    need_root()
    where = s.tmpfs("2m")
    image = where + "/image"
    with open(image, "wb") as f:
        f.truncate(16 << 20)
    out = subprocess.run(["losetup", "-f", "--show", image], capture_output=True, text=True)
    if out.returncode:
        raise Skip("no loop device: " + out.stderr.strip())
    dev = out.stdout.strip()
    s.undo.append(lambda: subprocess.run(["losetup", "-d", dev], check=False))
    for sync in (["--end_fsync=1"], ["--fsync=256"]):
        job, p = verify(s, dev, "--direct=0", *sync)
        check(job["error"] and "fsync" in p.stderr, p.stderr)
        check(not job["weir"]["verify"]["wrong"], job["weir"]["verify"])
    # without a sync the page cache may still have it all, or not: but never silently less
    job, p = verify(s, dev, "--direct=1", status=1)
    check(job["error"], p.stderr)


if __name__ == "__main__":
    run_all(dict(globals()))
