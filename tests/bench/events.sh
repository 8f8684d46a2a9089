#!/bin/sh
# events.sh: what one POMP2 event costs, per construct, with one and two threads.
#
# Three builds (twins.sh) of events.c run in turn: plain, floor, libompp.  Prints medians and the ratio of our event to the floor's.
# Usage: events.sh [ROUNDS]     Environment: WRAPPER (the wrapper), CC, srcdir (top of the source).
set -eu
. "${srcdir:=.}/tests/bench/twins.sh"
rounds=${1:-9}
twins events

for threads in 1 2; do
	i=0
	while [ $i -lt "$rounds" ]; do
		for build in plain floor ompp; do
			OMP_NUM_THREADS=$threads OMP_WAIT_POLICY=active OMPP_REPORTFILE=none "$work/$build" |
				sed "s/^/$threads $build /" >>"$work/times"
		done
		i=$((i + 1))
	done
done

# threads build construct seconds executions events
sort -k1,1n -k3,3 -k2,2 -k4,4g "$work/times" | awk '
	function flush_group() { if (key != "") median[key] = v[int((n + 1) / 2)]; n = 0 }
	{
		k = $1 " " $3 " " $2
		if (k != key) { flush_group(); key = k }
		v[++n] = $4 / $5 * 1e9
		events[$3] = $6
		if (!(($1 " " $3) in seen)) { seen[$1 " " $3] = 1; order[++n_rows] = $1 " " $3 }
	}
	END {
		flush_group()
		printf "%-10s %7s %10s %10s %10s %12s %11s %7s\n", "construct", "threads", "plain ns", "floor ns", "ompp ns",
			"floor/event", "ompp/event", "ratio"
		for (i = 1; i <= n_rows; i++) {
			split(order[i], p, " ")
			plain = median[order[i] " plain"]; floor = median[order[i] " floor"]; ompp = median[order[i] " ompp"]
			f = (floor - plain) / events[p[2]]; o = (ompp - plain) / events[p[2]]
			# where the floor itself is lost in the noise of waiting, a ratio says nothing
			printf "%-10s %7d %10.1f %10.1f %10.1f %12.1f %11.1f %7s\n", p[2], p[1], plain, floor, ompp, f, o,
				(f > 1 ? sprintf("%.2f", o / f) : "-")
		}
	}'
