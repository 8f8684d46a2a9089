#!/bin/sh
# counters.sh: what counters cost at an event, and how much of it is the kernel's own time for its one system call.
#
# One thread, the constructs of events.c with 0, 1, 2 and 4 software counters, in turn; medians.
# Usage: counters.sh [ROUNDS]     Environment: WRAPPER (the wrapper), CC, srcdir (top of the source).
set -eu
: "${WRAPPER:=kinst}" "${CC:=gcc}" "${srcdir:=.}"
rounds=${1:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

$WRAPPER $CC -O2 -fopenmp "$srcdir/tests/bench/events.c" -o "$work/events"
$CC -O2 "$srcdir/tests/bench/counters_read.c" -o "$work/read"
all=page-faults,task-clock,minor-faults,context-switches
i=0
while [ $i -lt "$rounds" ]; do
	for n in 0 1 2 4; do
		echo "$n read $("$work/read" $n) 1" >>"$work/times"
		OMPP_CTR=$([ $n = 0 ] || echo $all | cut -d, -f1-$n) OMP_NUM_THREADS=1 OMPP_REPORTFILE=none \
			"$work/events" | awk -v n=$n '{ print n, $1, $2 / $3 * 1e9, $4 }' >>"$work/times"
	done
	i=$((i + 1))
done

# counters construct ns events
sort -k2,2 -k1,1n -k3,3g "$work/times" | awk '
	function flush_group() { if (key != "") median[key] = v[int((n + 1) / 2)]; n = 0 }
	{
		k = $2 " " $1
		if (k != key) { flush_group(); key = k }
		v[++n] = $3
		if ($2 != "read" && !($2 in seen)) { seen[$2] = 1; order[++n_rows] = $2 }
	}
	END {
		flush_group()
		printf "the kernel, for one reading of 1, 2, 4 counters: %.0f, %.0f, %.0f ns\n", median["read 1"], median["read 2"],
			median["read 4"]
		reads["critical"] = 2; reads["for"] = 2; reads["single"] = 2; reads["task"] = 4; reads["parallel"] = 4
		printf "%-10s %9s %9s %9s %9s   %s\n", "construct", "ns with 0", "1", "2", "4",
			"readings; ns beyond them and the construct without: 1, 2, 4"
		for (i = 1; i <= n_rows; i++) {
			c = order[i]
			r = reads[c] + 0
			printf "%-10s %9.0f %9.0f %9.0f %9.0f   %d; %.0f, %.0f, %.0f\n", c, median[c " 0"], median[c " 1"],
				median[c " 2"], median[c " 4"], r, median[c " 1"] - median[c " 0"] - r * median["read 1"],
				median[c " 2"] - median[c " 0"] - r * median["read 2"],
				median[c " 4"] - median[c " 0"] - r * median["read 4"]
		}
	}'
