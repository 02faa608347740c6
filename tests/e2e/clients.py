#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Programs that drive fio take figures out of its outputs by line, column and regular
expression. Here each of their ways is used on what weir writes, and must give what the
JSON document of the same run says.

A run writes all formats at once; a client gets the one that it reads, on stdin. Its own
command line is used where options matter for the form.
"""
import json
import os
import re
import shlex
import subprocess

from harness import WEIR, check, need_command, run_all

NULL = "--ioengine=null --size=1g --runtime=1 --time_based "
LIBAIO = "--ioengine=libaio --iodepth=8 --filename=data --size=4m "


def run(s, args, version=3, formats="normal,json,terse"):
    """(document, {"text": .., "terse": .., "json": ..}) of one run."""
    os.path.exists(s.path("fio")) or os.symlink(os.path.realpath(WEIR), s.path("fio"))
    p = subprocess.run([s.path("fio"), *shlex.split(args), f"--output-format={formats}",
                        f"--terse-version={version}"], capture_output=True, text=True, cwd=s.dir,
                       timeout=60, check=False)
    check(p.returncode == 0 and not p.stderr, f"{args}: {p.returncode} {p.stderr}")
    before, document, after = re.fullmatch(r"(.*?)(^\{\n.*^\}$)\n(.*)", p.stdout,
                                           re.S | re.M).groups()
    lines = before.splitlines(keepends=True)
    terse = "".join(x for x in lines if re.match(r"\d;fio-", x))
    head = "".join(x for x in lines if not re.match(r"\d;fio-", x))
    return json.loads(document), {"text": head + after, "terse": terse, "json": document + "\n"}


def shell(command, text):
    p = subprocess.run(["bash", "-c", command], input=text, capture_output=True,
                       text=True, timeout=20, check=False)
    check(p.returncode == 0, f"{command}: status {p.returncode}, {p.stderr}on:\n{text[:3000]}")
    return p.stdout.split()


def number(text):
    """'158k' is 158000."""
    m = re.fullmatch(r"([\d.]+)([kMG]?)", text)
    check(m is not None, f"not a number: {text!r}")
    return float(m[1]) * {"": 1, "k": 1e3, "M": 1e6, "G": 1e9}[m[2]]


def rate(text):
    """'618MiB/s' in bytes per second."""
    m = re.fullmatch(r"([\d.]+)([kKMG]?i?)B/s", text)
    check(m is not None, f"not a rate: {text!r}")
    return float(m[1]) * {"": 1, "k": 1e3, "Ki": 2**10, "M": 1e6, "Mi": 2**20, "G": 1e9,
                          "Gi": 2**30}[m[2]]


def near(got, want, what, share=0.006):
    """Four digits were printed, so no more than that is asked."""
    check(abs(got - want) <= share * max(abs(want), 1e-9) + 1e-6, f"{what}: {got}, not {want}")


def latency_ns(text, unit):
    return float(text) * {"nsec": 1, "usec": 1e3, "msec": 1e6}[unit]


def data(s):
    s.file("data", 4 << 20, 1)


# ---- text ----

def test_dbench(s):
    data(s)
    doc, out = run(s, "--randrepeat=0 --verify=0 --direct=1 --name=rw_mix --readwrite=randrw "
                      "--rwmixread=75 --time_based --ramp_time=1s --runtime=1s --bs=4K " + LIBAIO)
    for word, name in (("read ?:", "read"), ("write:", "write")):
        line = f"grep -E '{word}' | "
        got = shell(line + "grep -Eoi 'IOPS=[0-9k.]+' | cut -d= -f2", out["text"])
        near(number(got[0]), doc["jobs"][0][name]["iops"], name + " IOPS")
        got = shell(line + "grep -Eoi 'BW=[0-9GMKiBs/.]+' | cut -d= -f2", out["text"])
        near(rate(got[0]), doc["jobs"][0][name]["bw_bytes"], name + " BW")
        group = shell(f"grep -E '{name.upper()}:' | grep -Eoi '(aggrb|bw)=[0-9GMKiBs/.]+' | "
                      "head -1 | cut -d= -f2", out["text"])
        near(rate(group[0]), doc["jobs"][0][name]["bw_bytes"], name + " group bw")
    got = shell("grep ' lat.*avg' | grep -Eoi 'avg=[0-9.]+' | cut -d= -f2", out["text"])
    unit = shell("grep -oP '(?<=lat )[^ ]*' | grep -Eoi '[a-z]+sec' | head -1", out["text"])
    check(len(got) == 2, f"lines with ' lat' and 'avg': {got}")
    line = next(x for x in out["text"].splitlines() if re.search(" lat .*avg", x))
    near(latency_ns(got[0], re.search(r"\((\wsec)\)", line)[1]),
         doc["jobs"][0]["read"]["lat_ns"]["mean"], "lat")
    check(unit[0] in ("nsec", "usec", "msec"), unit)


def test_text_in_any_unit(s):
    """nsec, usec and msec of the same line, as FioParser reads it."""
    for args, unit in (("--ioengine=null", "nsec"), ("--ioengine=delay(null) "
                       "--delay_script=uniform:30us:4ms", "usec"), ("--ioengine=delay(null) "
                       "--delay_script=const:3ms", "msec nsec usec")):
        doc, out = run(s, f"--name=a {args} --rw=randread --size=256k")
        got = re.search(r"^\s*lat\s+\((\w+)\).*?avg=\s*([\d.]+)", out["text"], re.M)
        check(got[1] in unit, f"{args}: in {got[1]}")
        near(latency_ns(got[2], got[1]), doc["jobs"][0]["read"]["lat_ns"]["mean"], args)


def test_lisa_and_pts(s):
    doc, out = run(s, "--name=iteration8 --readwrite=randread --bs=4K --numjob=2 --gtod_reduce=0 "
                      "--group_reporting --overwrite=1 --iodepth=4 --thread " + NULL)
    job = doc["jobs"][0]["read"]
    m = re.search(r"([\w\W]*?)IOPS=(?P<iops>.+?),([\w\W]*?).* lat.*avg=(?P<latency>.+?),", out["text"])
    near(number(m["iops"]), job["iops"], "LISA: IOPS")
    float(m["latency"])
    line = next(x for x in out["text"].splitlines() if ": bw=" in x)  # Phoronix
    near(rate(line.split("bw=")[1].split()[0]), job["bw_bytes"], "PTS: bw")
    line = next(x for x in out["text"].splitlines() if "IOPS=" in x)
    near(number(line.split("IOPS=")[1].split(",")[0]), job["iops"], "PTS: IOPS")


def test_blktests_sed(s):
    """--significant_figures=9: no suffix."""
    doc, out = run(s, "--name=a --rw=randread --significant_figures=9 --rate_iops=123456 " + NULL)
    got = shell(r"sed -n 's/.*IOPS=\([0-9]*\).*/\1/p'", out["text"])
    check(got == [str(int(doc["jobs"][0]["read"]["iops"]))], got)


def test_bobber(s):
    """Exactly one decimal rate in parentheses right of the label; five or six numbers in a line."""
    doc, out = run(s, "--name=a --rw=rw --bs=1m --rate=30m,20m " + NULL)
    for name in ("read", "write"):
        tail = re.search(f"{name.upper()}: bw=.*", out["text"])[0]
        got = re.findall(r"\(\d+\.?\d*[kMG]B/s\)", tail)
        check(len(got) == 1, f"{got} in {tail}")
        near(rate(got[0][1:-1]), doc["jobs"][0][name]["bw_bytes"], name)
        line = re.search(f"{name}: IOPS=.*", out["text"])[0]
        check(len(re.findall(r"\d+\.?\d*", line)) in (5, 6), line)


def test_samples_lines(s):
    """PiBenchmarks, velian: the iops and bw lines."""
    doc, out = run(s, "--name=a --rw=write --rate_iops=2000 --runtime=2 --ioengine=null --size=1g "
                      "--time_based")
    job = doc["jobs"][0]["write"]
    got = shell(r"grep iops | sed 's/.*avg=\(.*\)stdev.*/\1/' | tr -d ' ,'", out["text"])
    near(float(got[-1]), job["iops_mean"], "iops avg")
    m = re.search(r"^   bw \( +(\w+)/s\): min= *(\d+), max= *(\d+), per=([\d.]+)%, avg= *([\d.]+), "
                  r"stdev= *([\d.]+), samples=(\d+)$", out["text"], re.M)
    check(m and m[1] == "KiB", "no bw line in KiB/s:\n" + out["text"])
    check((int(m[2]), int(m[3]), int(m[7])) == (job["bw_min"], job["bw_max"], job["bw_samples"]),
          m[0])


def test_etcd(s):
    """The two guides: by eye, and by grep."""
    os.mkdir(s.path("d"))
    doc, out = run(s, "--rw=write --ioengine=sync --fdatasync=1 --directory=d --size=220k --bs=2300 "
                      "--name=mytest")
    got = shell("sed -n '/fsync\\/fdatasync\\/sync_file_range/,$p' | grep -A12 "
                "'sync percentiles' | grep -o '99.00th=\\[ *[0-9]*\\]' | head -1 | "
                "tr -dc '0-9\\n.='| cut -d= -f2", out["text"])
    unit = re.search(r"sync percentiles \((\wsec)\):", out["text"])[1]
    want = doc["jobs"][0]["sync"]["lat_ns"]["percentile"]["99.000000"]
    near(latency_ns(got[0], unit), want, "99th of syncs", share=0.02)


def test_head_lines(s):
    _, out = run(s, "--ioengine=null --size=1m --name=job1 --rw=randrw --numjobs=3 --iodepth=4 "
                    "--bs=8k --name=b --rw=read")
    lines = out["text"].splitlines()
    m = re.match(r"job1: \(g=0\): rw=(\w*), bs=\(R\) ([\d.]*\w*B)-\2, \(W\) ([\d.]*\w*B)-\3, "
                 r"\(T\) ([\d.]*\w*B)-\4, ioengine=(\w+), iodepth=(\d+)$", lines[0])
    check(m and m.groups() == ("randrw", "8192B", "8192B", "8192B", "null", "4"), lines[0])
    check(lines[1] == "..." and re.match(r"fio-[0-9.]+$", lines[3]), str(lines[:5]))
    check(re.match(r"Starting \d+ processes$", lines[4]), lines[4])
    heads = re.findall(r"^(\S+): \(groupid=(\d+), jobs=(\d+)\): err=\s*(\d+)", out["text"], re.M)
    check([h[0] for h in heads] == ["job1"] * 3 + ["b"], str(heads))


def test_line_counters(s):
    """A course's exercise: line 7 of the output is that of the reads (mocc-assignments)."""
    p = subprocess.run(["bash", "-c", f"{s.path('fio')} --name=a --ioengine=null --size=1m "
                        "--rw=read | head -6 | tail -1 | cut -d, -f2"], capture_output=True,
                       text=True, cwd=s.dir, check=True, env=linked(s))
    check(re.fullmatch(r" BW=\S+ \(\S+\)\(1024KiB/\d+msec\)\n", p.stdout), p.stdout)


