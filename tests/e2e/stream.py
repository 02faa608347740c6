#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""--stream and --metrics-file: every line of real runs is what docs/guide/stream.md and
metrics.md say, intervals add up to the result, and whatever happens to the file or its
reader is not the run's trouble."""
import collections
import glob
import json
import os
import re
import stat
import subprocess
import threading
import time

from harness import (SIGCONT, SIGINT, SIGKILL, SIGSTOP, WEIR, alive, check, children, need_root, run_all, timely,
                     wait_for, weir, workers)

NULL = ["--ioengine=null", "--size=100g"]
STEADY = [*NULL, "--rate_iops=2000", "--time_based"]
QUICK = "--stream-interval=100ms"
DIRECTIONS = ("read", "write", "trim")


# ---- the stream's form ----

def number(x):
    return isinstance(x, (int, float)) and not isinstance(x, bool) and x >= 0


def count(x):
    return isinstance(x, int) and not isinstance(x, bool) and x >= 0


def text(x):
    return isinstance(x, str)


def one_of(*words):
    return lambda x: x in words


def bins(x):
    values = [b[0] for b in x]
    return (isinstance(x, list) and all(len(b) == 2 and count(b[0]) and count(b[1]) and b[1] for b in x)
            and values == sorted(set(values)))


def jobs(x):
    keys = {"row": count, "job": text, "group": count, "workers": count, "engine": text, "rw": text,
            "directions": lambda d: set(d) <= set(DIRECTIONS) and len(d) == len(set(d))}
    return all(j.keys() == keys.keys() and all(keys[k](j[k]) for k in keys) for j in x)


FAULT = {"file", "offset", "bytes", "block", "verdict", "guess", "guess_text", "read_offset", "read_bytes",
         "expected"}
WEIGHT = one_of("info", "warning", "error")
TYPES = {
    "begin": {"weir_stream": one_of(1), "version": text, "time_ms": count, "interval_s": number,
              "jobs": jobs},
    "phase": {"t_s": number, "phase": one_of("start", "layout", "running", "done"), "text": text},
    "layout": {"t_s": number, "bytes": count, "total_bytes": count},
    "note": {"t_s": number, "weight": WEIGHT, "text": text},
    "message": {"t_s": number, "weight": WEIGHT, "text": text},
    "fault": {"t_s": number, "row": count, "job": text, "fault": lambda f: FAULT <= f.keys()},
    "interval": {"t_s": number, "seconds": number, "row": count, "job": text, "group": count,
                 "direction": one_of(*DIRECTIONS), "running": count, "in_flight": count, "ios": count,
                 "bytes": count, "errors": count},
    "interim": {"t_s": number, "result": lambda x: x["weir"]["final"] is False},
    "result": {"t_s": number, "result": lambda x: x["weir"]["final"] is True},
    "refused": {"t_s": number, "text": text},
}
OPTIONAL = {"interval": {"lat_ns": bins, "response_ns": bins}}


def no_twice(pairs):
    keys = [k for k, _ in pairs]
    check(len(keys) == len(set(keys)), f"a key stands twice: {keys}")
    return dict(pairs)


def no_constant(word):
    raise AssertionError(f"{word} is not JSON")


def check_line(line):
    o = json.loads(line, object_pairs_hook=no_twice, parse_constant=no_constant)
    kind = o.get("type")
    check(kind in TYPES, f"unknown type: {line[:100]}")
    want, may = TYPES[kind], OPTIONAL.get(kind, {})
    keys = o.keys() - {"type"}
    check(want.keys() <= keys <= want.keys() | may.keys(), f"keys of {kind}: {sorted(keys)}")
    for key in keys:
        check((want.get(key) or may[key])(o[key]), f"{kind}: {key} is {str(o[key])[:100]}")
    return o


