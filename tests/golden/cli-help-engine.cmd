weir --enghelp | sed -n 1,4p
weir help null
weir --enghelp=libaio,userspace_reap
weir --enghelp=null; echo "status $?"
weir --enghelp=nosuch; echo "status $?"
weir --enghelp=libaio,nosuch; echo "status $?"
