#!/bin/sh
# interpose.sh: what an event costs in a program that kinst did not build, beside a tool that only reads the clock.
#
# The plain build of events.c runs in turn alone, with interpose_floor.c preloaded, and under ompp run, by one thread;
# GCC's by libgomp's calls, Clang's by what LLVM's library tells.  Prints the least time and the instructions (by
# valgrind, where that is) that an execution of each construct takes, and the ratios of what both add to it.
# Usage: interpose.sh [ROUNDS]     Environment: CC, OMPP (the command ompp), srcdir (top of the source).
set -eu
: "${CC:=gcc}" "${srcdir:=.}" "${OMPP:=ompp}"
rounds=${1:-25}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
export OMP_NUM_THREADS=1 OMPP_REPORTFILE=none OMPP_PROFILE=0 OMPP_QUIET=1
$CC -O2 -fPIC -shared -I"$srcdir" "$srcdir/tests/bench/interpose_floor.c" -o "$work/floor.so" -ldl

# run WAY PROGRAM ARGUMENTS…
run() {
	way=$1
	shift
	case $way in
	plain) "$@" ;;
	floor) LD_PRELOAD=$work/floor.so "$@" ;;
	ompp) "$OMPP" run "$@" 2>/dev/null ;;
	esac
}

# instructions WAY SCALE: of a run of which the constructs are SCALE-th parts
instructions() {
	library=
	[ "$1" != floor ] || library=$work/floor.so
	[ "$1" != ompp ] || library=$(dirname "$(command -v "$OMPP")")/.libs/libompp.so.1
	LD_PRELOAD=$library valgrind --tool=callgrind --callgrind-out-file="$work/out" --log-file="$work/log" \
		--toggle-collect="$3" "$work/events" "$2" >/dev/null 2>&1
	sed -n 's/.*Collected : //p' "$work/log"
}

# compare COMPILER
compare() {
	$1 -O2 -fopenmp "$srcdir/tests/bench/events.c" -o "$work/events"
	: >"$work/times"
	i=0
	while [ $i -lt "$rounds" ]; do
		for way in plain floor ompp; do
			run $way "$work/events" 40 | sed "s/^/time $way /" >>"$work/times"
		done
		i=$((i + 1))
	done
	if command -v valgrind >/dev/null; then
		for construct in parallel barrier single critical task; do
			for way in plain floor ompp; do
				echo "instructions $way $construct $(instructions $way 400 "$construct") $(instructions $way 200 "$construct")"
			done
		done >>"$work/times"
	fi
	awk -v compiler="$1" '
		BEGIN { n["parallel"] = 100000; n["barrier"] = 200000; n["single"] = n["critical"] = 1000000; n["task"] = 500000 }
		!($3 in n) { next }
		$1 == "time" { ns = $4 / $5 * 1e9; if (!(($2, $3) in least) || ns < least[$2, $3]) least[$2, $3] = ns }
		$1 == "instructions" { each[$2, $3] = ($5 - $4) / (1.1 * n[$3] / 400) }
		END {
			printf "%s\n%-10s %9s %9s %9s %6s %9s %9s %9s %6s\n", compiler, "construct", "plain ns", "floor ns", "ompp ns",
				"ratio", "plain in.", "floor in.", "ompp in.", "ratio"
			for (c in n) {
				p = least["plain", c]; f = least["floor", c] - p; o = least["ompp", c] - p
				printf "%-10s %9.1f %9.1f %9.1f %6s", c, p, p + f, p + o, (f > 1 ? sprintf("%.2f", o / f) : "-")
				p = each["plain", c]; f = each["floor", c] - p; o = each["ompp", c] - p
				printf " %9.0f %9.0f %9.0f %6s\n", p, p + f, p + o, (f > 1 ? sprintf("%.2f", o / f) : "-")
			}
		}' "$work/times"
}

compare "$CC"
! command -v clang >/dev/null || compare clang
