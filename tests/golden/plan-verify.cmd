# run_id is another number each time
plan() { weir --plan --name=a --filename=f --size=1m --rw=randwrite "$@" | sed 's/"run_id" : "[0-9a-f]*"/"run_id" : "..."/'; }
other() { weir --plan --name=a --filename=f "$@"; }
fails() { weir --plan --name=a --filename=f --size=1m --rw=randwrite "$@" && echo "not refused: $*"; }
plan --verify=crc32c | pick verify /map_bytes /run_id /targets
plan --bssplit=4k/50:6k/50 --verify=crc32c | pick verify /targets
plan --bs=64k --verify=md5 | pick /targets
plan --bs=64k --verify=md5 --verify_interval=4k --verify_offset=512 | pick verify
plan --verify_pattern=0xdead%o | pick verify
other --size=1m --rw=randread --verify=xxhash --continue_on_error=verify --verify_async=2 | pick verify
plan --verify=meta --do_verify=0 | pick verify
plan --verify=crc32c --verify_only --verify_dump=1 | pick verify
plan --verify=sha512 --verify_backlog=100 --verify_backlog_batch=10 | pick verify
plan --verify=crc32c --bs_unaligned --bsrange=1-4k | pick verify /map_bytes
echo '-- the unit of all that write it'
plan --bs=64k --verify=md5 --name=b --filename=f --size=1m --rw=write --bs=24k --verify=md5 | pick verify.unit_bytes
echo '-- a map of few writes in a large file'
other --rw=randwrite --size=1t --io_size=1m --verify=md5 | pick /map_bytes /memory_bytes
echo '-- refused'
fails --verify=pattern
fails --verify=crc33
fails --verify=crc32c --verify_interval=64
fails --verify=crc32c --bs=32
fails --verify=crc32c --verify_offset=4090
fails --verify=sha512 --bs=100
fails --verify=crc32c --bs_unaligned --bsrange=1-4k --numjobs=2
fails --verify=crc32c --bs_unaligned --bsrange=1-4k --verify_only
fails --verify=crc32c --ioengine=null
fails --verify=crc32c --verify_only --time_based --runtime=1
fails --verify=crc32c --unlink_each_loop=1 --loops=2
fails --verify=crc32c --name=b --filename=f --size=1m --rw=write
fails --verify=crc32c --name=b --filename=f --size=1m --rw=write --verify=md5
echo '-- beside one another, but not in one place'
plan --verify=crc32c --name=b --filename=f --size=1m --rw=write --offset=1m | pick verify.unit_bytes
plan --verify=crc32c --name=b --filename=f --size=1m --rw=write --stonewall | pick verify.unit_bytes
plan --verify=null --ioengine=null | pick verify
echo '-- warned'
plan --verify=crc32c --trim_percentage=10 | pick /notes
plan --trim_percentage=10 --trim_backlog=10 | pick /notes
echo '-- a trace'
printf 'fio version 2 iolog\nf add\nf open\nf write 0 4096\nf close\n' >log
plan --read_iolog=log --verify=crc32c | pick verify
printf 'fio version 2 iolog\nf add\nf open\nf write 0 4096\nf write 4100 12\nf close\n' >odd
weir --plan --name=a --read_iolog=odd --verify=crc32c && echo 'not refused'
echo '-- a state'
plan --verify=crc32c --verify_state=/nosuch/s --verify_atomic=512 | pick verify_state
plan --verify=md5 --verify_state_save=1 --aux-path=/nosuch | pick verify_state
weir --plan --name=a --rw=write --size=1m --verify_state=s && echo 'not refused'
weir --plan --name=a --rw=write --size=1m --verify=md5 --bs_unaligned=1 --bsrange=1k-8k --verify_state=s && echo 'not refused'
weir --plan --name=a --rw=write --size=1m --verify_resume=s && echo 'not refused'
weir --plan --name=a --rw=read --size=1m --verify_resume=s && echo 'not refused'
weir --plan --name=a --rw=write --size=1m --verify=md5 --verify_state_load=1 && echo 'not refused'
weir --plan --verify-resume=s && echo 'not refused'
plan --verify=md5 --verify_state=s | pick /notes
