#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""A second without I/O is in every figure that claims to tell minima and means: the
minimum is 0, and the mean of the samples is total over time, in text, JSON and logs.

A worker is stopped, or its file system frozen, in the middle of a run.
"""
import json
import os
import re
import shlex
import signal
import subprocess
import time

from harness import SIGCONT, SIGSTOP, WEIR, check, named, need_command, run_all, timely, wait_for, workers

WINDOW = 500  # ms: bwavgtime and iopsavgtime


def start(s, args):
    p = subprocess.Popen([WEIR, "--compat=fio", "--output-format=json,normal", *shlex.split(args)],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=s.dir)
    s.undo.append(lambda: (p.poll() is None and p.kill(), p.communicate()))
    return p


def finish(p, timeout=60):
    """(document, text) once it has ended."""
    out, err = p.communicate(timeout=timeout)
    check(p.returncode == 0, f"status {p.returncode}: {err}")
    doc, text = re.fullmatch(r".*?(^\{\n.*^\}$)\n(.*)", out, re.S | re.M).groups()
    return json.loads(doc), text


def stop(pid, seconds):
    os.kill(pid, SIGSTOP)
    time.sleep(seconds)
    os.kill(pid, SIGCONT)


def check_samples(name, d, seconds):
    """What a direction of JSON says about a stall of two windows and more."""
    check(d["bw_min"] == 0 and d["iops_min"] == 0, f"{name}: min {d['bw_min']}, {d['iops_min']}")
    count = seconds * 1000 // WINDOW
    for what in ("bw", "iops"):
        n = d[what + "_samples"]
        check(count - 1 <= n <= count, f"{name}: {n} samples of {what} in {seconds} s")
    # A last window that is not whole is no sample: its I/Os are in the total alone.
    for what, total in (("bw_mean", d["bw_bytes"] / 1024), ("iops_mean", d["iops"])):
        check(abs(d[what] - total) <= 0.01 * total, f"{name}: {what} {d[what]}, total {total}")


def check_text(text, doc):
    """The lines' minima are 0, and their means the document's."""
    for kind, key in (("bw", "bw_mean"), ("iops", "iops_mean")):
        found = re.findall(rf"^   {kind} .*min= *(\d+), .*avg= *([\d.]+)", text, re.M)
        want = [j[d][key] for j in doc["jobs"] for d in ("read", "write") if j[d]["total_ios"]]
        check(len(found) == len(want), f"{len(found)} {kind} lines")
        for (least, mean), value in zip(found, want):
            check(least == "0", f"text: {kind} min={least}")
            check(abs(float(mean) - value) < 0.02 or "MiB" in text, f"text: avg {mean}, {value}")


def rows(s, name):
    with open(s.path(name), encoding="ascii") as f:
        return [[int(x, 0) for x in line.split(", ")] for line in f]


def check_log(s, name, ddir, total_per_s, seconds, window):
    """A line for every window, zeros among them; their mean is the total over time."""
    got = [r for r in rows(s, name) if r[2] == ddir]
    ends = [r[0] for r in got]
    check(ends == sorted(set(ends)) and len(got) >= seconds * 1000 // window - 1,
          f"{name}: {len(got)} windows")
    check(min(r[1] for r in got) == 0, f"{name}: no window is 0")
    times = [b - a for a, b in zip([0] + ends, ends)]
    mean = sum(r[1] * t for r, t in zip(got, times)) / sum(times)
    check(abs(mean - total_per_s) <= 0.01 * total_per_s, f"{name}: mean {mean}, total {total_per_s}")


LOGS = "--write_bw_log=x --write_iops_log=x --log_avg_msec=250 "


RATED = "--ioengine=null --rate_iops=2000,1000 "


def stopped_worker(s, more, seconds=4):
    p = start(s, f"--name=a --rw=randrw --size=100g --runtime={seconds} --time_based --comm=stopped "
              + LOGS + more)
    pid = named(p, "stopped")
    time.sleep(0.7)
    stop(pid, 1.6)
    return finish(p)


def test_stopped_worker(s):
    """On a schedule, which catches up, and without one."""
    for more in (RATED, "'--ioengine=delay(null)' --delay_script=const:500us "):
        doc, text = stopped_worker(s, more)
        check_all(s, doc, text)


def check_all(s, doc, text):
    for ddir, name in enumerate(("read", "write")):
        d = doc["jobs"][0][name]
        check_samples(name, d, 4)
        check_log(s, "x_bw.1.log", ddir, d["bw_bytes"] / 1024, 4, 250)
        check_log(s, "x_iops.1.log", ddir, d["iops"], 4, 250)
    check_text(text, doc)


def test_stopped_threads_of_a_group(s):
    """All threads of the process stand still: the group has windows of 0."""
    doc, text = stopped_worker(s, RATED + "--thread --numjobs=3 --group_reporting ")
    for name in ("read", "write"):
        check_samples(name, doc["jobs"][0][name], 4)
    check_text(text, doc)


def test_one_of_a_group_stopped(s):
    """The others go on: no window of the group is 0, and its mean is that of the group."""
    p = start(s, "--name=a --ioengine=null --rw=read --size=100g --runtime=4 --time_based --numjobs=3 "
                 "--rate_iops=1000 --group_reporting")
    pids = workers(p, 3)
    time.sleep(0.7)
    stop(pids[-1], 1.6)
    doc, _ = finish(p)
    d = doc["jobs"][0]["read"]
    check(d["iops_min"] <= 2600, f"iops_min {d['iops_min']} with one of three stopped")
    timely(d["iops_min"] >= 500, f"iops_min {d['iops_min']} with two of three going on")
    check(abs(d["iops_mean"] - d["iops"]) <= 0.01 * d["iops"], f"{d['iops_mean']} and {d['iops']}")


def test_group_of_unlike_length(s):
    """One of 2 s, one of 4 s with a stall when it is alone: the group's mean is its total
    over its time, and its minimum 0."""
    p = start(s, "--ioengine=null --rw=read --size=100g --time_based --group_reporting "
                 "--rate_iops=1000 --name=short --runtime=2 --name=long --runtime=4")
    pids = workers(p, 2)
    time.sleep(2.3)
    for w in pids:
        if os.path.exists(f"/proc/{w}"):
            os.kill(w, SIGSTOP)
    time.sleep(1.3)
    for w in pids:
        if os.path.exists(f"/proc/{w}"):
            os.kill(w, SIGCONT)
    doc, text = finish(p)
    check(len(doc["jobs"]) == 1, f"{len(doc['jobs'])} rows")
    d = doc["jobs"][0]["read"]
    check_samples("group", d, 4)
    check_text(text, doc)


def test_unlike_groups_in_one_run(s):
    """Rows of their own: the short one's mean is over its own time."""
    p = start(s, "--ioengine=null --rw=write --size=100g --time_based --rate_iops=1000 --name=short "
                 "--runtime=2 --name=long --runtime=4")
    doc, _ = finish(p)
    for job in doc["jobs"]:
        d = job["write"]
        check(abs(d["iops_mean"] - d["iops"]) <= 0.01 * d["iops"], f"{d['iops_mean']}, {d['iops']}")
        timely(d["iops_min"] > 0, "a window of 0 where nothing stood still")


