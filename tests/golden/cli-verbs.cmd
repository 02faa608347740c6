printf '[a]\nioengine=null\nsize=4k\n' >version
weir run --parse-only ./version; echo "status $?"
weir --parse-only ./version; echo "status $?"
weir --parse-only version; echo "status $?"
weir --compat=fio version --parse-only; echo "status $?"
weir hlep bs; echo "status $?"
weir verson; echo "status $?"
weir rum ./version; echo "status $?"
weir nosuchfile; echo "status $?"
