#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Studies: the examples in a small version, and every way in which one may be broken off."""
import json
import os
import signal
import subprocess
import time

from harness import WEIR, alive, check, children, need_command, need_root, run_all, wait_for

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples")

# A run of LONG, set up and torn down with a mark and a line in `story`.
MARKED = """[study]
repeats = 2
seed = 3
[global]
env.MARK = ${WEIR_STUDY_DIR}/../mark
env.STORY = ${WEIR_STUDY_DIR}/../story
[variant a]
setup = echo up >>"$STORY"; touch "$MARK"%s
teardown = %secho down >>"$STORY"; rm -f "$MARK"
[variant b]
[workload w]
ioengine = null
rw = read
size = 1g
rate_iops = 1000
time_based
runtime = ${LONG:-100ms}
"""


def put(s, name, text):
    with open(s.path(name), "w", encoding="utf-8") as f:
        f.write(text)


def study(s, *args, status=0, timeout=120, **env):
    p = subprocess.run([WEIR, "study", *args], capture_output=True, text=True, cwd=s.dir,
                       timeout=timeout, check=False, stdin=subprocess.DEVNULL,
                       env={**os.environ, **env})
    check(p.returncode == status, f"{args}: status {p.returncode}, not {status}\n"
          f"{p.stdout[-1500:]}{p.stderr[-1500:]}")
    return p


def start(s, *args, **env):
    return s.start("study", *args, start_new_session=True, env={**os.environ, **env})


def index(s, directory):
    with open(s.path(directory + "/study.json"), encoding="utf-8") as f:
        return json.load(f)


def statuses(s, directory):
    return [run["status"] for run in index(s, directory)["runs"]]


def story(s):
    with open(s.path("story"), encoding="utf-8") as f:
        return f.read().split()


def running(s, directory, n, p):
    """Run N of the order is under way: set up, and its process is there."""
    log = s.path(f"{directory}/logs/{n:04}.log")
    wait_for(f"run {n}", lambda: os.path.exists(log) and "weir run" in open(log, encoding="utf-8").read(),
             60)
    wait_for("its process", lambda: children(p.pid))


# ---- broken off ----

def interrupted(s, p):
    """Ctrl-C, as a terminal does it."""
    os.killpg(p.pid, signal.SIGINT)
    out, err = p.communicate(timeout=30)
    check(p.returncode == 128 and "the same command goes on" in err, f"{p.returncode} {out} {err}")


def test_filesystems_interrupted(s):
    need_root()
    for name in ("mkfs.ext4", "mkfs.xfs", "mkfs.btrfs", "losetup"):
        need_command(name)
    env = {"RUNTIME": "200ms", "SIZE": "16m", "REPEATS": "2", "COOLDOWN": "0"}
    where = "study-filesystems.study"
    s.undo.append(lambda: subprocess.run(["umount", s.path(where + "/mnt")], check=False,
                                         stderr=subprocess.DEVNULL))
    p = start(s, EXAMPLES + "/study-filesystems.weir", **env)
    running(s, where, 3, p)
    wait_for("a mount", lambda: os.path.ismount(s.path(where + "/mnt")))
    interrupted(s, p)
    check(not os.path.ismount(s.path(where + "/mnt")), "it is still mounted")
    check(not os.path.exists(s.path(where + "/disk.img")), "its disk is still there")
    loops = subprocess.run(["losetup", "-a"], capture_output=True, text=True, check=True).stdout
    check(s.dir not in loops, loops)
    check(statuses(s, where)[:2] == ["done"] * 2, "what was done is not kept")

    done = study(s, EXAMPLES + "/study-filesystems.weir", **env)
    check("run 1 of" not in done.stderr and "run 6 of 6" in done.stderr, done.stderr)
    runs = index(s, where)["runs"]
    check([r["status"] for r in runs] == ["done"] * 6, str(runs))
    check([r["attempts"] for r in runs] == [1, 1, 2, 1, 1, 1], "it did not go on where it was")
    for word in ("A ext4 (2 runs)   B xfs (2 runs)", "C btrfs (2 runs)", "stick/randwrite"):
        check(word in done.stdout, f"no '{word}' in {done.stdout}")
    check(not os.path.ismount(s.path(where + "/mnt")), "it is still mounted at the end")


def killed(s, p):
    runs = children(p.pid)
    p.kill()
    p.wait()
    for pid in runs:
        wait_for("the end of what it started", lambda pid=pid: not alive(pid))