def test_frozen_file_system(s):
    """Writes to a frozen ext4 wait in the kernel, and so does the clock of nobody."""
    need_command("fsfreeze")
    where = s.mount(s.loop(256 << 20))
    thaw = lambda: subprocess.run(["fsfreeze", "-u", where], check=False, stderr=subprocess.DEVNULL)
    s.undo.append(thaw)
    p = start(s, f"--name=a --filename={where}/f --rw=write --bs=4k --size=8m --overwrite=0 "
                 "--fallocate=none --runtime=4 --time_based --rate_iops=500 " + LOGS)
    wait_for("a log", lambda: os.path.exists(s.path("x_bw.1.log"))
             and os.path.getsize(s.path("x_bw.1.log")))
    time.sleep(0.5)
    subprocess.run(["fsfreeze", "-f", where], check=True)
    time.sleep(1.6)
    thaw()
    doc, text = finish(p)
    d = doc["jobs"][0]["write"]
    check(d["clat_ns"]["max"] > 1.3e9, f"the longest write took {d['clat_ns']['max']} ns")
    check_samples("write", d, 4)
    check_text(text, doc)
    check_log(s, "x_bw.1.log", 1, d["bw_bytes"] / 1024, 4, 250)
    check_log(s, "x_iops.1.log", 1, d["iops"], 4, 250)


if __name__ == "__main__":
    run_all(globals())