class Stream:
    """A whole stream, checked: each line, their order, that intervals have no gaps."""

    def __init__(self, content, whole=True):
        check(content.endswith("\n"), f"the last line is cut: {content[-60:]!r}")
        self.lines = [check_line(x) for x in content.split("\n")[:-1]]
        kinds = [x["type"] for x in self.lines]
        check(kinds[0] == "begin" and kinds.count("begin") == 1, f"begins with {kinds[0]}")
        ends = [k for k in kinds if k in ("result", "refused")]
        check(len(ends) == whole and (not whole or kinds[-1] == ends[0]), f"ends: {ends}, {kinds[-1]}")
        self.result = self.lines[-1].get("result") if whole else None
        self.jobs = {j["row"]: j for j in self.lines[0]["jobs"]}
        self.check_rows()

    def check_rows(self):
        at = {}
        for o in self.of("interval"):
            job = self.jobs[o["row"]]
            check((o["job"], o["group"]) == (job["job"], job["group"]), f"row {o['row']} is another job")
            check(o["direction"] in job["directions"], f"{job['job']} has no {o['direction']}")
            key = (o["row"], o["direction"])
            check(key not in at or abs(at[key] - o["t_s"]) < 2e-6, f"{key}: a gap before {o['t_s']}")
            at[key] = o["t_s"] + o["seconds"]
        times = [o["t_s"] for o in self.lines if "t_s" in o and o["type"] != "interval"]
        check(times == sorted(times), "times go back")

    def of(self, kind):
        return [o for o in self.lines if o["type"] == kind]

    def rows(self, row=1, direction="read"):
        return [o for o in self.of("interval") if (o["row"], o["direction"]) == (row, direction)]

    def check_sums(self, doc=None):
        """Of all intervals with the result, or with a json+ document of the same run."""
        for number_, job in enumerate((doc or self.result)["jobs"], 1):
            for direction in DIRECTIONS:
                mine, want = self.rows(number_, direction), job[direction]
                total = job["weir"].get(direction, {"ios": 0, "bytes": 0, "errors": 0})
                for key in ("ios", "bytes", "errors"):
                    got = sum(o[key] for o in mine)
                    check(got == total[key], f"{job['jobname']} {direction} {key}: {got}, not {total[key]}")
                self.check_latency(job["jobname"], mine, want["lat_ns"])

    @staticmethod
    def check_latency(name, mine, want):
        sums = collections.Counter()
        for o in mine:
            sums.update(dict(o.get("lat_ns", [])))
        check(sum(sums.values()) == want["N"], f"{name}: {sum(sums.values())} latencies, not {want['N']}")
        if "bins" in want:
            check(dict(sums) == {int(k): v for k, v in want["bins"].items()}, f"{name}: other bins")


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def run(s, *args, status=0, name="s.ndjson", more=()):
    """A run with its stream in a file, and the report as json+."""
    p = weir(s, f"--stream={name}", "--output-format=json+", *args, *more, status=status)
    return Stream(read(s.path(name))), json.loads(p.stdout), p.stderr


def children_gone(pids):
    wait_for("all processes to end", lambda: not any(alive(x) for x in pids))


# ---- what is in it ----

def test_sums_are_the_result(s):
    """Queue and single calls, threads, a ramp, groups, many workers in one row."""
    for more in (["--iodepth=1"], ["--iodepth=16", "--numjobs=3", "--group_reporting=1"],
                 ["--thread=1", "--numjobs=2", "--ramp_time=150ms"], ["--iodepth=8", "--bs=64k"]):
        stream, doc, _ = run(s, *NULL, "--name=a", "--rw=randrw", "--rate_iops=20000", "--runtime=500ms",
                             "--time_based", "--lat_percentiles=1", *more, QUICK)
        check(len(stream.rows()) >= 5, f"{len(stream.rows())} lines for 500 ms")
        stream.check_sums()
        stream.check_sums(doc)
        check(sum(o["ios"] for o in stream.rows()) > 0, "nothing was done")
        for d in ("read", "write"):
            got = sum(n for row in stream.jobs for o in stream.rows(row, d) for _, n in o["response_ns"])
            want = sum(job["weir"][d]["response_samples"] for job in doc["jobs"])
            check(got == want > 0, f"{d}: {got} response times, not {want}")


