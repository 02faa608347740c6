# Wide, so that no figure makes the table another one.
export COLUMNS=400
study() { echo "-- study $*"; weir study "$@"; echo "status $?"; }
# Times and figures of this machine as N, the scratch place as DIR.
masked() { sed -E "/\\(by IOPS/d; s#$PWD#DIR#g; s/ +/ /g; s/±[0-9.]+ %/±N %/g; s/\\b[0-9]+(\\.[0-9]+)? to [0-9.e+-]+/N to N/g; s/IOPS.*/IOPS .../; s/ left: .*//; s/ +\$//"; }
cat >a.weir <<'END'
[study]
repeats = 2
seed = 7
[global]
ioengine = null
size = 64k
env.MARK = ${WEIR_STUDY_DIR}/mark
[variant small]
setup = echo "up $WEIR_VARIANT $WEIR_WORKLOAD $WEIR_POINT"; touch "$MARK"
teardown = rm "$MARK"; echo down
[variant large]
bs = 16k
[workload mix]
rw = randrw
sweep.iodepth = 1..2
[workload file]
job = two.fio
END
printf '[first]\nrw=read\nbs=4k\n[second]\nstonewall\nrw=write\n' >two.fio
study --dry-run a.weir; ls
study a.weir 2>err | masked; masked <err
ls a.study a.study/runs a.study/runs/mix/iodepth=2/small
cat a.study/logs/0001.log | masked
cmp a.weir a.study/study.weir
# Done is done; more rounds continue the same order; fewer are not more.
study a.weir 2>&1 >/dev/null | masked
study --repeats=3 --variant=small a.weir 2>&1 >/dev/null | masked
study a.weir 2>&1 | masked
study --report --repeats=2 --full a.weir | grep -cE 'IOPS|p99,'
study --report --repeats=2 --format=json a.weir | grep -E '"(weir_compare|job)"'
# The last column, how many runs would decide, is there where one is undecided for that reason.
study --report --repeats=2 --format=md a.weir | masked | sed -E 's/(B is \|) \|$/\1/; s/( --- \|) --- \|$/\1/' | head -6
# Another study than the one that was begun.
sed -i 's/bs = 16k/bs = 8k/' a.weir
study a.weir 2>&1 | masked
study --fresh a.weir >/dev/null 2>err; tail -1 err | masked; grep -c done a.study/study.json
study --fresh --seed=8 a.weir 2>&1 >/dev/null | masked
sed -i 's/^seed = 7//' a.weir
study --fresh --seed=8 a.weir >/dev/null 2>&1; study --seed=9 a.weir 2>&1 | masked
# One variant: a table of its sweep.
printf '[study]\nrepeats=1\n[workload w]\nioengine=null\nsize=64k\nrw=read\nsweep.iodepth=1,8\nsweep.bs=4k,8k\n' >b.weir
study b.weir 2>/dev/null | sed -E 's/[0-9]{5,}/N/g; s/ +/ /g' | masked | grep -v order:
# One setup for all runs of a variant in a round: 12 runs, 4 of each.
printf '[study]\nrepeats = 2\nseed = 1\nsetup_per = round\n[global]\nsetup = echo up\nteardown = echo down\n[variant a]\n[variant b]\n[workload w]\nioengine=null\nsize=64k\nrw=read\nsweep.bs=4k..16k*2\n' >r.weir
study r.weir 2>&1 >/dev/null | masked
cat r.study/logs/*.log | grep -cx up; cat r.study/logs/*.log | grep -cx down; grep -l '^down' r.study/logs/*
# A setup that fails, a run that fails; go on, or stop.
cat >f.weir <<'END'
[study]
repeats = 2
seed = 1
[variant good]
[variant bad]
setup = echo first
setup = echo trouble >&2; exit 3
setup = echo never
teardown = echo torn
[workload w]
ioengine = null
size = 4k
rw = read
[workload broken]
ioengine = fault(null)
fault_script = after:0:EIO
size = 4k
rw = read
END
study f.weir 2>&1 | masked | grep -v '^run'
grep -E '"(status|exit)"' f.study/study.json | sort | uniq -c | sed 's/^ *//'
cat f.study/logs/*.log | grep -c torn
sed -i 's/^seed = 1/seed = 1\non_failure = stop/' f.weir
study --fresh f.weir 2>&1 | grep -c '^weir: run . of'
# What is wrong, in order of when it is seen.
study
study --dry a.weir
study nosuch.weir
study --variant=x a.weir
study --format=csv a.weir
study --full --brief a.weir
study - <a.weir
study --report b.weir --output-dir=nosuch
study a.weir b.weir
mkdir other; touch other/file; study --output-dir=other a.weir 2>&1 | masked
printf '[variant old]\nkernel = 0.9.*\n[variant older]\nkernel = 0.8.*\n[workload w]\nrw=read\nsize=4k\nioengine=null\n' >k.weir
study k.weir 2>&1 | sed -E "s/$(uname -r)/KERNEL/"
study --variant=old k.weir 2>&1 | sed -E "s/$(uname -r)/KERNEL/"
printf '[variant a]\n[workload w]\nioengine=null\nrw=read\n' >n.weir; study n.weir
printf '[variant a]\nenv.X = ${oh\n[workload w]\nioengine=null\nrw=read\nsize=4k\n' >n.weir; study n.weir
printf '[workload w]\njob = two.fio\niodepth = 4\nbs = 4k\nsweep.rw = read, randread\nsize = 1\n' >n.weir; study n.weir
printf '[a]\nrw=raed\n' >two.fio; printf '[workload w]\njob = two.fio\n' >n.weir; study n.weir
printf '[variant a]\ndestroy = /dev/sda\n' >n.weir; study n.weir
