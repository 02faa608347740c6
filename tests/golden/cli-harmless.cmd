# What isn't served yet is accepted without a word where the value asks for nothing.
try() { echo "-- $*"; weir --parse-only --name=a --ioengine=null --size=4k "$@"; echo "status $?"; }
try --gpu_dev_id=0 --spr_op=0.15 --spr_num_regions=100 --cgroup_nodelete=0
try --verify_offset=0x0 --fdp=00 --dataplacement=none
try --fdp=1
try --dataplacement=fdp
try --gpu_dev_id
