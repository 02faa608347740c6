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
	show --rw=randread --random_distribution=normal
	show --rw=randread --random_distribution=zipf:0
	show --rw=randrw --random_distribution=zipf:1.2,pareto
	show --rw=randread --random_distribution=zoned:60/10:30/20:8/30:2/40
	show --rw=randread --random_distribution=zoned:60/:40/
	show --rw=randread --random_distribution=zoned_abs:60/64k:40
	show --rw=randrw --random_distribution=zoned:90/10:10/90,10/90:90/10
	show --rw=randread --random_distribution=sequence:0,4,2 --random_sequence_stride=1
	show --rw=randread --percentage_random=80
	show --rw=randrw --percentage_random=100,25
	show --rw=randread --bs=4k,16k --bs_is_seq_rand=1
	show --rw=read --bs=4k,16k --bs_is_seq_rand=1
	show --rw=randread:4 --bs=4k,16k --bs_is_seq_rand=1
	show --rw=randread --zonemode=strided --zonesize=64k --zonerange=128k --zoneskip=64k
	show --rw=read --zonemode=strided --zonesize=64k --zoneskip=2z
	show --rw=randread --runtime=1 --time_based
} 2>&1 | pick pattern
