#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""The usual mistakes of docs/notes/README.md, made here, each beside its cure: the note appears
with the mistake, and not without it. Those that this machine can't make are played to the rules
in tests/unit/notes34.c; PLAYED says why, and a test that none of the table is left out."""
import json
import os
import re
import subprocess
import time

from harness import (WEIR, Skip, check, need_command, need_disk, put, run_all, served_disk,
                     timely, unmount, weir, weir_json)

MIB = 1 << 20
DIRECT = ["--direct=1", "--bs=4k"]

PLAYED = {
    4: "NVMe's counters of what is used",
    19: "CPUs whose frequency can be seen",
    20: "NVMe power states, link power management",
    21: "sensors",
    24: "more than one memory node",
    25: "a clock that goes wrong",
    34: "an array that is rebuilt",
}
ELSEWHERE = {
    5: ("watch.py", "test_rate_drops"),
    9: ("watch.py", "test_mean_of_two_humps"),
    32: ("record.py", "test_job_is_like_it"),
    33: ("watch.py", "test_kernel_messages"),
}


def ids(notes):
    return {n.get("id") for n in notes}


def notes(s, *args, status=0):
    doc, _ = weir_json(s, "--name=a", *args, status=status)
    return doc["weir"]["notes"]


def doctor(s, *targets):
    return json.loads(weir(s, "doctor", "--json", *targets, status=None).stdout)["notes"]


def beside(name, mistake, cure):
    """Both are what notes() and its like return, or a function that gets them: what other programs
    do to a run is told, and true, and isn't there each time."""
    timely(name in ids(mistake), f"no {name} with the mistake: {mistake}")
    for _ in range(3):
        told = cure() if callable(cure) else cure
        if name not in ids(told):
            return
    timely(False, f"{name} without it, too: {told}")


def filled(path, mib=8):
    with open(path, "wb") as f:
        f.write(os.urandom(mib * MIB))
        os.fsync(f.fileno())
    return path


def ext4(s, size=200 << 20, *options):
    dev = s.loop(size)
    need_command("mkfs.ext4")
    subprocess.run(["mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", *options,
                    dev], check=True)
    return s.mount(dev, None)


def slow_disk(s, delay):
    """A file whose server answers one request after the other, DELAY each."""
    return served_disk(s, "delay", f"rdelay={delay}")


def test_01_page_cache(s):
    need_disk(s)
    f = filled(s.path("f"))
    job = [f"--filename={f}", "--rw=randread", "--bs=4k", "--size=8m", "--invalidate=0"]
    beside("page-cache", notes(s, *job), notes(s, *job, "--direct=1"))
    with open("/proc/meminfo", encoding="ascii") as m:
        memory = int(re.search(r"MemTotal: *(\d+)", m.read()).group(1)) * 1024
    small, large = s.path("small"), s.path("large")
    for path, size in ((small, memory), (large, 2 * memory + MIB)):
        with open(path, "wb") as out:
            out.truncate(size)
    beside("fits-memory", doctor(s, small), doctor(s, large))


def test_02_unsynced(s):
    where = ext4(s)
    job = [f"--filename={where}/f", "--rw=write", "--bs=64k", "--size=16m"]
    beside("unsynced", notes(s, *job), notes(s, *job, "--end_fsync=1"))
    over = [*job, "--rw=randwrite", "--norandommap", "--io_size=128m"]
    beside("written-over", notes(s, *over), notes(s, *over, "--direct=1"))


def test_03_unwritten(s):
    where = ext4(s)
    f = where + "/f"
    with open(f, "wb") as out:
        os.posix_fallocate(out.fileno(), 0, 16 * MIB)
    job = [f"--filename={f}", "--rw=randread", "--size=16m", "--io_size=4m", *DIRECT]
    empty, before = notes(s, *job), doctor(s, f)
    filled(f, 16)
    beside("read-unwritten", empty, notes(s, *job))
    beside("never-written", before, doctor(s, f))


def test_06_short(s):
    job = ["--ioengine=null", "--size=1g", "--rw=randread", "--time_based"]
    beside("short-run", notes(s, *job, "--runtime=300ms"), notes(s, *job, "--runtime=1500ms"))
    ramp = ["--ioengine=null", "--size=4m", "--rw=read", "--bs=4k", "--rate_iops=5000"]
    beside("ramp-only", notes(s, *ramp, "--ramp_time=5"), notes(s, *ramp))


