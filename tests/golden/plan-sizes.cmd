show() { echo "-- $*"; weir --plan --name=j --bs=64k "$@"; }
{
	show --size=1m --rw=read
	show --size=100k --rw=write
	show --size=1m --nrfiles=3 --rw=write
	show --size=1m --offset=100k --rw=read
	show --size=1m --offset=33% --rw=read
	show --size=1m --offset=33% --offset_align=4k --rw=read
	show --filesize=1m --size=128k --rw=randread
	show --filesize=1m --size=50% --rw=read
	show --filesize=1m --offset=75% --rw=read
	show --filesize=256k-1m --nrfiles=3 --rw=write
	show --fill_device=1 --rw=write
	truncate -s 1m there
	show --filename=there --rw=read
	show --filename=there --rw=read --size=50%
	show --filename=there --rw=read --size=80% --offset=50%
	show --filename=there --rw=read --offset=100k
	show --filename=there --rw=read --size=64k --offset=10% --offset_increment=33% --numjobs=3
	show --filename=there --rw=read --filesize=512k
	show --filename=there --rw=read --filesize=512k-2m
	show --filename=there --rw=read --size=4m
	show --filename=there --rw=write --size=256k --file_append=1 --numjobs=2
	show --filename=new --rw=write --size=256k --file_append=1
	show --rw=read --size=4z --offset=1z --zonemode=strided --zonesize=128k
} 2>&1 | pick regions amount
