# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""The two tables: what differs between fio 3.33 and 3.42, and where weir differs on purpose."""
import fnmatch
import os
import re
from dataclasses import dataclass

from tree import Float, Int, Members

HERE = os.path.dirname(os.path.abspath(__file__))


def rows(name, columns):
    """Lines of `a | b | c`; '#' begins a comment line, a bar inside a cell is \\|."""
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            cells = [c.strip().replace(r"\|", "|") for c in re.split(r"(?<!\\)\|", line)]
            if len(cells) != columns:
                raise SystemExit(f"{name}:{number}: {columns} columns wanted, {len(cells)} found")
            yield number, cells


# ---- versions: bring what an older fio wrote into 3.42's form ----

class Versions:
    """How the columns `in 3.33` and `in 3.42` of each kind of row are read:
    text  a regular expression | its replacement
    json  PATH of objects | KEY KIND after KEY: the new key; or `empty values`: entries
          that are "" there, unknown to the old one
    case  CASE PLACE of a difference | a regular expression that weir's value matches"""

    def __init__(self):
        self.json, self.empty, self.text, self.case = [], [], [], []
        for number, (where, old, new, choice, _why) in rows("versions", 5):
            if choice != "3.42":
                continue  # weir has the oracle's form
            if where == "text":
                self.text.append((re.compile(old, re.M), new))
            elif where == "json" and new == "empty values":
                self.empty.append(old)
            elif where == "json":
                key, kind, after = re.fullmatch(r"(\w+) (int|float) after (\w+)", new).groups()
                self.json.append((old, key, Int("0") if kind == "int" else Float("0.000000"), after))
            elif where == "case":
                self.case.append((old, re.compile(new)))
            else:
                raise SystemExit(f"versions:{number}: no such kind of row: {where}")

    def allow(self, case, mismatch, weir):
        """Is this difference one between versions, with the newer value?"""
        return any(fnmatch.fnmatchcase(f"{case} {mismatch}", old) and new.fullmatch(str(weir))
                   for old, new in self.case)

    def new_text(self, text):
        for pattern, replacement in self.text:
            text = pattern.sub(replacement, text)
        return text

    def new_tree(self, tree):
        for path, key, value, after in self.json:
            for found in objects_at(tree, path.strip("/").split("/")):
                insert_after(found, key, value, after)
        for path in self.empty:
            parent, _, name = path.strip("/").rpartition("/")
            for found in objects_at(tree, parent.split("/") if parent else []):
                drop_empty(found, name)
        return tree


def objects_at(node, steps):
    if not steps:
        return [node] if isinstance(node, Members) else []
    if steps[0] == "*":
        return [o for v in node for o in objects_at(v, steps[1:])] if isinstance(node, list) else []
    if not isinstance(node, Members):
        return []
    return [o for k, v in node if k == steps[0] for o in objects_at(v, steps[1:])]


def insert_after(members, key, value, after):
    if any(k == key for k, _ in members):
        return
    for i, (k, _) in enumerate(members):
        if k == after:
            members.insert(i + 1, (key, value))
            return


def drop_empty(parent, name):
    """Take the "" entries out of the member NAME, and it too if nothing else was in it."""
    for i, (key, value) in enumerate(parent):
        if key == name and any(v == "" for _, v in value):
            rest = Members((k, v) for k, v in value if v != "")
            parent[i:i + 1] = [(key, rest)] if rest else []
            return


# ---- differences ----

@dataclass
class Difference:
    number: int
    case: str
    what: str
    section: str
    why: str
    sometimes: bool
    used: bool = False


class Differences:
    """CASE glob | WHAT glob | section of docs/fio-differences.md | why.
    WHAT is `KIND PLACE` as run.py prints it; a leading `sometimes` marks a row
    that timing may leave unused."""

    def __init__(self):
        self.rows = []
        headings = self.headings()
        for number, (case, what, section, why) in rows("differences", 4):
            sometimes = what.startswith("sometimes ")
            if section not in headings:
                raise SystemExit(f"differences:{number}: no section '{section}' in "
                                 "docs/fio-differences.md")
            self.rows.append(Difference(number, case, what.removeprefix("sometimes "), section,
                                        why, sometimes))

    @staticmethod
    def headings():
        path = os.path.join(HERE, "..", "..", "docs", "fio-differences.md")
        with open(path, encoding="utf-8") as f:
            return {m[1] for m in re.finditer(r"^#+ (.*)$", f.read(), re.M)}

    def allow(self, case, mismatch):
        for row in self.rows:
            if fnmatch.fnmatchcase(case, row.case) and fnmatch.fnmatchcase(mismatch, row.what):
                row.used = True
                return row
        return None

    def unused(self, cases):
        """Rows for one of CASES (those that ran) that none of them needed."""
        return [r for r in self.rows if not r.used and not r.sometimes
                and any(fnmatch.fnmatchcase(c, r.case) for c in cases)]
