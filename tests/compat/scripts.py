# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""Command lines and job files as scripts, benchmark programs and documentation pages write them, on
small files. Where one is bound by time there, it is bound by size here, unless the time matters."""
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Script:
    name: str
    args: str
    offsets: str = ""
    more: dict = field(default_factory=dict)


def script(name, args, offsets="", **more):
    return Script(name, args, offsets, more)


D = {"d": None}
MIB = {"data": 1 << 20}

# A program that starts with what its user can choose, and finds figures by the job's name.
KUBESTR = """[global]
randrepeat=0
verify=0
ioengine=libaio
direct=1
gtod_reduce=1
[job1]
name=read_iops
bs=4K
iodepth=64
size=1M
readwrite=randread
[job2]
name=write_iops
bs=4K
iodepth=64
size=1M
readwrite=randwrite
stonewall
"""

PHORONIX = """[global]
rw=randread
ioengine=libaio
iodepth=64
size=1m
direct=1
buffered=0
startdelay=0
force_async=4
disk_util=0
clat_percentiles=0
disable_lat=1
disable_clat=1
disable_slat=1
filename=fiofile

[test]
name=test
bs=4k
stonewall
"""

AZURE = """[global]
size=1m
direct=1
iodepth=128
ioengine=libaio
bs=4k
numjobs=2
[reader1]
rw=randread
directory=d

[writer1]
rw=randwrite
directory=d
rate_iops=12500
"""

BENCH = """[global]
size=${SIZE}
direct=${DIRECT}
ioengine=${ENGINE}
group_reporting
runtime=${RUNTIME}
filename=${FILENAME}
bs=${BLOCK_SIZE}
log_avg_msec=250

[iodepth-${IODEPTH}-numjobs-${NUMJOBS}]
rw=${MODE}
iodepth=${IODEPTH}
numjobs=${NUMJOBS}
rwmixread=75
"""
BENCH_ENV = {"SIZE": "1m", "DIRECT": "1", "ENGINE": "libaio", "RUNTIME": "30", "FILENAME": "f",
             "BLOCK_SIZE": "4k", "MODE": "randrw", "IODEPTH": "8", "NUMJOBS": "2"}

SURVIVING = """; three kinds of users
[global]
thread=0
group_reporting
invalidate
[random-writers]
ioengine=libaio
iodepth=4
rw=randwrite
bs=32k
direct=0
size=512k
numjobs=4