def test_fast_job_of_all_kinds(s):
    stream, doc, _ = run(s, "--ioengine=null", "--size=1g", "--lat_percentiles=1", "--name=a",
                         "--rw=randread", "--runtime=500ms", "--time_based", "--name=b", "--rw=write",
                         "--name=c", "--rw=read", "--stonewall", "--iodepth=64", "--size=64m", QUICK)
    stream.check_sums(doc)
    check(len(stream.jobs) == 3 and stream.rows(3), "a job is missing")
    check(stream.rows(3)[0]["t_s"] >= stream.rows(1)[-1]["t_s"], "a job's lines begin before it does")
    phases = [o["phase"] for o in stream.of("phase")]
    check(phases == ["start", "running", "done"], phases)


def test_times_are_the_window(s):
    stream, doc, _ = run(s, *STEADY, "--name=a", "--rw=read", "--runtime=700ms", "--startdelay=200ms",
                         "--ramp_time=200ms", "--stream-interval=200ms")
    rows = stream.rows()
    covered = sum(o["seconds"] for o in rows)
    check(abs(covered - doc["jobs"][0]["read"]["runtime"] / 1e3) < 0.0011, f"{covered} s are covered")
    check(rows[0]["t_s"] > 0.4, "lines before the window opened")
    check(all(o["seconds"] < 10 for o in rows), "an interval is odd")


def test_ramps(s):
    """A ramp has no lines; a job that ends in its ramp has its figures in one."""
    stream, doc, _ = run(s, *STEADY, "--name=a", "--rw=randrw", "--ramp_time=400ms", "--runtime=300ms", QUICK)
    stream.check_sums(doc)
    check(min(o["t_s"] for o in stream.of("interval")) > 0.4, "the ramp has lines")
    stream, doc, _ = run(s, *NULL, "--name=a", "--rw=randrw", "--ramp_time=5", "--number_ios=3000",
                         "--rate_iops=20000", "--lat_percentiles=1", QUICK)
    stream.check_sums(doc)
    check(len(stream.rows()) == 1 and stream.rows()[0]["ios"] > 0, stream.rows())


def test_a_second_without_io_is_a_zero(s):
    """A pause in the middle: 200 ms of I/O, 600 ms of none."""
    stream, doc, _ = run(s, *NULL, "--name=a", "--rw=read", "--number_ios=3", "--thinktime=600ms",
                         "--thinktime_blocks=1", "--lat_percentiles=1", QUICK)
    rows = stream.rows()
    zeros = [o for o in rows if o["ios"] == 0 and o["lat_ns"] == [] and o["seconds"] > 0]
    check(len(zeros) >= 6, f"{len(zeros)} zeros: {[o['ios'] for o in rows]}")
    check(any(o["ios"] for o in rows), "nothing at all")
    stream.check_sums(doc)


def test_a_stall_is_seen_while_it_lasts(s):
    """I/Os before a stall, in a set that the worker can't hand over, are in their line."""
    p = s.start(*STEADY, "--name=a", "--rw=read", "--runtime=1500ms", "--stream=-", QUICK)
    pids = workers(p)
    time.sleep(0.4)
    os.kill(pids[-1], SIGSTOP)
    time.sleep(0.5)
    os.kill(pids[-1], SIGCONT)
    out, _ = p.communicate(timeout=30)
    stream = Stream(out)
    stream.check_sums()
    moved = [o["ios"] for o in stream.rows()]
    latencies = [sum(n for _, n in o["lat_ns"]) for o in stream.rows()]
    check(0 in moved[2:-2], f"no zero: {moved}")
    check(all(abs(a - b) <= 2 for a, b in zip(moved, latencies)), f"{moved} and {latencies}")


