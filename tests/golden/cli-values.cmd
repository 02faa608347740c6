try() { echo "-- $*"; weir --parse-only --name=a "$@"; echo "status $?"; }
try --rw=sideways
try --iodepth=abc
try --iodepth=0
try --rwmixread=101
try --bs=4k/60:64k/40
try --runtime=1.5g
try --bs=4KiB
try --compat=fio --bs=4KiB --size=1m
