# A log of 400 requests, 1 ms apart: reads of 4 KiB and of 64 KiB at random, writes in order,
# a sync every 20.
awk 'BEGIN {
	print "fio version 3 iolog"
	print "0 db add"
	for (i = 0; i < 400; i++) {
		if (i % 4 == 0)
			print i * 1000, "db", "write", 8388608 + i / 4 * 8192, 8192
		else
			print i * 1000, "db", "read", (i * 7919) % 100 * 65536, i % 4 == 1 ? 65536 : 4096
		if (i % 80 == 79)
			print i * 1000, "db", "sync", 0, 0
	}
}' >log
weir trace log
weir trace --json log | sed -n '/"profile"/,$p'
echo "-- a job of it"
weir trace --job log | tee like.fio
weir --parse-only like.fio
echo "status $?"
echo "-- is another load like it?"
weir --like=log --name=x --ioengine=null --rw=write --bs=128k --size=1g --output-format=json |
	sed -n '/"like"/,/}/p; /"id" : "unlike-work"/,/"evidence"/p' | sed 's/[0-9]* IOPS (/N IOPS (/'
echo "-- what can't be"
weir trace
weir trace --job nothing
printf 'fio version 3 iolog\n0 a add\n1 a sync 0 0\n' >syncs
weir trace --job syncs
weir trace --jobs log
weir trace record
weir trace record --time=1y log
weir trace record --time
weir --like=nothing --name=x --ioengine=null --size=1m
weir --like=syncs --name=x --ioengine=null --size=1m
