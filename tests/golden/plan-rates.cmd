show() { echo "-- $*"; weir --plan --ioengine=null --size=10m --name=j "$@"; }
{
	show --rate=1m
	show --rate=1m --rw=randrw
	show --rate=,500k --rw=randrw
	show --rate_iops=1000
	show --rate_iops=750,250 --rw=randrw --rate_process=poisson
	show --rate_iops=100 --bsrange=4k-64k
	show --rate_iops=100 --bssplit=4k/50:64k/50
	show --rate_iops=50000
	show --rate=400m --bs=4k
	show --thinktime=10ms
	show --thinktime=100 --thinktime_spin=1s --thinktime_blocks=16
	show --thinktime=1s --thinktime_iotime=9 --rate_ignore_thinktime=1
	show --thinktime=1s --thinktime_iotime=9 --thinktime_blocks=8 --thinktime_blocks_type=issue
} 2>&1 | pick schedule think measure.response
