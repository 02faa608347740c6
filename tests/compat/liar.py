#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Can the oracle fail?  Compare fio with a fio that lies, once per kind of lie.

Each lie is a wrapper that runs fio and changes one thing about what it says or
does; run.py must call it out by the right name. Exit status 0, 1, or 77 (no fio).
"""
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

# what must be reported | case | the lie: a sed script on stdout, or a shell line
LIES = [
    ("json.missing /jobs/0/ctx", "psync-read", r'/^ *"ctx" :/d'),
    ("json.extra /jobs/0/ctx2", "psync-read", r's/^\( *\)"ctx" :.*/&\n\1"ctx2" : 1,/'),
    ("json.kind /jobs/0/usr_cpu", "psync-read", r's/"usr_cpu" : [0-9.]*/"usr_cpu" : 1/'),
    ("json.kind /jobs/0/usr_cpu", "psync-read", r's/"usr_cpu" : [0-9.]*/"usr_cpu" : 1.5/'),
    ("json.order /jobs/0/ctx", "psync-read", r'/^ *"ctx"/{h;d};/^ *"majf"/{G}'),
    ("json.form line", "psync-read", r's/"majf" : /"majf": /'),
    ("json.invalid", "psync-read", r's/"ctx" : [0-9]*/"ctx" : nan/'),
    ("json.before", "psync-read", r'1s/^/a word\n/'),
    ("json.messages", "psync-read", r'/^  "jobs" : \[/{s/^/  "messages" : [\n    "a"\n  ],\n/}'),
    ("json.value /jobs/0/read/total_ios", "psync-read", r's/"total_ios" : 16/"total_ios" : 17/'),
    ("json.value /jobs/0/error", "psync-read", r's/"error" : 0/"error" : 5/'),
    ("json.value /jobs/0/job options/rw", "psync-read", r's/"rw" : "read"/"rw" : "write"/'),
    ("json.value /jobs/0/iodepth_level/1", "psync-read", r's/"1" : 100.0/"1" : 99.0/'),
    ("json.value /jobs/0/read/runtime", "time_based", r's/"runtime" : 2.../"runtime" : 1000/'),
    ("text.missing cpu", "psync-read", r'/^  cpu  /d'),
    ("text.missing bw", "time_based", r'/^   bw (/d'),
    ("text.extra latency", "psync-read", r'/^     latency /p'),
    ("text.form", "psync-read", r's/^    clat (/   clat (/'),
    ("text.form", "psync-read", r's/usr=\([0-9]*\.[0-9]\)[0-9]/usr=\1/'),
    ("text.value head", "psync-read", r's/(groupid=0, jobs=1)/(groupid=1, jobs=1)/'),
    ("text.value prow", "psync-read", r's/ 1.00th=/ 2.00th=/'),
    ("json.missing /jobs/0/read/clat_ns/bins", "psync-read", r's/"bins" : /"bin" : /'),
    ("terse.fields", "psync-read", r's/^\([345];fio.*\);/\1/'),
    ("terse.kind line 1 field 8", "psync-read", r's/^\([345];\([^;]*;\)\{6\}\)[0-9]*;/\11.5;/'),
    ("terse 1.field 7", "psync-read", r's/^\([345];\([^;]*;\)\{5\}\)[0-9]*;/\11;/'),
    ("terse.lines", "psync-read", r'/^[345];fio/p'),
    ("forms.document", "psync-read", r's/^{$/{ /'),
    ("sums /jobs/0/read", "psync-read", r's/"bw_bytes" : /&1/'),
    ("sums /jobs/0/read/clat_ns", "psync-read", r'/"bins" : /,/}/s/ : 1,/ : 2,/'),
    ("sums /jobs/0/iodepth_complete", "psync-read", r'/"iodepth_complete"/,/}/s/100.0/50.0/'),
    ("report.line", "psync-read", r's/^     lat (\(.*\)) *: min=/&1/'),
    ("report.line", "psync-read", r's/^   READ: bw=/&1/'),
    ("offsets.list request 3", "psync-read", r's/\(complete: io_u [^:]*: off=0x\)c000,/\1d000,/'),
    ("offsets.count", "psync-read", r'/complete: io_u .*off=0x3c000,/d'),
    ("offsets.bag", "libaio-write-q4", r's/\(complete: io_u [^:]*: off=0x\)2000,/\11000,/'),
    ("offsets.cover", "psync-randwrite", r's/\(complete: io_u [^:]*: off=0x\)2000,/\11000,/'),
    ("offsets.bytes", "bssplit-map", r'/complete: io_u .*off=0x0,/d'),
    ("offsets.inside", "norandommap", r's/\(complete: io_u [^:]*: off=0x\)\(.\)000,/\1\2001,/'),
    ("offsets.sizes", "bssplit", r's/\(complete: .*len=0x\)2000,/\11000,/'),
    ("offsets.syncs", "fsync", r'/complete: .*ddir=3/d'),
    ("offsets.none", "psync-read", r'/complete: /d'),
    ("text.exit", "dev-full", "exit 0"),
    ("text.stderr", "psync-read", "echo word >&2"),
    ("text.files other", "psync-read", "touch other"),
    ("text.files a.0.0", "psync-write", "truncate -s 1000 a.0.0"),
    ("text.files f", "buffer_pattern", "printf x | dd of=f bs=1 seek=1000 conv=notrunc 2>/dev/null"),
    ("text.stdout", "showcmd", r's/rw=write/rw=read/'),
]


def wrapper(folder, fio, number, lie):
    path = os.path.join(folder, f"liar{number}")
    is_shell = lie.split()[0] in ("exit", "echo", "touch", "truncate", "printf")
    change = "cat" if is_shell else f"sed '{lie}'"
    with open(path, "w", encoding="utf-8") as f:
        f.write(f"#!/bin/bash\n{fio} \"$@\" | {change}\nstatus=${{PIPESTATUS[0]}}\n"
                f"{lie if is_shell else ''}\nexit $status\n")
    os.chmod(path, 0o755)
    return path


def caught(folder, fio, number, what, case, lie):
    liar = wrapper(folder, fio, number, lie)
    got = subprocess.run([sys.executable, os.path.join(HERE, "run.py"), "--weir", liar, "--fio", fio,
                          "--tries=1", case], capture_output=True, text=True, check=False)
    if got.returncode == 1 and any(line.strip().startswith(what) for line in got.stdout.splitlines()):
        return True
    print(f"FAIL {case}: not called '{what}': {lie}\n{got.stdout}{got.stderr}")
    return False


def main():
    fio = shutil.which("fio")
    if not fio:
        print("skipped: fio is not installed")
        return 77
    with tempfile.TemporaryDirectory(prefix="weir-liar-") as folder:
        good = sum(caught(folder, fio, i, *lie) for i, lie in enumerate(LIES))
    print(f"{good} of {len(LIES)} lies caught")
    return 0 if good == len(LIES) else 1


if __name__ == "__main__":
    sys.exit(main())