def linked(s):
    os.path.exists(s.path("fio")) or os.symlink(os.path.realpath(WEIR), s.path("fio"))
    return dict(os.environ, PATH=s.dir + ":" + os.environ["PATH"])


def test_live_line(s):
    """LISA's asynchronous mode waits for eta; oErv has the whole line as a pattern."""
    p = subprocess.run(["fio", *shlex.split("--name=a --rw=rw --rate_iops=500,300 --runtime=5 "
                        "--ioengine=null --size=1g --time_based --eta=always")],
                       capture_output=True, text=True, cwd=s.dir, check=True, env=linked(s))
    got = re.findall(r"Jobs: \d* \(f=\d*\)[^:]*: \[\S*?\]\[[\d.]*%\]\[r=\S*,w=\S*\]\[r=(\S*),w=(\S*) IOPS\]"
                     r"\[eta \d{2}m:\d{2}s\]", p.stdout)
    check(got, "no such line in " + repr(p.stdout[:1500]))
    # a stall makes one line too low, and the next one too high: one of them is the rate
    best = min((number(reads) for reads, _ in got), key=lambda reads: abs(reads - 500))
    near(best, 500, "reads in the live line", share=0.1)


def test_signal_words(s):
    """CloudHarmony greps the words; the document begins after them, or they are in it."""
    for seconds in ("1", "3", "9"):  # a busy machine may need the first one for the start
        p = subprocess.Popen(["timeout", "-k", "5", seconds, "fio", *shlex.split(
            "--name=a --ioengine=null --rw=read --rate_iops=100 --size=1g --output-format=json")],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=s.dir, env=linked(s))
        out, _ = p.communicate(timeout=30)
        check(re.search(r"fio:\s+terminat", out), out[:500])
        doc = json.loads(out[out.index("{"):out.rindex("}") + 1])
        if doc["jobs"][0]["read"]["iops"] > 50:
            return
    raise AssertionError("no figures")


