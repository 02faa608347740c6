show() { echo "-- $*"; weir --plan --ioengine=null --size=1m --name=j "$@" 2>&1 | pick data /notes; }
show --rw=write
show --rw=write --scramble_buffers=0
show --rw=write --scramble_buffers=0 --refill_buffers
show --rw=write --zero_buffers --refill_buffers
show --rw=rw --zero_buffers
show --rw=rw --scramble_buffers=0 --iodepth=4
show --rw=read --zero_buffers
echo '-- patterns'
show --rw=write '--buffer_pattern=0xdeadface"abcd"-12'
show --rw=rw '--buffer_pattern="x"' --zero_buffers --refill_buffers --scramble_buffers=1
echo '-- compression'
show --rw=write --buffer_compress_percentage=50
show --rw=rw --buffer_compress_percentage=50 --buffer_compress_chunk=0 '--buffer_pattern="x"'
show --rw=write --buffer_compress_percentage=50 --refill_buffers=0
show --rw=write --buffer_compress_percentage=50 --zero_buffers
show --rw=write --buffer_compress_percentage=100
show --rw=write --buffer_compress_percentage=100 '--buffer_pattern="x"'
show --rw=write --buffer_compress_percentage=0 --zero_buffers
echo '-- dedupe'
show --rw=write --dedupe_percentage=30
show --rw=write --dedupe_percentage=30 --refill_buffers=0 --scramble_buffers=0 --zero_buffers
show --rw=write --dedupe_percentage=30 --dedupe_global=1
show --rw=write --dedupe_percentage=30 '--buffer_pattern="x"'
show --rw=write --dedupe_percentage=30 --dedupe_mode=working_set
show --rw=write --dedupe_percentage=30 --dedupe_mode=working_set --dedupe_working_set_percentage=0
show --rw=write --dedupe_percentage=30 --dedupe_mode=working_set --dedupe_working_set_percentage=70 --nrfiles=2
echo '-- corpus'
seq 3000 >corpus
show --rw=write --buffer_corpus=corpus --zero_buffers
show --rw=write --buffer_corpus=corpus --dedupe_percentage=30 --buffer_compress_percentage=50 '--buffer_pattern="x"'
cat >a.fio <<EOF
[global]
ioengine=null
rw=write
dedupe_percentage=30
dedupe_mode=working_set
dedupe_global=1
size=1m
[two]
numjobs=2
[reader]
rw=read
[alone]
dedupe_global=0
[last]
size=2m
randseed=7
EOF
weir --plan a.fio | pick data
weir --plan --ioengine=null --rw=rw --bs=1m --size=1g --iodepth=4 --name=fresh | pick /memory_bytes
weir --plan --ioengine=null --rw=rw --bs=1m --size=1g --iodepth=4 --scramble_buffers=0 --name=apart | pick /memory_bytes
echo '-- refused'
fails() { weir --plan --ioengine=null --size=1m --rw=write --name=a "$@" && echo "not refused: $*"; }
fails --dedupe_percentage=96 --dedupe_mode=working_set
fails --dedupe_percentage=101
fails --dedupe_percentage=50 --dedupe_mode=both
fails --buffer_compress_percentage=101
fails --buffer_compress_chunk=2g
fails --buffer_corpus=nosuch
fails --buffer_corpus=.
fails --buffer_pattern=abcd
fails --buffer_pattern=%o
fails "--buffer_pattern='nosuch'"
printf '[a]\nrw=write\nbuffer_pattern="abc\n' >a.fio
weir --plan --ioengine=null --size=1m a.fio
