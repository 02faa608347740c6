#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Pauses, goals, flows, ramps, steadiness and tolerated errors on devices of known behaviour."""
import json
import os
import time

from harness import (SIGCONT, SIGINT, SIGSTOP, check, engines_here, run_all, timely, weir, weir_json, workers)


def test_latency_target(s):
    """A device that takes 10 ms for each request, however many there are: a goal of 100 ms is
    kept at any depth, so the answer is iodepth; one of 5 ms not even at depth 1, and the job
    fails."""
    job = ("--rw=randread", "--size=1g", "--runtime=20", "--time_based", "--iodepth=6",
           "--latency_window=200ms", "--ioengine=delay(null)", "--delay_script=const:10ms")
    doc, p = weir_json(s, "--name=t", *job, "--latency_target=100ms", "--latency_percentile=90",
                       status=None)
    row = doc["jobs"][0]
    timely(p.returncode == 0 and row["latency_depth"] == 6, f"depth {row['latency_depth']}, not 6: {p.stderr}")
    timely(row["job_runtime"] < 1000, f"{row['job_runtime']} ms measured, not one window of 200")
    # Each of 6 places gives a request in 10 ms at best, and one that was on its way before.
    most = 6 * (row["job_runtime"] / 10 + 2)
    check(row["read"]["iops"] * row["job_runtime"] / 1000 <= most,
          f"{row['read']['iops']} IOPS from 6 places of 10 ms")
    p = weir(s, "--name=t", *job, "--latency_target=5ms", status=1)
    check("exceeds specified max (5000000 nsec)" in p.stdout + p.stderr, "no word of the goal")


def test_max_latency(s):
    p = weir(s, "--name=t", "--ioengine=delay(null)", "--delay_script=bimodal:1ms/95:50ms/5",
             "--rw=randread", "--size=1g", "--max_latency=20ms", "--runtime=10", status=1)
    check("exceeds specified max (20000000 nsec)" in p.stdout + p.stderr, "no word of it")


def test_least_rate(s):
    """A request takes 10 ms: 100 a second at depth 1."""
    job = ("--name=t", "--ioengine=delay(null)", "--delay_script=const:10ms", "--rw=randread",
           "--size=1g", "--time_based", "--rate_cycle=500")
    p = weir(s, *job, "--runtime=10", "--rate_iops_min=200", status=1)
    check("rate_iops_min=200 not met, got" in p.stdout + p.stderr, "no word of it")
    p = weir(s, *job, "--runtime=4", "--rate_iops_min=20", status=None)
    timely(p.returncode == 0, f"a fifth of the device's rate wasn't reached: {p.stderr}")


def test_flow(s):
    """Weights 3 and 1 on equal devices of 2 ms: the lighter one sets the pace."""
    doc, _ = weir_json(s, "--ioengine=delay(null)", "--delay_script=const:2ms", "--rw=randread",
                       "--size=1g", "--runtime=2", "--time_based", "--flow_id=7", "--flow_sleep=200",
                       "--name=a", "--flow=3", "--iodepth=8", "--name=b", "--flow=1")
    a, b = (job["read"]["total_ios"] for job in doc["jobs"])
    timely(b > 100, f"{b} requests in 2 s")
    check(abs(a - 3 * b) <= 30, f"{a} and {b} requests, not 3 to 1")


def test_flow_survivor(s):
    """Who is alone waits for nobody."""
    doc, _ = weir_json(s, "--ioengine=null", "--rw=read", "--flow=1", "--name=a", "--size=1m",
                       "--name=b", "--flow=500", "--size=20m")
    ios = [job["read"]["total_ios"] for job in doc["jobs"]]
    check(ios == [256, 5120], f"{ios}")


def pauses(s, least, most, *more):
    doc, _ = weir_json(s, "--name=t", "--ioengine=null", "--rw=read", "--size=1g", "--runtime=2", "--time_based",
                       "--thinktime=100ms", "--thinktime_blocks=10", *more)
    ios = doc["jobs"][0]["read"]["total_ios"]
    check(ios <= most, f"{ios} requests, not {most} at most")
    timely(ios >= least, f"{ios} requests, not {least} at least")


def test_pauses(s):
    """10 requests at once, then 100 ms: 20 pauses in 2 s, the last of which has no more."""
    pauses(s, 180, 200, "--thinktime_blocks_type=issue", "--iodepth=4")


def test_pauses_of_a_schedule(s):
    """It catches up."""
    pauses(s, 180, 200, "--rate_iops=200")


