#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Power cuts: a job writes and syncs while its disk's cache (disk.py) is cut at random moments;
each time what is left is read back by the state file of that moment.  A disk that keeps what was
synced is never called wrong, and one that doesn't is."""
import os
import random
import signal
import subprocess
import time

from disk import Disk
from harness import (allowed, check, engines_here, need_command, need_io_uring, run_all, timely,
                     wait_for, weir, weir_json)

SIZE = 4 << 20
WRITE = ["--name=w", "--rw=randwrite", "--bs=4k", "--direct=1", "--norandommap", "--verify=crc32c",
         "--do_verify=0", "--verify_state=state", "--time_based", "--runtime=600"]


def resume(s, *args, status=None):
    """Read back; what of it is there to say."""
    doc, p = weir_json(s, "run", *args, status=status)
    rows = [j["weir"]["verify"] for j in doc["jobs"]]
    return rows, p, doc


def state_begun(s, bytes_least=4096):
    return wait_for("the state", lambda: os.path.exists(s.path("state")) and
                    os.path.getsize(s.path("state")) > bytes_least)


def stop(p):
    p.send_signal(signal.SIGINT)
    p.communicate(timeout=30)


def cuts(s, disk, job, count, *resume_args):
    """COUNT cuts of JOB, each read back; its rows, and what weir said."""
    if "--ioengine=io_uring" in job:
        need_io_uring()
    p = s.start("run", f"--filename={disk.dev}", f"--destroy={disk.dev}", *job)
    state_begun(s)
    out, dice = [], random.Random(7)
    for _ in range(count):
        time.sleep(dice.uniform(0.01, 0.12))
        check(p.poll() is None, "the job ended")
        disk.cut(s.path("image"), (s.path("state"), s.path("cut")))
        rows, q, _ = resume(s, "--verify-resume=cut", f"--target={disk.dev}=image", *resume_args)
        out.append((rows[0], q))
    stop(p)
    return out


def no_alarm(got):
    synced = left = 0
    for row, p in got:
        check(p.returncode == 0 and not row["wrong"], p.stderr)
        r = row["resume"]
        check(r["synced"] + r["newer"] + r["older"] + r["beyond_state"] == row["units"], row)
        synced += r["synced"]
        left += r["newer"] + r["older"] + r["beyond_state"]
    timely(synced, "nothing was synced: this says nothing")
    timely(left, "nothing was under way at any cut: this says nothing")


def test_no_false_alarm(s):
    """Deep queue, syncs among writes in flight, blocks written again and again."""
    disk = Disk(s, SIZE)
    no_alarm(cuts(s, disk, [*WRITE, "--ioengine=io_uring", "--iodepth=16", "--fsync=64"], 12))


def test_two_jobs_share(s):
    disk = Disk(s, SIZE, seed=2)
    no_alarm(cuts(s, disk, [*WRITE, "--ioengine=libaio", "--iodepth=4", "--fdatasync=50",
                            "--numjobs=2"], 6))


def test_durable_writes(s):
    """O_DSYNC: each write is synced when it is done."""
    disk = Disk(s, SIZE, seed=3)
    no_alarm(cuts(s, disk, [*WRITE, "--sync=dsync"], 4))


def test_torn_units_may_be(s):
    """Units of 16 KiB on a disk that writes 4 KiB whole: mixtures of writes are right."""
    disk = Disk(s, SIZE, seed=4)
    job = [*WRITE, "--bs=16k", "--ioengine=io_uring", "--iodepth=8", "--fsync=32"]
    got = cuts(s, disk, job, 6)
    no_alarm(got)
    timely(any(row["unjudged"] for row, _ in got), "no unit was torn: this says nothing")


def test_torn_units_may_not_be(s):
    """The same on a disk of which the job says that it writes 16 KiB whole."""
    disk = Disk(s, SIZE, seed=5)
    job = [*WRITE, "--bs=16k", "--ioengine=io_uring", "--iodepth=8", "--fsync=512",
           "--verify_atomic=16k"]
    got = cuts(s, disk, job, 3)
    check(all(row["wrong"] == 0 or p.returncode == 1 for row, p in got), "found, and no failure")
    timely(any(row["wrong"] for row, _ in got), "no torn unit was found")
    guesses = {f["guess"] for row, _ in got for f in row["faults"]}
    check("torn" in guesses, guesses)


def test_many_torn_units(s):
    """More of them than are looked at one by one; nothing was synced, so each may be torn."""
    units = 1100
    weir(s, "run", "--name=w", "--filename=f", f"--size={units * 8}k", "--bs=8k", "--rw=write",
         "--verify=crc32c", "--do_verify=0", "--verify_state=state")
    with open(s.path("f"), "r+b") as f:
        for i in range(units):
            f.seek(i * 8192 + 4096)
            f.write(bytes(4096))
    rows, _, _ = resume(s, "--verify-resume=state", status=0)
    check(rows[0]["unjudged"] == units and not rows[0]["wrong"], rows[0])


def test_trims(s):
    disk = Disk(s, SIZE, seed=6)
    no_alarm(cuts(s, disk, [*WRITE, "--rw=randtrimwrite", "--fsync=32"], 4))


