#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Verification: never a false failure, and each planted damage found, at the right
place, with the right guess and a status that is not 0.

usage: verify.py [--full]

--full tries each checksum with each pattern on each engine (half an hour); without
it each checksum, each pattern and each engine are tried, in turns, not all together.
"""
import json
import os
import random
import re
import sys

from harness import SIGINT, check, engines_here, run_all, wait_for, weir

FULL = "--full" in sys.argv
sys.argv = [a for a in sys.argv if a != "--full"]
SEED = int(os.environ.get("SEED", random.randrange(1 << 30)))
DICE = random.Random(SEED)

CHECKSUMS = ["md5", "crc7", "crc16", "crc32", "crc32c", "crc32c-intel", "crc64", "xxhash", "sha1",
             "sha256", "sha512", "sha3-224", "sha3-256", "sha3-384", "sha3-512", "meta",
             "pattern", "pattern_hdr"]

PATTERNS = {
    "seq": "--rw=write",
    "rand": "--rw=randwrite",
    "zipf": "--rw=randwrite --random_distribution=zipf:1.2",
    "pareto": "--rw=randwrite --random_distribution=pareto:0.2",
    "normal": "--rw=randwrite --random_distribution=normal:20",
    "zoned": "--rw=randwrite --random_distribution=zoned:60/10:30/20:10/70",
    "percentage_random": "--rw=randwrite --percentage_random=40",
    "rand4": "--rw=randwrite:4",
    "stride": "--rw=write:4k",
    "bssplit": "--rw=randwrite --bssplit=4k/40:8k/30:20k/20:64k/10",
    "bsrange": "--rw=randwrite --bsrange=4k-32k",
    "odd": "--rw=randwrite --bs=1536 --blockalign=512",
    "unaligned": "--rw=randwrite --bs_unaligned --bsrange=1-6k",
    "unaligned-overlap": "--rw=randwrite --bs_unaligned --bsrange=100-9k --norandommap --loops=2",
    "unaligned-backlog": "--rw=randrw --bs_unaligned --bsrange=1-6k --norandommap --verify_backlog=40",
    "norandommap": "--rw=randwrite --norandommap",
    "loops": "--rw=randwrite --loops=3",
    "time": "--rw=randwrite --time_based --runtime=1 --rate_iops=2000",
    "number": "--rw=randwrite --number_ios=300",
    "files": "--rw=randwrite --nrfiles=5 --norandommap",
    "interval": "--rw=randwrite --bs=16k --verify_interval=512 --verify_offset=100",
    "large": "--rw=randwrite --bs=64k --norandommap",
    "readers": "--rw=randrw --norandommap",
    "overlap": "--rw=randwrite --norandommap --size=256k --io_size=4m",
    "shared": "--rw=randwrite --norandommap --size=512k --io_size=2m --numjobs=3",
    "shared-threads": "--rw=randrw --norandommap --size=512k --io_size=2m --numjobs=3 --thread",
    "disjoint": "--rw=randwrite --size=512k --numjobs=3 --offset_increment=512k",
    "backlog": "--rw=randwrite --norandommap --verify_backlog=50",
    "backlog-batch": "--rw=randwrite --verify_backlog=64 --verify_backlog_batch=16 --loops=2",
    "async": "--rw=randwrite --norandommap --verify_async=2",
    "serialize": "--rw=randwrite --norandommap --size=256k --io_size=2m --serialize_overlap=1",
    "few-files": "--rw=randwrite --nrfiles=8 --openfiles=2 --norandommap",
    "trimless-seed": "--rw=randwrite --norandommap --verify_header_seed=0",
}

ENGINES = {
    "psync": "--ioengine=psync",
    "libaio": "--ioengine=libaio --iodepth=32",
    "io_uring": "--ioengine=io_uring --iodepth=32",
    "mmap": "--ioengine=mmap",
}
ENGINES = {e: ENGINES[e] for e in engines_here(ENGINES)}


def verify_words(word):
    if word.startswith("pattern"):
        return [f"--verify={word}", '--verify_pattern="weir"%o0xdeadbeef']
    return [f"--verify={word}"]


PRESETS = ("--bs=4k", "--size=1m")


def job(s, *args, status=0, on=None):
    """Run a job on file f, on several files, or on the device ON; its report and its words."""
    place = [f"--filename={s.path('f')}"]
    if any(a.startswith("--nrfiles") for a in args):
        place = [f"--directory={s.dir}"]
    elif on:
        place = [f"--filename={on}", f"--destroy={on}"]
    r = weir(s, "run", "--name=a", *place, *[p for p in PRESETS if not any(a.startswith(p.split("=")[0]) for a in args)], "--output-format=json", *args,
             status=None)
    check(r.returncode == status, f"status {r.returncode}, not {status}: {' '.join(args)} (seed {SEED})\n"
          + r.stderr)
    return json.loads(r.stdout[r.stdout.index("{"):]), r.stderr


def clean(s):
    for name in os.listdir(s.dir):
        if os.path.isfile(s.path(name)):
            os.unlink(s.path(name))


def combinations():
    """All of them, or so many that each of each is there."""
    if FULL:
        return [(c, p, e) for c in CHECKSUMS for p in PATTERNS for e in ENGINES]
    engines = list(ENGINES)
    out = [(CHECKSUMS[i % len(CHECKSUMS)], p, engines[(i + k) % len(engines)])
           for i, p in enumerate(PATTERNS) for k in range(2)]
    return out + [(c, DICE.choice(list(PATTERNS)), DICE.choice(engines)) for c in CHECKSUMS]


def test_no_false_failure(s):
    for checksum, pattern, engine in combinations():
        doc, said = job(s, *PATTERNS[pattern].split(), *ENGINES[engine].split(), *verify_words(checksum))
        check("verify failed" not in said, said)
        rows = doc["jobs"]
        for row in rows:
            v = row["weir"]["verify"]
            check(row["error"] == 0 and v["wrong"] == 0, f"{checksum} {pattern} {engine}: {v}")
            check(v["units"] > 0, f"{checksum} {pattern} {engine}: nothing was checked: {v}")
        clean(s)


def test_all_that_was_written_is_read(s):
    """As many units are checked as the passes have written: fixed blocks, each once."""
    for args, units in (("--rw=write", 256), ("--rw=randwrite", 256), ("--rw=randwrite --loops=3", 768),
                        ("--rw=randwrite --verify_backlog=40", 256), ("--rw=write --number_ios=77", 77),
                        ("--rw=write --verify_interval=1k", 1024), ("--rw=write --do_verify=0", 0)):
        for engine in ENGINES.values():
            doc, _ = job(s, *args.split(), *engine.split(), "--verify=crc32c")
            v = doc["jobs"][0]["weir"]["verify"]
            check(v["units"] == units, f"{args} {engine}: {v['units']} units, not {units}")
            check(v["unjudged"] == 0, f"{args} {engine}: {v['unjudged']} not judged")


def test_time_ends_the_writing_not_the_check(s):
    doc, _ = job(s, "--rw=write", "--time_based", "--runtime=1", "--rate=1m", "--size=64m", "--verify=crc32c")
    row = doc["jobs"][0]
    check(row["write"]["total_ios"] == row["read"]["total_ios"] > 0,
          f"{row['write']['total_ios']} written, {row['read']['total_ios']} read")


# ---- damage on a file, between the job that writes and the one that checks ----

def damage(path, kind, block, size):
    with open(path, "r+b") as f:
        f.seek(block * size)
        data = bytearray(f.read(size))
        other = 1 + (block + 7) % 100
        f.seek(other * size)
        elsewhere = f.read(size)
        at = DICE.randrange(64, size) if kind == "bit-flip" else size // 2
        if kind == "bit-flip":
            data[at] ^= 1 << DICE.randrange(8)
        elif kind == "zeroes":
            data = bytearray(size)
        elif kind == "torn":
            data[at:] = elsewhere[at:]
        elif kind == "misplaced":
            data = bytearray(elsewhere)
        elif kind == "foreign":
            data = bytearray(DICE.randbytes(size))
        f.seek(block * size)
        f.write(data)
    return at


KINDS = ["bit-flip", "zeroes", "torn", "misplaced", "foreign"]


def faults_of(doc):
    return [f for row in doc["jobs"] for f in row["weir"]["verify"]["faults"]]


def damaged(s, kind, checksum, engine):
    size = 4096
    block = DICE.randrange(1, 250)
    job(s, "--rw=randwrite", "--do_verify=0", *verify_words(checksum))
    at = damage(s.path("f"), kind, block, size)
    doc, said = job(s, "--rw=randread", *ENGINES[engine].split(), *verify_words(checksum), status=1)
    where = f"{kind} in block {block}, {checksum}, {engine}"
    faults = faults_of(doc)
    check(len(faults) == 1, f"{where}: {len(faults)} faults")
    f = faults[0]
    check(f["offset"] == block * size and f["block"] == block, f"{where}: found at {f['offset']}")
    check(f["guess"] == kind, f"{where}: a guess of {f['guess']}")
    check(f["file"] == s.path("f"), f"{where}: in {f['file']}")
    check(re.search(rf"at file \S*f offset {block * size}, length {size} ", said), said)
    check(doc["jobs"][0]["error"] == 84, f"{where}: error {doc['jobs'][0]['error']}")
    if kind == "bit-flip":
        check(f["different_bits"] == 1 and f["first_difference"] == at,
              f"{where}: bit at {at}, said to be at {f.get('first_difference')}")


def test_damage_is_found(s):
    turn = 0
    for checksum in CHECKSUMS if FULL else ["crc32c", "xxhash", "md5", "sha3-256", "crc64"]:
        if checksum in ("crc7", "meta", "pattern", "pattern_hdr", "crc16"):
            continue  # these can't tell all kinds apart
        for kind in KINDS:
            for engine in ENGINES if FULL else [list(ENGINES)[turn % len(ENGINES)]]:
                damaged(s, kind, checksum, engine)
            turn += 1


def test_damage_of_pattern(s):
    """A pattern has no header: what is wrong is found, not what it is."""
    for word in ("pattern", "pattern_hdr"):
        job(s, "--rw=write", "--do_verify=0", *verify_words(word))
        at = damage(s.path("f"), "bit-flip", 9, 4096)
        doc, said = job(s, "--rw=read", *verify_words(word), status=1)
        f = faults_of(doc)[0]
        check(f["offset"] == 9 * 4096 and f["first_difference"] == at, f"{word}: {f}, bit at {at}")
        check("got pattern '" in said and "Bad bits 1" in said, said)


# ---- damage on the way, which the map of the run must find ----

def test_lost_in_a_run(s):
    """A write that never came, the first of its block or a later one; a torn one, a
    flipped one, one that went elsewhere."""
    for engine in ENGINES:
        for what, guesses in (("lost", {"stale", "earlier-run"}), ("torn", {"torn"}), ("flip", {"bit-flip"}),
                              ("misplaced", {"misplaced", "stale", "earlier-run"})):
            # the file has blocks of an earlier run
            job(s, "--rw=write", "--verify=crc32c", "--do_verify=0")
            depth = ENGINES[engine].split()
            depth[0] = f"--ioengine=fault({engine})"
            number = DICE.randrange(300, 500)
            doc, said = job(s, "--rw=randwrite", "--loops=2", "--verify=crc32c", *depth,
                            f"--fault_script=write@nth:{number}:{what}", status=1)
            found = {f["guess"] for f in faults_of(doc)}
            check(found and found <= guesses, f"{engine}, {what}: {found or 'nothing'} (seed {SEED})\n{said}")


def test_lost_without_a_grid(s):
    """Writes of any size: compared with what was written, without headers."""
    for engine in ENGINES:
        for what, guesses in (("lost", {"unknown", "zeroes"}), ("torn", {"unknown", "zeroes"}),
                              ("flip", {"bit-flip"}), ("misplaced", {"unknown", "zeroes", "bit-flip"})):
            depth = ENGINES[engine].split()
            depth[0] = f"--ioengine=fault({engine})"
            doc, said = job(s, "--rw=randwrite", "--bs_unaligned", "--bsrange=600-6k", "--verify=crc32c", *depth,
                            f"--fault_script=write@nth:{DICE.randrange(20, 100)}:{what}", status=1)
            found = {f["guess"] for f in faults_of(doc)}
            check(found and found <= guesses, f"{engine}, {what}: {found or 'nothing'} (seed {SEED})\n{said}")


def test_stale_run(s):
    """A second run of the same job that wrote nothing: fio doesn't see it."""
    job(s, "--rw=write", "--verify=crc32c", "--do_verify=0")
    doc, _ = job(s, "--rw=write", "--verify=crc32c", "--ioengine=fault(psync)",
                 "--fault_script=write@every:1:lost", "--continue_on_error=verify", status=1)
    v = doc["jobs"][0]["weir"]["verify"]
    check(v["wrong"] == 256 and len(v["faults"]) == 10, f"{v['wrong']} wrong, {len(v['faults'])} told")
    check({f["guess"] for f in v["faults"]} == {"earlier-run"}, f"{v['faults'][0]}")
    check(doc["jobs"][0]["total_err"] == 256, "not counted as errors")


