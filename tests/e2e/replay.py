#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Traces: replayed by absolute due times, with every engine; written and read back, also by
fio; those of blktrace as its own tools see them; and whatever can be wrong with one."""
import json
import os
import random
import shutil
import subprocess
import time

import blktrace
from harness import (SIGINT, SIGKILL, WEIR, check, engines_here, need_command, need_io_uring, run_all, timely,
                     wait_for, weir, weir_json)

US = 1000


def write_trace(path, times_us, name="data", size=4096, blocks=1024, seed=1, kinds="rrw"):
    """fio's version 3; times in us."""
    rng = random.Random(seed)
    words = {"r": "read", "w": "write"}
    with open(path, "w", encoding="ascii") as f:
        f.write(f"fio version 3 iolog\n0 {name} add\n0 {name} open\n")
        for t in times_us:
            f.write(f"{t} {name} {words[rng.choice(kinds)]} {rng.randrange(blocks) * size} {size}\n")
        f.write(f"{times_us[-1]} {name} close\n")
    return path


def even_times():
    """1400 requests in 1.19 s, at random."""
    rng = random.Random(7)
    return sorted(rng.randrange(1_190_000) for _ in range(1399)) + [1_190_000]


def burst_times():
    """12 bursts of 100, a request each 20 us, 100 ms apart."""
    return [burst * 100_000 + i * 20 for burst in range(12) for i in range(100)]


def replay(s, *args, **kw):
    doc, _ = weir_json(s, "--name=r", *args, **kw)
    return doc["jobs"][0], doc["jobs"][0]["weir"]["replay"]


def on_time(s, times, *engine):
    """The time to the last request is within 1 % of the trace's, half of all are issued within
    1 % of it.  How late a machine wakes anybody is measured beside it at the same time, on an
    engine that takes no time, and allowed twice."""
    write_trace(s.path("t.iolog"), times)
    last = times[-1] * US
    doc, _ = weir_json(s, "--read_iolog=t.iolog", "--name=r", *engine, "--name=null", "--ioengine=null")
    r, null = (job["weir"]["replay"] for job in doc["jobs"])
    check(r["issued"] == r["records"] == len(times) and not r["dropped"], f"issued: {r}")
    check(r["trace_ns"] == last, f"the last one was due at {r['trace_ns']}, not {last}")
    noise = null["lateness_ns"]
    timely(r["replay_ns"] <= last * 1.01 + 2 * noise["max"]
           and r["lateness_ns"]["p50"] <= last / 100 + 2 * noise["p50"],
           f"off: {r}, on the null engine {null}")


def keeps_time(s, *engine):
    on_time(s, even_times(), *engine)
    on_time(s, burst_times(), *engine)


def test_keeps_time(s):
    keeps_time(s, "--ioengine=psync")


def test_keeps_time_libaio(s):
    keeps_time(s, "--ioengine=libaio", "--iodepth=32")


def test_keeps_time_io_uring(s):
    need_io_uring()
    keeps_time(s, "--ioengine=io_uring", "--iodepth=32")


def test_service_time_is_not_added(s):
    """Requests of 500 us, one at a time, 850 us apart on average: 0.7 s of work fit into the
    1.19 s.  Added to each gap (as fio does) they would make 1.89 s."""
    write_trace(s.path("t.iolog"), even_times())
    _, r = replay(s, "--read_iolog=t.iolog", "--ioengine=delay(null)", "--delay_script=const:500us")
    timely(r["replay_ns"] < 1.19e9 * 1.4, f"took {r['replay_ns'] / 1e9} s")
    check(r["replay_ns"] > 1.18e9, f"took {r['replay_ns'] / 1e9} s only")


