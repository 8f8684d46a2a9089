#!/bin/sh
# storm.sh: what the smallest constructs cost, by CPU time, in the ways that programs have them (storm.c), and whether the
# report states that.
#
# Three builds (twins.sh) run in turn: plain, floor, libompp.  Prints medians of the CPU time that the threads of the region took, a construct in
# nanoseconds; how much more libompp takes than plain, in times of what the floor does; what the report states as own cost,
# in times of what is taken more, and how that was found in the report:
#
#   within      the own cost differs from it by at most a fifth
#   interval    what is taken more lies between "at least" and "at most"
#   waiting     it lies between "at least" and "at most" with "Waiting it may lengthen"
#   noise       runs differ by more than what is to be measured
#   NO          none of these
#
# What is taken more is known as an interval, too: that of the median, by the runs' order.  The exit status is 1 where the
# report is wrong (NO), or where a construct of one thread surely takes more than 1.6 times what the floor does.
# The kind `miss` is not among the usual ones: where misses of caches overlap, each instruction of an event costs, and the
# floor has few.
# Usage: storm.sh [ROUNDS [SCALE]]     Environment: WRAPPER (the wrapper), CC, srcdir (top of the source), THREADS, KINDS.
set -eu
: "${THREADS:=1 2 4}" "${KINDS:=fib chain spawn queens uts sort blocks health atomic alone critical loop barrier}"
. "${srcdir:=.}/tests/bench/twins.sh"
rounds=${1:-9} scale=${2:-1}
twins storm
export OMP_WAIT_POLICY=passive OMPP_QUIET=1 OMPP_OUTFORMAT=CSV OMPP_PROFILE=0 OMPP_REPORTFILE="$work/report"

# run CONSTRUCTS KIND N [DEPTH]: CONSTRUCTS, of a thread or (fib, chain, spawn) in all.
run() {
	n=$1 name=$2
	shift
	case " $KINDS " in *" $name "*) ;; *) return ;; esac
	i=0
	while [ $i -lt "$rounds" ]; do
		plain=$("$work/plain" "$@" | tail -1) floor=$("$work/floor" "$@" | tail -1) ompp=$("$work/ompp" "$@" | tail -1)
		stated=$(awk -F, '/^Own cost of/ { c = $2 } /^Own cost at least/ { l = $2 } /^Own cost at most/ { m = $2 }
			/^Waiting it may/ { w = $2 } END { print c, l, m, m + w }' "$work/report")
		echo "$name $OMP_NUM_THREADS $n $plain $floor $ompp $stated"
		i=$((i + 1))
	done
}

# tasks KIND N: the same for a kind that says how many tasks it has
tasks() {
	case " $KINDS " in *" $1 "*) run "$(OMP_NUM_THREADS=1 "$work/plain" "$@" | sed -n 's/^# //p')" "$@" ;; esac
}

for threads in $THREADS; do
	export OMP_NUM_THREADS=$threads
	each=$((1000000 * scale / threads))
	run $((1664078 * scale)) fib $((28 + scale))
	run $((1000000 * scale)) chain $((1000000 * scale)) 1000
	run $((1000000 * scale)) spawn $((1000000 * scale))
	run $((1000000 * scale / threads * threads)) miss $((1000000 * scale / threads)) 64
	tasks queens $((10 + scale))
	tasks uts $((1000000 * scale))
	tasks sort $((4000000 * scale))
	tasks blocks $((100 * scale))
	tasks health $((1000 * scale))
	run $((each * threads)) atomic $each
	run $((each * threads)) alone $each
	run $((each * threads)) critical $each
	run $((each * threads)) loop $each
	run $((each / 10 * threads)) barrier $((each / 10))
done | awk '
	# The runs of a column, in order, in v; or what this column is more than that of the plain build.
	function order(column, without,   i, j, t) {
		for (i = 1; i <= rows; i++)
			v[i] = cell[i, column] - (without ? cell[i, without] : 0)
		for (i = 2; i <= rows; i++)
			for (j = i; j > 1 && v[j] < v[j - 1]; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
	}
	function middle(column, without) {
		order(column, without)
		return v[int((rows + 1) / 2)]
	}
	# Between what the median lies, in 19 of 20 cases: by that of the coin that each run tosses.
	function rank(   k) {
		k = int((rows + 1) / 2 - 0.98 * sqrt(rows))
		return k < 1 ? 1 : k
	}
	function overlap(a, b) { return least <= b && most >= a }
	function finish(   plain, floor, ompp, added, stated, floor_most, ratio, verdict) {
		if (!rows)
			return
		plain = middle(4); floor = middle(5); ompp = middle(6); stated = middle(7)
		order(5, 4); floor_most = v[rows + 1 - rank()]
		added = middle(6, 4); least = v[rank()]; most = v[rows + 1 - rank()]
		verdict = most - least > added ? "noise" : overlap(stated / 1.2, stated / 0.8) ? "within" :
			overlap(middle(8), middle(9)) ? "interval" : overlap(middle(8), middle(10)) ? "waiting" : "NO"
		ratio = middle(5, 4) > plain * 0.02 ? sprintf("%.2f", added / middle(5, 4)) : "-"
		if (verdict == "NO" || (threads == 1 && verdict != "noise" && ratio != "-" && least > 1.6 * floor_most)) {
			verdict = verdict (verdict == "NO" ? "" : ", above 1.6")
			failed = 1
		}
		printf "%-10s %7d %9.1f %9.1f %9.1f %7s %9s %7.1f  %s\n", name, threads, plain / n * 1e9, floor / n * 1e9, ompp / n * 1e9,
			ratio, (added > 0 ? sprintf("%.2f", stated / added) : "-"), middle(10) / middle(8), verdict
		rows = 0
	}
	BEGIN { printf "%-10s %7s %9s %9s %9s %7s %9s %7s  %s\n", "construct", "threads", "plain ns", "floor ns", "ompp ns", "ratio",
		"stated", "width", "found" }
	$1 != name || $2 != threads { finish() }
	{ name = $1; threads = $2; n = $3; rows++; for (i = 4; i <= 10; i++) cell[rows, i] = $i }
	END { finish(); exit failed }'
