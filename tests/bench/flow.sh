#!/bin/sh
# flow.sh: how large a trace of 10^7 events is, and how long ompp flow takes for it; and both for a traced run with the
# default period: seconds of analysis for each minute of the run.  Then what tracing costs: CPU time of runs with a trace
# beside the same runs without, in turn, where mostly samples, changes of regions, or blocks of memory are traced.
# Usage: flow.sh [SECONDS [ROUNDS]]      Environment: WRAPPER (the wrapper), CC, srcdir, builddir; FLOW=cost: the costs alone.
set -eu
: "${WRAPPER:=kinst}" "${CC:=gcc}" "${srcdir:=.}" "${builddir:=.}"
seconds=${1:-10} rounds=${2:-9}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# took COMMAND…: how many seconds it takes.
took() {
	begin=$(date +%s.%N)
	"$@" >"$work/out" 2>"$work/err"
	end=$(date +%s.%N)
	awk -v a="$begin" -v b="$end" 'BEGIN { printf "%.2f", b - a }'
}

# ---- sizes, and times of views ----

if [ "${FLOW:-}" != cost ]; then
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
fi

# ---- what tracing costs ----

cat >"$work/samples.c" <<'C'
enum { N = 1 << 20 };
static double a[N];
int main(void)
{
	for (int round = 0; round < 300; round++)
#pragma omp parallel for
		for (int i = 0; i < N; i++)
			a[i] += i;
	return 0;
}
C
cat >"$work/regions.c" <<'C'
int main(void)
{
	for (int round = 0; round < 100000; round++) {
#pragma omp parallel num_threads(1)
		for (int i = 0; i < 10000; i++)
			__asm__ volatile("" : : "r"(i));
	}
	return 0;
}
C
cat >"$work/blocks.c" <<'C'
#include <stdlib.h>
int main(void)
{
	static void *volatile last[1000];
	for (int i = 0; i < 1000000; i++) {
		free(last[i % 1000]);
		last[i % 1000] = malloc(100 + i % 7);
	}
#pragma omp parallel
	last[0] = last[1];
	return 0;
}
C
# cpu COMMAND…: its CPU time in seconds.
cpu() {
	(env OMPP_QUIET=1 OMPP_OVERWRITE=1 OMPP_REPORTFILE="$work/report" "$@" >/dev/null 2>&1; times) |
		awk 'NR == 2 { gsub(/s/, ""); split($1, u, "m"); split($2, s, "m"); print (u[1] + s[1]) * 60 + u[2] + s[2] }'
}
median() {
	sort -g | awk '{ v[NR] = $1 } END { printf "%.3f", v[int((NR + 1) / 2)] }'
}
for what in samples regions blocks; do
	settings=
	access=--no-access
	case $what in
	samples) settings='OMPP_SAMPLE=hook OMPP_DATA_NAME=a' access=--access ;;
	regions) settings=OMPP_SAMPLE=touch ;;
	blocks) settings=OMPP_OBJECTS=all ;;
	esac
	"$WRAPPER" $access "$CC" -w -O1 -fno-builtin -fopenmp "$work/$what.c" -o "$work/$what"
	: >"$work/pairs"
	for round in $(seq "$rounds"); do
		# shellcheck disable=SC2086
		echo "$(cpu $settings "$work/$what") $(cpu $settings OMPP_TRACE=1 OMPP_TRACE_LIMIT=1G "$work/$what")" >>"$work/pairs"
	done
	n=$("$builddir/ompp" flow --view=events --format=csv "$work/report.ompp.flow" 2>/dev/null | wc -l)
	printf 'tracing mostly %s: %s events, CPU time %s times that without a trace, %s us an event\n' $what $((n - 1)) \
		"$(awk '{ print $2 / $1 }' "$work/pairs" | median)" \
		"$(awk -v n="$n" '{ print ($2 - $1) / n * 1e6 }' "$work/pairs" | median)"
done
