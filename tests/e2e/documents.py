#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Every JSON document is one that a strict parser reads, and terse lines have their number
of fields: whatever ends the run, whatever the words in it, in both faces.

Strict: UTF-8 without exception, no NaN or Infinity, no control character in a string, no
key twice in an object, nothing before or behind.
"""
import json
import os
import re
import shlex
import signal
import subprocess
import time

from harness import WEIR, check, run_all, timely, workers

FACES = ([], ["--compat=fio"])
FORMATS = ("json", "json+")
NULL = "--name=a --ioengine=null --size=1g --rate_iops=1000 --rw=randrw "


def unique(pairs):
    keys = [k for k, _ in pairs]
    twice = {k for k in keys if keys.count(k) > 1}
    check(not twice, f"keys that are there twice: {twice}")
    return dict(pairs)


def refuse(word):
    raise AssertionError(f"{word} is not JSON")


def documents(raw):
    """All documents in RAW, which holds nothing else."""
    text, found, at = raw.decode("utf-8"), [], 0
    decoder = json.JSONDecoder(object_pairs_hook=unique, parse_constant=refuse)
    while at < len(text):
        doc, at = decoder.raw_decode(text, at)
        found.append(doc)
        check(text[at:at + 1] == "\n", f"behind a document: {text[at:at + 40]!r}")
        at += 1
    return found


def one(raw):
    found = documents(raw)
    check(len(found) == 1, f"{len(found)} documents: {raw[:300]!r}")
    check(found[0]["jobs"], "no jobs")
    return found[0]


def start(s, words):
    p = subprocess.Popen([WEIR, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=s.dir)
    s.undo.append(lambda: (p.poll() is None and p.kill(), p.communicate()))
    return p


def run(s, args, status, more=()):
    """(stdout, stderr) as bytes."""
    words = shlex.split(args) if isinstance(args, str) else args
    p = subprocess.run([WEIR, *words, *more], capture_output=True, cwd=s.dir, timeout=120, check=False)
    check(p.returncode == status, f"{args}: status {p.returncode}, not {status}: {p.stderr[-800:]}")
    return p.stdout, p.stderr


def each(s, args, status, look=lambda doc: None):
    """In both faces and both formats."""
    for face in FACES:
        for form in FORMATS:
            look(one(run(s, args, status, [*face, "--output-format=" + form])[0]))


def error_of(number):
    def look(doc):
        got = doc["jobs"][0]["error"]
        check(got == number, f"error {got}, not {number}")
    return look


def test_clean(s):
    each(s, NULL + "--runtime=200ms --time_based --write_iops_log=x --numjobs=2", 0)


def test_enospc(s):
    where = s.tmpfs("1m")
    each(s, f"--name=a --filename={where}/f --rw=write --bs=64k --size=4m --fallocate=none "
            "--overwrite=0", 1, error_of(28))


def test_enospc_of_a_log(s):
    where = s.tmpfs("64k")
    each(s, f"--name=a --ioengine=null --rw=read --size=100m --write_lat_log={where}/x", 1,
         error_of(0))


def test_eio(s):
    for rw in ("read", "write", "randrw"):
        each(s, f"--name=a --ioengine=fault(psync) --fault_script=after:3:EIO --rw={rw} --size=64k",
             1, error_of(5))


def test_eio_of_some(s):
    each(s, "--ioengine=null --size=1m --rw=randread --name=good --name=bad "
            "'--ioengine=fault(null)' --fault_script=after:9:EIO --name=last --stonewall", 1,
         lambda doc: check([j["error"] for j in doc["jobs"]] == [0, 5, 0], str(doc)))


WRONG = ("--name=v --rw=randrw --size=1m --bs=4k --verify=crc32c --nrfiles=2 --per_target=1 "
         "'--ioengine=fault(psync)' --fault_script=write@every:50:flip ")


def fields(line):
    """Are they as many as a line has?  Nine more of each disk: a file in memory has none."""
    more = line.count(b";") - 120
    return more >= 0 and more % 9 == 0


def test_wrong_data(s):
    """A verification that fails: at its first fault, and with all of them told."""
    for more in ("", "--continue_on_error=verify --verify_dump=1", "--numjobs=2 --group_reporting --thread"):
        each(s, WRONG + more, 2 if "numjobs" in more else 1, error_of(84))
        out, _ = run(s, WRONG + more, 2 if "numjobs" in more else 1, ["--stream=-"])
        lines = [documents(line + b"\n")[0] for line in out.splitlines()]
        check(lines[-1]["type"] == "result" and any(x["type"] == "fault" for x in lines), out[-300:])
    out, _ = run(s, WRONG, 1, ["--output-format=terse", "--compat=fio"])
    lines = [line for line in out.splitlines() if b";" in line]
    check(len(lines) == 1 and fields(lines[0]), out)


def test_wrong_data_is_imported(s):
    """`weir show` of such a document says the same again."""
    out, _ = run(s, WRONG + "--continue_on_error=verify", 1, ["--output-format=json"])
    with open(s.path("doc"), "wb") as f:
        f.write(out)
    again = one(run(s, "show doc", 0, ["--output-format=json"])[0])
    want, got = (d["jobs"][0]["weir"] for d in (one(out), again))
    check(want["verify"]["wrong"] > 1 and want["verify"]["faults"], want["verify"])
    for key in want:
        check(got.get(key) == want[key], f"{key}: {got.get(key)}, not {want[key]}")
    check(again["weir"]["notes"] == one(out)["weir"]["notes"], "other notes")


READ_BACK = ("--name=v --ioengine=delay(psync) --delay_script=const:1ms --rw=write --size=4m --bs=4k "
             "--verify=crc32c")


def test_verification_that_is_cut(s):
    """By a full disk, a signal, a death, while it reads back what it wrote."""
    where = s.tmpfs("300k")
    each(s, f"--name=v --filename={where}/f --rw=write --bs=4k --size=1m --fallocate=none --verify=crc32c",
         1, error_of(28))
    for kill, status in ((lambda p: p.send_signal(signal.SIGINT), 128),
                         (lambda p: os.kill(workers(p)[-1], signal.SIGKILL), 1)):
        p = start(s, READ_BACK.split() + ["--output-format=json"])
        time.sleep(1.6)
        kill(p)
        out, err = p.communicate(timeout=30)
        timely(p.returncode, "it had ended before the signal")
        check(p.returncode == status, f"status {p.returncode}, not {status}: {err}")
        doc = one(out)
        timely(doc["jobs"][0]["weir"]["verify"]["units"] < 1024, "the signal came too late")
        notes = {n["id"] for n in doc["weir"]["notes"]}
        check(notes & {"not-verified", "killed"} and "verified" not in notes, f"notes: {notes}")


def test_a_replay(s):
    with open(s.path("t"), "w", encoding="ascii") as f:
        f.write("fio version 2 iolog\nf0 add\nf1 add\nf0 open\nf1 open\n")
        for i in range(64):
            f.write(f"f{i % 2} {'write' if i % 3 else 'read'} {4096 * i} 4096\n")
        f.write("f0 close\nf1 close\n")
    for name in ("f0", "f1"):
        s.file(name, 1 << 20)
    args = "--name=r --read_iolog=t --per_target=1 --write_iolog=again --write_lat_log=x --destroy=f0 --destroy=f1"
    each(s, args, 0, lambda doc: check(doc["jobs"][0]["write"]["total_ios"] == 42, str(doc["jobs"][0]["write"])))
    out, _ = run(s, args, 0, ["--stream=-"])
    check([documents(line + b"\n")[0]["type"] for line in out.splitlines()][-1] == "result", out[-300:])
    out, _ = run(s, args, 0, ["--output-format=terse", "--compat=fio"])
    check(out.count(b"\n") == 1 and fields(out), out)


def test_never_started(s):
    each(s, "--name=a --rw=write --size=64k --filename=/dev/full --name=b --filename=/proc/version "
            "--rw=write --size=4k", None_or_fail(s), lambda doc: None)


def None_or_fail(s):
    """A target that can't be opened for writing is refused or fails, by the user's rights."""
    p = subprocess.run([WEIR, *shlex.split("--name=a --rw=write --size=64k --filename=/dev/full "
                        "--name=b --filename=/proc/version --rw=write --size=4k")],
                       capture_output=True, cwd=s.dir, timeout=60, check=False)
    check(p.returncode > 0, "status 0")
    return p.returncode


def stopped_by(s, sig, more=""):
    for face in FACES:
        for form in FORMATS:
            p = start(s, shlex.split(NULL + more) + ["--output-format=" + form, *face])
            workers(p)
            time.sleep(0.25)
            p.send_signal(sig)
            out, err = p.communicate(timeout=30)
            check(p.returncode == 128, f"status {p.returncode}: {err}")
            timely(one(out)["jobs"][0]["read"]["total_ios"] > 0, "no figures")


def test_sigint(s):
    stopped_by(s, signal.SIGINT)


def test_sigterm(s):
    stopped_by(s, signal.SIGTERM, "--numjobs=3 --group_reporting")


def test_sigkill_of_a_worker(s):
    for face in FACES:
        for more in ("--numjobs=2", "--numjobs=2 --group_reporting", "--thread"):
            p = start(s, shlex.split(NULL + "--runtime=1 --time_based " + more)
                      + ["--output-format=json+", *face])
            kids = workers(p)
            time.sleep(0.3)
            timely(p.poll() is None, "it had ended before the signal")
            os.kill(kids[0], signal.SIGKILL)
            out, err = p.communicate(timeout=30)
            timely(p.returncode, "its work was done before the signal")
            check(p.returncode in (1, 2), f"status {p.returncode}: {err}")
            one(out)


def test_refused(s):
    """Nothing on stdout; a reader that opens the --output file finds words, no torn document."""
    for args in ("--name=a --nosuch=1 --size=1m", "--name=a --rw=sideways --size=1m",
                 "--name=a --ioengine=nosuch --size=1m", "nosuch.fio", "--name=a --size=1m --bs=0"):
        for face in FACES:
            for form in FORMATS:
                out, err = run(s, args, 1, [*face, "--output-format=" + form])
                check(b"{" not in out and err, f"{args}: {out[:300]!r}")
                if not face:
                    check(not out, f"{args}: stdout has {out[:300]!r}")


def test_status_interval(s):
    for face in FACES:
        for form in FORMATS:
            out, err = run(s, NULL + "--runtime=1 --time_based --status-interval=100ms --numjobs=2",
                           0, [*face, "--output-format=" + form])
            docs = documents(out)
            check(not err, err)
            timely(5 <= len(docs) <= 11, f"{len(docs)} documents")
            ios = [sum(j["read"]["total_ios"] for j in d["jobs"]) for d in docs]
            check(ios == sorted(ios) and ios[-1] > ios[0], f"counts go back: {ios}")
            if not face:
                check(out.count(b"\n") == len(docs), "not one document a line")


ODD = (b"a\ttab", b'"quotes" and \\ \\n', b"\x01\x02\x1b[31mred\x7f", b"\xff\xfe invalid \xc3(",
       "µ – 漢字 𝄞".encode(), b"%s %n ;,", b"{}[]:/</script>", b"\xed\xa0\x80 half a pair",
       b"x" * 3000)


def test_odd_words(s):
    """As description, name, and file name; on the command line and in a job file."""
    for odd in ODD:
        for face in FACES:
            out, _ = run(s, [b"--name=a", b"--ioengine=null", b"--size=64k",
                             b"--description=" + odd], 0, [*face, "--output-format=json"])
            doc = one(out)
            if is_utf8(odd):
                check(doc["jobs"][0]["desc"] == odd.decode(), f"{odd!r}: {doc['jobs'][0]['desc']!r}")
            name = odd[:200].replace(b"/", b"_")
            out, _ = run(s, [b"--name=" + name, b"--ioengine=null", b"--size=64k"], 0,
                         [*face, "--output-format=json"])
            if is_utf8(odd):
                check(one(out)["jobs"][0]["jobname"] == name.decode(), f"{name!r}")
            one(out)
    with open(s.path("j.fio"), "wb") as f:
        f.write(b"[a b/c \xff]\nioengine=null\nsize=64k\ndescription=" + ODD[3] + b"\tx\n")
    each(s, "j.fio", 0)


def is_utf8(raw):
    try:
        raw.decode()
        return True
    except UnicodeDecodeError:
        return False


def test_odd_words_in_terse(s):
    """No semicolon or line end of the user's shifts a column."""
    for odd in (b"a;b;c", b"two\nlines", b"\r", *ODD):
        out, _ = run(s, [b"--name=n;" + odd[:100].replace(b"/", b"_"), b"--ioengine=null",
                         b"--size=64k", b"--description=" + odd], 0,
                     ["--output-format=terse", "--compat=fio"])
        check(out.count(b"\n") == 1 and out.count(b";") == 121, f"{odd!r}: {out.count(b';')}")


