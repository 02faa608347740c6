show() { echo "-- $*"; weir --plan --ioengine=null --size=1m "$@"; }
{
	show --name=a --cpus_allowed=0 --numjobs=2
	show --name=a --cpumask=1 --cpus_allowed_policy=split --thread --nice=-5
} 2>&1 | pick place thread
