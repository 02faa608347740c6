#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
# signals.sh WEIR: a signal ends a run with a full report and status 128, and no
# process is left.  The load is the null engine on a schedule.
set -u
weir=$(realpath "$1") || exit 1
dir=$(mktemp -d)
pid= workers=
trap 'end_ours; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
cd "$dir" || exit 1
ln -s "$weir" fio
failed=0

fail() {
	echo "FAIL $*"
	failed=$((failed + 1))
}

# until_true SECONDS COMMAND: it succeeds in that time.
until_true() {
	tries=$(($1 * 20))
	shift
	while ! "$@" 2>/dev/null; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		sleep 0.05
	done
}

# What was started and is still there, because a test failed or was cut short.
end_ours() {
	for p in $pid $workers; do
		[ "$(readlink /proc/$p/cwd)" = "$dir" ] && kill -KILL $p
	done 2>/dev/null
}

children_of() {
	cat "/proc/$1/task/$1/children"
}

has_workers() {
	[ "$(children_of "$1" | wc -w)" = "$2" ]
}

gone() {
	for p in $1; do
		# A zombie of ours is gone; its parent may be an init that is slow.
		[ ! -e "/proc/$p" ] || grep -q '^State:.Z' "/proc/$p/status" || return 1
	done
}

# start WORKERS PROGRAM WORD...: in the background, measuring when this returns.
# A shell's background job ignores SIGINT and SIGQUIT; env undoes that.
start() {
	count=$1
	shift
	end_ours
	rm -f out err
	env --default-signal=INT,QUIT "$@" >out 2>err &
	pid=$!
	until_true 60 has_workers $pid "$count" || fail "$*: not $count children after 60 s"
	sleep 0.7
	workers=$(children_of $pid)
}

slow="--name=a --ioengine=null --size=1g --rate=1m --numjobs=2"

for sig in INT:2 TERM:15 HUP:1 QUIT:3; do
	number=${sig#*:} sig=${sig%:*}
	start 2 ./fio $slow
	kill -$sig $pid
	wait $pid
	[ $? = 128 ] || fail "SIG$sig: status is not 128"
	gone "$workers" || fail "SIG$sig: a worker is left"
	grep -q "^fio: terminating on signal $number\$" out || fail "SIG$sig: not said on stdout"
	grep -B1 "terminating on signal" out | head -1 | grep -q '^$' ||
		fail "SIG$sig: no empty line before it"
	[ "$(grep -c '^a: (groupid=0, jobs=1): err= 0' out)" = 2 ] || fail "SIG$sig: no full report"
	[ -s err ] && fail "SIG$sig: stderr has $(head -1 err)"
done

# In a machine format the words are on stderr and in the document.
start 2 "$weir" $slow --output-format=json
kill -TERM $pid
wait $pid
[ $? = 128 ] || fail "json: status is not 128"
grep -q 'weir: terminating on signal 15' err || fail "json: not said on stderr"
python3 -c '
import json
d = json.load(open("out"))
assert len(d["jobs"]) == 2 and all(j["read"]["total_ios"] > 0 for j in d["jobs"]), "no figures"
assert any("terminating on signal 15" in m for m in d["weir"]["messages"]), "no message"
' || fail "json: the document"

# Threads, too.
start 1 ./fio $slow --thread
kill -INT $pid
wait $pid
[ $? = 128 ] || fail "threads: status is not 128"
[ "$(grep -c '^a: (groupid=0, jobs=1): err= 0' out)" = 2 ] || fail "threads: no full report"

# The drain is waited for; a second signal skips it.
drain="--name=a --ioengine=delay(null) --delay_script=const:25s --size=1g --iodepth=4"
start 1 "$weir" $drain --output-format=json
began=$(date +%s%N)
kill -INT $pid
sleep 0.5
[ -e /proc/$pid ] || fail "the first signal does not wait for what is in flight"
kill -INT $pid
wait $pid
[ $? = 128 ] || fail "second signal: status is not 128"
took_ms=$((($(date +%s%N) - began) / 1000000))
[ $took_ms -lt 10000 ] || fail "second signal: the end took $took_ms ms"
python3 -m json.tool out >/dev/null || fail "second signal: no document"

# SIGUSR1: a report now, and the run goes on.
start 2 ./fio $slow --runtime=5 --time_based
kill -USR1 $pid
wait $pid
[ $? = 0 ] || fail "SIGUSR1: status is not 0"
[ "$(grep -c '^a: (groupid=0, jobs=1): err= 0' out)" = 4 ] || fail "SIGUSR1: not two reports"

# The front end is killed: its workers end, too.
start 2 "$weir" $slow
kill -KILL $pid
wait $pid 2>/dev/null
until_true 30 gone "$workers" || fail "SIGKILL of the front end: a worker runs on"

[ $failed = 0 ] && echo "signals: all as they should be"
exit $((failed > 0))
