#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""weir trace record against ground truth: requests of known number, sizes, mix and order, on a
device that nobody else uses, are in the recording; a replay of it and a job made from it are the
same load; and what can go wrong with a recording."""
import fcntl
import json
import os
import shutil
import signal
import struct
import subprocess
import termios
import time

import blktrace
from harness import (NOBODY, WEIR, Skip, check, engines_here, need_command, need_root, run_all, timely,
                     wait_for, weir, weir_json, weir_of_nobody)

BLOCK = 4096
LEFT_BEFORE_END = 0.3  # s; what was asked by then is in the rings


def need_tracing(s):
    """The kernel may have no tracepoints, or be locked down."""
    need_root()
    dev = s.loop(8 << 20)
    p = subprocess.run([WEIR, "trace", "record", "--time=100ms", "--output=probe", dev],
                       cwd=s.dir, capture_output=True, text=True, timeout=30)
    if p.returncode:
        raise Skip(p.stderr.strip())
    return dev


class Recording:
    """One that runs until it is told to end."""

    def __init__(self, s, target, output):
        self.p = s.start("trace", "record", "--time=60s", f"--output={output}", target)
        first = self.p.stderr.readline()
        check("recording" in first, f"it said {first}")

    def end(self, sig=signal.SIGINT):
        time.sleep(LEFT_BEFORE_END)
        self.p.send_signal(sig)
        out, err = self.p.communicate(timeout=20)
        check(self.p.returncode == 0, f"status {self.p.returncode}: {err}")
        return out, err


def requests(s, path):
    """What was queued, by linux/blktrace_api.h: (kind, offset, bytes)."""
    found = []
    with open(s.path(path), "rb") as f:
        while len(head := f.read(48)) == 48:
            magic, _, _, sector, size, action, *_, behind = struct.unpack("<IIQQIIIIIHH", head)
            check(magic == blktrace.MAGIC, f"magic {magic:x}")
            f.read(behind)
            kinds = action >> 16
            if action & 0xffff == blktrace.ACT_QUEUE and size:
                found.append(("w" if kinds & blktrace.WRITE else "r", sector * 512, size))
    return found


def by_blkparse(s, path):
    """How many blkparse finds."""
    with open(s.path(path), "rb") as f:
        out = subprocess.run(["blkparse", "-q", "-i", "-", "-a", "queue", "-f", "%d %S %N\n"],
                             stdin=f, capture_output=True, text=True, timeout=30, check=True).stdout
    return sum(len(line.split()) == 3 for line in out.splitlines())


def write_iolog(path, dev, wanted):
    names = {"r": "read", "w": "write"}
    with open(path, "w", encoding="ascii") as f:
        f.write(f"fio version 3 iolog\n0 {dev} add\n0 {dev} open\n")
        for i, (kind, offset, size) in enumerate(wanted):
            f.write(f"{i * 500} {dev} {names[kind]} {offset} {size}\n")


def known_load():
    """1200 requests at 2000 a second: 3 random reads of 4 KiB to one write of 16 KiB in order."""
    wanted = []
    for i in range(1200):
        if i % 4:
            wanted.append(("r", (i * 7919) % 1024 * BLOCK, BLOCK))
        else:
            wanted.append(("w", (4 << 20) + i // 4 % 256 * 16384 % (4 << 20), 16384))
    return wanted


def replayed(s, dev, trace, *args):
    engine = engines_here(("libaio", "io_uring"))[-1]
    return weir_json(s, "--name=r", f"--read_iolog={trace}", f"--ioengine={engine}", "--iodepth=8",
                     "--direct=1", f"--destroy={dev}", *args)[0]


def unlike(doc):
    """In what the note says that the load was another, but for the rate: a busy machine may
    not reach it."""
    return {key for n in doc["weir"]["notes"] if n["id"] == "unlike-work" for key in n["evidence"]
            if not key.startswith("like_") and key != "ios_per_s"}


def test_all_is_in_it(s):
    """Each request once, in its order; and once more of a replay of the recording."""
    dev = need_tracing(s)
    wanted = known_load()
    write_iolog(s.path("known.iolog"), dev, wanted)
    rec = Recording(s, dev, "one.trace")
    replayed(s, dev, "known.iolog")
    out, err = rec.end()
    check("1200 requests" in out and "lost" not in err, f"it said {out} {err}")
    got = requests(s, "one.trace")
    check(sorted(got) == sorted(wanted), f"{len(got)} requests, {len(set(got) - set(wanted))} others")
    check(not shutil.which("blkparse") or by_blkparse(s, "one.trace") == 1200, "blkparse's count")
    late = sum(a != b for a, b in zip(got, wanted))
    timely(late <= len(wanted) // 4, f"{late} of {len(wanted)} are in another order")
    told = json.loads(weir(s, "trace", "--json", "one.trace").stdout)
    profile = told["profile"]
    check(told["read"]["requests"] == 900 and told["write"]["requests"] == 300, f"mix: {told}")
    check(profile["read"]["sizes"] == [{"bytes": 4096, "requests": 900}], f"{profile['read']}")
    check(profile["write"]["sizes"] == [{"bytes": 16384, "requests": 300}], f"{profile['write']}")
    check(profile["read"]["random"] > 800, f"reads at random: {profile['read']}")
    timely(profile["write"]["random"] < 30, f"writes in order: {profile['write']}")
    check(1 <= profile["depth"]["median"] <= 8, f"depth: {profile['depth']}")
    check(sum(profile["parts"]) == 1200, f"over time: {profile['parts']}")

    rec = Recording(s, dev, "two.trace")
    doc = replayed(s, dev, "one.trace", "--like=one.trace")
    rec.end()
    check(doc["jobs"][0]["weir"]["replay"]["issued"] == 1200, "the replay issued all")
    check(sorted(requests(s, "two.trace")) == sorted(wanted), "the replay's recording is another")
    check(not unlike(doc), f"a replay is like its trace: {doc['weir']['notes']}")


def test_job_is_like_it(s):
    """The job made from a recording has its mix and sizes, and gets no note; another gets one
    that names what differs."""
    dev = need_tracing(s)
    write_iolog(s.path("known.iolog"), dev, known_load())
    rec = Recording(s, dev, "one.trace")
    replayed(s, dev, "known.iolog")
    rec.end()
    job = weir(s, "trace", "--job", "one.trace").stdout
    for line in ("rwmixread=75", "bssplit=4k/100,16k/100", "rw=randrw", "direct=1"):
        check(line in job.splitlines(), f"no {line} in\n{job}")
    with open(s.path("like.fio"), "w", encoding="ascii") as f:
        f.write(job)
    doc, _ = weir_json(s, "--like=one.trace", f"--override=filename={dev}", f"--destroy={dev}",
                       "--override=size=8m", "--override=runtime=1s", "like.fio")
    read, write = doc["jobs"][0]["read"], doc["jobs"][0]["write"]
    share = read["total_ios"] / (read["total_ios"] + write["total_ios"])
    made = read["total_ios"] + write["total_ios"]
    timely(made >= 300, f"only {made} requests in a second")
    check(0.65 < share < 0.85, f"{share} reads")  # of 300: four times the standard deviation
    check(not unlike(doc), f"{doc['weir']['notes']}")
    check(doc["weir"]["like"]["read_percent"] == 75, f"{doc['weir']['like']}")
    doc, _ = weir_json(s, "--like=one.trace", "--name=x", f"--filename={dev}", "--rw=read",
                       "--bs=64k", "--size=8m", "--direct=1")
    note = [n for n in doc["weir"]["notes"] if n["id"] == "unlike-work"]
    check(len(note) == 1 and "100 % reads (there 75 %)" in note[0]["text"]
          and "reads of 64 KiB" in note[0]["text"], f"{note}")
    check(note[0]["evidence"]["like_read_percent"] == 75, f"{note[0]['evidence']}")


def test_file_leads_to_its_device(s):
    """What a file system is asked for goes to the device below it; our own writes to the same
    device are left out."""
    need_tracing(s)
    where = s.mount(s.loop(64 << 20))
    os.sync()
    rec = Recording(s, where, os.path.join(where, "own.trace"))
    weir(s, "--name=a", f"--directory={where}", "--rw=write", "--bs=64k", "--size=4m", "--direct=1",
         timeout=30)
    out, _ = rec.end()
    check("left out" in out or os.path.getsize(os.path.join(where, "own.trace")) < 1 << 20,
          f"it said {out}")
    told = json.loads(weir(s, "trace", "--json", os.path.join(where, "own.trace")).stdout)
    sizes = {e["bytes"]: e["requests"] for e in told["profile"]["write"]["sizes"]}
    check(sizes.get(65536, 0) == 64, f"64 writes of 64 KiB, found {sizes}")


def test_partition_is_its_own(s):
    """Offsets count from its beginning; what goes to its neighbour isn't in it."""
    need_tracing(s)
    need_command("sfdisk")
    dev = s.loop(64 << 20)
    subprocess.run(["sfdisk", "-q", dev], input="start=2048,size=32768\nstart=34816\n", text=True,
                   check=True, timeout=20, capture_output=True)
    subprocess.run(["partx", "-u", dev], check=False, timeout=20, capture_output=True)
    first, second = dev + "p1", dev + "p2"
    if not os.path.exists(second):
        raise Skip("no partitions on loop devices here")
    rec = Recording(s, second, "p.trace")
    for part in (first, second):
        weir(s, "--name=a", f"--filename={part}", "--rw=write", "--bs=8k", "--size=1m", "--direct=1",
             f"--destroy={part}")
    rec.end()
    told = json.loads(weir(s, "trace", "--json", "p.trace").stdout)
    device = os.stat(second).st_rdev
    check(told["write"]["requests"] == 128, f"{told['write']}")
    check([f["name"] for f in told["files"]] == [f"{os.major(device)}:{os.minor(device)}"]
          and told["files"][0]["from_byte"] == 0 and told["files"][0]["to_byte"] == 1 << 20,
          f"{told['files']}")