def test_lateness_is_told(s):
    """A device that can't follow: 2 ms a request, 0.85 ms apart."""
    write_trace(s.path("t.iolog"), even_times())
    row, r = replay(s, "--read_iolog=t.iolog", "--ioengine=delay(null)", "--delay_script=const:2ms")
    check(r["lateness_ns"]["max"] > 1e9, f"1400 requests of 2 ms in 1.19 s, and yet {r}")
    check(row["read"]["iops"] + row["write"]["iops"] < 505, "faster than the device")
    p = weir(s, "--name=r", "--read_iolog=t.iolog", "--ioengine=delay(null)",
             "--delay_script=const:2ms", "--runtime=1")
    check("never issued" in p.stdout and "can't" in p.stdout, p.stdout)


def test_no_engine_hangs(s):
    """The watchdog is the timeout."""
    times = [i * 200 for i in range(100)]
    write_trace(s.path("t.iolog"), times)
    for engine in engines_here(("psync", "sync", "pvsync2", "vsync", "mmap", "null", "posixaio", "libaio",
                                "io_uring")):
        for depth in ("1", "8"):
            for more in ([], ["--replay_no_stall=1"]):
                _, r = replay(s, "--read_iolog=t.iolog", "--ioengine=" + engine,
                              "--iodepth=" + depth, *more, timeout=20)
                check(r["issued"] == 100, f"{engine} {depth} {more}: {r}")


def test_threads_and_clones(s):
    """Clones take turns through the list of traces."""
    write_trace(s.path("a.iolog"), range(0, 5000, 100), name="a")
    write_trace(s.path("b.iolog"), range(0, 7000, 100), name="b")
    for thread in ([], ["--thread"]):
        doc, _ = weir_json(s, "--name=r", "--read_iolog=a.iolog:b.iolog", "--numjobs=3", *thread)
        issued = sorted(j["weir"]["replay"]["issued"] for j in doc["jobs"])
        check(issued == [50, 50, 70], f"{issued}")


def test_scale_loops_skip(s):
    times = [i * 1000 for i in range(101)]
    write_trace(s.path("t.iolog"), times)
    _, r = replay(s, "--read_iolog=t.iolog", "--ioengine=null", "--replay_time_scale=50")
    check(r["trace_ns"] == 200_000 * US and r["replay_ns"] >= r["trace_ns"], f"half speed: {r}")
    _, r = replay(s, "--read_iolog=t.iolog", "--ioengine=null", "--replay_no_stall=1", "--loops=3")
    check(r["issued"] == 303 and not r["timed"], f"three times: {r}")
    _, r = replay(s, "--read_iolog=t.iolog", "--ioengine=null", "--time_based", "--runtime=1")
    check(r["issued"] <= 1010 and not r["records"], f"1 s of 1000 a second: {r}")
    timely(r["issued"] >= 500, f"1 s of 1000 a second: {r}")
    row, r = replay(s, "--read_iolog=t.iolog", "--ioengine=null", "--replay_skip=write,sync")
    check(row["write"]["total_ios"] == 0 and r["issued"] + r["left_out"] == 101, f"skipped: {r}")


def test_verification(s):
    """What a trace writes is stamped, read back and found whole, in any engine, pass and number of
    clones; a write that was lost on its way is found, the last of its place."""
    write_trace(s.path("t.iolog"), [i * 20 for i in range(2000)], kinds="rww", blocks=64)
    for more in engines_here((
            ["--ioengine=psync"], ["--ioengine=io_uring", "--iodepth=16"], ["--loops=3"],
            ["--ioengine=libaio", "--iodepth=16", "--numjobs=3", "--group_reporting"],
            ["--verify_backlog=50"], ["--verify=sha256", "--verify_interval=512"],
            ["--time_based", "--runtime=200ms"])):
        row, r = replay(s, "--read_iolog=t.iolog", "--verify=crc32c", *more, "--destroy=data")
        v = row["weir"]["verify"]
        back = v["reads"]["ios"]
        check(v["units"] >= 64 and not v["wrong"] and back >= 64, f"{more}: {v}")
        check(row["weir"]["read"]["ios"] == v["own_reads"]["ios"] + back, f"{more}: reads are mixed")
    with open(s.path("u.iolog"), "w", encoding="ascii") as f:
        f.write("fio version 3 iolog\n0 data add\n0 data open\n")
        f.writelines(f"{i} data write {i % 8 * 4096} 4096\n" for i in range(32))
    doc, _ = weir_json(s, "--name=r", "--read_iolog=u.iolog", "--verify=crc32c", "--destroy=data",
                       "--ioengine=fault(psync)", "--fault_script=write@nth:30:lost", status=1)
    fault = doc["jobs"][0]["weir"]["verify"]["faults"][0]
    check((fault["offset"], fault["guess"]) == (29 % 8 * 4096, "stale"), fault)


