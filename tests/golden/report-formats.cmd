# Several formats are one stream in fio's order; what each begins with.
job() { fio --name=a --ioengine=null --size=4k "$@" | grep -oE '^(3;fio-|\{|a: \(groupid)'; echo "status $?"; }
job --output-format=normal,json,terse
job --output-format=json+,minimal
job --append-terse
job --output-format=json --minimal
job --minimal --output-format=json
