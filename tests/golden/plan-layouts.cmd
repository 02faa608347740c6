show() { echo "-- $*"; weir --plan --name=j --size=10m "$@"; }
{
	show --rw=write
	show --rw=read
	show --rw=write --overwrite=1
	show --rw=write --ioengine=mmap
	show --rw=randrw --ioengine=null
	show --rw=write --create_on_open=1
	show --rw=write --fallocate=none --create_fsync=0 --unlink=1 --bs=4m
	show --rw=write --fallocate=1
	show --rw=read --direct=1 --sync=dsync --invalidate=0 --fadvise_hint=noreuse
	show --rw=randread --buffered=1 --sync=1 --fadvise_hint=0
	show --rw=read --direct=1 --buffered=1
	show --rw=trim --trim_files=punch
	touch empty
	truncate -s 20m big
	show --rw=read --filename=empty
	show --rw=read --filename=big
	show --rw=write --filename=big --allow_file_create=0
} 2>&1 | pick /targets open
