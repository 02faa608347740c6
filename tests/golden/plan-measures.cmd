show() { echo "-- $*"; weir --plan --ioengine=null --iodepth=2 --size=1m --name=j "$@"; }
{
	show
	show --gtod_reduce=1
	show --disable_slat=1 --disable_clat=1
	show --disable_lat=1 --lat_percentiles=1 --slat_percentiles=1 --clat_percentiles=0
	show --disable_bw=1 --stats=0 --disk_util=0
	show --percentile_list=99.9:50:100:0
	show --significant_figures=6 --kb_base=1000 --unit_base=1
	show --bwavgtime=1000 --iopsavgtime=250
	show --bwavgtime=3000 --iopsavgtime=3000
	show --bwavgtime=500 --iopsavgtime=333
	show --clocksource=gettimeofday
} 2>&1 | pick /disk_util /clock measure
