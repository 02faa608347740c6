cat >job.fio <<'J'
[global]
blocksize=4k
ioengine=null
[a]
readwrite=read
size=1m
[b]
rw=write
description=hello there
size=2m
J
weir --showcmd job.fio
weir --compat=fio --showcmd job.fio
weir --compat=fio -s job.fio --section=b
weir --showcmd job.fio --output=cmd; cat cmd
