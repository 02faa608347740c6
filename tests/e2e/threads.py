# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Everything that runs in threads of one process, a little of each.

ThreadSanitizer sees the threads of a process and nothing across processes, so these jobs are threads
(`thread`).  In a build with it (make tsan) any report is a failure; it writes them to files, as
workers have no stderr.  In other builds: such jobs do all of their work.
"""
import glob
import os

from harness import check, run_all, weir_json

FILES = ["--size=1m", "--bs=4k", "--directory=."]
NULL = ["--ioengine=null", "--size=1m", "--bs=4k"]
SIZE = 1 << 20


def run(s, *words):
    """Bytes read and written by each of three threads."""
    options = f"log_path={s.path('tsan')}:{os.environ.get('TSAN_OPTIONS', '')}"
    doc, _ = weir_json(s, "--name=a", "--thread", "--numjobs=3", *words,
                       env={"TSAN_OPTIONS": options})
    for name in glob.glob(s.path("tsan.*")):
        with open(name, encoding="utf-8") as f:
            raise AssertionError(f.read())
    check(len(doc["jobs"]) == 3, doc["jobs"])
    return [(j["read"]["io_bytes"], j["write"]["io_bytes"]) for j in doc["jobs"]]


def all_done(s, *words):
    for read, written in run(s, *words):
        check(read + written == SIZE, (read, written))


def test_null(s):
    all_done(s, *NULL, "--rw=randrw", "--iodepth=16")


def test_flow(s):
    all_done(s, *NULL, "--rw=read", "--flow=1")


def test_offload(s):
    all_done(s, *FILES, "--ioengine=sync", "--rw=randrw", "--iodepth=4", "--io_submit_mode=offload")


def test_offload_of_a_queue(s):
    all_done(s, *FILES, "--ioengine=libaio", "--rw=randrw", "--iodepth=8", "--io_submit_mode=offload")


def test_overlap(s):
    """One table for all of them."""
    all_done(s, "--ioengine=sync", "--size=1m", "--bs=4k", "--filename=one", "--rw=randrw", "--iodepth=4",
             "--io_submit_mode=offload", "--serialize_overlap=1")


def test_logs(s):
    all_done(s, *FILES, "--ioengine=psync", "--rw=randrw", "--write_lat_log=l", "--write_bw_log=b",
             "--write_hist_log=h", "--log_hist_msec=10", "--write_iolog=trace")


def test_checkers(s):
    for read, written in run(s, *FILES, "--ioengine=psync", "--rw=randwrite", "--verify=crc32c",
                             "--verify_async=2"):
        check((read, written) == (SIZE, SIZE), (read, written))


def test_checkers_in_between(s):
    for read, written in run(s, *FILES, "--ioengine=libaio", "--rw=randwrite", "--iodepth=8",
                             "--verify=xxhash", "--verify_backlog=32", "--verify_async=2"):
        check((read, written) == (SIZE, SIZE), (read, written))


def test_replay(s):
    """A reader of the trace ahead of each worker."""
    s.file("r.dat", SIZE)
    with open(s.path("r.log"), "w", encoding="utf-8") as f:
        f.write("fio version 2 iolog\nr.dat add\nr.dat open\n")
        f.writelines(f"r.dat read {i * 4096} 4096\n" for i in range(SIZE // 4096))
        f.write("r.dat close\n")
    check(run(s, "--read_iolog=r.log", "--ioengine=psync") == [(SIZE, 0)] * 3, "all of it, thrice")


run_all(globals())
