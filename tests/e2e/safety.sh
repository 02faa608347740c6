#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
# safety.sh [WEIR]: each line of run/prepare/guard.h tried on real loop devices and files,
# with what must be said and what must not have changed.  $WEIR or the argument
# names the program.  -v prints what was said.
set -u
verbose=
[ "${1:-}" = -v ] && verbose=1 && shift
weir=${1:-${WEIR:-}}

skip() {
	echo "SKIP $*"
	exit 77
}

[ -x "$weir" ] || skip "no program: give it as argument or in \$WEIR"
[ "$(id -u)" = 0 ] || skip "loop devices and mounts need root"
losetup -f >/dev/null 2>&1 || skip "no loop devices"
for tool in addpart mkfs.ext4 mkswap python3; do
	command -v $tool >/dev/null || skip "no $tool"
done

weir=$(readlink -f "$weir")
dir=$(mktemp -d "${TMPDIR:-/tmp}/weir-safety-XXXXXX")
loops= mounts= swaps= holders= marks=
failed=0 passed=0

clean() {
	for p in $holders; do kill "$p" 2>/dev/null; done
	for s in $swaps; do swapoff "$s" 2>/dev/null; done
	for m in $mounts; do umount "$m" 2>/dev/null || umount -l "$m" 2>/dev/null; done
	for l in $loops; do losetup -d "$l" 2>/dev/null; done
	for m in $marks; do rm -f "$m"; done
	rm -rf "$dir"
}
trap clean EXIT
trap 'exit 1' INT TERM HUP
cd "$dir" || exit 1
ln -s "$weir" fio
fio=$dir/fio

# ---- tools ----

ok() {
	passed=$((passed + 1))
}

fail() {
	failed=$((failed + 1))
	echo "FAIL $what: $*"
	sed 's/^/	| /' err out 2>/dev/null | head -20
}

# run PROGRAM WORD...: out, err, rc
run() {
	timeout 60 "$@" >out 2>err
	rc=$?
	[ -z "$verbose" ] || { echo "\$ $what: $(basename "$1")"; grep . err; echo "= $rc"; }
}

# refused TEXT PROGRAM WORD...: status 1, and TEXT in one line of stderr.
refused() {
	text=$1
	shift
	run "$@"
	if [ $rc -ne 1 ]; then
		fail "status $rc, not 1"
	elif ! grep -qF -e "$text" err; then
		fail "stderr doesn't say \"$text\""
	else
		ok
	fi
}

# done_with TEXT PROGRAM WORD...: status 0, and TEXT ("": nothing) in stderr.
done_with() {
	text=$1
	shift
	run "$@"
	if [ $rc -ne 0 ]; then
		fail "status $rc, not 0"
	elif [ -n "$text" ] && ! grep -qF -e "$text" err; then
		fail "stderr doesn't say \"$text\""
	else
		ok
	fi
}

same() { # FILE SUM: it still has that sum
	[ "$(sum_of "$1")" = "$2" ] && ok || fail "$1 changed"
}

sum_of() {
	sha256sum <"$1" | cut -c1-64
}

size_is() {
	[ "$(stat -c %s "$1" 2>/dev/null)" = "$2" ] && ok || fail "$1 has $(stat -c %s "$1" 2>&1) bytes, not $2"
}

