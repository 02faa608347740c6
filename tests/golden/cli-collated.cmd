# What many jobs share is said once.
for i in $(seq 128); do
	printf '[j%d]\nioengine=null\nsize=1m\ntime_based\nbs=4k-8k\nverifysort=1\niodepth=4\n' "$i"
done >many.fio
weir --parse-only many.fio
ln -s "$(command -v weir)" fio
./fio --parse-only many.fio
./fio --parse-only --output-format=json many.fio