def test_goes_on_or_ends(s):
    for args, told in (("", 1), ("--continue_on_error=verify", 2), ("--continue_on_error=all", 2),
                       ("--continue_on_error=io", 1), ("--ignore_error=,,EILSEQ", 2),
                       ("--continue_on_error=verify --verify_fatal=1", 1)):
        job(s, "--rw=write", "--verify=crc32c", "--do_verify=0")
        for block in (3, 90):
            damage(s.path("f"), "bit-flip", block, 4096)
        doc, said = job(s, "--rw=read", "--verify=crc32c", *args.split(), status=1)
        check(len(faults_of(doc)) == told, f"{args}: {len(faults_of(doc))} faults, not {told}")
        check(said.count("crc32c: verify failed") == told, said)


def test_dump(s):
    job(s, "--rw=write", "--verify=crc32c", "--do_verify=0")
    with open(s.path("f"), "rb") as f:
        right = f.read()[5 * 4096:6 * 4096]
    damage(s.path("f"), "bit-flip", 5, 4096)
    with open(s.path("f"), "rb") as f:
        wrong = f.read()[5 * 4096:6 * 4096]
    for again in ("", ".1"):
        job(s, "--rw=read", "--verify=crc32c", "--verify_dump=1", status=1)
        for what, data in (("received", wrong), ("expected", right)):
            with open(s.path(f"f.20480.{what}{again}"), "rb") as f:
                check(f.read() == data, f"f.20480.{what}{again} has other bytes")


