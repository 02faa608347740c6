#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Comparisons on this machine: a job against itself, against itself made slower, and
repeats that are stopped."""
import json
import os
import signal
import subprocess
import time

from harness import WEIR, alive, check, children, run_all, timely, wait_for

# A disk of known speed. Requests of milliseconds: the shim sleeps for most of one and
# watches the clock for the rest, and who sleeps is let in at once on a busy machine.
DISK = """[disk]
ioengine=delay(null)
delay_script=const:%dus
rw=randread
bs=4k
size=1g
time_based
runtime=%dms
"""

COMPARISONS = 20
PAIRS = 5

# Of 20 comparisons of equals with 5 % false verdicts each, more than 5 come once in 3000
# times (binomial); 0 to 2 are usual, as most answers are "same" or "can't tell".
FALSE_MOST = 5


def weir(s, *args, status=0, **kw):
    p = subprocess.run([WEIR, *args], capture_output=True, text=True, cwd=s.dir, timeout=250,
                       check=False, stdin=subprocess.DEVNULL, **kw)
    check(p.returncode == status, f"{args}: status {p.returncode}, not {status}\n"
          f"{p.stdout[-800:]}{p.stderr[-800:]}")
    return p.stdout


def job(s, name, delay_us, runtime_ms):
    with open(s.path(name), "w", encoding="utf-8") as f:
        f.write(DISK % (delay_us, runtime_ms))


def compare(s, *args):
    return json.loads(weir(s, "compare", "--format=json", *args))


def verdict(document, figure):
    return document["comparisons"][0]["figures"][figure]["verdict"]


def test_against_itself(s):
    job(s, "a.fio", 2000, 60)
    job(s, "b.fio", 2000, 60)
    weir(s, "repeat", "--interleave", f"-n={COMPARISONS * PAIRS}", "--seed=1", "a.fio", "b.fio",
         "--output-dir=same")
    seen = []
    for i in range(COMPARISONS):
        runs = [f"{k:03}.json" for k in range(1 + i * PAIRS, 1 + (i + 1) * PAIRS)]
        sides = [",".join(f"same/{side}/{run}" for run in runs) for side in "ab"]
        d = compare(s, *sides)
        check(d["comparisons"][0]["basis"] == "pairs", f"not in pairs: {d['comparisons'][0]}")
        seen.append(d["verdict"])
    false = sum(v in ("better", "worse") for v in seen)
    print(f"  {false} false verdicts of {COMPARISONS}; same {seen.count('same')}, "
          f"undecided {seen.count('undecided')}")
    check(false <= FALSE_MOST, f"{false} false verdicts: {seen}")


def found_slower(s, where):
    out = weir(s, "repeat", "--interleave", "-n=8", "--metric=p50", "a.fio", "b.fio",
               "--output-dir=" + where)
    return "worse: something is (by p50" in out, out


def test_slower(s):
    """Made 5 % slower. Another load that hits single runs makes it undecided, so it has three
    attempts; of equals three would find that once in 13 times."""
    job(s, "a.fio", 4000, 250)
    job(s, "b.fio", 4200, 250)
    for attempt in range(3):
        where = f"slower{attempt}"
        found, out = found_slower(s, where)
        if found:
            break
    timely(found, out)
    sides = [f"{where}/a", f"{where}/b"]
    d = compare(s, *sides, "--metric=p50")
    p50 = d["comparisons"][0]["figures"]["p50"]
    timely(p50["low"] <= 1.06 and p50["high"] >= 1.04, f"5 % are not in {p50}")
    check(verdict(d, "iops") != "better", "slower, and more I/Os")
    print(f"  5 % slower: p50 {p50['ratio']:.3f} ({p50['low']:.3f} to {p50['high']:.3f}), IOPS "
          f"{d['comparisons'][0]['figures']['iops']['ratio']:.3f} {verdict(d, 'iops')}; "
          f"attempt {attempt + 1}")
    weir(s, "compare", "--gate", *sides, "--metric=p50", status=1)
    weir(s, "compare", "--gate", *reversed(sides), "--metric=p50", status=0)


def test_series(s):
    """One run each: the per-second series is kept in the JSON, and 3 s are too few."""
    job(s, "a.fio", 200, 3000)
    weir(s, "a.fio", "--output-format=json", "--output=a.json")
    d = compare(s, "a.json", "a.json")
    check(d["comparisons"][0]["basis"] == "series", str(d["comparisons"][0]))
    check(d["comparisons"][0]["figures"]["iops"]["why"] == "short", str(d))
    with open(s.path("a.json"), encoding="utf-8") as f:
        row = json.load(f)["jobs"][0]
    bins = row["weir"]["series_bins"]["read"]["lat_ns"]
    samples = sum(int(part.split(":")[1]) for text in bins for part in text.split())
    check(samples == row["read"]["lat_ns"]["N"], "series_bins are not all samples")
    check(len(bins) == len(row["weir"]["series"]), "not an entry for each interval")


def notes(d):
    return " ".join(n["text"] for n in d["notes"])


def test_clones(s):
    """Percentiles of clones that were reported one by one are those of all their samples, if each tells
    its histogram."""
    docs = {}
    for name in ("a.json", "b.json"):
        weir(s, "--name=c", "--numjobs=3", "--ioengine=null", "--rw=randread", "--bs=4k", "--size=8m",
             "--output-format=json", f"--output={name}")
        with open(s.path(name), encoding="utf-8") as f:
            docs[name] = json.load(f)
    d = compare(s, "a.json", "b.json")
    check("percentiles are those of all 3 clones" in notes(d), notes(d))
    figures = d["comparisons"][0]["figures"]
    for side, doc in (("a", docs["a.json"]), ("b", docs["b.json"])):
        parts = [part.split(":") for row in doc["jobs"]
                 for text in row["weir"]["series_bins"]["read"]["lat_ns"] for part in text.split()]
        bins = [(int(ns), int(count)) for ns, count in parts]
        whole = sum(count for _, count in bins)
        for figure, share in (("p50", 0.5), ("p99", 0.99)):
            ns = figures[figure][side]
            below = sum(count for at, count in bins if at < ns)
            upto = sum(count for at, count in bins if at <= ns)
            check(below <= share * whole + 1 and upto >= share * whole - 1,
                  f"{figure} of {side} is {ns}: {below} below, {upto} up to it, of {whole}")
    del docs["b.json"]["jobs"][1]["weir"]["series_bins"]
    with open(s.path("b.json"), "w", encoding="utf-8") as f:
        json.dump(docs["b.json"], f)
    d = compare(s, "a.json", "b.json")
    check("percentiles of 3 clones can't be joined" in notes(d), notes(d))
    check("b" not in d["comparisons"][0]["figures"].get("p99", {}), d["comparisons"][0])


def test_repeat_in_turns_as_json(s):
    """What its text compares is in the JSON, with the same notes."""
    for name in ("a.fio", "b.fio"):
        job(s, name, 200, 100)
    d = json.loads(weir(s, "repeat", "-n", "3", "--interleave", "a.fio", "b.fio", "--output-dir=i",
                        "--format=json"))
    whole = compare(s, "i/a", "i/b")
    check(d["comparison"]["comparisons"] == whole["comparisons"], d["comparison"])
    check([n["text"] for n in d["comparison"]["notes"]], d["comparison"])
    check(d["notes"] == [], d["notes"])


def test_repeat_tells_of_other_work_as_json(s):
    with open(s.path("t.log"), "w", encoding="ascii") as f:
        f.write("fio version 2 iolog\nf add\nf open\n" + "f write 0 65536\n" * 50 + "f close\n")
    args = ["repeat", "-n", "2", "--like=t.log", "--name=c", "--ioengine=null", "--rw=randread", "--size=1m"]
    text = weir(s, *args)
    check("100 % reads (there 0 %)" in text, text)
    found = json.loads(weir(s, *args, "--format=json"))["notes"]
    check([n["id"] for n in found] == ["unlike-work"] and found[0]["evidence"]["like_read_percent"] == 0, found)


def test_until(s):
    job(s, "a.fio", 500, 100)
    out = weir(s, "repeat", "a.fio", "--until=20%", "--metric=p50", "--max-time=60s")
    timely("reached: ±20 %" in out, out)
    check(out.count("run ") >= 5, "an interval of fewer than 5 runs was believed")


def stopped(s, how):
    job(s, "a.fio", 200, 200)
    p = s.start("repeat", "-n", "100", "a.fio", "--output-dir=kept", start_new_session=True)
    wait_for("the third run", lambda: os.path.exists(s.path("kept/003.json")), 30)
    time.sleep(0.05)
    how(p)
    out, err = p.communicate(timeout=30)
    check(p.returncode == 128, f"status {p.returncode}: {err}")
    check("stopped; what was done is kept" in out, out)
    last = [line for line in out.splitlines() if line.startswith("run ")][-1]
    # (or the signal came between two runs, which isn't so each time)
    timely("left out" in last, f"a run that was cut short is told as whole: {last}")
    kept = sorted(os.listdir(s.path("kept")))
    for name in kept[1:]:
        check(os.path.getsize(s.path("kept/" + name)) > 0, f"{name} is empty")
    check(compare(s, "kept", "kept")["sides"][0]["runs"] == len(kept) - 1, "can't be read back")


def test_terminated(s):
    stopped(s, lambda p: p.send_signal(signal.SIGTERM))


def test_interrupted(s):
    """As a terminal does it: the whole process group."""
    stopped(s, lambda p: os.killpg(p.pid, signal.SIGINT))


def test_killed(s):
    job(s, "a.fio", 200, 60000)
    p = s.start("repeat", "-n", "2", "a.fio", "--output-dir=kept", start_new_session=True)

    run = wait_for("a run", lambda: children(p.pid))[0]
    p.kill()
    p.wait()
    wait_for("the end of the run", lambda: not alive(run), 20)


def test_guard(s):
    """What `run` refuses is refused here, before anything is kept."""
    s.file("precious", 1 << 20, 7)
    p = subprocess.run([WEIR, "repeat", "-n", "2", "--name=a", "--filename=precious", "--rw=write",
                        "--output-dir=kept"], capture_output=True, text=True, cwd=s.dir, check=False)
    check(p.returncode == 1 and "--destroy" in p.stderr, p.stderr)
    check(os.listdir(s.path("kept")) == [".repeat"], str(os.listdir(s.path("kept"))))
    with open(s.path("precious"), "rb") as f:
        check(f.read() == bytes([7]) * (1 << 20), "it was written")


def test_full_disk(s):
    small = s.tmpfs("64k")
    p = subprocess.run([WEIR, "repeat", "-n", "50", "--name=a", "--ioengine=null", "--size=4k",
                        f"--output={small}/all"], capture_output=True, text=True, cwd=s.dir,
                       check=False)
    check(p.returncode == 1 and "No space left" in p.stderr, f"{p.returncode} {p.stderr}")
    check("not all of it is kept" in p.stdout and "weir compare" not in p.stdout, p.stdout[-300:])
    with open(f"{small}/all", encoding="utf-8") as f:
        lines = f.read().splitlines()
    check(len(lines) > 2 and all(json.loads(line) for line in lines), "the last line is cut")


def test_repeat_on_a_full_disk(s):
    """Refused before the first run, and no empty file of ours stays."""
    where = s.tmpfs("64k")
    os.mkdir(os.path.join(where, "kept"))
    with open(os.path.join(where, "filler"), "wb", buffering=0) as f:
        while True:
            try:
                f.write(bytes(4096))
            except OSError:
                break
    p = subprocess.run([WEIR, "repeat", "-n=2", f"--output-dir={where}/kept", "--name=a",
                        "--ioengine=null", "--size=4k"], capture_output=True, text=True, cwd=s.dir,
                       check=False)
    check(p.returncode == 1 and "No space left" in p.stderr, f"{p.returncode} {p.stderr}")
    check(os.listdir(os.path.join(where, "kept")) == [], os.listdir(os.path.join(where, "kept")))


run_all(globals())
