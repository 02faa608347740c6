check() { echo "-- check $*"; weir check "$@"; echo "status $?"; }
# Three runs of one job, as fio tells them, and one of another.
run() {
	cat <<END
{ "fio version" : "fio-3.33", "jobs" : [ { "jobname" : "$1", "groupid" : 0, "error" : 0,
  "job options" : { "rw" : "randread", "bs" : "4k", "iodepth" : "$2", "direct" : "1" },
  "read" : { "io_bytes" : 4096000, "bw" : 2000, "iops" : $3, "runtime" : 2000, "total_ios" : 100000,
    "clat_ns" : { "min" : 13000, "max" : 81000, "mean" : 23500.0, "stddev" : 6460.0, "N" : 100000,
      "percentile" : { "50.000000" : 22000, "99.000000" : 38000 } } } } ] }
END
}
run rr 32 440000 >1.json
run rr 32 445000 >2.json
run rr 32 450000 >3.json
run q1 1 12000 >4.json
cat >spec.weir <<'END'
[product]
name = ACME 400 GB
source = data sheet

[claim "Random read"]
says = "up to 430,000 IOPS"
where = rw=randread bs=4k iodepth>=32
needs = direct=1 preconditioned
expect = read.iops >= 430k

[claim "Latency"]
says = "20 us & less"       # of a single request
where = rw=randread bs=4k iodepth=1
expect = read.clat.mean < 20us
expect = read.clat.p99 < 50us @95%

[claim "Random write"]
where = rw=randwrite bs=4k
expect = write.iops >= 230k
END
check 1.json 2.json 3.json 4.json spec.weir
check --given=preconditioned --format=junit 1.json 2.json 3.json 4.json spec.weir
check --format=markdown 1.json 4.json spec.weir
check --format=json --expect='rr.iops >= 444k' 1.json 2.json
cat 1.json 2.json | weir check --expect='iops >= 300k, rr.read.clat.p99 < 40us' -; echo "status $?"
# What is wrong is said with its place.
check --expect='read.iosp >= 1k' 1.json
check --expect='read.iops >= 1x' 1.json
printf '[claim "a"]\nexpect = read.lat < 1ms\n' >bad.weir
check 1.json bad.weir
check 1.json 2.json
check nosuch.json spec.weir
check --format=xml 1.json spec.weir
check 1.json
check --profile=etc .
check --profile=list
check --profile=etcd --show
# In a job: before anything runs, and after it.
weir --ioengine=null --size=1m --name=a --expect='read.iops >= fast'; echo "status $?"
cat >job.fio <<'END'
[global]
ioengine=null
size=1m
expect=errors == 0
expect=write.ios == 256
[a]
rw=write
[b]
rw=read
expect=read.ios == 255
END
weir job.fio --output-format=json >out.json; echo "status $?"
grep -A9999 '"checks"' out.json
weir job.fio --output-format=normal >out.txt; echo "status $?"
weir show --expect='a.write.ios == 256' out.json | tail -5; echo "status $?"
weir help paths
