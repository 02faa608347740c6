show() { echo "-- $*"; weir --plan --ioengine=null --size=10m --rw=randrw --name=j "$@"; }
{
	show --bs=8k
	show --bs=8k,16k
	show --bs=,16k
	show --bs=8k,
	show --bs=4k-32k
	show --blocksize=512
	show --bsrange=4k-64k
	show --bsrange=64k-4k --bs_unaligned
	show --bsrange=4k-8k,16k-32k
	show --bssplit=4k/10:64k/50:32k/40
	show --bssplit=4k/50:8k/:16k/
	show --bssplit=4k/20:8k/30
	show --bssplit=4k/100,8k/50:16k/50
	show --bssplit=4k/60:8k/40 --bsrange=1k-2k --bs=512
	show --ba=512
	show --ba=4k
} 2>&1 | pick pattern.read pattern.write pattern.coverage queue.buffer_bytes