def test_600_jobs(s):
    args = "--ioengine=null --size=4k --bs=4k --name=j --numjobs=600 --thread"
    each(s, args, 0, lambda doc: check(len(doc["jobs"]) == 600, f"{len(doc['jobs'])} jobs"))
    out, _ = run(s, args, 0, ["--compat=fio", "--output-format=terse"])
    check(out.count(b"\n") == 600, "not a line for each job")


def test_an_option_twice(s):
    """fio writes the key twice; the last one counts, and alone is in the document."""
    each(s, "--name=a --ioengine=null --size=1m --bs=4k --bs=8k --size=2m", 0,
         lambda doc: check(doc["jobs"][0]["job options"]["bs"] == "8k", str(doc)))


def test_nothing_done(s):
    """No I/O at all: no division by nothing."""
    each(s, NULL + "--runtime=1ms --rate_iops=1", 0)
    out, _ = run(s, NULL + "--runtime=1ms", 0, ["--compat=fio", "--output-format=terse"])
    check(not re.search(rb"nan|inf", out), out)


def test_file_of_output(s):
    for form in FORMATS:
        out, _ = run(s, NULL + "--runtime=100ms --time_based --output=r", 0, ["--output-format=" + form])
        with open(s.path("r"), "rb") as f:
            one(f.read())
        check(not out, "stdout isn't empty")


if __name__ == "__main__":
    run_all(globals())
