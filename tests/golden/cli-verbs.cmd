printf '[a]\nioengine=null\nsize=4k\n' >version
weir run --parse-only ./version; echo "status $?"
weir --parse-only ./version; echo "status $?"
weir --parse-only version; echo "status $?"
weir --compat=fio version --parse-only; echo "status $?"
