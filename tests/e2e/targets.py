#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""What single files of a job did: adds up to the job, in each loop, after a ramp, for several
jobs, and through an import."""
import contextlib
import json
import os
import socket
import subprocess
import threading
import tty

from harness import WEIR, check, engines_here, run_all, weir, weir_json

BASE = ("--bs=4k", "--size=3m")


def sums(row, name):
    of = row["weir"]
    for d in ("read", "write", "trim"):
        for key in ("ios", "bytes", "errors", "lat_samples"):
            total = sum(t.get(d, {}).get(key, 0) for t in of["targets"])
            want = of.get(d, {}).get(key, 0)
            check(total == want, f"{name}: {d} {key} of targets {total}, of the job {want}")


def test_sums(s):
    """768 blocks in 3 files, round robin: 256 each."""
    for more in engines_here((
            ("--ioengine=psync", "--rw=read"), ("--ioengine=io_uring", "--iodepth=8", "--rw=read"),
            ("--ioengine=psync", "--io_submit_mode=offload", "--iodepth=4", "--rw=read"))):
        doc, _ = weir_json(s, "--name=t", "--nrfiles=3", *BASE, *more)
        row = doc["jobs"][0]
        sums(row, more)
        got = {t["target"]: t["read"]["ios"] for t in row["weir"]["targets"]}
        check(got == {"t.0.0": 256, "t.0.1": 256, "t.0.2": 256}, f"{more}: {got}")


def test_ramp_and_mix(s):
    """What a ramp did is in no target; a ramp that counted would show here."""
    for depth in ("1", "4"):
        doc, _ = weir_json(s, "--name=t", "--filename=a:b", *BASE, "--rw=randrw", "--norandommap",
                           "--ramp_time=200ms", "--runtime=1", "--time_based", "--ioengine=null",
                           f"--iodepth={depth}", "--rate_iops=500,500")
        sums(doc["jobs"][0], f"depth {depth}")


def test_group(s):
    """Two jobs with a file in common: the group has three, the common one's counts added. The
    import keeps both."""
    weir(s, "--output-format=json", "--output=doc", *BASE, "--rw=read", "--ioengine=null",
         "--name=x", "--filename=a:b", "--name=y", "--filename=b:c")
    again = subprocess.run([WEIR, "show", "doc", "--output-format=json"], cwd=s.dir, check=True,
                           capture_output=True, text=True).stdout
    with open(s.path("doc"), encoding="utf-8") as f:
        docs = [json.load(f), json.loads(again)]
    for doc in docs:
        group = doc["weir"]["groups"][0]["targets"]
        got = {t["target"]: t["read"]["ios"] for t in group}
        check(got == {"a": 384, "b": 768, "c": 384}, f"{got}")
    check(docs[0]["jobs"][0]["weir"]["targets"] == docs[1]["jobs"][0]["weir"]["targets"],
          "the import changed targets")


def test_errors(s):
    """The second file ends early: its reads fail, the first one's don't."""
    s.file("a", 64 << 10, 1)
    s.file("b", 64 << 10, 1)
    doc, _ = weir_json(s, "--name=t", "--filename=a:b", "--rw=read", "--bs=4k", "--size=128k",
                       "--ioengine=fault(psync)", "--fault_script=read@every:2:EAGAIN",
                       "--ignore_error=EAGAIN")
    targets = {t["target"]: t["read"] for t in doc["jobs"][0]["weir"]["targets"]}
    check(targets["a"]["errors"] == 0 and targets["a"]["ios"] == 16, f"{targets['a']}")
    check(targets["b"]["errors"] == 16 and targets["b"]["ios"] == 0, f"{targets['b']}")


def test_verification(s):
    """What was read back is in `verify` of a target, the job's own reads are in `read`; together they
    are the job's."""
    for more in (("--rw=write",), ("--rw=randrw",), ("--rw=write", "--verify_backlog=32"),
                 ("--rw=randrw", "--ioengine=libaio", "--iodepth=8"), ("--rw=write", "--verify_async=1")):
        doc, _ = weir_json(s, "--name=v", "--nrfiles=2", *BASE, "--verify=crc32c", *more)
        of = doc["jobs"][0]["weir"]
        again = sum(t["verify"]["ios"] for t in of["targets"])
        own = sum(t.get("read", {}).get("ios", 0) for t in of["targets"])
        wrote = sum(t["write"]["ios"] for t in of["targets"])
        check(again == of["verify"]["reads"]["ios"] == wrote == of["write"]["ios"], f"{more}: {again}, {wrote}")
        check(own == of["verify"].get("own_reads", {}).get("ios", 0), f"{more}: {own} of its own")
        check(own + again == of["read"]["ios"], f"{more}: {own} + {again}, not {of['read']['ios']}")


