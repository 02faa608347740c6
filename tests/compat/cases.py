# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
"""The command lines that fio and weir both run. One row a case; keep it so."""
from dataclasses import dataclass, field

from scripts import SCRIPTS


@dataclass(frozen=True)
class Case:
    name: str
    args: str              # what stands after "fio"
    offsets: str = ""      # how requests compare (offsets.py); "": not at all
    region: int = 0        # bytes of each file that may be used, for offsets="inside"
    counts: str = "same"   # I/O counts: same, mix (sum over directions), about, free
    within: float = 0.15   # for counts="about"
    timing: bool = False   # runs long enough that bw and iops lines must be there
    report: bool = True    # False: only exit status, stderr and files
    stdout: str = ""       # same: standard output to the letter; form: numbers masked
    files: dict = field(default_factory=dict)  # before the run: text, bytes, or None (a folder)
    tmpfs: str = ""        # size of a file system mounted at small/
    loop: int = 0          # bytes of a loop device, {loop} in args
    mounted: bool = False  # with an ext4 on it, mounted
    needs: str = ""        # a program that fio calls
    stdin: str = ""
    env: dict = field(default_factory=dict)
    logs: tuple = ()       # files whose size isn't determined
    content: tuple = ()    # files that must have the same bytes
    windows: bool = False  # its logs are of windows: how many lines is timing

    def slow(self):
        """It takes seconds: run for text and JSON, not for all formats once more."""
        return (self.counts == "about" and not self.timing) or "--runtime=20" in self.args \
            or bool(self.loop or self.tmpfs)


def case(name, args, offsets="", **more):
    return Case(name, args, offsets, **more)


def refused(name, args, **more):
    """Bad input: nothing is run; exit status, stderr and files are compared."""
    return Case(name, args, report=False, **more)


DATA = {"data": 1 << 20}  # one existing file of 1 MiB

GLOBAL_FILE = """; comment
[global]
bs=8k
size=64k
ioengine=psync
[one]
rw=write
[two]
stonewall
rw=randread # trailing comment
"""

ENV_FILE = """[${JOB}x]
rw=write
size=${SIZE}
[plain]
${OPT}=write
size=8*$pagesize
"""

TERSE = "--name=a --ioengine=null --rw=randrw --size=1m --description=words --minimal "

ENGINES = [
    case("null-read", "--name=a --ioengine=null --rw=read --size=1m", "list"),
    case("null-randread-q32", "--name=a --ioengine=null --rw=randread --size=1m --iodepth=32",
         "cover"),
    case("null-write-q8", "--name=a --ioengine=null --rw=write --size=256k --iodepth=8", "bag"),
    case("null-trim", "--name=a --ioengine=null --rw=trim --size=64k", "list"),
    case("null-randtrim", "--name=a --ioengine=null --rw=randtrim --size=64k", "cover"),
    case("null-trimwrite", "--name=a --ioengine=null --rw=trimwrite --size=64k", "list"),
    case("null-randtrimwrite", "--name=a --ioengine=null --rw=randtrimwrite --size=64k", "cover"),
    case("psync-write", "--name=a --rw=write --size=256k --bs=16k", "list"),
    case("psync-read", "--name=a --rw=read --size=256k --bs=16k", "list"),
    case("psync-randwrite", "--name=a --rw=randwrite --size=256k", "cover"),
    case("psync-direct", "--name=a --rw=randread --size=256k --direct=1", "cover"),
    case("sync-read", "--name=a --ioengine=sync --rw=read --size=128k", "list"),
    case("sync-randwrite", "--name=a --ioengine=sync --rw=randwrite --size=128k", "cover"),
    case("vsync-write", "--name=a --ioengine=vsync --rw=write --size=128k", "list"),
    case("pvsync-randwrite", "--name=a --ioengine=pvsync --rw=randwrite --size=128k", "cover"),
    case("pvsync2-randread", "--name=a --ioengine=pvsync2 --rw=randread --size=128k", "cover"),
    case("libaio-write-q4", "--name=a --ioengine=libaio --rw=write --size=256k --iodepth=4", "bag"),
    case("libaio-randread-q8", "--name=a --ioengine=libaio --rw=randread --size=512k --iodepth=8 "
         "--direct=1", "cover"),
    case("libaio-randread-q1", "--name=a --ioengine=libaio --rw=randread --size=128k --direct=1",
         "cover"),
    case("io_uring-read-q8", "--name=a --ioengine=io_uring --rw=read --size=256k --iodepth=8",
         "bag"),
    case("io_uring-randwrite-q4", "--name=a --ioengine=io_uring --rw=randwrite --size=256k "
         "--iodepth=4", "cover"),
    case("io_uring-fixed", "--name=a --ioengine=io_uring --rw=randread --size=256k --iodepth=4 "
         "--fixedbufs --registerfiles --direct=1", "cover"),
    case("io_uring-nonvectored", "--name=a --ioengine=io_uring --rw=randread --size=128k "
         "--iodepth=2 --nonvectored=1 --force_async=4", "cover"),
    case("mmap-write", "--name=a --ioengine=mmap --rw=write --size=128k", "list"),
    case("mmap-randread", "--name=a --ioengine=mmap --rw=randread --size=128k", "cover"),
    case("posixaio-randwrite", "--name=a --ioengine=posixaio --rw=randwrite --size=128k "
         "--iodepth=4", "cover"),
    case("mem-mmap", "--name=a --rw=read --size=64k --mem=mmap", "list"),
    case("mem-mmap-file", "--name=a --rw=read --size=64k --mem=mmap:buffers", "list"),
    case("mem-mmapshared", "--name=a --rw=write --size=64k --iomem=mmapshared", "list"),
    case("mem-shm", "--name=a --rw=randread --size=64k --mem=shm --ioengine=io_uring --iodepth=4",
         "cover"),
    case("mem-shm-threads", "--name=a --rw=read --size=64k --mem=shm --numjobs=3 --thread", ""),
    refused("mem-gpu", "--name=a --size=64k --mem=cudamalloc"),
    refused("mem-unknown", "--name=a --size=64k --mem=stack"),
    case("iomem_align", "--name=a --rw=read --size=64k --direct=1 --iomem_align=512", "list"),
    case("mem_align-buffered", "--name=a --rw=read --size=64k --mem_align=100", "list"),
    case("lockmem", "--name=a --rw=read --size=64k --lockmem=1m", "list"),
    case("depth-note", "--name=a --ioengine=psync --iodepth=8 --rw=read --size=64k", "list"),
]

