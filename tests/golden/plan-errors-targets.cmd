fails() { weir --plan "$@" && echo "not refused: $*"; }
mkdir d
touch empty
truncate -s 1m there
fails --name=a
fails --ioengine=null --name=a
fails --name=a --size=50%
fails --name=a --filename=empty
fails --name=a --filename=d
fails --name=a --filename=there/x --size=1m
fails --name=a --directory=nowhere --size=1m
fails --name=a --directory=there --size=1m
fails --name=a --filename=there --offset=1m
fails --name=a --filename=there --offset_increment=1m --numjobs=2
fails --name=a --filename=there --rw=trim
fails --name=a --filename=new --rw=randtrim --size=1m
fails --name=a --filename=new --allow_file_create=0 --size=1m
fails --name=a --filename=new --offset=4e18 --size=1m
fails --name=a --filename=new --size=8000p --offset=8000p
mkfifo pipe
fails --name=a --filename=pipe --size=1m
fails --name=a --filename=pipe --size=1m --rw=write --ioengine=pvsync2
fails --name=a --filename=pipe --size=1m --ioengine=mmap
fails --name=a --filename=pipe --size=1m --rw=randread --ioengine=sync
weir --plan --name=a --filename=pipe --size=1m --rw=write --ioengine=sync >plan || cat plan
printf '[global]\nrw=read\n[db]\n# a comment\nfilename=there\noffset=2m\n' >jobs.ini
fails jobs.ini
true
