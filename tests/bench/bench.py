#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""How fast is weir itself? Interleaved rounds against fio, and against another weir.

usage: bench.py --weir PATH [--fio PATH] [--against PATH] [--rounds N] [--json FILE] [ROW...]

The rows stand in rows.py. In each round every program runs the row once, in an
order that turns round by round, so that what the machine does meanwhile hits all
alike. A ratio is weir's figure over the other's in the same round; the table shows
minimum, median and maximum. Exit status 1 when a median misses what is wanted
(against fio; another weir is only shown), 77 when there is no fio.
"""
import argparse
import fnmatch
import json
import os
import platform
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from figures import FIGURES, Run, check_statistics, collected
from rows import ROWS
from setups import SETUPS, Missing

COUNTED = (20_000, 220_000)  # I/Os of the two runs whose difference is counted


def face(program, name, into):
    """PROGRAM under NAME: called as fio, weir behaves as fio."""
    path = os.path.join(into, name)
    os.symlink(program, path)
    return path


def call(command, folder):
    start = time.monotonic()
    got = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    wall = time.monotonic() - start
    if got.returncode:
        sys.exit(f"{' '.join(command)}: exit {got.returncode}: {got.stderr.strip()}")
    return got, wall


def run_counted(program, args, folder):
    """Instructions an I/O, as the difference of two sizes: what start and end cost
    is in neither."""
    totals = []
    for ios in COUNTED:
        got, _ = call(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program,
                       *args, f"--number_ios={ios}"], folder)
        totals.append(collected(got.stderr))
    return Run({}, 0, (totals[1] - totals[0]) / (COUNTED[1] - COUNTED[0]))


def run_once(name, program, row, values):
    args = {"fio": row.fio_args, "self": row.self_args}.get(name) or row.args
    args = args.format(**values).split()
    with tempfile.TemporaryDirectory(prefix="weir-bench-") as folder:
        path = face(program, "weir" if row.native and name != "fio" else "fio", folder)
        if any(w.figure == "instructions" for w in row.wants):
            return run_counted(path, args, folder)
        got, wall = call([path, *args], folder)
    document = json.loads(got.stdout[got.stdout.index("{"):])
    run = Run(document, wall)
    wrong = check_statistics(run) if row.latencies else None
    if wrong:
        sys.exit(wrong)
    return run


def figure_of(want, run, name):
    """None where only weir has the figure."""
    try:
        return FIGURES[want.figure](run)
    except KeyError:
        if name == "fio":
            return None
        raise


def measure(programs, row, args):
    """{figure: {program: [one a round]}}"""
    out = {w.figure: {name: [] for name in programs} for w in row.wants}
    names = list(programs)
    with SETUPS[row.setup]() as place:
        for number in range(max(args.rounds, 0 if args.quick else row.rounds)):
            turn = names[number % len(names):] + names[:number % len(names)]
            for name in turn:
                run = run_once(name, programs[name], row, {"seconds": args.seconds, **place})
                for want in row.wants:
                    out[want.figure][name].append(figure_of(want, run, name))
    return out


def spread(values):
    if not values or None in values:
        return None
    return {"min": min(values), "median": statistics.median(values), "max": max(values)}


def compared(want, figures, other):
    """What the want is about: ratios, or weir's own values."""
    if want.of == "value":
        return spread(figures["weir"])
    return spread([w / o if o else float("inf") for w, o in zip(figures["weir"], figures[other])])


def number(value):
    if value is None:
        return "-"
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def line(row, want, figures, other):
    got = compared(want, figures, other)
    ok = other == "before" or want.met(got["median"])
    mine, its = (spread(figures[n]) for n in ("weir", other))
    wanted = f"{want.sign} {want.limit:g}{'' if want.of == 'ratio' else ' itself'}"
    print(f"{row.name:24} {want.figure:12} {number(mine['median']):>11} {other:>6} "
          f"{number(its and its['median']):>11}  {number(got['min']):>8} {number(got['median']):>8} "
          f"{number(got['max']):>8}  {wanted if other != 'before' else ''}{'' if ok else '  MISSED'}",
          flush=True)
    return ok


def header():
    print(f"{'row':24} {'figure':12} {'weir':>11} {'':>6} {'other':>11}  {'min':>8} {'median':>8} "
          f"{'max':>8}  wanted (of the ratio weir / other)")


def entry(row, figures, others):
    return {"name": row.name, "args": row.args, "fio_args": row.fio_args or row.args,
            "notes": row.notes,
            "wants": [{"figure": w.figure, "sign": w.sign, "limit": w.limit, "of": w.of,
                       "figures": figures[w.figure],
                       "compared": {o: compared(w, figures[w.figure], o) for o in others}}
                      for w in row.wants]}


def cpu_model():
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        return next((text.split(":", 1)[1].strip() for text in f if text.startswith("model name")), "")


def write_json(path, args, programs, entries):
    document = {"machine": {"kernel": platform.release(), "cpus": os.cpu_count(), "cpu": cpu_model()},
                "rounds": args.rounds, "seconds": args.seconds,
                "programs": {n: os.path.basename(p) for n, p in programs.items()}, "rows": entries}
    with open(path, "w", encoding="utf-8") as f:
        json.dump(document, f, indent=2)
        f.write("\n")


def arguments():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--weir", required=True)
    p.add_argument("--fio", default="fio")
    p.add_argument("--against", help="another weir, to compare with")
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--quick", action="store_true", help="no extra rounds where a row wants them")
    p.add_argument("--seconds", type=int, default=2, help="of one run")
    p.add_argument("--json", help="write all figures to this file")
    p.add_argument("rows", nargs="*", metavar="ROW", help="only these; patterns (null-*) are fine")
    return p.parse_args()


def main():
    args = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that setups are undone
    fio = shutil.which(args.fio)
    if not fio:
        print("skipped: fio is not installed")
        return 77
    rows = [r for r in ROWS if not args.rows or any(fnmatch.fnmatch(r.name, p) for p in args.rows)]
    if not rows:
        sys.exit(f"no such row; there are: {', '.join(r.name for r in ROWS)}")
    programs = {"weir": os.path.realpath(args.weir), "fio": os.path.realpath(fio)}
    others = ["fio"]
    if args.against:
        programs["before"] = os.path.realpath(args.against)
        others.append("before")

    entries, missed = [], 0
    header()
    for row in rows:
        counted = any(w.figure == "instructions" for w in row.wants)
        if counted and not shutil.which("valgrind"):
            print(f"{row.name:24} skipped: valgrind is not installed")
            continue
        mine, against = programs, others
        if row.self_args:
            mine = {"weir": programs["weir"], "self": programs["weir"]}
            against = ["self"]
        try:
            figures = measure(mine, row, args)
        except Missing as why:
            print(f"{row.name:24} skipped: {why}")
            continue
        for want in row.wants:
            for other in against:
                missed += not line(row, want, figures[want.figure], other)
        entries.append(entry(row, figures, against))
        if args.json:
            write_json(args.json, args, programs, entries)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
