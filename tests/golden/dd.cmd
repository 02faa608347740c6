data=$(dirname "$0")/../data/dd
for name in gnu-9.1 german busybox bsd old; do
	echo "-- $name"
	cp "$data/$name.txt" . && weir show "$name.txt"
done
echo "-- two file systems, a command of each, three times"
for fs in ext4 f2fs; do
	for i in 1 2 3; do
		echo "# dd if=/dev/zero of=/mnt/f bs=1M count=1024 oflag=direct"
		echo "1024+0 records in"
		echo "1024+0 records out"
		[ $fs = ext4 ] && echo "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 2.0$i s, 534 MB/s"
		[ $fs = f2fs ] && echo "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 1.0$i s, 1.1 GB/s"
	done >$fs.txt
done
weir compare ext4.txt f2fs.txt
echo "-- beside a report"
{
	echo "Before:"
	cat busybox.txt
	weir --compat=fio --name=a --ioengine=null --size=1m
} >both.txt
weir show --output-format=summary both.txt | sed 's/: .*//'
