#!/bin/sh
# pages.sh: what a trace of pages (OMPP_PAGES) costs: CPU time of kernels with hooks, with traces at intervals of 10, 50 and
# 500 ms, and without hooks with traces of written pages alone at these intervals (uffd-10ms and so on, which have the time of
# the thread that asks the kernel in them), as multiples of the plain kernel's, medians of runs in turn; the size of the trace for a second, and the
# resident memory beyond that of a run without the trace, as a share of the kernel's.  And once what valgrind takes that
# writes all addresses (lackey), where it is installed.
# Usage: pages.sh [ROUNDS [SECONDS [MiB…]]]      Environment: WRAPPER (the wrapper), CC, srcdir, OMP_NUM_THREADS
set -eu
: "${WRAPPER:=kinst}" "${CC:=gcc}" "${srcdir:=.}"
rounds=${1:-5} seconds=${2:-1}
[ $# -gt 2 ] && shift 2 || set -- 64 1024
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

"$CC" -w -O2 -fopenmp "$srcdir/tests/bench/pages.c" -o "$work/plain"
"$WRAPPER" --access "$CC" -w -O2 -fopenmp "$srcdir/tests/bench/pages.c" -o "$work/hooked"
"$WRAPPER" --no-access "$CC" -w -O2 -fopenmp "$srcdir/tests/bench/pages.c" -o "$work/bare"
export OMPP_QUIET=1 OMPP_REPORTFILE="$work/report"

ways='plain hooks 10ms 50ms 500ms uffd-10ms uffd-50ms uffd-500ms'

# run WAY KERNEL MiB: adds what the kernel prints to the file runs.WAY.
run() {
	rm -f "$work"/report*
	case $1 in
	plain) "$work/plain" "$2" "$3" "$seconds" ;;
	hooks) "$work/hooked" "$2" "$3" "$seconds" ;;
	uffd-*) OMPP_PAGES=uffd OMPP_PAGES_INTERVAL=${1#uffd-} "$work/bare" "$2" "$3" "$seconds" ;;
	*) OMPP_PAGES=hooks OMPP_PAGES_INTERVAL=$1 "$work/hooked" "$2" "$3" "$seconds" ;;
	esac >>"$work/runs.$1"
	[ ! -e "$work/report.ompp.pages" ] || wc -c <"$work/report.ompp.pages" >"$work/bytes.$1"
}

# median WAY COLUMN
median() {
	sort -n -k "$2" "$work/runs.$1" | awk -v c="$2" '{ x[NR] = $c } END { print x[int((NR + 1) / 2)] }'
}

for kernel in stream gather; do
	for mib; do
		rm -f "$work"/runs.* "$work"/bytes.*
		round=0
		while [ $((round += 1)) -le "$rounds" ]; do
			for way in $ways; do
				run $way $kernel "$mib"
			done
		done
		printf '%s, %s MiB, times plain:' $kernel "$mib"
		for way in $ways; do
			awk -v way=$way -v a="$(median $way 1)" -v b="$(median plain 1)" 'BEGIN { printf " %s %.2f", way, a / b }'
		done
		awk -v a="$(median uffd-50ms 2)" -v b="$(median plain 2)" -v mib="$mib" -v bytes="$(cat "$work/bytes.uffd-50ms")" 'BEGIN {
			printf "; at uffd-50ms: %.1f %% more memory, a trace of %.3f MB", (a - b) / 10.24 / mib, bytes / 1e6 }'
		awk -v a="$(median 50ms 2)" -v b="$(median hooks 2)" -v mib="$mib" -v bytes="$(cat "$work/bytes.50ms")" 'BEGIN {
			printf "; at 50ms: %.1f %% more memory, a trace of %.1f MB", (a - b) / 10.24 / mib, bytes / 1e6 }'
		if command -v valgrind >/dev/null; then
			valgrind --tool=lackey --trace-mem=yes --log-file=/dev/null "$work/plain" $kernel "$mib" 0 2>/dev/null |
				awk -v b="$(median plain 1)" -v t="$(median 50ms 1)" '{
					printf "; valgrind %.0f, which is %.0f times the trace", $1 / b, $1 / t }'
		fi
		echo
	done
done