def test_errors(s):
    stream, doc, _ = run(s, "--name=a", "--ioengine=fault(null)", "--fault_script=every:10:EIO", "--size=100g",
                         "--rw=read", "--number_ios=100", "--continue_on_error=all", status=None)
    errors = sum(o["errors"] for o in stream.rows())
    check(errors == doc["jobs"][0]["total_err"] > 0, f"{errors} errors, {doc['jobs'][0]['total_err']} reported")
    stream, doc, _ = run(s, "--name=a", "--ioengine=fault(null)", "--fault_script=nth:10:EIO", "--size=100g",
                         "--rw=read", "--number_ios=100", status=1)
    messages = stream.of("message")
    check(messages and messages[0]["weight"] == "error" and "a: io_u error" in messages[0]["text"], messages)
    stream.check_sums(doc)


def test_verification(s):
    """Writes, then reads of the verification, are in the lines; a fault is one when it is found, as the
    result has it."""
    stream, doc, _ = run(s, "--name=a", "--rw=write", "--size=1m", "--verify=crc32c")
    check(stream.jobs[1]["directions"] == ["read", "write"], stream.jobs)
    check(sum(o["ios"] for o in stream.rows()) == 256, "reads of the verification are missing")
    stream.check_sums(doc)
    for more in ([], ["--verify_async=1"], ["--verify_backlog=64"], ["--numjobs=2", "--group_reporting"]):
        stream, doc, _ = run(s, "--name=b", "--ioengine=fault(psync)", "--fault_script=write@every:100:flip",
                             "--rw=write", "--size=1m", "--verify=crc32c", "--continue_on_error=verify", *more,
                             status=None)
        faults = stream.of("fault")
        workers = 2 if "--numjobs=2" in more else 1
        check(len(faults) == 2 * workers and {o["row"] for o in faults} == {1}, f"{more}: {len(faults)} faults")
        want = doc["jobs"][0]["weir"]["verify"]["faults"]
        places = [sorted((f["file"], f["offset"], f["guess"]) for f in x)
                  for x in ([o["fault"] for o in faults], want)]
        check(places[0] == places[1], f"{more}: {places}")
        check(any(n["id"] == "wrong-data" for n in stream.result["weir"]["notes"]), "no note about them")
        stream.check_sums(doc)


def test_layout(s):
    stream, _, _ = run(s, "--name=a", "--rw=read", "--size=8m", QUICK)
    check("layout" in [o["phase"] for o in stream.of("phase")], "the layout is no phase")
    stream.check_sums()


def test_refused(s):
    """What is refused after the stream began is its last line."""
    need_root()
    where = s.mount(s.loop())
    dev = [x.split()[0] for x in read("/proc/mounts").splitlines() if x.split()[1] == where][0]
    weir(s, "--name=a", f"--filename={dev}", "--rw=write", "--size=1m", "--stream=r", status=1)
    stream = Stream(read(s.path("r")))
    check("mounted" in stream.lines[-1]["text"], stream.lines[-1])


def test_hidden_jobs(s):
    stream, _, _ = run(s, *STEADY, "--name=a", "--rw=read", "--runtime=300ms", "--name=b", "--stats=0",
                       "--runtime=300ms", QUICK)
    check([j["job"] for j in stream.lines[0]["jobs"]] == ["a"], "stats=0 is listed")
    check({o["job"] for o in stream.of("interval")} == {"a"}, "stats=0 has lines")


def test_no_latency(s):
    stream, _, _ = run(s, *NULL, "--name=a", "--rw=read", "--number_ios=100", "--disable_lat=1", QUICK)
    check(all("lat_ns" not in o for o in stream.of("interval")), "latencies that are not measured")


def test_names_are_any_text(s):
    stream, _, _ = run(s, *NULL, '--name=a "b" \\ \t\x7f ü \udc80', "--number_ios=10")
    check("�" in stream.lines[0]["jobs"][0]["job"], stream.lines[0]["jobs"])