GROUPS = [
    case("numjobs", "--name=a --rw=write --size=64k --numjobs=3", "list"),
    case("numjobs-one-row", "--name=a --rw=randread --size=64k --numjobs=3 --group_reporting",
         "cover"),
    case("threads", "--name=a --rw=read --size=64k --numjobs=3 --thread", ""),
    case("threads-one-row", "--name=a --ioengine=null --rw=read --size=64k --numjobs=2 --thread "
         "--group_reporting", ""),
    case("thread-and-process", "--name=a --thread --rw=read --size=64k --name=b --thread=0 "
         "--rw=read --size=64k", ""),
    case("stonewall", "--name=a --rw=write --size=64k --filename=f --name=b --stonewall --rw=read "
         "--size=64k --filename=f", "list"),
    case("stonewall-global", "--stonewall --size=64k --rw=write --name=a --name=b --name=c", "list"),
    case("new_group", "--name=a --rw=write --size=64k --name=b --new_group --rw=write --size=64k",
         "list"),
    case("group_reporting-partly", "--name=a --rw=write --size=64k --name=b --rw=write --size=64k "
         "--group_reporting --name=c --rw=write --size=64k", "list"),
    case("group_reporting-groups", "--group_reporting --size=64k --rw=write --numjobs=2 --name=a "
         "--name=b --stonewall", "list"),
    case("wait_for", "--name=a --rw=write --size=64k --name=b --wait_for=a --rw=write --size=64k",
         "list"),
    case("exitall", "--ioengine=null --rw=read --size=1g --rate_iops=100 --time_based --name=a "
         "--runtime=1 --exitall --name=b --runtime=20", counts="about", within=0.3),
    case("exitall-stonewall", "--ioengine=null --rw=read --size=1g --rate_iops=100 --time_based "
         "--name=a --runtime=1 --exitall --exit_what=stonewall --name=b --runtime=20 "
         "--name=c --stonewall --runtime=1", counts="about", within=0.3),
    case("exitall-all", "--ioengine=null --rw=read --size=1g --rate_iops=100 --time_based "
         "--name=a --runtime=1 --exitall --exit_what=all --name=b --runtime=20 "
         "--name=c --stonewall --runtime=1", counts="about", within=0.3),
    case("two-files", "one.fio two.fio", "list", files={
        "one.fio": "[a]\nrw=write\nsize=64k\n", "two.fio": "[b]\nrw=write\nsize=32k\n"}),
    case("cli-and-file", "--name=c --rw=write --size=32k one.fio", "list", files={
        "one.fio": "[a]\nrw=write\nsize=64k\n"}),
]

MIXES = [
    case("rw", "--name=a --rw=rw --size=512k", counts="mix"),
    case("rw-70", "--name=a --rw=rw --rwmixread=70 --size=1m", counts="mix"),
    case("randrw", "--name=a --rw=randrw --size=512k", "cover", counts="mix"),
    case("randrw-write-20", "--name=a --rw=randrw --rwmixwrite=20 --size=1m", "cover", counts="mix"),
    case("randrw-only-reads", "--name=a --rw=randrw --rwmixread=100 --size=128k", "cover"),
    case("randrw-only-writes", "--name=a --rw=randrw --rwmixread=0 --size=128k", "cover"),
    case("randrw-libaio", "--name=a --rw=randrw --ioengine=libaio --iodepth=8 --size=512k --direct=1",
         "cover", counts="mix"),
    case("mix-later-wins", "--name=a --rw=randrw --rwmixread=100 --rwmixwrite=100 --size=128k",
         "cover"),
]

SIZES = [
    case("defaults-said", "--name=a --rw=write --size=64k --verify=0 --do_verify=1 --lockfile=none "
         "--pre_read=0 --unlink_each_loop=0 --percentage_random=100 --latency_target=0 --zonemode=none "
         "--log_avg_msec=0 --write_barrier=0 --atomic=0 --file_append=0 --per_job_logs=1", "list"),
    case("section-right-of-it", "--rw=write --size=64k --name=a --section=b --name=b --name=c", "list"),
    case("said-twice", "--name=a --rw=write --size=64k --bs=16k --bs=8k", "list"),
    case("size-tail", "--name=a --rw=write --size=100k --bs=64k", "list"),
    case("io_size-more", "--name=a --rw=write --size=64k --io_size=160k", "list"),
    case("io_size-less", "--name=a --rw=read --size=256k --io_size=64k", "list"),
    case("io_size-percent", "--name=a --rw=read --size=256k --io_size=50%", "list"),
    case("io_size-random", "--name=a --rw=randread --size=64k --io_size=128k", "cover"),
    case("loops", "--name=a --rw=write --size=64k --loops=3", "list"),
    case("loops-random", "--name=a --rw=randread --size=64k --loops=2", "cover"),
    case("loops-io_size", "--name=a --rw=read --size=512k --io_size=128k --loops=2", "list"),
    case("number_ios", "--name=a --rw=read --size=256k --number_ios=10", "list"),
    case("number_ios-more", "--name=a --rw=read --size=16k --number_ios=100", "list"),
    case("nrfiles", "--name=a --rw=write --size=256k --nrfiles=4", "list"),
    case("nrfiles-odd", "--name=a --rw=write --size=100k --nrfiles=3", "list"),
    case("nrfiles-random", "--name=a --rw=randread --size=256k --nrfiles=4", "cover"),
    case("nrfiles-too-many", "--name=a --rw=write --size=16k --nrfiles=8", ""),
    case("openfiles", "--name=a --rw=write --size=256k --nrfiles=4 --openfiles=2", "list"),
    case("files-sequential", "--name=a --rw=write --size=128k --nrfiles=4 "
         "--file_service_type=sequential", "list"),
    case("files-in-turn-by-3", "--name=a --rw=read --size=128k --nrfiles=4 "
         "--file_service_type=roundrobin:3", "list"),
    case("files-random", "--name=a --rw=read --size=128k --nrfiles=4 --file_service_type=random",
         "bag"),
    case("files-zipf", "--name=a --ioengine=null --rw=read --size=256k --nrfiles=4 "
         "--file_service_type=zipf:1.2", "inside", region=64 << 10),
    case("files-pareto", "--name=a --ioengine=null --rw=randread --size=256k --nrfiles=4 "
         "--file_service_type=pareto:0.2", "inside", region=64 << 10),
    case("files-gauss", "--name=a --ioengine=null --rw=randread --size=256k --nrfiles=4 "
         "--file_service_type=gauss:20", "inside", region=64 << 10),
    case("filenames", "--name=a --rw=write --size=128k --filename=x:y", "list"),
    case("filename-adds-up", "--filename=x --name=a --rw=write --size=128k --filename=y", "list"),
    case("filename-escape", r"--name=a --rw=write --size=64k '--filename=x\:y'", "list"),
    case("directory", "--name=a --rw=write --size=64k --directory=d", "list", files={"d": None}),
    case("filename_format", "--name=a --rw=write --size=64k --nrfiles=2 --numjobs=2 "
         "'--filename_format=$jobname-$jobnum-$filenum.dat'", "list"),
    case("folders-made", "--name=a --rw=write --size=64k --filename=p/q/r", "list"),
    case("offset", "--name=a --rw=read --size=64k --offset=128k --filename=data", "list",
         files=DATA),
    case("offset-odd-random", "--name=a --rw=randread --size=256k --offset=1000 --filename=data",
         "cover", files=DATA),
    case("offset-percent", "--name=a --rw=read --size=64k --offset=33% --bs=64k --filename=data",
         "list", files=DATA),
    case("offset_increment", "--name=a --rw=read --size=64k --offset_increment=128k --numjobs=3 "
         "--filename=data", "list", files=DATA),
    case("file_append", "--name=a --rw=write --size=64k --file_append=1 --filename=data", "list",
         files=DATA),
    case("file_append-clones", "--name=a --rw=write --size=64k --file_append=1 --filename=data "
         "--numjobs=2", "list", files=DATA),
    case("file_append-new", "--name=a --rw=write --size=64k --file_append=1", "list"),
    case("size-percent", "--name=a --rw=read --size=25% --filename=data", "list", files=DATA),
    case("size-of-file", "--name=a --rw=read --bs=64k --filename=data", "list", files=DATA),
    case("filesize", "--name=a --rw=write --filesize=16k --nrfiles=3", "list"),
    case("filesize-size-less", "--name=a --rw=write --filesize=16k --nrfiles=3 --size=32k", "list"),
    case("bs-triplet", "--name=a --rw=randrw --bs=4k,16k,8k --size=512k", counts="free"),
    case("bs-pair", "--name=a --rw=write --bs=4k-32k --size=256k", "list"),
    case("bs-empty", "--name=a --rw=write --bs=,8k --size=64k", "list"),
    case("bsrange", "--name=a --rw=write --bsrange=4k-16k --size=4m --norandommap", "sizes",
         counts="free"),
    case("bsrange-random", "--name=a --rw=randwrite --bsrange=4k-16k --size=512k", "bytes",
         counts="free"),
    case("bssplit", "--name=a --rw=randread --bssplit=4k/20:8k/50:16k/30 --size=2m --norandommap",
         "sizes", counts="free"),
    case("bssplit-map", "--name=a --rw=randread --bssplit=4k/50:16k/50 --size=512k", "bytes",
         counts="free"),
    case("bssplit-blank", "--name=a --rw=randread --bssplit=4k/40:8k/:16k/ --size=2m --norandommap",
         "sizes", counts="free"),
]

