# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""The figures of a run that the benchmark compares."""
import re
from dataclasses import dataclass

DIRECTIONS = ("read", "write", "trim")


@dataclass
class Run:
    document: dict      # fio's JSON
    wall: float         # seconds, start and end included
    instructions: float = 0  # an I/O, when counted


def _sum(run, key):
    return sum(job[d][key] for job in run.document["jobs"] for d in DIRECTIONS)


def iops(run):
    return _sum(run, "iops")


def _cpu_ns(run, keys):
    """CPU time of the workers per I/O: the JSON has it in percent of the runtime."""
    spent = sum(sum(job[k] for k in keys) / 100 * job["job_runtime"] * 1e6
                for job in run.document["jobs"])
    return spent / max(_sum(run, "total_ios"), 1)


def rate_error(run):
    asked = float(run.document["jobs"][0]["job options"]["rate_iops"])
    return abs(iops(run) - asked) / asked


def late_p99_us(run):
    """Beyond the quantum, in which a few arrivals wait for the next waking."""
    weir = run.document["jobs"][0]["weir"]
    return (weir["read"]["lateness_p99_ns"] - weir["quantum_ns"]) / 1000


FIGURES = {
    "iops": iops,
    "runs/s": lambda run: 1 / run.wall,
    "user_ns": lambda run: _cpu_ns(run, ("usr_cpu",)),
    "cpu_ns": lambda run: _cpu_ns(run, ("usr_cpu", "sys_cpu")),
    "rate_error": rate_error,
    "late_p99_us": late_p99_us,
    "instructions": lambda run: run.instructions,
}


def check_statistics(run):
    """All latency statistics must have been on: a tool that doesn't measure is fast."""
    for job in run.document["jobs"]:
        for d in DIRECTIONS:
            if job[d]["total_ios"] and not job[d]["clat_ns"].get("percentile"):
                return f"{job['jobname']}: {d} has no latency percentiles: not comparable"
    return None


def collected(stderr):
    """Instructions that callgrind counted, in all processes."""
    return sum(int(n) for n in re.findall(r"Collected : (\d+)", stderr))
