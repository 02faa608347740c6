show() { echo "-- $*"; weir --plan --ioengine=null --size=1m --rw=randwrite "$@"; }
{
	show --name=a --numjobs=2 --name=b
	show --name=b
	show --name=a --randseed=137
	show --name=a --randseed=7
	show --name=a --randseed=7 --randrepeat=0
} 2>&1 | pick pattern.seed pattern.repeat data.seed
echo '-- without randrepeat each run differs'
a=$(weir --plan --ioengine=null --size=1m --name=a --randrepeat=0 | pick pattern.seed)
b=$(weir --plan --ioengine=null --size=1m --name=a --randrepeat=0 | pick pattern.seed)
[ "$a" != "$b" ]