def compared(s, a, b):
    return json.loads(weir(s, "compare", "--format=json", a, b, status=None).stdout)["notes"]


def repeated(s, name, script, n):
    """N runs of 4000 requests that take what SCRIPT says."""
    weir(s, "repeat", f"-n{n}", f"--output={name}", "--name=a", "--ioengine=delay(null)", "--iodepth=8",
         "--size=1g", "--rw=randread", "--number_ios=4000", f"--delay_script={script}")
    return s.path(name)


def test_07_one_run_08_means(s):
    """2 ms each; or 1 ms, and 11 ms of one in ten.  Runs that other programs disturb have wide
    intervals: nothing is said then."""
    one = repeated(s, "one", "const:2ms", 1)
    even, even2 = repeated(s, "even", "const:2ms", 3), repeated(s, "again", "const:2ms", 3)
    uneven = repeated(s, "uneven", "bimodal:1ms/90:11ms/10", 3)
    beside("one-run", compared(s, one, even), compared(s, even2, even))
    beside("means-hide", compared(s, even, uneven), compared(s, even, even2))


def test_10_closed_loop(s):
    job = ["--ioengine=delay(null)", "--delay_script=const:5ms", "--size=1g", "--rw=randread", "--runtime=1200ms",
           "--time_based"]

    def device_behind(*more):
        """Arrivals may also be late because other programs have the CPU."""
        return [n for n in notes(s, *job, *more)
                if n["evidence"].get("got_ios_per_s", 0) < 0.9 * n["evidence"].get("asked_ios_per_s", 0)]

    beside("rate-not-reached", device_behind("--rate_iops=1000"), device_behind("--rate_iops=50"))


def test_11_saturated(s):
    """Sixteen at a device that takes one at a time, for 2 ms: each waits for fifteen."""
    disk = slow_disk(s, "2ms")
    job = [f"--filename={disk}", "--rw=randread", "--ioengine=posixaio", "--runtime=3500ms", "--bs=4k",
           "--size=64m", "--time_based", "--direct=1", "--allow_file_create=0"]
    beside("saturated", notes(s, *job, "--iodepth=16"), notes(s, *job, "--iodepth=1"))


def test_12_depth(s):
    need_disk(s)
    f = filled(s.path("f"))
    job = [f"--filename={f}", "--rw=randread", "--bs=4k", "--size=8m"]
    beside("depth-no-effect", notes(s, *job, "--iodepth=16"), notes(s, *job, "--iodepth=1"))
    deep = [*job, "--ioengine=libaio", "--iodepth=16"]
    told = notes(s, *deep)
    check(ids(told) & {"depth-no-effect", "submit-synchronous"}, told)
    told = notes(s, *deep, "--direct=1")
    check(not ids(told) & {"depth-no-effect", "submit-synchronous"}, told)


def test_13_too_deep(s):
    dev = s.loop(64 << 20)
    env = json.loads(weir(s, "describe", "--json", dev).stdout)["environment"]
    queues = [layer["queue"] for layer in env["layers"] if layer["kind"] == "disk" and "queue" in layer]
    takes = min((q.get("device_depth", q["requests"] * q.get("hardware_queues", 1)) for q in queues),
                default=0)
    if not 8 <= takes <= 8192:  # twice as many for each of two jobs, of which there may be 65536
        raise Skip(f"no disk, or one whose queue is too long to be filled: {takes}")
    job = [f"--filename={dev}", "--rw=randread", "--ioengine=libaio", "--numjobs=2",
           "--group_reporting", "--io_size=4m", *DIRECT]
    beside("depth-beyond-device", notes(s, *job, f"--iodepth={2 * takes}"),
           notes(s, *job, f"--iodepth={takes // 4}"))
    low = subprocess.run(["prlimit", "--nofile=64", WEIR, "doctor", "--json"],
                         capture_output=True, text=True, check=False)
    beside("limit-files", json.loads(low.stdout)["notes"], doctor(s))


def test_14_plain_data(s):
    f = s.path("f")
    job = [f"--filename={f}", "--rw=write", "--bs=64k", "--size=4m", "--end_fsync=1", f"--destroy={f}"]
    beside("plain-data", notes(s, *job, "--zero_buffers"), notes(s, *job))
    need_command("mkfs.btrfs")
    places = []
    for options in ([], ["-o", "compress=zstd"]):
        dev = s.loop(200 << 20)
        subprocess.run(["mkfs.btrfs", "-q", dev], check=True)
        where = s.path("m%d" % len(s.undo))
        os.mkdir(where)
        if subprocess.run(["mount", *options, dev, where], capture_output=True).returncode:
            raise Skip("no btrfs")
        s.undo.append(lambda at=where: unmount(at))
        places.append(filled(where + "/f", 1))
    beside("compressing", doctor(s, places[1]), doctor(s, places[0]))