def test_syncs_and_trims(s):
    """Each kind of a trace reaches its target; a punched file says so."""
    with open(s.path("t.iolog"), "w", encoding="ascii") as f:
        f.write("fio version 3 iolog\n0 data add\n0 data open\n5 data write 0 1048576\n"
                "9 data sync 0 0\n20 data trim 0 65536\n30 data datasync 0 0\n40 data read 0 4096\n")
    row, r = replay(s, "--read_iolog=t.iolog", "--trim_files=punch")
    check((row["write"]["total_ios"], row["trim"]["total_ios"], row["read"]["total_ios"],
           row["sync"]["total_ios"]) == (1, 1, 1, 2), f"{r}")
    with open(s.path("data"), "rb") as f:
        check(not any(f.read(65536)), "the trim left data")
        check(any(f.read(65536)), "the write left nothing")
    p = weir(s, "--name=r", "--read_iolog=t.iolog", status=1)
    check("trim_files=punch" in p.stderr, p.stderr)


def test_packed_and_stdin(s):
    write_trace(s.path("t.iolog"), range(0, 5000, 100))
    packed = ["t.iolog"]
    for tool, end in (("gzip", ".gz"), ("zstd", ".zst")):
        if shutil.which(tool):
            subprocess.run([tool, "-k", "-q", s.path("t.iolog")], check=True)
            packed.append("t.iolog" + end)
    for name in packed:
        with open(s.path(name), "rb") as f:
            p = subprocess.run([WEIR, "--name=r", "--read_iolog=-", "--ioengine=null",
                                "--numjobs=2", "--output-format=json"], stdin=f, cwd=s.dir,
                               capture_output=True, text=True, timeout=30, check=True)
        issued = [j["weir"]["replay"]["issued"] for j in json.loads(p.stdout)["jobs"]]
        check(issued == [50, 50], f"{name}: {issued}")
        out = weir(s, "trace", "--json", name)
        check(json.loads(out.stdout)["requests"] == 50, out.stdout)


# ---- write_iolog ----

JOB = ("--rw=randrw", "--bs=4k", "--size=1m", "--fsync=16", "--filename=data")


def counts(row):
    return row["read"]["total_ios"], row["write"]["total_ios"]


def test_written_is_read(s):
    for engine in engines_here(("psync", "libaio", "io_uring")):
        doc, _ = weir_json(s, "--name=w", *JOB, "--write_iolog=w.iolog", "--ioengine=" + engine,
                           "--iodepth=8", "--numjobs=2")
        for row, name in zip(doc["jobs"], ("w.iolog", "w.iolog.1")):
            told = json.loads(weir(s, "trace", "--json", name).stdout)
            check((told["read"]["requests"], told["write"]["requests"]) == counts(row), f"{told}")
            check(told["backwards"] == 0, "out of order")
            again, r = replay(s, "--read_iolog=" + name)
            check(counts(again) == counts(row) and r["issued"] == told["requests"], f"{r}")


def test_fio_reads_ours_and_we_its(s):
    need_command("fio")
    ours, _ = weir_json(s, "--name=w", *JOB, "--write_iolog=w.iolog")
    p = subprocess.run(["fio", "--name=f", "--read_iolog=w.iolog", "--output-format=json"],
                       cwd=s.dir, capture_output=True, text=True, timeout=60, check=True)
    check(counts(json.loads(p.stdout)["jobs"][0]) == counts(ours["jobs"][0]), p.stdout)
    p = subprocess.run(["fio", "--name=f", *JOB, "--write_iolog=f.iolog", "--output-format=json"],
                       cwd=s.dir, capture_output=True, text=True, timeout=60, check=True)
    theirs = json.loads(p.stdout)["jobs"][0]
    row, _ = replay(s, "--read_iolog=f.iolog")
    check(counts(row) == counts(theirs), "counts of fio's trace")


