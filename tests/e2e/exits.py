#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""docs/exit-status.md, line by line, in both faces. (A worker that the kernel doesn't
release takes a minute: it is in ends.py.)"""
import json
import os
import shlex
import signal
import subprocess
import time

from harness import WEIR, Skip, check, run_all, workers

FACES = ([], ["--compat=fio"])
NULL = "--ioengine=null --size=1m --rw=read "
BAD = "'--ioengine=fault(null)' --fault_script=after:3:EIO --size=1m --rw=read "


def run(s, args, face=(), **kw):
    return subprocess.run([WEIR, *shlex.split(args), *face], capture_output=True, text=True,
                          cwd=s.dir, timeout=100, check=False, stdin=subprocess.DEVNULL, **kw)


def ends_with(s, status, args, **kw):
    for face in FACES:
        p = run(s, args, face, **kw)
        check(p.returncode == status, f"{face} {args}: status {p.returncode}, not {status}\n"
              f"{p.stderr[-800:]}")
    return p


# ---- 0 ----

def test_done(s):
    ends_with(s, 0, "--name=a --numjobs=3 " + NULL)


def test_tolerated_errors(s):
    ends_with(s, 0, "--name=a '--ioengine=fault(null)' --fault_script=rate:0.05:EIO --size=1m --rw=randrw "
                    "--continue_on_error=io")
    small = s.tmpfs("1m")
    ends_with(s, 0, f"--name=a --filename={small}/f --rw=write --bs=64k --size=4m --fill_device=1 "
                    "--fallocate=none")


def later(p):
    """Is it an option that this version refuses?"""
    return p.returncode == 1 and "not in this version" in p.stderr + p.stdout


def test_ignored_errors(s):
    args = "--name=a --ignore_error=EIO " + BAD
    if later(run(s, args)):
        raise Skip("ignore_error is not in this version")
    ends_with(s, 0, args)


def test_wrong_data(s):
    s.file("f", 1 << 16, 7)
    args = "--name=a --filename=f --rw=read --verify=crc32c --continue_on_error=verify"
    if later(run(s, args)):
        raise Skip("verify is not in this version")
    ends_with(s, 1, args)


# ---- notes ----

def test_strict(s):
    late = "--ioengine=null --size=1g --rate_iops=1000 --thinktime=100ms --thinktime_blocks=1 --number_ios=5"
    for args, status in ((f"--name=a {late}", 0), (f"--strict --name=a {late}", 125),
                         (f"--strict --name=a {NULL}", 0),
                         (f"--strict --name=a {late} --name=b {BAD}", 1),
                         (f"--strict --no-notes --name=a {late}", 125)):
        p = run(s, args + " --output-format=json")
        check(p.returncode == status, f"{args}: status {p.returncode}, not {status}\n{p.stderr}")
        notes = json.loads(p.stdout)["weir"]["notes"]
        check(not notes if "--no-notes" in args else notes, f"{args}: {notes}")


# ---- the number of failed jobs ----

def test_failed_jobs_are_counted(s):
    ends_with(s, 1, f"--name=a {BAD} --name=b {NULL}")
    ends_with(s, 3, f"--name=a --numjobs=3 {BAD} --name=b {NULL}")
    ends_with(s, 3, f"--name=a --numjobs=3 --group_reporting {BAD} --name=b {NULL}")
    for n, status in ((126, 126), (127, 127), (130, 127), (256, 127)):
        p = ends_with(s, status, f"--name=a --thread --numjobs={n} {BAD}")
        check("err= 5" in p.stdout, "the report is not complete")


def test_killed_worker(s):
    for face in FACES:
        p = subprocess.Popen([WEIR, *shlex.split("--name=a --ioengine=null --size=1g --rate_iops=99 "
                              "--runtime=3 --time_based --numjobs=2"), *face], cwd=s.dir,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        kids = workers(p, 2)
        os.kill(kids[0], signal.SIGKILL)
        p.communicate(timeout=20)
        check(p.returncode == 1, f"{face}: status {p.returncode}")


# ---- 1: nothing was run, or something could not be written ----

def test_refused(s):
    s.file("j.fio")
    with open(s.path("j.fio"), "w", encoding="ascii") as f:
        f.write("[a]\nrww=read\n")
    for args in ("--name=a --nosuch=1", "j.fio", "--name=a --rw=sideways", "nosuch.fio",
                 f"--name=a --rw=write --size=1m --filename={s.dir}", "--readonly --name=a --rw=write "
                 "--size=1m", f"--name=a --zero_buffers --buffer_pattern=7 --warnings-fatal {NULL} --rw=write"):
        for face in FACES:
            p = run(s, args, face)
            check(p.returncode == 1 and p.stderr + p.stdout, f"{face} {args}: {p.returncode}")
            check("IOPS" not in p.stdout, f"{face} {args}: something was run")
    check(sorted(os.listdir(s.dir)) == ["j.fio"], f"files were made: {os.listdir(s.dir)}")


def test_target_in_use(s):
    dev = s.loop(16 << 20)
    s.mount(dev)
    ends_with(s, 1, f"--name=a --filename={dev} --rw=write --size=64k")


def test_log_that_cannot_be_written(s):
    small = s.tmpfs("64k")
    p = ends_with(s, 1, f"--name=a --write_lat_log={small}/x --ioengine=null --size=200m --rw=read")
    check("IOPS" in p.stdout, "there is no report")
    ends_with(s, 1, f"--name=a --write_bw_log=no/x {NULL}")


def test_report_that_cannot_be_written(s):
    small = s.tmpfs("4k")
    for face in FACES:
        p = run(s, f"--name=a --thread --numjobs=90 --output={small}/r {NULL}", face)
        check(p.returncode == 1 and "IOPS" in p.stdout, f"{face}: {p.returncode} {p.stderr}")
        with open("/dev/full", "w", encoding="ascii") as full:
            p = subprocess.run([WEIR, *shlex.split("--name=a " + NULL), *face], stdout=full,
                               stderr=subprocess.PIPE, text=True, check=False, cwd=s.dir)
        check(p.returncode == 1 and "IOPS" in p.stderr, f"{face}: {p.returncode} {p.stderr}")
        p = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", WEIR,
                            *shlex.split("--name=a " + NULL), *face], stderr=subprocess.PIPE,
                           text=True, check=False, cwd=s.dir)
        check(p.returncode == 1 and "IOPS" in p.stderr, f"{face}: {p.returncode} {p.stderr}")


# ---- 128 ----

def stopped(s, args, sig, face, patience=0.3, **kw):
    p = subprocess.Popen([WEIR, *shlex.split(args), *face], cwd=s.dir, stderr=subprocess.PIPE,
                         text=True, **{"stdout": subprocess.PIPE, **kw})
    s.undo.append(lambda: (p.poll() is None and p.kill(), p.communicate()))
    workers(p)
    time.sleep(patience)
    p.send_signal(sig)
    out, err = p.communicate(timeout=20)
    return p.returncode, out, err


SLOW = "--name=good --ioengine=null --size=1g --rate_iops=100 --rw=read "


def test_signals(s):
    for face in FACES:
        for sig in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            for patience in (0.3, 1, 5):  # so long may a busy machine need until the first I/O
                status, out, err = stopped(s, SLOW, sig, face, patience)
                check(status == 128, f"{face} {sig}: status {status}")
                check("terminating on signal" in out + err, f"{face} {sig}: {out} {err}")
                if "IOPS" in out:
                    break
            check("IOPS" in out, f"{face} {sig}: {out}")


def test_which_says_more(s):
    """A signal, then failed jobs, then a report that could not be written."""
    for face in FACES:
        with open("/dev/full", "w", encoding="ascii") as full:
            status, _, _ = stopped(s, f"--name=bad {BAD} {SLOW}", signal.SIGINT, face, stdout=full)
        check(status == 128, f"{face}: a signal and the rest: {status}")
        with open("/dev/full", "w", encoding="ascii") as full:
            p = subprocess.run([WEIR, *shlex.split(f"--name=bad --numjobs=3 {BAD}"), *face],
                               stdout=full, stderr=subprocess.DEVNULL, check=False, cwd=s.dir)
        check(p.returncode == 3, f"{face}: three failed, and no report: {p.returncode}")


# ---- flags that run nothing ----

def test_answers(s):
    with open(s.path("j.fio"), "w", encoding="ascii") as f:
        f.write("[a]\nioengine=null\nsize=1m\n")
    for args in ("--help", "--version", "--showcmd j.fio", "--plan j.fio", "--parse-only j.fio",
                 "--cmdhelp", "--cmdhelp=rw", "--enghelp", "--enghelp=libaio"):
        p = ends_with(s, 0, args)
        check(p.stdout or "parse-only" in args, f"{args}: says nothing")
    p = run(s, "--cmdhelp=nosuch", ["--compat=fio"])
    check(p.returncode == 0, f"--cmdhelp=nosuch of fio: {p.returncode}")
    p = run(s, "--cmdhelp=nosuch")
    check(p.returncode == 1 and p.stderr, f"--cmdhelp=nosuch of weir: {p.returncode}")
    for args in ("--enghelp=nosuch", "--enghelp=null", "--parse-only --name=a --bs=junk",
                 "--plan --name=a --ioengine=null --size=1m --rate=1m --rate_iops=9",
                 "--parse-only --name=a --ioengine=null --size=1m --rate=1m --rate_iops=9"):
        ends_with(s, 1, args)


if __name__ == "__main__":
    run_all(globals())
