weir --readonly --name=a --ioengine=null --size=4k --rw=write; echo "status $?"
weir --readonly --name=a --filename=file --size=4k --rw=read >out; echo "status $?"
ls