PATTERNS = [
    case("skip", "--name=a --rw=read:4k --size=128k", "list"),
    case("skip-back", "--name=a --rw=read:-8k --size=64k", "list"),
    case("jump-every", "--name=a --rw=randread:8 --size=512k --norandommap", "inside",
         region=512 << 10),
    case("lfsr", "--name=a --rw=randread --random_generator=lfsr --size=256k", "cover"),
    case("norandommap", "--name=a --rw=randread --norandommap --size=256k", "inside",
         region=256 << 10),
    case("zipf", "--name=a --rw=randread --random_distribution=zipf:1.2 --size=256k", "inside",
         region=256 << 10),
    case("pareto", "--name=a --rw=randread --random_distribution=pareto:0.3 --size=256k", "inside",
         region=256 << 10),
    case("normal", "--name=a --rw=randread --random_distribution=normal:20 --size=256k", "inside",
         region=256 << 10),
    case("zipf-flat", "--name=a --rw=randread --random_distribution=zipf:0 --size=256k", "inside",
         region=256 << 10),
    case("normal-bare", "--name=a --rw=randread --random_distribution=normal --size=256k", "inside",
         region=256 << 10),
    case("zoned", "--name=a --rw=randread --random_distribution=zoned:60/10:30/20:8/30:2/40 "
         "--size=1m", "inside", region=1 << 20),
    case("zoned-empty-rest", "--name=a --rw=randread --random_distribution=zoned:90/10:10/40 "
         "--size=1m", "inside", region=512 << 10),
    case("zoned_abs", "--name=a --rw=randread --random_distribution=zoned_abs:80/64k:20/64k "
         "--size=1m", "inside", region=128 << 10),
    case("jump-same", "--name=a --rw=randread:4 --rw_sequencer=identical --size=256k "
         "--norandommap", "inside", region=256 << 10),
    case("percentage_random", "--name=a --rw=randread --percentage_random=80 --norandommap "
         "--size=1m", "inside", region=1 << 20),
    case("percentage_random-none", "--name=a --rw=randread --percentage_random=0 --size=256k",
         "list"),
    case("bs_is_seq_rand", "--name=a --rw=write --bs=4k,8k --bs_is_seq_rand=1 --size=128k", "list"),
    case("bs_is_seq_rand-random", "--name=a --rw=randread --bs=8k,8k --bs_is_seq_rand=1 "
         "--size=256k", "cover"),
    case("strided", "--name=a --rw=read --size=1m --zonemode=strided --zonesize=16k "
         "--zonerange=32k --zoneskip=64k", "list"),
    case("strided-write", "--name=a --rw=write --size=200k --zonemode=strided --zonesize=18k "
         "--zonerange=50k", "list"),
    case("strided-often", "--name=a --rw=read --size=512k --zonemode=strided --zonesize=32k "
         "--zonerange=16k --zoneskip=64k", "list"),
    case("strided-skip", "--name=a --rw=read:4k --size=128k --zonemode=strided --zonesize=16k "
         "--zonerange=64k", "list"),
    case("strided-loops", "--name=a --rw=read --size=64k --zonemode=strided --zonesize=16k "
         "--zonerange=32k --loops=2", "list"),
    case("strided-trimwrite", "--name=a --ioengine=null --rw=trimwrite --size=128k "
         "--zonemode=strided --zonesize=32k --zonerange=64k", "list"),
    case("strided-random-whole", "--name=a --rw=randread --size=256k --zonemode=strided "
         "--zonesize=64k --zonerange=64k", "cover"),
    case("strided-random-part", "--name=a --rw=randread --size=256k --zonemode=strided "
         "--zonesize=32k --zonerange=64k", "inside", region=256 << 10),
    case("trim-skip", "--name=a --ioengine=null --rw=trim:4k --size=64k", "list"),
    case("trimwrite-skip", "--name=a --ioengine=null --rw=trimwrite:4k --size=64k", "list"),
    case("trimwrite-ios", "--name=a --ioengine=null --rw=trimwrite --size=64k --number_ios=3",
         "list"),
    case("randrepeat-off", "--name=a --rw=randread --randrepeat=0 --size=128k", "cover"),
    case("randseed", "--name=a --rw=randread --randseed=77 --size=128k", "cover"),
]

