# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""What a row of the benchmark needs around it: made before, undone after."""
import contextlib
import os
import subprocess
import tempfile
import time

ZRAM_BYTES = 512 << 20


class Missing(Exception):
    """The row can't be run here; the text says why."""


def _write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def _zram_free():
    for name in sorted(os.listdir("/sys/block")):
        if name.startswith("zram"):
            with open(f"/sys/block/{name}/disksize", encoding="utf-8") as f:
                if int(f.read()) == 0:
                    return name
    raise Missing("no unused zram device")


def _zram_reset(name):
    """Whatever looks at new block devices may have it open for a moment."""
    for _ in range(50):
        try:
            return _write(f"/sys/block/{name}/reset", "1")
        except OSError:
            time.sleep(0.1)
    raise Missing(f"/dev/{name} stays busy: echo 1 > /sys/block/{name}/reset")


@contextlib.contextmanager
def zram():
    """A block device of RAM, full of bytes that don't compress."""
    if os.geteuid():
        raise Missing("zram needs root")
    name = _zram_free()
    _write(f"/sys/block/{name}/disksize", str(ZRAM_BYTES))
    try:
        subprocess.run(["dd", "if=/dev/urandom", f"of=/dev/{name}", "bs=1M", "oflag=direct",
                        f"count={ZRAM_BYTES >> 20}", "status=none"], check=True)
        yield {"device": f"/dev/{name}"}
    finally:
        _zram_reset(name)


@contextlib.contextmanager
def folder():
    with tempfile.TemporaryDirectory(prefix="weir-bench-") as path:
        yield {"folder": path}


@contextlib.contextmanager
def memory():
    """A folder on tmpfs that is emptied between the rows, not between the runs."""
    if not os.path.isdir("/dev/shm"):
        raise Missing("no /dev/shm")
    with tempfile.TemporaryDirectory(prefix="weir-bench-", dir="/dev/shm") as path:
        yield {"folder": path}


@contextlib.contextmanager
def nothing():
    yield {}


SETUPS = {"": nothing, "zram": zram, "folder": folder, "file": folder, "memory": memory}
