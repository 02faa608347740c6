compare() { echo "-- compare $*"; weir compare "$@"; echo "status $?"; }
# A run as fio reports it: FILE TIME IOPS, p99 of a tenth of what the rate gives.
run() {
	cat >"$1" <<END
{ "fio version" : "fio-3.33", "timestamp_ms" : $2, "jobs" : [ { "jobname" : "db", "groupid" : 0, "error" : 0,
  "job options" : { "rw" : "randread", "bs" : "${4:-4k}", "iodepth" : "1" }, "latency_depth" : 1,
  "read" : { "io_bytes" : $(($3 * 4096)), "io_kbytes" : $(($3 * 4)), "iops" : $3.000000, "runtime" : 1000, "total_ios" : $3,
    "clat_ns" : { "min" : 13000, "max" : 81000, "mean" : $((1000000000 / $3)).0, "stddev" : 6460.0, "N" : $3,
      "percentile" : { "50.000000" : 22016, "99.000000" : 38144 } } } } ] }
END
}
mkdir old new
i=0
for iops in 5000 5040 4980 5010 4990; do
	i=$((i + 1))
	run old/$i.json $((100 + i)) $iops
	run new/$i.json $((200 + i)) $((iops * 11 / 10)) 8k
	run turn$i.json $((1000 + 20 * i)) $iops
	run then$i.json $((1007 + 20 * i)) $((iops * 19 / 20 + i))
done
compare old/ new/
compare --gate old new
compare --gate new old | tail -2
compare --gate old old | tail -2
compare 'A=turn*.json' B=then1.json,then2.json,then3.json,then4.json,then5.json --format=md
compare old/*.json -- new/1.json new/2.json --metric=p99 --tolerance=10% --format=json
compare old/1.json new/1.json
compare --gate old/1.json new/1.json | tail -1
compare old new "off=turn*.json" | grep -v '^  '
cat old/*.json | weir compare - new --gate | sed -n 1p
# Status reports of one run are one run, the last; the same run twice counts once.
sed 's/"jobname"/"job_start" : 50, "jobname"/' old/1.json >interim.json
sed 's/"timestamp_ms" : 101/"timestamp_ms" : 102/' interim.json >final.json
cat interim.json final.json | weir compare - new | sed -n 1p
weir compare interim.json,interim.json new | sed -n 1p
# What is wrong.
compare
compare old
compare old --gate
compare old nosuch --gate
compare old 'nosuch*'
mkdir empty; compare old empty
echo 'nothing here' >text; compare old text
compare old -- --
compare old new --metric=max
compare old new --metric=speed --gate
compare old new --tolerance=2
compare old new --tolerance=0%
compare old new --format=html
compare old new --brief
compare old new --colour
# What fio's whole us and ms make 0 isn't 0: a median below one us, the CPU time of a short run.
us_json() { printf '{"fio version":"fio-2.16","jobs":[{"jobname":"a","read":{"io_bytes":400,"bw":200,"iops":50,"runtime":2000,"clat":{"min":0,"max":6,"mean":0.5,"percentile":{"50.000000":%s,"99.000000":5}}}}]}\n' "$@"; }
cpu_json() { printf '{"fio version":"fio-3.33","jobs":[{"jobname":"a","job_runtime":2000,"read":{"io_bytes":409600,"bw_bytes":204800,"iops":50.000000,"runtime":2000,"total_ios":100},"usr_cpu":%s,"sys_cpu":0.000000,"ctx":1}]}\n' "$@"; }
us_json 0 >below.json; us_json 2 >above.json; cpu_json 5.000000 >some.json; cpu_json 0.000000 >none.json
compare below.json above.json | sed '/^notes/,$d'
weir compare some.json none.json | sed '/^notes/,$d'
