#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Job files as people write them (tests/data/jobs): each is read in both faces, and a
small run of it finishes.

usage: jobs.py WEIR JOBS [--parse] [NAME...]

Small: sizes, times, clones and depths in the text are cut down, and devices become
files.  A line "# later: OPTION..." names options that weir refuses so far: the file may
fail for these only.  --parse only reads them.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from harness import place, takes_direct

PATIENCE_S = 180  # thousands of syncs of a busy disk
SIZES = {"size": "2m", "filesize": "512k", "io_size": "2m", "offset_increment": "64k"}
TIMES = {"runtime": "1", "ramp_time": "0", "startdelay": "0", "steadystate_duration": "0",
         "thinktime": "100us", "thinktime_spin": "50us", "ss_dur": "0"}
COUNTS = {"numjobs": 2, "loops": 2, "nrfiles": 4, "nr_files": 4}


def later(text):
    found = re.findall(r"^# later: (.+)$", text, re.M)
    return set(" ".join(found).split())


def number(text):
    """The value of a count: arithmetic and ${NAME:-default} included."""
    text = re.sub(r"\$\{\w+:-(\w+)\}", r"\1", text)
    return eval(text, {"__builtins__": {}}) if re.fullmatch(r"[\d*+ ]+", text) else 1


def small(text, direct):
    """The same job, done in about a second a section, on files of 2 MiB; without DIRECT through the
    page cache."""
    out = []
    for line in text.splitlines():
        option, equals, value = line.partition("=")
        name = option.strip()
        if name in SIZES:
            line = f"{name}={SIZES[name]}"
        elif name in TIMES and equals:
            line = f"{name}={TIMES[name]}"
        elif name in COUNTS and equals:
            line = f"{name}={min(COUNTS[name], number(value.strip()))}"
        elif name == "offset" and equals:
            line = "offset=0"
        elif name in ("direct", "odirect") and not direct:
            line = "direct=0"
        elif name == "buffered" and not direct:
            line = "buffered=1"
        elif name in ("blocksize_range", "bs") and re.search(r"\d{4}k|\dm|\d{6}", value, re.I):
            line = f"{name}={'4k-256k' if name != 'bs' else '256k'}"
        elif name == "bssplit":
            line = line.replace("1m", "128k").replace("256k", "64k")
        elif name.startswith("["):
            line = line.replace("/", "_")
        out.append(re.sub(r"/dev/\w+", "device.dat", line))
    return "\n".join(out) + "\n"


def weir(program, words, text, folder):
    return subprocess.run([program, *words, "-"], input=text, capture_output=True, text=True,
                          timeout=PATIENCE_S, cwd=folder, check=False)


def refused_later(run, names):
    return run.returncode == 1 and any(
        re.search(rf"\] (--)?{re.escape(name)}: ", run.stderr) for name in names)


def read_faults(program, text, names):
    for face in ("none", "fio"):
        run = weir(program, [f"--compat={face}", "--parse-only"], text, ".")
        if run.returncode and not refused_later(run, names):
            yield f"not read ({face}): {run.stderr.strip()}"


def run_faults(program, text, names):
    with tempfile.TemporaryDirectory(dir=os.environ.get("WEIR_TEST_DIR") or place()) as folder:
        pathlib.Path(folder, "device.dat").write_bytes(os.urandom(4 << 20))
        words = ["--compat=fio", "--output-format=json"]
        try:
            run = weir(program, words, small(text, takes_direct(folder)), folder)
        except subprocess.TimeoutExpired:
            yield f"the small run takes longer than {PATIENCE_S} s"
            return
        if refused_later(run, names):
            return
        if run.returncode:
            yield f"the small run ends with {run.returncode}: {run.stderr.strip()[-400:]}"
            return
        document = json.loads(run.stdout)
        made = sum(job[d]["total_ios"] for job in document["jobs"] for d in ("read", "write", "trim"))
        if not made and "create_only" not in text:
            yield "the small run did no I/O"


def main(program, folder, *rest):
    program = os.path.abspath(program)
    parse_only = "--parse" in rest
    wanted = [name for name in rest if not name.startswith("-")]
    faults, waiting, files = [], [], sorted(pathlib.Path(folder).glob("*.fio"))
    for path in files:
        if wanted and path.stem not in wanted:
            continue
        text = path.read_text(encoding="utf-8")
        names = later(text)
        found = list(read_faults(program, text, names))
        if not found and not parse_only:
            found += run_faults(program, text, names)
        faults += [f"{path.name}: {fault}" for fault in found]
        if names:
            refused = refused_later(weir(program, ["--parse-only"], text, "."), names)
            waiting.append(f"{path.name}: {' '.join(sorted(names))}" + (
                "" if refused else "  (is read by now: the line can go)"))
    print("\n".join(faults + ["waiting for options:"] * bool(waiting) + waiting))
    print(f"{len(files)} job files, {len(faults)} faults, {len(waiting)} waiting")
    return 1 if faults or not files else 0


sys.exit(main(*sys.argv[1:]))