def test_interim(s):
    p = weir(s, *STEADY, "--name=a", "--rw=read", "--runtime=700ms", "--stream=-", "--status-interval=200ms")
    stream = Stream(p.stdout)
    check(len(stream.of("interim")) >= 2, "no interim results")
    stream.check_sums()


def test_stdout_is_the_stream(s):
    p = weir(s, *STEADY, "--name=a", "--rw=read", "--runtime=300ms", "--stream=-", QUICK)
    Stream(p.stdout).check_sums()
    p = weir(s, *STEADY, "--name=a", "--rw=read", "--runtime=300ms", "--stream=-", "--output=o",
             "--output-format=json")
    Stream(p.stdout)
    check(json.loads(read(s.path("o")))["jobs"], "no report")
    for fmt in ("--output-format=json", "--minimal", "--append-terse"):
        p = weir(s, *STEADY, "--name=a", "--stream=-", fmt, status=1)
        check(not p.stdout and "--output=FILE" in p.stderr, p.stderr)


# ---- every end ----

def test_sigint(s):
    """As the terminal sends it: to all processes."""
    p = s.start(*STEADY, "--name=a", "--rw=read", "--runtime=60", "--stream=-", QUICK, start_new_session=True)
    pids = wait_for("workers", lambda: len(children(p.pid)) >= 2 and children(p.pid))
    time.sleep(0.4)
    os.killpg(p.pid, SIGINT)
    out, _ = p.communicate(timeout=30)
    check(p.returncode == 128, f"exit status {p.returncode}")
    stream = Stream(out)
    stream.check_sums()
    check(stream.result["weir"]["stop_signal"] == 2, "the result is not marked")
    check(any("signal" in o["text"] for o in stream.of("message")), "no message about the signal")
    children_gone(pids)


def test_killed_worker(s):
    p = s.start(*STEADY, "--name=a", "--rw=read", "--runtime=1", "--name=b", "--rw=read", "--stream=s",
                "--output-format=json+", QUICK)
    busy = workers(p, 2)
    time.sleep(0.5)
    os.kill(busy[-1], SIGKILL)
    out, _ = p.communicate(timeout=30)
    check(p.returncode == 1, f"exit status {p.returncode}")
    stream = Stream(read(s.path("s")))
    stream.check_sums(json.loads(out))
    check(any("killed by signal 9" in o["text"] for o in stream.of("message")), "no message")


def test_killed_weir(s):
    """The lines until then are there, whole, and nobody stays."""
    p = s.start(*STEADY, "--name=a", "--rw=read", "--runtime=60", "--stream=s", "--metrics-file=m", QUICK)
    pids = wait_for("workers", lambda: len(children(p.pid)) >= 3 and children(p.pid))
    time.sleep(0.5)
    p.kill()
    children_gone(pids)
    check(len(Stream(read(s.path("s")), whole=False).rows()) >= 2, "lines are missing")
    check(metrics(read(s.path("m")))["weir_ended"][()] == 0, "killed, and says it ended")
    check(not glob.glob(s.path("m.*")), "temporary files are left")


def test_killed_writer(s):
    p = s.start(*STEADY, "--name=a", "--rw=read", "--runtime=1", "--stream=s", "--output-format=json", QUICK)
    time.sleep(0.3)
    writer = wait_for("the writer", lambda: children(p.pid))[0]
    os.kill(writer, SIGKILL)
    out, err = p.communicate(timeout=30)
    check(p.returncode == 1 and "its writer was killed" in err, f"{p.returncode}: {err}")
    check(json.loads(out)["jobs"][0]["read"]["total_ios"] > 1500, "the run was disturbed")


def test_full_disk(s):
    where = s.tmpfs("16k")
    p = weir(s, *STEADY, "--name=a", "--rw=randrw", "--runtime=1", f"--stream={where}/s",
             "--stream-interval=20ms", "--output-format=json", status=1)
    check(p.stderr.count("--stream") == 1 and "No space left" in p.stderr, p.stderr)
    check(json.loads(p.stdout)["jobs"][0]["read"]["total_ios"] > 1500, "the run was disturbed")
    check(len(Stream(read(f"{where}/s"), whole=False).lines) > 2, "what fits is not there")


