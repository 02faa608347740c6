show() { echo "-- $*"; weir --plan --size=1m --filename=x --name=j "$@"; }
{
	show --iodepth=4 --numjobs=3
	show --time_based
	show --rw=randread --ba=512
	show --rw=randread --random_generator=lfsr --bsrange=4k-8k
	show --thinktime_spin=10
	show --percentage_random=50
	show --random_sequence_stride=1
	show --zonerange=64k --zoneskip=64k
	show --zonemode=strided --zonesize=64k --max_open_zones=4 --write_zone_remainder=1
	show --ioengine=mmap --direct=1
	show --nrfiles=0
	show --allow_mounted_write=1
	show --compat=fio --allow_mounted_write=1
} 2>&1 | pick /notes
echo '-- no room for a block in any file'
weir --plan --size=1m --nrfiles=1000 --name=j | pick /notes amount
