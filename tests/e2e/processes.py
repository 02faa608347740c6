#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Commands, users, priorities, control groups, schedulers: what a worker's process is,
seen from inside (by the command after the job), and that nothing of it stays."""
import os
import signal
import subprocess
import sys
import time

from harness import WEIR, Skip, alive, check, need_command, need_root, run_all, wait_for, weir, workers

NULL = ["--ioengine=null", "--rw=read", "--size=64k"]


def said(s, name, *args, status=0):
    """What a command after the job wrote."""
    weir(s, "--name=a", *args, status=status)
    with open(s.path(f"a.{name}.txt"), encoding="utf-8") as f:
        return f.read()


def test_prerun_order_and_output(s):
    said(s, "prerun", *NULL, "--exec_prerun=echo one; echo two >&2; date +%s%N > when")
    with open(s.path("a.prerun.txt"), encoding="utf-8") as f:
        check(f.read() == "one\ntwo\n", "both streams of all commands are in the file")


def test_prerun_that_fails(s):
    args = ["--name=a", *NULL, "--exec_prerun=echo no; exit 3", "--exec_postrun=touch after"]
    p = weir(s, *args, "--output-format=json", status=1)
    check("status 3" in p.stderr and "a.prerun.txt" in p.stderr, p.stderr)
    p = weir(s, "--compat=fio", *args, status=0)
    check("status 3" in p.stdout, p.stdout + p.stderr)
    check("IOPS" not in p.stdout, "I/O was done after a failed prerun")
    check(not os.path.exists(s.path("after")), "postrun ran although nothing else did")


def test_prerun_is_interrupted(s):
    p = s.start("--name=a", *NULL, "--exec_prerun=sleep 98765")
    pid = int(wait_for("the command", lambda: subprocess.run(
        ["pgrep", "-n", "-f", "^sleep 98765"], capture_output=True, text=True).stdout))
    p.send_signal(signal.SIGINT)
    p.communicate(timeout=30)
    check(p.returncode == 128, f"exit status {p.returncode}")
    wait_for("the command's end", lambda: not alive(pid))


def test_nothing_runs_without_a_run(s):
    for mode in "--parse-only", "--plan", "--showcmd":
        weir(s, "--name=a", *NULL, "--exec_prerun=touch ran", "--exec_postrun=touch ran", mode)
        check(not os.path.exists(s.path("ran")), f"{mode} ran the command")
        check(os.listdir(s.dir) == [], os.listdir(s.dir))


def open_to_all(s):
    """The test's folder, on the way to which others must not be kept out."""
    need_root()
    os.chmod(s.dir, 0o777)
    above = os.path.dirname(os.path.realpath(s.dir))
    while above != "/":
        if not os.stat(above).st_mode & 0o001:
            raise Skip(f"{above} is closed to other users")
        above = os.path.dirname(above)


def test_uid_and_gid(s):
    open_to_all(s)
    for thread in [], ["--thread"]:
        weir(s, "--name=a", "--filename=made", "--create_on_open=1", "--rw=write", "--size=64k",
             "--uid=54321", "--gid=54322", "--exec_postrun=id -u; id -g; id -G", *thread)
        with open(s.path("a.postrun.txt"), encoding="utf-8") as f:
            check(f.read().split() == ["54321", "54322", "54322"], "who the command ran as")
        st = os.stat(s.path("made"))
        check((st.st_uid, st.st_gid) == (54321, 54322), f"the file is {st.st_uid}:{st.st_gid}")
        os.unlink(s.path("made"))
        os.unlink(s.path("a.postrun.txt"))


def test_uid_dies_with_the_supervisor(s):
    open_to_all(s)
    p = s.start("--name=a", *NULL, "--time_based", "--runtime=60", "--uid=54321", "--rate_iops=10")
    pid = int(wait_for("the worker", lambda: subprocess.run(
        ["pgrep", "-P", str(p.pid), "-u", "54321"], capture_output=True, text=True).stdout))
    p.kill()
    wait_for("the worker's end", lambda: not alive(pid))


def test_ioprio(s):
    need_root()
    need_command("ionice")
    for args, want in ((["--prio=4"], "best-effort: prio 4"), (["--prioclass=3"], "idle"),
                       (["--prioclass=1", "--prio=2"], "realtime: prio 2")):
        out = said(s, "postrun", *NULL, *args, "--exec_postrun=ionice -p $PPID")
        check(out.strip() == want, f"{args}: {out!r}, not {want!r}")


def test_comm(s):
    out = said(s, "postrun", *NULL, "--comm=some-worker", "--exec_postrun=cat /proc/$PPID/comm")
    check(out == "some-worker\n", out)


def test_numa(s):
    if not os.path.exists("/sys/devices/system/node/node0"):
        raise Skip("the kernel doesn't know nodes")
    out = said(s, "postrun", *NULL, "--numa_cpu_nodes=0", "--numa_mem_policy=bind:0",
               "--exec_postrun=grep -m1 -o 'bind:0' /proc/$PPID/numa_maps")
    check(out == "bind:0\n", f"the buffers' policy: {out!r}")
    p = weir(s, "--name=a", *NULL, "--numa_cpu_nodes=63", status=1)
    check("no memory node 63" in p.stderr, p.stderr)


def cgroup_root():
    with open("/proc/self/mounts", encoding="utf-8") as f:
        for line in f:
            fields = line.split()
            if fields[2] == "cgroup2" and os.access(fields[1], os.W_OK):
                return fields[1]
    raise Skip("no version 2 control groups that can be written")


