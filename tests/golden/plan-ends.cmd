show() { echo "-- $*"; weir --plan --ioengine=null --size=1m "$@"; }
{
	show --name=a --numjobs=2 --name=b --wait_for=a --name=c --wait_for=b --exitall --exit_what=all
	show --name=a --exitall_on_error --continue_on_error=read
	show --name=a --continue_on_error=1 --exit_what=stonewall
} 2>&1 | pick end