VERIFY = [
    case("verify-seq", "--name=a --rw=write --size=256k --verify=crc32c --verify_state_save=0", "list"),
    case("verify-rand", "--name=a --rw=randwrite --size=256k --verify=md5 --verify_state_save=0", "cover"),
    case("verify-libaio", "--name=a --rw=randwrite --size=256k --verify=xxhash --ioengine=libaio "
         "--iodepth=8 --verify_state_save=0", "cover"),
    case("verify-loops", "--name=a --rw=write --size=64k --loops=3 --verify=sha1 --verify_state_save=0",
         "list"),
    case("verify-meta", "--name=a --rw=write --size=64k --verify=meta --verify_state_save=0", "list"),
    case("verify-null", "--name=a --rw=write --size=64k --verify=null --verify_state_save=0", "list"),
    case("verify-pattern", "--name=a --rw=write --size=64k --verify=pattern --verify_pattern=0xdeadbeef "
         "--filename=data --verify_state_save=0", "list", content=("data",)),
    case("verify-pattern-alone", "--name=a --rw=write --size=64k --verify_pattern=%o --filename=data "
         "--verify_state_save=0", "list"),
    case("verify-stamp-only", "--name=a --rw=write --size=64k --verify=crc32 --do_verify=0 "
         "--verify_state_save=0", "list"),
    case("verify-backlog", "--name=a --rw=write --size=256k --verify=crc32c --verify_backlog=16 "
         "--verify_state_save=0", "bag"),
    case("verify-async", "--name=a --rw=write --size=256k --verify=crc32c --verify_async=2 "
         "--verify_state_save=0", "list"),
    case("verify-interval", "--name=a --rw=write --bs=16k --size=256k --verify=crc32c "
         "--verify_interval=1k --verify_state_save=0", "list"),
    case("verify-later", "--verify=crc32c --size=128k --filename=data --verify_state_save=0 "
         "--name=w --rw=write --do_verify=0 --name=r --stonewall --rw=read", "list"),
    case("verify-clones", "--name=a --rw=write --size=64k --numjobs=2 --verify=crc32c "
         "--verify_state_save=0", "list"),
    case("verify-number_ios", "--name=a --rw=write --size=256k --number_ios=10 --verify=crc32c "
         "--verify_state_save=0", "list"),
    case("verify-randrw", "--name=a --rw=randrw --size=256k --verify=crc32c --verify_state_save=0",
         counts="free"),
    case("verify-wrong", "--name=a --rw=read --size=64k --filename=data --verify=crc32c "
         "--verify_state_save=0", "list", files={"data": 64 << 10}),
    case("verify-wrong-fatal", "--name=a --rw=read --size=64k --filename=data --verify=crc32c "
         "--verify_fatal=1 --verify_state_save=0", "list", files={"data": 64 << 10}),
    case("verify-wrong-goes-on", "--name=a --rw=read --size=64k --filename=data --verify=crc32c "
         "--continue_on_error=verify --verify_state_save=0", "list", files={"data": 64 << 10}),
    case("verify-wrong-dump", "--name=a --rw=read --size=64k --filename=data --verify=pattern "
         "--verify_pattern=0xde --verify_dump=1 --verify_state_save=0", "list",
         files={"data": 64 << 10}),
    case("verify-wrong-pattern", "--name=a --rw=read --size=64k --filename=data --verify=pattern "
         "--verify_pattern=0xde --verify_state_save=0", "list", files={"data": 64 << 10}),
    refused("verify-word", "--name=a --rw=write --size=64k --verify=crc33"),
    refused("verify-interval-small", "--name=a --rw=write --size=64k --verify=crc32c "
            "--verify_interval=64"),
    case("verify-state", "--name=a --rw=write --size=64k --verify=crc32c", "list"),
]

SYNCS = [
    case("fsync", "--name=a --rw=write --size=32k --fsync=3", "list"),
    case("fdatasync-etcd", "--name=t --rw=write --ioengine=sync --fdatasync=1 --directory=d "
         "--size=220k --bs=2300", "list", files={"d": None}),
    case("fsync-fdatasync", "--name=a --rw=write --size=64k --fsync=2 --fdatasync=3", "list"),
    case("fsync-reads", "--name=a --rw=read --size=64k --fsync=2", "list"),
    case("fsync-libaio", "--name=a --rw=write --size=64k --fsync=4 --ioengine=libaio --iodepth=4",
         "bag"),
    case("end_fsync", "--name=a --rw=write --size=64k --end_fsync=1", "list"),
    case("end_fsync-loops", "--name=a --rw=write --size=64k --end_fsync=1 --loops=2", "list"),
    case("sync_file_range", "--name=a --rw=write --size=64k --sync_file_range=write:4", "list"),
    case("sync_file_range-all", "--name=a --rw=write --size=64k "
         "--sync_file_range=wait_before,write,wait_after:3 --fdatasync=6", "list"),
    case("sync_file_range-zero", "--name=a --rw=write --size=64k --sync_file_range=write:0", "list"),
    refused("sync_file_range-word", "--name=a --rw=write --size=64k --sync_file_range=flush:4"),
    case("fsync_on_close", "--name=a --rw=write --size=64k --fsync_on_close=1", "list"),
    case("o_sync", "--name=a --rw=write --size=32k --sync=1", "list"),
    case("o_dsync", "--name=a --rw=randwrite --size=32k --sync=dsync", "cover"),
]

TIMES = [
    case("time_based", "--name=a --ioengine=null --rw=read --size=64k --time_based --runtime=2 "
         "--rate_iops=200", counts="about", timing=True),
    case("time_based-samples", "--name=a --rw=randread --size=1m --time_based --runtime=2 "
         "--rate_iops=50 --filename=data", files=DATA, counts="about", timing=True),
    case("runtime-cuts", "--name=a --ioengine=null --rw=read --size=1g --runtime=1 "
         "--rate_iops=100", counts="about"),
    case("runtime-not-needed", "--name=a --rw=read --size=64k --runtime=30", "list"),
    case("runtime-no-unit-cut", "--name=a --ioengine=null --rw=read --size=1g --runtime=1500ms "
         "--rate_iops=100", counts="about"),
    case("rate", "--name=a --ioengine=null --rw=write --size=1g --runtime=1 --rate=1m", counts="about"),
    case("rate_iops-mix", "--name=a --ioengine=null --rw=randrw --size=1g --runtime=2 "
         "--rate_iops=300,100 --norandommap", counts="about"),
    case("rate-poisson", "--name=a --ioengine=null --rw=read --size=1g --runtime=2 "
         "--rate_iops=400 --rate_process=poisson", counts="about", within=0.3),
    case("rate-by-size", "--name=a --ioengine=null --rw=read --size=128k --rate=128k",
         counts="about"),
    case("thinktime", "--name=a --rw=read --size=64k --thinktime=20ms", "list"),
    case("thinktime-blocks", "--name=a --ioengine=null --rw=read --size=1g --runtime=2 "
         "--thinktime=100ms --thinktime_blocks=8", counts="about", timing=True),
    case("thinktime-issue", "--name=a --ioengine=null --rw=read --size=1g --runtime=2 --iodepth=16 "
         "--thinktime=100ms --thinktime_blocks=8 --thinktime_blocks_type=issue", counts="about",
         timing=True),
    case("thinktime-catches-up", "--name=a --ioengine=null --rw=read --size=1g --runtime=2 "
         "--thinktime=100ms --thinktime_blocks=10 --rate_iops=200", counts="about", timing=True),
    case("rate_ignore_thinktime", "--name=a --ioengine=null --rw=read --size=1g --runtime=2 "
         "--thinktime=100ms --thinktime_blocks=10 --rate_iops=200 --rate_ignore_thinktime=1",
         counts="about", timing=True),
    case("rate_min-kept", "--name=a --ioengine=null --rw=read --size=1g --runtime=4 --time_based "
         "--rate_iops=200 --rate_iops_min=100 --rate_cycle=500", counts="about", timing=True),
    case("rate_min-missed", "--name=a --ioengine=null --rw=read --bs=4k --size=1g --rate=400k "
         "--rate_min=300k --thinktime=100ms", counts="about", within=0.3, timing=True),
    case("max_latency", "--name=a --ioengine=psync --rw=read --size=1m --max_latency=1ns "
         "--filename=data", files=DATA, counts="free"),
    case("steadystate", "--name=a --ioengine=null --rw=read --size=1g --time_based --runtime=10 "
         "--rate_iops=500 --steadystate=iops:10% --steadystate_duration=3", counts="about",
         timing=True),
    case("steadystate-slope", "--name=a --ioengine=null --rw=read --size=1g --time_based "
         "--runtime=10 --rate_iops=500 --ss=bw_slope:50% --ss_dur=3 --ss_ramp=1", counts="about",
         within=0.3, timing=True),
    case("latency_target", "--name=a --ioengine=null --rw=randread --size=1g --iodepth=8 --time_based "
         "--runtime=20 --latency_target=1s --latency_window=300ms --latency_percentile=50",
         counts="free"),
    case("ramp_time", "--name=a --ioengine=null --rw=read --size=1g --time_based --ramp_time=1 "
         "--runtime=1 --rate_iops=200", counts="about", within=0.25),
    case("startdelay", "--name=a --rw=read --size=64k --name=b --startdelay=1 --rw=read --size=64k",
         "list"),
]

