#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 the weir authors
# examples.sh WEIR EXAMPLES: every job file of EXAMPLES runs in a small version on a
# scratch file, with both faces; the JSON passes a strict parser, each job did what
# its name of a pattern says, and the text has a block for each.
set -u
weir=$(readlink -f "$1")
examples=$2
scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/weir-examples.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
ln -s "$weir" "$scratch/fio"
failed=0

DIRECT=1
dd if=/dev/zero of="$scratch/probe" bs=4096 count=1 oflag=direct 2>/dev/null || {
	echo "skipped: no O_DIRECT in $scratch"
	exit 77
}
SIZE=8m
RUNTIME=1
export DIRECT SIZE RUNTIME

fail() {
	echo "FAIL $*"
	failed=$((failed + 1))
}

cat >"$scratch/strict.py" <<'END'
"""Standard input is one JSON document of a run without errors."""
import json, sys

def reject(word):
    raise ValueError(word)

def no_repeats(pairs):
    keys = [k for k, _ in pairs]
    assert len(keys) == len(set(keys)), f"a key twice: {keys}"
    return dict(pairs)

run = json.loads(sys.stdin.read(), parse_constant=reject, object_pairs_hook=no_repeats)
assert run["jobs"], "no jobs"
for job in run["jobs"]:
    name, rw = job["jobname"], job["job options"].get("rw", run["global options"].get("rw", "read"))
    moved = {d for d in ("read", "write", "trim") if job[d]["total_ios"]}
    assert job["error"] == 0, f"{name}: error {job['error']}"
    assert moved == ({"write"} if "write" in rw else {"read"}), f"{name}: {rw} moved {moved}"
    for d in moved:
        x = job[d]
        assert x["io_bytes"] > 0 and x["iops"] > 0 and x["runtime"] > 0, f"{name}: {d} is empty"
        assert x["clat_ns"]["N"] == x["total_ios"], f"{name}: latencies of {x['clat_ns']['N']}"
        assert 0 < x["lat_ns"]["min"] <= x["lat_ns"]["mean"] <= x["lat_ns"]["max"], f"{name}: {x}"
END

# run FACE EXAMPLE FORMAT: a run on a fresh file; its output is in $scratch/out.
run() {
	rm -f "$scratch/weir.dat"
	TARGET="$scratch/weir.dat" "$1" --output-format="$3" "$2" >"$scratch/out" 2>"$scratch/err"
	status=$?
	if [ $status != 0 ]; then
		fail "$1 $2 $3: exit $status: $(cat "$scratch/err")"
		return 1
	fi
	if [ -s "$scratch/err" ]; then
		fail "$1 $2 $3: stderr: $(cat "$scratch/err")"
		return 1
	fi
}

for example in "$examples"/*.fio; do
	name=$(basename "$example" .fio)
	jobs=$(grep -c '^\[' "$example")
	jobs=$((jobs - 1)) # [global]
	for face in "$weir" "$scratch/fio"; do
		run "$face" "$example" json || continue
		python3 "$scratch/strict.py" <"$scratch/out" || fail "$name as $(basename "$face")"
	done
	run "$scratch/fio" "$example" normal || continue
	blocks=$(grep -c '(groupid=[0-9]*, jobs=[0-9]*): err= 0: pid=' "$scratch/out")
	[ "$blocks" = "$jobs" ] || fail "$name: $blocks blocks of text for $jobs jobs"
	grep -q '^Run status group 0 (all jobs):$' "$scratch/out" || fail "$name: no group status"
	echo "ran $name"
done
exit "$failed"
