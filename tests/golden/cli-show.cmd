show() { echo "-- show $*"; weir show "$@"; echo "status $?"; }
show
show nosuch
show x bw iops
show x median
: >empty
show empty
echo no log at all, but long enough for a head >text
show text
printf 'weirlog\n\002\000\000\000\040\000\000\000%16s' >later
show later bw
printf 'weirlog\n\001\000\000\000\041\000\000\000%17s' >damaged
show damaged bw
printf 'weirlog\n\001\000\000\000\100\000\000\000unit_bytes=512\njob=a\nworker=3\n' >short
show short
{
	cat short
	head -c 18 /dev/zero
} >head
show head
# A read of 4096 at 8192: delta 1 ms, lat 2000 ns, slat 500 ns; then the end.
{
	cat head
	printf '\014\044\364\000\320\007\000\000'
	printf '\020\000\000\000\100\000\372\000'
	printf '\023\001\000\000\000\000\000\000\100\102\017\000\000\000\000\000'
	printf '\001\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000'
} >one
show one bw
show one slat
show one clat
show one lat
show one --to=r iops clat
cat r_iops.3.log r_clat.3.log
ls