def test_kinds_of_end(s):
    """A time that is over, SIGTERM, a pipe: in order, with what there is; SIGKILL: what was there
    a second ago is in the file."""
    dev = need_tracing(s)
    out = weir(s, "trace", "record", "--time=300ms", "--output=t", dev).stdout
    check("0 requests" in out, f"it said {out}")
    rec = Recording(s, dev, "term")
    weir(s, "--name=a", f"--filename={dev}", "--rw=read", "--size=1m", "--direct=1")
    out, _ = rec.end(signal.SIGTERM)
    check("256 requests" in out, f"it said {out}")
    rec = Recording(s, dev, "kill")
    weir(s, "--name=a", f"--filename={dev}", "--rw=read", "--size=1m", "--direct=1")
    wait_for("its flush", lambda: os.path.getsize(s.path("kill")) >= 256 * 3 * 48)
    rec.p.kill()
    rec.p.wait()
    told = json.loads(weir(s, "trace", "--json", "kill").stdout)
    check(told["read"]["requests"] == 256, f"{told['read']}")
    packed = subprocess.run([WEIR, "trace", "record", "--time=300ms", "--output=-", dev], cwd=s.dir,
                            capture_output=True, timeout=20)
    check(packed.returncode == 0 and b"requests" in packed.stderr, f"{packed.stderr}")


