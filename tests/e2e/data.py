#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""What is in the files that were written: read back and looked at by other means."""
import lzma
import os
import zlib

from harness import Skip, check, engines_here, run_all, weir

SECTOR = 512
BLOCK = 4096
MIB = 1 << 20


def written(scratch, *args, name="f"):
    """The bytes of the file after a job of 4 KiB writes."""
    path = scratch.path(name)
    weir(scratch, "--compat=fio", "--name=a", f"--filename={path}", "--rw=write", "--bs=4k",
         "--size=4m", *args)
    with open(path, "rb") as f:
        return f.read()


def pieces(data, size):
    return [data[i:i + size] for i in range(0, len(data), size)]


def repeats(data):
    """Percent of the 4 KiB blocks that are copies of another."""
    blocks = pieces(data, BLOCK)
    return 100 * (1 - len(set(blocks)) / len(blocks))


def test_default_has_nothing_to_gain(s):
    data = written(s)
    check(len(set(pieces(data, SECTOR))) == len(data) // SECTOR, "two sectors are alike")
    for what, part in (("the file", data), ("a window of it", data[MIB:2 * MIB])):
        ratio = len(lzma.compress(part)) / len(part)
        check(ratio >= 0.95, f"xz packs {what} to {ratio:.3f}")


def test_default_also_small_and_odd(s):
    data = written(s, "--bs=512", "--size=1m")
    check(len(set(pieces(data, SECTOR))) == len(data) // SECTOR, "two sectors are alike")
    data = written(s, "--bs=1000", "--size=1000000")
    check(len(lzma.compress(data)) / len(data) >= 0.95, "odd blocks can be compressed")


def test_same_seed_same_bytes(s):
    first = written(s)
    check(first == written(s), "a second run has written other bytes")
    check(first != written(s, "--randseed=7"), "another seed has written the same bytes")


def test_jobs_differ(s):
    path = s.path("f")
    weir(s, "--compat=fio", "--name=a", f"--filename={path}", "--rw=write", "--bs=4k", "--size=1m",
         "--numjobs=4", "--offset_increment=1m", "--group_reporting")
    with open(path, "rb") as f:
        data = f.read()
    check(len(set(pieces(data, SECTOR))) == 4 * MIB // SECTOR, "two jobs have written the same sector")


def test_compress_share_of_each_chunk(s):
    for percent, chunk, options in ((50, 512, ()), (30, 1000, ()), (75, 4096, ("--buffer_compress_chunk=0",)),
                                    (10, 4096, ("--buffer_compress_chunk=64k",))):
        given = options or (f"--buffer_compress_chunk={chunk}",)
        data = written(s, f"--buffer_compress_percentage={percent}", *given)
        for block in pieces(data, BLOCK)[:200]:
            for part in pieces(block, chunk):
                soft = int(len(part) * percent / 100 + 0.5)
                check(part.endswith(bytes(soft)), f"{percent} % of {chunk}: no {soft} zeroes at its end")
                hard = part[:len(part) - soft]
                if len(hard) > 100:
                    packed = len(zlib.compress(hard)) / len(hard)
                    check(packed > 0.95, f"{percent} % of {chunk}: the rest packs to {packed:.2f}")
        ratio = sum(len(zlib.compress(x, 9)) for x in pieces(data, BLOCK)) / len(data)
        check(abs(ratio - (1 - percent / 100)) < 0.05, f"{percent} % of {chunk}: zlib makes {ratio:.3f}")


def test_compress_with_pattern(s):
    data = written(s, "--buffer_compress_percentage=50", "--buffer_compress_chunk=1k",
                   '--buffer_pattern="abcdefg"')
    for part in pieces(data, 1024):
        check(part[512:] == (b"abcdefg" * 100)[:512], "the second half is not the pattern")
        check(b"abcdefgabc" not in part[:512], "the pattern in the first half")


def test_dedupe_share(s):
    for percent in (1, 30, 50, 99):
        for mode in ((), ("--dedupe_mode=working_set", "--dedupe_working_set_percentage=1")):
            share = repeats(written(s, f"--dedupe_percentage={percent}", *mode))
            check(abs(share - percent) < 1, f"{percent} %, {mode}: {share:.2f} %")
    share = repeats(written(s, "--dedupe_percentage=100"))
    check(share == 100 * 1023 / 1024, f"100 %: {share}")


def test_dedupe_small_file(s):
    """A hundred blocks are enough for the share to be right."""
    share = repeats(written(s, "--size=400k", "--dedupe_percentage=90"))
    check(round(share, 6) == 90, f"90 % of 100 blocks: {share}")


def test_dedupe_and_compress(s):
    data = written(s, "--dedupe_percentage=40", "--buffer_compress_percentage=50")
    check(abs(repeats(data) - 40) < 1, f"{repeats(data)} %")
    check(all(x.endswith(bytes(256)) for x in pieces(data, SECTOR)), "not half zeroes")


def test_dedupe_repeat_is_near_and_working_set_far(s):
    blocks = pieces(written(s, "--dedupe_percentage=50"), BLOCK)
    for i, block in enumerate(blocks):
        first = blocks.index(block)
        check(len(set(blocks[first:i + 1])) == 1, f"block {i} repeats block {first} over others")
    blocks = pieces(written(s, "--dedupe_percentage=50", "--dedupe_mode=working_set"), BLOCK)
    repeated = {b for b in blocks if blocks.count(b) > 1}
    check(len(repeated) <= 1024 * 5 // 100, f"{len(repeated)} blocks of a working set of 51 are repeated")


def test_dedupe_global(s):
    paths = [s.path(n) for n in "ab"]
    weir(s, "--compat=fio", "--rw=write", "--bs=4k", "--size=4m", "--dedupe_percentage=30",
         "--dedupe_mode=working_set", "--dedupe_global=1", "--name=a", f"--filename={paths[0]}",
         "--name=b", f"--filename={paths[1]}")
    a, b = (open(path, "rb").read() for path in paths)
    check(abs(repeats(a + b) - 30) < 1, f"together {repeats(a + b):.2f} %")
    check(set(pieces(a, BLOCK)) & set(pieces(b, BLOCK)), "no block is in both files")


def check_still(s, engine, *options):
    """A mix over a file of 'o': each block is as it was or all pattern, nothing read before."""
    path = s.file("f", MIB, ord("o"))
    weir(s, "--compat=fio", "--name=a", f"--filename={path}", f"--ioengine={engine}", "--rw=randrw",
         "--bs=4k", "--size=1m", "--norandommap", "--io_size=4m", "--iodepth=8", *options)
    with open(path, "rb") as f:
        found = set(pieces(f.read(), BLOCK))
    return found - {b"o" * BLOCK}


ENGINES = (("psync",), ("libaio", "--direct=1"), ("io_uring",), ("io_uring", "--direct=1"), ("mmap",),
           ("io_uring", "--fixedbufs=1"))


def test_mixed_writes_stay_the_same(s):
    ran = 0
    for engine in engines_here(ENGINES):
        try:
            check(check_still(s, *engine, "--buffer_pattern=0x41") == {b"A" * BLOCK}, f"{engine}")
            check(check_still(s, *engine, "--zero_buffers") == {bytes(BLOCK)}, f"{engine}")
            blocks = check_still(s, *engine, "--scramble_buffers=0")
            check(len(blocks) == 1, f"{engine}: {len(blocks)} blocks where one was written again and again")
            ran += 1
        except AssertionError as e:
            if not any(x in str(e) for x in ("io_uring_disabled", "not supported", "libaio isn't")):
                raise
    if not ran:
        raise Skip("no engine runs here")


def test_short_writes_begin_at_the_right_byte(s):
    """What came back short is continued, and the next write of the buffer is whole again."""
    pattern = ("--buffer_pattern='p'", "--rw=write", "--size=1m")
    with open(s.path("p"), "wb") as f:
        f.write(bytes(i % 251 for i in range(BLOCK)))
    with open(s.path("p"), "rb") as f:
        block = f.read()
    for engine, options in engines_here((("psync", ()), ("libaio", ("--iodepth=8",)),
                                         ("io_uring", ("--iodepth=8",)))):
        path = s.path("short-" + engine)
        weir(s, "--compat=fio", "--name=a", f"--filename={path}", f"--ioengine=fault({engine})",
             "--fault_script=every:3:short:1024", "--bs=4k", *options, *pattern)
        with open(path, "rb") as f:
            wrong = [i for i, b in enumerate(pieces(f.read(), BLOCK)) if b != block]
        check(not wrong, f"{engine}: {len(wrong)} of 256 blocks are wrong, the first is {wrong[:1]}")


if __name__ == "__main__":
    os.umask(0o22)
    run_all(globals())
