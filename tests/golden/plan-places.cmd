show() { echo "-- $*"; weir --plan --ioengine=null --size=1m "$@" | pick place thread; }
show --name=a --cpus_allowed=0-1 --numjobs=3
show --name=a --cpus_allowed=0,1 --cpus_allowed_policy=split --numjobs=3
show --name=a --cpumask=2 --thread --nice=-5
