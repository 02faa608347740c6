#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Are the figures true?  Devices with known behaviour against what weir reports."""
import json
import math
import os
import time

from harness import (SIGCONT, SIGSTOP, Skip, check, named, need_io_uring, run_all, timely, weir, weir_json,
                     workers)


def quantile(values, q):
    """Smallest value that at least q of all are at or below."""
    values = sorted(values)
    return values[max(0, math.ceil(q * len(values)) - 1)]


def bin_of(ns):
    """The log-linear bin of a duration: 64 sub-buckets an octave."""
    shift = max(0, ns.bit_length() - 7)
    return shift * 64 + (ns >> shift)


def delays(scratch, script, job):
    """Run a job over the delay shim; the latencies it delivered, and the JSON."""
    record = scratch.path("delivered")
    doc, _ = weir_json(scratch, "--name=t", "--ioengine=delay(null)", f"--delay_script={script}",
                       f"--delay_record={record}", "--rw=randread", "--bs=4k", "--size=1g",
                       "--percentile_list=50:90:99:99.9", *job)
    with open(record, encoding="ascii") as f:
        rows = [[int(x) for x in line.split()] for line in f if line[0].isdigit()]
    return [r[2] for r in rows], doc["jobs"][0]["read"]


def finish(p):
    out, _ = p.communicate(timeout=30)
    return json.loads(out)["jobs"][0]


def compare(delivered, read, kind):
    """Every percentile within one bin of the truth."""
    check(read["total_ios"] == len(delivered), f"{read['total_ios']} I/Os, {len(delivered)} delivered")
    # The last thousandth is two or three I/Os here, and one bin is 1.6 % of a latency: the time
    # between weir's stamp and the shim's is the machine's, which may be busy with other things.
    for p in ("50.000000", "90.000000", "99.000000"):
        got = read[kind]["percentile"][p]
        true = quantile(delivered, float(p) / 100)
        timely(abs(bin_of(got) - bin_of(true)) <= 1,
               f"p{p}: reported {got} ns, delivered {true} ns")


def test_constant_delay(s):
    compare(*delays(s, "const:2ms", ["--number_ios=600"]), "clat_ns")


def test_bimodal_delay(s):
    compare(*delays(s, "bimodal:1ms/90:10ms/10", ["--number_ios=600"]), "clat_ns")


def test_heavy_tail(s):
    compare(*delays(s, "tail:lognormal:1ms:1", ["--number_ios=800"]), "clat_ns")


def test_stopped_worker(s):
    """500 I/Os a second for 5 s; the worker is stopped for 1.2 s of them: 600 arrivals
    wait 0 to 1.2 s, a quarter of all, so p90 is 1.2 s * (1 - 250/600) = 700 ms: the stop
    without the 500 ms in which the other tenth of all was due.  A second job, which isn't
    stopped, says how late the machine is without that."""
    p = s.start("--ioengine=null", "--rw=randread", "--size=1g", "--runtime=5", "--time_based",
                "--rate_iops=500", "--output-format=json", "--name=t", "--comm=stopped", "--name=other")
    worker = named(p, "stopped")
    time.sleep(1.5)
    os.kill(worker, SIGSTOP)
    stopped = time.monotonic()
    time.sleep(1.2)
    stopped = time.monotonic() - stopped
    os.kill(worker, SIGCONT)
    job, other = json.loads(p.communicate(timeout=30)[0])["jobs"]
    own, noise = job["weir"]["read"], other["weir"]["read"]
    p90, p50 = own["response_p90_ns"], own["response_p50_ns"]
    want = (stopped - 0.5) * 1e9
    timely(abs(p90 - want) <= 0.05 * want + noise["response_p99_ns"],
           f"response p90 {p90 / 1e6:.1f} ms, not {want / 1e6:.1f} +- 5 %")
    timely(p50 < 1e6 + 2 * noise["response_p90_ns"], f"response p50 {p50 / 1e6:.3f} ms")
    # On an idle machine 600 +- 10; others are late only because of what runs beside us.
    check(own["late"] >= 500 * stopped - 10, f"{own['late']} late, not those of a stop of {stopped} s")
    check(own["due"] == 2500, f"{own['due']} due, not 5 s * 500")


def test_rate_not_reached(s):
    p = weir(s, "--name=t", "--ioengine=delay(null)", "--delay_script=const:10ms", "--rw=randread",
             "--size=1g", "--runtime=2", "--time_based", "--rate_iops=500")
    text = p.stdout
    at = text.find("rate not reached: asked")
    check(at >= 0, "no word of the rate that was not reached:\n" + text)