def test_only(s):
    args = ("--rw=randwrite", "--io_size=512k", "--verify=crc32c", "--randseed=5")
    job(s, *args, "--do_verify=0")
    doc, _ = job(s, *args, "--verify_only")
    row = doc["jobs"][0]
    check(row["weir"]["verify"]["units"] == 128, f"{row['weir']['verify']}")
    check(row["write"]["total_ios"] == 0, "verify_only wrote something")
    with open(s.path("f"), "r+b") as f:
        f.write(bytes(1 << 20))
    job(s, *args, "--verify_only", status=1)


def test_reads_units_of_any_size(s):
    """The header says how long a unit is: a reader needs no verify_interval."""
    job(s, "--rw=write", "--bs=64k", "--verify=crc32c", "--verify_interval=2k", "--do_verify=0")
    doc, _ = job(s, "--rw=read", "--bs=32k", "--verify=crc32c")
    check(doc["jobs"][0]["weir"]["verify"]["units"] == 512, f"{doc['jobs'][0]['weir']['verify']}")


def test_trims(s):
    dev = s.loop(8 << 20)
    for rw in ("trimwrite", "randtrimwrite", "randtrim", "trim"):
        doc, said = job(s, f"--rw={rw}", "--verify=crc32c", "--size=4m", "--direct=1", on=dev)
        v = doc["jobs"][0]["weir"]["verify"]
        check(v["units"] == 1024 and v["wrong"] == 0, f"{rw}: {v}")
    doc, _ = job(s, "--rw=randwrite", "--verify=crc32c", "--size=4m", "--direct=1",
                 "--trim_percentage=30", "--trim_backlog=100", "--ioengine=libaio", "--iodepth=8", on=dev)
    row = doc["jobs"][0]
    check(row["weir"]["verify"]["wrong"] == 0 and row["trim"]["total_ios"] > 100, f"{row['weir']['verify']}")
    # a device that forgets to trim
    doc, _ = job(s, "--rw=trimwrite", "--number_ios=64", "--bs=4k", "--verify=crc32c",
                 "--size=4m", "--direct=1", on=dev)
    doc, said = job(s, "--rw=trim", "--verify=crc32c", "--size=256k", "--direct=1",
                    "--ioengine=fault(psync)", "--fault_script=trim@nth:20:lost", status=1, on=dev)
    check(faults_of(doc)[0]["offset"] == 19 * 4096, f"{faults_of(doc)}")