# ---- terse ----

TERSE = "--name=rand_rw_4k --rw=randrw --numjobs=2 --iodepth=4 --group_reporting --bs=4k " + NULL


def fields(text, *numbers):
    return shell("cut -d';' -f" + ",".join(map(str, numbers)) + " | tr ';' '\\n'", text)


def test_yabs(s):
    """[ -ge ] of bash needs integers; the name is what is grepped for."""
    doc, out = run(s, TERSE + "--gtod_reduce=1")
    got = shell("grep rand_rw_4k | awk -F';' '{print $7, $48, $8, $49}'", out["terse"])
    d = doc["jobs"][0]
    want = [d["read"]["bw"], d["write"]["bw"], int(d["read"]["iops"]), int(d["write"]["iops"])]
    check(got == [str(w) for w in want], f"{got}, not {want}")
    shell(f"[ {got[0]} -ge 976563 ] || [ {got[0]} -lt 976563 ]", "")


def test_terse_3_positions(s):
    """Those of exporters, fio-to-influxdb, FioJob."""
    doc, out = run(s, TERSE + "--percentile_list=50:99:99.9")
    job = doc["jobs"][0]
    got = dict(enumerate(out["terse"].strip().split(";"), 1))
    check(got[1] == "3" and got[2].startswith("fio-3") and got[3] == "rand_rw_4k", str(got))
    check(got[5] == "0" and len(got) == 121, f"{len(got)} fields")
    for name, at in (("read", 6), ("write", 47)):
        d = job[name]
        want = [d["io_kbytes"], d["bw"], int(d["iops"]), d["runtime"]]
        check([got[at + i] for i in range(4)] == [str(w) for w in want], f"{name}: {want}")
        for kind, i in (("slat_ns", 4), ("clat_ns", 8), ("lat_ns", 32)):
            lat = [d[kind]["min"] // 1000, d[kind]["max"] // 1000, d[kind]["mean"] / 1000,
                   d[kind]["stddev"] / 1000]
            for k, value in enumerate(lat):
                near(float(got[at + i + k]), value, f"{name} {kind} {k}", share=1e-6)
            check("." not in got[at + i] and "." not in got[at + i + 1], "min and max are integers")
        cells = [got[at + 12 + i].split("=") for i in range(20)]
        want = [[f"{k}%", str(v // 1000)] for k, v in d["clat_ns"]["percentile"].items()]
        check(cells == want + [["0%", "0"]] * 17, str(cells))
        bw = [str(d["bw_min"]), str(d["bw_max"]), f"{d['bw_agg']:f}%"]
        check([got[at + i] for i in (36, 37, 38)] == bw, f"samples: not {bw}")
    check(got[88].endswith("%") and got[89].endswith("%"), "cpu")
    near(sum(float(got[i].rstrip("%")) for i in range(93, 100)), 100, "depths", share=0.01)
    near(sum(float(got[i].rstrip("%")) for i in range(100, 122)), 100, "latencies", share=0.01)


def test_blktests_terse_4(s):
    doc, out = run(s, "--name=reads --rw=trimwrite --bs=4k --group_reporting=1 --numjobs=2 "
                      "--ioengine=null --size=8m", version=4)
    check(shell("wc -l", out["terse"]) == ["1"], "more than one line")
    got = dict(enumerate(out["terse"].strip().split(";"), 1))
    check(len(got) == 162, f"{len(got)} fields")
    for name, at in (("read", 6), ("write", 47), ("trim", 88)):
        d = doc["jobs"][0][name]
        check([got[at + i] for i in range(4)] == [str(x) for x in (
            d["io_kbytes"], d["bw"], int(d["iops"]), d["runtime"])], name)
    check(got[129].endswith("%") and got[134].endswith("%") and got[162].endswith("%"), "the tail")


def test_exporter_terse_5(s):
    """A scanner of lines: every one begins with 5;fio-, also between reports."""
    p = subprocess.run(["fio", *shlex.split(
        "--name=iops --numjobs=4 --ioengine=null --bs=4k --iodepth=16 --readwrite=randrw "
        "--status-interval=1 --size=1G --runtime=3 --time_based --output-format=terse "
        "--terse-version=5 --lat_percentiles=1 --clat_percentiles=0 --group_reporting "
        "--rate_iops=1000")], capture_output=True, text=True, cwd=s.dir, check=True, env=linked(s))
    lines = p.stdout.split("\n")
    check(lines.pop() == "" and len(lines) >= 3, f"{len(lines)} lines")
    for line in lines:
        check(line[:6] == "5;fio-", f"a line begins with {line[:20]!r}")
        part = line.split(";")
        check(len(part) == 180, f"{len(part)} fields")
        for at in (0, 47):
            for i in (6, 7, 8, 37, 38, 41, 42, 47, 48, 49):
                float(part[at + i].rstrip("%"))
            for i in (27, 28, 29):
                int(part[at + i].split("=")[1])
    near(int(lines[-1].split(";")[7]), 4000, "read IOPS, of four jobs", share=0.1)


def test_mmtests_terse_5(s):
    doc, out = run(s, "--name=N --rw=read --rate_iops=1000 --blocksize=4k --group_reporting " + NULL,
                   version=5)
    got = out["terse"].strip().split(";")
    check(got[2] == "N" and got[5] == str(doc["jobs"][0]["read"]["io_kbytes"]), str(got[:6]))
    near(float(got[44]), doc["jobs"][0]["read"]["bw_mean"], "mean of bw samples", share=1e-6)


# ---- JSON by line ----

def test_awk_by_line(s):
    """VPS-Disk-Latency-Bench: one key a line, iops before the latencies."""
    doc, out = run(s, "--name=a --rw=randrw --percentile_list=50:90:95:99:99.9:99.99 "
                      "--group_reporting=1 " + NULL)
    for name in ("read", "write"):
        got = shell(f"awk '/\"{name}\".*:.*\\{{/,/\\}}/' | awk -F: '/\"iops\"/ "
                    "{gsub(/[ ,]/, \"\", $2); print $2; exit}'", out["json"])
        near(float(got[0]), doc["jobs"][0][name]["iops"], name, share=1e-6)
    got = shell("awk '/\"clat_ns\"/,/\\}/' | grep '\"99.900000\"' | head -1 | tr -dc '0-9:\\n' | "
                "cut -d: -f2", out["json"])
    check(got == [str(doc["jobs"][0]["read"]["clat_ns"]["percentile"]["99.900000"])], got)


def test_cuts_of_documents(s):
    """MAAS's, FioSynth's and fio's own way to find the document among text."""
    p = subprocess.run(["fio", *shlex.split("--name=a --ioengine=null --size=1m --rw=read "
                        "--output-format=normal,json")], capture_output=True, text=True, cwd=s.dir,
                       check=True, env=linked(s))
    m = re.search(r"(?P<pre_output>[^\{]*)(?P<json>^{.*^}$\n)(?P<post_output>.*)", p.stdout,
                  re.M | re.S)
    check("fio version" in json.loads(m["json"]) and "READ:" in m["post_output"], p.stdout[:300])
    check('"fio version" : ' in p.stdout, "spacing")
    lines = p.stdout.split("\n")
    end = len(lines) - lines[::-1].index("}")
    json.loads("\n".join(lines[lines.index("{"):end]))
    cut = shell("sed '/{/,$!d' | head -1", p.stdout)
    check(cut == ["{"], str(cut))


def test_jq(s):
    need_command("jq")
    doc, out = run(s, "--name=a --rw=read --numjobs=2 " + NULL)
    got = shell(".".join(["jq '", "jobs[] | .read.iops + .write.iops'"]), out["json"])
    near(sum(map(float, got)), sum(j["read"]["iops"] for j in doc["jobs"]), "jq", share=1e-6)
    got = shell("jq '.. | select(type==\"object\" and has(\"bw_mean\")).bw_mean' | "
                "grep -c -v '^0\\(.0*\\)\\?$'", out["json"])
    check(got == ["2"], str(got))


def test_number_kinds(s):
    """Go structs refuse 1.0 for an int; Qt reads 1.5 as 0."""
    _, out = run(s, "--name=read_iops --bs=4K --readwrite=randrw --gtod_reduce=1 --numjobs=2 " + NULL)
    ints = ("io_bytes io_kbytes bw_bytes bw runtime total_ios short_ios drop_ios bw_min bw_max "
            "bw_samples iops_min iops_max iops_samples min max N job_runtime ctx majf minf "
            "latency_depth latency_target latency_window groupid error eta elapsed").split()
    floats = ("iops mean stddev bw_agg bw_mean bw_dev iops_mean iops_stddev usr_cpu sys_cpu "
              "latency_percentile util").split()
    no_options = re.sub(r'"(job|global) options" : \{[^}]*\}', "", out["json"])
    for key, value in re.findall(r'"([^"]+)" : ([^,\n{\["]+)', no_options):
        check(key not in ints or re.fullmatch(r"-?\d+", value), f"{key} : {value}")
        check(key not in floats or re.fullmatch(r"-?\d+\.\d{6}", value), f"{key} : {value}")
    check('"rw" : "randrw"' in out["json"] and '"bs" : "4K"' in out["json"], "canonical names")


def test_version_probes(s):
    env = linked(s)
    got = shell("cd " + s.dir + "; ./fio --version", "")[0]
    check(re.fullmatch(r"fio-3\.\d+", got), got)
    got = subprocess.run(["bash", "-c", "fio --version | cut -c 5- | sed 's/-.*//'; "
                          "fio -v | cut -d- -f2; v=$(fio --version 2>&1); echo ${v##*-}"], env=env,
                         capture_output=True, text=True, check=True).stdout.split()
    check(len(set(got)) == 1 and float(got[0]) >= 3.38, str(got))


if __name__ == "__main__":
    run_all(globals())