def test_pauses_that_move_the_schedule(s):
    """50 ms at 200/s, then a pause: 2 s / 150 ms."""
    pauses(s, 120, 140, "--rate_iops=200", "--rate_ignore_thinktime=1")


def test_steady(s):
    """A schedule of 500/s is steady as soon as the window is full; a deviation of 0.0001
    requests a second is never reached, and what was sampled is told."""
    job = ("--name=t", "--ioengine=null", "--rw=read", "--size=1g", "--runtime=4", "--time_based",
           "--rate_iops=500")
    doc, _ = weir_json(s, *job, "--ss=iops:10%", "--ss_dur=2")
    row = doc["jobs"][0]
    steady = row["steadystate"]
    timely(steady["attained"] == 1, f"not attained: {steady}")
    check(len(steady["data"]["iops"]) == 2, f"samples: {steady['data']['iops']}")
    timely(all(abs(x - 500) <= 50 for x in steady["data"]["iops"]), f"{steady['data']['iops']}")
    timely(row["job_runtime"] < 3500, f"ran {row['job_runtime']} ms")
    check(row["error"] == 0, f"error {row['error']}")
    doc, _ = weir_json(s, *job, "--ss=iops:0.000001", "--ss_dur=30")
    steady = doc["jobs"][0]["steadystate"]
    check(steady["attained"] == 0, "attained")
    timely(abs(steady["data"]["iops_mean"] - 500) <= 50, f"mean {steady['data']['iops_mean']}, not 500")


def test_ramp_only(s):
    """A job that ends within its ramp has the ramp's figures, latencies too."""
    doc, _ = weir_json(s, "--name=t", "--ioengine=null", "--rw=read", "--size=1m", "--ramp_time=30")
    read = doc["jobs"][0]["read"]
    check(read["total_ios"] == 256 and read["clat_ns"]["N"] == 256, f"{read['clat_ns']['N']}")
    check(any(n["id"] == "ramp-only" for n in doc["weir"]["notes"]), "no note")


def test_ramp_in_flight(s):
    """Requests of 100 ms: the window opens while a whole queue is in flight, which counts in the
    rate and not in the latencies; the depths are those of all that counts."""
    for engine, depth in (("delay(null)", 8), ("delay(null)", 1), ("delay(psync)", 1)):
        doc, _ = weir_json(s, "--name=t", f"--ioengine={engine}", "--delay_script=const:100ms",
                           "--rw=randread", "--size=1m", f"--iodepth={depth}", "--ramp_time=350ms",
                           "--runtime=500ms", "--time_based")
        job = doc["jobs"][0]
        read, levels = job["read"], sum(job["iodepth_level"].values())
        check(read["total_ios"] - read["clat_ns"]["N"] == depth,
              f"{engine}: {read['total_ios']} came back, {read['clat_ns']['N']} have a latency")
        check(abs(levels - 100) < 0.2, f"{engine}: depths add up to {levels} %")


def test_ramp_verify(s):
    """Written and read back in turns: what that took in the ramp is no part of either's time."""
    doc, _ = weir_json(s, "--name=t", "--ioengine=psync", "--filename=f", "--rw=write", "--bs=64k",
                       "--size=1m", "--verify=crc32c", "--ramp_time=1500ms", "--runtime=500ms",
                       "--time_based")
    job = doc["jobs"][0]
    read, write = job["read"], job["write"]
    check(read["runtime"] and write["runtime"] and
          read["runtime"] + write["runtime"] <= 1.05 * job["job_runtime"],
          f"{read['runtime']} + {write['runtime']} of {job['job_runtime']} ms")
    check(read["total_ios"] == read["clat_ns"]["N"], f"{read['total_ios']} {read['clat_ns']['N']}")


def test_end_in_flight(s):
    """Requests of 400 ms for a second: two (of each place in the queue) come back in it, and the
    third, when it's over, counts in the latencies only.  Beside a ramp that ends within a request
    it would be one too many."""
    for engine, depth in (("delay(null)", 4), ("delay(null)", 1), ("delay(psync)", 1)):
        doc, _ = weir_json(s, "--name=t", f"--ioengine={engine}", "--delay_script=const:400ms",
                           "--rw=randread", "--size=1m", f"--iodepth={depth}", "--runtime=1s",
                           "--time_based")
        read = doc["jobs"][0]["read"]
        check(read["iops"] <= 2.0 * depth and read["io_bytes"] == read["iops"] * 4096
              and read["runtime"] == 1000, f"{engine}: {read['iops']} a second")
        check(read["total_ios"] - read["iops"] == depth == read["clat_ns"]["N"] - read["iops"],
              f"{engine}: {read['total_ios']} came back, {read['clat_ns']['N']} have a latency")


