try() { echo "-- $*"; weir --parse-only --name=a --ioengine=null --size=4k "$@"; echo "status $?"; }
try --max-jobs=8
try --alloc-size=abc
try --compat=fio --debug=process
try -j 8 -a 100
try --eta=never --eta-newline=1 --eta-interval=250ms
try --status-interval=1ms