def test_refusals(s):
    need_root()
    refused = [
        (["trace", "record"], "of what?"),
        (["trace", "record", "--tim=3s", "x"], "unknown flag '--tim=3s'"),
        (["trace", "record", "--time=0", "x"], "--time"),
        (["trace", "record", s.path("nothing")], "is not there"),
        (["trace", "record", "/proc/version"], "lies on no block device"),
    ]
    for args, words in refused:
        p = weir(s, *args, status=1)
        check(words in p.stderr and not p.stdout, f"{args}: {p.stderr}")
    dev = need_tracing(s)
    with open(s.path("there"), "w", encoding="ascii") as f:
        f.write("mine")
    p = weir(s, "trace", "record", f"--output={s.path('there')}", dev, status=1)
    check("exists already" in p.stderr and open(s.path("there")).read() == "mine", p.stderr)
    p = weir(s, "trace", "record", f"--output={s.path('no/such')}", dev, status=1)
    check("can't be made" in p.stderr, p.stderr)


def test_without_privilege(s):
    """An ordinary user is told what is missing."""
    need_root()
    need_command("setpriv")
    dev = s.loop(8 << 20)
    own = weir_of_nobody(s)
    os.chmod(s.dir, 0o777)
    p = subprocess.run(["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
                        "--inh-caps=-all", own, "trace", "record", "--time=100ms",
                        dev], cwd=s.dir, capture_output=True, text=True, timeout=20)
    check(p.returncode == 1 and "root" in p.stderr and not p.stdout, f"{p}")
    check(not [n for n in os.listdir(s.dir) if n.endswith("blktrace")], "it made a file")


