#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Logs: they hold what the report counts, are there however a run ends, and are read by
the tools that come with fio."""
import glob
import json
import os
import shutil
import struct
import subprocess
import time
import zlib

from harness import SIGINT, SIGKILL, Skip, WEIR, alive, check, children, run_all, timely, wait_for, \
    weir

NULL = ["--ioengine=null", "--size=100g"]
STEADY = [*NULL, "--rw=randrw", "--rate_iops=400", "--time_based"]
TEXT = ["bw", "iops", "slat", "clat", "lat"]


def rows(s, name):
    with open(s.path(name), encoding="ascii") as f:
        text = f.read()
    check(not text or text.endswith("\n"), f"{name}: its last line is cut: {text[-40:]!r}")
    return [[int(x, 0) for x in line.split(", ")] for line in text.splitlines()]


def run(s, *args, status=0):
    p = subprocess.run([WEIR, "--output-format=json", *args], capture_output=True, text=True,
                       cwd=s.dir, timeout=60, check=False)
    check(p.returncode == status, f"exit status {p.returncode}: {p.stderr}")
    return json.loads(p.stdout), p.stderr


def show(s, *args, status=0):
    p = subprocess.run([WEIR, "show", *args], capture_output=True, text=True, cwd=s.dir,
                       timeout=60, check=False)
    check(p.returncode == status, f"show {args}: exit status {p.returncode}: {p.stderr}")
    return p.stdout


def all_logs(prefix="x"):
    return [f"--write_{k}_log={prefix}" for k in ("bw", "iops", "lat", "binary")]


def test_lines_are_the_reports_counts(s):
    """With a queue, without slat, and one call at a time."""
    for more in (["--iodepth=16"], ["--iodepth=16", "--disable_slat=1"], ["--iodepth=1"]):
        doc, _ = run(s, *NULL, "--name=a", "--rw=randrw", "--ramp_time=100ms", "--runtime=300ms",
                     "--time_based", "--rate_iops=20000", *all_logs(), *more)
        for ddir, name in enumerate(("read", "write")):
            compare_lines(s, ddir, doc["jobs"][0][name])
        times = [r[0] for r in rows(s, "x_iops.1.log")]
        check(times == sorted(times), "times go back")


def compare_lines(s, ddir, job):
    for kind in ("slat", "clat", "lat"):
        got = [r[1] for r in rows(s, f"x_{kind}.1.log") if r[2] == ddir]
        want = job[kind + "_ns"]
        if kind == "slat" and not want["N"]:
            continue
        check(len(got) == want["N"], f"{ddir} {kind}: {len(got)} lines, N is {want['N']}")
        check((min(got), max(got)) == (want["min"], want["max"]), f"{ddir} {kind}: extremes")
        check(abs(sum(got) / len(got) - want["mean"]) < 0.001, f"{ddir} {kind}: mean")
    moved = sum(r[3] for r in rows(s, "x_iops.1.log") if r[2] == ddir)
    check(moved == job["io_bytes"], f"{ddir}: {moved} bytes in the log, {job['io_bytes']} reported")


def test_binary_is_the_text(s):
    for more in ([], ["--log_offset=1", "--log_prio=1", "--log_unix_epoch=1"],
                 ["--log_offset=1", "--log_issue_time=1"]):
        run(s, *NULL, "--name=a", "--rw=randrw", "--bsrange=512-64k", "--iodepth=8",
            "--number_ios=5000", *all_logs(), *more)
        show(s, "x_io.1.bin", "--to=y")
        for kind in TEXT:
            a, b = (open(s.path(f"{p}_{kind}.1.log"), encoding="ascii").read() for p in "xy")
            check(a == b and a.count("\n") == 5000, f"{more} {kind}: differs from the text log")
        check(show(s, "x_io.1.bin", "clat") == open(s.path("x_clat.1.log"), encoding="ascii").read(),
              "stdout differs from the file")


def test_binary_beside_windows(s):
    run(s, *STEADY, "--name=a", "--runtime=500ms", *all_logs(), "--write_hist_log=x",
        "--log_avg_msec=20", "--log_hist_msec=50")
    want = sum(r[1] for r in rows(s, "x_iops.1.log")) * 20 // 1000
    got = show(s, "x_io.1.bin", "iops").count("\n")
    check(abs(got - want) < 40, f"{got} I/Os in the binary log, about {want} in the windows")


def test_binary_is_16_bytes_an_io(s):
    run(s, *NULL, "--name=a", "--rw=randread", "--iodepth=32", "--number_ios=200000",
        "--write_binary_log=x")
    size = os.path.getsize(s.path("x_io.1.bin"))
    check(size < 200000 * 16 * 1.01 + 4096, f"{size} bytes for 200000 I/Os")


def test_zstd(s):
    version = subprocess.run([WEIR, "version"], capture_output=True, text=True, check=True).stdout
    if "left out     libzstd" in version:
        _, err = run(s, *NULL, "--name=a", "--write_binary_log=x", "--log_zstd=1", status=1)
        check("libzstd" in err, err)
        raise Skip("this weir has no libzstd")
    run(s, *NULL, "--name=a", "--rw=randread", "--iodepth=4", "--number_ios=20000",
        "--write_binary_log=x", "--log_zstd=3", "--write_lat_log=x")
    check(os.path.getsize(s.path("x_io.1.bin.zst")) < 20000 * 16, "it did not get smaller")
    check(show(s, "x_io.1.bin.zst", "lat") == open(s.path("x_lat.1.log"), encoding="ascii").read(),
          "compressed log and text log differ")


def test_windows_are_on_the_clock(s):
    """4 requests a second in windows of 100 ms: 20 lines, zeros and all; their sum is
    what moved."""
    doc, _ = run(s, *NULL, "--name=a", "--rw=randread", "--rate_iops=4", "--time_based",
                 "--runtime=2", "--write_iops_log=x", "--write_bw_log=x", "--write_lat_log=x",
                 "--log_avg_msec=100")
    iops, bw, lat = (rows(s, f"x_{k}.1.log") for k in ("iops", "bw", "lat"))
    ends = list(range(100, 2001, 100))
    check([r[0] for r in iops] == ends and [r[0] for r in bw] == ends, f"windows: {iops}")
    ios = doc["jobs"][0]["read"]["total_ios"]
    check(sum(r[1] for r in iops) == 10 * ios, f"{ios} I/Os, windows {iops}")
    check(sum(r[1] for r in bw) == 40 * ios, f"{ios} I/Os, windows {bw}")
    check(sum(1 for r in iops if not r[1]) >= 20 - ios, "zeros are missing")
    check(len(lat) == sum(1 for r in iops if r[1]), "an empty window has a latency")


def test_histograms_hold_every_io(s):
    for coarseness in (0, 3):
        doc, _ = run(s, *STEADY, "--name=a", "--runtime=700ms", "--write_hist_log=x",
                     "--log_hist_msec=200", f"--log_hist_coarseness={coarseness}")
        lines = rows(s, "x_clat_hist.1.log")
        check({len(r) for r in lines} == {3 + (1856 >> coarseness)}, "columns")
        for ddir, name in enumerate(("read", "write")):
            got = sum(sum(r[3:]) for r in lines if r[1] == ddir)
            want = doc["jobs"][0][name]["clat_ns"]["N"]
            check(got == want, f"{name}: {got} in the bins, N is {want}")


def whole_lines(s, name):
    """Of a log that grows: who reads beside the writer may see a part of a line."""
    if not os.path.exists(s.path(name)):
        return 0
    with open(s.path(name), encoding="ascii") as f:
        return f.read().count("\n")


def begun(s, p, name):
    wait_for("lines", lambda: os.path.exists(s.path(name)) and os.path.getsize(s.path(name)) > 2000)
    return children(p.pid)


def test_lines_come_while_it_runs(s):
    p = s.start("--output-format=json", *STEADY, "--name=a", "--runtime=60", "--write_lat_log=x")
    begun(s, p, "x_clat.1.log")
    p.send_signal(SIGINT)
    p.communicate(timeout=20)
    check(p.returncode == 128, f"exit status {p.returncode}")


def test_interrupted(s):
    p = s.start("--output-format=json", *STEADY, "--name=a", "--runtime=60", *all_logs(),
                "--numjobs=2")
    begun(s, p, "x_clat.2.log")
    p.send_signal(SIGINT)
    out, err = p.communicate(timeout=20)
    doc = json.loads(out)
    for i, job in enumerate(doc["jobs"], 1):
        want = job["read"]["clat_ns"]["N"] + job["write"]["clat_ns"]["N"]
        got = len(rows(s, f"x_clat.{i}.log"))
        check(got == want, f"job {i}: {got} lines, {want} I/Os")
        check(show(s, f"x_io.{i}.bin", "clat").count("\n") == want, "binary log")


def test_killed_worker(s):
    p = s.start("--output-format=json", *STEADY, "--name=a", "--runtime=60", "--write_lat_log=x",
                "--write_binary_log=x", "--write_iops_log=y", "--thread=1")
    begun(s, p, "x_clat.1.log")
    wait_for("more lines", lambda: whole_lines(s, "x_lat.1.log") > 20)
    before = whole_lines(s, "x_lat.1.log")
    # The writers come first; the host of the job's thread is the last one.
    os.kill(children(p.pid)[-1], SIGKILL)
    out, err = p.communicate(timeout=20)
    check(p.returncode == 1, f"exit status {p.returncode}: {err}")
    check(len(rows(s, "x_lat.1.log")) >= before, "lines are gone")
    n = len(rows(s, "x_clat.1.log"))
    check(show(s, "x_io.1.bin", "clat", status=1).count("\n") == n, "the binary log is not whole")


def test_killed_supervisor(s):
    p = s.start("--output-format=json", *STEADY, "--name=a", "--runtime=60", "--write_bw_log=x",
                "--write_lat_log=y", "--log_avg_msec=10")
    kids = begun(s, p, "x_bw.1.log")
    p.kill()
    wait_for("the end of the writers", lambda: not any(alive(k) for k in kids))
    check(len(rows(s, "x_bw.1.log")) > 50, "lines are missing")


def test_killed_writer(s):
    p = s.start("--output-format=json", *STEADY, "--name=a", "--runtime=3", "--write_lat_log=x")
    kids = begun(s, p, "x_clat.1.log")
    os.kill(kids[0], SIGKILL)
    out, err = p.communicate(timeout=20)
    check(p.returncode == 1, f"exit status {p.returncode}")
    check("logs: their writer" in err and "records are missing" in err, err)
    doc = json.loads(out)
    check(doc["jobs"][0]["weir"]["log_lost"] > 0, "the loss is not in the result")
    rows(s, "x_clat.1.log")


def pss_kib(pids):
    """Memory of PIDS together, shared pages counted once.  Not pages of files: of these each has a larger
    share when another program ends.  (None: one of them has ended.)"""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as f:
                kib = {line.split()[0]: int(line.split()[1]) for line in list(f)[1:]}
        except (FileNotFoundError, ProcessLookupError):
            return None
        if "Pss:" not in kib:
            return None
        total += kib["Pss_Anon:"] + kib["Pss_Shmem:"] if "Pss_Anon:" in kib else kib["Pss:"]
    return total


def test_memory_is_flat(s):
    """Every I/O of three jobs in six logs; of the workers and the logs' writers. (The
    supervisor keeps a histogram for each interval of the result, logs or not.)
    $WEIR_LOG_SECONDS makes it longer."""
    seconds = int(os.environ.get("WEIR_LOG_SECONDS", "12"))
    p = s.start("--output-format=json", *NULL, "--rw=randrw", "--time_based", "--name=a", "--thread",
                "--iodepth=8", f"--runtime={seconds}", "--rate_iops=4000", "--numjobs=3",
                *all_logs())
    begun(s, p, "x_clat.1.log")
    time.sleep(3)  # all that a run allocates is there
    early, most, until = pss_kib(children(p.pid)), 0, time.monotonic() + seconds - 5
    while time.monotonic() < until:
        now = pss_kib(children(p.pid))
        if now is None:
            break
        most = max(most, now)
        time.sleep(0.25)
    out, err = p.communicate(timeout=60)
    check(p.returncode == 0, err)
    lines = sum(len(rows(s, f"x_clat.{i}.log")) for i in (1, 2, 3))
    # whoever keeps even a byte of each line of the six logs has grown by more than is allowed
    timely(early and most and lines > 3 * 8000 * 0.8 * seconds, f"only {lines} I/Os")
    print(f"   {lines} I/Os in {seconds} s: {early} KiB after 3 s, {most} KiB at most later")
    check(most <= early + 1024, f"memory grows: {early} KiB after 3 s, {most} KiB later")


def test_killed_all(s):
    """kill -9 of every process after 5 s: nothing older than a second is missing."""
    p = s.start("--output-format=json", *NULL, "--rw=randread", "--rate_iops=1000", "--time_based",
                "--name=a", "--runtime=60", "--log_unix_epoch=1", *all_logs(), "--numjobs=2",
                "--write_hist_log=x", "--log_hist_msec=100")
    begun(s, p, "x_clat.1.log")
    time.sleep(5)
    kids = children(p.pid)
    at_ms = time.time() * 1000
    for pid in (p.pid, *kids):
        os.kill(pid, SIGKILL)
    p.communicate(timeout=20)
    for i in (1, 2):
        names = [f"x_{k}.{i}.log" for k in ("bw", "iops", "clat", "lat", "clat_hist")]
        for name in names:
            with open(s.path(name), encoding="ascii") as f:
                whole = f.read().rpartition("\n")[0].splitlines()
            times = [int(line.split(",")[0]) for line in whole]
            timely(times[-1] >= at_ms - 1000, f"{name}: ends {at_ms - times[-1]:.0f} ms too early")
            if "hist" not in name:
                timely(len(whole) >= (times[-1] - times[0]) * 0.99, f"{name}: {len(whole)} lines in "
                       f"{times[-1] - times[0]} ms at 1000 per second")
        kept = [line.split(",")[0] for line in
                show(s, f"x_io.{i}.bin", "clat", status=1).splitlines()]
        timely(int(kept[-1]) >= at_ms - 1000, f"binary log ends {at_ms - int(kept[-1]):.0f} ms early")


def test_full_disk(s):
    small = s.tmpfs("256k")
    name = os.path.basename(small)
    n = 20000
    doc, err = run(s, *NULL, "--name=a", "--rw=randread", "--iodepth=8", f"--number_ios={n}",
                   f"--write_lat_log={name}/x", "--write_iops_log=y", status=1)
    check("No space left on device" in err, err)
    check(len(rows(s, "y_iops.1.log")) == n, "a log on another disk suffers")
    kept = sum(len(rows(s, f"{name}/x_{k}.1.log")) for k in ("slat", "clat", "lat"))
    lost = doc["jobs"][0]["weir"]["log_lost"]
    check(kept + lost == 3 * n, f"{kept} lines kept, {lost} told as lost, {3 * n} in all")
    check(doc["jobs"][0]["read"]["total_ios"] == n, "the job did not go on")


def test_full_disk_binary(s):
    small = s.tmpfs("64k")
    name = os.path.basename(small)
    n = 20000
    doc, err = run(s, *NULL, "--name=a", "--rw=randread", "--iodepth=8", f"--number_ios={n}",
                   f"--write_binary_log={name}/x", status=1)
    check("No space left on device" in err, err)
    kept = show(s, f"{name}/x_io.1.bin", "lat", status=1).count("\n")
    lost = doc["jobs"][0]["weir"]["log_lost"]
    check(kept and n <= kept + lost <= n + 4, f"{kept} kept, {lost} told as lost, of {n}")


def test_refused(s):
    for args, word in ((["--write_bw_log=no/x"], "can't make log no/x_bw.1.log"),
                       (["--write_bw_log=t", "--filename=t_bw.1.log"], "is a target")):
        p = subprocess.run([WEIR, *NULL, "--name=a", *args], capture_output=True, text=True,
                           cwd=s.dir, check=False, timeout=20)
        check(p.returncode == 1 and word in p.stderr, p.stderr)
    check(not os.path.exists(s.path("t_bw.1.log")), "the target was touched")


def test_shared_log_is_added_to(s):
    for n in (1, 2):
        run(s, *NULL, "--name=a", "--rw=randread", "--number_ios=500", "--numjobs=3",
            "--write_iops_log=x", "--per_job_logs=0")
        lines = rows(s, "x_iops.log")
        check(len(lines) == 1500 * n and {len(r) for r in lines} == {5}, f"{len(lines)} lines")


def test_aggregate(s):
    run(s, *NULL, "--bandwidth-log=t", "--rw=write", "--rate_iops=500", "--time_based",
        "--runtime=1600ms", "--name=a", "--name=b", "--startdelay=400ms", "--runtime=1100ms")
    read, write, trim = (rows(s, f"t-{d}_bw.log") for d in ("read", "write", "trim"))
    check([r[0] for r in write[:3]] == [500, 1000, 1500], f"times: {write}")
    check(all(r[1] == 0 for r in read + trim) and len(read) == len(write), "zeros")
    check([r[2] for r in read[:1] + write[:1] + trim[:1]] == [0, 1, 2], "directions")
    timely(3200 < write[1][1] < 4800, f"two jobs of 2000 KiB/s: {write}")


def test_wait_is_told(s):
    doc, _ = run(s, *NULL, "--name=a", "--rw=randread", "--iodepth=32", "--number_ios=1000000",
                 "--write_lat_log=x", "--write_bw_log=x")
    job = doc["jobs"][0]["weir"]
    check(len(rows(s, "x_clat.1.log")) == 1000000, "lines are missing")
    if job["log_wait_ns"] > job["window_ns"] // 100:
        check(any(n["id"] == "log-wait" for n in doc["weir"]["notes"]), "no note about the wait")


# ---- the tools of Debian's package fio ----

def tool(s, name, *args):
    path = shutil.which(name)
    if not path:
        raise Skip(f"{name} is not installed")
    p = subprocess.run([path, *args], capture_output=True, text=True, cwd=s.dir, timeout=100,
                       check=False)
    if "ModuleNotFoundError" in p.stderr:
        raise Skip(f"{name}: {p.stderr.splitlines()[-1]}")
    check(p.returncode == 0, f"{name}: {p.stderr}")
    return p.stdout


def test_fiologparser(s):
    run(s, *STEADY, "--name=a", "--runtime=1", "--numjobs=2", "--write_lat_log=x",
        "--write_bw_log=x")
    out = tool(s, "fiologparser.py", "-i", "500", "-s", "x_bw.1.log", "x_bw.2.log")
    check(len(out.splitlines()) >= 2, out)
    out = tool(s, "fiologparser.py", "-i", "500", "-A", "x_clat.1.log", "x_clat.2.log")
    check(len(out.splitlines()) >= 2, out)


def hist_logs(s):
    run(s, *STEADY, "--name=a", "--runtime=3", "--numjobs=2", "--write_hist_log=x",
        "--log_hist_msec=500")
    return sorted(os.path.basename(p) for p in glob.glob(s.path("x_clat_hist.*.log")))


def test_fiologparser_hist(s):
    out = tool(s, "fiologparser_hist.py", "--interval", "1000", *hist_logs(s))
    check(len(out.splitlines()) >= 2, out)


def test_histo_log_pctiles(s):
    out = tool(s, "fio-histo-log-pctiles.py", "--time-quantum", "1", *hist_logs(s))
    check("t(msec)" in out or len(out.splitlines()) > 3, out)


def test_fio2gnuplot(s):
    run(s, *STEADY, "--name=a", "--runtime=1", "--numjobs=2", "--write_bw_log=x",
        "--log_avg_msec=100")
    tool(s, "fio2gnuplot", "-p", "x_bw.*.log", "-b")
    check(glob.glob(s.path("*.average")) or glob.glob(s.path("*_bw*temporary*"))
          or glob.glob(s.path("*bw*")), "nothing was made")


INFLATE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "inflate")


def test_inflate(s):
    """Compressed logs of fio 3.33, beside what it printed of them; and whatever is wrong with
    such a file: what can be read is printed, and the status is 1."""
    if "built without zlib" in weir(s, f"--inflate-log={INFLATE}/plain.fz", status=None).stderr:
        raise Skip("weir was built without zlib")
    for name in ("plain", "prio"):
        with open(f"{INFLATE}/{name}.txt", encoding="ascii") as f:
            want = f.read()
        p = weir(s, f"--inflate-log={INFLATE}/{name}.fz")
        check(p.stdout == want and not p.stderr, f"{name}: {p.stdout[:200]} {p.stderr}")
    with open(f"{INFLATE}/prio.fz", "rb") as f:
        whole = f.read()
    for cut in (1, 2, 7, 300, len(whole) // 2, len(whole) - 1):
        with open(s.path("cut.fz"), "wb") as f:
            f.write(whole[:cut])
        p = weir(s, "--inflate-log=cut.fz", status=1)
        check(want.startswith(p.stdout) and "cut.fz: " in p.stderr, f"cut at {cut}: {p.stderr}")
    with open(s.path("odd.fz"), "wb") as f:  # a flag that fio 3.33 hasn't
        f.write(zlib.compress(struct.pack("<QQIHHQ", 1, 2, 0x20000000, 0, 0, 4096)))
    p = weir(s, "--inflate-log=odd.fz", status=1)
    check("with the fio that made it" in p.stderr, p.stderr)


run_all(globals())