def test_whole_lines_after_any_end(s):
    """A killed weir, a stopped one, a full disk: the trace is read up to there."""
    for sig in (SIGKILL, SIGINT):
        p = s.start("--name=w", "--rw=randread", "--size=1g", "--ioengine=null", "--rate_iops=5000",
                    "--time_based", "--runtime=60", "--write_iolog=k.iolog")
        wait_for("lines", lambda: os.path.exists(s.path("k.iolog"))
                 and os.path.getsize(s.path("k.iolog")) > 20000)
        p.send_signal(sig)
        p.wait(30)
        time.sleep(0.3)  # the writer outlives a killed weir by a moment
        told = json.loads(weir(s, "trace", "--json", "k.iolog").stdout)
        check(told["read"]["requests"] > 500, f"{told}")
        os.unlink(s.path("k.iolog"))
    p = weir(s, "--name=w", "--size=64k", "--ioengine=null", "--write_iolog=/dev/full", status=1)
    check("/dev/full" in p.stderr and "No space left" in p.stderr, p.stderr)


# ---- blktrace ----

def blktrace_files(s):
    w = blktrace.Writer(s.path("disk"))
    base = 77 * blktrace.SECOND
    for i in range(200):
        kinds = blktrace.READ if i % 3 else blktrace.WRITE
        w.request(i % 2, base + i * 1_000_000, i * 8, 4096, kinds)
    w.request(0, base + 200_000_000, 8192, 1 << 20, blktrace.WRITE | blktrace.DISCARD)
    w.message(1, base + 201_000_000, b"a message")
    w.event(0, base + 202_000_000, 0, 0, blktrace.WRITE | blktrace.FLUSH | blktrace.QUEUE, 1)
    w.close()


def test_blktrace_as_its_own_tools_see_it(s):
    need_command("blkparse")
    need_command("btt")
    blktrace_files(s)
    p = subprocess.run(["blkparse", "-i", "disk", "-d", "disk.bin", "-f", "%a %d %S %n\n"],
                       cwd=s.dir, capture_output=True, text=True, timeout=30, check=True)
    queued = [line.split() for line in p.stdout.splitlines() if line.startswith("Q ")]
    check(len(queued) == 202, f"{len(queued)} requests for blkparse")
    check(queued[0][2:] == ["0", "8"] and queued[1][2:] == ["8", "8"], f"{queued[:2]}")
    subprocess.run(["btt", "-i", "disk.bin", "-o", "seen"], cwd=s.dir, capture_output=True,
                   timeout=30, check=True)
    with open(s.path("seen.avg"), encoding="ascii") as f:
        q2c = [line.split() for line in f if line.startswith("Q2C")]
    check(q2c and abs(float(q2c[0][2]) - 0.0001) < 1e-6, f"btt: a request takes 100 us, not {q2c}")
    for name in ("disk", "disk.bin"):
        told = json.loads(weir(s, "trace", "--json", name).stdout)
        check((told["read"]["requests"], told["write"]["requests"], told["trim"]["requests"],
               told["sync"]["requests"]) == (133, 67, 1, 1), f"{name}: {told}")
        check(told["last_ns"] == 202_000_000, f"{name}: {told['last_ns']} ns")


def test_blktrace_is_replayed(s):
    blktrace_files(s)
    _, r = replay(s, "--read_iolog=disk", "--replay_redirect=data", "--replay_skip=trim")
    check(r["issued"] == 201 and r["trace_ns"] == 202_000_000, f"{r}")
    p = weir(s, "--name=r", "--read_iolog=disk:disk", "--merge_blktrace_file=m", "--ioengine=null",
             "--merge_blktrace_scalars=50:100", "--merge_blktrace_iters=2:1",
             "--replay_redirect=data", "--replay_no_stall=1", "--output-format=json")
    check(json.loads(p.stdout)["jobs"][0]["weir"]["replay"]["issued"] == 606, p.stdout)


