# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""The rows of the benchmark: one job that both programs run, and what is wanted of it.

A want is a figure of tests/bench/figures.py, and the least (or the most) that its
ratio weir / fio may be; `value` instead of `ratio` is a limit on weir's own figure.
In the arguments {seconds} is how long a run takes, {device} and {folder} are what
the setup of the row made.
"""
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Want:
    figure: str
    sign: str          # ">=" or "<="
    limit: float
    of: str = "ratio"  # or "value"

    def met(self, value):
        return value >= self.limit if self.sign == ">=" else value <= self.limit


@dataclass(frozen=True)
class Row:
    name: str
    args: str
    wants: tuple
    fio_args: str = ""        # when fio must be asked in another way
    self_args: str = ""       # against weir itself, asked in this way, instead of fio
    rounds: int = 0           # more than the usual number, when the limit is close to 1
    setup: str = ""           # a key of tests/bench/setups.py
    native: bool = False      # weir by its own name: figures that fio's tree has no place for
    latencies: bool = True    # both must have had their latency statistics on
    notes: str = field(default="", compare=False)


def more(limit, figure="iops"):
    return Want(figure, ">=", limit)


def less(limit, figure):
    return Want(figure, "<=", limit)


NULL = ("--name=a --ioengine=null --size=100g --bs=4k --time_based --runtime={seconds} "
        "--output-format=json ")
RANDOM = NULL + "--norandommap --iodepth=32 "
DEVICE = ("--name=a --filename={device} --direct=1 --rw=randread --bs=4k --time_based "
          "--runtime={seconds} --output-format=json ")
CONSTANT = " --refill_buffers=0 --scramble_buffers=0"
ONE = "--name=a --ioengine=null --size=4k --bs=4k --rw=read --output-format=json "
VERIFY = ("--name=a --filename={folder}/f --size=512m --verify_state_save=0 --fallocate=none "
          "--output-format=json ")
TUNED = " --fixedbufs=1 --registerfiles=1 --iodepth_batch_submit=16 --iodepth_batch_complete_max=32"

ROWS = [
    # The loop itself
    Row("null-randread-q32", RANDOM + "--rw=randread", (more(10),)),
    Row("null-randread-q1", NULL + "--rw=randread --norandommap --iodepth=1", (more(2.2),)),
    Row("null-one-a-call", RANDOM.replace("=null", "=trickle(null)") + "--rw=randread", (more(3),),
        fio_args=RANDOM + "--rw=randread",
        notes="requests come back one a call, as devices finish them; fio's come back at once"),
    Row("null-coverage-100g", NULL + "--rw=randread --iodepth=32", (more(8),)),
    Row("null-coverage-2^28+1", NULL.replace("100g", "1099511631872") + "--rw=randread --iodepth=32",
        (more(8),)),
    Row("null-coverage-1t", NULL.replace("100g", "1t") + "--rw=randread --iodepth=32", (more(8),)),
    Row("null-seq", RANDOM + "--rw=read", (more(8),)),
    Row("null-bssplit", RANDOM + "--rw=randread --bssplit=4k/50:8k/30:64k/20", (more(8),)),
    Row("null-zipf", RANDOM + "--rw=randread --random_distribution=zipf:1.2", (more(8),)),
    Row("null-mixed", RANDOM + "--rw=rw", (more(4),)),
    Row("null-randwrite", RANDOM + "--rw=randwrite", (more(2),)),
    Row("null-mixed-constant", RANDOM + "--rw=rw" + CONSTANT, (more(8),)),
    Row("null-randwrite-constant", RANDOM + "--rw=randwrite" + CONSTANT, (more(8),)),
    Row("null-rate-500k", RANDOM + "--rw=randread --rate_iops=500000",
        (Want("rate_error", "<=", 0.001, "value"), less(0.5, "cpu_ns"),
         Want("late_p99_us", "<=", 20, "value")), native=True,
        notes="lateness beyond the quantum, on an idle core"),
    Row("instructions-q32", "--name=a --ioengine=null --size=100g --bs=4k --rw=randread "
        "--norandommap --thread --iodepth=32 ", (Want("instructions", "<=", 200, "value"),)),
    Row("instructions-q1", "--name=a --ioengine=null --size=100g --bs=4k --rw=randread "
        "--norandommap --thread --iodepth=1 ", (Want("instructions", "<=", 300, "value"),)),
    # Set-up doesn't depend on the size of what is covered; nothing is lost by logging
    Row("start-coverage-1p", ONE.replace("4k --bs", "1p --number_ios=1 --bs").replace("=read", "=randread"),
        (more(0.8, "runs/s"),),
        self_args=ONE.replace("4k --bs", "1g --number_ios=1 --bs").replace("=read", "=randread"),
        latencies=False),
    Row("log-binary", RANDOM + "--rw=randread --write_binary_log={folder}/l", (more(0.5),),
        self_args=RANDOM + "--rw=randread", setup="memory",
        notes="every I/O, 16 bytes each, to tmpfs; against weir without the log"),
    # Written, read back and checked, on tmpfs
    Row("verify-crc32c-4k", VERIFY + "--rw=randwrite --bs=4k --verify=crc32c", (more(1.5, "runs/s"),),
        setup="memory"),
    Row("verify-crc32c-64k", VERIFY + "--rw=write --bs=64k --verify=crc32c", (more(1.5, "runs/s"),),
        setup="memory"),
    Row("verify-xxhash-4k", VERIFY + "--rw=randwrite --bs=4k --verify=xxhash", (more(1.5, "runs/s"),),
        setup="memory"),
    Row("verify-xxhash-64k", VERIFY + "--rw=write --bs=64k --verify=xxhash", (more(1.5, "runs/s"),),
        setup="memory"),
    # A block device of RAM
    Row("ram-psync", DEVICE + "--ioengine=psync", (more(1.15), less(0.4, "user_ns")), setup="zram"),
    Row("ram-libaio", DEVICE + "--ioengine=libaio --iodepth=32", (more(1.15), less(0.4, "user_ns")),
        setup="zram"),
    Row("ram-io_uring", DEVICE + "--ioengine=io_uring --iodepth=32",
        (more(1.15), less(0.4, "user_ns")), setup="zram"),
    Row("ram-io_uring-tuned", DEVICE + "--ioengine=io_uring --iodepth=32", (more(1.0),),
        fio_args=DEVICE + "--ioengine=io_uring --iodepth=32" + TUNED, setup="zram", rounds=15,
        notes="fio with fixedbufs, registerfiles and batches; weir with none asked for"),
    # Many jobs, files
    Row("writers", "--name=writers --filename={folder}/f --size=1g --ioengine=libaio --iodepth=16 "
        "--bs=4k --rw=write --numjobs=8 --time_based --runtime={seconds} --output-format=json",
        (more(1.0), less(0.4, "user_ns")), setup="file", rounds=15),
    Row("start-one", ONE, (more(10, "runs/s"),), latencies=False),
    Row("start-1000-processes", ONE + "--numjobs=1000 --group_reporting", (more(8, "runs/s"),),
        latencies=False),
    Row("start-1000-threads", ONE + "--numjobs=1000 --group_reporting --thread",
        (more(6, "runs/s"),), latencies=False),
    Row("start-1000-reports", ONE + "--numjobs=1000 --thread", (more(6, "runs/s"),),
        latencies=False),
    Row("files-200000-null", "--name=a --ioengine=null --nrfiles=200000 --filesize=4k --bs=4k "
        "--rw=randread --directory={folder} --output-format=json", (more(1, "runs/s"),),
        setup="folder", latencies=False),
]
