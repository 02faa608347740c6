show() { echo "-- $*"; weir --plan --ioengine=null --size=10m --name=j "$@"; }
{
	show --thinkcycles=1000
	show --rate=1m,2m --rate_min=500k --rate_cycle=250 --rw=randrw
	show --rate_iops_min=,100 --rw=randrw
	show --max_latency=10,1s --rw=randrw
	show --latency_target=5ms --latency_window=1s --latency_percentile=99.5 --iodepth=32
	show --ss_dur=10
	show --ss=bw_slope:1m --ss_dur=10 --ss_ramp=5 --ss_interval=2
	show --ss=lat:50 --ss_dur=10
	show --flow=3 --flow_id=-2 --flow_sleep=100
} 2>&1 | pick think_cycles at_least max_latency_ns latency_target steady flow
{
	show --ignore_error=EAGAIN,ENOSPC:122 --error_dump=1
	show --ignore_error=,EIO --continue_on_error=read
} 2>&1 | pick end.continue_on_error end.tolerates_reading end.tolerates_writing end.error_dump
{
	show --ramp_size=1m --runtime=5 --job_start_clock_id=1
	show --gtod_cpu=0
} 2>&1 | pick time
{
	show --io_submit_mode=offload --ioengine=psync --iodepth=4
	show --io_submit_mode=offload --ioengine=vsync --iodepth=4
	show --io_submit_mode=offload '--ioengine=delay(posixaio)' --iodepth=4
	show --io_submit_mode=offload --ioengine=psync --iodepth=4 --serialize_overlap=1
	show --serialize_overlap=1 --iodepth=4 --rw=randwrite
	show --serialize_overlap=1 --iodepth=4 --rw=randread
} 2>&1 | pick queue
