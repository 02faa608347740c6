show() { echo "-- $*"; weir --plan --ioengine=null --iodepth=2 --size=1m "$@"; }
{
	show --name=none
	show --name=a --write_bw_log=x --write_iops_log=x --write_lat_log=dir/x --numjobs=2
	show --name=a --write_lat_log=x --iodepth=1
	show --name=a --write_lat_log=x --disable_slat=1 --disable_lat=1
	show --name=a --write_lat_log=x --write_bw_log=x --write_iops_log=y --gtod_reduce=1
	show --name=a --write_bw_log=x --write_iops_log=x --disable_bw=1
	show --name=a --write_bw_log=x --per_job_logs=0 --numjobs=2 --write_binary_log=x
	show --name=a --write_hist_log=x
	show --name=a --write_hist_log=x --log_hist_msec=250 --log_hist_coarseness=3
	show --name=a --write_lat_log=x --log_avg_msec=1000 --log_max_value=1
	show --name=a --write_lat_log=x --log_avg_msec=500 --log_window_value=both
	show --name=a --write_lat_log=x --log_offset=1 --log_prio=1 --log_issue_time=1
	show --name=a --write_lat_log=x --log_unix_epoch=1
	show --name=a --write_lat_log=x --log_alternate_epoch=1 --log_alternate_epoch_clock_id=7
	show --name=a --write_binary_log=x --log_zstd=3
	show --name=a --write_binary_log=x --rw=randread --bssplit=4k/50:6k/50
	show --name=a --write_binary_log=x --rw=randread --bsrange=512-8k --bs_unaligned=1
	show --name=a --write_bw_log=x --name=b --write_bw_log=x
	printf '[global]\nwrite_bw_log\n[sec]\nname=other\n[two]\nwrite_lat_log=\n' | show -
} 2>&1 | pick log

fails() { echo "-- $*"; weir --plan --ioengine=null --size=1m --name=a "$@"; }
fails --log_issue_time=1 --write_lat_log=x
fails --log_issue_time=1 --log_offset=1
fails --write_bw_log=
fails --write_bw_log
fails --log_hist_coarseness=7
fails --log_entries=1023
fails --log_compression=1023
fails --log_store_compressed=1
fails --log_window_value=median
fails --log_alternate_epoch_clock_id=12
fails --log_zstd=20