[A scan, with/blank]
stonewall
description=reads, one after the other
filename=data
rw=read
size=256k
"""

SCRIPTS = [
    script("yabs-setup", "--name=setup --ioengine=libaio --rw=read --bs=64k --iodepth=64 --numjobs=2 "
           "--size=2m --runtime=30 --gtod_reduce=1 --filename=test.fio --direct=1", ""),
    script("yabs-rw", "--name=rand_rw_4k --ioengine=libaio --rw=randrw --rwmixread=50 --bs=4k "
           "--iodepth=64 --numjobs=2 --size=1m --runtime=30 --gtod_reduce=1 --direct=1 "
           "--filename=test.fio --group_reporting", counts="mix"),
    script("kdiskmark-seq", "--ioengine=libaio --direct=1 --randrepeat=0 --refill_buffers "
           "--end_fsync=0 --rwmixread=70 --filename=k --name=SEQ1M --size=4m --zero_buffers=0 "
           "--bs=1024k --rw=write --iodepth=8 --numjobs=1", "bag"),
    script("kdiskmark-mix", "--ioengine=libaio --direct=1 --randrepeat=0 --refill_buffers "
           "--end_fsync=0 --rwmixread=70 --filename=k --name=RND4K --size=1m --zero_buffers=1 "
           "--bs=4k --rw=randrw --iodepth=32 --numjobs=1 --invalidate=1", "cover", counts="mix"),
    script("phoronix", "j.fio", "cover", files={"j.fio": PHORONIX}),
    script("kubestr", "j.fio --directory=d", "cover", files={**D, "j.fio": KUBESTR}),
    script("dbench-ramp", "--randrepeat=0 --verify=0 --ioengine=libaio --direct=1 --gtod_reduce=1 "
           "--name=read_iops --filename=fiotest --bs=4K --iodepth=64 --size=2M "
           "--readwrite=randread --time_based --ramp_time=1s --runtime=1s", counts="free"),
    script("google-batches", "--name=write_iops --directory=d --size=1M --ioengine=libaio "
           "--direct=1 --verify=0 --bs=4K --iodepth=256 --rw=randwrite --group_reporting=1 "
           "--iodepth_batch_submit=256 --iodepth_batch_complete_max=256", "cover", files=D),
    script("aws-psync", "--directory=d --ioengine=psync --name fio_test_file --direct=1 "
           "--rw=randwrite --bs=16k --size=1M --numjobs=4 --group_reporting --norandommap", "",
           files=D),
    script("aws-initialize", "--filename={loop} --rw=read --bs=1M --iodepth=32 --ioengine=libaio "
           "--direct=1 --name=volume-initialize", "bag", loop=8 << 20),
    script("azure", "--runtime 30 j.fio", "", files={**D, "j.fio": AZURE}),
    script("oracle", "--filename=data --direct=1 --rw=randread --bs=4k --ioengine=libaio "
           "--iodepth=256 --runtime=1 --numjobs=2 --time_based --group_reporting "
           "--name=iops-test-job --eta-newline=1 --readonly", counts="free", files=MIB),
    script("journal-test", "--filename={loop} --direct=1 --sync=1 --rw=write --bs=4k --numjobs=3 "
           "--iodepth=1 --runtime=60 --group_reporting --name=journal-test", "", loop=1 << 20),
    script("one-line-mix", "--randrepeat=1 --ioengine=libaio --direct=1 --gtod_reduce=1 --name=test "
           "--filename=r --bs=4k --iodepth=64 --size=1M --readwrite=randrw --rwmixread=75",
           "cover", counts="mix"),
    script("posixaio-16", "--name=random-write --ioengine=posixaio --rw=randwrite --bs=64k --size=1m "
           "--numjobs=4 --iodepth=16 --runtime=60 --end_fsync=1", ""),
    script("lat-percentiles", "--name=lat --ioengine=libaio --direct=1 --rw=randread --bs=4k "
           "--iodepth=1 --size=1m --lat_percentiles=1 --clat_percentiles=0 "
           "--percentile_list=50:90:99:99.9:99.99 --refill_buffers --norandommap --randrepeat=0 "
           "--group_reporting --numjobs=2", ""),
    script("name-global-mixed", "--name=global --bs=64k --direct=1 --ioengine=libaio --iodepth=4 "
           "--name=one --rw=read --size=1m --name=two --rw=write --size=1m", "bag"),
    script("uring-batches", "--name=x --group_reporting --numjobs=2 --cpus_allowed=0-1 "
           "--cpus_allowed_policy=split --ioengine=io_uring --fixedbufs=1 --registerfiles=1 "
           "--nonvectored=1 --iodepth=32 --iodepth_batch=8 --iodepth_batch_complete=8 --bs=4k "
           "--size=1m --rw=randread --direct=1 --norandommap --thread", ""),
    script("blktests-verify", "--name=verify --rw=randwrite --direct=1 --ioengine=libaio --bs=4k "
           "--iodepth=16 --verify=crc32c --verify_state_save=0 --size=1m --filename={loop}", "cover",
           loop=1 << 20),
    script("cbt-logs", "--ioengine=libaio --direct=1 --bs=4096B --rw=randrw --rwmixread=50 "
           "--runtime=1 --numjobs=2 --iodepth=8 --time_based --size=2M --name=cbt-a --invalidate=0 "
           "--write_bw_log=o --write_lat_log=o --write_iops_log=o --log_avg_msec=250",
           counts="free", windows=True),
    script("kbench-idle", "j.fio --idle-prof=percpu --filename=f --size=1m", "", files={
        "j.fio": "[global]\nbs=4K\niodepth=16\ndirect=1\nioengine=libaio\ngroup_reporting\n"
                 "numjobs=4\nname=raw-randread\nrw=randread\n\n[job1]\n"}),
    script("bench-environment", "j.fio", counts="mix", env=BENCH_ENV, files={"j.fio": BENCH}),
    script("surviving", "j.fio", "", files={**MIB, "j.fio": SURVIVING}),
    script("rate-read-only", "--name=a --ioengine=null --rw=rw --rate=500k, --size=400k",
           counts="mix"),
    script("rate-write-only", "--name=a --ioengine=null --rw=randrw --rate=,500k --size=400k", "cover",
           counts="mix"),
    script("rate-no-reads", "--name=a --ioengine=null --rw=randrw --rwmixread=0 --rate=,2m --size=400k"),
    script("rate-no-writes", "--name=a --ioengine=null --rw=randrw --rwmixread=100 --rate=2m,4m "
           "--size=400k"),
    script("rate_iops-trims", "--name=a --ioengine=null --rw=trimwrite --rate_iops=,,1k --size=400k",
           "list"),
    script("rate-both", "--name=a --filename=data --rw=randread --bs=4k --rate_iops=200,100 --size=400k",
           "cover", files=MIB),
    script("rate-and-pauses", "--name=a --ioengine=null --rw=read --rate_iops=500 --thinktime=100 "
           "--rate_ignore_thinktime=1 --size=400k", "list"),
    script("thinktime-iotime", "--name=a --ioengine=null --rw=read --thinktime=1000 "
           "--thinktime_iotime=1ms --size=256k", "list"),
    script("startdelay-range", "--ioengine=null --rw=read --size=64k --name=a --startdelay=0-1 "
           "--numjobs=3", "list"),
    script("directories", "--name=a --directory=d:e --numjobs=4 --rw=write --size=64k", "list",
           files={"d": None, "e": None}),
    script("directories-format", "--name=a --directory=d:e "
           "'--filename_format=$jobname.$jobnum.$filenum' --nrfiles=2 --numjobs=2 --rw=write "
           "--size=64k", "list", files={"d": None, "e": None}),
    script("format-jobnum", "--name=a '--filename_format=file$jobnum' --numjobs=2 --rw=write "
           "--size=64k", "list"),
    script("log-names", "--name=a --rw=write --size=64k --write_bw_log=x.log --write_lat_log=y/z "
           "--numjobs=2", files={"y": None}),
    script("log-not-per-job", "--name=a --rw=write --size=64k --write_bw_log=x --per_job_logs=0"),
    script("offset-parts", "--name=a --rw=read --size=64k --offset=4k --offset_increment=50% "
           "--numjobs=2 --filename=data", "list", files=MIB),
    script("offset-aligned", "--name=a --rw=read --size=64k --offset=10% --offset_align=64k "
           "--filename=data", "list", files=MIB),
    script("percent-parts", "--name=a --rw=read --size=10% --offset_increment=10% --numjobs=3 "
           "--filename=data --bs=1k", "list", files=MIB),
    script("device-and-file", "--name=a --rw=read --filename={loop}:data --size=1m --bs=64k", "list",
           loop=1 << 20, files=MIB),
    script("bssplit-directions", "--name=a --rw=randrw --bssplit=4k/50:8k/50,16k/30:32k/70 --size=2m "
           "--norandommap", counts="free"),
    script("name-in-section", "j.fio", "list", files={
        "j.fio": "[global]\nname=all\n[a]\nname=b\nrw=write\nsize=16k\n[c]\nrw=write\nsize=16k\n"}),
    script("names-odd", "--rw=write --size=16k --filename=f '--name=a \"b\" {c}' --name=100%d "
           "--name=straße", ""),
    script("stats-off", "--rw=write --size=16k --name=a --stats=0 --name=b", "list"),
    script("environment-missing", "j.fio", "list", files={
        "j.fio": "[a]\nrw=write\nsize=16k\nfilename=x${NOSUCHVAR}y\n"}),
    script("sections-chosen", "j.fio --section=a --section=c", "list", files={
        "j.fio": "[global]\nrw=write\nsize=16k\n[a]\n[b]\n[c]\n"}),
]
