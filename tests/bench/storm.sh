#!/bin/sh
# storm.sh: what the smallest constructs cost, by CPU time, in the ways that programs have them (storm.c), and what the
# report states of it.
#
# Three builds, run in turn, so that the machine's drift meets all alike: plain; `floor`, which reads the clock once per
# event and stores it; libompp.  Prints medians of the CPU time that the threads of the region took, a construct in
# nanoseconds; how much more libompp takes than plain, in times of what the floor does; what the report states as own cost,
# in times of what is taken more, and whether that lies in the interval that it states.
# Usage: storm.sh [ROUNDS [SCALE]]     Environment: KINST (the wrapper), CC, srcdir (top of the source), THREADS.
set -eu
: "${KINST:=kinst}" "${CC:=gcc}" "${srcdir:=.}" "${THREADS:=1 2 16}"
rounds=${1:-9} scale=${2:-1} kinst=$KINST
unset KINST                             # to kinst it is a switch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

src=$srcdir/tests/bench
$CC -O2 -fopenmp "$src/storm.c" -o "$work/plain"
$kinst $CC -O2 -fopenmp -c "$src/storm.c" -o "$work/storm.o"
$CC -O2 -fPIC -shared -I"$srcdir" "$src/floor.c" -o "$work/libfloor.so"
$CC -fopenmp "$work/storm.o" -o "$work/floor" -L"$work" -lfloor -Wl,-rpath,"$work"
$kinst $CC -O2 -fopenmp "$work/storm.o" -o "$work/ompp"
export OMP_WAIT_POLICY=passive OMPP_QUIET=1 OMPP_OUTFORMAT=CSV OMPP_PROFILE=0 OMPP_REPORTFILE="$work/report"

# run NAME CONSTRUCTS KIND N [DEPTH]: CONSTRUCTS, of a thread or (fib, chain, spawn) in all.
run() {
	name=$1 n=$2
	shift 2
	i=0
	while [ $i -lt "$rounds" ]; do
		plain=$("$work/plain" "$@" | tail -1) floor=$("$work/floor" "$@" | tail -1) ompp=$("$work/ompp" "$@" | tail -1)
		stated=$(awk -F, '/^Own cost of/ { c = $2 } /^Own cost at least/ { l = $2 } /^Own cost at most/ { m = $2 }
			END { print c, l, m }' "$work/report")
		echo "$name $OMP_NUM_THREADS $n $plain $floor $ompp $stated"
		i=$((i + 1))
	done
}

for threads in $THREADS; do
	export OMP_NUM_THREADS=$threads
	each=$((1000000 * scale / threads))
	run fib $((1664078 * scale)) fib $((28 + scale))
	run chain $((1000000 * scale)) chain $((1000000 * scale)) 1000
	run spawn $((1000000 * scale)) spawn $((1000000 * scale))
	run atomic $((each * threads)) atomic $each
	run alone $((each * threads)) alone $each
	run critical $((each * threads)) critical $each
	run loop $((each * threads)) loop $each
done | awk '
	function middle(column,   i, j, t, v) {
		for (i = 1; i <= rows; i++)
			v[i] = cell[i, column]
		for (i = 2; i <= rows; i++)
			for (j = i; j > 1 && v[j] < v[j - 1]; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
		return v[int((rows + 1) / 2)]
	}
	function finish(   plain, floor, ompp, added, stated) {
		if (!rows)
			return
		plain = middle(4); floor = middle(5); ompp = middle(6); stated = middle(7); added = ompp - plain
		printf "%-10s %7d %9.1f %9.1f %9.1f %7s %9.2f %s\n", name, threads, plain / n * 1e9, floor / n * 1e9, ompp / n * 1e9,
			((floor > plain * 1.02) ? sprintf("%.2f", added / (floor - plain)) : "-"), stated / added,
			(added >= middle(8) && added <= middle(9)) ? "yes" : "no"
		rows = 0
	}
	BEGIN { printf "%-10s %7s %9s %9s %9s %7s %9s %s\n", "construct", "threads", "plain ns", "floor ns", "ompp ns", "ratio",
		"stated", "in the interval" }
	$1 != name || $2 != threads { finish() }
	{ name = $1; threads = $2; n = $3; rows++; for (i = 4; i <= 9; i++) cell[rows, i] = $i }
	END { finish() }'
