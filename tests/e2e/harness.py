# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""What the end-to-end tests share: running weir, scratch places, cleaning up.

A test program is a list of functions named test_*; run_all() runs each in a fresh
scratch folder, prints a line for each and exits 0, 1, or 77 when all were skipped.
The binary is taken from $WEIR.  Whatever a test makes through Scratch (loop
devices, mounts, processes) is gone afterwards, also when it fails.

A claim that other load on the machine can break, whatever weir does, is made by timely():
then the whole test is run again, and fails when it never is as it says.  What must hold on any
machine is made by check(), and fails at once.
"""
import functools
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

WEIR = os.environ.get("WEIR", "weir")


class Skip(Exception):
    """The machine can't run this test; the text says why."""


class Disturbed(AssertionError):
    """Perhaps by other load on the machine: see timely()."""


TRIES = 5  # of a test that was disturbed


def file_system(path):
    """The type of the one that PATH is on."""
    return subprocess.run(["stat", "-f", "-c", "%T", path], capture_output=True, text=True,
                          check=False).stdout.strip()


def takes_direct(folder):
    """Can files there be read past the page cache?"""
    fd, path = tempfile.mkstemp(dir=folder)
    os.close(fd)
    try:
        os.close(os.open(path, os.O_RDWR | os.O_DIRECT))
        return True
    except OSError:
        return False
    finally:
        os.unlink(path)


def is_disk(folder):
    """A folder where what is buffered, direct and asynchronous can be told apart."""
    return file_system(folder) not in ("tmpfs", "ramfs") and takes_direct(folder)


@functools.cache
def place():
    """The usual folder for what passes; on many machines that one is in memory: then one on a disk, if
    there is any."""
    usual = tempfile.gettempdir()
    for folder in (usual, "/var/tmp", os.getcwd()):
        try:
            if is_disk(folder):
                return folder
        except OSError:
            continue
    return usual


