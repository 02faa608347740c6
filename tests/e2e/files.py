#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""What is done to files and how they are opened, seen by strace and by what is left."""
import os
import subprocess
import sys

from harness import WEIR, Skip, check, engines_here, need_command, run_all, weir

JOB = ["--name=a", "--size=64k", "--rw=write", "--ioengine=psync"]


def trace(s, calls, *args):
    """The system calls of a run, a line each."""
    need_command("strace")
    p = subprocess.run(["strace", "-f", "-e", f"trace={calls}", "-o", s.path("trace"), WEIR, *args],
                       cwd=s.dir, capture_output=True, text=True, check=False, timeout=60)
    if "ptrace" in p.stderr:
        raise Skip(f"strace: {p.stderr.strip()}")
    check(p.returncode == 0, p.stderr)
    with open(s.path("trace"), encoding="utf-8", errors="replace") as f:
        return f.read().splitlines()


def count(lines, *parts):
    return sum(all(part in line for part in parts) for line in lines)


def test_write_hint(s):
    for hint, value in ("short", 2), ("extreme", 5):
        lines = trace(s, "fcntl", *JOB, f"--write_hint={hint}")
        names = ("F_SET_RW_HINT", "0x40c")
        got = [x for x in lines if any(n in x for n in names) and "= 0" in x]
        check(got, f"no hint {hint} was set:\n" + "\n".join(lines))
    lines = trace(s, "fcntl", *JOB)
    check(not any("HINT" in x or "0x40c" in x for x in lines), "a hint that nobody asked for")
    lines = trace(s, "fcntl", "--name=a", "--size=64k", "--rw=read", "--write_hint=long")
    check(not any("HINT" in x or "0x40c" in x for x in lines), "a reader set a hint")


def test_pre_read(s):
    weir(s, *JOB)
    lines = trace(s, "read,fadvise64", "--name=a", "--size=64k", "--rw=read", "--pre_read=1")
    check(count(lines, "read(", "= 65536") == 1, "the file wasn't read once in full")
    check(count(lines, "DONTNEED") == 0, "its pages were dropped again")


def test_unlink_each_loop(s):
    lines = trace(s, "unlink", *JOB, "--loops=3", "--unlink_each_loop=1")
    check(count(lines, 'unlink("a.0.0") = 0') + count(lines, 'unlink("a.0.0")  ') == 2, lines)
    check(os.path.getsize(s.path("a.0.0")) == 65536, "the last loop's file is there")


def test_unlink_each_loop_spares_others(s):
    path = s.file("mine", 65536, 7)
    inode = os.stat(path).st_ino
    weir(s, "--compat=fio", "--name=a", "--filename=mine", "--size=64k", "--rw=write", "--loops=3",
         "--unlink_each_loop=1", "--unlink=1")
    check(os.stat(path).st_ino == inode, "a file that weir didn't make was removed")
    p = weir(s, "--name=a", "--filename=mine", "--size=64k", "--rw=read", "--loops=3",
             "--unlink_each_loop=1", status=1)
    check("nothing to read" in p.stderr, p.stderr)
    weir(s, "--name=a", "--filename=mine", "--size=64k", "--rw=read", "--unlink_each_loop=1")


def test_sync_file_range_covers_what_was_written(s):
    lines = trace(s, "sync_file_range", *JOB, "--bs=4k", "--sync_file_range=wait_before,write:4")
    check(count(lines, "0, 16384, SYNC_FILE_RANGE_WAIT_BEFORE|SYNC_FILE_RANGE_WRITE") == 1, lines)
    check(count(lines, ", 16384, 16384,") == 1 and count(lines, "sync_file_range(") == 3, lines)


def test_end_syncfs(s):
    lines = trace(s, "syncfs", *JOB, "--nrfiles=4", "--loops=2", "--end_syncfs=1")
    check(count(lines, "syncfs(") == 2, "one for each loop, not for each file: " + repr(lines))


def test_filetype(s):
    s.file("f", 65536, 1)
    weir(s, "--name=a", "--filename=f", "--rw=read", "--filetype=file")
    p = weir(s, "--name=a", "--filename=f", "--rw=read", "--filetype=block", status=1)
    check("is a regular file, not a block device" in p.stderr, p.stderr)
    p = weir(s, "--name=a", "--filename=none", "--rw=read", "--size=4k", "--filetype=char", status=1)
    check("is not there" in p.stderr and not os.path.exists(s.path("none")), p.stderr)


def test_atomic(s):
    p = weir(s, *JOB, "--atomic=1", status=1)
    check("can't write atomically" in p.stderr, p.stderr)
    weir(s, "--name=a", "--size=64k", "--rw=read", "--atomic=1")  # a reader has no use for it
    for engine in engines_here(("pvsync2", "libaio", "io_uring")):
        p = weir(s, "--name=b", "--size=64k", "--rw=write", f"--ioengine={engine}", "--direct=1",
                 "--atomic=1", status=None)
        check(p.returncode == 0 or "leave out atomic" in p.stderr, p.stderr)
    for bs, words in ("4k", "leave out atomic"), ("512", "use bs=4k"):
        p = weir(s, "--name=c", "--size=64k", "--rw=write", "--ioengine=fault(pvsync2)", "--direct=1",
                 "--atomic=1", f"--bs={bs}", "--fault_script=write@nth:1:EINVAL", status=1)
        check(words in p.stderr, p.stderr)


if __name__ == "__main__":
    sys.exit(run_all(globals()))
