# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Run one program once on one case, in a folder of its own, and note all that it did."""
import hashlib
import os
import re
import shlex
import shutil
import signal
import subprocess
from dataclasses import dataclass, field, replace

import logs

SECONDS_MAX = 90

# fio's debug lines: facility left-aligned in 8, pid left-aligned in 5.
DEBUG_LINE = re.compile(r"^(?:[a-z]+ +\d+ .*|fio: set debug option \w+)\n", re.M)
# fio says so of a disk that another test took away while fio looked at all of them.
VANISHED = re.compile(r"^stat: No such file or directory\n", re.M)
COMPLETE = re.compile(
    r"^io +(?P<pid>\d+) +complete: io_u [^:]*: "
    r"off=0x(?P<off>[0-9a-f]+),len=0x(?P<len>[0-9a-f]+),ddir=(?P<ddir>\d+),file=(?P<file>.*)$",
    re.M)


class Skip(Exception):
    """This machine can't run the case; the text says why."""


@dataclass(frozen=True)
class Io:
    """One completed I/O, as --debug=io tells it; ddir 3 is a sync."""
    worker: int
    ddir: int
    file: str
    offset: int
    bytes: int


@dataclass
class Outcome:
    status: int = 0
    stdout: str = ""
    stderr: str = ""
    files: dict = field(default_factory=dict)  # name: (kind, bytes, mode)
    trace: list = field(default_factory=list)


def launch(program, case, folder, words):
    """Run PROGRAM, called as `fio`, with WORDS before the case's own, in FOLDER (made anew)."""
    if case.needs and not shutil.which(case.needs):
        raise Skip(f"fio needs {case.needs}, which is not installed")
    work = os.path.join(folder, "work")
    os.makedirs(work)
    os.makedirs(os.path.join(folder, "bin"))
    face = os.path.join(folder, "bin", "fio")
    os.symlink(program, face)
    undo = []  # commands, last first
    try:
        mount_small(case, work, undo)
        loop = make_loop(case, folder, undo)
        make_files(case, work)
        got = run([face, *words, *shlex.split(case.args.replace("{loop}", loop))], case, work)
        got.files = list_files(work, case)
        return without_number(got, loop)
    finally:
        for command in reversed(undo):
            subprocess.run(command, check=False)
        shutil.rmtree(folder, ignore_errors=True)


def as_root(*command):
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        raise Skip(f"needs root and loop devices: {' '.join(command)}: {made.stderr.strip()}")
    return made.stdout.strip()


def mount_small(case, work, undo):
    """A file system of case.tmpfs bytes at work/small, for full disks."""
    if case.tmpfs:
        path = os.path.join(work, "small")
        os.makedirs(path)
        as_root("mount", "-t", "tmpfs", "-o", f"size={case.tmpfs}", "weir-compat", path)
        undo.append(["umount", path])


def make_loop(case, folder, undo):
    """A block device of case.loop bytes; with case.mounted, an ext4 in use."""
    if not case.loop:
        return ""
    if case.mounted and not os.path.exists("/etc/mtab"):
        raise Skip("fio looks for mounts in /etc/mtab, which isn't here")
    backing = os.path.join(folder, "loop.img")
    with open(backing, "wb") as f:
        f.truncate(case.loop)
    loop = as_root("losetup", "-f", "--show", backing)
    undo.append(["losetup", "-d", loop])
    if case.mounted:
        path = os.path.join(folder, "mounted")
        os.makedirs(path)
        as_root("mkfs.ext4", "-q", loop)
        as_root("mount", loop, path)
        undo.append(["umount", path])
    return loop


def without_number(got, loop):
    """Both programs get the next free loop device, which need not be the same."""
    if loop:
        name = os.path.basename(loop)
        got.stdout, got.stderr = (re.sub(rf"\b{name}\b", "loopN", x)
                                  for x in (got.stdout, got.stderr))
        got.trace = [replace(io, file=io.file.replace(name, "loopN")) for io in got.trace]
    return got


def make_files(case, work):
    for name, content in case.files.items():
        path = os.path.join(work, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if content is None:
            os.makedirs(path)
        elif isinstance(content, int):
            with open(path, "wb") as f:
                f.write(os.urandom(content))
        else:
            with open(path, "w", encoding="utf-8") as f:
                f.write(content)


def run(argv, case, work):
    # Output goes to files: workers append to them line by line, whereas several
    # writers on one pipe would split each other's debug lines.
    out_path, err_path = (os.path.join(work, "..", n) for n in ("stdout", "stderr"))
    env = {"PATH": os.environ["PATH"], "LANG": "C", "TZ": "UTC", "HOME": work, **case.env}
    with open(out_path, "ab+") as out, open(err_path, "ab+") as err:
        process = subprocess.Popen(argv, cwd=work, env=env, stdout=out, stderr=err,
                                   stdin=subprocess.PIPE, start_new_session=True)
        try:
            process.communicate(case.stdin.encode(), timeout=SECONDS_MAX)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            err.write(f"killed after {SECONDS_MAX} s\n".encode())
        out.seek(0)
        err.seek(0)
        stdout, stderr = (f.read().decode("utf-8", "replace") for f in (out, err))
    trace = [Io(int(m["pid"]), int(m["ddir"]), os.path.normpath(m["file"]), int(m["off"], 16),
                int(m["len"], 16))
             for text in (stdout, stderr) for m in COMPLETE.finditer(text)]
    stderr = VANISHED.sub("", stderr)
    return Outcome(process.returncode, DEBUG_LINE.sub("", stdout), DEBUG_LINE.sub("", stderr),
                   trace=trace)


def content_of(path, names):
    """How a file begins, and a hash of it; nothing when the case doesn't name it."""
    if os.path.basename(path) not in names:
        return ()
    with open(path, "rb") as f:
        content = f.read()
    return content[:16].hex(), hashlib.sha256(content).hexdigest()


def list_files(work, case):
    """What lies in WORK that the case didn't bring, or that has changed in kind or size."""
    found = {}
    for at, folders, names in os.walk(work):
        for name in folders + names:
            path = os.path.join(at, name)
            state = os.lstat(path)
            kind = "folder" if name in folders else "file"
            size = 0 if kind == "folder" else state.st_size
            if name in case.logs:
                size = -1
            elif kind == "file" and logs.NAME.match(name):
                size = logs.shape(path, not case.windows)
            found[os.path.relpath(path, work)] = (kind, size, f"{state.st_mode & 0o7777:04o}",
                                                  *content_of(path, case.content))
    return found
