#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""weir(1) has every flag and option, and renders without a complaint.

usage: manual.py WEIR weir.1
"""
import os
import re
import shutil
import subprocess
import sys


def rows(weir):
    out = subprocess.run([weir, "help", "rows"], capture_output=True, text=True, check=True).stdout
    return [line.split("\t") for line in out.splitlines()]


def missing(weir, text):
    """Names of rows that have no tag of their own, or, refused, aren't in the list."""
    plain = text.replace("\\-", "-")
    tags = set(re.findall(r"^\.TP\n\\fB([^\\]+)\\fR", plain, re.M))
    for kind, name, _, engine, *rest in rows(weir):
        refused = rest[5] == "refused"
        shown = ("--" if kind == "flag" else "") + name
        if refused and engine == "-" and f"\\fB{shown}\\fR" not in plain:
            yield f"{shown} is not in the list of what is refused"
        if not refused and shown not in tags:
            yield f"{shown} has no entry"


def complaints(page):
    env = {**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "100", "MAN_KEEP_STDERR": "1"}
    run = subprocess.run(["groff", "-man", "-Tutf8", "-ww", page], capture_output=True, text=True,
                         env=env, check=False)
    yield from run.stderr.splitlines()
    if len(run.stdout.splitlines()) < 500:
        yield f"it has only {len(run.stdout.splitlines())} lines"


def main(weir, page):
    with open(page, encoding="utf-8") as f:
        faults = list(missing(weir, f.read()))
    if shutil.which("groff"):
        faults += complaints(page)
    else:
        print("groff is not installed: not rendered")
    print("\n".join(faults) or "all there")
    return 1 if faults else 0


sys.exit(main(sys.argv[1], sys.argv[2]))
