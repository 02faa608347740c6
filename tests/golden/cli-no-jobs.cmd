weir >out; echo "status $?"
weir --help | cmp - out && echo "the page was shown"
weir --rw=read >out; echo "status $?"
printf '[global]\nrw=read\n' >job.fio
weir job.fio; echo "status $?"
