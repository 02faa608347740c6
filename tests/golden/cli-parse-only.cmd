# Judges the text, not the machine: nothing is made, nothing need be there.
ln -s "$(command -v weir)" fio
printf '[a]\nfilename=/nosuch/dir/file\nrw=read\ndirect=1\nsize=1g\n' >good.fio
printf '[a]\nrw=raed\n' >bad.fio
printf '[a]\nioengine=null\nsize=4k\ntime_based\n' >doubtful.fio
weir --parse-only good.fio; echo "status $?"
./fio --parse-only good.fio; echo "status $?"
./fio --parse-only --output-format=json good.fio; echo "status $?"
weir --parse-only bad.fio; echo "status $?"
weir --parse-only doubtful.fio; echo "status $?"
weir --parse-only --warnings-fatal doubtful.fio; echo "status $?"
./fio --parse-only --warnings-fatal doubtful.fio; echo "status $?"
weir --parse-only --ioengine=nosuch --name=a --size=4k; echo "status $?"
ls
