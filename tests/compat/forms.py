# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""json+, terse and text of one run (--output-format=terse,json+,normal).

Two questions: has each document fio's shape, column by column and key by key; and do
the three say the same, exactly, and add up (printer.py, sums.py)?
"""
import json
import re

import printer
import sums
import tree

WORDS = ["--output-format=terse,json+,normal"]

# fio's share of nothing is -nan%. Not so weir's: check() wants what the document says.
KINDS = (("int", r"-?\d+"), ("float", r"-?\d+\.\d{6}"), ("share6", r"\d+\.\d{6}%"),
         ("percentile", r"\d+(?:\.\d+)?%=\d+"), ("share2", r" *\d+\.\d\d%|-nan%"),
         ("share1", r" *\d+\.\d%"), ("version", r"fio-\d\S*"))


def words(number):
    """Terse versions in turn."""
    return WORDS + [f"--terse-version={3 + number % 3}"]


def split(stdout):
    """(terse lines, document, the text below it), or None when there is no document."""
    before, document, after = tree.document(stdout)
    if document is None:
        return None
    lines = [x.split(";") for x in before.splitlines() if re.match(r"[2-5];", x)]
    # The line end of the document's last line begins what follows it.
    return lines, document, after.removeprefix("\n")


def kind_of(field):
    return next((k for k, pattern in KINDS if re.fullmatch(pattern, field)), "text")


def compare(want, got, same_counts, new_tree):
    """Yield (what, place, fio's, weir's): the shapes. NEW_TREE brings an old document's into
    the new form."""
    a, b = split(want), split(got)
    if (a is None) != (b is None):
        yield "forms.document", "", "one" if a else "none", "one" if b else "none"
    if a is None or b is None:
        return
    yield from compare_terse(a[0], b[0], same_counts)
    try:
        trees = [new_tree(tree.parse(x[1])) for x in (a, b)]
    except tree.BadJson as e:
        yield "forms.json", "", "", str(e)
        return
    if tree.emit(tree.parse(b[1])) != b[1]:
        yield "forms.json", "", "", "not in fio's layout"
    yield from tree.compare_shape(*(without_bins(tree.flatten(t)) for t in trees))


def without_bins(rows):
    """Which bins there are is what was measured."""
    return [row for row in rows if not re.search(r"/bins/", row[0])]


def compare_terse(want, got, same_counts):
    if len(want) != len(got):
        yield "terse.lines", "", len(want), len(got)
        return
    for n, (a, b) in enumerate(zip(want, got), 1):
        if len(a) != len(b):
            yield "terse.fields", f"line {n}", len(a), len(b)
            continue
        for i, (x, y) in enumerate(zip(a, b), 1):
            if kind_of(x) != kind_of(y) or (kind_of(x) == "text" and x != y):
                yield "terse.kind", f"line {n} field {i}", x, y
            elif kind_of(x) == "percentile" and x.split("=")[0] != y.split("=")[0]:
                yield "terse.kind", f"line {n} field {i}", x, y
            elif i in (1, 4, 5, 6) and x != y and (same_counts or i != 6):
                yield "terse.value", f"line {n} field {i}", x, y


def check(stdout, strict, new_text):
    """Yield (what, place, as the document says, what stands there): one program with itself."""
    parts = split(stdout)
    if parts is None:
        return
    try:
        doc = json.loads(parts[1])
    except ValueError:
        return  # compare() has said so
    try:
        yield from check_document(doc, parts[0], new_text(parts[2]).splitlines(), strict)
    except KeyError as e:
        yield "forms.key", str(e), "a key", "none"


def check_document(doc, lines, report, strict):
    for place, rule, figures in sums.check(doc, strict):
        yield "sums", place, rule, figures
    want = printer.terse(doc, int(lines[0][0]) if lines else 3)
    if len(want) != len(lines):
        yield "terse.lines", "of the document", len(want), len(lines)
    for n, (a, b) in enumerate(zip(want, lines), 1):
        yield from same_lines(f"terse {n}", a, b)
    yield from same_lines("report", printer.text(doc), report)


def same_lines(what, want, got):
    for n, (x, y) in enumerate(zip(want, got), 1):
        if not printer.same(x, y):
            yield f"{what}.line" if what == "report" else f"{what}.field", str(n), x, y
            return
    if len(want) != len(got):
        yield f"{what}.lines", "", len(want), f"{len(got)}: {got[len(want):][:3]}"
