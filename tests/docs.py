#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Options and docs/options agree.

usage: docs.py WEIR DOCS

Every option that WEIR lists has one heading in DOCS/*.md, every heading is such an
option, and each has prose and an example that uses it and that WEIR can read.
"""
import pathlib
import re
import subprocess
import sys

PROSE_MIN = 20  # letters


def sections(path):
    """(option, text below its heading) of each `## option`."""
    parts = re.split(r"^## +(.+?) *$", path.read_text(encoding="utf-8"), flags=re.M)
    return list(zip(parts[1::2], parts[2::2]))


def listed(weir):
    out = subprocess.run([weir, "--cmdhelp=all"], capture_output=True, text=True, check=True)
    return {line.split(":")[0].strip() for line in out.stdout.splitlines() if ":" in line}


def example_faults(weir, option, example):
    if not re.search(rf"^(\[|{re.escape(option)}(=|$))", example, re.M):
        yield "the example has no job"
    if option != "name" and not re.search(rf"^{re.escape(option)}\b", example, re.M):
        yield "the example doesn't use it"
    run = subprocess.run([weir, "--parse-only", "-"], input=example, capture_output=True,
                         text=True, check=False)
    if run.returncode:
        yield f"the example can't be read: {run.stderr.strip()}"


def section_faults(weir, option, text):
    examples = re.findall(r"^```\w*\n(.*?)^```$", text, re.M | re.S)
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    if len(prose.strip()) < PROSE_MIN:
        yield "no prose"
    if not examples:
        yield "no example"
    for example in examples:
        yield from example_faults(weir, option, example)


def main(weir, docs):
    faults, seen = [], {}
    for path in sorted(pathlib.Path(docs).glob("*.md")):
        for option, text in sections(path):
            place = f"{path.name}: {option}"
            if option in seen:
                faults.append(f"{place}: it has a heading in {seen[option]}, too")
            seen[option] = path.name
            faults += [f"{place}: {fault}" for fault in section_faults(weir, option, text)]
    options = listed(weir)
    faults += [f"{o}: no heading in docs/options" for o in sorted(options - seen.keys())]
    faults += [f"{seen[o]}: {o}: no such option" for o in sorted(seen.keys() - options)]
    print("\n".join(faults) or f"{len(seen)} options, each with a heading and an example")
    return 1 if faults or not seen else 0


sys.exit(main(sys.argv[1], sys.argv[2]))