def test_full_device(s):
    """What found no room isn't read; what did is checked."""
    where = s.tmpfs("4m")
    doc, _ = job(s, f"--directory={where}", "--filename=x", "--rw=write", "--size=8m", "--bs=64k", "--fill_device=1",
                 "--fallocate=none", "--verify=crc32c", "--nrfiles=1")
    v = doc["jobs"][0]["weir"]["verify"]
    check(v["units"] >= 60 and v["wrong"] == 0, f"{v}")
    doc, _ = job(s, f"--directory={where}", "--filename=y", "--rw=write", "--size=8m", "--bs=64k", "--fill_device=1",
                 "--fallocate=none", "--verify=crc32c", "--nrfiles=1")
    check(doc["jobs"][0]["weir"]["verify"]["units"] == 0, "something was checked where nothing was written")


def test_stopped(s):
    """A signal: what was written is not read back, and that is said."""
    p = s.start("run", "--name=a", f"--filename={s.path('f')}", "--rw=write", "--size=64m", "--rate=4m",
                "--verify=crc32c", "--fallocate=none")
    wait_for("a write", lambda: os.path.exists(s.path("f")) and os.path.getsize(s.path("f")) > 0)
    p.send_signal(SIGINT)
    _, said = p.communicate(timeout=30)
    check("not read back" in said and p.returncode != 0, said)


run_all(globals())