def test_who_has_them(s):
    """One file, many files, a program that expects fio, a 0: none. A 1: all."""
    for more, want in ((("--nrfiles=1",), False), (("--nrfiles=9",), False),
                       (("--nrfiles=9", "--per_target=1"), True),
                       (("--nrfiles=2", "--per_target=0"), False), (("--nrfiles=8",), True)):
        doc, _ = weir_json(s, "--name=t", *BASE, "--rw=read", "--ioengine=null", *more)
        check(("targets" in doc["jobs"][0]["weir"]) == want, f"{more}: not {want}")
    p = weir(s, "--name=t", *BASE, "--rw=read", "--ioengine=null", "--nrfiles=2")
    check("t.0.1" in p.stdout, "no line of t.0.1 in the table")


# ---- what has no offsets ----

@contextlib.contextmanager
def other_end(fd, reads):
    """Somebody who takes all that comes, or gives all that is asked for."""
    def go():
        with contextlib.suppress(OSError):
            while os.read(fd, 1 << 16) if reads else os.write(fd, bytes(1 << 16)):
                pass
    threading.Thread(target=go, daemon=True).start()
    yield


def test_pipes(s):
    """In order and by an engine that needs no offset a pipe is a target; else it says so before."""
    os.mkfifo(s.path("p"))  # of which only this is asked: who would open it would wait
    job = ["--name=a", "--filename=p", "--bs=4k", "--size=64k"]
    for face in ([], ["--compat=fio"]):
        for args, says in ((["--rw=write"], "has no offsets"), (["--rw=read"], "has no offsets"),
                           (["--rw=read", "--ioengine=mmap"], "can't be mapped"),
                           (["--rw=randwrite", "--ioengine=sync"], "in order")):
            p = weir(s, *face, *job, *args, status=1)
            check(says in p.stderr + p.stdout and "pipe" in p.stderr + p.stdout, p.stderr)
    for rw in ("write", "read"):
        os.unlink(s.path("p"))
        os.mkfifo(s.path("p"))
        fd = os.open(s.path("p"), os.O_RDWR)  # nobody waits for anybody
        with other_end(fd, rw == "write"):
            for engine in ("sync", "vsync"):
                doc, _ = weir_json(s, *job, f"--rw={rw}", f"--ioengine={engine}")
                check(doc["jobs"][0][rw]["total_ios"] == 16, f"{engine} {rw}: {doc['jobs'][0][rw]}")


def test_sockets(s):
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind(s.path("sock"))
        for face in ([], ["--compat=fio"]):
            for rw in ("read", "write"):
                p = weir(s, *face, "--name=a", "--filename=sock", "--size=64k", f"--rw={rw}", status=1)
                check("is a socket" in p.stderr + p.stdout, p.stderr)
    check(os.path.exists(s.path("sock")), "it is gone")


def test_terminals(s):
    """Character devices that keep no offset: sync goes through them, others say what to do."""
    master, slave = os.openpty()
    tty.setraw(slave)
    name = os.ttyname(slave)
    job = ["--name=a", f"--filename={name}", f"--destroy={name}", "--rw=write", "--bs=1k", "--size=16k"]
    with other_end(master, True):
        doc, _ = weir_json(s, *job, "--ioengine=sync")
        check(doc["jobs"][0]["write"]["total_ios"] == 16, doc["jobs"][0]["write"])
        p = weir(s, *job, "--ioengine=psync", status=1)
        check("has no offsets" in p.stderr and "ioengine=sync" in p.stderr, p.stderr)


def test_null_and_zero(s):
    for path, rw in (("/dev/null", "write"), ("/dev/null", "randwrite"), ("/dev/zero", "read"),
                     ("/dev/zero", "randread"), ("/dev/zero", "randrw")):
        for engine in ("psync", "sync", "libaio", "io_uring"):
            weir(s, "--name=a", f"--filename={path}", f"--rw={rw}", "--size=64k", f"--ioengine={engine}")


if __name__ == "__main__":
    run_all(globals())
