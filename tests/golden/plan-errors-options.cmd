fails() { weir --plan --ioengine=null --size=1m "$@" && echo "not refused: $*"; }
fails --name=a --wait_for=b --name=b
fails --name=a --wait_for=a
fails --name=a --name=a --name=b --wait_for=a
fails --name=a --rate=1m --rate_iops=100
fails --name=a --rw=write --readonly
fails --name=a --rw=randread:x
fails --name=a --rw=randread:0
fails --name=a --rw=read:x
fails --name=a --rw=randread --random_distribution=zipf:1
fails --name=a --rw=randread --random_distribution=zipf:x
fails --name=a --rw=randread --random_distribution=pareto:1.5
fails --name=a --rw=randread --random_distribution=normal:100
fails --name=a --rw=randread --random_distribution=zipf:1.2:2
fails --name=a --rw=randread --random_distribution=zoned:50/50:50/50
fails --name=a --file_service_type=zipf
fails --name=a --file_service_type=random:x
fails --name=a --ioengine=psinc
fails --name=a --ioengine=splice
fails --name=a --io_submit_mode=offload
fails --name=a --mem=cudamalloc
fails --name=a --mem=mmap:no/such/folder/x
fails --name=a --mem=mmap:/dev/x
fails --name=a --mem=mmaphuge --hugepage-size=3m
fails --name=a --iodepth_batch_complete_min=8 --iodepth_batch_complete_max=4
fails --name=a --cpus_allowed=1000 2>&1 | sed 's/0 to [0-9]*/0 to N/'
fails --name=a --numjobs=100001
fails --name=a --size=1k
fails --name=a --size=101%
fails --name=a --io_size=150%
fails --name=a --size=10z
fails --name=a --size=0 --fill_device=1 --rw=read
fails --name=a --bs=2g
fails --name=a --nice=20
fails --name=a --iodepth=0
fails --name=a --bssplit=4k/70:8k/60
true