def test_reader_goes_away(s):
    """The report then comes out on stderr, as there is no other."""
    p = s.start(*STEADY, "--name=a", "--rw=read", "--runtime=1", "--stream=-", QUICK)
    p.stdout.readline()
    p.stdout.close()
    p.stdout = None
    _, err = p.communicate(timeout=30)
    check(p.returncode == 1, f"exit status {p.returncode}")
    check("Broken pipe" in err and "latency" in err, err)


class Pipe:
    """A named pipe whose reader reads PAUSE seconds late."""

    def __init__(self, s, name, pause):
        self.content = ""
        os.mkfifo(s.path(name))
        self.thread = threading.Thread(target=self.go, args=(s.path(name), pause), daemon=True)
        self.thread.start()

    def go(self, path, pause):
        with open(path, encoding="utf-8") as f:
            time.sleep(pause)
            self.content = f.read()


def test_slow_reader(s):
    """It does not slow the run; intervals become longer, but none of it is lost."""
    pipe = Pipe(s, "p", 3)
    args = ["--ioengine=null", "--size=100g", "--name=a", "--rw=randrw", "--bs=4k", "--rate_iops=2000",
            "--lat_percentiles=1"]
    begin = time.monotonic()
    p = weir(s, *args, "--numjobs=24", "--group_reporting=0", "--runtime=2", "--time_based", "--stream=p",
             "--stream-interval=10ms", "--output-format=json+")
    pipe.thread.join(30)
    check(time.monotonic() - begin < 20, "it hung")
    doc, stream = json.loads(p.stdout), Stream(pipe.content)
    stream.check_sums(doc)
    longest = max(o["seconds"] for o in stream.of("interval"))
    check(longest > 0.3, f"no interval became longer ({longest} s): was the reader slow?")
    check(all(j["read"]["runtime"] < 2100 for j in doc["jobs"]), "the run was disturbed")


def test_pipe_that_nobody_reads(s):
    os.mkfifo(s.path("p"))
    p = s.start(*STEADY, "--name=a", "--rw=read", "--runtime=300ms", "--stream=p", "--output-format=json")
    time.sleep(1.5)
    p.send_signal(SIGINT)  # the run is over: it ends the waiting
    out, err = p.communicate(timeout=30)
    check(json.loads(out)["jobs"][0]["read"]["total_ios"] > 500, "no report")
    check("for too long" in err and p.returncode == 1, f"{p.returncode}: {err}")


# ---- what is nobody else's ----

def test_files_are_apart(s):
    s.file("data", 4096, 7)
    with open(s.path("j.fio"), "w", encoding="ascii") as f:
        f.write("[a]\nioengine=null\nsize=4k\n")
    for flag in ("--stream", "--metrics-file"):
        for args in (["j.fio", f"{flag}=j.fio"], ["--name=a", "--filename=data", "--rw=read", f"{flag}=data"],
                     [*STEADY, "--name=a", "--output=o", f"{flag}=o"],
                     [*STEADY, "--name=a", "--write_bw_log=x", f"{flag}=x_bw.1.log"]):
            s.file("o", 3, 9)
            p = weir(s, *args, status=1)
            check(flag in p.stderr and "another file" in p.stderr, p.stderr)
    check(os.path.getsize(s.path("data")) == 4096 and "[a]" in read(s.path("j.fio")), "a file was hurt")
    p = weir(s, *STEADY, "--name=a", "--stream=x", "--metrics-file=x", status=1)
    check("name another" in p.stderr, p.stderr)
    os.mkdir(s.path("d"))
    for bad in ("--stream=d", "--metrics-file=d", "--stream=no/x", "--metrics-file=no/x", "--metrics-file=/dev/null",
                "--stream=", "--metrics-file="):
        p = weir(s, *STEADY, "--name=a", bad, status=1)
        check(bad.split("=")[0] in p.stderr, p.stderr)


