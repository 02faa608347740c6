#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
#
# stuck.sh WAITS CHAIN...: runs `WAITS frozen CHAIN` on a device whose requests hang:
# a loop device on a file of an ext4 that lies on another loop device and is frozen.
set -eu

[ "$(id -u)" = 0 ] || { echo "skipped: needs root (loop devices, a mount)"; exit 77; }
for tool in losetup mkfs.ext4 mount fsfreeze; do
	command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done

waits=$1; shift
dir=$(mktemp -d /var/tmp/weir-stuck.XXXXXX)
outer='' inner=''
finish() {
	fsfreeze -u "$dir/fs" 2>/dev/null || true
	[ -z "$inner" ] || losetup -d "$inner"
	umount "$dir/fs" 2>/dev/null || true
	[ -z "$outer" ] || losetup -d "$outer"
	rm -rf "$dir"
}
trap finish EXIT
trap 'exit 1' INT TERM HUP

truncate -s 32M "$dir/disk"
outer=$(losetup -f --show "$dir/disk") || { outer=''; echo "skipped: no loop device"; exit 77; }
mkfs.ext4 -q "$outer"
mkdir "$dir/fs"
mount "$outer" "$dir/fs" || { echo "skipped: can't mount"; exit 77; }
dd if=/dev/zero of="$dir/fs/file" bs=1M count=8 status=none
inner=$(losetup -f --show "$dir/fs/file")

status=0
for chain; do
	echo "== $chain"
	timeout 30 "$waits" frozen "$chain" "$inner" "$dir/fs" || { rc=$?; [ $rc = 77 ] || status=1; }
	fsfreeze -u "$dir/fs" 2>/dev/null || true
done
exit $status
