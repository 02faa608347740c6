#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""check, expect, quick and knee on runs: verdicts, exit statuses, what is left behind."""
import contextlib
import fcntl
import json
import os
import pathlib
import signal
import struct
import subprocess
import time
import xml.etree.ElementTree as ET

from harness import WEIR, Skip, check, children, need_root, run_all, timely, wait_for, weir

NULL = ["--ioengine=null", "--size=1m", "--rw=read", "--name=a"]
DELAY = ["--ioengine=delay(null)", "--rw=randread", "--bs=4k", "--size=1g"]


def result(s, name, *args):
    p = weir(s, *args, "--output-format=json")
    with open(s.path(name), "w", encoding="utf-8") as f:
        f.write(p.stdout)
    return json.loads(p.stdout)


# ---- exit statuses ----

def test_expectations_decide_the_status(s):
    for expect, status in (("read.ios == 256", 0), ("read.ios == 255", 1), ("write.iops > 1", 3),
                           ("read.ios == 256, write.iops > 1", 3),
                           ("read.ios == 255, write.iops > 1", 1), ("read.ios is 1", 1)):
        for face in ([], ["--compat=fio"]):
            weir(s, *NULL, f"--expect={expect}", *face, status=status)


def test_failed_jobs_say_more_than_expectations(s):
    weir(s, "--name=a", "--numjobs=3", "--ioengine=fault(null)", "--fault_script=after:3:EIO",
         "--size=1m", "--rw=read", "--expect=read.ios == 3", status=3)


def test_checks_are_in_the_document(s):
    doc = result(s, "r.json", *NULL, "--expect=read.ios == 256", "--expect=errors == 0")
    checks = doc["weir"]["checks"]
    check([c["verdict"] for c in checks] == ["pass", "pass"], checks)
    check(checks[0]["measured"] == 256 and checks[0]["unit"] == "count", checks)


def test_check_statuses(s):
    result(s, "r.json", *NULL)
    for expect, status in (("read.ios == 256", 0), ("read.ios == 2", 1), ("read.iops > 1 @95%", 3),
                           ("nonsense", 4)):
        weir(s, "check", f"--expect={expect}", "r.json", status=status)
    weir(s, "check", "r.json", "nosuch.weir", status=4)
    weir(s, "check", status=4)
    with open("/dev/full", "w", encoding="ascii") as full:
        p = subprocess.run([WEIR, "check", "--expect=read.ios == 256", "r.json"], stdout=full,
                           stderr=subprocess.PIPE, text=True, check=False, cwd=s.dir)
    check(p.returncode == 4 and "No space" in p.stderr, f"{p.returncode} {p.stderr}")


def test_example_specs(s):
    """Each is read; four of its claims are about other jobs, one needs what this one isn't."""
    result(s, "r.json", *NULL)
    examples = pathlib.Path(__file__).resolve().parents[2] / "examples"
    specs = sorted(examples.glob("spec-*.weir"))
    check(specs, "there is no example")
    for spec in specs:
        doc = json.loads(weir(s, "check", "--format=json", "r.json", str(spec), status=3).stdout)
        check(len(doc["checks"]) == 5, f"{spec}: {doc}")
        check(all("there is no job with" in c["reason"] for c in doc["checks"][:4]), doc)
        check("is not met" in doc["checks"][4]["reason"], doc)


# ---- JUnit, by a strict parser ----

def test_junit_is_xml(s):
    name = "a<b>&\"c\"'\x01 ü"
    result(s, "r.json", *NULL[:-1], f"--name={name}")
    with open(s.path("spec.weir"), "w", encoding="utf-8") as f:
        f.write('[product]\nname = A & B <"1">\n'
                '[claim "C <&> ]]> ü"]\nsays = "1 < 2"\nwhere = rw=read\nneeds = filled\n'
                'expect = read.ios == 256, read.ios < 1, read.iops > 1 @95%\n')
    p = weir(s, "check", "--format=junit", "r.json", "spec.weir", status=1)
    suite = ET.fromstring(p.stdout)
    check(suite.tag == "testsuite" and suite.get("name") == 'A & B <"1">', suite.attrib)
    check((suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "1", "1"),
          suite.attrib)
    kinds = [[e.tag for e in case] for case in suite]
    check(kinds == [["system-out"], ["failure"], ["skipped"]], kinds)
    check(suite[0].get("name").startswith("C <&> ]]> ü: read.ios == 256"), suite[0].attrib)
    check("not known: filled" in suite[0][0].text, suite[0][0].text)


