# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""What must hold among the figures of one JSON document (json or json+), whoever wrote it.

check(doc) yields (place, rule broken, figures). Rules that only weir keeps (fio's
percentiles can be above the maximum) are asked with STRICT.
"""
from printer import DIRS, jobs_of


def check(doc, strict=True):
    """STRICT: also what fio doesn't keep."""
    for i, job in enumerate(jobs_of(doc)):
        for name in DIRS:
            if name in job:
                yield from check_direction(f"/jobs/{i}/{name}", job[name], queue(doc, job), strict)
        yield from check_shares(f"/jobs/{i}", job)
        if "sync" in job:
            yield from check_latency(f"/jobs/{i}/sync/lat_ns", job["sync"]["lat_ns"], strict)
    for disk in doc.get("disk_util", []):
        if not 0 <= disk["util"] <= 100:
            yield f"/disk_util/{disk['name']}", "util is 0 to 100", disk["util"]


def queue(doc, job):
    """What may be in flight when its time ends."""
    said = {**doc.get("global options", {}), **job.get("job options", {})}
    return int(said.get("iodepth", 1)) * int(said.get("numjobs", 1))


def near(a, b, within):
    return abs(a - b) <= within


def check_direction(at, d, depth, strict):
    ms, moved = d["runtime"], d["io_bytes"]
    if d["io_kbytes"] != moved >> 10:
        yield at, "io_kbytes = io_bytes / 1024", (d["io_kbytes"], moved)
    bw = moved * 1000 // ms if ms else 0
    if d["bw_bytes"] != bw:
        yield at, "bw_bytes = io_bytes * 1000 / runtime", (d["bw_bytes"], bw)
    if d["bw"] != d["bw_bytes"] >> 10:
        yield at, "bw = bw_bytes / 1024", (d["bw"], d["bw_bytes"])
    done = d["total_ios"] - d["drop_ios"]
    if ms and not -0.001 * done - 1 <= done - d["iops"] * ms / 1000 <= 0.001 * done + depth:
        yield at, "iops * runtime = total_ios, or a queue less", (d["iops"], ms, done)
    for kind in ("slat_ns", "clat_ns", "lat_ns"):
        yield from check_latency(f"{at}/{kind}", d[kind], strict)
        if d[kind]["N"] > done:
            yield f"{at}/{kind}", "N <= total_ios", (d[kind]["N"], done)
    yield from check_three_latencies(at, d, strict)
    yield from check_prios(at, d, strict)
    for what, dev in (("bw", "bw_dev"), ("iops", "iops_stddev")):
        yield from check_samples(at, what, d, dev, strict)


def check_three_latencies(at, d, strict):
    """Each lat is its slat and its clat."""
    slat, clat, lat = (d[k] for k in ("slat_ns", "clat_ns", "lat_ns"))
    if not slat["N"] or not slat["N"] == clat["N"] == lat["N"]:
        return
    both = slat["mean"] + clat["mean"]
    if not near(both, lat["mean"], 0.001 if strict else 0.1 * lat["mean"] + 500):
        yield at, "mean of lat = mean of slat + mean of clat", (both, lat["mean"])


def check_prios(at, d, strict):
    """Each I/O has one priority."""
    lats = [p.get("clat_ns", p.get("lat_ns")) for p in d.get("prios", [])]
    for lat in lats:
        yield from check_latency(f"{at}/prios", lat, strict)
    n = d["lat_ns" if "lat_ns" in d.get("prios", [{}])[0] else "clat_ns"]["N"] if lats else 0
    if sum(lat["N"] for lat in lats) != n:
        yield at, "N of all priorities is N", ([lat["N"] for lat in lats], n)


def check_samples(at, what, d, dev, strict):
    least, most, mean = (d[f"{what}_{k}"] for k in ("min", "max", "mean"))
    if not d[what + "_samples"]:
        if least or most or mean or d[dev]:
            yield at, f"{what}: no samples, no figures", (least, most, mean, d[dev])
    elif not least <= mean + 1 or not mean <= most + 1:
        yield at, f"{what}: min <= mean <= max", (least, mean, most)
    elif strict and d[dev] > most - least + 1:
        yield at, f"{what}: deviation <= max - min", (d[dev], least, most)
    if not 0 <= d["bw_agg"] <= 100.000001:
        yield at, "bw_agg is 0 to 100", d["bw_agg"]


