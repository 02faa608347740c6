#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
#
# forbidden.sh FORBID CONFORMANCE: asynchronous engines on a system that forbids them
# are skipped by their probe, with a sentence that says what and why.
set -eu

forbid=$1 conformance=$2
setup=425 io_setup=206 # x86-64; io_uring_setup is 425 everywhere
[ "$(uname -m)" = x86_64 ] || io_setup=0

# A script is run itself, and told of what would run programs.
[ -z "${WEIR_EMULATED-}${MESON_EXE_WRAPPER-}" ] || { echo "skipped: qemu-user can't run a program that a program starts"; exit 77; }

status=0
expect() { # SYSCALL ERRNO ENGINE TEXT
	out=$("$forbid" "$1" "$2" "$conformance" "$3" 2>&1) && rc=0 || rc=$?
	if [ $rc = 77 ] && case $out in *"$4"*) true;; *) false;; esac; then
		echo "ok: $out"
	else
		echo "not ok: exit $rc, wanted 77 and \"$4\": $out"
		status=1
	fi
}
# (a kernel with io_uring_disabled set is found to be so, whoever forbids it)
expect $setup 1 io_uring "io_uring is "
expect $setup 38 io_uring "this kernel has no io_uring, or a sandbox hides it"
expect $io_setup 38 libaio "this kernel has no AIO (CONFIG_AIO), or this process is confined"
expect $io_setup 11 libaio "fs.aio-max-nr"
exit $status
