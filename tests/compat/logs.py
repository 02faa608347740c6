# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""What of a log is determined: how many lines and columns, and what stands in them."""
import re

NAME = re.compile(r".*_(?:bw|iops|slat|clat|lat|clat_hist)(?:\.\d+)?\.log$")
VALUES_MAX = 3     # a column with more different values is a measured one
LINE_COLUMNS = 8   # of a line that is no histogram


def shape(path, counted):
    """'16 lines of 5 columns: #, #, 0|1, 4096, 0'. COUNTED: the lines are, too."""
    with open(path, encoding="ascii") as f:
        rows = [line.rstrip("\n").split(", ") for line in f]
    count = f"{len(rows)} lines" if counted or not rows else "lines"
    widths = sorted({len(r) for r in rows})
    if len(widths) != 1 or widths[0] > LINE_COLUMNS:
        return f"{count} of {widths} columns"
    columns = [column(i, {r[i] for r in rows}) for i in range(widths[0])]
    return f"{count} of {widths[0]} columns: {', '.join(columns)}"


def column(index, values):
    """Time and value are measured (but that of an iops log is 1, once an I/O); the rest says what
    kind of I/O it was."""
    if index == 0 or (index == 1 and values != {"1"}):
        return "#"
    return "#" if len(values) > VALUES_MAX else "|".join(sorted(values))
