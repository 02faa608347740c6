#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
# run.sh NAME BUILD: run NAME.cmd with BUILD's weir in an empty directory and
# compare what it prints with NAME.out.  UPDATE=1 accepts (then read the diff).
set -u
name=$1
build=$(cd "$2" && pwd) || exit 1
here=$(cd "$(dirname "$0")" && pwd) || exit 1
work=$(mktemp -d) || exit 1
actual=$(mktemp) || exit 1
trap 'rm -rf "$work" "$actual"' EXIT

PATH="$build:$here:$PATH"
LC_ALL=C
XDG_CACHE_HOME="$work/no-cache"
export PATH LC_ALL XDG_CACHE_HOME
cd "$work" || exit 1
sh "$here/$name.cmd" >"$actual" 2>&1 || echo "exit $?" >>"$actual"
if [ "${UPDATE:-0}" = 1 ]; then
	cp "$actual" "$here/$name.out"
fi
diff -u "$here/$name.out" "$actual"
