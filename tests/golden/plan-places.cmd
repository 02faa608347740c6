show() { echo "-- $*"; weir --plan --ioengine=null --size=1m "$@"; }
{
	show --name=a --cpus_allowed=0 --numjobs=2
	show --name=a --cpumask=1 --cpus_allowed_policy=split --thread --nice=-5
	show --name=a --numa_cpu_nodes=0 --numa_mem_policy=prefer:0
	show --name=a --numa_mem_policy=local
	show --name=a --numa_mem_policy=bind
	show --name=a --numa_mem_policy=prefer:0-1
	show --name=a --numa_mem_policy=local:0
	show --name=a --numa_mem_policy=first:0
	show --name=a --numa_cpu_nodes=0,x
	show --name=a --numa_cpu_nodes=64
} 2>&1 | pick place thread
show() { echo "-- $*"; weir --plan --ioengine=null --size=1m "$@"; }
{
	show --name=a --prio=4 --comm=worker
	show --name=a --prioclass=3
	show --name=a --prioclass=1 --prio=0 --priohint=1
	show --name=a --prioclass=4
	show --name=a --uid=0 --gid=5 --exec_prerun='sync' --exec_postrun='cat x'
	show --name=a --cgroup=/w/x --cgroup_weight=200 --cgroup_nodelete=1
	show --name=a --cgroup=../x
	show --name=a --cgroup=w --thread
	show --name=a --cgroup_weight=5
	show --name=a --cgroup_weight=200
	show --name=a --comm=a-name-that-is-too-long
} 2>&1 | pick process
show --name=a --lockfile=readwrite --ioscheduler=none --iodepth=4 2>&1 | pick open

show() { echo "-- $*"; weir --plan --size=1m --name=a "$@"; }
{
	show --ioengine=libaio --rw=randrw --cmdprio_percentage=30,5 --cmdprio_class=2 --cmdprio=7
	show --ioengine=io_uring --rw=randrw --cmdprio_bssplit=4k/20/1/2:4k/10/3/0:64k/50/2/0/3,8k/5
	show --ioengine=io_uring --rw=read --cmdprio_bssplit=4k/20,8k/30
	show --ioengine=libaio --cmdprio=3
	show --ioengine=libaio --cmdprio_percentage=10 --cmdprio_bssplit=4k/10
	show --ioengine=libaio --cmdprio_bssplit=4k/80:4k/30
	show --ioengine=libaio --cmdprio_bssplit=4k/10/0/0
	show --ioengine=libaio --cmdprio_bssplit=4k
	show --ioengine=libaio --cmdprio_bssplit=x/10
	show --ioengine=libaio --cmdprio_bssplit=4k/1,4k/2,4k/3
	show --ioengine=libaio --cmdprio_percentage=101
	show --ioengine=psync --cmdprio_percentage=10
	show --ioengine=io_uring --apptag=5
	show --sprandom=1
	show --fdp=1
	show --profile=act
} 2>&1 | pick priorities