class Scratch:
    def __init__(self):
        self.dir = tempfile.mkdtemp(prefix="weir-e2e-", dir=place())
        self.undo = []

    def path(self, name):
        return os.path.join(self.dir, name)

    def file(self, name, size=0, byte=None):
        path = self.path(name)
        with open(path, "wb") as f:
            if byte is not None:
                f.write(bytes([byte]) * size)
            else:
                f.truncate(size)
        return path

    def loop(self, size=64 << 20):
        """A loop device over a file of SIZE bytes."""
        need_root()
        backing = self.file(f"loop{len(self.undo)}.img", size)
        out = subprocess.run(["losetup", "-f", "--show", backing], capture_output=True, text=True)
        if out.returncode:
            raise Skip("no loop device: " + out.stderr.strip())
        dev = out.stdout.strip()
        self.undo.append(lambda: subprocess.run(["losetup", "-d", dev], check=False))
        return dev

    def mount(self, dev, fs="ext4"):
        """With a new file system; None: with the one that it has."""
        if fs:
            need_command("mkfs." + fs)
            subprocess.run(["mkfs." + fs, "-q", dev], check=True, stdout=subprocess.DEVNULL)
        where = self.path("mnt%d" % len(self.undo))
        os.mkdir(where)
        allowed("mount", dev, where)
        self.undo.append(lambda: unmount(where))
        return where

    def tmpfs(self, size):
        need_root()
        where = self.path("tmpfs%d" % len(self.undo))
        os.mkdir(where)
        allowed("mount", "-t", "tmpfs", "-o", f"size={size}", "weir-test", where)
        self.undo.append(lambda: unmount(where))
        return where

    def start(self, *args, **kw):
        """Start weir; the process is killed at the end if it still runs."""
        p = subprocess.Popen([WEIR, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True, cwd=self.dir, **kw)
        self.undo.append(lambda: (p.poll() is None and p.kill(), p.communicate()))
        return p

    def close(self):
        for step in reversed(self.undo):
            try:
                step()
            except Exception as e:  # the rest must be undone, too
                print("cleanup:", e, file=sys.stderr)
        shutil.rmtree(self.dir, ignore_errors=True)


def unmount(where):
    """Processes that were killed a moment ago may still hold it."""
    for _ in range(50):
        if subprocess.run(["umount", where], capture_output=True).returncode == 0:
            return
        time.sleep(0.05)
    subprocess.run(["umount", "-l", where], check=False)


def need_root():
    if os.geteuid() != 0:
        raise Skip("needs root")


def need_command(name):
    if not shutil.which(name):
        raise Skip(f"needs {name}")


def allowed(*command):
    """Run what root may do, but not in each container."""
    p = subprocess.run(command, capture_output=True, text=True)
    if p.returncode:
        raise Skip(f"{' '.join(command)}: {p.stderr.strip()}")


def need_disk(scratch):
    if not is_disk(scratch.dir):
        raise Skip("the scratch folder is in memory, or takes no direct I/O: set TMPDIR")


def put(knob, value):
    """Into a file of /proc or /sys; in a container they may be only read."""
    try:
        with open(knob, "w", encoding="ascii") as f:
            f.write(value)
    except OSError as e:
        raise Skip(f"{knob}: {e.strerror}") from e


NOBODY = 65534


def weir_of_nobody(scratch):
    """A copy of weir that anybody may run, in the scratch folder, which anybody may enter."""
    need_root()
    need_command("setpriv")
    os.chmod(scratch.dir, 0o755)
    copy = scratch.path("weir-copy")
    if not os.path.exists(copy):
        shutil.copy(WEIR, copy)
        os.chmod(copy, 0o755)
    p = subprocess.run(["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", copy,
                        "--version"], capture_output=True, text=True, cwd="/")
    if p.returncode:
        raise Skip("nobody can't run a program in the scratch folder: " + p.stderr.strip())
    return copy


@functools.cache
def io_uring_is_here():
    with tempfile.NamedTemporaryFile(prefix="weir-e2e-") as f:
        return subprocess.run([WEIR, "--name=a", "--ioengine=io_uring", "--iodepth=2", "--rw=write", "--size=4k",
                               f"--filename={f.name}"], capture_output=True, timeout=60).returncode == 0


def need_io_uring():
    """Many containers forbid it."""
    if not io_uring_is_here():
        raise Skip("needs io_uring")


def engines_here(engines):
    """Of these, each a word or a list of options, those that run on this machine."""
    here = [e for e in engines if "io_uring" not in str(e) or io_uring_is_here()]
    if len(here) < len(engines):
        print("  without io_uring, which isn't allowed here")
    return here


def weir(scratch, *args, status=0, timeout=60, env=None):
    """Run weir to its end; STATUS None: any."""
    full_env = {**os.environ, "XDG_CACHE_HOME": scratch.path("cache"), **(env or {})}
    p = subprocess.run([WEIR, *args], capture_output=True, text=True, timeout=timeout,
                       cwd=scratch.dir, env=full_env, stdin=subprocess.DEVNULL)
    if status is not None and p.returncode != status:
        raise AssertionError(f"exit status {p.returncode}, not {status}: {' '.join(args)}\n"
                             f"stdout: {p.stdout[-2000:]}\nstderr: {p.stderr[-2000:]}")
    return p


def weir_json(scratch, *args, **kw):
    """Run weir with JSON output; stdout must be one document."""
    p = weir(scratch, *args, "--output-format=json", **kw)
    return json.loads(p.stdout), p


def children(pid):
    """Pids of all processes below PID, those of one parent in the order of their birth."""
    out = []
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
            direct = [int(x) for x in f.read().split()]
    except (FileNotFoundError, ProcessLookupError):
        return out
    for child in direct:
        out += [child] + children(child)
    return out


def is_worker(pid):
    """A worker catches SIGUSR2; children that look at the machine for a moment don't."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as f:
            caught = next(line for line in f if line.startswith("SigCgt:"))
    except (FileNotFoundError, ProcessLookupError, StopIteration):
        return False
    return bool(int(caught.split()[1], 16) >> signal.SIGUSR2 - 1 & 1)


def workers(p, n=1):
    """The pids of the workers of weir P, once there are N or more.  Those that write logs, one a CPU,
    are among them: where a job has logs, see named()."""
    def there():
        found = [pid for pid in children(p.pid) if is_worker(pid)]
        return len(found) >= n and found
    return wait_for(f"{n} workers", there)


def named(p, comm):
    """The child of weir P whose worker, or one of them that are its threads, has that name: --comm."""
    def there():
        for pid in children(p.pid):
            for name in glob.glob(f"/proc/{pid}/task/*/comm"):
                try:
                    with open(name, encoding="utf-8", errors="replace") as f:
                        if f.read().strip() == comm:
                            return pid
                except (FileNotFoundError, ProcessLookupError):
                    pass
        return None
    return wait_for(f"a worker {comm}", there)


def wait_for(what, condition, seconds=30):
    """Poll CONDITION until it gives something true."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        got = condition()
        if got:
            return got
        time.sleep(0.02)
    raise AssertionError(f"waited {seconds} s in vain for {what}")


def served_disk(scratch, nbd_filter, option):
    """A file of 64 MiB: a disk that nbdkit serves from memory, one request after the other,
    through one of its filters."""
    need_root()
    for name in ("nbdkit", "nbdfuse"):
        need_command(name)
    if not os.path.exists("/dev/fuse"):
        raise Skip("needs /dev/fuse")
    disk = scratch.path("disk")
    with open(disk, "wb"):
        pass
    server = subprocess.Popen(["nbdfuse", disk, "--command", "nbdkit", "-s", "--exit-with-parent",
                               f"--filter={nbd_filter}", "memory", "64M", option])
    scratch.undo.append(lambda: (subprocess.run(["fusermount3", "-u", disk], check=False),
                                 server.wait(timeout=10)))
    wait_for("the disk", lambda: os.path.getsize(disk) == 64 << 20)
    return disk


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as f:
            return f.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def check(ok, text):
    if not ok:
        raise AssertionError(text)


def timely(ok, text):
    """check(), of what a busy machine can break."""
    if not ok:
        raise Disturbed(text)


def run_once(name, test, last):
    """"ok", "skip", "FAIL", or "again", which the LAST try never is."""
    scratch = Scratch()
    what, said = "ok", ""
    try:
        test(scratch)
    except Skip as e:
        what, said = "skip", f": {e}"
    except Disturbed as e:
        what, said = "FAIL" if last else "again", f": {e}"
    except Exception as e:
        what, said = "FAIL", f": {type(e).__name__}: {e}"
    finally:
        scratch.close()
    print(f"{what} {name}{said}", flush=True)
    return what


def run_all(namespace):
    tests = [(n, f) for n, f in namespace.items() if n.startswith("test_") and callable(f)]
    wanted = sys.argv[1:]
    ends = []
    for name, test in tests:
        if wanted and name not in wanted:
            continue
        for tried in range(1, TRIES + 1):
            end = run_once(name, test, tried == TRIES)
            if end != "again":
                break
        ends.append(end)
    if "FAIL" in ends:
        sys.exit(1)
    sys.exit(77 if ends == ["skip"] * len(tests) else 0)


# used by tests for readability
SIGSTOP, SIGCONT, SIGKILL, SIGINT = signal.SIGSTOP, signal.SIGCONT, signal.SIGKILL, signal.SIGINT
