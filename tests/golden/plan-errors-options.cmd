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
fails --name=a --rw=randread --random_distribution=zipf:-1
fails --name=a --rw=randread --random_distribution=zpif:1.2
fails --name=a --rw=randread --random_distribution=zipf,pareto,normal,zipf
fails --name=a --rw=randread --random_distribution=zoned
fails --name=a --rw=randread --random_distribution=zoned:60/10:30/90
fails --name=a --rw=randread --random_distribution=zoned:60/60:40/60
fails --name=a --rw=randread --random_distribution=zoned:x/60:40/40
fails --name=a --rw=randread --random_distribution=zoned:60/x:40/40
fails --name=a --rw=randread --random_distribution=zoned_abs:60/x:40/40k
fails --name=a --rw=randread --random_distribution=zoned_abs:60/:40/40k
fails --name=a --rw=randread --random_distribution=zoned_abs:60/40k:40/1m
fails --name=a --rw=randread --random_distribution=sequence
fails --name=a --rw=randread --random_distribution=sequence:1,x
fails --name=a --rw=randread --percentage_random=101
fails --name=a --rw=trim --num_range=2
fails --name=a --rw=trim --num_range=257
fails --name=a --zonemode=stride
fails --name=a --zonemode=strided
fails --name=a --zonesize=64k
fails --name=a --zonemode=strided --zonesize=64k --zonerange=2k
fails --name=a --zonemode=strided --zonesize=64k --zoneskip=10%
fails --name=a --zonemode=zbd
fails --name=a --zonemode=zbd --zonesize=64k
fails --name=a --max_open_zones=4097
fails --name=a --zone_reset_threshold=1.1
fails --name=a --zone_reset_frequency=-0.1
fails --name=a --file_service_type=zipf:1
fails --name=a --file_service_type=pareto:1
fails --name=a --file_service_type=gauss:100
fails --name=a --file_service_type=normal:20:1.5
fails --name=a --file_service_type=random:x
fails --name=a --ioengine=psinc
fails --name=a --ioengine=splice
fails --name=a --mem=cudamalloc
fails --name=a --mem=mmap:no/such/folder/x
fails --name=a --mem=mmap:/dev/x
fails --name=a --mem=mmaphuge --hugepage-size=3m
fails --name=a --io_submit_mode=offload '--ioengine=delay(delay(delay(delay(delay(delay(delay(null)))))))'
fails --name=a --rate_min=1m --rate_iops_min=100
fails --name=a --rate=1m --rate_min=2m
fails --name=a --rate_iops=,100 --rate_iops_min=200 --rw=randrw
fails --name=a --rate_cycle=0
fails --name=a --thinktime=1 --thinktime_blocks_type=both
fails --name=a --ramp_time=1 --ramp_size=1m
fails --name=a --job_start_clock_id=99
fails --name=a --latency_target=1ms
fails --name=a --latency_target=1ms --latency_window=1s --ramp_size=1m
fails --name=a --latency_percentile=101
fails --name=a --max_latency=x
fails --name=a --ss=iops --ss_dur=3
fails --name=a --ss=foo:1% --ss_dur=3
fails --name=a --ss=iops:x --ss_dur=3
fails --name=a --ss=bw:-1 --ss_dur=3
fails --name=a --ss=iops:1% --ss_dur=1
fails --name=a --ss=iops:1% --ss_dur=5 --ss_interval=2
fails --name=a --ss=iops:1% --ss_dur=90000
fails --name=a --ss=lat:1ms --ss_dur=3 --disable_lat=1
fails --name=a --flow=1001
fails --name=a --ignore_error=EFOO
fails --name=a --ignore_error=,0
fails --name=a --ignore_error=EIO,,,
fails --name=a --ignore_error=1000
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
