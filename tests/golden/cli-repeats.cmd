# What is said twice, what adds up, and a path with colons.
printf '[global]\nfilename=g\nbs=4k\n[j]\nfilename=a\nbs=8k\nblocksize=16k\nsize=4m\n[k]\nfilename=z\nbs=8k\nbs=8k\nsize=1m\n' >r.fio
weir --parse-only r.fio
weir --parse-only --bs=1k --filename=q r.fio
weir --parse-only --name=a --size=1m --bs=4k --bs=16k --blocksize=16k
: >pci-0000:00:1f
weir --plan --name=a --filename=pci-0000:00:1f --size=1m | grep -e "\"path\"" -e exists
weir --plan --name=a --filename='pci-0000\:00\:1f' --size=1m | grep -c '"path"'
weir --parse-only --name=a --RW=read
weir --parse-only --name=a --rate-iops=1
weir --parse-only --name=a --rw=RandRead
printf '[a]\nioengine=null\nsize=4k ; fine\nfilename=a#b\ndescription=x;y\nrw=read:\n' | weir --parse-only -
