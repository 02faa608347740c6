#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Notes and docs/notes agree.

usage: notes.py WEIR DOCS

Every id that a rule of WEIR has (`weir help notes`) is the name of one page, every page is
such an id, and a page has a title (its id), what is meant, and what to do; `weir help
note:ID` shows it.
"""
import pathlib
import re
import subprocess
import sys

PROSE_MIN = 80  # letters


def help_of(weir, *words):
    run = subprocess.run([weir, "help", *words], capture_output=True, text=True, check=True)
    return run.stdout


def page_faults(weir, path):
    title, _, text = path.read_text(encoding="utf-8").partition("\n")
    if title != f"# {path.stem}":
        yield f"the title is not '# {path.stem}'"
    if len(text.strip()) < PROSE_MIN:
        yield "no prose"
    first = text.strip().split("\n")[0]
    if first not in help_of(weir, f"note:{path.stem}"):
        yield f"weir help note:{path.stem} doesn't show it"


def main(weir, docs):
    listed = re.findall(r"^  (\S+) +(?:invalid|doubtful|info)\b", help_of(weir, "notes"), re.M)
    ids = set(listed)
    pages = {p.stem: p for p in pathlib.Path(docs).glob("*.md") if p.stem != "README"}
    faults = [f"{i}: no page docs/notes/{i}.md" for i in sorted(ids - pages.keys())]
    faults += [f"{i}: weir help notes has it twice" for i in sorted(ids) if listed.count(i) > 1]
    faults += [f"docs/notes/{p}.md: no rule has this id" for p in sorted(pages.keys() - ids)]
    for name in sorted(ids & pages.keys()):
        faults += [f"docs/notes/{name}.md: {fault}" for fault in page_faults(weir, pages[name])]
    print("\n".join(faults) or f"{len(ids)} notes, each with its page")
    return 1 if faults or not ids else 0


sys.exit(main(sys.argv[1], sys.argv[2]))