# ---- profiles and quick: what was there stays, what was made goes ----

def test_profile_in_a_directory(s):
    p = weir(s, "check", "--profile=database-log", ".", "--runtime=1", "--format=json", status=None)
    doc = json.loads(p.stdout)
    check(p.returncode == {"pass": 0, "fail": 1, "undecided": 3}[doc["verdict"]], p.returncode)
    measured = {c["path"]: c.get("measured") for c in doc["checks"]}
    check(measured["errors"] == 0 and measured["write.iops"] > 0, measured)
    check(os.listdir(s.dir) == [], os.listdir(s.dir))


def test_profile_needs_consent(s):
    path = s.file("mine", 1 << 20, 7)
    p = weir(s, "check", "--profile=etcd", path, "--runtime=1", status=4)
    check("--destroy" in p.stderr, p.stderr)
    with open(path, "rb") as f:
        check(f.read() == bytes([7]) * (1 << 20), "the file was written to")


def quick(s, target, *args, **kw):
    return json.loads(weir(s, "quick", target, "--runtime=300ms", "--json", *args, **kw).stdout)


def test_quick_makes_a_file_and_removes_it(s):
    for target in (".", "new"):
        doc = quick(s, target)
        check(doc["kind"] == "new file" and doc["written"], doc)
        check(doc["bytes"] >= 1 << 20, doc)  # also of a slow disk: the parts read 1 MiB at once
        parts = [k for k in doc if k.startswith(("random", "sequential"))]
        check(len(parts) == 5, doc)
        timely(all(doc[k]["ios_per_s"] > 0 for k in parts), doc)  # in 300 ms
        check(doc["limit"], doc)
        told = {n["id"] for n in doc["weir"]["notes"]}
        check(not told & {"saturated", "ended-early"}, told)  # they are meant to be so
        check(os.listdir(s.dir) == [], os.listdir(s.dir))


def test_quick_only_reads_what_is_there(s):
    path = s.file("mine", 8 << 20, 7)
    doc = quick(s, path)
    check(doc["kind"] == "file" and not doc["written"], doc)
    check("random_write_32" not in doc and doc["random_read_32"]["ios_per_s"] > 0, doc)
    with open(path, "rb") as f:
        check(f.read() == bytes([7]) * (8 << 20), "the file was written to")
    p = weir(s, "quick", path, "--destroy=other", status=1)
    check(f"--destroy={path}" in p.stderr, p.stderr)
    check(quick(s, path, f"--destroy={path}")["random_write_32"]["ios_per_s"] > 0, "not written")
    check(os.path.exists(path), "the file is gone")


def test_quick_beside_others(s):
    """Files with such names that have no mark are nobody's to remove, and no obstacle: in a container
    each run may have the same number."""
    p = subprocess.run(["sh", "-c", 'touch weir-trial.$$ weir-trial.4194304; exec "$@"', "sh", WEIR,
                        "quick", ".", "--runtime=100ms"], capture_output=True, text=True,
                       timeout=120, cwd=s.dir, check=False)
    check(p.returncode == 0, p.stderr)
    check(len(os.listdir(s.dir)) == 2, os.listdir(s.dir))


def test_quick_on_a_device(s):
    dev = s.loop(32 << 20)
    doc = quick(s, dev)
    check(doc["kind"] == "device" and doc["bytes"] == 32 << 20 and not doc["written"], doc)


def test_quick_in_memory(s):
    """tmpfs takes O_DIRECT, and there is nothing beside the page cache."""
    where = s.tmpfs("128m")
    text = weir(s, "quick", where, "--runtime=100ms").stdout
    check("through the page cache" in text.splitlines()[0], text)
    check("limit: the page cache answers" in text and "past the page cache" not in text, text)


