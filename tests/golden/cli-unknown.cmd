try() { echo "-- $*"; weir "$@"; echo "status $?"; }
try --bogus=1
try --iodepht=4 --name=a
try --name=a --redaonly
try --compat=fio --iodepht=4
try --name=a --iode=4
try --parse-only --name=a --size=1m --des=text
try --name=a --s=4
try --name=a --iodepth
try --name=a --=4
try --name=a --hipri
try --name=a --ioengine=null --userspace_reap
try nosuch.fio
