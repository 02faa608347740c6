#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Memory that runs out, at each request in turn (starve.c; weir-stingy asks the kernel for each piece of an
arena, so there are thousands of requests).

Whatever is refused: nobody dies, and either all is as ever, or words on stderr say what is missing and,
where nothing was printed, why.
"""
import os

from harness import check, run_all, weir

STARVE = os.environ["STARVE"]
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data")
JOB = """[global]
ioengine=null
size=64k
bs=4k
[a]
rw=randrw
bssplit=4k/50:8k/50
numjobs=3
[b]
stonewall
rw=write
rate_iops=100k
write_lat_log=x
[c]
rw=read
iodepth=4
filename=f1:f2
"""
STUDY = """[study]
repeats = 2
[variant a]
env.MODE = 1
[variant b]
[workload w]
ioengine = null
rw = read
size = ${SIZE:-1m}
sweep.iodepth = 1..4*2
"""
SPEC = """[claim "Random read"]
where = rw=randrw bs=4k
expect = read.iops >= 1
"""


def put(s, name, text):
    with open(s.path(name), "w", encoding="utf-8") as f:
        f.write(text)


def judge(what, good, p, same):
    """GOOD is what it is with memory, P without."""
    check(0 <= p.returncode < 128, f"{what}: status {p.returncode}: {p.stderr[-400:]}")
    check("(null)" not in p.stderr + p.stdout, f"{what}: {p.stderr[-400:]}")
    if p.returncode != good.returncode:
        check(p.stderr.strip(), f"{what}: status {p.returncode}, and not a word")
    elif same and p.stdout != good.stdout:
        check("out of memory" in p.stderr, f"{what}: the output lacks something, and nobody says so:\n{p.stdout}")


def starve(s, step, *args, same=True, rest=""):
    """The first 20 requests and each STEPth; REST "+": and all after it. Returns how many there were."""
    good = weir(s, *args, status=None)
    mark = s.path("mark")
    n = 1
    while True:
        p = weir(s, *args, status=None, env={
            "LD_PRELOAD": STARVE, "WEIR_STARVE": f"{n}{rest}", "WEIR_STARVE_MARK": mark})
        if not os.path.exists(mark):
            return n
        os.unlink(mark)
        judge(f"{args}, request {n}{rest}", good, p, same)
        n += 1 if n < 20 else step


def results(s):
    for name in ("1.json", "2.json"):
        weir(s, "--name=a", "--ioengine=null", "--size=64m", "--bs=4k", "--rw=randrw",
             "--output-format=json", f"--output={name}")


def test_the_test(s):
    """It does refuse."""
    p = weir(s, "--version", status=1, env={"LD_PRELOAD": STARVE, "WEIR_STARVE": "1+"})
    check("out of memory" in p.stderr, p.stderr)
    check(starve(s, 1, "--showcmd", "--name=a") > 20, "few requests")


def test_reports(s):
    results(s)
    starve(s, 37, "show", "1.json")
    starve(s, 61, "show", "1.json", "--output-format=json")
    starve(s, 97, "compare", "1.json", "2.json")
    starve(s, 397, "compare", "1.json", "2.json", rest="+")


def test_imports(s):
    for name in ("fio-3.0.txt", "fio-3.0.json", "fio-3.0.terse"):
        starve(s, 31, "show", f"{DATA}/import/{name}")


def test_check(s):
    results(s)
    put(s, "spec", SPEC)
    starve(s, 61, "check", "1.json", "spec")


def test_plans(s):
    put(s, "job.fio", JOB)
    starve(s, 7, "--plan", "job.fio")
    starve(s, 7, "--showcmd", "job.fio")
    starve(s, 23, "--parse-only", "job.fio", rest="+")


def test_study(s):
    put(s, "st.weir", STUDY)
    starve(s, 23, "study", "--dry-run", "st.weir")


def test_runs(s):
    """The supervisor, and each of its children."""
    same = ["--size=64k", "--name=a"]
    starve(s, 23, *same, "--ioengine=null", "--output-format=json", same=False)
    starve(s, 31, *same, "--ioengine=psync", "--rw=write", "--filename=f", "--verify=crc32c",
           "--verify_async=2", "--write_lat_log=l", same=False)
    starve(s, 31, *same, "--ioengine=libaio", "--rw=randrw", "--filename=f", "--iodepth=4", "--thread",
           "--numjobs=2", "--io_submit_mode=offload", same=False)


def test_no_writer_of_logs(s):
    """Nobody waits for one that wasn't started: a ring has room for fewer records than there are. The
    supervisor's list for it has (jobs + 1) * 24 bytes."""
    jobs = ["--write_lat_log=l", "--ioengine=null", "--bs=4k", "--name=a", "--size=1200m",
            "--name=b", "--size=4k", "--numjobs=20"]
    mark = s.path("mark")
    p = weir(s, *jobs, status=1, env={
        "LD_PRELOAD": STARVE, "WEIR_STARVE": f"={22 * 24}", "WEIR_STARVE_MARK": mark})
    check(os.path.exists(mark), "it asks for another number of bytes")
    check("logs: can't start their writer: Cannot allocate memory" in p.stderr, p.stderr)
    check("a: 307200 records are missing in its logs" in p.stderr, p.stderr)


run_all(globals())
