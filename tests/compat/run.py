#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""The oracle: run the same command lines on fio and on weir, and compare.

usage: run.py --weir PATH [--fio PATH] [--details DIR] [--jobs N] [NAME...]

NAME is a case of cases.py or a glob. Each case runs on each program, in folders
of its own: for the classic text, for JSON (with --debug=io when offsets are
compared), and for all formats at once unless that takes long. --weir=/usr/bin/fio compares fio with itself: what
then fails is noise, and belongs in the case.

Exit status: 0 all agree, 1 not, 77 there is no fio.
"""
import argparse
import fnmatch
import os
import re
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import forms
import offsets
import text
import tree
from cases import CASES
from launch import Skip, launch
from rules import Differences, Versions

# JSON paths whose values both programs must agree on, in every case.
SAME = re.compile(r"/jobs/\d+/(?:jobname|groupid|error|desc|total_err|first_error|latency_\w+"
                  r"|job options/.*)|/global options/.*|/disk_util/\d+/name")
EXACT = re.compile(r"/jobs/\d+/(?:read|write|trim|mixed|sync)/"
                   r"(?:io_bytes|io_kbytes|total_ios|short_ios|drop_ios|[a-z]+_ns/N)")
LEVELS = re.compile(r"/jobs/\d+/iodepth_(?:level|submit|complete)/.*")
ABOUT = re.compile(r"/jobs/\d+/(?:read|write|trim|mixed)/(?:io_bytes|total_ios|runtime)")
RANDOM_SHARE = 0.12  # of all I/Os: how far apart two draws of a mix may be


def compare(case, fio, weir, versions):
    """Yield (what, place, fio's, weir's) for one case; FIO and WEIR map a run to its Outcome."""
    for run, a in fio.items():
        b = weir[run]
        if a.status != b.status:
            yield f"{run}.exit", "", a.status, b.status
        if bool(a.stderr) != bool(b.stderr):
            yield f"{run}.stderr", "", a.stderr.strip() or "empty", b.stderr.strip() or "empty"
        yield from compare_files(run, a.files, b.files)
    if case.stdout:
        yield from compare_stdout(case, fio["text"], weir["text"])
    elif case.report:
        a, b = (versions.new_text(x["text"].stdout) for x in (fio, weir))
        yield from text.compare(text.read(a), text.read(b), case.timing)
        yield from compare_json(case, fio["json"].stdout, weir["json"].stdout, versions)
        if weir["json"].status == 0 and '\n  "messages" : [' in weir["json"].stdout:
            yield "json.messages", "", "", "an array of messages after a clean run"
    if "forms" in weir:
        a, b = (x["forms"].stdout for x in (fio, weir))
        yield from forms.compare(a, b, case.counts == "same", versions.new_tree)
        yield from forms.check(b, "fio-3.42" in b, versions.new_text)
    if case.offsets:
        yield from offsets.compare(case.offsets, case.region, fio["json"].trace, weir["json"].trace)


def compare_files(run, want, got):
    for name in sorted(want.keys() | got.keys()):
        if want.get(name) != got.get(name):
            yield f"{run}.files", name, want.get(name, "absent"), got.get(name, "absent")


def compare_stdout(case, want, got):
    a, b = want.stdout, got.stdout
    if case.stdout == "form":
        a, b = (re.sub(r"\d+", "#", x) for x in (a, b))
    if a != b:
        yield "text.stdout", "", a, b


def compare_json(case, fio, weir, versions):
    before, want, _ = tree.document(fio)
    if want is None:
        if tree.document(weir)[1]:
            yield "json.document", "", "none", "one"
        return
    words, got, after = tree.document(weir)
    if got is None:
        yield "json.document", "", "one", weir.strip()[:300] or "nothing"
        return
    if words:
        yield "json.before", "", before.strip(), words.strip()
    elif before:
        yield "json.words", "", before.strip(), ""
    if after.strip():
        yield "json.after", "", "", after.strip()
    try:
        b = tree.parse(got)
    except tree.BadJson as e:
        yield "json.invalid", "", "", str(e)
        return
    if tree.emit(b) != got:
        yield "json.form", *first_difference(tree.emit(b), got)
    a = tree.flatten(versions.new_tree(tree.parse(want)))
    b = tree.flatten(versions.new_tree(b))
    yield from tree.compare_shape(a, b)
    yield from compare_values(case, a, b)


def first_difference(want, got):
    for number, (x, y) in enumerate(zip(want.splitlines(), got.splitlines()), 1):
        if x != y:
            return f"line {number}", x, y
    return "the end", "", ""


def compare_values(case, want, got):
    want, got = ({p: t for p, _, t in rows} for rows in (want, got))
    queued = any(p.endswith("/latency_depth") and t != "1" for p, t in want.items())
    for path, a in want.items():
        b = got.get(path)
        if b is None or a == b:
            continue
        if SAME.fullmatch(path) or (case.counts == "same" and EXACT.fullmatch(path)):
            yield "json.value", path, a, b
        elif case.counts == "same" and not queued and LEVELS.fullmatch(path):
            yield "json.value", path, a, b
        elif case.counts == "about" and ABOUT.fullmatch(path):
            if abs(float(a) - float(b)) > case.within * max(float(a), float(b)):
                yield "json.value", path, f"about {a}", b
    if case.counts == "mix":
        yield from compare_mix(want, got)


def compare_mix(want, got):
    """The sum of the directions is determined, their shares are drawn."""
    for key in ("total_ios", "io_bytes"):
        for job in sorted({m[1] for p in want if (m := re.match(r"(/jobs/\d+)/read/", p))}):
            a, b = ([float(x.get(f"{job}/{d}/{key}", "0")) for d in ("read", "write", "trim")]
                    for x in (want, got))
            if sum(a) != sum(b):
                yield "json.value", f"{job}/*/{key}", f"total {sum(a):.0f}", f"{sum(b):.0f}"
            elif sum(a) and any(abs(x - y) > RANDOM_SHARE * sum(a) for x, y in zip(a, b)):
                yield "json.value", f"{job}/*/{key}", a, b


class Runner:
    def __init__(self, args, root):
        self.args, self.root = args, root
        self.versions, self.differences = Versions(), Differences()

    def outcomes(self, program, case, side):
        runs = {"text": []}
        if case.report:
            runs["json"] = ["--output-format=json"] + (["--debug=io"] if case.offsets else [])
        if case.report and not case.slow():
            runs["forms"] = forms.words(CASES.index(case))
        return {name: launch(program, case, os.path.join(self.root, side, case.name, name), words)
                for name, words in runs.items()}

    def differ(self, case):
        """(how many differences are known, {place: text} of the others, what weir did)."""
        fio = self.outcomes(self.args.fio, case, "fio")
        weir = self.outcomes(self.args.weir, case, "weir")
        allowed, bad = 0, {}
        for what, place, a, b in compare(case, fio, weir, self.versions):
            where = f"{what} {place}".strip()
            if what == "json.before" and self.args.fio == self.args.weir:
                continue  # fio puts words there; weir never
            if self.versions.allow(case.name, where, b) or self.differences.allow(case.name, where):
                allowed += 1
            else:
                bad[where] = f"{what} {place}\n    fio:  {a}\n    weir: {b}"
        return allowed, bad, weir

    def one(self, case):
        """(line to print, state, details).  Other load on the machine changes what either program
        does in a time: a difference is one that is there each time."""
        once = {}
        try:
            allowed, bad, weir = self.differ(case)
            for _ in range(self.args.tries - 1):
                if not bad:
                    break
                allowed, again, weir = self.differ(case)
                once |= {k: v for k, v in bad.items() if k not in again}
                bad = {k: v for k, v in again.items() if k in bad}
        except Skip as e:
            return f"skip {case.name}: {e}", "skipped", ""
        if bad:
            return f"FAIL {case.name}: {len(bad)} differences", "failed", self.tell(case, bad, weir)
        notes = [f"{allowed} known differences"] * bool(allowed) + [f"not each time: {k}" for k in once]
        return f"ok   {case.name}" + (f" ({'; '.join(notes)})" if notes else ""), "passed", ""

    @staticmethod
    def tell(case, bad, weir):
        said = weir["text"]
        return (f"{case.name}: fio {case.args}\n\n" + "\n".join(bad.values())
                + f"\n\nweir said (text):\n{said.stdout}{said.stderr}")


def chosen(names):
    unknown = [n for n in names if not any(fnmatch.fnmatchcase(c.name, n) for c in CASES)]
    if unknown:
        sys.exit(f"no such case: {', '.join(unknown)}")
    return [c for c in CASES if not names or any(fnmatch.fnmatchcase(c.name, n) for n in names)]


def arguments():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--weir", required=True, help="the program under test")
    p.add_argument("--fio", default="fio", help="the oracle (default: fio on PATH)")
    p.add_argument("--details", help="write what differs to a file per failed case, here")
    p.add_argument("--jobs", type=int, default=2, help="cases at a time")
    p.add_argument("--tries", type=int, default=4, help="a difference is there in so many runs")
    p.add_argument("--list", action="store_true", help="only print the cases")
    p.add_argument("names", nargs="*")
    return p.parse_args()


def main():
    args = arguments()
    cases = chosen(args.names)
    if args.list:
        print("\n".join(f"{c.name:24} fio {c.args}" for c in cases))
        return 0
    fio = shutil.which(args.fio)
    if not fio:
        print("skipped: the oracle, fio, is not installed")
        return 77
    args.fio, args.weir = os.path.realpath(fio), os.path.realpath(args.weir)
    if args.details:
        os.makedirs(args.details, exist_ok=True)
    count = {"passed": 0, "failed": 0, "skipped": 0}
    ran = []
    with tempfile.TemporaryDirectory(prefix="weir-compat-") as root:
        runner = Runner(args, root)
        with ThreadPoolExecutor(args.jobs) as pool:
            for case, (line, state, details) in zip(cases, pool.map(runner.one, cases)):
                count[state] += 1
                ran += [case.name] if state != "skipped" else []
                print(line, flush=True)
                show(args, case, details)
    stale = runner.differences.unused(ran) if not args.names and args.fio != args.weir else []
    for row in stale:
        print(f"differences:{row.number}: not seen in any case; remove it: {row.case} {row.what}")
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    return 1 if count["failed"] or stale else 0


def show(args, case, details):
    if not details:
        return
    if args.details:
        with open(os.path.join(args.details, case.name + ".txt"), "w", encoding="utf-8") as f:
            f.write(details)
    else:
        print("    " + details.partition("\n\nweir said")[0].replace("\n", "\n    "))


if __name__ == "__main__":
    sys.exit(main())