def check_latency(at, lat, strict):
    n, least, most, mean = (lat[k] for k in ("N", "min", "max", "mean"))
    if not n:
        if least or most or mean or lat["stddev"] or "percentile" in lat or "bins" in lat:
            yield at, "N is 0, and so is all else", lat
        return
    if not least - 1e-6 <= mean <= most + 1e-6:
        yield at, "min <= mean <= max", (least, mean, most)
    if n == 1 and lat["stddev"] or lat["stddev"] > most - least + 1:
        yield at, "deviation fits min and max", (lat["stddev"], least, most, n)
    yield from check_percentiles(at, lat, strict)
    yield from check_bins(at, lat, strict)


def check_percentiles(at, lat, strict):
    values = list(lat.get("percentile", {}).values())
    keys = [float(k) for k in lat.get("percentile", {})]
    if keys != sorted(set(keys)):
        yield at, "percentiles are listed once each, in order", keys
    if values != sorted(values):
        yield at, "percentiles don't fall", values
    if strict and values and not (lat["min"] <= values[0] and values[-1] <= lat["max"]):
        yield at, "percentiles are inside min and max", (lat["min"], values, lat["max"])


def check_bins(at, lat, strict):
    if "bins" not in lat:
        return
    bins = [(int(k), v) for k, v in lat["bins"].items()]
    values = [v for v, _ in bins]
    if sum(c for _, c in bins) != lat["N"]:
        yield at, "the bins' sum is N", (sum(c for _, c in bins), lat["N"])
    if values != sorted(set(values)) or any(c <= 0 for _, c in bins):
        yield at, "bins are ascending and hold something", bins
    for value in values:
        if value != middle(value):
            yield at, "a bin is named by its middle", value
    mean = sum(v * c for v, c in bins) / lat["N"]
    if strict and not near(mean, lat["mean"], lat["mean"] / 64 + 1):
        yield at, "the bins' mean is about the mean", (mean, lat["mean"])
    for key, value in lat.get("percentile", {}).items():
        want = by_bins(bins, float(key), lat["N"])
        if value not in (want, lat["min"], lat["max"]):
            yield at, f"percentile {key} is that of the bins", (value, want)


def middle(value):
    """Of the bin that holds VALUE: six bits behind the first."""
    if value < 128:
        return value
    width = 1 << (value.bit_length() - 7)
    return value // width * width + width // 2


def by_bins(bins, percent, n):
    seen = 0
    for value, count in bins:
        seen += count
        if seen >= percent / 100 * n - 1e-9 * n:
            return value
    return bins[-1][0]


def check_shares(at, job):
    """Distributions: all I/Os of reads, writes and trims are in one bucket."""
    dirs = [job[d] for d in DIRS[:3] if d in job] or [job["mixed"]]
    total = sum(d["total_ios"] for d in dirs)
    syncs = job.get("sync", {}).get("total_ios", 0)
    timed = sum(d["clat_ns"]["N"] for d in dirs)
    for key in ("iodepth_submit", "iodepth_complete"):
        yield from check_share(f"{at}/{key}", job[key], (0, 100), 0.1)
    if total and not job["error"]:
        want = 100 * (total + syncs) / total
        yield from check_share(f"{at}/iodepth_level", job["iodepth_level"], (100, want), 0.1)
    spread = {f"{u} {k}": v for u in ("ns", "us", "ms") for k, v in job["latency_" + u].items()}
    if total and not job["error"]:
        yield from check_share(f"{at}/latency", spread, (100 * timed / total,), 0.01)


def check_share(at, shares, sums, least):
    """Each share may have been raised to LEAST."""
    total = sum(shares.values())
    room = least * sum(1 for v in shares.values() if v) + 0.001
    if not any(w - 0.01 <= total <= w + room for w in sums):
        yield at, f"the sum is one of {sums}", total