REPORTS = [
    case("percentile_list", "--name=a --rw=read --size=1m --percentile_list=50:90:99.9:99.999",
         "list"),
    case("lat_percentiles", "--name=a --rw=read --size=128k --lat_percentiles=1", ""),
    case("unified-mixed", "--name=a --ioengine=null --rw=randrw --size=4m "
         "--unified_rw_reporting=mixed"),
    case("unified-1-group", "--name=a --ioengine=null --rw=randrw --size=4m --numjobs=2 "
         "--group_reporting --unified_rw_reporting=1"),
    case("unified-mixed-read", "--name=a --ioengine=null --rw=read --size=4m "
         "--unified_rw_reporting=mixed"),
    case("unified-both", "--name=a --ioengine=null --rw=randrw --size=4m --unified_rw_reporting=2",
         counts="mix"),
    case("unified-none", "--name=a --ioengine=null --rw=read --size=64k --unified_rw_reporting=0"),
    case("all-percentiles", "--name=a --rw=randread --size=256k --ioengine=libaio --iodepth=4 "
         "--lat_percentiles=1 --slat_percentiles=1 --clat_percentiles=1 --direct=1", ""),
    case("gtod_reduce", "--name=a --rw=read --size=256k --gtod_reduce=1", ""),
    case("disable_lat", "--name=a --rw=read --size=256k --disable_lat=1", ""),
    case("disable_clat", "--name=a --rw=read --size=256k --disable_clat=1", ""),
    case("disable_slat", "--name=a --rw=read --size=256k --ioengine=libaio --iodepth=2 "
         "--disable_slat=1", ""),
    case("description", "--name=a --rw=read --size=64k '--description=two words'", ""),
    case("options-as-said", "--name=a --readwrite=write --blocksize=0x2000 --size=1mb --nr_files=1 "
         "--timeout=30", ""),
    case("kb_base-1000", "--name=a --ioengine=null --rw=randrw --size=1g --runtime=1200ms "
         "--time_based --rate_iops=400 --kb_base=1000", counts="about", timing=True),
    case("kb_base-mega", "--name=a --ioengine=null --rw=write --bs=1m --size=1t --runtime=1200ms "
         "--time_based --rate_iops=3000 --kb_base=1000 --group_reporting --numjobs=2",
         counts="about", timing=True),
    case("bw-mega", "--name=a --ioengine=null --rw=write --bs=1m --size=1t --runtime=1200ms "
         "--time_based --rate_iops=3000", counts="about", timing=True),
    case("unit_base-bits", "--name=a --rw=write --size=900k --unit_base=1"),
    case("digits-10", "--name=a --rw=write --size=900k --significant_figures=10"),
    case("digits-1", "--name=a --rw=write --size=900k --significant_figures=1"),
    case("percentiles-none", "--name=a --rw=write --size=64k --clat_percentiles=0"),
    case("percentiles-20", "--name=a --rw=write --size=1m --percentile_list=" + ":".join(
        str(5 * i) for i in range(1, 21))),
    case("slat_percentiles-alone", "--name=a --rw=write --size=64k --ioengine=libaio --iodepth=2 "
         "--slat_percentiles=1 --clat_percentiles=0"),
    case("terse-2", TERSE + "--terse-version=2", report=False, stdout="form"),
    case("terse-3", TERSE + "--terse-version=3", report=False, stdout="form"),
    case("terse-4", TERSE + "--terse-version=4", report=False, stdout="form"),
    case("terse-5", TERSE + "--terse-version=5", report=False, stdout="form"),
    case("terse-disk", "--name=a --rw=read --size=64k --minimal", report=False, stdout="form"),
    case("terse-groups", "--minimal --ioengine=null --size=64k --name=a --numjobs=2 "
         "--group_reporting --name=b --stonewall --new_group --lat_percentiles=1",
         report=False, stdout="form"),
    case("terse-errors", "--minimal --name=a --ioengine=null --size=64k --continue_on_error=read",
         report=False, stdout="form"),
    refused("terse-version-9", "--terse-version=9 --name=a --ioengine=null --size=4k"),
    refused("minimal-value", "--minimal=1 --name=a --ioengine=null --size=4k"),
    case("idle-prof", "--name=a --rw=read --size=64k --ioengine=null --idle-prof=system"),
    case("idle-prof-percpu", "--name=a --rw=read --size=64k --ioengine=null --idle-prof=percpu"),
    case("output-file", "--name=a --rw=read --size=64k --output=report", report=False,
         stdout="same", logs=("report",)),
]

# fio's logs: names, columns, and lines per I/O (logs.py).
LOGS = [
    case("log-all", "--name=a --ioengine=null --rw=randrw --size=2m --iodepth=4 --write_bw_log=x "
         "--write_iops_log=x --write_lat_log=x", counts="mix"),
    case("log-synchronous", "--name=a --rw=write --size=64k --fsync=4 --write_bw_log=x "
         "--write_lat_log=x"),
    case("log-libaio", "--name=a --ioengine=libaio --rw=randread --size=256k --iodepth=8 "
         "--direct=1 --write_lat_log=x"),
    case("log-default-name", "j.fio", files={"j.fio": "[global]\nrw=read\nsize=64k\nioengine=null\n"
         "write_bw_log\n[a]\nbs=8k\n[c]\nbs=4k\nwrite_iops_log=\n"}),
    case("log-numjobs", "--name=a --ioengine=null --rw=read --size=64k --numjobs=3 "
         "--write_iops_log=x --name=b --ioengine=null --rw=trim --size=32k --write_bw_log=y"),
    case("log-shared", "--name=a --ioengine=null --rw=read --size=64k --numjobs=3 "
         "--write_iops_log=x --write_lat_log=x --per_job_logs=0"),
    case("log-group", "--name=a --ioengine=null --rw=read --size=64k --numjobs=2 "
         "--group_reporting --write_iops_log=x"),
    case("log-path", "--name=a --ioengine=null --rw=read --size=64k --write_bw_log=d/x",
         files={"d": None}),
    case("log-offset", "--name=a --ioengine=null --rw=randread --size=64k --write_lat_log=x "
         "--write_bw_log=x --log_offset=1"),
    case("log-prio", "--name=a --ioengine=null --rw=randread --size=64k --write_lat_log=x "
         "--log_prio=1"),
    case("log-epoch", "--name=a --ioengine=null --rw=read --size=64k --write_bw_log=x "
         "--log_unix_epoch=1"),
    case("log-disabled", "--name=a --ioengine=null --iodepth=2 --rw=read --size=64k "
         "--write_lat_log=x --write_bw_log=x --write_iops_log=x --disable_slat=1 --disable_lat=1"),
    case("log-no-bw", "--name=a --ioengine=null --rw=read --size=64k --write_bw_log=x "
         "--disable_bw=1"),
    case("log-trimwrite", "--name=a --ioengine=null --rw=trimwrite --size=32k --write_lat_log=x "
         "--write_iops_log=x"),
    case("log-bssplit", "--name=a --ioengine=null --rw=write --size=64k --bs=4k,8k "
         "--write_iops_log=x"),
    case("log-space", "--name a --ioengine null --rw read --size 64k --write_lat_log x"),
    case("log-windows", "--name=a --ioengine=null --rw=randrw --size=1g --rate_iops=500 "
         "--time_based --runtime=1 --write_bw_log=x --write_iops_log=x --write_lat_log=x "
         "--log_avg_msec=250", counts="about", windows=True),
    case("log-windows-columns", "--name=a --ioengine=null --rw=randread --size=1g --rate_iops=500 "
         "--time_based --runtime=1 --write_bw_log=x --write_lat_log=x --log_avg_msec=250 "
         "--log_max_value=1 --log_offset=1 --log_prio=1", counts="about", windows=True),
    case("log-hist", "--name=a --ioengine=null --rw=randread --size=1g --rate_iops=500 "
         "--time_based --runtime=1 --write_hist_log=x --log_hist_msec=250", counts="about",
         windows=True),
    case("log-hist-coarse", "--name=a --ioengine=null --rw=randread --size=1g --rate_iops=500 "
         "--time_based --runtime=1 --write_hist_log=x --log_hist_msec=250 --log_hist_coarseness=4",
         counts="about", windows=True),
    case("log-hist-empty", "--name=a --ioengine=null --rw=read --size=64k --write_hist_log=x"),
    case("log-gtod_reduce", "--name=a --ioengine=null --rw=read --size=64k --write_bw_log=x "
         "--write_lat_log=x --write_iops_log=x --gtod_reduce=1"),
    refused("log-no-folder", "--name=a --ioengine=null --rw=read --size=64k --write_bw_log=no/x"),
    refused("log-no-value", "--name=a --ioengine=null --rw=read --size=64k --write_bw_log="),
    refused("log-coarseness", "--name=a --rw=read --size=64k --log_hist_coarseness=7"),
    refused("log-entries", "--name=a --rw=read --size=64k --log_entries=1000"),
]