# ---- what can be wrong ----

def refused(s, words, *args):
    p = weir(s, "--name=r", *args, status=1)
    for word in words:
        check(word in p.stderr, f"no '{word}' in: {p.stderr}")


def test_nothing_beyond_what_was_asked(s):
    """A request behind the end of a device is refused with its line; the guards of any
    job hold for the targets of a trace."""
    with open(s.path("t.iolog"), "w", encoding="ascii") as f:
        f.write("fio version 3 iolog\n0 precious add\n0 precious open\n9 precious write 0 4096\n")
    with open(s.path("precious"), "wb") as f:
        f.write(b"x" * 8192)
    refused(s, ["precious", "--destroy"], "--read_iolog=t.iolog")
    with open(s.path("precious"), "rb") as f:
        check(f.read() == b"x" * 8192, "written all the same")
    refused(s, ["--readonly", "replay_skip=write,trim"], "--read_iolog=t.iolog", "--readonly")
    dev = s.loop(1 << 20)
    with open(s.path("d.iolog"), "w", encoding="ascii") as f:
        f.write(f"fio version 3 iolog\n0 {dev} add\n0 {dev} open\n9 {dev} read 0 4096\n"
                f"10 {dev} read 1048576 4096\n11 {dev} read 4096 4096\n")
    refused(s, ["record 5 of d.iolog", "1052672", "replay_scale=2"], "--read_iolog=d.iolog")
    _, r = replay(s, "--read_iolog=d.iolog", "--replay_scale=2", "--direct=1")
    check(r["issued"] == 3, f"{r}")


def test_bad_traces(s):
    write_trace(s.path("t.iolog"), range(0, 5000, 100))
    subprocess.run(["gzip", "-k", "-q", s.path("t.iolog")], check=True)
    with open(s.path("t.iolog.gz"), "rb") as f:
        data = f.read()
    with open(s.path("cut.gz"), "wb") as f:
        f.write(data[:-20])
    refused(s, ["cut.gz", "is cut off"], "--read_iolog=cut.gz")
    refused(s, ["none: can't be opened"], "--read_iolog=none")
    with open(s.path("ns.iolog"), "w", encoding="ascii") as f:
        f.write("fio version 3 iolog\n0 data add\n0 data open\n")
        for i in range(2000):  # 2 s of 1000 a second, written in ns
            f.write(f"{i * 1_000_000} data read 0 4096\n")
    p = weir(s, "--name=r", "--read_iolog=ns.iolog", "--ioengine=null", "--runtime=1")
    check("it lasts 0.6 h at 1.0 IOPS" in p.stderr, p.stderr)


def test_memory_does_not_grow(s):
    """A trace of 100 MB as text, packed: weir needs less than a quarter of that."""
    need_command("gzip")
    line = b"".join(b"%d data read %d 4096\n" % (i, i % 256 * 4096) for i in range(20000))
    with open(s.path("big.gz"), "wb") as out:
        p = subprocess.Popen(["gzip", "-1"], stdin=subprocess.PIPE, stdout=out)
        p.stdin.write(b"fio version 3 iolog\n0 data add\n")
        for _ in range(220):
            p.stdin.write(b"fio version 3 iolog\n" + line)
        p.stdin.close()
        p.wait(30)
    for args in (["trace", "--json", "big.gz"],
                 ["--name=r", "--read_iolog=big.gz", "--ioengine=null", "--replay_no_stall=1",
                  "--number_ios=1", "--runtime=1", "--output-format=json"]):
        p = subprocess.Popen([WEIR, *args], cwd=s.dir, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        out = p.stdout.read()
        _, status, usage = os.wait4(p.pid, 0)
        check(status == 0 and b"{" in out, f"status {status}")
        check(usage.ru_maxrss < 25 << 10, f"{args[0]}: {usage.ru_maxrss} KiB of memory")


if __name__ == "__main__":
    run_all(globals())
