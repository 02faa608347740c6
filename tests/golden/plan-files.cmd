show() { echo "-- $*"; weir --plan --size=10m "$@"; }
{
	mkdir d1 d2
	show --name=j --numjobs=2 --nrfiles=2
	show --name=j --directory=d1:d2 --numjobs=3
	show --name=j --directory=d1:d2 --filename=x
	show --name=j --filename=a:b:c
	show --name=j --filename=a:b:c --nrfiles=2
	show --name=j --filename='with\:colon'
	show --filename=a --name=j --filename=b
	show --name=sub/j --filename_format='x/$JobName-$jobnum-$filenum-$what'
	show --name=a --filename=same --rw=read --size=1m --name=b --filename=same --rw=write --size=20m
	show --name=j --nrfiles=4 --openfiles=2 --file_service_type=random:8
	show --name=j --nrfiles=2 --file_service_type=sequential
	show --name=j --nrfiles=3 --file_service_type=zipf
	show --name=j --nrfiles=3 --file_service_type=gauss:20:0.25 --openfiles=2
	mkdir -p d3/b d3/empty && head -c 8192 /dev/zero >d3/z && head -c 4096 /dev/zero >d3/b/a && ln -s z d3/link
	echo '-- opendir'
	weir --plan --name=j --opendir=d3 --numjobs=2
	weir --plan --name=j --opendir=d3/empty
	weir --plan --name=j --opendir=nowhere
} 2>&1 | pick /targets regions files
