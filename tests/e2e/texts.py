# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Classic text in, figures out: each figure of each text of fio in tests/data/import, read here
by plain regular expressions line by line, against `weir show --output-format=json`; and
weir's own text against the JSON of the same run, within what the text's digits say."""
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import WEIR, run_all  # noqa: E402

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "import")
COUNTS = {"": 1, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9}
NS = {"nsec": 1, "usec": 1e3, "msec": 1e6}
SIZES = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40,
         "kB": 1e3, "MB": 1e6, "GB": 1e9}
OLD = {"B": 1, "KB": 2**10, "MB": 2**20, "GB": 2**30}


def figure(text, units):
    """(value, worth of the last digit) of "85.2k"."""
    m = re.match(r" *([0-9]+)(?:\.([0-9]+))? ?([A-Za-z]*)", text)
    unit = units[m[3]]
    digits = m[2] or ""
    return float(m[1] + "." + digits + "0") * unit, unit * 10.0 ** -len(digits)


def close(where, shown, said, step=0.0):
    assert shown is not None, f"{where}: nothing, {said} is said"
    assert abs(shown - said) <= step * 1.001 + abs(said) * 1e-9 + 1e-6, \
        f"{where}: {shown}, {said} is said"


class Check:
    """One text against the documents that weir made of it."""

    def __init__(self, name, documents):
        self.name = name
        self.jobs = [j for d in documents for j in d["jobs"]]
        self.disks = [u for d in documents for u in d.get("disk_util", [])]
        self.job = self.dir = self.table = None
        self.figures = self.at = self.disk = 0

    def says(self, where, shown, said, step=0.0):
        close(f"{self.name}: {self.job['jobname'] if self.job else ''} {where}", shown, said, step)
        self.figures += 1

    def head(self, m):
        self.job = self.jobs[self.at]
        self.at += 1
        assert self.job["jobname"] == m[1], f"{self.name}: {self.job['jobname']}, not {m[1]}"
        self.says("group", self.job["groupid"], int(m[2]))
        self.says("error", self.job["error"], int(m[4]))

    def direction(self, m):
        self.dir = self.job[m[1]]
        values = dict(re.findall(r"(\w+)= *([^,()]+)", m[2]))
        if "io" in values:
            said = figure(values["io"], OLD)
            rate = figure(values["iops"], COUNTS)
            run = figure(values["runt"].replace("msec", ""), COUNTS)
        else:
            total = re.search(r"\(([^()/]+)/(\d+)msec\)", m[2])
            said, rate = figure(total[1], SIZES), figure(values["IOPS"], COUNTS)
            run = (float(total[2]), 0)
        self.says("bytes", self.dir["io_bytes"], *said)
        self.says("runtime", self.dir["runtime"], run[0])
        self.says("iops", self.dir["iops"], *rate)

    def latency(self, m):
        place = self.job["sync"]["lat_ns"] if m[1] == "sync" else self.dir[m[1] + "_ns"]
        for key, name in (("min", "min"), ("max", "max"), ("avg", "mean"), ("stdev", "stddev")):
            value = re.search(key + r"= *([0-9.]+[kKM]?)", m[3])
            self.says(m[1] + " " + name, place[name], figure(value[1], COUNTS)[0] * NS[m[2]])

    def percentiles(self, m):
        place = self.job["sync"]["lat_ns"] if m[1] == "sync" else self.dir[m[1] + "_ns"]
        self.table = (place["percentile"], NS[m[2]])

    def cells(self, line):
        for percent, value in re.findall(r"([0-9.]+)th=\[ *(\d+)\]", line):
            points = {float(k): v for k, v in self.table[0].items()}
            self.says("p" + percent, points.get(float(percent)), float(value) * self.table[1])

    def samples(self, m):
        name = "bw" if m[1] else "iops"
        units = SIZES if "samples" in m[2] or "i" in m[1] else OLD
        unit = units[m[1].replace(" ", "").split("/")[0]] / 1024 if m[1] else 1
        for key, field in (("min", "min"), ("max", "max"), ("avg", "mean"), ("stdev", "dev")):
            value = re.search(key + r"= *([0-9.]+)", m[2])
            shown = self.dir.get(name + "_" + field, self.dir.get(name + "_std" + field))
            whole = 1 if field in ("min", "max") else 0  # JSON's are whole KiB
            self.says(name + " " + field, shown, float(value[1]) * unit, whole)

    def spread(self, m):
        place = self.job["latency_" + {"n": "ns", "u": "us", "m": "ms"}[m[1][0]]]
        for label, share in re.findall(r"(>=2000|\d+)=([0-9.]+)%", m[2]):
            self.says("latency " + label, place[label], float(share))

    def depths(self, m):
        key = {"IO depths": "iodepth_level", "submit": "iodepth_submit",
               "complete": "iodepth_complete"}[m[1]]
        for label, share in re.findall(r"(>=64|\d+)=([0-9.]+)%", m[2]):
            self.says(key + label, self.job[key][label], float(share))

    def cpu(self, line):
        for key, field in (("usr", "usr_cpu"), ("sys", "sys_cpu"), ("ctx", "ctx"),
                           ("majf", "majf"), ("minf", "minf")):
            self.says(field, self.job[field], float(re.search(key + r"=([0-9.]+)", line)[1]))

    def issued(self, line):
        counts = re.search(r"total=(\S+)", line)[1]
        mixed = "mixed" in self.job and "read" not in self.job
        for name, count in zip(("mixed",) if mixed else ("read", "write", "trim"),
                               re.findall(r"\d+", counts)):
            if name in self.job:
                self.says("issued " + name, self.job[name]["total_ios"], int(count))

    def disk_line(self, line):
        d = self.disks[self.disk]
        self.disk += 1
        for key, fields in (("ios", ("read_ios", "write_ios")),
                            ("ticks", ("read_ticks", "write_ticks"))):
            pair = re.search(key + r"=(\d+)/(\d+)", line)
            self.says(fields[0], d[fields[0]], int(pair[1]))
            self.says(fields[1], d[fields[1]], int(pair[2]))
        self.says("util", d["util"], float(re.search(r"util=([0-9.]+)", line)[1]))

    def line(self, line):
        if m := re.match(r"(\S.*): \(groupid=(\d+), jobs=(\d+)\): err= *(\d+)", line):
            self.head(m)
        elif not self.job:
            return
        elif m := re.match(r" +(read|write|trim|mixed) ?: ((?:io|IOPS)=.*)", line):
            self.direction(m)
        elif m := re.match(r" +(slat|clat|lat|sync) \((.sec)\) ?: (min=.*)", line):
            self.latency(m)
        elif m := re.match(r" +(slat|clat|lat|sync) percentiles \((.sec)\):", line):
            self.percentiles(m)
        elif "percentiles" in line:
            self.table = None
        elif re.match(r" +\|", line):
            if self.table:
                self.cells(line)
        elif m := re.match(r" +bw \(([^)]*)\) *: (.*)", line):
            self.samples(m)
        elif m := re.match(r" +iops()  +: (.*)", line):
            self.samples(m)
        elif m := re.match(r" +lat \((.)sec\) *: (.*)", line):
            self.spread(m)
        elif m := re.match(r" +(IO depths|submit|complete) +: (.*)", line):
            self.depths(m)
        elif re.match(r" +cpu +: ", line):
            self.cpu(line)
        elif re.match(r" +issued", line):
            self.issued(line)
        elif re.match(r" +\S+: ios=", line):
            self.disk_line(line)


def documents_of(text):
    found, at = [], 0
    decoder = json.JSONDecoder()
    while (at := text.find("{", at)) >= 0:
        doc, at = decoder.raw_decode(text, at)
        found.append(doc)
    return found


def show(*words, text=None):
    done = subprocess.run([WEIR, "show", *words], input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def check_text(name, text):
    check = Check(name, documents_of(show("--output-format=json", "-", text=text)))
    for line in text.replace("\r", "\n").splitlines():
        check.line(line)
    assert check.at == len(check.jobs), f"{name}: {len(check.jobs)} jobs, {check.at} in the text"
    assert check.disk == len(check.disks)
    return check.figures


def test_all_figures(_):
    total = 0
    for name in sorted(os.listdir(DATA)):
        if name.endswith(".txt") and name != "client.txt":
            with open(os.path.join(DATA, name), encoding="utf-8", newline="") as f:
                total += check_text(name, f.read())
    print(f"{total} figures")
    assert total > 6000


# Command lines of small runs, whose text as fio is read again.
RUNS = [
    "--rw=read", "--rw=randrw --rwmixread=30 --bs=4k,16k", "--rw=write --bs=128k --numjobs=3",
    "--rw=randread --numjobs=4 --group_reporting", "--rw=randrw --unified_rw_reporting=mixed",
    "--rw=randrw --unified_rw_reporting=both", "--rw=read --kb_base=1000",
    "--rw=randread --unit_base=1", "--rw=randread --disable_clat=1", "--rw=randread --disable_lat=1",
    "--rw=randread --lat_percentiles=1 --clat_percentiles=0",
    "--rw=randread --slat_percentiles=1 --iodepth=8",
    "--rw=randread --percentile_list=50:99:99.999", "--rw=write --gtod_reduce=1",
    "--rw=randread --iodepth=32 --iodepth_batch_submit=8", "--rw=randread --rate_iops=2000",
    "--rw=read --description=with_words --name=b --stonewall --rw=randwrite",
    "--rw=trimwrite", "--rw=randread --latency_target=1ms --latency_window=50ms "
    "--latency_percentile=99", "--rw=readwrite --bsrange=1k-8k", "--rw=read --significant_figures=6",
]
BASE = "--ioengine=null --size=64m --time_based --runtime=300ms --name=a".split()


def round_trip(scratch, words):
    call = [WEIR, "--compat=fio", *BASE, *words.split(), "--output-format=normal,json"]
    done = subprocess.run(call, capture_output=True, text=True, cwd=scratch.dir)
    assert done.returncode == 0, f"{words}: {done.stderr}"
    at = done.stdout.index("\n{") + 1
    doc, end = json.JSONDecoder().raw_decode(done.stdout, at)
    text = done.stdout[:at] + done.stdout[end:]
    again = documents_of(show("--output-format=json", "-", text=text))
    assert len(again) == 1, words
    figures = check_text(words, text)  # of the text ...
    compare_jobs(words, doc, again[0])  # ... and of the run
    return figures


def compare_jobs(words, ran, read):
    assert [j["jobname"] for j in ran["jobs"]] == [j["jobname"] for j in read["jobs"]], words
    for a, b in zip(ran["jobs"], read["jobs"]):
        for name in ("read", "write", "trim", "mixed"):
            x, y = a.get(name), b.get(name)
            if not x or not x["io_bytes"]:
                continue
            close(f"{words}: {name} io_bytes", y["io_bytes"], x["io_bytes"], x["io_bytes"] * 6e-3)
            close(f"{words}: {name} iops", y["iops"], x["iops"], x["iops"] * 6e-3 + 1)
            close(f"{words}: {name} runtime", y["runtime"], x["runtime"])
            if "both" not in words or name != "mixed":  # the text counts what is apart
                close(f"{words}: {name} total_ios", y["total_ios"], x["total_ios"])
            for kind in ("slat_ns", "clat_ns", "lat_ns"):
                if x.get(kind, {}).get("N"):
                    l, k = x[kind], y[kind]
                    close(f"{words}: {name} {kind} mean", k["mean"], l["mean"],
                          max(0.01, l["mean"] * 6e-3))
                    close(f"{words}: {name} {kind} max", k["max"], l["max"],
                          max(1, l["max"] * 1e-3, 1000 if l["min"] > 2000 else 1))


def test_round_trip(scratch):
    total = 0
    for words in RUNS:
        try:
            total += round_trip(scratch, words)
        except KeyError as e:
            raise AssertionError(f"{words}: no {e}") from e
    print(total, "figures of", len(RUNS), "runs")


def peak_kib(path):
    """Of a child alone: RUSAGE_CHILDREN is the largest of all."""
    pid = os.fork()
    if pid == 0:
        out = os.open(os.devnull, os.O_WRONLY)
        os.dup2(out, 1)
        os.execv(WEIR, [WEIR, "show", "--output-format=csv", path])
    _, status, usage = os.wait4(pid, 0)
    assert status == 0
    return usage.ru_maxrss


def test_memory_is_flat(scratch):
    """Ten times as much text takes no more memory."""
    parts = []
    for name in ("fio-2.1.3.txt", "fio-3.16.txt", "status-interval.txt"):
        with open(os.path.join(DATA, name), "rb") as f:
            parts.append(f.read())
    block = b"".join(parts)
    peaks = []
    for size in (10 << 20, 100 << 20):
        path = scratch.path("many.txt")
        with open(path, "wb") as f:
            for _ in range(size // len(block)):
                f.write(block)
        peaks.append(peak_kib(path))
    print("peak KiB", peaks)
    assert peaks[1] < peaks[0] * 1.25 and peaks[1] < 100 << 10, peaks


if __name__ == "__main__":
    run_all(globals())