def test_quick_refuses(s):
    need_root()
    s.file("empty")
    small = s.tmpfs("8m")
    for target in ("empty", "no/such/folder", small, "/dev/null"):
        p = weir(s, "quick", target, status=1)
        check(p.stderr.startswith("weir: ") and not p.stdout, f"{target}: {p.stderr}")


# ---- what they say beside their figures: as an ordinary run, with its path ----

def test_quick_tells_of_the_machine(s):
    path = s.file("mine", 8 << 20, 7)
    doc = quick(s, path)
    told = doc["weir"]
    check(told["environment"]["masked"] and told["environment"]["targets"][0]["path"] == path, told)
    for part in ("random_read_1", "random_read_32", "sequential_read"):
        watch = doc[part]["watch"]
        check(watch["jobs"][0]["name"] == part and watch["moved_read_bytes"] > 0, watch)
    # 300 ms of a file of 8 MiB: each part is too short, which is said once
    short = [n for n in told["notes"] if n["id"] == "short-run"]
    check(len(short) == 1 and short[0]["job"].endswith("and 2 more"), told["notes"])
    check("evidence" in short[0] and "saturated" not in {n["id"] for n in told["notes"]}, told["notes"])
    text = weir(s, "quick", path, "--runtime=300ms").stdout
    check("\nnotes\n" in text and text.index("  limit: ") < text.index("\nnotes\n"), text)
    text = weir(s, "quick", path, "--runtime=300ms", "--no-notes").stdout
    check("  limit: " in text and "notes" not in text, text)
    doc = quick(s, path, "--env=none", "--no-notes")
    check(doc["weir"] == {"notes": []} and "watch" not in doc["random_read_1"], doc["weir"])


def test_profile_tells_of_the_machine(s):
    args = ["check", "--profile=database-log", ".", "--runtime=500ms"]
    told = json.loads(weir(s, *args, "--format=json", status=None).stdout)["weir"]
    ran = json.loads(weir(s, "--name=a", "--ioengine=null", "--size=1m", "--output-format=json").stdout)
    check(told["environment"].keys() == ran["weir"]["environment"].keys(), told["environment"].keys())
    check(told["watch"].keys() >= {"samples", "devices", "jobs", "seconds"}, told["watch"].keys())
    check(told["watch"]["jobs"][0]["name"] == "log", told["watch"]["jobs"])
    check("short-run" in {n["id"] for n in told["notes"]}, told["notes"])
    text = weir(s, *args, status=None).stdout
    check(text.index("undecided") < text.index("\nnotes\n"), text)
    check("\n- doubtful" in weir(s, *args, "--format=markdown", status=None).stdout, "no note in Markdown")


def test_knee_tells_of_the_machine(s):
    args = ["knee", "--goal=read.lat.p50 < 1s", "--point=300ms", "--name=d", *DELAY,
            "--delay_script=const:10ms", "--iodepth=4"]
    doc = json.loads(weir(s, *args, "--json", "--keep=kept", timeout=120).stdout)
    check(doc["weir"]["environment"]["cpu"]["online"] > 0, doc["weir"])
    check(all(p["watch"]["jobs"][0]["name"] == "d" for p in doc["points"]), doc["points"])
    short = [n for n in doc["weir"]["notes"] if n["id"] == "short-run"]
    more = len(doc["points"]) - 1
    check(len(short) == 1 and short[0]["job"] == f"d, full speed and {more} more", short)
    check(not {"saturated", "rate-not-reached"} & {n["id"] for n in doc["weir"]["notes"]}, doc["weir"])
    with open(s.path("kept/point-00.json"), encoding="utf-8") as f:
        kept = json.load(f)["weir"]
    check(kept["environment"] == doc["weir"]["environment"] and "watch" in kept, kept.keys())
    text = weir(s, *args, "--env=none", timeout=120).stdout
    check("\nnotes\n" in text, text)


# ---- --strict ----