PROCESSES = [
    case("exec", "--name=a --rw=read --size=64k --ioengine=null '--exec_prerun=echo before' "
         "'--exec_postrun=echo after'", "list"),
    case("exec-fails", "--name=a --rw=read --size=64k --ioengine=null --exec_prerun=false"),
    case("exec-clones", "--name=a --rw=read --size=64k --ioengine=null --numjobs=2 "
         "'--exec_prerun=echo x'", "list"),
    case("cmdprio", "--name=a --rw=randread --size=4m --ioengine=libaio --direct=1 --iodepth=4 "
         "--cmdprio_percentage=30"),
    case("cmdprio-lat", "--name=a --rw=randread --size=4m --ioengine=io_uring --iodepth=4 "
         "--cmdprio_percentage=30 --cmdprio_class=2 --cmdprio=3 --lat_percentiles=1 --prio=5"),
    case("cmdprio-bssplit", "--name=a --rw=randrw --size=4m --ioengine=libaio --direct=1 "
         "--iodepth=4 --bssplit=4k/50:8k/50 --norandommap --cmdprio_bssplit=4k/40/1/2:8k/50/2/0",
         counts="free"),
    case("cmdprio-all", "--name=a --rw=randread --size=1m --ioengine=libaio --iodepth=4 "
         "--cmdprio_percentage=100"),
    case("cmdprio-alone", "--name=a --rw=randread --size=1m --ioengine=libaio --cmdprio=3"),
    case("prio", "--name=a --rw=read --size=64k --ioengine=null --prio=4 --prioclass=2 --nice=3",
         "list"),
    refused("prio-8", "--name=a --ioengine=null --size=64k --prio=8"),
    refused("prioclass-4", "--name=a --ioengine=null --size=64k --prioclass=4"),
    case("numa", "--name=a --rw=read --size=64k --ioengine=null --numa_cpu_nodes=0 "
         "--numa_mem_policy=bind:0", "list"),
    refused("numa-no-node", "--name=a --ioengine=null --size=64k --numa_cpu_nodes=63"),
    refused("numa-bind-alone", "--name=a --ioengine=null --size=64k --numa_mem_policy=bind"),
    refused("numa-prefer-two", "--name=a --ioengine=null --size=64k --numa_mem_policy=prefer:0-1"),
    refused("cgroup_weight-range", "--name=a --ioengine=null --size=64k --cgroup_weight=10"),
    refused("lockfile-word", "--name=a --size=64k --lockfile=both"),
    case("lockfile", "--filename=x --size=64k --rw=randrw --lockfile=readwrite --name=a --name=b",
         counts="free"),
    case("ioscheduler-none-such", "--name=a --rw=write --size=64k --ioscheduler=nonesuch"),
]

FILES = [
    case("unlink", "--name=a --rw=write --size=64k --unlink=1", "list"),
    case("unlink_each_loop", "--name=a --rw=write --size=64k --unlink_each_loop=1 --loops=3",
         "list"),
    case("unlink_each_loop-unlink", "--name=a --rw=write --size=64k --unlink_each_loop=1 --loops=2 "
         "--unlink=1", "list"),
    case("pre_read", "--name=a --rw=read --size=64k --pre_read=1", "list"),
    case("write_hint", "--name=a --rw=write --size=64k --write_hint=short", "list"),
    refused("write_hint-word", "--name=a --rw=write --size=64k --write_hint=brief"),
    case("opendir", "--name=a --rw=read --opendir=d", files={"d": None, "d/x": 65536,
                                                             "d/e": None, "d/e/y": 131072}),
    case("opendir-size", "--name=a --rw=read --opendir=d --size=64k",
         files={"d": None, "d/x": 65536, "d/y": 65536}),
    refused("opendir-nothing", "--name=a --rw=read --opendir=nope"),
    case("overwrite", "--name=a --rw=write --size=64k --overwrite=1", "list"),
    case("create_on_open", "--name=a --rw=write --size=64k --create_on_open=1", "list"),
    case("fallocate-none", "--name=a --rw=write --size=64k --io_size=16k --fallocate=none", "list"),
    case("fallocate-keep", "--name=a --rw=write --size=64k --io_size=16k --fallocate=keep", "list"),
    case("invalidate-off", "--name=a --rw=read --size=64k --invalidate=0", "list"),
    case("refill_buffers", "--name=a --rw=write --size=64k --refill_buffers", "list"),
    case("buffer_pattern", "--name=a --rw=write --size=64k --buffer_pattern=0xdea\"abcd\"-12+300 "
         "--filename=f", "list", content=("f",)),
    case("buffer_pattern-number", "--name=a --rw=write --size=64k --bs=4k --buffer_pattern=70000 "
         "--filename=f", "list", content=("f",)),
    case("buffer_pattern-file", "--name=a --rw=write --size=64k \"--buffer_pattern='p'0x41\" "
         "--filename=f", "list", files={"p": "some words"}, content=("f",)),
    case("buffer_pattern-job-file", "j.fio", "list", content=("f",), files={
        "j.fio": "[a]\nrw=write\nsize=64k\nfilename=f\nbuffer_pattern=\"a, b\"0xff\n"}),
    case("buffer_pattern-wins", "--name=a --rw=write --size=64k --zero_buffers --refill_buffers "
         "--scramble_buffers=1 --buffer_pattern=7 --filename=f", "list", content=("f",)),
    case("buffer_pattern-mixed", "--name=a --rw=randrw --size=256k --bs=4k --ioengine=libaio "
         "--iodepth=8 --buffer_pattern=0x41 --filename=f --overwrite=1", "cover", counts="mix"),
    case("zero_buffers", "--name=a --rw=write --size=64k --zero_buffers --filename=f", "list",
         content=("f",)),
    case("compress-all", "--name=a --rw=write --size=64k --buffer_compress_percentage=100 "
         "--filename=f", "list", content=("f",)),
    case("compress-all-pattern", "--name=a --rw=write --size=64k --buffer_compress_percentage=100 "
         "--buffer_compress_chunk=100 --buffer_pattern=\"abcdefg\" --filename=f", "list",
         content=("f",)),
    case("buffer_compress", "--name=a --rw=write --size=256k --buffer_compress_percentage=50 "
         "--buffer_compress_chunk=4k", "list"),
    case("dedupe", "--name=a --rw=write --size=256k --dedupe_percentage=30", "list"),
    case("dedupe-working-set", "--name=a --rw=write --size=256k --dedupe_percentage=30 "
         "--dedupe_mode=working_set --dedupe_working_set_percentage=10", "list"),
    case("dedupe-global", "--rw=write --size=256k --dedupe_percentage=30 --dedupe_global=1 "
         "--dedupe_mode=working_set --name=a --name=b", "list"),
    case("larger-file-stays", "--name=a --rw=write --size=64k --filename=data", "list", files=DATA),
    case("name-with-slash", "--name=d/a --rw=write --size=16k", "list"),
    case("same-file-two-jobs", "--filename=f --size=64k --name=a --rw=write --name=b --rw=write",
         "list"),
]