gone() {
	[ ! -e "$1" ] && ok || fail "$1 is there"
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

# new_loop FILE MIB: a free loop device over a new file; sets $dev
new_loop() {
	truncate -s "$2M" "$1"
	dev=$(losetup -f --show "$1") || skip "no free loop device"
	loops="$dev $loops"
}

new_mount() { # DEVICE POINT WORD...
	m_dev=$1 m_point=$2
	shift 2
	mkdir -p "$m_point"
	mount "$@" "$m_dev" "$m_point" || skip "can't mount $m_dev"
	mounts="$m_point $mounts"
}

write_job="--name=w --rw=write --bs=64k --size=1m"
read_job="--name=r --rw=read --bs=64k --size=1m"

# ---- block devices that are used ----

what="a mounted device"
new_loop a.img 64
a=$dev
mkfs.ext4 -q "$a"
new_mount "$a" mnt
echo precious >mnt/file
sync
for program in "$weir" "$fio"; do
	refused "$a appears mounted, and 'allow_mounted_write' isn't set." "$program" $write_job --filename="$a"
	refused "mounted on $dir/mnt" "$program" $write_job --filename="$a"
	refused "appears mounted" "$program" --name=t --rw=trim --bs=64k --size=1m --filename="$a"
	refused "appears mounted" "$program" --name=m --rw=randrw --bs=64k --size=1m --filename="$a"
	done_with "" "$program" $read_job --filename="$a"
done
refused "appears mounted" "$weir" $write_job --filename="$a" --destroy="$a"

what="a mounted device under other names"
ln -s "$a" alias
mknod other b $(stat -c '0x%t 0x%T' "$a")
refused "appears mounted" "$fio" $write_job --filename=alias
refused "appears mounted" "$fio" $write_job --filename="$dir/other"
refused "appears mounted" "$fio" --name=n --ioengine=null --size=1m --rw=write --name=w --rw=write --bs=64k --size=1m --filename=alias
done_with "" "$fio" --name=n --ioengine=null --size=1m --rw=write --filename="$a"
[ "$(cat mnt/file)" = precious ] && ok || fail "the file on it changed"

what="mounted in another mount namespace only"
new_loop ns.img 32
ns=$dev
mkfs.ext4 -q "$ns"
if unshare -m true 2>/dev/null; then
	mkdir -p nsmnt
	unshare -m sh -c "mount $ns $dir/nsmnt && touch $dir/ns.ready && exec sleep 60" &
	holder=$!
	holders="$holders $holder"
	until_true 60 test -e ns.ready
	refused "appears mounted" "$fio" $write_job --filename="$ns"
	refused "another mount namespace" "$weir" $write_job --filename="$ns" --destroy="$ns"
	kill $holder
	wait $holder 2>/dev/null
fi

what="allow_mounted_write"
mount -o remount,ro mnt
refused "appears mounted" "$weir" $write_job --filename="$a" --allow_mounted_write=1 --destroy="$a"
umount mnt
done_with "" "$fio" --name=w --rw=write --bs=64k --size=64k --offset=32m --filename="$a" --allow_mounted_write=1
mount -o ro "$a" mnt
done_with "" "$fio" --name=w --rw=write --bs=64k --size=64k --offset=48m --filename="$a" --allow_mounted_write=1
umount mnt

what="partitions"
new_loop p.img 64
p=$dev
printf '\200\001\001\000\203\377\377\377\000\010\000\000\000\200\000\000' |
	dd of=p.img bs=1 seek=446 conv=notrunc 2>/dev/null
printf '\125\252' | dd of=p.img bs=1 seek=510 conv=notrunc 2>/dev/null
if addpart "$p" 1 2048 32768 2>/dev/null && addpart "$p" 2 40960 32768 2>/dev/null; then
	for i in 1 2; do # a container may have no udev
		[ -b "${p}p$i" ] || mknod "${p}p$i" b $(sed 's/:/ /' "/sys/class/block/$(basename "$p")p$i/dev")
	done
	mkfs.ext4 -q "${p}p1"
	new_mount "${p}p1" pmnt
	for program in "$weir" "$fio"; do
		refused "partition ${p}p1 of it is mounted on $dir/pmnt" "$program" $write_job --filename="$p"
		refused "appears mounted" "$program" $write_job --filename="${p}p1"
		done_with "" "$program" $write_job --filename="${p}p2"
	done
	umount pmnt
	done_with "" "$weir" $write_job --filename="${p}p2" --name=both --rw=write --bs=64k --size=1m --offset=40m --filename="$p" --destroy="$p"
	what="a partition of a disk that is used as a whole"
	over=$(losetup -f --show "$p")
	loops="$over $loops"
	for program in "$weir" "$fio"; do
		refused "its disk $p is used as a whole by $over" "$program" $write_job --filename="${p}p2"
		refused "it is used as a whole by $over" "$program" $write_job --filename="$p"
	done
	losetup -d "$over"
	what="a partition table"
	refused "$p holds data: dos partition table" "$weir" $write_job --filename="$p"
	refused "--destroy=$p" "$weir" $write_job --filename="$p"
	delpart "$p" 1
	delpart "$p" 2
else
	echo "note: this kernel makes no partitions on loop devices"
fi

what="swap"
new_loop s.img 32
s=$dev
mkswap "$s" >/dev/null
if swapon "$s" 2>/dev/null; then
	swaps="$s"
	for program in "$weir" "$fio"; do
		refused "it is swap" "$program" $write_job --filename="$s"
	done
	swapoff "$s"
	swaps=
else
	echo "note: no swap here"
fi
refused "swap signature" "$weir" $write_job --filename="$s"

what="a device held by another program"
new_loop h.img 32
h=$dev
python3 -c "
import os, time
fd = os.open('$h', os.O_RDONLY | os.O_EXCL)
open('held', 'w').close()
time.sleep(60)" &
holder=$!
holders="$holders $holder"
until_true 60 test -e held
refused "$h is held exclusively by another program" "$weir" $write_job --filename="$h"
done_with "$h is held exclusively by another program" "$fio" $write_job --filename="$h"
done_with "" "$weir" $read_job --filename="$h"
kill $holder
wait $holder 2>/dev/null
done_with "" "$weir" $write_job --filename="$h"

what="the claim while a run writes"
"$weir" --name=w --rw=write --bs=64k --size=32m --rate=8m --time_based --runtime=120 --filename="$h" >out2 2>err2 &
writer=$!
holders="$holders $writer"
is_claimed() {
	! python3 -c "import os; os.open('$h', os.O_RDONLY | os.O_EXCL)"
}
until_true 30 is_claimed && ok || fail "another could claim $h"
kill -TERM $writer
wait $writer
rc=$?
[ $rc -eq 128 ] && ok || fail "the writer ended with $rc, not 128"
is_claimed 2>/dev/null && fail "the claim outlived the run" || ok

# ---- signatures and consent ----

what="a file system that isn't mounted"
new_loop e.img 32
e=$dev
mkfs.ext4 -q "$e"
sync
before=$(sum_of e.img)
refused "$e holds data: ext4 file system" "$weir" $write_job --filename="$e"
refused "--destroy=$e" "$weir" $write_job --filename="$e" --destroy="$h"
refused "--destroy=" "$weir" $write_job --filename="$e" --destroy=alias
printf '[w]\nrw=write\nbs=64k\nsize=1m\nfilename=%s\n' "$e" >plain.fio
refused "ext4 file system" "$weir" plain.fio
sed 's/^rw/destroy='"$(echo "$e" | sed 's,/,\\/,g')"'\nrw/' plain.fio >posted.fio
run "$weir" posted.fio
[ $rc -eq 1 ] && ok || fail "consent from a job file: status $rc"
sync
same e.img "$before"
ln -s "$e" e.link
done_with "" "$weir" $write_job --filename="$e" --destroy=e.link
mkfs.ext4 -q -F "$e"
done_with "holds data (ext4 file system)" "$fio" $write_job --filename="$e"
done_with "" "$weir" $read_job --filename="$e"

what="a device smaller than asked"
done_with "" "$fio" --name=r --rw=read --bs=1m --size=1g --filename="$h"
run "$weir" --name=r --rw=read --bs=1m --offset=1g --size=1m --filename="$h"
[ $rc -eq 1 ] && grep -q "$h" err && ok || fail "an offset beyond the end"

# ---- regular files ----

for program in "$weir" "$fio"; do
	what="a read job and somebody's file ($(basename "$program"))"
	seq 1000 >mine
	before=$(sum_of mine)
	refused "has 3893 bytes, the job reads 1048576" "$program" $read_job --filename=mine
	refused "size=3893" "$program" $read_job --filename=mine
	same mine "$before"
	ln mine mine.link
	refused "has 3893 bytes" "$program" --name=r --rw=randread --size=1m --filename=mine.link --overwrite=1
	same mine "$before"
	done_with "" "$program" --name=r --rw=read --bs=1k --size=3k --filename=mine
	same mine "$before"
	done_with "" "$program" --name=r --rw=read --bs=1k --size=3k --filename=mine --unlink=1
	same mine "$before"
	rm -f mine mine.link

	what="files are laid out ($(basename "$program"))"
	done_with "" "$program" $read_job --filename=new/deep/file
	size_is new/deep/file 1048576
	[ "$(stat -c %a new/deep)" = 700 ] && [ "$(stat -c %a new/deep/file)" = 644 ] && ok || fail "modes"
	: >empty
	done_with "" "$program" $read_job --filename=empty
	size_is empty 1048576
	what="weir's own file is extended beyond its end ($(basename "$program"))"
	head=$(head -c 1048576 empty | sha256sum)
	done_with "" "$program" --name=r --rw=read --bs=64k --size=3m --filename=empty
	size_is empty 3145728
	[ "$(head -c 1048576 empty | sha256sum)" = "$head" ] && ok || fail "its beginning changed"
	what="nothing is cut ($(basename "$program"))"
	done_with "" "$program" $write_job --filename=empty
	size_is empty 3145728
	what="unlink removes weir's own ($(basename "$program"))"
	done_with "" "$program" $write_job --filename=empty --unlink=1
	gone empty
	rm -rf new
done

what="a write job and somebody's file"
seq 1000 >mine
before=$(sum_of mine)
refused "has 3893 bytes that weir didn't write" "$weir" $write_job --filename=mine
refused "--destroy=mine" "$weir" $write_job --filename=mine --destroy=plain.fio
same mine "$before"
inode=$(stat -c %i mine)
done_with "" "$fio" --name=w --rw=write --bs=1k --size=2k --filename=mine
size_is mine 3893
[ "$(tail -c 1000 mine)" = "$(seq 1000 | tail -c 1000)" ] && ok || fail "the rest of it changed"
[ "$(stat -c %i mine)" = "$inode" ] && ok || fail "it is another file now"
done_with "" "$weir" $write_job --filename=mine --destroy="./mine"
size_is mine 1048576
done_with "" "$weir" $write_job --filename=ours
done_with "" "$weir" $write_job --filename=ours
rm -f mine ours

what="a file system without user attributes"
mkdir -p plain
if mount -t ramfs none plain; then
	mounts="$dir/plain $mounts"
	done_with "" "$weir" --name=w --rw=write --size=1m --filename=plain/f --name=r --stonewall --rw=read --size=1m --filename=plain/f --unlink=1
	gone plain/f
	done_with "" "$weir" $read_job --filename=plain/f
	refused "has 1048576 bytes, the job reads 2097152" "$weir" --name=r --rw=read --size=2m --filename=plain/f
	size_is plain/f 1048576
fi

what="nothing is made among the device nodes"
nope=/dev/weir-safety-$$
marks="$nope"
for program in "$weir" "$fio"; do
	refused "no file is made among the device nodes" "$program" $write_job --filename=$nope
	refused "no file is made among the device nodes" "$program" $read_job --filename=$nope/deeper
	gone $nope
done
if [ "$(stat -c %d /dev)" != "$(stat -c %d /dev/shm 2>/dev/null)" ]; then
	marks="$marks /dev/shm/weir-safety-$$"
	done_with "" "$weir" $write_job --filename=/dev/shm/weir-safety-$$ --unlink=1
	gone /dev/shm/weir-safety-$$
fi

what="a directory"
for program in "$weir" "$fio"; do
	refused "directory=" "$program" $write_job --filename="$dir"
done

what="--readonly"
for program in "$weir" "$fio"; do
	run "$program" --readonly $write_job --filename=nothing
	[ $rc -eq 1 ] && ok || fail "a write job: status $rc"
	refused "--readonly forbids" "$program" --readonly $read_job --filename=nothing
	gone nothing
done

# ---- orderly ends of the layout ----

what="a full disk"
new_loop f.img 16
mkfs.ext4 -q "$dev"
new_mount "$dev" full
for program in "$weir" "$fio"; do
	run "$program" --directory=full --name=big --rw=read --size=1g --name=small --rw=read --size=1m
	[ $rc -eq 1 ] && ok || fail "status $rc, not 1"
	grep -q "No space left" err out && ok || fail "it isn't said"
	gone full/big.0.0
	size_is full/small.0.0 1048576
	rm -f full/*.0
	run "$program" --directory=full --name=big --rw=write --size=1g --number_ios=1 --name=small --rw=read --size=1m
	[ $rc -eq 0 ] && ok || fail "a reservation that failed: status $rc"
	[ "$(stat -c %b full/big.0.0)" -lt 1000 ] && ok || fail "it kept its blocks"
	rm -f full/*.0
done

what="a stop while files are laid out"
python3 -c '
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$weir" --name=r --rw=read --size=8g --fallocate=none --filename=long >out 2>err &
pid=$!
until_true 60 test -s long || fail "nothing is laid out after 60 s"
kill -INT $pid
wait $pid
rc=$?
[ $rc -eq 128 ] && ok || fail "status $rc, not 128"
part=$(stat -c %s long 2>/dev/null || echo none)
[ "$part" != none ] && [ "$part" -lt 8589934592 ] && ok || fail "long has $part bytes"
children=$(pgrep -P $pid 2>/dev/null)
[ -z "$children" ] && ok || fail "helpers $children are left"
if [ "$part" != none ]; then
	done_with "" "$weir" --name=r --rw=read --bs=1m --size=$((part + 1048576)) --number_ios=1 --filename=long
	size_is long $((part + 1048576))
fi
rm -f long

what="the parent dies while files are laid out"
"$weir" --name=r --rw=read --size=8g --fallocate=none --filename=long >out 2>err &
pid=$!
until_true 60 test -s long || fail "nothing is laid out after 60 s"
helpers=$(cat /proc/$pid/task/$pid/children 2>/dev/null)
kill -KILL $pid
wait $pid 2>/dev/null
sleep 0.3
for p in $helpers; do
	if [ -e /proc/$p ] && ! grep -q '^State:.Z' /proc/$p/status; then
		fail "helper $p lives on"
		kill -KILL "$p"
	fi
done
[ -n "$helpers" ] && ok || fail "there were no helpers"
rm -f long

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
