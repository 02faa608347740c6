# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""What was read and written where, compared in the way that the pattern determines it."""
from collections import Counter, defaultdict

SYNC = 3  # and above: fdatasync and its like


def compare(how, region, want, got):
    """Yield (what, place, wanted, got). REGION: bytes of each file that may be used,
    for `inside`. HOW is one of:
    list    the same requests in the same order (sequential, synchronous)
    bag     the same requests in any order (sequential, a queue)
    cover   the same blocks, each as often, whatever the direction (random with coverage)
    bytes   the same bytes, each as often (random with coverage and several sizes)
    inside  as many requests, aligned as the other's, within REGION (free random)
    sizes   the same sizes, each about as often
    """
    syncs = [sum(io.ddir >= SYNC for io in trace) for trace in (want, got)]
    if syncs[0] != syncs[1]:
        yield "offsets.syncs", "", syncs[0], syncs[1]
    want, got = ([io for io in trace if io.ddir < SYNC] for trace in (want, got))
    if not got and want:
        yield "offsets.none", "", f"{len(want)} requests", "no line 'complete: io_u' in --debug=io"
        return
    if how == "inside":
        yield from as_inside(want, got, region)
    else:
        yield from HOW[how](want, got)


def as_list(want, got):
    a, b = (sorted(by_worker(t).values()) for t in (want, got))
    for x, y in zip(a, b):
        for i, (p, q) in enumerate(zip(x, y)):
            if p != q:
                yield "offsets.list", f"request {i}", p, q
                break
    yield from lengths(a, b)


def lengths(a, b):
    a, b = (sorted(len(x) for x in t) for t in (a, b))
    if a != b:
        yield "offsets.count", "", a, b


def by_worker(trace):
    """Requests of each worker, per direction and file: directions of a mix have
    each a position of its own, and their order is drawn."""
    out = defaultdict(list)
    for io in trace:
        out[io.worker, io.ddir, io.file].append((io.file, io.ddir, io.offset, io.bytes))
    return out


def as_bag(want, got):
    yield from counters("offsets.bag", *(
        Counter((io.file, io.ddir, io.offset, io.bytes) for io in t) for t in (want, got)))


def as_cover(want, got):
    yield from counters("offsets.cover", *(
        Counter((io.file, io.offset, io.bytes) for io in t) for t in (want, got)))


def as_bytes(want, got):
    yield from counters("offsets.bytes", *(
        Counter((io.file, k) for io in t for k in range(io.offset, io.offset + io.bytes, unit))
        for t in (want, got) for unit in [min(io.bytes for io in t)]))


def counters(what, a, b):
    for k in sorted(a.keys() | b.keys(), key=str):
        if a[k] != b[k]:
            yield what, str(k), f"{a[k]} times", f"{b[k]} times"
            return


def as_inside(want, got, region):
    yield from lengths([want], [got])
    for who, trace in (("fio", want), ("weir", got)):
        for io in trace:
            if io.offset % io.bytes or io.offset + io.bytes > region:
                yield "offsets.inside", who, f"aligned, below {region}", str(io)
                return


def as_sizes(want, got):
    """Shares of two samples: further apart than four standard deviations is no chance."""
    a, b = (Counter(io.bytes for io in t) for t in (want, got))
    for size in sorted(a.keys() | b.keys()):
        x, y = a[size] / len(want), b[size] / len(got)
        p = (a[size] + b[size]) / (len(want) + len(got))
        if abs(x - y) > 4 * (p * (1 - p) * (1 / len(want) + 1 / len(got))) ** 0.5:
            yield "offsets.sizes", str(size), f"{x:.1%} of the requests", f"{y:.1%}"


HOW = {"list": as_list, "bag": as_bag, "cover": as_cover, "bytes": as_bytes, "sizes": as_sizes}