def test_killed_and_begun_at_once(s):
    """The run that was killed with it may still be ending: it is waited for."""
    put(s, "m.weir", MARKED % ("", ""))
    p = start(s, "m.weir", "--variant=b", LONG="60")
    wait_for("a run", lambda: children(p.pid))
    running(s, "m.study", 1 + [r["variant"] for r in index(s, "m.study")["runs"]].index("b"), p)
    p.kill()
    study(s, "m.weir")
    check(statuses(s, "m.study") == ["done"] * 4, "not all is done")


def first_of_a(s):
    """Which run of the order is the first of variant a."""
    return 1 + [r["variant"] for r in index(s, "m.study")["runs"]].index("a")


def test_killed(s):
    put(s, "m.weir", MARKED % ("", ""))
    study(s, "m.weir", "--variant=b")
    n = first_of_a(s)
    p = start(s, "m.weir", LONG="60")
    running(s, "m.study", n, p)
    killed(s, p)
    check(os.path.exists(s.path("mark")) and story(s) == ["up"], "it was torn down by somebody")
    check(index(s, "m.study")["active"]["variant"] == "a", "nobody would know")
    study(s, "m.weir", "--dry-run")
    check(story(s) == ["up"], "a dry run did something")

    done = study(s, "m.weir")
    check("variant a is still set up: torn down first" in done.stderr, done.stderr)
    check(story(s) == ["up", "down"] + ["up", "down"] * 2, str(story(s)))
    check(statuses(s, "m.study") == ["done"] * 4, "not all is done")
    check("active" not in index(s, "m.study"), "still active")


def test_commands_of_others(s):
    """An index is a file with commands in it."""
    need_root()
    put(s, "m.weir", MARKED % ("; sleep 30", ""))
    p = start(s, "m.weir", "--variant=a")
    wait_for("the mark", lambda: os.path.exists(s.path("mark")))
    killed(s, p)
    os.chown(s.path("m.study/study.json"), 12345, 0)
    p = study(s, "m.weir", status=1)
    check("is another user's (uid 12345)" in p.stderr and story(s) == ["up"], p.stderr)


def test_killed_in_setup(s):
    """... and then begun anew: what was set up is torn down all the same."""
    put(s, "m.weir", MARKED % ("; sleep 30", ""))
    p = start(s, "m.weir", "--variant=a")
    wait_for("the mark", lambda: os.path.exists(s.path("mark")))
    killed(s, p)
    put(s, "m.weir", MARKED % ("", ""))
    study(s, "m.weir", "--fresh")
    check(story(s) == ["up", "down"] + ["up", "down"] * 2, str(story(s)))


def test_stopped_in_setup(s):
    """A setup that takes long is ended by Ctrl-C, and torn down."""
    put(s, "m.weir", MARKED % ("; sleep 60", ""))
    p = start(s, "m.weir", "--variant=a")
    wait_for("the mark", lambda: os.path.exists(s.path("mark")))
    interrupted(s, p)
    check(story(s) == ["up", "down"], str(story(s)))
    check("setup failed" not in statuses(s, "m.study"), "its fault?")


def test_second_signal(s):
    """The first Ctrl-C lets the teardown be, the second doesn't: then it is still due."""
    put(s, "m.weir", MARKED % ("", 'echo begins >>"$STORY"; sleep 60; '))
    p = start(s, "m.weir", "--variant=a", LONG="60")
    wait_for("the mark", lambda: os.path.exists(s.path("mark")))
    running(s, "m.study", first_of_a(s), p)
    time.sleep(0.2)
    os.killpg(p.pid, signal.SIGINT)
    wait_for("the teardown", lambda: "begins" in story(s))
    time.sleep(0.2)
    check(p.poll() is None, "it didn't wait for the teardown")
    os.killpg(p.pid, signal.SIGINT)
    _, err = p.communicate(timeout=30)
    check(p.returncode == 128 and "teardown of variant a was broken off" in err, err)
    check(index(s, "m.study")["active"]["variant"] == "a", "it isn't due any more")


def test_one_at_a_time(s):
    put(s, "m.weir", MARKED % ("", ""))
    p = start(s, "m.weir", LONG="60")
    wait_for("a run", lambda: children(p.pid))
    wait_for("the index", lambda: os.path.exists(s.path("m.study/study.json")))
    second = study(s, "m.weir", status=1)
    check("another weir study is at work in it" in second.stderr, second.stderr)
    study(s, "m.weir", "--dry-run", LONG="60")
    interrupted(s, p)


