#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Hold src/ to its levels: who may include whom, and what a HOT file may not do.

usage: includes.py SRC [--self-test]

A folder includes only itself and folders above it in ORDER, less what FORBIDDEN
takes away. Prints each offender as FILE:LINE and exits 1 if there
is any.
"""
import os
import re
import sys

ORDER = ["base", "sys", "opt", "stat", "gen", "verify", "trace", "engine", "result", "job", "plan",
         "run", "report", "cluster", "cmd", "main.c"]

# Stricter than the order: FOLDER sees only these (and itself).
ONLY = {
    "stat": {"base"},
    "gen": {"base", "stat"},
    "trace": {"base", "stat"},
    "engine": {"base", "sys", "opt"},
    "report": {"base", "opt", "stat", "result"},
}

HOT_WORDS = {
    "#ifdef": r"^\s*#\s*if(?:def|ndef)?\b",
    "allocation": r"\b(?:malloc|calloc|realloc|free|aligned_alloc|posix_memalign)\s*\(",
    "formatting": r"\b\w*printf\s*\(",
    "getenv": r"\bgetenv\s*\(",
    "lock": r"\bpthread_(?:mutex|rwlock|spin|cond)_\w+\s*\(",
    "errno text": r"\bstrerror\w*\s*\(",
    "log": r"\blog_debug\s*\(",
}
HOT_ALLOWED = {"#ifdef": r"#\s*ifndef [A-Z0-9_]+_H\b"}

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def folder_of(path):
    return path.split("/")[0]


def allowed(folder):
    if folder in ONLY:
        return ONLY[folder] | {folder}
    return set(ORDER[:ORDER.index(folder) + 1])


def check_file(name, lines):
    """Yield "FILE:LINE: what is wrong" for the file NAME, relative to src/."""
    folder = folder_of(name)
    if folder not in ORDER:
        yield f"{name}:1: {folder} is not in the order of folders (tests/includes.py)"
        return
    hot = bool(lines) and is_hot(lines)
    for number, line in enumerate(lines, 1):
        m = INCLUDE.match(line)
        if m and m[1] != "config.h":
            yield from check_include(name, number, folder, m[1])
        if hot:
            yield from check_hot(name, number, line)


def check_include(name, number, folder, what):
    target = folder_of(what) if "/" in what else folder
    if target not in allowed(folder):
        yield f"{name}:{number}: {folder} must not include {what}"


def is_hot(lines):
    """The comment that opens the file (after the licence) has a sentence "HOT."."""
    text = "\n".join(lines[:80])
    comment = re.search(r"/\*(?! SPDX).*?\*/", text, re.S)
    return bool(comment and re.search(r"(?:[.:]|\*)\s+HOT[.:]", comment[0]))


def check_hot(name, number, line):
    code = re.sub(r"/\*.*?\*/|//.*|^\s*\*.*", "", line)
    for what, pattern in HOT_WORDS.items():
        if re.search(pattern, code) and not re.search(HOT_ALLOWED.get(what, r"(?!)"), code):
            yield f"{name}:{number}: {what} in a HOT file: {line.strip()}"


def check_tree(src):
    for at, _, names in sorted(os.walk(src)):
        for name in sorted(names):
            if name.endswith((".c", ".h")):
                path = os.path.join(at, name)
                with open(path, encoding="utf-8") as f:
                    yield from check_file(os.path.relpath(path, src), f.read().splitlines())


def self_test():
    """Each rule must be able to fail."""
    hot = "/* Fast. HOT. */"
    bad = [
        ("gen/a.c", ['#include "sys/clock.h"']), ("stat/a.c", ['#include "opt/opt.h"']),
        ("engine/a.c", ['#include "plan/plan.h"']), ("report/a.c", ['#include "run/run.h"']),
        ("base/a.c", ['#include "opt/opt.h"']), ("run/a.c", ['#include "cmd/cmd.h"']),
        ("other/a.c", [""]), ("run/a.c", [hot, "#ifdef X"]), ("run/a.c", [hot, "p = malloc(3);"]),
        ("run/a.c", [hot, "printf();"]), ("run/a.c", [hot, "pthread_mutex_lock(m);"]),
        ("run/a.c", [hot, "x = getenv(y);"]), ("run/a.c", ["/* SPDX */", "/* a", " * HOT. */", "free(p);"]),
    ]
    good = [
        ("gen/a.c", ['#include "base/rng.h"', '#include "gen/b.h"', "#include <math.h>"]),
        ("cmd/a.c", ['#include "run/run.h"', '#include "b.h"']), ("main.c", ['#include "cmd/cmd.h"']),
        ("run/a.c", [hot, "/* malloc( would be slow */", "x = 1;"]),
        ("run/a.c", ["/* cold */", "free(p);"]),
        ("base/a.c", ["/* Not in files marked HOT. */", "printf();"]),
    ]
    wrong = [c for c in bad if not list(check_file(*c))] + [c for c in good if list(check_file(*c))]
    for c in wrong:
        print(f"self-test: wrong verdict on {c}")
    return wrong


def main():
    if self_test():
        return 1
    problems = list(check_tree(sys.argv[1]))
    print("\n".join(problems))
    print(f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
