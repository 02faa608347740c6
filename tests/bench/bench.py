#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""How fast is weir itself? Interleaved rounds against fio, and against another weir.

usage: bench.py --weir PATH [--fio PATH] [--against PATH] [--rounds N] [--json FILE] [ROW...]

A row is one job that both programs run, the figure that is taken of it, and the
ratio that is wanted. In each round every program runs every row once, in an order
that turns round by round, so that what the machine does meanwhile hits all alike.
A ratio is weir's figure over the other's in the same round; the table shows its
median and its spread. Exit status 1 when a median is below what is wanted (only
against fio; another weir is shown), 77 when there is no fio.
"""
import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass

NULL = ("--name=a --ioengine=null --size=100g --bs=4k --time_based --runtime={seconds} "
        "--output-format=json ")


@dataclass(frozen=True)
class Row:
    name: str
    args: str        # {seconds} is how long a run takes
    figure: str      # a key of FIGURES
    wanted: float    # ratio against fio
    fio_args: str = ""  # when fio must be asked in another way


def iops(run):
    return sum(job[d]["iops"] for job in run["jobs"] for d in ("read", "write", "trim"))


def wall_speed(run):
    """Runs per second of wall time, start and end included."""
    return 1 / run["bench_seconds"]


FIGURES = {"iops": iops, "runs/s": wall_speed}

ROWS = [
    Row("null-randread-q32", NULL + "--rw=randread --norandommap --iodepth=32", "iops", 4.0),
    Row("null-randread-q1", NULL + "--rw=randread --norandommap --iodepth=1", "iops", 1.8),
]


def run_once(program, args, seconds):
    """The JSON of one run of PROGRAM as fio, with its wall time added."""
    with tempfile.TemporaryDirectory(prefix="weir-bench-") as folder:
        face = os.path.join(folder, "fio")
        os.symlink(program, face)
        before = os.times().elapsed
        got = subprocess.run([face, *args.format(seconds=seconds).split()], cwd=folder,
                             capture_output=True, text=True, check=False)
        wall = os.times().elapsed - before
    if got.returncode:
        sys.exit(f"{program} {args}: exit {got.returncode}: {got.stderr.strip()}")
    run = json.loads(got.stdout[got.stdout.index("{"):])
    run["bench_seconds"] = max(wall, 0.01)
    check_statistics(run)
    return run


def check_statistics(run):
    """All latency statistics must have been on: a tool that doesn't measure is fast."""
    for job in run["jobs"]:
        for d in ("read", "write", "trim"):
            if job[d]["total_ios"] and not job[d]["clat_ns"].get("percentile"):
                sys.exit(f"{job['jobname']}: {d} has no latency percentiles: not comparable")


def measure(programs, rows, rounds, seconds):
    """{row: {program: [figure of each round]}}"""
    out = {row.name: {name: [] for name in programs} for row in rows}
    names = list(programs)
    for number in range(rounds):
        turn = names[number % len(names):] + names[:number % len(names)]
        for row in rows:
            for name in turn:
                args = row.fio_args if name == "fio" and row.fio_args else row.args
                figure = FIGURES[row.figure](run_once(programs[name], args, seconds))
                out[row.name][name].append(figure)
        print(f"round {number + 1} of {rounds} done", file=sys.stderr)
    return out


def ratios(figures, other):
    return [w / o for w, o in zip(figures["weir"], figures[other])]


def spread(values):
    return {"min": min(values), "median": statistics.median(values), "max": max(values)}


def table(rows, figures, others):
    print(f"{'row':24} {'against':8} {'weir':>12} {'other':>12} {'figure':8}"
          f"{'min':>7} {'median':>7} {'max':>7}  wanted")
    missed = []
    for row in rows:
        for other in others:
            r = spread(ratios(figures[row.name], other))
            ok = other != "fio" or r["median"] >= row.wanted
            if not ok:
                missed.append(row.name)
            mine, its = (statistics.median(figures[row.name][n]) for n in ("weir", other))
            wanted = f">= {row.wanted:g}{'' if ok else '  MISSED'}" if other == "fio" else ""
            print(f"{row.name:24} {other:8} {mine:12.0f} {its:12.0f} {row.figure:8}"
                  f"{r['min']:7.2f} {r['median']:7.2f} {r['max']:7.2f}  {wanted}")
    return missed


def write_json(path, args, programs, rows, figures, others):
    document = {
        "machine": {"kernel": platform.release(), "cpus": os.cpu_count(), "cpu": cpu_model()},
        "rounds": args.rounds, "seconds": args.seconds, "programs": programs,
        "rows": [{"name": row.name, "args": row.args, "figure": row.figure, "wanted": row.wanted,
                  "figures": figures[row.name],
                  "ratios": {o: spread(ratios(figures[row.name], o)) for o in others}}
                 for row in rows],
    }
    with open(path, "w", encoding="utf-8") as f:
        json.dump(document, f, indent=2)
        f.write("\n")


def cpu_model():
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        return next((line.split(":", 1)[1].strip() for line in f if line.startswith("model name")), "")


def arguments():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--weir", required=True)
    p.add_argument("--fio", default="fio")
    p.add_argument("--against", help="another weir, to compare with")
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--seconds", type=int, default=2, help="of one run")
    p.add_argument("--json", help="write all figures to this file")
    p.add_argument("rows", nargs="*", metavar="ROW", help="only these")
    return p.parse_args()


def main():
    args = arguments()
    fio = shutil.which(args.fio)
    if not fio:
        print("skipped: fio is not installed")
        return 77
    rows = [r for r in ROWS if not args.rows or r.name in args.rows]
    if not rows:
        sys.exit(f"no such row; there are: {', '.join(r.name for r in ROWS)}")
    programs = {"weir": os.path.realpath(args.weir), "fio": os.path.realpath(fio)}
    others = ["fio"]
    if args.against:
        programs["before"] = os.path.realpath(args.against)
        others.append("before")
    figures = measure(programs, rows, args.rounds, args.seconds)
    missed = table(rows, figures, others)
    if args.json:
        write_json(args.json, args, programs, rows, figures, others)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
