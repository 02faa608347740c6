# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""fio's normal text and terse lines, printed again from a JSON document of the same run.

What a program writes in one run under several formats must be the same figures: so
its text and terse lines equal what is printed here from its document. fio's own
outputs are the proof that this printer is right (run.py --weir=/usr/bin/fio).

A document is what json.loads() gives. Where the document doesn't say a figure (the
pid), a line has ANY in its place.
"""
import math
import re

ANY = "\0"
DIRS = ("read", "write", "trim", "mixed")
PERCENTILES = (1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99)
DEPTHS = ("1", "2", "4", "8", "16", "32", ">=64")
BATCHES = ("0", "4", "8", "16", "32", "64", ">=64")


class Style:
    """How one job wants its numbers."""

    def __init__(self, doc, job):
        options = {**doc.get("global options", {}), **job.get("job options", {})}
        self.base = int(options.get("kb_base", 1024))
        self.bits = options.get("unit_base", "0") == "1"
        self.digits = int(options.get("significant_figures", 4))


def scaled(value, digits, base, unit):
    """fio's number scaling: only the last remainder rounds."""
    step, rest = 0, 0
    while len(str(value)) > digits:
        value, rest = divmod(value, base)
        step += 1
    used = len(str(value))
    text = str(value)
    if step and digits - used <= 1:
        text = str(value + (rest * 2 >= base))
    elif step:
        part = f"{rest / base:.{digits - used - 1}f}"
        text = str(value + int(part[0])) + part[1:]
    prefix = ["", *("kMGTPE" if base == 1000 else ("Ki", "Mi", "Gi", "Ti", "Pi", "Ei"))][step]
    return text + prefix + unit


def both(style, value, per_second):
    """VALUE bytes in the job's base, and in the other one."""
    unit = ("bit" if style.bits and per_second else "B") + ("/s" if per_second else "")
    value = value * 8 if style.bits and per_second else value
    return [scaled(value, style.digits, base, unit) for base in (style.base, 2024 - style.base)]


# ---- normal text ----

UNITS = {"msec": 1000000, "usec": 1000, "nsec": 1}


def unit_of(least, most, deviation):
    if least > 2000000 and most > 99999999 and deviation > 1000000:
        return "msec"
    return "usec" if least > 2000 and most > 99999 and deviation > 1000 else "nsec"


