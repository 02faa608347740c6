show() { echo "-- $*"; weir --plan --ioengine=null --size=1m --name=j "$@"; }
{
	for rw in read write trim randread randwrite randtrim rw readwrite randrw trimwrite randtrimwrite; do
		show --rw=$rw
	done
	show --rw=randread:8
	show --rw=randread:8 --rw_sequencer=identical
	show --rw=read:4k
	show --rw=write:-8k
	show --rw=randrw --rwmixread=70
	show --rw=randrw --rwmixread=70 --rwmixwrite=70
	show --rw=randread --norandommap
	show --rw=randread --random_generator=lfsr --norandommap
	show --rw=randread --random_generator=lfsr --bsrange=4k-16k
	show --rw=randread --random_distribution=zipf
	show --rw=randread --random_distribution=zipf:1.2:0.5
	show --rw=randread --random_distribution=pareto:0.3
	show --rw=randread --random_distribution=normal:20
	show --rw=randread --runtime=1 --time_based
} 2>&1 | pick pattern
