# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""JSON as fio writes it: read with its number kinds kept, and compared.

A tree is Members (an object: pairs in order, duplicates kept), list, or one of
Text, Int, Float, each a str that holds the token as it was written.
"""
import json
import re


class Members(list):
    """(key, value) pairs of one object."""


class Text(str):
    pass


class Int(str):
    pass


class Float(str):
    pass


class BadJson(Exception):
    pass


def reject(word):
    raise BadJson(f"{word} is not JSON")


def parse(text):
    """Strict: exactly one document, no NaN, no Infinity."""
    try:
        return strings(json.loads(text, parse_int=Int, parse_float=Float, parse_constant=reject,
                                  object_pairs_hook=Members))
    except json.JSONDecodeError as e:
        raise BadJson(str(e)) from e


def strings(node):
    """json has no hook for strings: make them Text."""
    if isinstance(node, Members):
        return Members((k, strings(v)) for k, v in node)
    if isinstance(node, list):
        return [strings(v) for v in node]
    if type(node) is str:
        return Text(node)
    if isinstance(node, (Int, Float)):
        return node
    raise BadJson(f"{node!r}: fio's JSON has no booleans and no null")


def document(stdout):
    """(words before, document, words after), cut where programs cut: from the
    first line that is "{" to the last that is "}"."""
    start = re.search(r"^\{$", stdout, re.M)
    ends = list(re.finditer(r"^\}$", stdout, re.M))
    if not start or not ends:
        return stdout, None, ""
    end = ends[-1].end()
    return stdout[:start.start()], stdout[start.start():end], stdout[end:]


def emit(node, depth=0):
    """The tree in fio's form; what a program wrote must equal it byte for byte."""
    pad, inner = "  " * depth, "  " * (depth + 1)
    if isinstance(node, Members):
        body = ",\n".join(f'{inner}"{quoted(k)}" : {emit(v, depth + 1)}' for k, v in node)
        return "{\n" + body + f"\n{pad}}}"
    if isinstance(node, list):
        body = ",\n".join(inner + emit(v, depth + 1) for v in node)
        return "[\n" + body + f"\n{pad}]"
    return f'"{quoted(node)}"' if isinstance(node, Text) else str(node)


def quoted(text):
    return text.replace("\\", "\\\\").replace('"', '\\"')


def flatten(node, path=""):
    """[(path, kind, token)] in the order of the document."""
    if isinstance(node, Members):
        rows = [(path, "object", "")]
        for key, value in node:
            rows += flatten(value, f"{path}/{key}")
        return rows
    if isinstance(node, list):
        rows = [(path, f"array of {len(node)}", "")]
        for i, value in enumerate(node):
            rows += flatten(value, f"{path}/{i}")
        return rows
    if isinstance(node, Float) and not re.fullmatch(r"-?\d+\.\d{6}", node):
        return [(path, "float not in %f form", str(node))]
    return [(path, type(node).__name__.lower(), str(node))]


def compare_shape(want, got):
    """Yield (what, path, wanted, got) for keys, order and kinds."""
    want_kinds = {p: k for p, k, _ in want}
    got_kinds = {p: k for p, k, _ in got}
    for path, kind in want_kinds.items():
        if path not in got_kinds:
            if parent(path) in got_kinds:
                yield "json.missing", path, kind, "-"
        elif got_kinds[path] != kind:
            yield "json.kind", path, kind, got_kinds[path]
    for path, kind in got_kinds.items():
        if path not in want_kinds and parent(path) in want_kinds:
            yield "json.extra", path, "-", kind
    order_want = last_of_each(p for p, _, _ in want if p in got_kinds)
    order_got = [p for p, _, _ in got if p in want_kinds]
    for a, b in zip(order_want, order_got):
        if a != b:
            yield "json.order", a, a, b
            break


def last_of_each(paths):
    """fio repeats the key of an option that is said twice, and the last one counts."""
    return list(dict.fromkeys(reversed(list(paths))))[::-1]


def parent(path):
    return path.rpartition("/")[0]
