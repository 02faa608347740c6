#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""No name is defined twice: of two functions in two archives the linker takes whichever
comes first, and says nothing.

usage: symbols.py NM ARCHIVE...
"""
import collections
import subprocess
import sys


def defined(nm, archive):
    """Global names that ARCHIVE defines, each with its member."""
    p = subprocess.run([nm, "--defined-only", "--extern-only", "--print-file-name", archive],
                       stdout=subprocess.PIPE, text=True, check=True)
    for line in p.stdout.splitlines():
        where, _, rest = line.rpartition(":")
        fields = rest.split()
        if len(fields) == 3:
            yield fields[2], where


def main(nm, archives):
    places = collections.defaultdict(list)
    for archive in archives:
        for name, where in defined(nm, archive):
            places[name].append(where)
    if len(places) < 100:
        print(f"only {len(places)} names were found in {len(archives)} archives")
        return 1
    twice = {name: where for name, where in places.items() if len(where) > 1}
    for name, where in sorted(twice.items()):
        print(f"{name} is defined in {' and in '.join(where)}")
    return 1 if twice else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
