# What programs ask before they run anything: nothing is touched, the status answers.
ln -s "$(command -v weir)" fio
for program in weir ./fio; do
	try() { echo "-- $*"; "$@" 2>&1 | head -3; "$@" >/dev/null 2>&1; echo "status $?"; }
	try $program --parse-only
	try $program --parse-only --terse-version=4
	try $program --parse-only --terse-version=6
	try $program --ioengine=psync --parse-only
	try $program --parse-only --ioengine=nosuch
	try $program --parse-only --ioengine=rados
	try $program --parse-only --bs=junk
	try $program --aux-path=/nosuch --parse-only
	try $program --debug=process,file,job:3,io --parse-only
	try $program --debug=help
	try $program --crctest=murmur3
	try $program --merge-blktrace-only
	echo "-- $program --crctest=crc32c,crc16"; $program --crctest=crc32c,crc16 | sed 's/ *[0-9][0-9]*[.][0-9]*/ N/g'
	try $program --memcpytest=list
	try $program --cmdhelp=zonemode
	try $program --cmdhelp=bsss
	try $program --enghelp=libaio,userspace_reap
	try $program --enghelp=rados
	try $program --enghelp=libaoi
done
ls
