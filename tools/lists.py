#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Write lists.c: the option groups and the engines that this build has.

usage: lists.py OUTPUT GROUP,GROUP,... ENGINE,ENGINE,...
"""
import sys

output, groups, engines = sys.argv[1], sys.argv[2], sys.argv[3]
groups = [g for g in groups.split(",") if g]
engines = [e for e in engines.split(",") if e]

with open(output, "w", encoding="utf-8") as f:
    f.write("/* Made by tools/lists.py; the names come from the meson.build of each folder. */\n")
    f.write('#include "engine/engine.h"\n#include "opt/opt.h"\n\n')
    for g in groups:
        f.write(f"extern const struct opt_group {g}_group;\n")
    for e in engines:
        f.write(f"extern const struct engine engine_{e};\n")
    f.write("\nconst struct opt_group *const opt_groups[] = {\n")
    f.writelines(f"\t&{g}_group,\n" for g in groups)
    f.write("\tNULL,\n};\n")
    f.write(f"const size_t opt_groups_count = {len(groups)};\n")
    f.write("\nconst struct engine *const engines[] = {\n")
    f.writelines(f"\t&engine_{e},\n" for e in engines)
    f.write("\tNULL,\n};\n")
    f.write(f"const size_t engines_count = {len(engines)};\n")
