# Files anywhere, options of all shapes, defaults before the first --name.
printf '[file]\nrw=write\nsize=8k\n' >job.fio
show() { echo "-- $*"; weir --plan "$@" | pick queue.depth pattern.rw; }
show --ioengine=null --iodepth=4 job.fio
show -ioengine null -iodepth 4 job.fio
show --ioengine=null job.fio --name=a --size=4k --readwri=randread
show --ioengine=null --size=4k --name=a --name=global --readwrite=write --name=b
show --ioengine=null --group_reporting job.fio
cat job.fio | show --ioengine=null -
show --ioengine=null -- job.fio