def test_window_without_figures(s):
    """A device that stands still from the ramp until the window is over: nothing came back in it,
    and nothing that was issued in it; a note says so."""
    doc, _ = weir_json(s, "--name=t", "--ioengine=delay(psync)", "--delay_script=const:2300ms",
                       "--rw=randread", "--size=1m", "--ramp_time=1s", "--runtime=1s", "--time_based")
    read = doc["jobs"][0]["read"]
    check(read["total_ios"] == 1 and read["iops"] == 0 and read["clat_ns"]["N"] == 0, read)
    notes = [n["id"] for n in doc["weir"]["notes"]]
    check("no-io" in notes, notes)


def stopped_in_a_call(s, ramp, halted_s):
    """Ctrl-C after 0.8 s of a call of 20 s, which it cuts short; the worker is halted until then
    and HALTED_S more."""
    s.file("data", 1 << 20, 1)
    p = s.start("--name=t", "--ioengine=delay(psync)", "--delay_script=const:20s", "--rw=randread",
                "--filename=data", f"--ramp_time={ramp}", "--runtime=60", "--time_based", "--output-format=json")
    worker = workers(p)[0]
    time.sleep(0.5)
    os.kill(worker, SIGSTOP)
    time.sleep(0.3)
    p.send_signal(SIGINT)
    time.sleep(halted_s)
    os.kill(worker, SIGCONT)
    doc = json.loads(p.communicate(timeout=30)[0])
    job = doc["jobs"][0]
    timely(job["read"]["total_ios"] == 1, f"it wasn't in the call: {job['read']['total_ios']}")
    return job["job_runtime"], job["read"], [n["id"] for n in doc["weir"]["notes"]]


def test_stop_in_flight(s):
    """A call that was under way when the window opened and when Ctrl-C ended it: the end of the
    window is that of the stop, not of the call, so it is in no rate; nor has it a latency."""
    ms, read, notes = stopped_in_a_call(s, "200ms", 0.5)
    timely("ramp-only" not in notes and ms > 0, f"stopped before the window: {notes}")
    check(read["iops"] == 0 and read["io_bytes"] == 0 and read["clat_ns"]["N"] == 0, read)


def test_stop_in_the_ramp(s):
    """A stop before the window would open: it doesn't, however late the call comes back."""
    ms, read, notes = stopped_in_a_call(s, "5s", 6)
    timely(ms < 5000, f"stopped after {ms} ms")
    check("ramp-only" in notes and read["clat_ns"]["N"] == 1, (read, notes))


def test_ramp_size(s):
    """2 MiB of 1 MiB/s are left out, then a second is measured."""
    doc, _ = weir_json(s, "--name=t", "--ioengine=null", "--rw=read", "--size=1g", "--rate=1m",
                       "--ramp_size=2m", "--runtime=1", "--time_based")
    read = doc["jobs"][0]["read"]
    check(read["total_ios"] <= 259, f"{read['total_ios']} requests, not 256")
    timely(read["total_ios"] >= 253, f"{read['total_ios']} requests, not 256")


def test_batches(s):
    """Requests that take 20 ms each. Fill 16; 8 of the 16 that are done may be taken; the 8 that
    are free then fill the queue again, so nothing waits for 16 (as fio does)."""
    base = ("--name=t", "--ioengine=delay(null)", "--delay_script=const:20ms", "--rw=randread",
            "--size=1g", "--number_ios=160", "--iodepth=16")
    for more, submits, completes in (
            (("--iodepth_batch=16", "--iodepth_batch_complete_min=4",
              "--iodepth_batch_complete_max=8"), {"16": 1, "8": 18}, {"8": 20}),
            # Chunks of 3, the last of a full queue shorter: 3 3 3 3 3 1 at first.
            (("--iodepth_batch=3", "--iodepth_batch_complete_min=16"), {"4": 60}, {"16": 10}),
            (("--iodepth_batch=64", "--iodepth_batch_complete_min=16"), {"16": 10}, {"16": 10}),
            (("--iodepth_batch_complete_min=16", "--iodepth_low=8"), {"16": 10}, {"16": 10})):
        doc, _ = weir_json(s, *base, *more)
        job = doc["jobs"][0]
        for key, want in (("iodepth_submit", submits), ("iodepth_complete", completes)):
            n = sum(want.values())
            got = {k.replace(">=", ""): round(v * n / 100, 1) for k, v in job[key].items() if v}
            check(got == want, f"{more}: {key} {got}, not {want}")


