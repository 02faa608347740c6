#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""The end of ./check: what failed, what was skipped and why, what was left behind.

usage: summary.py --began EPOCH --mark WORD --broken "FOLDER..." BUILD...

Reads meson's testlog.json of each build folder that was written since --began.
Processes that carry WEIR_CHECK=WORD in their environment outlived their test:
they are named, ended, and count as a failure. The last line is
"N passed, N failed, N skipped"; exit status 0 when nothing failed.
"""
import argparse
import json
import os
import signal
import sys

PASSED = {"OK", "EXPECTEDFAIL"}


def tests_of(build, began):
    path = os.path.join(build, "meson-logs", "testlog.json")
    if not os.path.exists(path) or os.path.getmtime(path) < began:
        return []
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f if line.strip()]


def last_line(test):
    lines = (test.get("stdout") or test.get("stderr") or "").strip().splitlines()
    return lines[-1] if lines else "no reason given"


def survivors(mark):
    """(pid, command) of processes that have WEIR_CHECK=MARK, ourselves excepted."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        if int(pid) in (os.getpid(), os.getppid()):
            continue
        try:
            with open(f"/proc/{pid}/environ", "rb") as f:
                if f"WEIR_CHECK={mark}".encode() not in f.read().split(b"\0"):
                    continue
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                yield int(pid), f.read().replace(b"\0", b" ").decode(errors="replace").strip()
        except OSError:
            continue  # it ended meanwhile, or is another user's


def end(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--began", type=float, required=True)
    p.add_argument("--mark", required=True)
    p.add_argument("--broken", default="")
    p.add_argument("builds", nargs="+")
    args = p.parse_args()
    passed = failed = skipped = 0
    print()
    for build in args.builds:
        for test in tests_of(build, args.began):
            if test["result"] in PASSED:
                passed += 1
            elif test["result"] == "SKIP":
                skipped += 1
                print(f"skipped  {test['name']}: {last_line(test)}")
            else:
                failed += 1
                print(f"failed   {test['name']} ({test['result']}): {build}/meson-logs/testlog.txt")
    for folder in args.broken.split():
        failed += 1
        print(f"failed   {folder} could not be built")
    for pid, command in survivors(args.mark):
        failed += 1
        print(f"failed   left behind, now ended: {pid} {command}")
        end(pid)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
