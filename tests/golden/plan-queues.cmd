show() { echo "-- $*"; weir --plan --filename=x --size=1m --name=j "$@"; }
{
	show
	show --iodepth=16
	show --ioengine=null --iodepth=16
	show --ioengine=null
	show --ioengine=null --iodepth=32 --iodepth_batch=8 --iodepth_batch_complete_min=4 --iodepth_batch_complete_max=16 --iodepth_low=8
	show --ioengine=null --iodepth=32 --iodepth_batch=0 --iodepth_batch_complete=0
	show --ioengine=null --iodepth=4 --iodepth_batch=64 --iodepth_low=64
	show --ioengine='delay(null)' --iodepth=4 --bs=10000
	show --ioengine='fault(psync)' --iodepth=4
	show --mem=mmap --io_submit_mode=inline
} 2>&1 | pick /notes queue
