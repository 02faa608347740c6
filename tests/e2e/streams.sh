#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
# streams.sh WEIR: what is on stdout, on stderr and in the --output file; nothing
# else may be there.  Needs python3 (a strict JSON parser) and, for the full disk,
# root; what is skipped says so.
set -u
weir=$(realpath "$1") || exit 1
dir=$(mktemp -d)
trap 'umount "$dir/full" 2>/dev/null; rm -rf "$dir"' EXIT
cd "$dir" || exit 1
ln -s "$weir" fio
failed=0

fail() {
	echo "FAIL $*"
	failed=$((failed + 1))
}

# is_json FILE COUNT: exactly COUNT documents and nothing else.
is_json() {
	python3 - "$1" "$2" <<'EOF'
import json, sys
text = open(sys.argv[1], encoding="utf-8").read()
found, at = 0, 0
reject = json.JSONDecoder(parse_constant=lambda c: sys.exit(f"not JSON: {c}"))
while text[at:].strip():
    at += len(text[at:]) - len(text[at:].lstrip())
    _, at = reject.raw_decode(text, at)
    found += 1
sys.exit(0 if found == int(sys.argv[2]) else f"{found} documents, not {sys.argv[2]}")
EOF
}

# clean NAME STATUS: the status is 0 and stderr is empty.
clean() {
	[ "$2" = 0 ] || fail "$1: status $2"
	[ -s err ] && fail "$1: stderr has: $(head -1 err)"
}

job="--name=a --ioengine=null --size=1m --rw=randrw"

# Exactly one document on stdout, nothing on stderr: also with a note of the plan as
# fio (depth of a synchronous engine), that programs can't bear.
for program in "$weir" ./fio; do
	$program $job --output-format=json >out 2>err
	clean "$program json" $?
	is_json out 1 || fail "$program json: not one document"
done
./fio $job --ioengine=psync --iodepth=8 --filename=file --output-format=json >out 2>err
clean "json and a note" $?
is_json out 1 || fail "json and a note: not one document"
grep -q messages out && fail "json of a clean run has messages"

# Each face's default, and nothing on stderr.
"$weir" $job >out 2>err
clean "table" $?
grep -q '^weir 0' out || fail "table: no head line"
./fio $job >out 2>err
clean "normal" $?
head -1 out | grep -q '^a: (g=0): rw=randrw, bs=(R) 4096B-4096B' || fail "normal: no header line"
sed -n 2p out | grep -q '^fio-3\.' || fail "normal: no version line"
sed -n 3p out | grep -q '^Starting 1 process$' || fail "normal: no Starting line"
sed -n 4p out | grep -q '^$' || fail "normal: no empty line before the report"

# json,normal: header lines, document, text, whatever the order asked for.
./fio $job --output-format=normal,json >out 2>err
clean "normal,json" $?
head -1 out | grep -q '^a: (g=0)' || fail "normal,json: header lines are not first"
[ "$(grep -n '^{$' out | cut -d: -f1)" -lt "$(grep -n '^a: (groupid=0' out | cut -d: -f1)" ] ||
	fail "normal,json: the document does not come before the text"
sed -n '/^{$/,/^}$/p' out >doc
is_json doc 1 || fail "normal,json: no document between { and }"

# A failed job: messages in the document, words on stderr, status 1.
./fio $job --ioengine=psync --rw=write --filename=/dev/full --output-format=json >out 2>err
[ $? = 1 ] || fail "a failed job: status is not 1"
is_json out 1 || fail "a failed job: not one document"
grep -q 'err=28' err || fail "a failed job: no err=28 on stderr"
python3 -c 'import json; d = json.load(open("out")); assert any("err=28" in m for m in d["messages"])' ||
	fail "a failed job: messages lack err=28"
[ "$(python3 -c 'import json; print(list(json.load(open("out")))[-1])')" = messages ] ||
	fail "messages are not last"

# --output: stdout is empty; as fio in text errors are in the file, too.
./fio $job --output-format=json --output=results >out 2>err
clean "--output" $?
[ -s out ] && fail "--output: something is on stdout"
is_json results 1 || fail "--output: not one document"
./fio --name=a --rw=sideways --output=results >out 2>err
[ $? = 1 ] || fail "a bad value: status is not 1"
grep -q sideways err || fail "a bad value is not on stderr"
grep -q sideways results || fail "a bad value is not in the --output file"
./fio $job --output-format=json --output=results >out 2>err
./fio --name=a --rw=sideways --output-format=json --output=results >out 2>err
[ -s results ] && fail "a refused run leaves the old document"

# The file may not be a job file, a target or a device.
printf '[a]\nioengine=null\nsize=1m\n' >job.fio
cp job.fio same.fio
"$weir" job.fio --output=job.fio >out 2>err && fail "--output may overwrite the job file"
cmp -s job.fio same.fio || fail "the job file was touched"
head -c 65536 /dev/zero | tr '\0' x >target
cp target same
"$weir" --name=a --rw=read --filename=target --output=target >out 2>err &&
	fail "--output may overwrite a target"
cmp -s target same || fail "the target was touched"

# --status-interval: a sequence of documents; one a line in weir's face.
slow="--name=a --ioengine=null --size=1g --rate=1m --runtime=2 --time_based --status-interval=700ms"
./fio $slow --output-format=json >out 2>err
clean "status-interval" $?
is_json out 3 || fail "status-interval: not three documents"
"$weir" $slow --output-format=json >out 2>err
clean "status-interval" $?
is_json out 3 || fail "NDJSON: not three documents"
[ "$(wc -l <out)" = 3 ] || fail "NDJSON: not three lines"

# The live line: nowhere without a terminal, on stdout as fio, on stderr as weir,
# never among documents.
./fio $slow --eta=always >out 2>err
grep -q "$(printf '^Jobs: 1 (f=1).*\r')" out || fail "--eta=always: no live line on stdout"
[ -s err ] && fail "--eta=always: stderr is not empty"
"$weir" $slow --eta=always >out 2>err
grep -q 'Jobs: 1 (f=1)' out && fail "weir's live line is on stdout"
grep -q 'Jobs: 1 (f=1)' err || fail "weir's live line is not on stderr"
./fio $slow --eta=always --output-format=json >out 2>err
is_json out 3 || fail "the live line is among documents"

# A reader that goes away, a stdout that was never there: the report is on stderr.
( "$weir" $slow 2>err; echo $? >status ) | true
[ "$(cat status)" = 1 ] || fail "closed pipe: status $(cat status)"
grep -q 'stdout: Broken pipe' err || fail "closed pipe: not said"
grep -q 'IOPS' err || fail "closed pipe: no report"
"$weir" $job --ioengine=psync --rw=write --filename=target --destroy=target >&- 2>err
[ $? = 1 ] || fail "closed stdout: status is not 1"
grep -q 'IOPS' err || fail "closed stdout: no report"
grep -q 'IOPS' target && fail "closed stdout: the report went into the target"

# A full disk under --output: taken back whole, and the report comes out on stdout.
mkdir full
if mount -t tmpfs -o size=4k,nr_inodes=8 none full 2>/dev/null; then
	"$weir" $job --numjobs=4 --output-format=json --output=full/results >out 2>err
	[ $? = 1 ] || fail "full disk: status is not 1"
	grep -q 'full/results: No space left' err || fail "full disk: not said"
	is_json out 1 || fail "full disk: no document on stdout"
	[ -s full/results ] && fail "full disk: a torn document was left"
else
	echo "skip the full disk: no tmpfs can be mounted (not root)"
fi

[ $failed = 0 ] && echo "streams: all as they should be"
exit $((failed > 0))
