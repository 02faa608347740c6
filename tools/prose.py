#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Write prose.c: what docs/options, docs/engines and docs/notes say, for `weir help`.

usage: prose.py OUTPUT DOCS DEPFILE

DEPFILE names the pages and their folders, so that a new page is a reason to run again.
"""
import pathlib
import sys

import markdown


def literal(text):
    lines = text.split("\n")
    return "\n".join('\t\t"' + line.replace("\\", "\\\\").replace('"', '\\"') + '\\n"'
                     for line in lines)


def write_depfile(path, output, folder):
    folders = [pathlib.Path(folder) / name for name in ("options", "engines", "notes")]
    pages = [str(p) for f in folders for p in (f, *sorted(f.glob("*.md")))]
    pathlib.Path(path).write_text(f"{output}: {' '.join(pages)}\n", encoding="utf-8")


def main(output, folder, depfile):
    write_depfile(depfile, output, folder)
    with open(output, "w", encoding="utf-8") as f:
        f.write("/* Made by tools/prose.py from docs. */\n#include \"cmd/prose.h\"\n\n")
        f.write("const struct prose prose_all[] = {\n")
        for theme in [*markdown.themes(f"{folder}/options"), markdown.engines(f"{folder}/engines"),
                      markdown.notes(f"{folder}/notes")]:
            intro = theme["title"] + "\n\n" + markdown.plain(theme["intro"])
            f.write(f'\t{{"{theme["name"]}", 0,\n{literal(intro)}}},\n')
            for option, text in theme["sections"]:
                f.write(f'\t{{"{theme["name"]}", "{option}",\n{literal(markdown.plain(text))}}},\n')
        f.write("\t{0, 0, 0},\n};\n")


main(*sys.argv[1:4])