def test_nothing_is_touched_without_a_run(s):
    for flag in ("--plan", "--parse-only", "--showcmd"):
        weir(s, *STEADY, "--name=a", flag, "--stream=x", "--metrics-file=y")
        check(not os.path.exists(s.path("x")) and not os.path.exists(s.path("y")), f"{flag} made a file")


# ---- metrics ----

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\\\|\\"|\\n)*"'
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)?\}})? (\S+)")
SUFFIXES = {"counter": ["_total"], "gauge": [""], "histogram": ["_bucket", "_count", "_sum"]}
FLOAT = re.compile(r"(\d+(\.\d+)?(e[-+]\d+)?|\+Inf)")


def labels_of(t):
    found = re.findall(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\.)*)"', t or "")
    check(len(found) == len({k for k, _ in found}), f"a label stands twice: {t}")
    return tuple(found)


def metrics(content):
    """Strictly OpenMetrics: {family: {labels: value}}, of histograms {family_suffix: ...}."""
    check(content.endswith("# EOF\n") and content.count("# EOF") == 1, "no # EOF at the end")
    check("\n\n" not in content and "\r" not in content, "an empty line")
    seen, kinds, family, meta = {}, {}, None, None
    for line in content.split("\n")[:-2]:
        if line.startswith("#"):
            word, name, rest = re.fullmatch(rf"# (TYPE|UNIT|HELP) ({NAME}) (.*)", line).groups()
            if name != family:
                check(word == "TYPE" and name not in kinds, f"{name}: not one block that begins with its type")
                family, meta = name, set()
                kinds[name] = rest
                check(rest in SUFFIXES, f"{name}: type {rest}")
            check(meta is not None and word not in meta, f"{line}: after samples, or twice")
            meta.add(word)
            check(word != "UNIT" or name.endswith("_" + rest), f"{name}: unit {rest}")
            check(word != "HELP" or not re.search(r"\\[^\\n\"]", rest), f"{name}: help {rest}")
            continue
        sample = SAMPLE.fullmatch(line)
        check(sample, f"no sample: {line}")
        name, labels, value = sample[1], labels_of(sample[2]), sample[3]
        check(family and name in [family + x for x in SUFFIXES[kinds[family]]], f"{name} in {family}")
        check(FLOAT.fullmatch(value) and value != "+Inf", f"value of {line}")
        check(labels not in seen.setdefault(name, {}), f"twice: {line}")
        seen[name][labels] = float(value)
        meta = None
    for name in [n for n, k in kinds.items() if k == "histogram"]:
        check_histogram(seen, name)
    return seen


def check_histogram(seen, name):
    groups = {}
    for labels, value in seen.get(name + "_bucket", {}).items():
        key = tuple(x for x in labels if x[0] != "le")
        check(labels[-1][0] == "le", f"{name}: le is not last")
        check(FLOAT.fullmatch(labels[-1][1]), f"{name}: le is {labels[-1][1]}")
        groups.setdefault(key, []).append((float(labels[-1][1]), value))
    for key, buckets in groups.items():
        check(buckets == sorted(buckets) and buckets[-1][0] == float("inf"), f"{name}: buckets {buckets}")
        check([n for _, n in buckets] == sorted(n for _, n in buckets), f"{name}: not cumulative")
        check(buckets[-1][1] == seen[name + "_count"][key], f"{name}: count is not +Inf")
        check(key in seen[name + "_sum"], f"{name}: no sum")


def value(m, name, **want):
    found = [v for k, v in m[name].items() if set(want.items()) <= set(k)]
    check(len(found) == 1, f"{name} {want}: {len(found)} samples")
    return found[0]


