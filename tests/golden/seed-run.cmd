# One seed asks for the same offsets, sizes and data on every machine: x86-64 with AVX2 or
# without, arm64 (make arm64 runs this, too).
short() { sha256sum | cut -c1-12; }
job() {
	weir --name=a --ioengine=psync --filename=f --size=8m --bs=4k --number_ios=2000 --randseed=42 \
		--debug=io --output-format=json --output=out "$@" 2>&1 |
		sed -nE 's/.*off=(0x[0-9a-f]+),len=(0x[0-9a-f]+),ddir=([0-9]).*/\1 \2 \3/p' >offsets
	echo "$(wc -l <offsets) $(short <offsets) $*"
}
for d in random zipf:1.2 pareto:0.2 normal:30 zoned:60/10:30/20:10/70; do
	job --rw=randrw --random_distribution=$d --norandommap
done
job --rw=rw --rwmixread=30
job --rw=randread --bssplit=4k/50:8k/30:16k/20
job --rw=randread --random_generator=lfsr
job --rw=randread --percentage_random=40
rm -f f
# What is written; the file is written as a whole.
for o in '' --buffer_compress_percentage=50 --dedupe_percentage=40 --buffer_pattern=0xcafe --verify=pattern\ --verify_pattern=%o; do
	# shellcheck disable=SC2086 # two options
	job --rw=write --number_ios=2048 $o
	echo "data $(short <f)"
	rm -f f
done
