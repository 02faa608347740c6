fails() { weir --plan --ioengine=null --size=1m "$@" && echo "not refused: $*"; }
fails --name=a --log_store_compressed=1
fails --name=a --fdp=1
fails --name=a --rwmixcycle=1
echo '-- without effect'
weir --plan --ioengine=null --size=1m --name=a --create_serialize=0 --softrandommap=1 --verifysort=1 | pick amount
