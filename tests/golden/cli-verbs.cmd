printf '[a]\nioengine=null\nsize=4k\n' >version
weir run --parse-only ./version; echo "status $?"
weir --parse-only ./version; echo "status $?"
weir --parse-only version; echo "status $?"
weir --compat=fio version --parse-only; echo "status $?"
weir hlep bs; echo "status $?"
weir verson; echo "status $?"
weir rum ./version; echo "status $?"
weir nosuchfile; echo "status $?"
for verb in show compare repeat study describe doctor check quick knee trace help; do
	weir $verb --help >long; echo "$verb: status $?"
	weir $verb some -h >short; cmp long short
	weir help $verb | cmp long -
done
weir show --help
weir doctor --help
weir describe --help
weir help version
