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
} 2>&1 | pick /targets regions files