def test_full_disk(s):
    """What is there stays whole, and what was set up is torn down; with more room it goes on."""
    small = s.tmpfs("400k")
    out = f"{small}/out"
    put(s, "m.weir", (MARKED % ("", "")).replace("repeats = 2", "repeats = 12"))
    p = study(s, "m.weir", f"--output-dir={out}", status=1, LONG="10ms")
    check("No space left on device" in p.stderr, p.stderr)
    with open(f"{out}/study.json", encoding="utf-8") as f:
        runs = json.load(f)["runs"]
    done = [r["result"] for r in runs if r["status"] == "done"]
    for name in done:
        with open(f"{out}/{name}", encoding="utf-8") as f:
            json.load(f)
    check(not os.path.exists(f"{small}/mark"), "it was not torn down")
    print(f"  full after {len(done)} runs of {len(runs)}")

    subprocess.run(["mount", "-o", "remount,size=16m", small], check=True)
    again = study(s, "m.weir", f"--output-dir={out}", LONG="10ms")
    check("run 1 of 24" not in again.stderr and "run 24 of 24" in again.stderr, again.stderr)
    check("A a (12 runs)   B b (12 runs)" in again.stdout, again.stdout)


# ---- what must not happen ----

def test_consent(s):
    """A file can't give it; the command line can."""
    s.file("precious", 1 << 20, 7)
    put(s, "c.weir", "[study]\nrepeats = 1\n[workload w]\nrw = write\nsize = 64k\n"
        f"filename = {s.path('precious')}\n")
    p = study(s, "c.weir", status=2)
    check("--destroy" in p.stderr, p.stderr)
    with open(s.path("precious"), "rb") as f:
        check(f.read() == bytes([7]) * (1 << 20), "it was written")
    study(s, "c.weir", f"--destroy={s.path('precious')}")
    with open(s.path("precious"), "rb") as f:
        check(f.read(65536) != bytes([7]) * 65536, "it was not written")
    check([r["attempts"] for r in index(s, "c.study")["runs"]] == [2], "not tried again")


# ---- examples ----

def test_three_kernels(s):
    """A reboot changes nothing but the kernel: here, which of the patterns fits."""
    here = os.uname().release
    example = EXAMPLES + "/study-three-kernels.weir"
    env = {"RUNTIME": "200ms", "SIZE": "1m", "REPEATS": "2", "COOLDOWN": "0",
           "TARGET": s.path("data"), "OFF": "touch off", "ON": "rm off"}
    first = study(s, example, "--variant=old", OLD_KERNEL=here, NEW_KERNEL="0.0", **env)
    check("A old" not in first.stdout and "old: " not in first.stdout and
          "new: 0 of 2 runs are done" in first.stdout, first.stdout)
    refused = study(s, example, "--variant=old", OLD_KERNEL="0.0", NEW_KERNEL=here, status=1, **env)
    check(f"variant old is for kernel 0.0, and this is {here}" in refused.stderr, refused.stderr)
    last = study(s, example, OLD_KERNEL="0.0", NEW_KERNEL=here, **env)
    check("A old (2 runs)   C off (2 runs)" in last.stdout, last.stdout)
    check({r["kernel"] for r in index(s, "study-three-kernels.study")["runs"]} == {here}, "kernel")


def test_depth_and_size(s):
    env = {"TARGET": s.path("data"), "SIZE": "8m", "RUNTIME": "20ms", "REPEATS": "1", "DIRECT": "0"}
    p = study(s, EXAMPLES + "/study-depth-and-size.weir", **env)
    head = [line.split() for line in p.stdout.splitlines()[:2]]
    check(head[0] == ["bs"] and head[1][2:] == ["4k", "16k", "64k", "256k"], p.stdout)
    check(p.stdout.count("randread iodepth=") == 7, p.stdout)


def test_readahead(s):
    need_root()
    need_command("losetup")
    p = study(s, EXAMPLES + "/study-readahead.weir", RUNTIME="200ms", REPEATS="1", BYTES="16777216")
    check("queue.read_ahead_bytes" in p.stdout and "131072 -> 2097152" in p.stdout, p.stdout)
    for job in ("stream ", "streams ", "random "):
        check("\n" + job in p.stdout, p.stdout)


run_all(globals())