ERRORS = [
    refused("no-jobs", "", files={}),
    refused("probe-nothing", "--parse-only"),
    refused("probe-terse", "--parse-only --terse-version=4"),
    refused("probe-terse-bad", "--parse-only --terse-version=9"),
    refused("probe-engine", "--ioengine=psync --parse-only"),
    refused("probe-engine-bad", "--ioengine=nosuch --parse-only"),
    refused("probe-value-bad", "--bs=junk --parse-only"),
    refused("probe-loose", "j.fio --parse-only", files={
        "j.fio": "[a]\nrate=10m,\nsize=64Ki\nbs=4096B\nrw=read:17m\ntime_based=10\nruntime=30s\n"}),
    refused("bad-option", "--name=a --rww=read --size=64k"),
    refused("bad-option-file", "j.fio", files={"j.fio": "[a]\nrww=read\nsize=64k\n"}),
    refused("bad-value", "--name=a --rw=sideways --size=64k"),
    refused("bad-number", "--name=a --iodepth=abc --size=64k"),
    refused("out-of-range", "--name=a --rw=randrw --rwmixread=101 --size=64k"),
    refused("buffer_pattern-bare", "--name=a --rw=write --size=64k --buffer_pattern=abcd"),
    refused("buffer_pattern-open", "--name=a --rw=write --size=64k '--buffer_pattern=\"abc'"),
    refused("buffer_pattern-offset", "--name=a --rw=write --size=64k --buffer_pattern=%o"),
    refused("buffer_pattern-large", "--name=a --rw=write --size=64k --buffer_pattern=2147483648"),
    refused("buffer_pattern-no-file", "--name=a --rw=write --size=64k "
            "\"--buffer_pattern='nosuch'\""),
    refused("compress-over", "--name=a --rw=write --size=64k --buffer_compress_percentage=101"),
    refused("dedupe-over", "--name=a --rw=write --size=64k --dedupe_percentage=101"),
    refused("dedupe-impossible", "--name=a --rw=write --size=64k --dedupe_percentage=96 "
            "--dedupe_mode=working_set"),
    refused("bs-zero", "--name=a --bs=0 --rw=read --size=64k"),
    refused("no-such-job-file", "nosuch.fio"),
    refused("empty-job-file", "empty.fio", files={"empty.fio": ""}),
    refused("outside-section", "j.fio", files={"j.fio": "rw=read\n[a]\nsize=64k\n"}),
    refused("only-global", "j.fio", files={"j.fio": "[global]\nrw=read\n"}),
    refused("no-such-engine", "--name=a --ioengine=nosuch --rw=read --size=64k"),
    refused("no-size", "--name=a --rw=read"),
    refused("size-below-bs", "--name=a --rw=read --size=1k --bs=4k"),
    refused("no-such-directory", "--name=a --rw=read --size=64k --directory=nosuch"),
    refused("target-is-folder", "--name=a --rw=write --size=64k --filename=d", files={"d": None}),
    refused("direct-unaligned", "--name=a --rw=read --size=64k --bs=1000 --direct=1 "
            "--filename=data", files=DATA),
    refused("readonly", "--readonly --name=a --rw=write --size=64k"),
    refused("rate-twice", "--name=a --ioengine=null --rw=read --size=1m --rate=1m --rate_iops=100"),
    refused("rate_min-above", "--name=a --ioengine=null --rw=read --size=1m --rate=1k --rate_min=2k"),
    refused("ss-without-limit", "--name=a --ioengine=null --rw=read --size=1m --ss=iops --ss_dur=3"),
    refused("ignore_error-unknown", "--name=a --ioengine=null --rw=read --size=1m "
            "--ignore_error=EFOO"),
    refused("flow-too-much", "--name=a --ioengine=null --rw=read --size=1m --flow=1001"),
    refused("wait_for-nobody", "--name=a --rw=read --size=64k --wait_for=nosuch"),
    refused("unified-3", "--name=a --rw=read --size=64k --unified_rw_reporting=3"),
    refused("zonesize-alone", "--name=a --rw=read --size=64k --zonesize=16k"),
    refused("strided-no-size", "--name=a --rw=read --size=64k --zonemode=strided"),
    refused("zonemode-unknown", "--name=a --rw=read --size=64k --zonemode=odd"),
    refused("zoned-90", "--name=a --rw=randread --size=64k --random_distribution=zoned:60/10:30/20"),
    refused("zoned-sizes", "--name=a --rw=randread --size=64k "
            "--random_distribution=zoned:60/60:40/60"),
    refused("percentage_random-101", "--name=a --rw=randread --size=64k --percentage_random=101"),
    refused("files-zipf-one", "--name=a --rw=read --size=64k --nrfiles=2 "
            "--file_service_type=zipf:1"),
    refused("zipf-one", "--name=a --rw=randread --size=64k --random_distribution=zipf:1.0"),
    refused("bad-format", "--output-format=nosuch --name=a --rw=read --size=64k"),
    refused("include-missing", "j.fio", files={"j.fio": "[a]\nrw=read\nsize=64k\ninclude nosuch\n"}),
    case("ignore_error", "--name=a --rw=write --size=4m --bs=64k --filename=small/f "
         "--fallocate=none --ignore_error=,ENOSPC", tmpfs="1m", counts="free"),
    case("error_dump", "--name=a --rw=write --size=4m --bs=64k --filename=small/f "
         "--fallocate=none --ignore_error=,ENOSPC --error_dump=1", tmpfs="1m", counts="free"),
    case("enospc-write", "--name=a --rw=write --size=4m --bs=64k --filename=small/f "
         "--fallocate=none", tmpfs="1m", counts="free"),
    case("enospc-layout", "--name=a --rw=read --size=4m --bs=64k --filename=small/f", tmpfs="1m",
         counts="free"),
    case("dev-full", "--name=a --rw=write --size=64k --filename=/dev/full", counts="free"),
    case("trim-on-file", "--name=a --rw=trim --size=64k --filename=data", files=DATA,
         counts="free"),
    case("one-of-two-fails", "--name=a --rw=write --size=64k --filename=/dev/full --name=b "
         "--rw=write --size=64k", counts="free"),
    case("three-fail", "--rw=write --size=64k --filename=/dev/full --name=a --numjobs=3",
         counts="free"),
    case("after-a-failure", "--name=a --rw=write --size=64k --filename=/dev/full --name=b "
         "--stonewall --rw=write --size=64k", counts="free"),
]