def test_second_without_io(s):
    p = s.start("--name=t", "--ioengine=null", "--rw=randread", "--size=1g", "--runtime=5",
                "--time_based", "--rate_iops=2000", "--output-format=json")
    worker = workers(p)[0]
    time.sleep(1.0)
    os.kill(worker, SIGSTOP)
    time.sleep(2.3)
    os.kill(worker, SIGCONT)
    job = finish(p)
    ios = [x["read"]["ios"] if "read" in x else 0 for x in job["weir"]["series"]]
    check(0 in ios[:5], f"no zero in the series: {ios}")
    check(sum(ios) == job["read"]["total_ios"], f"series {sum(ios)}, total {job['read']['total_ios']}")
    check(job["read"]["iops_min"] == 0, f"iops_min {job['read']['iops_min']}, not 0")


def test_buffered_libaio_slat(s):
    """Buffered libaio does the I/O in io_submit: the submission latency of each
    request is its own, not the batch's, and a note says that depth has no effect."""
    doc, _ = weir_json(s, "--name=t", "--ioengine=libaio", "--iodepth=16", "--rw=write", "--bs=64k",
                       "--size=64m", "--filename=data", "--direct=0", "--slat_percentiles=1")
    job = doc["jobs"][0]
    check(job["weir"]["submit_synchronous"], "not noticed that submit is synchronous")
    # Half of them say it: what took the CPU away from a single one is in no median.
    slat, clat = (job["write"][kind]["percentile"]["50.000000"] for kind in ("slat_ns", "clat_ns"))
    check(slat > 5 * clat, f"slat {slat} ns, clat {clat} ns")
    runtime = job["write"]["runtime"] * 1e6
    check(slat * job["write"]["total_ios"] < runtime * 1.1, "slat counts more time than there was")


def test_syncs_are_apart(s):
    """Buffered libaio hands syncs to a thread of the kernel's; its writes are as before."""
    doc, _ = weir_json(s, "--name=t", "--ioengine=libaio", "--iodepth=16", "--rw=write", "--bs=64k",
                       "--size=64m", "--filename=data", "--direct=0", "--fsync=32")
    check(doc["jobs"][0]["weir"]["submit_synchronous"], "not noticed among syncs")


def test_fast_is_not_synchronous(s):
    """Threads that do nothing, on the CPU of the one that submits: woken, they take it away and
    are done when submit returns.  That is luck: 16 requests are in flight as asked."""
    cpu = min(os.sched_getaffinity(0))
    doc, _ = weir_json(s, "--name=t", "--ioengine=threads(null)", "--iodepth=16", "--rw=randread",
                       "--bs=4k", "--size=4m", "--numjobs=24", f"--cpus_allowed={cpu}")
    jobs = doc["jobs"]
    check(len(jobs) == 24, f"{len(jobs)} jobs")
    wrong = sum(j["weir"]["submit_synchronous"] for j in jobs)
    check(not wrong, f"{wrong} of 24 taken for synchronous")


def cached(f, offset):
    """Is F there at OFFSET without waiting?  False, too, where the file system can't say so."""
    try:
        return os.preadv(f.fileno(), [bytearray(4096)], offset, os.RWF_NOWAIT) == 4096
    except (BlockingIOError, OSError):
        return False


def test_one_miss_ends_it(s):
    """io_uring reads what is cached at once, and the rest not: from there on it is asynchronous."""
    need_io_uring()
    path, mib = s.path("data"), 1 << 20
    with open(path, "w+b") as f:
        f.write(os.urandom(8 * mib))
        os.fsync(f.fileno())
        os.posix_fadvise(f.fileno(), 4 * mib, 4 * mib, os.POSIX_FADV_DONTNEED)
        if not cached(f, 4096):
            raise Skip("this file system doesn't say what is in the cache: io_uring always asks a thread")
        if cached(f, 5 * mib):
            raise Skip("this file system keeps all in the cache")
    job = ["--name=t", "--ioengine=io_uring", "--iodepth=16", "--rw=read", "--bs=4k", "--size=8m",
           f"--filename={path}", "--invalidate=0", "--fadvise_hint=random"]
    doc, _ = weir_json(s, *job)
    check(not doc["jobs"][0]["weir"]["submit_synchronous"], "half of it was not in memory")
    doc, _ = weir_json(s, *job)
    check(doc["jobs"][0]["weir"]["submit_synchronous"], "all of it was in memory")


if __name__ == "__main__":
    run_all(globals())
