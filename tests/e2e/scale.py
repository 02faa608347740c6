#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Thousands of workers and files in one run, each counted; and every kind of memory for
buffers. No times are asserted: a step that is quadratic meets the timeout."""
import json
import os
import subprocess

from harness import (WEIR, Skip, check, engines_here, need_command, need_io_uring, need_root, run_all, weir,
                     weir_json)

ONE = ["--name=a", "--ioengine=null", "--size=4k", "--bs=4k"]
HUGE = "/proc/sys/vm/nr_hugepages"


def limit_of(path):
    with open(path, encoding="ascii") as f:
        return int(f.read())


def need_tasks(n):
    for name in ("kernel/pid_max", "kernel/threads-max"):
        if limit_of("/proc/sys/" + name) < n + 2000:
            raise Skip(f"{name} allows no {n} workers")


def reads(doc):
    return sum(j["read"]["total_ios"] for j in doc["jobs"])


def test_20000_threads_one_row(s):
    need_tasks(20000)
    doc, _ = weir_json(s, *ONE, "--thread", "--numjobs=20000", "--group_reporting", timeout=300)
    check(len(doc["jobs"]) == 1, f"{len(doc['jobs'])} rows")
    check(reads(doc) == 20000, f"{reads(doc)} reads")


def test_20000_threads_each_a_row(s):
    need_tasks(20000)
    doc, _ = weir_json(s, *ONE, "--thread", "--numjobs=20000", timeout=300)
    check(len(doc["jobs"]) == 20000, f"{len(doc['jobs'])} rows")
    check(all(j["read"]["total_ios"] == 1 for j in doc["jobs"]), "not one read each")


def test_1000_processes(s):
    need_tasks(1000)
    doc, _ = weir_json(s, *ONE, "--numjobs=1000", timeout=120)
    check(len(doc["jobs"]) == 1000 and reads(doc) == 1000, f"{reads(doc)} reads")


def test_waves_and_chains(s):
    """Releases of workers that wait for others, and for the wave before."""
    words = ["--name=a", "--numjobs=50", "--name=b", "--numjobs=50", "--wait_for=a", "--name=c",
             "--numjobs=50", "--wait_for=b", "--thread", "--name=d", "--stonewall",
             "--numjobs=50"]
    doc, _ = weir_json(s, *ONE[1:], *words, timeout=120)
    check(len(doc["jobs"]) == 200 and reads(doc) == 200, f"{reads(doc)} reads")


def test_200000_files(s):
    doc, _ = weir_json(s, "--name=a", "--ioengine=null", "--nrfiles=200000", "--filesize=4k",
                    "--bs=4k", "--rw=randread", timeout=300)
    check(reads(doc) == 200000, f"{reads(doc)} reads")


def test_few_descriptors(s):
    """A worker that is a process needs few: 50 files with 20 descriptors. Threads share theirs."""
    need_command("prlimit")
    words = ["prlimit", "--nofile=20:20", WEIR, "--name=a", "--size=1m", "--output-format=json"]
    p = subprocess.run([*words, "--nrfiles=50", "--rw=write"], capture_output=True, text=True,
                       timeout=60, cwd=s.dir, check=True)
    written = json.loads(p.stdout)["jobs"][0]["write"]["io_bytes"]
    check(written == 50 * (((1 << 20) // 50) // 4096 * 4096), f"{written} bytes")
    p = subprocess.run([*words, "--numjobs=4", "--thread"], capture_output=True, text=True,
                       timeout=60, cwd=s.dir, check=False)
    check(p.returncode == 1 and "or leave out thread" in p.stderr, p.stderr)


def test_more_files_than_may_be_open(s):
    """5000 real files with 256 descriptors, in a random order, each once."""
    need_command("prlimit")
    words = ["--name=a", "--ioengine=psync", "--nrfiles=5000", "--filesize=4k", "--bs=4k",
             "--create_fsync=0", "--rw=randread", "--file_service_type=random"]
    p = subprocess.run(["prlimit", "--nofile=256:256", WEIR, *words, "--output-format=json"],
                       capture_output=True, text=True, timeout=300, cwd=s.dir, check=True)
    check(reads(json.loads(p.stdout)) == 5000, p.stdout[:1000])


def test_too_many_mappings(s):
    """Threads with rings need mappings: refused with need, limit and what to do."""
    need_io_uring()
    n = limit_of("/proc/sys/vm/max_map_count") // 8 + 1
    if n > 100000:
        raise Skip("max_map_count allows all")
    r = weir(s, *ONE[:1], "--ioengine=io_uring", "--iodepth=2", "--size=64k", "--filename=x",
             "--thread", f"--numjobs={n}", "--rw=read", status=1)
    check("vm.max_map_count" in r.stderr or "open files" in r.stderr or "memory" in r.stderr,
          r.stderr)


def test_memory_kinds(s):
    """Every engine works with every kind, fixed buffers included, and leaves nothing."""
    s.file("data", 1 << 20, 1)
    theirs = s.file("theirs", 4096, 2)
    before = sorted(os.listdir(s.dir))
    for engine in engines_here(("psync", "libaio", "io_uring", "io_uring --fixedbufs=1", "mmap")):
        for mem in ("malloc", "mmap", "mmapshared", "shm", "mmap:theirs", "mmapshared:theirs"):
            if "fixed" in engine and mem == "mmapshared:theirs":
                continue  # the kernel pins no pages that are a file's on a disk
            for extra in ([], ["--thread", "--numjobs=3"], ["--iomem_align=512"]):
                doc, _ = weir_json(s, "--name=a", "--filename=data", "--rw=randread", "--bs=4k",
                                "--iodepth=4", *f"--ioengine={engine}".split(), f"--mem={mem}",
                                *extra)
                want = 256 * (3 if extra[:1] == ["--thread"] else 1)
                check(reads(doc) == want, f"{engine} {mem} {extra}: {reads(doc)} reads")
    check(sorted(os.listdir(s.dir)) == before, "files were left")
    with open(theirs, "rb") as f:
        check(f.read() == b"\2" * 4096, "somebody's file was written to")


def test_what_is_written_is_from_the_buffers(s):
    """Offset buffers that overlapped would show in the data: each block is its own."""
    doc, _ = weir_json(s, "--name=a", "--filename=out", "--rw=write", "--size=1m", "--bs=4k",
                    "--ioengine=libaio", "--iodepth=8", "--mem=shm", "--iomem_align=100",
                    "--refill_buffers=1")
    check(doc["jobs"][0]["error"] == 0, "failed")
    with open(s.path("out"), "rb") as f:
        blocks = [f.read(4096) for _ in range(256)]
    check(len(set(blocks)) == 256, f"{256 - len(set(blocks))} blocks are repeated")


def test_huge_pages(s):
    """With enough of them, of two workers, from a ring that registers them; one too few."""
    need_root()
    need_io_uring()
    if not os.access(HUGE, os.W_OK):
        raise Skip(f"{HUGE} can't be written here")
    before = limit_of(HUGE)

    def pages(n):
        with open(HUGE, "w", encoding="ascii") as f:
            f.write(str(n))

    s.undo.append(lambda: pages(before))
    pages(before + 4)
    if limit_of(HUGE) < before + 4:
        raise Skip("the machine has no huge pages to give")
    s.file("data", 1 << 20, 1)
    for mem in ("mmaphuge", "shmhuge"):
        doc, _ = weir_json(s, "--name=a", "--filename=data", "--rw=randread", "--ioengine=io_uring",
                        "--iodepth=4", f"--mem={mem}", "--fixedbufs=1", "--numjobs=2",
                        "--group_reporting")
        check(reads(doc) == 512, f"{mem}: {reads(doc)} reads")
    r = weir(s, "--name=a", "--filename=data", "--ioengine=libaio", "--iodepth=4",
             "--mem=mmaphuge", f"--numjobs={before + 100}", status=1)
    check("nr_hugepages" in r.stderr, r.stderr)
    where = s.path("huge")
    os.mkdir(where)
    if subprocess.run(["mount", "-t", "hugetlbfs", "none", where], check=False).returncode:
        raise Skip("hugetlbfs can't be mounted")
    s.undo.append(lambda: subprocess.run(["umount", where], check=False))
    for mem in (f"mmaphuge:{where}", f"mmaphuge:{where}/x"):
        doc, _ = weir_json(s, "--name=a", "--filename=data", "--rw=read", "--bs=4k", f"--mem={mem}")
        check(reads(doc) == 256, f"{mem}: {reads(doc)} reads")
    check(os.listdir(where) == [], "files were left on hugetlbfs")


def test_not_on_hugetlbfs(s):
    s.file("data", 1 << 16, 1)
    job = ["--name=a", "--filename=data", "--rw=read", "--bs=4k", "--mem=mmaphuge:x"]
    r = weir(s, *job, status=1)
    check("is not on a hugetlbfs" in r.stderr, r.stderr)
    r = weir(s, "--compat=fio", *job)
    check("is not on a hugetlbfs" in r.stdout + r.stderr, r.stderr)


def test_no_memory_for_it(s):
    r = weir(s, *ONE, "--lockmem=1t", status=1)
    check("bytes of memory" in r.stderr, r.stderr)


def test_memory_is_stated(s):
    plan = json.loads(weir(s, "--plan", *ONE, "--numjobs=2").stdout)
    doc, _ = weir_json(s, *ONE, "--numjobs=2", "--group_reporting")
    each = [w["memory_bytes"] for w in plan["workers"]]
    check(sum(each) == plan["memory_bytes"], f"{each} are not {plan['memory_bytes']}")
    check(plan["memory_bytes"] in json_numbers(doc), "the result doesn't say it")


def json_numbers(x):
    if isinstance(x, dict):
        return [n for v in x.values() for n in json_numbers(v)]
    if isinstance(x, list):
        return [n for v in x for n in json_numbers(v)]
    return [x]


if __name__ == "__main__":
    run_all(globals())
