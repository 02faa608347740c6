repeat() { echo "-- repeat $*"; weir repeat "$@"; echo "status $?"; }
# Figures of this machine as N.
masked() { sed -E 's/±[0-9.]+ %/±N %/; s/\b[0-9]+(\.[0-9]+)?( to |\b)/N\2/g; s/  +/ /g'; }
printf '[a]\nioengine=null\nrw=read\nsize=1m\n' >a.fio
printf '[a]\nioengine=null\nrw=read\nsize=2m\n' >b.fio
mkdir sub; cp a.fio sub/a.fio
weir repeat -n 3 a.fio --output-dir=d | masked; ls -A d; head -1 d/.repeat
repeat -n 2 a.fio --output-dir=d
weir repeat -n 2 a.fio --output-dir=d --append >/dev/null; ls d
weir repeat -n 2 --name=c --ioengine=null --size=4k --output=all.ndjson | masked; wc -l <all.ndjson
repeat -n 2 a.fio --output=all.ndjson
weir compare d all.ndjson | head -1
weir repeat -n 2 --interleave --seed=7 a.fio b.fio sub/a.fio --output-dir=i --rw=write | grep ^run | masked; ls -A i i/a
weir repeat -n2 a.fio --format=json | grep -E '"(weir_repeat|job|runs|figure|stopped|status)"'
# Not reached: no time for more than the first run.
weir repeat --until=±0.0001% --max-time=100ms --name=c --ioengine=null --size=1g --time_based --runtime=90ms >out
echo "status $?"; tail -2 out | masked
# What is wrong.
repeat
repeat -n2x a.fio
repeat -n 0 a.fio
repeat -n
repeat -n 2
repeat -n 2 - <a.fio
repeat nosuch.fio
repeat -n 3 --name=a --ioengine=null --size=1m --bs=0
repeat a.fio --until=2
repeat a.fio --max-time=soon
repeat a.fio --metric=max
repeat a.fio --seed=x
repeat a.fio --format=csv
repeat a.fio --output-format=json
repeat --interleave a.fio
repeat --interleave a.fio nosuch.fio
repeat --interleave a.fio b.fio --output=all
repeat a.fio --output=x --output-dir=y
repeat a.fio --output=/dev/null
repeat a.fio --output-dir=nosuch/deep
# A job that fails ends it, with its status; its result is kept.
repeat -n 3 --name=f '--ioengine=fault(null)' --fault_script=after:3:EIO --size=1m --rw=read --output-dir=f 2>/dev/null | masked
ls f
# The load of another: told once, and kept with each result.
printf 'fio version 3 iolog\n0 /a add\n0 /a open\n10 /a write 0 4096\n20 /a write 8192 4096\n40 /a close\n' >t.log
weir repeat -n 2 a.fio --like=t.log --output-dir=l | grep -c "^this wasn't the load of t.log: 100 % reads (there 0 %)"
grep -c '"like"' l/001.json
repeat -n 2 a.fio --like=nosuch.log
weir knee --goal='read.lat.p99 < 1ms' a.fio --like t.log; echo "status $?"