DEVICES = [
    case("loop-read", "--name=a --rw=read --size=256k --direct=1 --filename={loop}", "list",
         loop=8 << 20),
    case("loop-all-of-it", "--name=a --rw=read --bs=64k --filename={loop}", "list", loop=1 << 20),
    case("loop-clamped", "--name=a --rw=read --bs=64k --size=1g --filename={loop}", "list",
         loop=1 << 20),
    case("loop-percent", "--name=a --rw=randread --size=50% --filename={loop}", "cover",
         loop=1 << 20),
    case("loop-write-aio", "--name=a --rw=randwrite --size=512k --direct=1 --ioengine=libaio "
         "--iodepth=8 --filename={loop}", "cover", loop=1 << 20),
    case("loop-uring", "--name=a --rw=randrw --size=512k --direct=1 --ioengine=io_uring "
         "--iodepth=8 --filename={loop}", "cover", counts="mix", loop=1 << 20),
    case("loop-trim", "--name=a --rw=trim --size=256k --filename={loop}", "list", loop=1 << 20),
    case("loop-trimwrite", "--name=a --rw=trimwrite --size=256k --filename={loop}", "list",
         loop=1 << 20),
    case("loop-offset-beyond", "--name=a --rw=read --offset=2m --size=64k --filename={loop}",
         loop=1 << 20, counts="free"),
    case("loop-mounted", "--name=a --rw=write --size=64k --filename={loop}", loop=16 << 20,
         mounted=True, counts="free"),
    case("loop-mounted-read", "--name=a --rw=read --size=64k --filename={loop}", "list",
         loop=16 << 20, mounted=True),
]

# Requests of several kinds, sizes and files; every offset fits into 1 MiB.
IOLOG3 = "fio version 3 iolog\n0 data add\n0 data open\n" + "".join(
    f"{i * 500} data {'write' if i % 3 else 'read'} {i * 7919 % 250 * 4096} {4096 << i % 3}\n"
    for i in range(40)) + "21000 data sync 0 0\n21500 data datasync 0 0\n22000 data close\n"
IOLOG2 = "fio version 2 iolog\ndata add\ndata open\ndata read 0 4096\ndata wait 150 0\n" \
         "data write 4096 8192\ndata read 65536 4096\ndata sync 0 0\ndata close\n"
TRACE = {"t.iolog": IOLOG3, "data": 1 << 20}

TRACES = [
    case("replay-v3", "--name=a --read_iolog=t.iolog", "list", files=TRACE),
    case("replay-v2", "--name=a --read_iolog=t.iolog", "list",
         files={"t.iolog": IOLOG2, "data": 1 << 20}),
    case("replay-no-stall", "--name=a --read_iolog=t.iolog --replay_no_stall=1", "list", files=TRACE),
    case("replay-queue", "--name=a --read_iolog=t.iolog --ioengine=libaio "
         "--replay_no_stall=1", "bag", files=TRACE),
    case("replay-speed", "--name=a --read_iolog=t.iolog --replay_time_scale=200", "list", files=TRACE),
    case("replay-align", "--name=a --read_iolog=t.iolog --replay_scale=3 --replay_align=8k", "list",
         files=TRACE),
    case("replay-redirect", "--name=a --read_iolog=t.iolog --replay_redirect=other", "list",
         files={"t.iolog": IOLOG3, "other": 1 << 20}),
    case("replay-clones", "--name=a --read_iolog=t.iolog:t.iolog --numjobs=2", "list", files=TRACE),
    refused("replay-missing", "--name=a --read_iolog=none --size=4k"),
    refused("replay-junk", "--name=a --read_iolog=t.iolog", files={"t.iolog": "junk\n"}),
    case("write-iolog", "--name=a --rw=write --size=64k --write_iolog=w.iolog", "list",
         logs=("w.iolog",)),
]

LANGUAGE = [
    case("single-dash", "-name=a -rw read -size 64k -iodepth 1 -thread -group_reporting", ""),
    case("abbreviated", "--name=a --rw=read --size=64k --ioeng=psync --numj=1 --iode=1", ""),
    case("name-global", "--name=global --rw=write --size=64k --name=a --name=b --bs=8k", "list"),
    case("defaults-first", "--rw=write --size=64k --name=a --name=b --size=32k", "list"),
    case("last-wins", "--name=a --rw=read --bs=16k --blocksize=8k --rw=write --size=64k", "list"),
    case("job-file", "j.fio", "cover", files={"j.fio": GLOBAL_FILE}),
    case("job-file-crlf", "j.fio", "list", files={"j.fio": "[a]\r\nrw=write\r\nsize=64k\r\n"}),
    case("job-file-stdin", "-", "list", stdin="[a]\nrw=write\nsize=64k\n"),
    case("job-file-env", "j.fio", "list", files={"j.fio": ENV_FILE},
         env={"JOB": "none", "SIZE": "64k", "OPT": "rw"}, needs="bc"),
    case("job-file-include", "j.fio", "list", files={
        "j.fio": "[a]\ninclude more.inc\nsize=64k\n", "more.inc": "rw=write\nbs=8k\n"}),
    case("section", "--section=two j.fio", "cover", files={"j.fio": GLOBAL_FILE}),
    case("several-globals", "j.fio", "list", files={
        "j.fio": "[global]\nrw=write\nsize=32k\n[a]\n[global]\nbs=8k\n[b]\n"}),
    case("same-name-twice", "j.fio", "list", files={
        "j.fio": "[a]\nrw=write\nsize=32k\n[a]\nrw=write\nsize=64k\n"}),
    case("suffixes", "--name=a --rw=write --bs=4kib --size=40000", "list"),
    refused("blank-after-equals", "j.fio", files={"j.fio": "[a]\nrw=write\nbs=1\nsize = 4k\n"}),
    refused("time-word", "--name=a --ioengine=null --rw=read --size=4k --runtime=1sec"),
    case("hex", "--name=a --rw=write --bs=0x1000 --size=0x10000", "list"),
    case("cli-default-file-wins", "--bs=8k --rw=read j.fio", "list", files={
        "j.fio": "[a]\nrw=write\nsize=64k\n"}),
    case("showcmd", "--showcmd j.fio", report=False, stdout="same", files={"j.fio": GLOBAL_FILE}),
    case("parse-only", "--parse-only j.fio", report=False, stdout="same",
         files={"j.fio": GLOBAL_FILE}),
    case("version", "--version", report=False),
    case("help", "--help", report=False),
]

CASES = (ENGINES + GROUPS + MIXES + SIZES + PATTERNS + VERIFY + SYNCS + TIMES + REPORTS + LOGS
         + PROCESSES + FILES + ERRORS + DEVICES + TRACES + LANGUAGE
         + [case(s.name, s.args, s.offsets, **s.more) for s in SCRIPTS])