def test_metrics_are_the_result(s):
    p = weir(s, *STEADY, "--name=a", "--rw=randrw", "--runtime=500ms", "--numjobs=2", "--name=b", "--rw=read",
             "--runtime=500ms", "--metrics-file=m.prom", "--stream=s", QUICK, "--output-format=json")
    m, doc = metrics(read(s.path("m.prom"))), json.loads(p.stdout)
    for number_, job in enumerate(doc["jobs"], 1):
        for d in ("read", "write") if job["jobname"] == "a" else ("read",):
            at = {"job": job["jobname"], "row": str(number_), "group": "0", "direction": d}
            check(value(m, "weir_bytes_total", **at) == job[d]["io_bytes"], f"bytes of {at}")
            lat = job[d]["lat_ns"]
            check(value(m, "weir_latency_seconds_count", **at) == lat["N"], f"latencies of {at}")
            got = value(m, "weir_latency_seconds_sum", **at)
            check(abs(got - lat["mean"] * lat["N"] / 1e9) < 1e-6, f"sum of {at}")
            check(value(m, "weir_response_seconds_count", **at) > 0, f"response of {at}")
    check(m["weir_ended"][()] == 1 and m["weir_complete"][()] == 1, "not ended")
    check(value(m, "weir_phase", phase="done") == 1 and sum(m["weir_phase"].values()) == 1, "phase")
    check(stat.S_IMODE(os.stat(s.path("m.prom")).st_mode) & 0o444 == 0o444, "others can't read it")
    check(not glob.glob(s.path("m.prom.*")), "temporary files are left")


def test_metrics_while_it_runs(s):
    """Whenever it is read it is whole; counters only grow."""
    p = s.start(*STEADY, '--name=x"y\\z', "--rw=read", "--runtime=1500ms", "--metrics-file=m", QUICK)
    wait_for("the file", lambda: os.path.exists(s.path("m")))
    before, looks = -1, 0
    while p.poll() is None:
        m = metrics(read(s.path("m")))
        looks += 1
        if "weir_ios_total" in m:
            now = value(m, "weir_ios_total", job='x\\"y\\\\z', direction="read")
            check(now >= before, f"{now} after {before}")
            before = now
        time.sleep(0.02)
    check(before > 0 and looks > 10, f"{before} I/Os in {looks} looks")
    check(metrics(read(s.path("m")))["weir_ended"][()] == 1, "not ended")


def test_metrics_of_a_stopped_run(s):
    p = s.start(*STEADY, "--name=a", "--runtime=60", "--metrics-file=m", QUICK)
    wait_for("workers", lambda: len(children(p.pid)) >= 2)
    time.sleep(0.3)
    p.send_signal(SIGINT)
    p.communicate(timeout=30)
    m = metrics(read(s.path("m")))
    check(m["weir_ended"][()] == 1 and m["weir_complete"][()] == 0, "a stopped run passes for a whole one")


def test_metrics_on_a_full_disk(s):
    where = s.tmpfs("8k")
    with open(f"{where}/fill", "wb") as f:
        f.write(b"x" * 4096)
    p = weir(s, *STEADY, "--name=a", "--rw=randrw", "--runtime=500ms", f"--metrics-file={where}/m", QUICK,
             "--output-format=json", status=1)
    check(p.stderr.count("--metrics-file") == 1 and "No space left" in p.stderr, p.stderr)
    check(json.loads(p.stdout)["jobs"][0]["read"]["total_ios"] > 300, "the run was disturbed")
    check(sorted(os.listdir(where)) in (["fill"], ["fill", "m"]), os.listdir(where))


def test_every_job_kind_has_unique_labels(s):
    p = subprocess.run([WEIR, *NULL, "--name=a", "--numjobs=3", "--number_ios=10", "--name=a",
                        "--metrics-file=m"], cwd=s.dir, capture_output=True, text=True, check=False, timeout=30)
    check(p.returncode == 0, p.stderr)
    check(len(metrics(read(s.path("m")))["weir_ios_total"]) == 4, "rows")


run_all(globals())