def held_again_and_again(s, *args):
    """Status, output: workers are stopped for half of their time, which is the note `suspended`, invalid."""
    p = s.start(*args)
    while p.poll() is None:
        workers = children(p.pid)
        for sig in (signal.SIGSTOP, signal.SIGCONT):
            for w in workers:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(w, sig)
            time.sleep(0.1)
    out, err = p.communicate(timeout=100)
    return p.returncode, out + err


def test_strict(s):
    path = s.file("f", 8 << 20, 7)
    knee = ["knee", "--goal=read.lat.p50 < 9s", "--point=1s", "--max-time=1s", "--name=d", *DELAY,
            "--delay_script=const:10ms"]
    for args, calm, status in ((["quick", path, "--runtime=1s"], 0, 0),
                               (["quick", path, "--runtime=1s", "--strict"], 0, 125),
                               (["quick", path, "--runtime=1s", "--strict", "--no-notes"], 0, 125),
                               (knee, 3, 3), ([*knee, "--strict"], 3, 125),
                               ([*knee, "--strict", "--no-notes"], 3, 125),
                               (["check", "--profile=vm-disk", path, f"--destroy={path}", "--runtime=1s", "--strict"],
                                None, 125)):
        if calm is not None:
            weir(s, *args, status=calm)
        got, text = held_again_and_again(s, *args)
        check(got == status, f"{args}: status {got}, not {status}\n{text}")
        check(("invalid" in text) == ("--no-notes" not in args), f"{args}:\n{text}")
    p = weir(s, "check", "--strict", "--expect=iops > 1", "r.json", status=4)
    check("is about a profile's run" in p.stderr, p.stderr)


# ---- what a dead one left ----

def killed(s, *args):
    """kill -9 while its file is there; the name, and the size that it had by then."""
    p = s.start(*args)
    name = wait_for("a trial file", lambda: [n for n in os.listdir(s.dir) if n != "weir-trial.1"
                                             and os.path.getsize(s.path(n)) and children(p.pid)], 20)[0]
    p.kill()
    p.communicate(timeout=30)
    wait_for("its workers to die", lambda: not held(s.path(name)), 10)
    check(os.path.exists(s.path(name)), "it removed its file though it was killed")
    return name


def held(path):
    """Does anybody lock it still?  A worker that the kernel holds in a call dies a little later."""
    with open(path, "r+b") as f:
        lock = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
        answer = fcntl.fcntl(f, 36, lock)  # F_OFD_GETLK
        return struct.unpack("hhqqi4x", answer)[0] != fcntl.F_UNLCK


def test_a_dead_quick_is_cleaned_up(s):
    try:
        os.setxattr(s.file("probe"), "user.weir.probe", b"1")
    except OSError as e:
        raise Skip("no marks on this file system") from e
    os.unlink(s.path("probe"))
    mine = s.file("weir-trial.1", 4096, 7)  # has the name, but no mark
    left = killed(s, "quick", ".", "--runtime=20s")
    p = weir(s, "check", "--profile=etcd", ".", "--runtime=1", status=None)
    check(f"removed ./{left} (" in p.stderr and "was killed left it" in p.stderr, p.stderr)
    check(os.listdir(s.dir) == ["weir-trial.1"] and mine not in p.stderr, os.listdir(s.dir))
    killed(s, "check", "--profile=vm-disk", "new", "--runtime=20s")
    p = weir(s, "quick", "new", "--runtime=200ms", "--json")  # whose data are in it by now?
    check("new: a run of weir that was killed left it" in p.stderr, p.stderr)
    check(json.loads(p.stdout)["kind"] == "file", p.stdout)
    check(sorted(os.listdir(s.dir)) == ["new", "weir-trial.1"], os.listdir(s.dir))


def test_a_living_one_keeps_its_file(s):
    p = s.start("quick", ".", "--runtime=20s")
    name = wait_for("a trial file", lambda: os.listdir(s.dir), 20)[0]
    wait_for("workers", lambda: children(p.pid), 20)
    q = weir(s, "quick", ".", "--runtime=100ms")
    check("removed /" not in q.stderr and "removed ./" not in q.stderr, q.stderr)
    check(os.listdir(s.dir) == [name] and p.poll() is None, os.listdir(s.dir))
    q = weir(s, "quick", name, "--runtime=100ms", "--json")  # by its name: it's somebody's file
    check(json.loads(q.stdout)["kind"] == "file" and os.path.exists(s.path(name)), q)
    p.send_signal(signal.SIGINT)
    p.communicate(timeout=30)
    check(os.listdir(s.dir) == [], os.listdir(s.dir))