def test_without_locked_memory(s):
    """Who may watch, and not lock much memory, gets smaller rings."""
    dev = need_tracing(s)
    need_command("setpriv")
    p = subprocess.run(["setpriv", "--bounding-set=-ipc_lock", "prlimit", "--memlock=0", WEIR, "trace",
                        "record", "--time=100ms", "--output=small", dev], cwd=s.dir, capture_output=True,
                       text=True, timeout=20)
    check(p.returncode == 0 and "0 requests" in p.stdout, f"{p}")


def test_reader_that_sleeps(s):
    """A pipe that nobody empties: the second Ctrl-C ends that."""
    dev = need_tracing(s)
    ours, theirs = os.pipe()
    fcntl.fcntl(theirs, fcntl.F_SETPIPE_SZ, 4096)
    p = subprocess.Popen([WEIR, "trace", "record", "--time=60s", "--output=-", dev], cwd=s.dir,
                         stdout=theirs, stderr=subprocess.PIPE, text=True)
    os.close(theirs)
    s.undo.append(p.kill)
    s.undo.append(lambda: os.close(ours))
    wait_for("a full pipe", lambda: unread(ours) >= fcntl.fcntl(ours, fcntl.F_GETPIPE_SZ) or asked(s, dev))
    p.send_signal(signal.SIGINT)
    time.sleep(0.3)
    check(p.poll() is None, "it didn't wait for its reader")

    def ends_at_another():
        p.send_signal(signal.SIGINT)  # two that come before one is seen are one
        time.sleep(0.3)
        return p.poll() is not None
    wait_for("its end", ends_at_another, 20)
    _, err = p.communicate(timeout=20)
    check(p.returncode == 1 and "not all could be written" in err, f"{p.returncode}: {err}")


def test_full_disk(s):
    """It ends, says so, and what is there is a whole trace."""
    dev = need_tracing(s)
    small = s.tmpfs("64k")
    rec = Recording(s, dev, f"{small}/t")
    wait_for("its end", lambda: rec.p.poll() is not None or asked(s, dev), 20)
    _, err = rec.p.communicate(timeout=20)
    check(rec.p.returncode == 1 and "No space left" in err, f"{rec.p.returncode}: {err}")
    told = json.loads(weir(s, "trace", "--json", f"{small}/t").stdout)
    check(told["read"]["requests"] > 100, f"{told['read']}")


def unread(fd):
    return struct.unpack("i", fcntl.ioctl(fd, termios.FIONREAD, bytes(4)))[0]


def asked(s, dev):
    """Some more requests; false."""
    weir(s, "--name=a", f"--filename={dev}", "--rw=read", "--size=1m", "--direct=1")
    return False


if __name__ == "__main__":
    run_all(globals())