def test_offload(s):
    """Eight threads of plain pread(): more than one request in flight, and Little's law holds
    between depth, rate and latency: IOPS * mean latency <= 8."""
    doc, _ = weir_json(s, "--name=t", "--filename=data", "--rw=randrw", "--bs=4k", "--size=8m",
                       "--ioengine=psync", "--io_submit_mode=offload", "--iodepth=8",
                       "--runtime=1", "--time_based", "--norandommap", "--serialize_overlap=1")
    job = doc["jobs"][0]
    busy = sum(job[d]["iops"] * job[d]["lat_ns"]["mean"] for d in ("read", "write")) / 1e9
    check(busy <= 8.3, f"{busy:.2f} requests in flight on average")
    timely(busy > 1, f"{busy:.2f} requests in flight on average")


def test_offload_engines(s):
    """Threads around engines of every kind: a queue, a mapping, a position, a plain call. All
    blocks are read once, several at a time, from more files than may be open at once."""
    for engine in engines_here(("libaio", "io_uring", "posixaio", "mmap", "sync", "vsync", "pvsync2")):
        doc, _ = weir_json(s, "--name=t", "--nrfiles=3", "--openfiles=2", "--rw=randread", "--bs=4k",
                           "--size=3m", f"--ioengine={engine}", "--io_submit_mode=offload",
                           "--iodepth=4")
        job = doc["jobs"][0]
        check(job["read"]["io_bytes"] == 3 << 20, f"{engine}: {job['read']['io_bytes']} bytes")
        check(job["error"] == 0, f"{engine}: error {job['error']}")


def test_offload_latency(s):
    """A queue that takes 10 ms for each request: so does each through the threads, and four
    are done at a time. The time in a thread's hands is part of the latency."""
    doc, _ = weir_json(s, "--name=t", "--ioengine=delay(null)", "--delay_script=const:10ms",
                       "--rw=randread", "--size=1g", "--number_ios=200", "--iodepth=4",
                       "--io_submit_mode=offload")
    read = doc["jobs"][0]["read"]
    check(read["lat_ns"]["min"] >= 10_000_000, f"{read['lat_ns']['min']} ns, not 10 ms")
    check(read["runtime"] >= 500, f"200 requests of 10 ms, 4 at a time, in {read['runtime']} ms")
    busy = read["iops"] * read["lat_ns"]["mean"] / 1e9
    check(busy <= 4.1, f"{busy:.2f} requests in flight on average")
    timely(busy > 2, f"{busy:.2f} requests in flight on average")


def test_rate_of_no_share(s):
    """rwmixread leaves writes nothing: a rate makes none, of its own direction or of the other."""
    for rate, mix, want in (("1m,", 100, (100, 0)), ("1m,1m", 100, (100, 0)), (",1m", 100, (100, 0)),
                            (",1m", 0, (0, 100))):
        doc, _ = weir_json(s, "--name=t", "--ioengine=null", "--rw=randrw", "--size=400k",
                           f"--rwmixread={mix}", f"--rate={rate}")
        job = doc["jobs"][0]
        got = job["read"]["total_ios"], job["write"]["total_ios"]
        check(got == want, f"rate={rate} rwmixread={mix}: {got} reads and writes")


def test_tolerated_errors(s):
    """Every 50th of 256 requests fails: 5. As in fio "error" is the first that was tolerated,
    while the exit status is 0."""
    job = ("--name=t", "--ioengine=fault(null)", "--fault_script=read@every:50:EAGAIN", "--rw=read",
           "--size=1m")
    doc, _ = weir_json(s, *job, "--ignore_error=EAGAIN", "--error_dump=1")
    row = doc["jobs"][0]
    check((row["total_err"], row["first_error"], row["error"]) == (5, 11, 11), "errors miscounted")
    check(row["read"]["total_ios"] == 256, f"{row['read']['total_ios']} issued")
    check(row["read"]["io_bytes"] == 251 * 4096, f"{row['read']['io_bytes']} bytes")
    weir(s, *job, "--ignore_error=,EAGAIN", status=1)


if __name__ == "__main__":
    run_all(globals())
