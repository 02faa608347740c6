# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Documents of docs/options as (theme, title, intro, sections); shared by prose.py and docgen.py."""
import pathlib
import re


def theme(path):
    """{"name", "title", "intro", "sections": [(option, text)]} of docs/options/NAME.md."""
    parts = re.split(r"^## +(.+?) *$", pathlib.Path(path).read_text(encoding="utf-8"), flags=re.M)
    title, _, intro = parts[0].strip().partition("\n")
    return {
        "name": pathlib.Path(path).stem,
        "title": title.lstrip("# ").strip(),
        "intro": intro.strip(),
        "sections": [(name, text.strip()) for name, text in zip(parts[1::2], parts[2::2])],
    }


def themes(folder):
    return [theme(path) for path in sorted(pathlib.Path(folder).glob("*.md"))]


def engines(folder):
    """docs/engines as one theme: its README, and an engine a section."""
    texts = {path.stem: theme(path) for path in sorted(pathlib.Path(folder).glob("*.md"))}
    readme = texts.pop("README")
    return {**readme, "name": "engines", "sections": [(n, t["intro"]) for n, t in texts.items()]}


def notes(folder):
    """docs/notes as one theme: its README, and a note a section."""
    return {**engines(folder), "name": "notes"}


def plain(text):
    """For a terminal: examples are indented, their fences go."""
    out, inside = [], False
    for line in text.splitlines():
        if line.startswith("```"):
            inside = not inside
        else:
            out.append("    " + line if inside and line else line)
    return "\n".join(out).strip("\n")
