show() { echo "-- $*"; weir --plan --ioengine=null --size=1m "$@"; }
{
	show --name=a --runtime=10
	show --name=a --runtime=1500ms --time_based --ramp_time=2 --startdelay=1m
	show --name=a --startdelay=1-10 --numjobs=2
	show --name=a --runtime=5 --name=b --runtime=7 --stonewall
	show --name=a --runtime=5 --name=b --runtime=7 --wait_for=a
	show --name=a --runtime=5 --name=b
	show --name=a --runtime=5 --time_based --nrfiles=2
} 2>&1 | pick /seconds_max time amount.time_based pattern.endless
