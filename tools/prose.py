#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Write prose.c: what docs/options, docs/engines and docs/notes say, for `weir help`.

usage: prose.py OUTPUT DOCS
"""
import sys

import markdown


def literal(text):
    lines = text.split("\n")
    return "\n".join('\t\t"' + line.replace("\\", "\\\\").replace('"', '\\"') + '\\n"'
                     for line in lines)


def main(output, folder):
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


main(sys.argv[1], sys.argv[2])