def interrupted(s, *args):
    p = s.start(*args)
    wait_for("workers", lambda: children(p.pid), 20)
    time.sleep(0.5)
    p.send_signal(signal.SIGINT)
    out, err = p.communicate(timeout=30)
    return p.returncode, out, err


def test_interrupted(s):
    status, _, _ = interrupted(s, "quick", "new", "--runtime=20s")
    check(status == 128 and os.listdir(s.dir) == [], f"{status} {os.listdir(s.dir)}")
    status, out, _ = interrupted(s, "knee", "--goal=read.lat.p50 < 1s", "--point=10s", "--name=d",
                                 *DELAY, "--delay_script=const:10ms")
    check(status == 128, f"knee: {status} {out}")


# ---- the knee of a disk whose capacity is known ----

def test_knee_is_found(s):
    """Four at a time in 10 ms each: 400 a second.  With random arrivals and four servers
    half of the requests wait for hardly more than the service up to near there; a goal
    of 13 ms for the median (service + 3 ms of waiting) lies between 0.75 and 1 of it."""
    p = weir(s, "knee", "--goal=read.lat.p50 < 13ms", "--point=1s", "--within=10%", "--json",
             "--keep=kept", "--name=d", *DELAY, "--delay_script=const:10ms", "--iodepth=4", timeout=120,
             status=None)
    doc = json.loads(p.stdout)
    check(doc["saturation_per_s"] <= 410 and doc["little_per_s"] <= 401, doc)
    if doc["saturation_per_s"] < 350:
        raise Skip(f"the machine is busy: a disk of 400 a second gave {doc['saturation_per_s']:.0f}")
    timely(p.returncode == 0, f"exit status {p.returncode}: {doc}")
    timely(200 <= doc.get("rate_per_s", 0) <= 440, doc)
    check(doc["missed_per_s"] <= doc["rate_per_s"] * 1.1 + 1, doc)
    for point in doc["points"]:
        with open(s.path(point["result"]), encoding="utf-8") as f:
            check(json.load(f)["jobs"][0]["jobname"] == "d", point)
    low = min((p for p in doc["points"] if "offered_per_s" in p), key=lambda p: p["offered_per_s"])
    timely(0.5 < low["in_flight"] / (low["achieved_per_s"] * 0.010) < 2, low)


def test_knee_that_is_not_there(s):
    p = weir(s, "knee", "--goal=read.lat.p50 < 1ms", "--point=500ms", "--json", "--name=d", *DELAY,
             "--delay_script=const:10ms", "--iodepth=4", status=None, timeout=120)
    doc = json.loads(p.stdout)
    check("rate_per_s" not in doc and p.returncode in (1, 3), f"{p.returncode} {p.stdout}")


def test_knee_refuses(s):
    for args, says in ((["--name=d", *DELAY], "a goal and a job are needed"),
                       (["--goal=read.iosp > 1", "--name=d", *DELAY], "read.iops"),
                       (["--goal=read.lat.p99 < 1ms", "--name=d", *DELAY, "--rate_iops=5"],
                        "knee sets the rate"),
                       (["--goal=read.lat.p99 < 1ms", "--name=d", *DELAY, "--name=e", *DELAY,
                         "--stonewall"], "stonewall"),
                       (["--goal=write.lat.p99 < 1ms", "--name=d", *DELAY], "no job of it writes"),
                       (["--goal=e.read.lat.p99 < 1ms", "--name=d", *DELAY], "no job is called 'e'"),
                       (["--goal=read.lat.p99 < 1ms", "--name=d", "--rw=sideways"], "sideways")):
        p = weir(s, "knee", *args, status=4)
        check(says in p.stderr, p.stderr)


if __name__ == "__main__":
    run_all(globals())