def test_dropped_syncs_are_found(s):
    disk = Disk(s, SIZE, seed=8)
    disk.ignore_flushes = True
    got = cuts(s, disk, [*WRITE, "--ioengine=io_uring", "--iodepth=16", "--fsync=64"], 3)
    for row, p in got:
        check(row["wrong"] and p.returncode == 1, f"syncs were ignored, and nobody saw: {row}")
        check("was synced" in p.stderr, p.stderr)


def test_file_on_ext4(s):
    """Through a file system with a journal, which is mounted again after each cut."""
    need_command("mkfs.ext4")
    disk = Disk(s, 24 << 20, seed=9)
    # blocks of 4 KiB, so that a unit is one of them, and no page that is changed on its way
    subprocess.run(["mkfs.ext4", "-q", "-b", "4096", disk.dev], check=True,
                   stdout=subprocess.DEVNULL)
    where = s.mount(disk.dev, None)
    p = s.start("run", *WRITE, f"--filename={where}/f", "--size=4m", "--fsync=32")
    state_begun(s)
    for i in range(4):
        time.sleep(0.2)
        check(p.poll() is None, "the job ended")
        disk.cut(s.path(f"image{i}"), (s.path("state"), s.path("cut")))
        there = s.path(f"after{i}")
        os.mkdir(there)
        allowed("mount", "-o", "loop", s.path(f"image{i}"), there)
        try:
            rows, q, _ = resume(s, "--verify-resume=cut", f"--target={where}/f={there}/f")
        finally:
            subprocess.run(["umount", there], check=True)
        check(q.returncode == 0 and rows[0]["units"], q.stderr)
    stop(p)


def test_killed(s):
    """kill -9: what the program had done is in the page cache, synced or not."""
    need_io_uring()
    job = ["--name=w", "--filename=f", "--size=4m", *WRITE[1:], "--direct=0", "--fsync=1000"]
    for i in range(4):
        p = s.start("run", *job, "--ioengine=io_uring", "--iodepth=8")
        state_begun(s, 20000)
        time.sleep(0.05 * i)
        for pid in map(int, subprocess.run(["pgrep", "-P", str(p.pid)], capture_output=True,
                                           text=True).stdout.split()):
            os.kill(pid, signal.SIGKILL)
        p.kill()
        p.communicate()
        rows, q, doc = resume(s, "--verify-resume=state", "--verify_policy=completed", status=0)
        r = rows[0]["resume"]
        check(r["synced"] and not r["state_ended"] and not rows[0]["wrong"], rows[0])
        os.unlink(s.path("state"))


def whole(s):
    """A state and what it is of."""
    weir(s, "run", "--name=w", "--filename=f", "--size=1m", "--rw=randwrite", "--verify=crc32c",
         "--verify_state=state", "--end_fsync=1")
    rows, _, _ = resume(s, "--verify-resume=state", status=0)
    check(rows[0]["units"] == 256 == rows[0]["resume"]["synced"], rows[0])


def test_damage_is_named(s):
    whole(s)
    with open(s.path("f"), "r+b") as f:
        f.seek(5 * 4096 + 100)
        f.write(b"x")
        f.seek(7 * 4096)
        f.write(bytes(4096))
    rows, p, _ = resume(s, "--verify-resume=state", status=1)
    found = {f["block"]: f["guess"] for f in rows[0]["faults"]}
    check(found == {5: "bit-flip", 7: "zeroes"}, found)


def test_file_that_lost_its_end(s):
    """A file system may have an old size after a cut, but not of what was synced."""
    whole(s)
    os.truncate(s.path("f"), 4096 * 200 + 10)
    rows, p, _ = resume(s, "--verify-resume=state", status=1)
    check(rows[0]["wrong"] == 56 and os.path.getsize(s.path("f")) == 4096 * 200 + 10, rows[0])


def test_engines_and_depths(s):
    whole(s)
    for args in engines_here((
            ["--ioengine=io_uring", "--iodepth=32", "--bs=4k", "--direct=1"], ["--ioengine=mmap"],
            ["--bs=64k", "--verify_async=2"], ["--ioengine=libaio", "--iodepth=4"])):
        rows, _, _ = resume(s, "--verify-resume=state", *args, status=0)
        check(rows[0]["units"] == 256, f"{args}: {rows[0]}")
    # fio's options for it
    weir(s, "run", "--name=w", "--filename=g", "--size=1m", "--rw=randwrite", "--verify=md5",
         "--verify_state_save=1", "--end_fsync=1", "--aux-path=.")
    check(os.path.exists(s.path("local-w-0-verify.state")), os.listdir(s.dir))
    rows, _, _ = resume(s, "--name=w", "--filename=g", "--size=1m", "--rw=randwrite", "--verify=md5",
                        "--verify_only", "--verify_state_load=1", status=0)
    check(rows[0]["units"] == 256 and rows[0]["resume"]["policy"] == "completed", rows[0])


