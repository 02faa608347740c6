# --output is nobody's job file, target or device.
printf '[a]\nioengine=null\nsize=4k\n' >job.fio
weir job.fio --output=job.fio; echo "status $?"
cat job.fio
echo precious >data
weir --name=a --filename=data --rw=read --bs=1 --size=1 --output=data; echo "status $?"
cat data
ln job.fio link.fio
weir job.fio --output=link.fio; echo "status $?"
# Nor is any file written by two.
n='--ioengine=null --size=4k'
for more in '--output=x_bw.1.log --write_bw_log=x' '--stream=o --output=o' '--metrics-file=m --stream=m' \
	'--bandwidth-log=z --output=z-read_bw.log' '--metrics-file=./y_lat.1.log --write_lat_log=y'; do
	weir --name=a $n $more; echo "status $?"
done
echo old >x_iops.1.log
ln -s x_iops.1.log out
weir --name=a $n --output=out --write_iops_log=x; echo "status $?"
cat x_iops.1.log
printf '[a]\nwrite_bw_log=k\n' >log.fio
: >k_bw.1.log
ln k_bw.1.log hard
weir log.fio $n --output=hard; echo "status $?"
# What is shared by intention, and who may have many writers.
weir --name=a $n --numjobs=2 --write_bw_log=s --per_job_logs=0 --output=/dev/null; echo "status $?"
weir --name=a $n --stream=/dev/null --output=/dev/null --stream-interval=1; echo "status $?"
weir --name=a $n --output=/dev/null --stream-interval=1; echo "status $?"
