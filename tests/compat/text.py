# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""fio's classic text as a grammar of lines.

A line of either program must match one line of the grammar, to the blank: that
is the form. What two runs of the same job must agree on (names, counts, labels)
are the groups that the grammar captures; all other numbers are masked.

In a template everything stands for itself but:
  {n} an integer        {n5} an integer, right-aligned in 5
  {f5.2} a fixed-point number, at least 5 wide, 2 decimals
  {scaled} 4096 85.2k   {bytes} 333MiB {rate} 349MB/s  {lat} an integer or 4141.3k
  {unit} nsec usec msec {w} a word   {any} anything   {date} ctime()
  {NAME=...} the same, captured: both programs must agree on it
"""
import re
from dataclasses import dataclass
from difflib import SequenceMatcher

GRAMMAR = r"""
job       {=any}: (g={=n}): rw={=w}, bs=(R) {=bytes}-{=bytes}, (W) {=bytes}-{=bytes}, (T) {=bytes}-{=bytes}, ioengine={=any}, iodepth={=n}
job-order {=any}: (g={=n}): rw={=w}, bs=(R) {=bytes}-{=bytes}, (W) {=bytes}-{=bytes}, bs_is_seq_rand, ioengine={=any}, iodepth={=n}
clones    ...
version   fio-3.{n}{rest}
starting  Starting {=any}
layout    {=any}: Laying out IO file{=any}
note      note: both iodepth >= 1 and synchronous I/O engine are selected, queue depth will be capped at 1
enospc    fio: ENOSPC on laying out file, stopping
signal    fio: terminating on signal {=n}
joberror  fio: pid={n}, err={=n}/file:{any}, func={any}, error={=any}
head      {=any}: (groupid={=n}, jobs={=n}): err={=n2}: pid={n}: {date}
badhead   {=any}: (groupid={=n}, jobs={=n}): err={=n2} ({any}): pid={n}: {date}
about     Description  : [{=any}]
dir         {=dir}: IOPS={scaled}, BW={rate} ({rate})({bytes}/{n}msec)
slat          slat ({unit}): min={lat}, max={lat}, avg={f5.2}, stdev={f5.2}
clat          clat ({unit}): min={lat}, max={lat}, avg={f5.2}, stdev={f5.2}
lat            lat ({unit}): min={lat}, max={lat}, avg={f5.2}, stdev={f5.2}
prio          {=pkind} prio {=prio} ({unit}): min={lat}, max={lat}, avg={f5.2}, stdev={f5.2}
priotitle     {=pkind} prio {=prio} ({f3.2}% of IOs) percentiles ({unit}):
synclat       sync ({unit}): min={lat}, max={lat}, avg={f5.2}, stdev={f5.2}
ptitle        {=kind} percentiles ({unit}):
bw         bw ({blank}{prefix}B/s): min={n5}, max={n5}, per={f3.2}%, avg={f5.2}, stdev={f5.2}, samples={n}
iops       iops        : min={n5}, max={n5}, avg={f5.2}, stdev={f5.2}, samples={n}
spread    lat ({unit})   : {shares}
synchead  fsync/fdatasync/sync_file_range/syncfs:
cpu       cpu          : usr={f3.2}%, sys={f3.2}%, ctx={n}, majf={n}, minf={n}
depths    IO depths    : 1={f3.1}%, 2={f3.1}%, 4={f3.1}%, 8={f3.1}%, 16={f3.1}%, 32={f3.1}%, >=64={f3.1}%
submit       submit    : 0={f3.1}%, 4={f3.1}%, 8={f3.1}%, 16={f3.1}%, 32={f3.1}%, 64={f3.1}%, >=64={f3.1}%
complete     complete  : 0={f3.1}%, 4={f3.1}%, 8={f3.1}%, 16={f3.1}%, 32={f3.1}%, 64={f3.1}%, >=64={f3.1}%
issued       issued rwts: total={n},{n},{n},{n} short={=n},{=n},{=n},0 dropped={=n},{=n},{=n},0
errors       errors    : total={=n}, first_error={=n}/<{=any}>
latency      latency   : target={=any}, window={=any}, percentile={=any}%, depth={=n}
steady    steadystate  : attained={=any}, bw={rate} ({rate}), iops={scaled}, {=any}={any}
group     Run status group {=n} (all jobs):
total     {=label}: bw={rate} ({rate}), {rate}-{rate} ({rate}-{rate}), io={bytes} ({bytes}), run={n}-{n}msec
diskhead  Disk stats (read/write):
disk      {=w}: ios={n}/{n}, sectors={n}/{n}, merge={n}/{n}, ticks={n}/{n}, in_queue={n}, util={f3.2}%{rest}
idlehead  CPU idleness:
idle      system: {f3.2}%
idlecpus  percpu: {f3.2}%, {idles}
idleunit  unit work: mean={f3.2}us, stddev={f3.2}
"""

# Blanks that begin the line, by kind; 0 where not named.
INDENT = {
    "about": 2, "dir": 2, "slat": 4, "clat": 4, "lat": 5, "synclat": 4, "prio": 4, "priotitle": 4, "ptitle": (4, 5), "bw": 3,
    "iops": 3, "spread": 2, "synchead": 2, "cpu": 2, "depths": 2, "submit": 5, "complete": 5,
    "issued": 5, "errors": 5, "latency": 5, "steady": 2, "total": (1, 2, 3), "disk": (2, 4),
    "idle": 2, "idlecpus": 2, "idleunit": 2,
}

# Whether these appear depends on how long the run took or what was slow.
TIMING = {"spread", "bw", "iops"}

SCALE = r"(?:[kMGTPE]|[KMGTPE]i)?"
TOKENS = {
    "n": r"\d+", "w": r"\S+", "any": r".*?", "rest": r"\S*", "scaled": rf"\d+(?:\.\d+)?{SCALE}",
    "bytes": rf"\d+(?:\.\d+)?{SCALE}B", "rate": rf"\d+(?:\.\d+)?{SCALE}(?:B|bit)/s",
    "lat": r"\d+(?:\.\d+)?[kMG]?", "unit": r"[num]sec", "prefix": r"(?:[KM]i|[kM])",
    "blank": r" {1,3}", "dir": r"read|write|trim|mixed", "label": r"READ|WRITE|TRIM|MIXED",
    "pkind": r"clat|lat", "prio": r"\d/\d/\d+",
    "idles": r"(?:\d+\.\d\d%(?:, |$))+",
    "kind": r"slat|clat|lat|sync", "shares": r"(?:>?=?\d+=\d+\.\d\d%(?:, |$)){1,5}",
    "date": r"[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}",
}
PERCENTILE_ROW = re.compile(r"     \| (?: *\d+(?:\.\d+)?th=\[ *\d+\](?:, |,$|$)){1,4}")
PERCENTILE = re.compile(r"(\d+(?:\.\d+)?)th=")


@dataclass(frozen=True)
class Line:
    kind: str
    same: tuple  # what both programs must agree on
    text: str


def padded(width, pattern, size):
    """PATTERN (`size(n)` gives it n characters long) right-aligned in WIDTH."""
    shorter = [" " * k + size(width - k) for k in range(width) if width - k >= 1]
    return "(?:" + "|".join([pattern] + [s for s in shorter[1:] if s]) + ")"


def token(name):
    if m := re.fullmatch(r"n(\d+)", name):
        width = int(m[1])
        return padded(width, rf"\d{{{width},}}", lambda n: rf"\d{{{n}}}")
    if m := re.fullmatch(r"f(\d+)\.(\d+)", name):
        width, places = int(m[1]), int(m[2])
        whole = width - places - 1  # digits before the point that fill the width
        return padded(whole, rf"\d{{{whole},}}", lambda n: rf"\d{{{n}}}") + rf"\.\d{{{places}}}"
    return TOKENS[name]


def compiled():
    out = []
    for row in GRAMMAR.strip("\n").splitlines():
        kind, template = row.split(None, 1)
        pattern, at = "", 0
        for m in re.finditer(r"\{(=?)([\w.]+)\}", template):
            inner = token(m[2])
            pattern += re.escape(template[at:m.start()]) + (f"({inner})" if m[1] else f"(?:{inner})")
            at = m.end()
        pattern += re.escape(template[at:])
        indent = INDENT.get(kind, 0)
        blanks = "|".join(" " * k for k in (indent if isinstance(indent, tuple) else (indent,)))
        out.append((kind, re.compile(f"(?:{blanks}){pattern}")))
    return out


LINES = compiled()


def read(text):
    """The lines of a report; rows of one percentile table become one Line."""
    lines = []
    for raw in text.splitlines():
        line = classify(raw)
        if line.kind == "prow" and lines and lines[-1].kind == "prow":
            lines[-1] = Line("prow", lines[-1].same + line.same, lines[-1].text)
        else:
            lines.append(line)
    return lines


def classify(raw):
    if raw == "":
        return Line("blank", (), raw)
    if PERCENTILE_ROW.fullmatch(raw):
        return Line("prow", tuple(PERCENTILE.findall(raw)), raw)
    for kind, pattern in LINES:
        if m := pattern.fullmatch(raw):
            return Line(kind, m.groups(), raw)
    return Line("unknown", (raw,), raw)


def compare(want, got, timing):
    """Yield (what, place, wanted, got). TIMING: lines that depend on time must agree too."""
    known = {line.text for line in want}
    for line in got:
        if line.kind == "unknown" and line.text not in known:
            yield "text.form", "", "a line of fio's", line.text
    got = [x for x in got if x.kind != "unknown" or x.text in known]
    want, got = (merge_spread([x for x in lines if timing or x.kind not in TIMING])
                 for lines in (want, got))
    steps = SequenceMatcher(None, [x.kind for x in want], [x.kind for x in got], autojunk=False)
    for step, a, a_end, b, b_end in steps.get_opcodes():
        if step == "equal":
            for x, y in zip(want[a:a_end], got[b:b_end]):
                if x.same != y.same:
                    yield "text.value", x.kind, x.text, y.text
            continue
        for x in want[a:a_end]:
            yield "text.missing", x.kind, x.text, ""
        for y in got[b:b_end]:
            yield "text.extra", y.kind, "", y.text


def merge_spread(lines):
    """How many distribution lines there are is a matter of what was measured."""
    return [x for i, x in enumerate(lines)
            if x.kind != "spread" or i == 0 or lines[i - 1].kind != "spread"]
