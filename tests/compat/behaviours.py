#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Each behaviour of the list `behaviours` has cases, and they exist. Prints what is wrong."""
import fnmatch
import os
import sys

import cases

# The marked observations; a line that is lost would not be missed otherwise.
MARKED = {1, 3, 6, 8, 11, 12, 13, 14, 16, 21, 24, 29, 36, 42, 43, 45, 50, 51, 54, 55, 60, 61, 63, 65,
          71}


def read(path):
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                number, what, globs = (part.strip() for part in line.split("|"))
                yield int(number), what, globs.split()


def main():
    names = [c.name for c in cases.CASES]
    wrong, seen = [], set()
    for number, what, globs in read(os.path.join(os.path.dirname(__file__), "behaviours")):
        seen.add(number)
        if not globs:
            wrong.append(f"{number} ({what}): no case")
        wrong += [f"{number} ({what}): there is no case {g}" for g in globs
                  if not fnmatch.filter(names, g)]
    wrong += [f"{number}: has no line" for number in sorted(MARKED - seen)]
    print("\n".join(wrong) or f"{len(seen)} behaviours have their cases")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
