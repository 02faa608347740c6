#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""weir describe and weir doctor on real stacks, as root and as an ordinary user, and the
environment in results."""
import json
import os
import struct
import subprocess

from harness import (NOBODY, WEIR, Skip, check, need_command, need_root, run_all, weir, weir_json,
                     weir_of_nobody)


def look(s, verb, *targets, status=0):
    p = weir(s, verb, "--json", *targets, status=status)
    return json.loads(p.stdout)


def ordinary(s, *args):
    """The same as nobody, who may enter the scratch folder and no other."""
    return subprocess.run([weir_of_nobody(s), *args], capture_output=True, text=True, cwd=s.dir,
                          timeout=60, user=NOBODY, group=NOBODY, extra_groups=[], check=False)


def stack(env, target):
    """"xfs loop ext4 disk": kinds below a target, first branches only."""
    layers = {layer["id"]: layer for layer in env["layers"]}
    at, names = env["targets"][target].get("on"), []
    while at:
        layer = layers[at]
        names.append(layer["filesystem"]["type"] if "filesystem" in layer else layer["kind"])
        at = layer["on"][0] if layer["on"] else None
    return " ".join(names)


def mount(s, what, where, *options):
    os.makedirs(where, exist_ok=True)
    p = subprocess.run(["mount", *options, what, where], capture_output=True, text=True, check=False)
    if p.returncode:
        raise Skip("can't mount: " + p.stderr.strip())
    s.undo.append(lambda: subprocess.run(["umount", where], check=False))
    return where


def ids(doc):
    return {n["id"] for n in doc["notes"]}


# ---- describe ----

def test_file_and_missing(s):
    path = s.file("f", 1 << 20, 7)
    with open(path, "r+b") as f:
        f.truncate(3 << 20)
        os.fsync(f.fileno())
    env = look(s, "describe", path, s.path("not/yet"), "/dev/not-there")["environment"]
    f, missing, device = env["targets"]
    check(f["kind"] == "file" and f["size_bytes"] == 3 << 20, f)
    if "extents" in f:
        check(f["written_bytes"] + f["unwritten_bytes"] + f["hole_bytes"] == 3 << 20, f)
        check(f["hole_bytes"] >= 1 << 20, f)
    check(missing["kind"] == "missing" and missing["folder"] == s.dir, missing)
    check(device["kind"] == "missing" and "folder" not in device, device)
    check(stack(env, 0) == stack(env, 1) and stack(env, 2) == "", env)
    text = weir(s, "describe", path, "/dev/not-there").stdout
    check("would be made" not in text and "doesn't exist" in text, text)


def test_stacks(s):
    need_root()
    for name in ("mkfs.xfs", "mkfs.btrfs"):
        need_command(name)
    root = stack(look(s, "describe", s.dir)["environment"], 0)
    xfs = s.loop(320 << 20)
    subprocess.run(["mkfs.xfs", "-q", xfs], check=True)
    x = mount(s, xfs, s.path("x"))
    one, two = s.loop(128 << 20), s.loop(128 << 20)
    subprocess.run(["mkfs.btrfs", "-q", one, two], check=True, capture_output=True)
    b = mount(s, one, s.path("b"), "-o", "compress=zstd")
    for name in ("lower", "x/up", "x/work"):
        os.mkdir(s.path(name))
    o = mount(s, "overlay", s.path("o"), "-t", "overlay", "-o",
              ",".join(f"{k}={s.dir}/{v}" for k, v in
                       (("lowerdir", "lower"), ("upperdir", "x/up"), ("workdir", "x/work"))))
    tmp = s.tmpfs("1m")
    doc = look(s, "doctor", f"{x}/f", f"{o}/f", f"{b}/f", f"{tmp}/f", status=2)
    env = doc["environment"]
    check(stack(env, 0) == "xfs loop " + root, stack(env, 0))
    check(stack(env, 1) == "overlay xfs loop " + root, stack(env, 1))
    check(stack(env, 2) == "btrfs loop " + root, stack(env, 2))
    check(stack(env, 3) == "tmpfs", stack(env, 3))
    members = next(layer["on"] for layer in env["layers"] if layer["id"] == b)
    check(sorted(members) == sorted(os.path.basename(d) for d in (one, two)), members)
    check({"loop-buffered", "compressing", "in-memory", "target-missing"} <= ids(doc), ids(doc))


def test_read_only(s):
    """A device and a file system that nobody may write to: no consent helps."""
    need_root()
    disk = s.loop(64 << 20)
    subprocess.run(["mkfs.ext4", "-q", disk], check=True)
    where = mount(s, disk, s.path("ro"))
    with open(os.path.join(where, "f"), "wb") as f:
        f.write(bytes(4096))
    subprocess.run(["mount", "-o", "remount,ro", where], check=True)
    other = s.loop(16 << 20)
    subprocess.run(["blockdev", "--setro", other], check=True)
    # It stays so for whoever has the device next.
    s.undo.append(lambda: subprocess.run(["blockdev", "--setrw", other], check=False))
    p = weir(s, "doctor", other, where, os.path.join(where, "f"), status=2)
    check(f"{other}: is refused: it is a read-only device" in p.stdout, p.stdout)
    check(p.stdout.count("is refused: the file system is mounted read-only") == 2, p.stdout)
    p = weir(s, "--name=a", "--filename=" + other, "--rw=write", "--size=1m", "--destroy=" + other, status=1)
    check("is a read-only device" in p.stderr and "--setrw" in p.stderr, p.stderr)


def test_partition_of_a_mounted_disk(s):
    need_root()
    need_command("addpart")
    disk = s.loop(64 << 20)
    with open(disk, "r+b") as f:
        f.seek(446)
        for start in (2048, 40963):  # the second begins inside a physical block of 4 KiB
            f.write(struct.pack("<B3sB3sII", 0, b"", 0x83, b"", start, 16384))
        f.write(bytes(32) + b"\x55\xaa")
    for number, start in ((1, 2048), (2, 40963)):
        if subprocess.run(["addpart", disk, str(number), str(start), "16384"], check=False).returncode:
            raise Skip("no partitions on loop devices")
        s.undo.append(lambda n=number: subprocess.run(["delpart", disk, str(n)], check=False))
    subprocess.run(["mkfs.ext4", "-q", disk + "p1"], check=True)
    where = mount(s, disk + "p1", s.path("p"))
    doc = look(s, "doctor", disk + "p2", disk, disk + "p1", status=2)
    check(stack(doc["environment"], 0).startswith("partition loop"), doc["environment"])
    check([w["state"] for w in doc["writing"]] == ["free", "refused", "refused"], doc["writing"])
    used = [t.get("used_by", "") for t in doc["environment"]["targets"]]
    check(not used[0] and where in used[1] and where in used[2], used)
    beside = doc["environment"]["targets"][0].get("used_beside", "")
    check(f"{disk}p1 of the same disk is mounted on {where}" in beside and "in-use" in ids(doc), beside)
    first = next(layer for layer in doc["environment"]["layers"] if layer["kind"] == "partition")
    check(first["device"]["partition_start_bytes"] == 40963 * 512, first)


def test_ordinary_user(s):
    need_root()
    disk = s.loop(16 << 20)
    subprocess.run(["mkfs.ext4", "-q", disk], check=True)
    s.file("f", 4096, 1)
    os.chmod(s.path("f"), 0o600)
    os.mkdir(s.path("closed"), 0o700)
    p = ordinary(s, "describe", "--json", "f", disk)
    check(p.returncode == 0, p)
    env = json.loads(p.stdout)["environment"]
    check(env["targets"][0]["size_bytes"] == 4096 and "extents" not in env["targets"][0], env["targets"])
    check({"path": "f", "reason": "Permission denied"} in env["not_read"], env["not_read"])
    p = ordinary(s, "describe", "closed/f")
    check(p.returncode == 1 and "closed/f: Permission denied" in p.stdout, p)
    p = ordinary(s, "doctor", "--json", disk, "closed/f")
    doc = json.loads(p.stdout)
    check(p.returncode == 3 and doc["verdict"] == "invalid", p)
    check("not-accessible" in ids(doc), doc["notes"])
    check([w["state"] for w in doc["writing"]] == ["unknown", "refused"], doc["writing"])


def test_without_proc(s):
    """What isn't known isn't said: no line of limits, none of memory."""
    need_root()
    need_command("unshare")
    p = subprocess.run(["unshare", "-m", "sh", "-c", f"mount -t tmpfs none /proc && exec {WEIR} doctor"],
                       cwd=s.dir, capture_output=True, text=True, timeout=30)
    if not p.stdout:
        raise Skip(p.stderr.strip())
    check("engines " in p.stdout and "\nlimits " not in p.stdout and "\nmemory " not in p.stdout, p.stdout)


def test_words(s):
    for args, status, said in ((["describe"], 1, "describe what?"), (["doctor", "--bad"], 1, "--json"),
                               (["describe", "--env=some", "f"], 1, "--env=masked|full")):
        p = weir(s, *args, status=status)
        check(said in p.stderr and not p.stdout, p)
    p = subprocess.run([WEIR, "describe", "/"], stdout=open("/dev/full", "w", encoding="ascii"),
                       stderr=subprocess.PIPE, text=True, check=False)
    check(p.returncode == 1 and "standard output" in p.stderr, p)


# ---- in results ----

JOB = ["--name=a", "--filename=f", "--size=1m", "--rw=read", "--number_ios=4"]


def test_in_results(s):
    doc, _ = weir_json(s, *JOB)
    env = doc["weir"]["environment"]
    host = os.uname().nodename
    check(env["masked"] and env["host"]["kernel_release"] == os.uname().release, env["host"])
    check(env["cpu"]["online"] == os.sysconf("SC_NPROCESSORS_ONLN"), env["cpu"])
    check(env["targets"][0]["path"] == "f" and env["targets"][0]["size_bytes"] == 1 << 20, env["targets"])
    check(len(host) < 3 or f'"{host}"' not in json.dumps(env), "the host's name is there")
    full, _ = weir_json(s, "--env=full", *JOB)
    check(full["weir"]["environment"]["host"]["host_name"] == host, full["weir"]["environment"]["host"])
    none, _ = weir_json(s, "--env=none", *JOB)
    check("environment" not in none["weir"] and "devices" not in none["weir"], none["weir"].keys())
    fio = weir(s, "--compat=fio", "--output-format=json", *JOB)
    check("weir" not in json.loads(fio.stdout), "fio's document is fio's")
    with open(s.path("r.json"), "w", encoding="utf-8") as f:
        json.dump(doc, f)
    again = json.loads(weir(s, "show", "--output-format=json", "r.json").stdout)
    check(again["weir"]["environment"] == env, "it didn't come back")


def test_run_of_an_ordinary_user(s):
    """What it may not read is named."""
    need_root()
    os.mkdir(s.path("his"))
    os.chmod(s.path("his"), 0o777)
    args = ["run", "--name=a", "--filename=his/n", "--rw=write", "--size=1m", "--output-format=json"]
    p = ordinary(s, *args)
    check(p.returncode == 0, p.stderr)
    watch = json.loads(p.stdout)["weir"]["watch"]
    mine = json.loads(weir(s, *args[:2], "--filename=r", *args[3:]).stdout)["weir"]["watch"]
    if not mine["devices"]:
        raise Skip("no device below the scratch folder")
    with open("/proc/sys/kernel/dmesg_restrict", encoding="ascii") as f:
        if f.read().strip() == "0" or "kernel_not_read" in mine or not os.path.exists("/dev/kmsg"):
            raise Skip("the kernel's log is everybody's here, or nobody's")
    check("not permitted" in watch["kernel_not_read"] or "denied" in watch["kernel_not_read"], watch)
    check("kernel_not_read" not in mine, mine.get("kernel_not_read"))


def test_many_jobs_one_target(s):
    doc, _ = weir_json(s, *JOB, "--numjobs=300", "--thread")
    check(len(doc["weir"]["environment"]["targets"]) == 1, doc["weir"]["environment"]["targets"])
    doc, _ = weir_json(s, "--name=b", "--nrfiles=40", "--size=160k", "--bs=4k", "--rw=write")
    env = doc["weir"]["environment"]
    check(len(env["targets"]) == 16 and env["targets_more"] == 24, env.get("targets_more"))


if __name__ == "__main__":
    run_all(dict(globals()))
