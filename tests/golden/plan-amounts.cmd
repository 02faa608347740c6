show() { echo "-- $*"; weir --plan --ioengine=null --name=j --bs=64k "$@"; }
{
	show --size=1m
	show --size=1m --loops=3
	show --size=1m --io_size=400k
	show --size=256k --io_size=1m
	show --size=1m --io_size=50% --loops=2
	show --size=1m --number_ios=10
	show --size=1m --number_ios=10 --loops=2
	show --size=1m --rw=trimwrite
	show --size=1m --rw=trimwrite --number_ios=4
	show --size=1m --rw=randread --norandommap
	show --size=1m --runtime=10
	show --size=1m --runtime=10 --time_based --io_size=2m --number_ios=5
	show --size=1m --fill_device=1 --rw=write
	show --filesize=16k --nrfiles=3 --bs=4k --size=32k
	show --filesize=16k --nrfiles=3 --bs=4k --size=1m
	show --size=1m --create_only=1
	show --size=1m --nrfiles=0
	show --size=1m --nrfiles=100
} 2>&1 | pick amount