def test_cgroup(s):
    need_root()
    root = cgroup_root()
    name = f"weir-test-{os.getpid()}"
    top = os.path.join(root, name)
    s.undo.append(lambda: os.path.isdir(top) and os.rmdir(top))
    out = said(s, "postrun", *NULL, f"--cgroup={name}/in", "--exec_postrun=cat /proc/self/cgroup")
    check(f"0::/{name}/in\n" in out, out)
    check(not os.path.exists(top), "the group stays")
    # after an error, and after a kill
    weir(s, "--name=a", "--filename=/nowhere/at/all", "--rw=read", "--size=4k", "--create_on_open=1",
         f"--cgroup={name}", status=1)
    check(not os.path.exists(top), "the group stays after an error")
    p = s.start("--name=a", *NULL, "--time_based", "--runtime=60", f"--cgroup={name}")
    wait_for("the group", lambda: os.path.exists(top))
    p.send_signal(signal.SIGINT)
    p.communicate(timeout=30)
    check(not os.path.exists(top), "the group stays after Ctrl-C")
    weir(s, "--name=a", *NULL, f"--cgroup={name}", "--cgroup_nodelete=1")
    check(os.path.exists(top), "cgroup_nodelete=1 didn't keep it")
    # one that was there is nobody's to remove
    weir(s, "--name=a", *NULL, f"--cgroup={name}")
    check(os.path.exists(top), "a group that was there is gone")
    os.rmdir(top)


def scheduler(dev):
    with open(f"/sys/block/{os.path.basename(dev)}/queue/scheduler", encoding="ascii") as f:
        text = f.read()
    return text.split("[")[1].split("]")[0], text.replace("[", "").replace("]", "").split()


def test_scheduler_is_given_back(s):
    dev = s.loop(16 << 20)
    before, known = scheduler(dev)
    others = [x for x in known if x != before]
    if not others:
        raise Skip("the loop device has one scheduler only")
    job = ["--name=a", f"--filename={dev}", "--rw=read", "--size=1m"]
    out = said(s, "postrun", *job[1:], f"--ioscheduler={others[0]}",
               f"--exec_postrun=cat /sys/block/{os.path.basename(dev)}/queue/scheduler")
    check(f"[{others[0]}]" in out, out)
    check(scheduler(dev)[0] == before, "it wasn't given back")
    p = weir(s, *job, "--ioscheduler=nonesuch", status=1)
    check("nonesuch" in p.stderr and others[0] in p.stderr, p.stderr)
    p = s.start(*job, "--time_based", "--runtime=60", f"--ioscheduler={others[0]}")
    wait_for("the scheduler", lambda: scheduler(dev)[0] == others[0])
    p.send_signal(signal.SIGINT)
    p.communicate(timeout=30)
    check(scheduler(dev)[0] == before, "it wasn't given back after Ctrl-C")


def test_lockfile_excludes(s):
    """Writes of 64 KiB take long enough to overlap: with the lock they never do."""
    for mode in "exclusive", "readwrite":
        need_command("strace")
        p = subprocess.run(
            ["strace", "-f", "-tt", "-e", "trace=fcntl,pwrite64", "-o", s.path("trace"),
             os.environ.get("WEIR", "weir"), "--filename=shared", "--size=1m", "--bs=64k",
             "--rw=write", f"--lockfile={mode}", "--name=a", "--name=b"],
            cwd=s.dir, capture_output=True, text=True, check=False)
        if "ptrace" in p.stderr:
            raise Skip(f"strace: {p.stderr.strip()}")
        check(p.returncode == 0, p.stderr)
        owner = None
        for line in open(s.path("trace"), encoding="utf-8", errors="replace"):
            pid = line.split()[0]
            if "F_UNLCK" in line:
                owner = None
            elif "pwrite64(" in line:
                check(owner in (None, pid), "a write while another job has the lock")
                owner = pid


def test_killed_job_gives_its_lock_back(s):
    args = ["--filename=shared", "--size=1m", "--rw=write", "--lockfile=exclusive", "--time_based",
            "--runtime=8", "--name=a", "--name=b", "--output-format=json"]
    p = s.start(*args)
    pids = workers(p, 2)
    time.sleep(0.7)
    os.kill(pids[0], signal.SIGSTOP)  # perhaps with the lock
    os.kill(pids[0], signal.SIGKILL)
    p.communicate(timeout=30)
    check(p.returncode == 1, f"exit status {p.returncode}: the other job didn't end in order")


def test_no_room_for_threads(s):
    """Too little address space for the stacks of all threads: one sentence, not 64."""
    for kib in range(24000, 64000, 4000):
        p = subprocess.run(["sh", "-c", f'ulimit -v {kib}; exec "$@"', "sh", WEIR, "--name=a",
                            "--ioengine=null", "--size=1m", "--rw=read", "--thread",
                            "--numjobs=64"], capture_output=True, text=True, cwd=s.dir,
                           timeout=60, check=False)
        if "of address space for the stacks of 64 threads" in p.stderr:
            check(p.stderr.count("address space") == 1, p.stderr)
            check(p.returncode == 64, f"exit status {p.returncode}")
            return
    raise Skip("no limit is small enough for that and large enough for weir")


if __name__ == "__main__":
    sys.exit(run_all(globals()))
