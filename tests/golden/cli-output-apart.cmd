# --output is nobody's job file, target or device.
printf '[a]\nioengine=null\nsize=4k\n' >job.fio
weir job.fio --output=job.fio; echo "status $?"
cat job.fio
echo precious >data
weir --name=a --filename=data --rw=read --bs=1 --size=1 --output=data; echo "status $?"
cat data
ln job.fio link.fio
weir job.fio --output=link.fio; echo "status $?"