def latency_line(label, lat):
    unit = unit_of(lat["min"], lat["max"], lat["stddev"])
    size = UNITS[unit]
    least, most = (scaled(lat[k] // size, 6, 1000, "") for k in ("min", "max"))
    return (f"{label} ({unit}): min={least}, max={most}, avg={lat['mean'] / size:5.2f}, "
            f"stdev={lat['stddev'] / size:5.2f}")


def percentile_lines(label, lat):
    values = lat.get("percentile")
    if not values:
        return
    size = UNITS[unit := unit_of(min(values.values()), max(values.values()), math.inf)]
    yield f"    {label} percentiles ({unit}):"
    precision = decimals(values)
    width = max(5, len(str(-(-max(values.values()) // size))))
    cells = [f" {float(k):{precision + 3}.{precision}f}th=[{-(-v // size):{width}}]"
             for k, v in values.items()]
    each = 73 // (precision + 10 + width)
    for i in range(0, len(cells), each):
        yield "     |" + ",".join(cells[i:i + each]) + ("," if i + each < len(cells) else "")


def decimals(keys):
    """As many as the longest of the list has."""
    return max(len(k.rstrip("0").partition(".")[2]) for k in keys)


def direction_lines(name, d, style):
    if not d["io_bytes"] or not d["runtime"]:
        return
    first, second = both(style, d["bw_bytes"], True)
    yield (f"  {name}: IOPS={scaled(int(d['iops'] + 1e-6), style.digits, 1000, '')}, BW={first} "
           f"({second})({both(style, d['io_bytes'], False)[0]}/{d['runtime']}msec)")
    for kind in ("slat", "clat", "lat"):
        if d[kind + "_ns"]["N"]:
            yield "    " + latency_line(f"{kind:>4}", d[kind + "_ns"])
    prios = [prio_of(p) for p in d.get("prios", [])]
    for name, lat in prios:
        yield "    " + latency_line(name, lat)
    for kind in ("slat", "clat", "lat"):
        yield from percentile_lines(kind, d[kind + "_ns"])
    total = sum(lat["N"] for _, lat in prios)
    for name, lat in prios:
        yield from percentile_lines(f"{name} ({100 * lat['N'] / total:.2f}% of IOs)", lat)
    if d["bw_samples"]:
        yield bw_line(d, style)
    if d["iops_samples"]:
        yield (f"   iops        : min={d['iops_min']:5}, max={d['iops_max']:5}, "
               f"avg={d['iops_mean']:5.2f}, stdev={d['iops_stddev']:5.2f}, "
               f"samples={d['iops_samples']}")


def prio_of(p):
    """(what text calls it, its latencies)"""
    kind = "clat" if "clat_ns" in p else "lat"
    return f"{kind} prio {p['prioclass']}/{p['prio']}/{p.get('priohint', 0)}", p[kind + "_ns"]


def bw_line(d, style):
    """In kB, minimum and maximum are not to be had from whole KiB."""
    binary = style.base == 1024
    mean, deviation = (d[k] * 1024 / style.base for k in ("bw_mean", "bw_dev"))
    size, unit = (style.base, "M") if mean > style.base ** 2 else (1, "K" if binary else "k")
    least, most = (f"{d[k] // size:5}" if binary else ANY for k in ("bw_min", "bw_max"))
    return (f"   bw ({unit + ('iB' if binary else 'B'):>5}/s): min={least}, max={most}, "
            f"per={d['bw_agg']:.2f}%, avg={mean / size:5.2f}, stdev={deviation / size:5.2f}, "
            f"samples={d['bw_samples']}")


def spread_lines(job):
    for unit in ("ns", "us", "ms"):
        shares = [f"{k}={v:.2f}%" for k, v in job["latency_" + unit].items() if v > 0]
        for i in range(0, len(shares), 5):
            yield f"  lat ({unit}ec)   : " + ", ".join(shares[i:i + 5])


def depth_line(title, shares):
    return title + " " + ", ".join(f"{k}={v:.1f}%" for k, v in shares.items())


def job_lines(doc, job):
    style = Style(doc, job)
    error = f" ({ANY})" if job["error"] else ""
    yield (f"{job['jobname']}: (groupid={job['groupid']}, jobs={ANY}): err={job['error']:2}{error}: "
           f"pid={ANY}: {ANY}")
    if "desc" in job:
        yield f"  Description  : [{job['desc']}]"
    for name in DIRS:
        if name in job:
            yield from direction_lines(name, job[name], style)
    for line in spread_lines(job):
        yield line
    sync = job.get("sync", {}).get("lat_ns", {"N": 0})
    if sync["N"]:
        yield "  fsync/fdatasync/sync_file_range/syncfs:"
        yield "    " + latency_line("sync", sync)
        yield from percentile_lines("sync", sync)
    yield (f"  cpu          : usr={job['usr_cpu']:.2f}%, sys={job['sys_cpu']:.2f}%, ctx={job['ctx']}, "
           f"majf={job['majf']}, minf={job['minf']}")
    yield depth_line("  IO depths    :", job["iodepth_level"])
    yield depth_line("     submit    :", job["iodepth_submit"])
    yield depth_line("     complete  :", job["iodepth_complete"])
    yield issued_line(job)
    if "total_err" in job:
        yield f"     errors    : total={job['total_err']}, first_error={job['first_error']}/<{ANY}>"
    target, window = time_of(job["latency_target"]), time_of(1000 * job["latency_window"])
    yield (f"     latency   : target={target}, window={window}, "
           f"percentile={job['latency_percentile']:.2f}%, depth={job['latency_depth']}")
    if "steadystate" in job:
        yield steady_line(job["steadystate"], style)


def time_of(ns):
    for unit in ("ns", "us", "ms", "s"):
        if ns < 1000 or unit == "s":
            return f"{ns:.2f}{unit}"
        ns /= 1000


def steady_line(steady, style):
    """`ss` is "iops:10.000000%" or "bw_slope:..."; `criterion` what was reached."""
    figure, _, slope = steady["ss"].partition(":")[0].partition("_")
    data, percent = steady["data"], "%" if steady["criterion"].endswith("%") else ""
    first, second = both(style, data["bw_mean"], True)
    lat = f", lat={ANY}" if figure == "lat" else ""
    return (f"  steadystate  : attained={'yes' if steady['attained'] else 'no'}, bw={first} ({second}), "
            f"iops={scaled(data['iops_mean'], style.digits, 1000, '')}{lat}, "
            f"{figure} {'slope' if slope else 'mean dev'}="
            f"{float(steady['criterion'].rstrip('%')):.3f}{percent}")


def issued_line(job):
    zero = {"total_ios": 0, "short_ios": 0, "drop_ios": 0}
    dirs = [job[d] for d in DIRS[:3]] if "read" in job else [job["mixed"], zero, zero]
    total, short, drop = (",".join(str(d[k]) for d in dirs) for k in zero)
    syncs = job["sync"]["total_ios"] if "sync" in job else ANY
    return f"     issued rwts: total={total},{syncs} short={short},0 dropped={drop},0"


def did_io(job):
    return any(job[d]["io_bytes"] or job[d]["total_ios"] for d in DIRS if d in job) \
        or job.get("sync", {}).get("total_ios")


def group_lines(doc, group, members):
    style = Style(doc, members[0])
    yield ""
    yield f"Run status group {group} (all jobs):"
    for name in DIRS:
        dirs = [j[name] for j in members if name in j and j[name]["runtime"]]
        if not dirs:
            continue
        total = sum(d["io_bytes"] for d in dirs)
        longest = max(d["runtime"] for d in dirs)
        bw, io = both(style, total * 1000 // longest, True), both(style, total, False)
        ranges = ["-".join(both(style, f(d["bw_bytes"] for d in dirs), True)[i]
                           for f in (min, max)) for i in (0, 1)]
        shortest = min(d["runtime"] for d in dirs)
        yield (f"{name.upper():>7}: bw={bw[0]} ({bw[1]}), {ranges[0]} ({ranges[1]}), io={io[0]} "
               f"({io[1]}), run={shortest}-{longest}msec")


def disk_lines(doc):
    for d in doc.get("disk_util", []):
        counters = [f"{word}={d.get('read_' + key, 0)}/{d.get('write_' + key, 0)}" for word, key in
                    (("ios", "ios"), ("sectors", "sectors"), ("merge", "merges"),
                     ("ticks", "ticks"))]
        below = ANY if "aggr_util" in d else ""
        yield (f"{'  ' if below else ''}  {d['name']}: {', '.join(counters)}, "
               f"in_queue={d['in_queue']}, util={d['util']:.2f}%{below}")


def jobs_of(doc):
    """Without the empty record that fio makes of a group reported in parts."""
    return [j for j in doc["jobs"] if "jobname" in j and j["groupid"] < 1 << 31]


def idle_lines(doc):
    idle = doc.get("cpu_idleness")
    if not idle:
        return
    yield ""
    yield "CPU idleness:"
    yield f"  system: {idle['system']:3.2f}%"
    each = [f"{v:3.2f}%" for k, v in idle.items() if k.startswith("cpu-")]
    if each:
        yield "  percpu: " + ", ".join(each)
    yield f"  unit work: mean={idle['unit_mean']:3.2f}us, stddev={idle['unit_stddev']:3.2f}"


def text(doc):
    """The report from its first empty line on."""
    lines = [""]
    for job in jobs_of(doc):
        if did_io(job):
            lines += job_lines(doc, job)
    for group in sorted({j["groupid"] for j in jobs_of(doc)}):
        lines += group_lines(doc, group, [j for j in jobs_of(doc) if j["groupid"] == group])
    disks = list(disk_lines(doc))
    lines += ["", "Disk stats (read/write):", *disks] if disks else []
    return lines + list(idle_lines(doc))


# ---- terse ----

def terse_latency(lat):
    return [str(lat["min"] // 1000), str(lat["max"] // 1000), f"{lat['mean'] / 1000:f}",
            f"{lat['stddev'] / 1000:f}"]


def terse_percentiles(d, keys):
    by = next((d[k]["percentile"] for k in ("lat_ns", "clat_ns") if "percentile" in d[k]), None)
    if not keys:
        return [ANY + "%=0"] * 20
    cells = [f"{k}%={by[k] // 1000 if by else 0}" for k in keys]
    return cells + ["0%=0"] * (20 - len(keys))


def terse_direction(d, keys, version):
    fields = [d["io_kbytes"], d["bw"], int(d["iops"] + 1e-6), d["runtime"]]
    fields += terse_latency(d["slat_ns"]) + terse_latency(d["clat_ns"])
    fields += terse_percentiles(d, keys) + terse_latency(d["lat_ns"])
    fields += [d["bw_min"], d["bw_max"], f"{d['bw_agg']:f}%", f"{d['bw_mean']:f}",
               f"{d['bw_dev']:f}"]
    if version >= 5:
        fields += [d["bw_samples"], d["iops_min"], d["iops_max"], f"{d['iops_mean']:f}",
                   f"{d['iops_stddev']:f}", d["iops_samples"]]
    return [str(f) for f in fields]


def percentile_keys(job):
    """What the job's list is, as any of its directions shows it; nothing if it has none, or
    no I/O."""
    for name in DIRS:
        for kind in ("lat_ns", "clat_ns"):
            if name in job and "percentile" in job[name][kind]:
                return list(job[name][kind]["percentile"])
    return []


def terse_disk(d):
    fields = [d["name"]] + [str(d[f"{way}_{key}"]) for key in ("ios", "merges", "ticks")
                            for way in ("read", "write")]
    return fields + [str(d["in_queue"]), f"{d['util']:3.2f}%"]


def terse(doc, version):
    """A list of fields for each job."""
    return [terse_job(doc, job, version) for job in jobs_of(doc)]


def terse_job(doc, job, version):
    fields = [str(version), doc["fio version"], job["jobname"], str(job["groupid"]),
              str(job["error"])]
    keys = percentile_keys(job)
    for name in DIRS:
        if name in job and (name != "trim" or version != 3):
            fields += terse_direction(job[name], keys, version)
    fields += [f"{job['usr_cpu']:f}%", f"{job['sys_cpu']:f}%"]
    fields += [str(job[k]) for k in ("ctx", "majf", "minf")]
    fields += [f"{v:3.1f}%" for v in job["iodepth_level"].values()]
    ns, us = (list(job["latency_" + u].values()) for u in ("ns", "us"))
    first = f"{sum(ns) + us[0]:3.2f}%"
    # A share of 0.01 has been raised to that, so their sum is too large.
    fields.append(ANY + "%" if 0.01 in ns + us[:1] else first)
    fields += [f"{v:3.2f}%" for v in us[1:] + list(job["latency_ms"].values())]
    for disk in doc.get("disk_util", []):
        fields += terse_disk(disk)
        if "aggr_util" in disk:
            fields += ["slaves"] + [ANY] * 8
    if "total_err" in job:
        fields += [str(job["total_err"]), str(job["first_error"])]
    if "desc" in job:
        fields.append(job["desc"])
    return fields


# ---- comparing ----

NUMBER = re.compile(r"\d+(?:\.\d+)?")


def same(want, got):
    """Are they the same text? A number with decimals may differ by one in the last of them,
    as the document has rounded it once already."""
    if want == got:
        return True
    pattern = "(?s:.*?)".join(re.escape(x) for x in want.split(ANY))
    if ANY in want and re.fullmatch(pattern, got):
        return True
    if ANY in want or blank(want) != blank(got):
        return False
    for a, b in zip(NUMBER.findall(want), NUMBER.findall(got)):
        places = len(a.partition(".")[2])
        if len(b.partition(".")[2]) != places or abs(float(a) - float(b)) > \
                (1.01 * 10 ** -places if places else 0):
            return False
    return True


def blank(line):
    """Without its numbers, and the blanks that right-align them."""
    return re.sub(r"(?<==) +(?=#)", "", NUMBER.sub("#", line))
