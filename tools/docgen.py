#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Write weir(1): facts from the program (`weir help rows`), prose from the documents.

usage: docgen.py WEIR VERSION DOCS OUTPUT
"""
import pathlib
import re
import subprocess
import sys

import markdown

CELLS = ("kind", "name", "aliases", "engine", "group", "type", "default", "range", "words",
         "state", "sentence", "harmless", "help")


# ---- text to roff ----

def escape(text):
    """Text that roff prints as it is, anywhere in a line."""
    return text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace(
        "'", "\\(aq").replace("^", "\\(ha").replace("~", "\\(ti").replace(
        "\u00d7", "\\(mu").replace("\u00b5", "\\(mc").replace("\u00b1", "\\(+-")


def guarded(line):
    """A line that begins with a dot is no request."""
    return "\\&" + line if line.startswith(".") else line


def inline(text):
    """`code`, **bold**, [words](link)."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    out = []
    for i, part in enumerate(re.split(r"`([^`]*)`", text)):
        if i % 2:
            out.append(f"\\fB{escape(part)}\\fR")
        else:
            pieces = re.split(r"\*\*([^*]+)\*\*", part)
            out += [f"\\fB{escape(p)}\\fR" if k % 2 else escape(p) for k, p in enumerate(pieces)]
    return guarded("".join(out))


def example(lines):
    return [".PP", ".RS 4", ".nf", *(guarded(escape(line)) for line in lines), ".fi", ".RE"]


def table(lines):
    """`| a | b |` rows: the first column as a tag, the rest behind it; the heads of
    three and more columns stand before their cells."""
    rows_of = [[c.strip().replace("\\|", "|")
                for c in re.split(r"(?<!\\)\|", line.strip().strip("|"))] for line in lines]
    ruled = len(rows_of) > 1 and all(re.fullmatch(r":?-+:?|", c) for c in rows_of[1])
    heads = rows_of[0] if ruled else []
    out = []
    for cells in rows_of[2 if ruled else 0:]:
        labels = heads if len(cells) > 2 else []
        rest = [f"{labels[i]}: {c}" if i < len(labels) and labels[i] else c
                for i, c in enumerate(cells) if i and c]
        out += [".TP", inline(cells[0]) or "\\&", inline("; ".join(rest)) or "\\&"]
    return out


BULLET = re.compile(r"^([-*]|\d+\.) +")


def take(lines, at, wanted):
    end = at
    while end < len(lines) and wanted(lines[end]):
        end += 1
    return lines[at:end], end


def blocks(text):
    """roff lines for a piece of Markdown; headings become .SS."""
    lines, at, out = text.splitlines(), 0, []
    while at < len(lines):
        line = lines[at]
        if line.startswith("```"):
            inside, at = take(lines, at + 1, lambda s: not s.startswith("```"))
            out += example(inside)
            at += 1
        elif line.startswith("#"):
            out.append(f".SS {inline(line.lstrip('# '))}")
            at += 1
        elif line.startswith("|"):
            rows, at = take(lines, at, lambda s: s.startswith("|"))
            out += [".RS 4", *table(rows), ".RE"]
        elif BULLET.match(line):
            first = BULLET.sub("", line)
            more, at = take(lines, at + 1, lambda s: s.startswith("  "))
            out += [".IP \\(bu 2", inline(" ".join([first, *(m.strip() for m in more)]))]
        elif line.strip():
            words, at = take(lines, at, lambda s: s.strip() and not s.startswith(("```", "#", "|"))
                             and not BULLET.match(s))
            out += [".PP", inline(" ".join(words))]
        else:
            at += 1
    return out


def indented(text):
    return [".RS", *blocks(text), ".RE"]


# ---- facts ----

def rows(weir):
    out = subprocess.run([weir, "help", "rows"], capture_output=True, text=True, check=True).stdout
    return [dict(zip(CELLS, ("" if c == "-" else c for c in line.split("\t"))))
            for line in out.splitlines()]


def facts(row):
    said = []
    long = [a for a in row["aliases"].split(",") if len(a) > 1]
    if long:
        said.append("also " + ", ".join(f"`{a}`" for a in long))
    if row["words"] and row["kind"] == "option":
        said.append("one of " + ", ".join(f"`{w}`" for w in row["words"].split(",")))
    elif row["type"]:
        said.append(row["type"])
    if row["range"]:
        said.append(row["range"].replace("min=", "from ").replace(", max=", " to "))
    if row["default"]:
        said.append(f"default `{row['default']}`")
    return "; ".join(said)


def tag(name, row, dashes=""):
    if row["type"] in ("flag", "") and row["kind"] == "flag":
        return [".TP", f"\\fB{escape(dashes + name)}\\fR"]
    value = row["type"] if row["kind"] == "flag" else "VALUE"
    form = "[=%s]" if row["type"] == "flag" else "=%s"
    if row["kind"] == "flag" and not re.fullmatch(r"[A-Z,.\[\]]+", value):
        value = "WHEN" if row["words"] else "TIME" if "time" in value else "N"
    return [".TP", f"\\fB{escape(dashes + name)}\\fR" + escape(form % value)]


