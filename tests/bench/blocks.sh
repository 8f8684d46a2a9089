#!/bin/sh
# blocks.sh: what OMPP_OBJECTS=all adds to a pair of malloc and free, in ns: plainly, by kinst without and with it, and
# by heaptrack where that is installed; in turn, medians.  To hold: 250 beyond plain, and below heaptrack.
# Usage: blocks.sh [ROUNDS]     Environment: WRAPPER (kinst), CC, srcdir (top of the source)
set -eu
: "${CC:=gcc}" "${WRAPPER:=kinst}" "${srcdir:=.}"
rounds=${1:-9} pairs=3000000
source=$(cd "$srcdir" && pwd)/tests/bench/blocks.c
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cd "$work"

$CC -O2 -g -fopenmp "$source" -o plain
$WRAPPER $CC -O2 -g -fopenmp "$source" -o ours
export OMPP_REPORTFILE=none OMPP_PROFILE=0 OMPP_QUIET=1
for threads in 1 2; do
	export OMP_NUM_THREADS=$threads
	i=0
	while [ $i -lt "$rounds" ]; do
		echo "plain $(./plain $pairs)"
		echo "named $(./ours $pairs)"
		echo "all $(OMPP_OBJECTS=all ./ours $pairs)"
		! command -v heaptrack >/dev/null ||
			echo "heaptrack $(heaptrack ./plain $pairs 2>/dev/null | grep -x '[0-9.]*')"
		i=$((i + 1))
	done >times
	printf '%s thread(s), ns a pair:' $threads
	for how in plain named all heaptrack; do
		grep "^$how " times | cut -d' ' -f2 | sort -g | awk -v how=$how '
			{ v[NR] = $1 }
			END { if (NR) printf "  %s %.1f", how, v[int((NR + 1) / 2)] }'
	done
	echo
done
