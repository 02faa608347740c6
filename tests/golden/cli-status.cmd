# Failed jobs are counted; a refusal and a lost report are 1.
ln -s "$(command -v weir)" fio
full="--rw=write --filename=/dev/full --size=4k --ioengine=psync"
status() { ./fio "$@" >out 2>err; echo "$? $*"; }
status --name=a --ioengine=null --size=4k
status --name=a $full
status --name=a $full --numjobs=3
status --name=a --ioengine=null --size=4k --name=b $full
status --name=a --ioengine=null --size=4k --output=/dev/full
status --name=a $full --numjobs=3 --output=/dev/full
status --name=a --rw=sideways
status --name=a --rw=write --ioengine=null --size=4k --readonly