def test_15_small_range(s):
    dev = s.loop(64 << 20)
    job = [f"--filename={dev}", "--rw=randread", "--size=1m", "--norandommap", *DIRECT]
    beside("small-range", notes(s, *job, "--io_size=16m"), notes(s, *job, "--io_size=1m"))


def test_16_wrong_place(s):
    memory, disk = s.tmpfs("32m"), ext4(s)
    job = ["--rw=randread", "--size=4m", "--bs=4k"]
    beside("in-memory", notes(s, f"--filename={filled(memory + '/f')}", *job),
           notes(s, f"--filename={filled(disk + '/f')}", *job))
    direct = subprocess.run(["losetup", "-f", "--show", "--direct-io=on",
                             s.file("backing", 64 << 20, 1)], capture_output=True, text=True)
    if direct.returncode:
        raise Skip("no direct loop device")
    dev = direct.stdout.strip()
    s.undo.append(lambda: subprocess.run(["losetup", "-d", dev], check=False))
    if subprocess.run(["losetup", "-n", "-O", "DIO", dev], capture_output=True,
                      text=True).stdout.strip() != "1":
        raise Skip("the file system below takes no direct loop device")
    beside("loop-buffered", doctor(s, s.loop()), doctor(s, dev))


def test_17_full(s):
    where = ext4(s, 64 << 20)
    job = [f"--filename={where}/f", "--rw=randread", "--size=1m", *DIRECT]
    filled(where + "/f", 1)
    room = notes(s, *job)
    with open(where + "/fill", "wb") as f:
        st = os.statvfs(where)
        os.posix_fallocate(f.fileno(), 0, (st.f_bavail * st.f_frsize) * 97 // 100)
    beside("filesystem-full", notes(s, *job), room)
    other = ext4(s, 64 << 20)
    with open(other + "/whole", "wb") as whole, open(other + "/pieces", "wb") as pieces:
        for i in range(512):  # every second block of each is missing
            os.pwrite(pieces.fileno(), b"x" * 4096, i * 8192)
        os.fsync(pieces.fileno())
        os.posix_fallocate(whole.fileno(), 0, 4 * MIB)
    beside("fragmented", doctor(s, other + "/pieces"), doctor(s, other + "/whole"))


def test_18_misaligned(s):
    """Writes of less than a block of the disk; partitions are played."""
    need_disk(s)
    f = filled(s.path("f"), 1)
    env = json.loads(weir(s, "describe", "--json", f).stdout)["environment"]
    disks = [layer["device"] for layer in env["layers"] if layer["kind"] == "disk"]
    if not any(d["physical_block_bytes"] > d["logical_block_bytes"] for d in disks):
        raise Skip("no disk with blocks that are larger than its sectors")
    job = [f"--filename={f}", "--rw=randwrite", "--size=1m", "--io_size=64k", "--direct=1",
           f"--destroy={f}"]
    beside("small-blocks", notes(s, *job, "--bs=512"), notes(s, *job, "--bs=4k"))


def test_22_neighbours(s):
    where = ext4(s)
    f, other = filled(where + "/f", 16), where + "/other"
    job = [f"--filename={f}", "--rw=randread", "--size=16m", "--rate_iops=2000", "--runtime=1500ms",
           "--time_based", *DIRECT]
    p = s.start("--name=b", f"--filename={other}", "--rw=write", "--size=16m", "--direct=1", "--bs=64k",
                "--rate=8m", "--runtime=20", "--time_based")
    while not os.path.exists(other) or os.path.getsize(other) < 16 * MIB:
        check(p.poll() is None, "the neighbour has ended")
        time.sleep(0.05)
    loud = notes(s, *job)
    p.send_signal(2)
    p.wait(10)
    beside("foreign-io", loud, lambda: notes(s, *job))


def test_23_generator(s):
    """The null engine is as fast as the worker: all of the time is weir's own."""
    job = ["--ioengine=null", "--size=1g", "--bs=4k", "--rw=randread", "--iodepth=32", "--runtime=1200ms",
           "--time_based"]
    told, slow = notes(s, *job), notes(s, *job, "--rate_iops=1000")
    if "cpu-wait" in ids(told):
        raise Skip("other programs have the CPUs")
    timely(ids(told) & {"generator-bound", "cpu-bound"}, told)
    check(not ids(slow) & {"generator-bound", "cpu-bound"}, slow)


def test_26_changed_settings(s):
    dev = s.loop(16 << 20)
    setting = f"/sys/block/{os.path.basename(dev)}/queue/scheduler"
    with open(setting, encoding="ascii") as f:
        if "mq-deadline" not in f.read():
            raise Skip("one scheduler")
    results = []
    for name, scheduler in (("a", "none"), ("b", "none"), ("c", "mq-deadline")):
        put(setting, scheduler)
        results.append(s.path(name + ".json"))
        weir(s, "--name=a", f"--filename={dev}", "--rw=read", "--size=4m", *DIRECT,
             "--output-format=json", f"--output={results[-1]}")
    same = weir(s, "compare", results[0], results[1], status=None).stdout
    changed = weir(s, "compare", results[0], results[2], status=None).stdout
    check("scheduler" not in same and re.search("scheduler.*none.*mq-deadline", changed), changed)


def test_27_same_blocks(s):
    dev = s.loop(64 << 20)
    job = [f"--filename={dev}", "--rw=randread", "--size=512k", *DIRECT]
    beside("small-range", notes(s, *job, "--loops=20"), notes(s, *job))


def test_28_in_step(s):
    f = filled(s.path("f"))
    job = [f"--filename={f}", "--rw=read", "--bs=64k", "--numjobs=2", "--group_reporting"]
    beside("jobs-in-step", notes(s, *job, "--size=8m"),
           notes(s, *job, "--size=4m", "--offset_increment=4m"))


def test_29_dd(s):
    """dd's own words, and a job that is the same but for the mistake."""
    need_command("dd")
    words = subprocess.run(["dd", "if=/dev/zero", "of=f", "bs=64k", "count=64"], cwd=s.dir,
                           capture_output=True, text=True, check=True, timeout=60).stderr
    with open(s.path("dd.txt"), "w", encoding="utf-8") as f:
        f.write("$ dd if=/dev/zero of=f bs=64k count=64\n" + words)
    told = json.loads(weir(s, "show", "--output-format=json", "dd.txt").stdout)
    check(told["jobs"][0]["write"]["io_bytes"] == 4 << 20, f"{told['jobs'][0]['write']}")
    beside("dd", told["weir"]["notes"],
           notes(s, "--filename=g", "--rw=write", "--bs=64k", "--size=4m", "--end_fsync=1"))


def test_30_errors(s):
    job = ["--ioengine=fault(null)", "--size=1m", "--bs=4k", "--rw=randread"]
    beside("errors", notes(s, *job, "--fault_script=every:10:EIO", "--continue_on_error=io"), notes(s, *job))


def test_31_units(s):
    need_command("fio")
    job = ["fio", "--output-format=json", "--name=a", "--ioengine=null", "--size=1g", "--rw=read",
           "--bs=4k"]
    told = []
    for more in (["--kb_base=1000"], []):
        report = s.path("report.json")
        with open(report, "w", encoding="utf-8") as out:
            subprocess.run(job + more, stdout=out, check=True, cwd=s.dir)
        told.append(json.loads(weir(s, "show", "--output-format=json", report).stdout)
                    ["weir"]["notes"])
    beside("units", *told)


# ---- none is left out ----

def test_each_of_the_table(s):
    page = os.path.join(os.path.dirname(__file__), "../../docs/notes/README.md")
    with open(page, encoding="utf-8") as f:
        table = {int(n) for n in re.findall(r"^\| (\d+) \|", f.read(), re.M)}
    made = {int(m.group(1)) for m in map(re.compile(r"test_(\d\d)_").match, globals()) if m} | {8}
    check(table == set(range(1, 35)), table)
    known = made | set(PLAYED) | set(ELSEWHERE)
    check(known == table, known ^ table)
    for where, test in ELSEWHERE.values():
        with open(os.path.join(os.path.dirname(__file__), where), encoding="utf-8") as f:
            check(f"def {test}(" in f.read(), f"{where} has no {test}")


if __name__ == "__main__":
    run_all(dict(globals()))
