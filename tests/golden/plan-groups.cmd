echo '-- each stonewall is a wave and a group, each new_group a group; group_reporting joins the row before'
weir --plan --ioengine=null --size=1m \
	--name=a --name=b --stonewall --numjobs=2 --name=c --new_group --name=d --group_reporting \
	--name=e --name=f --group_reporting | pick /groups /waves /rows group wave row
echo '-- clones are numbered 0, then from the last down to 1'
weir --plan --ioengine=null --size=1m --name=a --numjobs=4 --offset_increment=8m --group_reporting |
	pick /rows index regions
echo '-- stonewall for all: one after another, clones together'
weir --plan --ioengine=null --size=1m --stonewall --name=a --numjobs=2 --name=b | pick group wave