def refused(s, text, *args):
    p = weir(s, "run", *args, status=None)
    check(p.returncode == 1 and text in p.stderr and not p.stdout, f"{args}: {p.stderr}{p.stdout}")


def test_bad_input(s):
    whole(s)
    data = open(s.path("state"), "rb").read()
    before = open(s.path("f"), "rb").read()

    def damaged(name, content):
        with open(s.path(name), "wb") as f:
            f.write(content)
    damaged("empty", b"")
    damaged("text", b"[job]\nrw=read\n" * 100)
    damaged("head", data[:60] + b"\xff" + data[61:])
    middle = data.index(b"wvst", 8) + 40
    damaged("middle", data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1:] + data[middle - 40:])
    refused(s, "nothere: No such file", "--verify-resume=nothere")
    for name in ("empty", "text", "head"):
        refused(s, f"{name}: not a state file", f"--verify-resume={name}")
    refused(s, "middle: ", "--verify-resume=middle")
    refused(s, "isn't there", "--verify-resume=state", "--target=f=gone")
    refused(s, "--target=x=y", "--verify-resume=state", "--target=x=y")
    refused(s, "no meaning", "--target=x=y")
    refused(s, "makes its jobs itself", "--verify-resume=state", "--name=a")
    refused(s, "rw=read", "--name=a", "--filename=f", "--rw=write", "--size=1m",
            "--verify_resume=state")
    refused(s, "is not of other", "--name=a", "--filename=other", "--rw=read", "--size=1m",
            "--verify_resume=state")
    weir(s, "run", "--name=w", "--filename=g", "--size=1m", "--rw=write", "--verify=md5", "--bs=16k",
         "--verify_state=large")
    refused(s, "bs=16384", "--name=a", "--filename=g", "--rw=read", "--bs=4k",
            "--verify_resume=large")
    refused(s, "nothing to tell", "--name=a", "--filename=f", "--rw=write", "--size=1m",
            "--verify_state=other")
    refused(s, "is what the job writes", "--name=a", "--filename=f", "--rw=write", "--size=1m",
            "--verify=md5", "--verify_state=f")
    check(open(s.path("f"), "rb").read() == before, "something was written")
    check(not os.path.exists(s.path("gone")) and not os.path.exists(s.path("other")), "made")
    # cut at its end it is read as far as it goes
    damaged("tail", data[:-20])
    rows, _, _ = resume(s, "--verify-resume=tail", status=0)
    check(rows[0]["resume"]["state_tail_bytes"], rows[0])


def test_state_further_down(s):
    """A loop device over a file on ext4 on a loop device: a state there lies on the lower device,
    and shares its disk with all that does."""
    lower = s.loop(96 << 20)
    below = s.mount(lower)
    with open(below + "/img", "wb") as f:
        f.truncate(48 << 20)
    upper = subprocess.run(["losetup", "-f", "--show", below + "/img"], capture_output=True, text=True,
                           check=True).stdout.strip()
    s.undo.append(lambda: subprocess.run(["losetup", "-d", upper], check=False))
    above = s.mount(upper)
    memory = s.tmpfs("4m")
    job = ["--name=w", "--filename=" + below + "/f", "--size=1m", "--rw=write", "--verify=md5", "--do_verify=0"]
    refused(s, f"{above}/state lies on {lower}, which the job writes", "--name=w", "--filename=" + lower,
            "--destroy=" + lower, "--size=1m", "--rw=write", "--verify=md5", f"--verify_state={above}/state")
    check(not os.path.exists(above + "/state"), "a state was made")
    p = weir(s, *job, f"--verify_state={above}/state")
    check("on the same disk as what it is of" in p.stderr, p.stderr)
    p = weir(s, *job, f"--verify_state={below}/state")
    check("on the same file system as what it is of" in p.stderr, p.stderr)
    p = weir(s, *job, f"--verify_state={memory}/state")
    check("same" not in p.stderr, p.stderr)


def test_one_state_one_run(s):
    job = ["run", "--filename=f", "--size=1m", *WRITE, "--direct=0"]
    p = s.start(*job)
    state_begun(s)
    for more in ([], ["--verify_state_sync=1"]):
        q = weir(s, *job, "--filename=g", *more, status=1)
        check("another run is telling it" in q.stderr, q.stderr)
    stop(p)
    resume(s, "--verify-resume=state", status=0)
    weir(s, "run", "--name=w", "--filename=f", "--size=1m", "--rw=write", "--verify=md5", "--fsync=99",
         "--verify_state=state", "--verify_state_sync=1")
    rows, _, _ = resume(s, "--verify-resume=state", status=0)
    check(rows[0]["units"] == 256, rows[0])


def test_full_state_disk(s):
    """A state that can't be written is no state: the job says so and ends."""
    there = s.tmpfs("128k")
    p = weir(s, "run", "--name=w", "--filename=f", "--size=64m", "--rw=randwrite", "--verify=crc32c",
             f"--verify_state={there}/state", "--do_verify=0", status=1)
    check("can't be written" in p.stderr and "No space left" in p.stderr, p.stderr)


if __name__ == "__main__":
    run_all(dict(globals()))
