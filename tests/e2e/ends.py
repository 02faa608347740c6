#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Every end is orderly: whatever happens, the report comes, is valid and marked, the
exit status is not 0, and no process stays that a SIGKILL can end."""
import json
import os
import signal
import subprocess
import time

from harness import (NOBODY, SIGINT, SIGKILL, Skip, alive, check, need_command, need_root, put, run_all,
                     wait_for, weir, weir_json, weir_of_nobody, workers)

LONG = ["--ioengine=null", "--rw=randread", "--size=1g", "--runtime=60", "--time_based"]


def gone(pids):
    wait_for("the workers to end", lambda: not any(alive(x) for x in pids))


def finish(p, timeout=20):
    out, err = p.communicate(timeout=timeout)
    return json.loads(out), err


def test_killed_worker(s):
    p = s.start("--output-format=json", *LONG, "--name=a", "--name=b", "--runtime=5")
    pids = workers(p, 2)
    time.sleep(0.5)
    os.kill(pids[0], SIGKILL)
    doc, err = finish(p)
    check(p.returncode == 1, f"exit status {p.returncode}, not 1 failed job")
    check("killed by signal 9" in err, err)
    check(len(doc["jobs"]) == 2, "a job is missing from the report")
    check(any(j["read"]["total_ios"] > 0 for j in doc["jobs"]), "what was known is not reported")
    gone(pids)


def test_killed_parent(s):
    p = s.start("--output-format=json", *LONG, "--name=a", "--numjobs=3")
    pids = workers(p, 3)
    p.kill()
    gone(pids)


def test_killed_parent_of_threads(s):
    p = s.start("--output-format=json", *LONG, "--thread", "--name=a", "--numjobs=3")
    pids = workers(p)
    p.kill()
    gone(pids)


def stop_by(s, sig):
    for patience in (0.3, 1, 5):  # so long may a busy machine need until the first I/O
        p = s.start("--output-format=json", *LONG, "--name=a")
        pids = workers(p)
        time.sleep(patience)
        p.send_signal(sig)
        doc, err = finish(p)
        check(p.returncode == 128, f"exit status {p.returncode}, not 128")
        check("terminating on signal" in err, err)
        gone(pids)
        if doc["jobs"][0]["read"]["total_ios"]:
            return
    raise AssertionError("the report is empty")


def test_sigint(s):
    stop_by(s, SIGINT)


def test_sigterm(s):
    stop_by(s, signal.SIGTERM)


def test_sighup(s):
    stop_by(s, signal.SIGHUP)


def test_second_signal_skips_the_drain(s):
    p = s.start("--output-format=json", "--name=a", "--ioengine=delay(null)",
                "--delay_script=const:30s", "--iodepth=4", "--rw=randread", "--size=1g",
                "--runtime=60", "--time_based")
    pids = workers(p)
    time.sleep(0.3)
    p.send_signal(SIGINT)
    said = p.stderr.readline()  # two that come before one is seen are one
    check("terminating on signal" in said, said)
    begin = time.monotonic()
    p.send_signal(SIGINT)
    finish(p)
    check(time.monotonic() - begin < 5, "the second signal did not skip the drain")
    gone(pids)


def test_full_disk(s):
    where = s.tmpfs("4m")
    doc, p = weir_json(s, "--name=a", f"--filename={where}/f", "--rw=write", "--bs=64k",
                       "--size=16m", "--fallocate=none", status=1)
    check(doc["jobs"][0]["error"] == 28, f"error {doc['jobs'][0]['error']}, not ENOSPC")
    check("No space left" in p.stderr, p.stderr)


def test_no_permission(s):
    path = s.file("secret", 1 << 20)
    os.chmod(path, 0o600)
    p = subprocess.run(["setpriv", f"--reuid={NOBODY}", "--clear-groups", weir_of_nobody(s), "--name=a",
                        f"--filename={path}", "--rw=read", "--size=1m", "--output-format=json"],
                       capture_output=True, text=True, cwd="/", timeout=20)
    check(p.returncode != 0, "exit status 0")
    check("Permission denied" in p.stderr and path in p.stderr, p.stderr)


def test_directory_as_target(s):
    os.mkdir(s.path("d"))
    p = weir(s, "--name=a", "--filename=d", "--rw=read", "--size=1m", status=None)
    check(p.returncode != 0 and "directory" in p.stderr, p.stderr)


def test_direct_where_it_cannot_be(s):
    p = weir(s, "--name=a", "--filename=f", "--rw=read", "--size=1m", "--bs=1000", "--direct=1",
             status=None)
    check(p.returncode != 0 and "direct" in p.stderr, p.stderr)


def test_frozen_file_system(s):
    need_command("fsfreeze")
    dev = s.loop(256 << 20)
    mnt = s.mount(dev)
    s.undo.append(lambda: subprocess.run(["fsfreeze", "-u", mnt], check=False,
                                         stderr=subprocess.DEVNULL))
    p = s.start("--output-format=json", "--name=stuck", f"--filename={mnt}/f", "--rw=write",
                "--bs=4k", "--size=32m", "--runtime=6", "--time_based", "--name=free",
                "--filename=" + s.path("g"), "--rw=write", "--bs=4k", "--size=4m", "--runtime=6",
                "--time_based", "--rate_iops=100")
    pids = workers(p, 2)
    time.sleep(1)
    subprocess.run(["fsfreeze", "-f", mnt], check=True)
    doc, err = finish(p, timeout=120)  # named after 30 s, given up after 60
    check(p.returncode == 1, f"exit status {p.returncode}: the stuck job is the one that failed")
    check("stuck (pid" in err, "the stuck worker is not named: " + err)
    jobs = {j["jobname"]: j for j in doc["jobs"]}
    check(jobs["free"]["error"] == 0 and jobs["free"]["write"]["total_ios"] > 0,
          "the other job suffered")
    # what the kernel counts of a process that wasn't waited for isn't another's
    watch = doc["weir"]["watch"]
    check("foreign_read_bytes" not in watch and "foreign_written_bytes" not in watch, watch)
    subprocess.run(["fsfreeze", "-u", mnt], check=True)
    gone(pids)


def test_stop_on_a_frozen_file_system(s):
    """Ctrl-C: the report comes after the 10 s of the drain, without the stuck worker."""
    need_command("fsfreeze")
    mnt = s.mount(s.loop(256 << 20))
    s.undo.append(lambda: subprocess.run(["fsfreeze", "-u", mnt], check=False,
                                         stderr=subprocess.DEVNULL))
    p = s.start("--output-format=json", "--name=stuck", f"--filename={mnt}/f", "--rw=write",
                "--bs=4k", "--size=32m", "--runtime=600", "--time_based")
    pids = workers(p)
    time.sleep(0.5)
    subprocess.run(["fsfreeze", "-f", mnt], check=True)
    time.sleep(0.5)
    p.send_signal(SIGINT)
    doc, err = finish(p, timeout=30)
    check(p.returncode == 128, f"exit status {p.returncode}, not 128")
    check("stuck (pid" in err and "pwrite64" in err, "the stuck call is not named: " + err)
    check(doc["jobs"][0]["write"]["total_ios"] > 0, "what was known is not reported")
    subprocess.run(["fsfreeze", "-u", mnt], check=True)
    gone(pids)


def test_io_uring_forbidden(s):
    need_root()
    knob = "/proc/sys/kernel/io_uring_disabled"
    if not os.path.exists(knob):
        raise Skip("this kernel has no " + knob)
    with open(knob, encoding="ascii") as f:
        old = f.read()
    s.undo.append(lambda: put(knob, old))
    put(knob, "2")
    p = weir(s, "--name=a", "--ioengine=io_uring", "--filename=f", "--rw=write", "--size=1m",
             status=None)
    check(p.returncode != 0 and "io_uring" in p.stderr and "io_uring_disabled" in p.stderr, p.stderr)


def test_aio_max_nr(s):
    need_root()
    knob = "/proc/sys/fs/aio-max-nr"
    with open(knob, encoding="ascii") as f:
        old = f.read()
    s.undo.append(lambda: put(knob, old))
    put(knob, "16")
    p = weir(s, "--name=a", "--ioengine=libaio", "--iodepth=64", "--filename=f", "--rw=write",
             "--size=1m", status=None)
    check(p.returncode != 0 and "aio-max-nr" in p.stderr, p.stderr)


def test_jobs_after_a_failure_still_run(s):
    doc, p = weir_json(s, "--name=bad", "--ioengine=fault(psync)", "--fault_script=after:10:EIO",
                       "--filename=e", "--rw=write", "--size=1m", "--name=beside", "--filename=f",
                       "--rw=write", "--size=1m", "--name=good", "--stonewall", "--filename=g",
                       "--rw=write", "--size=1m", status=1)
    jobs = {j["jobname"]: j for j in doc["jobs"]}
    check(jobs["bad"]["error"] == 5, f"error {jobs['bad']['error']}, not EIO")
    for name in ("beside", "good"):
        check(jobs[name]["write"]["io_bytes"] == 1 << 20, f"{name} did not run")


if __name__ == "__main__":
    run_all(globals())