def flags(found):
    out = []
    for row in found:
        if row["kind"] == "flag" and row["state"] != "refused":
            why = f" ({row['sentence']})" if row["sentence"] else ""
            out += [*tag(row["name"], row, "--"), inline(row["help"] + why + ".")]
    return out


def option(row, prose):
    out = [*tag(row["name"], row), inline(row["help"] + (f" ({facts(row)})." if facts(row) else "."))]
    return out + (indented(prose) if prose else [])


def themes(found, folder):
    by_name = {r["name"]: r for r in found if r["kind"] == "option" and not r["engine"]}
    out = []
    for theme in markdown.themes(folder):
        out += [f".SS {inline(theme['title'])}", *blocks(theme["intro"])]
        for name, prose in theme["sections"]:
            out += option(by_name[name], prose)
    return out


def engines(found, folder):
    texts = {p.stem: p.read_text(encoding="utf-8") for p in sorted(folder.glob("*.md"))}
    out = blocks(texts.pop("README").partition("\n")[2])
    for name, text in texts.items():
        prose = re.split(r"^### ", text.partition("\n")[2], flags=re.M)
        sections = {}
        for part in prose[1:]:
            title, _, body = part.partition("\n")
            for one in re.findall(r"`([\w-]+)`", title):
                sections[one] = body.strip()
        out += [f".SS {escape(name)}", *blocks(prose[0])]
        for row in found:
            if row["engine"] == name and row["state"] != "refused":
                out += option(row, sections.get(row["name"], ""))
    return out


def refused(found):
    by_reason = {}
    for row in found:
        if row["state"] == "refused" and not row["engine"]:
            name = ("--" if row["kind"] == "flag" else "") + row["name"]
            by_reason.setdefault(row["sentence"], []).append(f"`{name}`")
    out = [".PP", "Known and refused, so that nothing is run as something else than it says "
           "(a value that asks for nothing, as fio\\(aqs default, is accepted):"]
    for reason, names in by_reason.items():
        out += [".TP", inline(reason), inline(", ".join(names))]
    return out


def page(weir, version, docs):
    found = rows(weir)
    command_line = (docs / "guide/command-line.md").read_text(encoding="utf-8").partition("\n")[2]
    verbs = {verb: (docs / f"guide/{verb}.md").read_text(encoding="utf-8").partition("\n")[2]
             for verb in ("compare", "repeat", "study", "check", "quick", "knee")}
    status = (docs / "exit-status.md").read_text(encoding="utf-8").partition("\n")[2]
    return [
        f'.TH WEIR 1 "" "weir {version}" "User Commands"',
        ".SH NAME", "weir \\- generate an exactly described I/O load, and say truthfully what came back",
        ".SH SYNOPSIS", ".nf", "\\fBweir\\fR [run] [flags] [\\-\\-OPTION=VALUE ...] [JOBFILE ...]",
        "\\fBweir\\fR describe [\\-\\-json] TARGET...", "\\fBweir\\fR doctor [\\-\\-json] [TARGET...]",
        "\\fBweir\\fR compare [FLAG...] A B [C...]",
        "\\fBweir\\fR repeat [FLAG...] JOB...",
        "\\fBweir\\fR study [FLAG...] FILE",
        "\\fBweir\\fR check RESULT... SPEC",
        "\\fBweir\\fR quick TARGET",
        "\\fBweir\\fR knee \\-\\-goal=GOAL JOB...",
        "\\fBweir\\fR help [OPTION | ENGINE | VERB | themes]",
        "\\fBweir\\fR help options [THEME]", ".fi",
        ".SH DESCRIPTION", *blocks(command_line),
        ".SH COMPARE", *blocks(verbs["compare"]),
        ".SH REPEAT", *blocks(verbs["repeat"]),
        ".SH STUDY", *blocks(verbs["study"]),
        ".SH CHECK", *blocks(verbs["check"]),
        ".SH QUICK", *blocks(verbs["quick"]),
        ".SH KNEE", *blocks(verbs["knee"]),
        ".SH FLAGS", *flags(found),
        ".SH JOB OPTIONS", *themes(found, docs / "options"),
        ".SH ENGINES", *engines(found, docs / "engines"),
        ".SH NOT SERVED", *refused(found),
        ".SH EXIT STATUS", *blocks(status),
        ".SH SEE ALSO", "\\fBfio\\fR(1)",
    ]


def main(weir, version, docs, output):
    text = "\n".join(page(weir, version, pathlib.Path(docs))) + "\n"
    pathlib.Path(output).write_text(text, encoding="utf-8")


main(*sys.argv[1:5])
