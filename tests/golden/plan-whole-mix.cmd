weir --plan --name=mix --description='all sorts' --rw=randrw --rwmixread=70 --bs=4k,64k --ioengine=posixaio --iodepth=8 \
	--filename=a:b --size=10m --runtime=10 --time_based --startdelay=2 --ramp_time=1 --rate_iops=1000,500 \
	--rate_process=poisson --thinktime=10ms --thinktime_spin=1ms --fsync=32 --cpus_allowed=0 --nice=5 --thread --unlink=1
