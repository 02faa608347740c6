printf '[a]\nsize=1m\nioengine=null\n[b]\nsize=2m\nioengine=null\n' >one.fio
printf '[global]\nioengine=null\nsize=4m\n[c]\n[d]\nnumjobs=2\n' >two.fio
echo '-- the first job of a later file begins a new group and waits'
weir --plan one.fio two.fio | pick group wave amount.bytes
