#!/bin/sh
# flow.sh: how large a trace of 10^7 events is, and how long ompp flow takes for it; and both for a traced run with the
# default period: seconds of analysis for each minute of the run.
# Usage: flow.sh [SECONDS]      Environment: WRAPPER (the wrapper), CC, srcdir, builddir.
set -eu
: "${WRAPPER:=kinst}" "${CC:=gcc}" "${srcdir:=.}" "${builddir:=.}"
seconds=${1:-10}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# took COMMAND…: how many seconds it takes.
took() {
	begin=$(date +%s.%N)
	"$@" >"$work/out" 2>"$work/err"
	end=$(date +%s.%N)
	awk -v a="$begin" -v b="$end" 'BEGIN { printf "%.2f", b - a }'
}

"$builddir/tests/runtime/flow_make" "$work/many.flow" 10000000
printf '10^7 events: %s bytes; s of a view:' "$(wc -c <"$work/many.flow")"
for view in objects functions pages private overlap latency migrations; do
	printf ' %s %s' $view "$(took "$builddir/ompp" flow --view=$view "$work/many.flow")"
done
echo
rm "$work/many.flow"

cat >"$work/walk.c" <<'C'
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv)
{
	enum { N = 1 << 22 };
	double *a = malloc(N * sizeof *a), seconds = atof(argv[1]);
	struct timespec begin, now;
#pragma pomp inst data(a, N * sizeof *a, "a")
	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
#pragma omp parallel for
		for (int i = 0; i < N; i++)
			a[i] += i;
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((double)(now.tv_sec - begin.tv_sec) + 1e-9 * (double)(now.tv_nsec - begin.tv_nsec) < seconds);
	return argc < 2;
}
C
"$WRAPPER" --access "$CC" -w -O1 -fopenmp "$work/walk.c" -o "$work/walk"
for threads in 1 2; do
	OMP_NUM_THREADS=$threads OMPP_SAMPLE=hook OMPP_TRACE=1 OMPP_REPORTFILE="$work/walk.$threads" OMPP_QUIET=1 "$work/walk" "$seconds"
	file=$work/walk.$threads.ompp.flow
	n=$("$builddir/ompp" flow --view=events --kind=loads,stores --format=csv "$file" | wc -l)
	printf '%s threads for %s s: %s samples, %s bytes; s of the view objects for each minute: ' $threads "$seconds" $((n - 1)) "$(wc -c <"$file")"
	took "$builddir/ompp" flow "$file" | awk -v s="$seconds" '{ printf "%.2f\n", $1 * 60 / s }'
done
