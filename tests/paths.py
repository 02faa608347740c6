#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""What pages and comments say of files is true.

usage: paths.py ROOT

Every link of a page leads somewhere; every path that docs/internals or HACKING.md has in
backquotes exists, and so does every path that a comment of src or tests names.  A path may
leave out the folders that it begins with: run/observe.c, shim/twin.h.  Words in capitals
stand for any name: docs/notes/ID.md.  The folders of src are those of the map in main.c.
"""
import pathlib
import re
import sys

ENDS = r"\.(?:c|h|py|sh|md|build)"
TOP = ["src", "tests", "docs", "tools"]
FOLDERS = "|".join(TOP)


class Tree:
    def __init__(self, root):
        self.root = root
        files = [p for top in TOP for p in (root / top).rglob("*") if "__pycache__" not in p.parts]
        files += [p for p in root.iterdir() if p.is_file()]
        self.paths = ["/" + p.relative_to(root).as_posix() for p in files]

    def has(self, path):
        """A file or folder that ends so; none is asked for what stands for any name."""
        if re.search(r"(?:^|/)[A-Z]+(?:\.|/|$)", path) and not path.endswith("README.md"):
            return True
        if "*" in path:
            last = re.compile(".*/" + re.escape(path).replace(r"\*", "[^/]*"))
            return any(last.fullmatch(p) for p in self.paths)
        last = "/" + path.rstrip("/")
        return any(p.endswith(last) for p in self.paths)


def links(page, text):
    for number, line in enumerate(text.split("\n"), 1):
        for to in re.findall(r"\]\(([^)#\s]+)", line):
            if not re.match(r"[a-z]+:", to) and not (page.parent / to).exists():
                yield number, to


def quoted(text):
    path = re.compile(rf"[\w./*-]+{ENDS}|(?:{FOLDERS})/[\w./*-]*")
    for number, line in enumerate(text.split("\n"), 1):
        for word in re.findall(r"`([^`]+)`", line):
            if path.fullmatch(word):
                yield number, word


def commented(text):
    """In the comments of C; linux/ has the headers of the kernel."""
    comments = re.compile(r"/\*.*?\*/", re.S)
    path = re.compile(rf"(?<![\w/.<])(?!linux/)(?:[\w-]+/)+[\w*-]+{ENDS}\b")
    for comment in comments.finditer(text):
        for word in path.finditer(comment.group()):
            yield text.count("\n", 0, comment.start() + word.start()) + 1, word.group()


def map_faults(root):
    said = set(re.findall(r"^ \*   (\w+)/  ", (root / "src/main.c").read_text(encoding="utf-8"), re.M))
    there = {p.name for p in (root / "src").iterdir() if p.is_dir()}
    for name in sorted(said ^ there):
        yield f"src/main.c: the map and the folders of src differ in {name}/"


def faults(root):
    tree = Tree(root)
    pages = [root / "HACKING.md", root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    inside = root / "docs/internals"
    yield from map_faults(root)
    for page in pages:
        text, name = page.read_text(encoding="utf-8"), page.relative_to(root)
        for number, to in links(page, text):
            yield f"{name}:{number}: nothing is at {to}"
        if inside in page.parents or page.name == "HACKING.md":
            yield from (f"{name}:{n}: there is no {p}" for n, p in quoted(text) if not tree.has(p))
    for top in "src", "tests":
        for source in sorted((root / top).rglob("*.[ch]")):
            text, name = source.read_text(encoding="utf-8"), source.relative_to(root)
            yield from (f"{name}:{n}: there is no {p}" for n, p in commented(text) if not tree.has(p))


def main(root):
    found = list(faults(root))
    print("\n".join(found) or "all that is named exists")
    return 1 if found else 0


sys.exit(main(pathlib.Path(sys.argv[1])))
