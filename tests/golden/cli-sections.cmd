printf '[global]\nioengine=null\nsize=4k\n[a]\n[b]\n[c]\n' >job.fio
show() { echo "-- $*"; weir --plan job.fio "$@" | pick name; }
show
show --section=b
show --section=a --section=c
weir job.fio --section=x; echo "status $?"
weir job.fio --section=global; echo "status $?"
