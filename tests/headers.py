#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Each header compiles alone, and twice.

usage: headers.py SRC BUILD CC...
"""
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

FLAGS = ["-std=gnu17", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE", "-D_FILE_OFFSET_BITS=64",
         "-fsyntax-only", "-Wno-unused-function"]


def headers(src):
    for at, _, names in sorted(os.walk(src)):
        for name in sorted(names):
            if name.endswith(".h"):
                yield os.path.relpath(os.path.join(at, name), src)


def compile_alone(header, src, build, compiler):
    text = f'#include "{header}"\n#include "{header}"\n'
    got = subprocess.run([*compiler, *FLAGS, "-I", src, "-I", build, "-x", "c", "-"], input=text,
                         capture_output=True, text=True, check=False)
    return header, got.returncode, got.stderr


def main():
    src, build, compiler = sys.argv[1], sys.argv[2], sys.argv[3:]
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda h: compile_alone(h, src, build, compiler), headers(src)))
    bad = [d for d in done if d[1]]
    for header, _, errors in bad:
        print(f"{header} does not compile alone:\n{errors}")
    print(f"{len(done)} headers, {len(bad)} do not compile alone")
    return 1 if bad or not done else 0


if __name__ == "__main__":
    sys.exit(main())
