#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""What weir makes of each option, engine and flag of fio.

usage: options.py WEIR NAMES [--table]

NAMES is tests/data/fio-options.txt.  Fails when weir doesn't know one of them, when an
alias is missing, or when a refused option's sentence is empty.  --table prints a line
for each: works / ignored (why) / refused (why).
"""
import subprocess
import sys

COLUMNS = ("kind", "name", "aliases", "engine", "group", "type", "default", "range", "words",
           "state", "sentence", "harmless", "help")


def rows(weir):
    out = subprocess.run([weir, "help", "rows"], capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        cells = line.split("\t")
        if len(cells) != len(COLUMNS):
            sys.exit(f"`weir help rows` has a line of {len(cells)} cells: {line}")
        yield dict(zip(COLUMNS, ("" if c == "-" else c for c in cells)))


def known(weir):
    """{(engine, name): (row, canonical name)} of all spellings."""
    found = {}
    for row in rows(weir):
        # A flag has no engine, and no option is called as one is.
        if row["kind"] in ("option", "flag"):
            for name in [row["name"], *filter(None, row["aliases"].split(","))]:
                found.setdefault((row["engine"], name), row)
    return found


def refuses_by_name(weir, engine):
    """The sentence of an engine that weir doesn't have; None: it has it."""
    run = subprocess.run([weir, "--parse-only", "--name=a", "--size=1m", f"--ioengine={engine}"],
                         capture_output=True, text=True, check=False)
    return run.stderr.strip().partition("--ioengine: ")[2] if run.returncode else None


class Table:
    def __init__(self):
        self.faults, self.lines, self.counts = [], [], {}

    def add(self, kind, name, tier, state, sentence):
        why = f" ({sentence})" if sentence else ""
        self.lines.append(f"{kind:13} {tier} {name:34} {state}{why}")
        count = self.counts.setdefault(kind, {}).setdefault(state, [0, 0])
        count[0] += 1
        count[1] += tier in ("T1", "T2")
        if state == "unknown":
            self.faults.append(f"{kind} {name} is unknown")
        elif state != "works" and not sentence:
            self.faults.append(f"{kind} {name} is {state} without a reason")

    def add_option(self, kind, found, engine, name, aliases, tier):
        row = found.get((engine, name))
        shown = f"{engine}.{name}" if engine else name
        self.add(kind, shown, tier, row["state"] if row else "unknown", row and row["sentence"])
        for alias in aliases:
            if row and found.get((engine, alias)) is not row:
                self.faults.append(f"{kind} {shown}: its alias {alias} is unknown")


def main(weir, names, show):
    found, table = known(weir), Table()
    for line in open(names, encoding="utf-8"):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        aliases = [a for a in words[2].split(",") if a != "-"]
        if words[0] == "option":
            table.add_option("option", found, "", words[1], aliases, words[-1])
        elif words[0] == "flag":
            table.add_option("flag", found, "", words[1], (), words[-1])
        elif words[0] == "engine-option":
            for engine in words[3].split(","):
                table.add_option("engine-option", found, engine, words[1], aliases, words[-1])
        else:
            why = refuses_by_name(weir, words[1])
            unknown = why is not None and "there is no engine" in why
            table.add("engine", words[1], words[-1],
                      "unknown" if unknown else "refused" if why is not None else "works", why)
    if show:
        print("\n".join(table.lines))
    for kind, states in table.counts.items():
        print(f"{kind}: " + ", ".join(f"{n} {state} ({used} of T1 and T2)"
                                      for state, (n, used) in sorted(states.items())))
    print("\n".join(table.faults))
    return 1 if table.faults or not table.lines else 0


sys.exit(main(sys.argv[1], sys.argv[2], "--table" in sys.argv))
