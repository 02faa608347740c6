show() { echo "-- $*"; weir --plan --ioengine=null --size=1m --name=j "$@"; }
{
	show --rw=write --fsync=1 --fdatasync=4
	show --rw=read --fsync=1 --end_fsync=1
	show --rw=randrw --end_fsync=1 --fsync_on_close=1
	show --rw=write --sync_file_range=write:8
	show --rw=write --sync_file_range=wait_before,write,wait_after
	show --rw=write --end_syncfs=1 --ioengine=psync
	show --rw=write --sync_file_range=write:0
	show --rw=write --sync_file_range=write,flush:4
	show --rw=write --sync_file_range=write:
	show --rw=write --refill_buffers
	show --rw=write --zero_buffers --refill_buffers
	show --rw=write --scramble_buffers=0
} 2>&1 | pick sync data
